"""The same table on a desktop and a telephone, in French and in English: aim, names, order, essentials, reasons, ends, and what moves nothing."""

import re
from typing import Any

import pytest

from tablee.catalog import OURS, kind
from tests.browser.conftest import Invite
from tests.browser.guest import TELEPHONE, Guest
from tests.browser.screens import D_EN, P_FR, Size, all_screens, in_french, plain, screens
from tests.browser.test_board import middle, on_board
from tests.browser.test_family import CUT, PLACES, STACK, at_table, from_position, typed
from tests.browser.test_pages import check
from tests.browser.test_table import LOW

AIMS = {
    "traboulet": ("Sortez 7 billes rouges avant Noir : 0 sur 7.", "Push out 7 red marbles before Black does: 0 of 7."),
    "tabale": ("Ayez le plus de points quand un joueur aura posé son dernier pion.", "Have the most points when a player has laid their last pawn."),
    "tabaijana": (
        "Ensemble, chargez les 20 caisses, chaque couleur d’un seul bloc, avant que le bateau n’arrive en 24. À bord : 0 sur 20.",
        "Together, load all 20 crates, each colour in one block, before the boat reaches 24. Aboard: 0 of 20.",
    ),
    "tablan": (
        "Tenez plus de cases que Blanc dans la rangée d’en face : 0 contre 0.",
        "Hold more squares of the opposite row than White: 0 to 0.",
    ),
    "tabu": (
        "Ayez le plus d’argent quand chacun aura tenu la banque 3 fois.",
        "Have the most money when everybody has held the bank 3 times.",
    ),
}
# Nothing of dice or throws, as people call them.
DICE = re.compile(r"\b(dés?|dice|die|lancers?|jets?|throws?)\b", re.IGNORECASE)


def top(guest: Guest, selector: str) -> float:
    """Return where something begins on the page."""
    box = guest.page.locator(selector).first.bounding_box()
    assert box, selector
    return box["y"]


@all_screens
@pytest.mark.parametrize("game", OURS)
def test_a_table_says_its_aim_and_who_plays_in_the_same_order_everywhere(invite: Invite, game: str, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, game, size, touch, language=language)
    french = in_french(language)
    assert plain(guest.page.inner_text("#aim")) == ("But : " if french else "Aim: ") + AIMS[game][not french]
    assert guest.page.locator("#seats .name").all_inner_texts() == (["Vous", "Ordinateur, niveau 1"] if french else ["You", "Computer, level 1"])
    assert guest.page.evaluate(CUT) == []
    order = ("#seats", "#board svg", "#told", "#drawer > summary") if touch else ("#ask", "#aim", "#quick", "#seats", "#told", "#drawer > summary")
    tops = [top(guest, part) for part in order]
    assert tops == sorted(tops)
    assert not touch or top(guest, "#aim") < top(guest, "#ask") < top(guest, "#quick")  # a message covers the aim, never the question
    guest.press("a[data-essentials]")
    guest.page.wait_for_selector("dialog.essentials-dialog .arrow")
    assert guest.page.inner_text("dialog h2") == ("L’essentiel en une minute" if french else "The essentials in a minute")
    assert guest.page.evaluate("document.querySelector('dialog').getBoundingClientRect().right <= innerWidth")
    guest.press("dialog .close")
    guest.page.wait_for_selector("dialog", state="detached")
    guest.page.evaluate("document.querySelector('#drawer').open = true")
    for part in ("#typed", "#commands", ".chat-box", ".elsewhere", "#board-tools", "#record-box"):
        assert guest.page.locator(part).is_visible(), part
    said = DICE.findall(plain(guest.page.inner_text("main")))
    assert kind(game).dice or not said
    assert guest.page.locator("footer a[href='/verify']").count() == kind(game).dice


EDGE = re.compile("[a-i][0-9][a-i][0-9]")  # of two cells, touched between them


def pressed_dark(guest: Guest, cell: str) -> str:
    """Touch a cell in vain, and return what is said."""
    guest.page.evaluate("document.querySelector('#refusal').replaceChildren()")
    guest.tap(middle(guest, cell))
    guest.until("document.querySelector('#refusal').textContent !== ''")
    return plain(guest.page.inner_text("#refusal"))


