"""A hint in each game: what to take, where it goes and by which way on the board; one sentence of facts, or none where there is none to tell."""

import pytest

from tests.browser.conftest import Invite
from tests.browser.guest import Guest
from tests.browser.screens import Size, in_french, plain, screens
from tests.browser.sight import out_of_sight
from tests.browser.test_family import at_table, from_position

LAID = (
    "1 lay:f8:e8 d7:d3++e7++f6+f7++g8++g9++i9++:17p,5w,0d:0x,0xx h6:c1+e3++f2++g4++g6++i5+i7++:18p,5w,1d:0x,0xx "
    "|a2b3|b1c2|c2c3|d8e9|e9f9|f8f9|g3g4|g6h7|g8g9|h4h5|h5h6|h6i6|h7i8|h8i8"
)
# A position where little else can be done, the cells of the hint, the ways drawn, and the words in both languages.
WITH_FACTS = {
    "traboulet": (
        "4wrr/6b/7/7/7/7/w6 w 5 6 - -",
        ["e7", "f7"],
        1,
        "Conseil : Blanc pousse une bille de e7 en f7, et 2 autres avec elle. Elle prend une bille rouge, et vous rejouez.",
        "Hint: White pushes a marble from e7 to f7, and 2 more with it. It takes a red marble, and you push again.",
    ),
    "tabale": (
        LAID,
        ["e8"],
        0,
        "Conseil : Jaune pose un pion sur e8, qui vaut 3. Points gagnés : 3.",
        "Hint: Yellow lays a pawn on e8, worth 3. Points won: 3.",
    ),
    "tabaijana": (
        "turn=1 dice=1/2 colours=rw three=rw four=rw boat=13 load=wwwwyyyybbbbgggg 12=rrrr",
        ["12", "13"],
        1,
        "Conseil : Rouge embarque 4 caisses de la case 12. Toutes les caisses sont sauvées.",
        "Hint: Red loads 4 crates from cell 12. All crates are saved.",
    ),
    "tablan": (
        ".......w..../....b...wwbb/....w....ww./...........w 1 1-4 open -",
        ["q", "v"],
        1,
        "Conseil : Noir va de q à v. Il prend un oiseau.",
        "Hint: Black goes from q to v. It takes a bird.",
    ),
}
WITHOUT = {
    "traboulet": ("", "Conseil : Blanc pousse une bille de", "Hint: White pushes a marble from"),
    "tabale": ("", "Conseil : Jaune place son fou sur", "Hint: Yellow"),
    "tabaijana": (
        "turn=1 dice=6 colours=rw three=- four=- boat=21 load=- 13=y 18=y 22=grwybrw 23=br 24=wbgbyrggw",
        "Conseil : Rouge mène le bateau à la case 27.",
        "Hint: Red sails the boat to cell 27.",
    ),
    "tablan": ("wwwwwwwwwwww/............/...........b/bbbbbbbbbbb. 1 1-1:M open -", "Conseil : Noir va de K à L.", "Hint: Black goes from K to L."),
}


def hinted(guest: Guest) -> str:
    """Ask for a hint, and return what is said."""
    guest.press("form[data-do=hint] button")
    guest.page.wait_for_selector("#hint:not([hidden])")
    assert out_of_sight(guest, "#hint") == {}
    return plain(guest.page.inner_text("#hint"))


def advised(guest: Guest) -> list[str]:
    """Return the cells that are marked."""
    return sorted(guest.page.eval_on_selector_all(".spot.advised", "nodes => nodes.map((node) => node.dataset.spot)"))


@screens
@pytest.mark.parametrize("game", WITH_FACTS)
def test_a_hint_marks_piece_way_and_target_and_says_its_fact(invite: Invite, game: str, size: Size, touch: bool, language: str) -> None:
    position, cells, ways, french, english = WITH_FACTS[game]
    guest = invite(size=size, touch=touch, language=language)
    from_position(guest, game, position)
    assert hinted(guest) == (french if in_french(language) else english)
    assert advised(guest) == sorted(cells)
    assert guest.page.locator(".advice-way").count() == ways
    assert game != "tabaijana" or guest.page.locator(".pieces .advised").count() == 4  # the crates to take


@screens
def test_a_hint_at_tabu_marks_chip_and_box_and_says_what_the_bank_keeps(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, "tabu", size, touch, language=language)
    said = hinted(guest)
    words = ("Sur un signe, la banque garde en moyenne 8 % de la mise, au lieu de 24 % sur un symbole.", "On a sign the bank keeps 8")
    assert (words[0] if in_french(language) else words[1]) in said
    chip, box = advised(guest)
    assert chip.isdigit()
    assert box in "cdhp"
    assert guest.page.locator(f".ground [data-cell={box}].advised").count() == 1
    assert guest.page.locator(".advice-way").count() == 1


@screens
@pytest.mark.parametrize("game", WITHOUT)
def test_a_hint_without_a_fact_says_what_to_do_and_no_more(invite: Invite, game: str, size: Size, touch: bool, language: str) -> None:
    position, french, english = WITHOUT[game]
    guest = invite(size=size, touch=touch, language=language)
    if position:
        from_position(guest, game, position)
    else:
        guest = at_table(invite, game, size, touch, language=language)
    said = hinted(guest)
    expected = french if in_french(language) else english
    assert said.startswith(expected)
    assert said == expected or not expected.endswith(".")
    assert said.count(".") == 1
    assert advised(guest)