@screens
@pytest.mark.parametrize("game", OURS)
def test_a_touch_in_vain_has_one_reason_and_never_a_parser(invite: Invite, game: str, size: Size, touch: bool, language: str) -> None:
    """Of dark cells alone, and of a dark one after a lit one; only what asks for another touch first has no paragraph."""
    guest = at_table(invite, game, size, touch, language=language)
    cells = guest.page.eval_on_selector_all(".spot:not(.lit)", "nodes => nodes.map((node) => node.dataset.spot)")
    cells = [cell for cell in cells if not (game == "tabu" and cell.isdigit()) and not EDGE.fullmatch(cell)]
    lit = guest.look()["lit"][0]["name"]
    first = ("Prenez d’abord", "Touchez d’abord", "First pick", "First touch")
    for before, cell in [*(("", cell) for cell in cells[:: max(1, len(cells) // 3)]), (lit, cells[len(cells) // 2])]:
        if before:
            guest.tap(middle(guest, before))
            if not guest.look()["chosen"] or guest.page.locator(f"[data-spot='{cell}'].lit").count():
                continue
        said = pressed_dark(guest, cell)
        assert len(said) > 10
        assert re.search("Je ne lis pas|I cannot read", said) is None, said
        assert guest.page.locator("#refusal a.why").count() == (not said.startswith(first)), said


@all_screens
def test_the_aim_stays_in_reach_while_a_choice_is_open(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = invite(size=size, touch=touch, language=language)
    from_position(guest, "tabaijana", STACK)
    guest.tap(middle(guest, "5"))
    guest.page.wait_for_selector("#choices .crate")
    assert guest.page.is_visible("#aim")
    assert AIMS["tabaijana"][not in_french(language)].split(",")[0] in guest.page.inner_text("#aim")
    assert [cut for cut in guest.page.evaluate(CUT) if not cut.startswith("choice")] == []  # crates of a high stack are slid sideways
    assert not touch or guest.page.evaluate("document.querySelector('#choices').getBoundingClientRect().bottom <= innerHeight")


# White wins by two captures in a row.
TWO_REDS = "4wrr/6b/7/7/7/7/w6 w 5 6 - -"


@all_screens
def test_a_hint_says_why_in_facts_and_a_touch_gives_the_question_back(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = invite(size=size, touch=touch, language=language)
    reasons = ("Elle prend une bille rouge, et vous rejouez.", "It takes a red marble, and you push again.")
    from_position(guest, "traboulet", TWO_REDS)
    guest.press("form[data-do=hint] button")
    guest.page.wait_for_selector("#hint:not([hidden])")
    said = plain(guest.page.inner_text("#hint"))
    assert said.startswith(("Conseil : " if in_french(language) else "Hint: ") + ("Blanc pousse" if in_french(language) else "White pushes"))
    assert said.endswith(reasons[not in_french(language)]), said
    places = guest.page.evaluate(PLACES)
    guest.press("#hint")
    assert guest.page.is_hidden("#hint")
    assert guest.page.locator(".spot.advised").count() == 2
    assert guest.page.evaluate(PLACES) == places


ENDS: dict[str, tuple[str, str, str, tuple[str, str]]] = {
    "won": ("traboulet", "5wr/6b/7/7/7/7/w6 w 6 6 - -", "f7g7", ("Vous avez gagné !", "You have won!")),
    "together": (
        "tabaijana",
        "turn=1 dice=1/2 colours=rw three=rw four=rw boat=13 load=wwwwyyyybbbbgggg 12=rrrr",
        "4:12>13",
        ("Vous avez gagné !", "You have won!"),
    ),
}


@screens
@pytest.mark.parametrize("end", ENDS)
def test_a_win_is_said_to_those_who_won(invite: Invite, end: str, size: Size, touch: bool, language: str) -> None:
    game, position, token, words = ENDS[end]
    guest = invite(size=size, touch=touch, language=language)
    from_position(guest, game, position)
    typed(guest, token)
    guest.page.wait_for_selector("#result")
    title = words[not in_french(language)]
    assert plain(guest.page.text_content("#result h2") or "") == title
    assert not touch or plain(guest.page.inner_text("#ask")) == title
    assert guest.page.locator(".seat.won").count() == (2 if end == "together" else 1)
    assert guest.page.evaluate(CUT) == []
    final = plain(guest.page.inner_text("#result .final"))
    assert final == (("Ensemble : 20/20" if in_french(language) else "Together: 20/20") if end == "together" else final)
    assert "7/7" in final or end == "together"


@screens
def test_a_draw_is_called_a_draw(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = invite(size=size, touch=touch, language=language)
    guest.open("tabu", ["me", "me"])
    guest.page.evaluate("document.querySelector('#drawer').open = true")
    for _ in range(2):  # a grave word is asked twice
        guest.press("form[data-do=stop] button")
    guest.page.wait_for_selector("#result")
    assert plain(guest.page.text_content("#result h2") or "") == ("Partie nulle." if in_french(language) else "A draw.")
    assert guest.page.locator(".seat.won").count() == 2


# Black's side, the board as each wants it, names.


@all_screens
def test_black_is_offered_the_side_at_the_table_until_the_first_push(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = invite(size=size, touch=touch, language=language)
    guest.open("traboulet", ["me", "me"])
    guest.page.wait_for_selector("body.yours")
    g1, a1 = on_board(guest, "g1"), on_board(guest, "a1")
    assert guest.page.is_checked("#side-offer [value=no]")
    guest.press("#side-offer label:has([value=yes])")
    assert on_board(guest, "a1") == pytest.approx(g1, abs=2)
    guest.page.evaluate("document.querySelector('#drawer').open = true")
    guest.press("#mirror-board")
    assert guest.page.is_checked("#side-offer [value=no]")
    assert on_board(guest, "a1") == pytest.approx(a1, abs=2)
    guest.press("#turn-board")
    assert on_board(guest, "a1") != pytest.approx(a1, abs=2)
    typed(guest, "a7b7")
    guest.until("document.querySelectorAll('#record li').length === 1")
    assert guest.page.is_visible("#side-offer")
    typed(guest, "g7f7")
    guest.page.wait_for_selector("#side-offer", state="hidden")


def test_white_against_the_computer_is_offered_no_side(invite: Invite) -> None:
    guest = at_table(invite, "traboulet")
    assert guest.page.is_hidden("#side-offer")


LONG = "Maximilienne-Aurore de Brissac"


@pytest.mark.parametrize(("size", "touch", "language"), [D_EN, P_FR])
def test_names_at_one_screen_are_seen_whole(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = invite(size=size, touch=touch, language=language)
    guest.page.goto("/g/traboulet?way=here")
    guest.page.fill("[name=name-0]", LONG)
    guest.page.fill("[name=name-1]", "Bo")
    guest.press(".go button:visible")
    guest.alive()
    guest.page.wait_for_selector("body.yours")
    assert guest.page.locator("#seats .name").all_inner_texts() == [LONG, "Bo"]
    assert guest.page.evaluate(CUT) == []
    assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@all_screens
@pytest.mark.parametrize("game", ["tabaijana", "tabu"])
def test_with_many_seats_names_and_states_are_all_seen(invite: Invite, game: str, size: Size, touch: bool, language: str) -> None:
    guest = invite(size=size, touch=touch, language=language)
    guest.open(game, ["me"] + ["level-1"] * (kind(game).seats[-1] - 1))
    guest.page.wait_for_selector("body.yours")
    assert guest.page.evaluate(CUT) == []
    states = guest.page.locator("#seats .state").all_inner_texts()
    banker = "tient la banque" if in_french(language) else "holds the bank"
    assert states.count(banker) == (game == "tabu")
    assert all(states)
    assert len(guest.page.locator("#seats .name").all_inner_texts()) == kind(game).seats[-1]


def test_the_adviser_looks_at_the_first_of_several_typed_tokens(invite: Invite) -> None:
    """White and Black need one more red: a1b1 leaves it to Black."""
    guest = invite()
    from_position(guest, "traboulet", "5wr/6b/7/7/7/7/w6 w 6 6 - -")
    guest.page.evaluate("document.querySelector('#drawer').open = true")
    guest.page.check("#adviser")
    typed(guest, "a1b1 b1c1")
    guest.page.wait_for_selector("#refusal:not([hidden])")
    assert "%" in guest.page.inner_text("#refusal")
    assert guest.page.locator("#record a.token").count() == 0


# What comes from elsewhere moves nothing.


@screens
def test_what_another_asks_and_a_watcher_move_nothing(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest, friend, watcher = invite(size=size, touch=touch, language=language), invite(), invite()
    guest.open("traboulet", ["me", "open"])
    friend.accept(guest.invitation())
    guest.page.wait_for_selector("#invite", state="detached")
    guest.page.wait_for_selector("body.yours")
    typed(guest, "a7b7")
    friend.page.wait_for_selector("body.yours")
    typed(friend, "g7f7")
    guest.until("document.body.classList.contains('yours') && document.querySelectorAll('#record li').length === 2")
    before = guest.page.evaluate(PLACES)
    friend.page.evaluate("document.querySelector('#drawer').open = true")
    friend.press("form[data-do=take_back] button")
    guest.page.wait_for_selector(".asks .asked button")
    own = "[...document.querySelectorAll('.asks :is(button, a)')].length"
    after = guest.page.evaluate(PLACES)
    assert len(after) == len(before) + guest.page.evaluate(own)
    assert [place for place in before if place not in after] == []
    assert guest.page.evaluate("(() => { const b = document.querySelector('.asks button').getBoundingClientRect(); return b.top >= 0; })()")
    guest.press(".asks button[value=false]")
    guest.page.wait_for_selector(".asks .asked", state="detached")
    assert guest.page.evaluate(PLACES) == before
    watcher.page.goto(guest.page.url)
    watcher.alive()
    guest.page.wait_for_selector("#watchers:not([hidden])")
    assert guest.page.inner_text("#watchers") == ("1 personne regarde" if in_french(language) else "1 person watches")
    assert guest.page.evaluate(PLACES) == before
    assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    guest.context.set_offline(True)
    guest.page.evaluate("document.querySelector('#connection').hidden = false; document.querySelector('#connection').textContent = 'x'.repeat(60)")
    assert guest.page.evaluate(PLACES) == before


# Before and after the table, under a finger.


def test_links_beside_the_table_are_as_high_as_a_finger(invite: Invite) -> None:
    guest, friend = invite(size=TELEPHONE, touch=True), invite(size=TELEPHONE, touch=True, language="en-GB")
    low = LOW.replace('"button,', '".learn-links a, .table-line a, .contents a, .downloads a, .record a, button,')
    guest.context.add_init_script("navigator.share = (what) => { window.shared = what; return Promise.resolve(); };")
    guest.open("traboulet", ["me", "open"])
    table, invitation = guest.page.url, guest.invitation()
    guest.press("button[data-share='#invite-link-1']")
    assert guest.page.evaluate("window.shared.url") == invitation
    friend.page.goto(invitation)
    assert friend.page.evaluate(low) == []
    friend.accept(friend.page.url)
    guest.page.wait_for_selector("body.yours")
    typed(guest, "a7b7")
    guest.until("document.querySelectorAll('#record a').length === 1")
    guest.page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert guest.page.evaluate(low) == []
    guest.press("button[data-share='#watch-link']")
    assert guest.page.evaluate("window.shared.url") == table
    guest.page.goto(f"{table}/replay?at=1")
    guest.page.wait_for_selector("#board .grid")
    assert guest.page.evaluate(low) == []
    guest.press("button.share-link")
    assert guest.page.evaluate("window.shared.url") == f"{table}/replay?at=1"
    for path in ("/", "/g/traboulet", "/r/traboulet", "/first/traboulet"):
        guest.page.goto(path)
        assert guest.page.evaluate(low) == [], path


@screens
def test_a_first_game_is_left_at_any_time(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = invite(size=size, touch=touch, language=language)
    for game in OURS:
        guest.page.goto(f"/first/{game}")
        guest.alive()
        assert guest.page.evaluate(CUT) == []
        assert not touch or guest.page.evaluate(LOW) == []
        assert guest.page.locator("footer a[href='/verify']").count() == kind(game).dice
    guest.press("a.leave")
    guest.page.wait_for_url("**/g/*")
    check(guest)


def glance(guest: Guest) -> Any:
    """Return the last turn as it is told."""
    return guest.page.locator("#told li").all_inner_texts()


@screens
def test_the_last_turn_is_seen_again_and_looked_back_at(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, "traboulet", size, touch, language=language)
    typed(guest, "a7b7")
    guest.until("document.querySelectorAll('#record li').length >= 2 && document.body.classList.contains('yours')")
    guest.page.wait_for_selector(".trail")
    guest.press("[data-look=again]")
    guest.page.wait_for_selector("body.looking-back")
    guest.until("!document.body.classList.contains('looking-back')")
    assert guest.look()["yours"]
    assert any("a7" in line for line in glance(guest))
    guest.press(".happened [data-look=back]")
    guest.page.wait_for_selector("#looking:not([hidden])")
    assert re.search(r"\d+ (sur|of) \d+|\d+ ?/ ?\d+", plain(guest.page.inner_text("#looking .where")))
    guest.press("#looking [data-look=now]")
    guest.page.wait_for_selector("#looking", state="hidden")
