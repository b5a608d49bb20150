"""Room at the table: messages beside the question, the offer of a guided game beside the record, the end above everything."""

from typing import Any

import pytest

from tablee.catalog import OURS
from tests.browser.conftest import Invite
from tests.browser.guest import DESKTOP, TELEPHONE, Guest
from tests.browser.screens import LANGUAGES, Size, all_screens, in_french, plain, screens
from tests.browser.test_board import middle
from tests.browser.test_family import STACK, at_table, from_position
from tests.browser.test_pages import check

COMMON, LYING = (390, 844), (740, 360)
# Which parts of the page a message lies over.
COVERED = """([message, ...parts]) => { const over = document.querySelector(message).getBoundingClientRect();
  return parts.filter((part) => { const box = document.querySelector(part).getBoundingClientRect();
    return box.width && box.top < over.bottom - 1 && box.bottom > over.top + 1 && box.left < over.right - 1 && box.right > over.left + 1; }); }"""


def covered(guest: Guest, message: str) -> Any:
    """Return what of the board, the question and its aim a message lies over."""
    return guest.page.evaluate(COVERED, [message, "#board svg", "#ask", "#aim"])


def refused(guest: Guest) -> None:
    """Touch a cell where nothing can be done."""
    lit = {one["name"] for one in guest.look()["lit"]}
    cells = guest.page.eval_on_selector_all(".spot", "nodes => nodes.map((node) => node.dataset.spot)")
    guest.tap(middle(guest, next(cell for cell in cells if cell not in lit and not cell.isdigit())))
    guest.page.wait_for_selector("#refusal:not([hidden])")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [COMMON, LYING], ids=["upright", "lying"])
@pytest.mark.parametrize("game", OURS)
def test_a_message_on_a_telephone_hides_neither_the_board_nor_the_question(invite: Invite, game: str, size: Size, language: str) -> None:
    guest = at_table(invite, game, size, True, language=language)
    guest.press("form[data-do=hint] button")
    guest.page.wait_for_selector("#hint:not([hidden])")
    assert covered(guest, "#hint") == []
    refused(guest)
    assert covered(guest, "#refusal") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_message_without_room_covers_the_aim_and_leaves_the_question(invite: Invite, language: str) -> None:
    guest = at_table(invite, "tabaijana", (320, 568), True, language=language)
    guest.press("form[data-do=hint] button")
    guest.page.wait_for_selector("#hint:not([hidden])")
    assert covered(guest, "#hint") == ["#aim"]


@screens
def test_a_hint_lights_the_crates_it_would_take_and_points_from_ring_to_ring(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = invite(size=size, touch=touch, language=language)
    from_position(guest, "tabaijana", STACK)
    guest.press("form[data-do=hint] button")
    guest.page.wait_for_selector(".advice-way")
    crates = guest.page.eval_on_selector_all(".pieces .advised", "nodes => nodes.map((node) => node.dataset.on)")
    said = plain(guest.page.inner_text("#hint"))
    assert guest.page.locator(".spot.advised").count() == 2
    assert ("bateau" in said or "boat" in said) != bool(crates)
    assert len(set(crates)) <= 1
    tip = guest.page.evaluate(
        """() => { const box = document.querySelector(".advice-way").getBoundingClientRect();
      return [...document.querySelectorAll(".spot.advised .ring")].map((ring) => ring.getBoundingClientRect())
        .every((ring) => ring.left - ring.width < box.right && ring.right + ring.width > box.left
          && ring.top < box.bottom && ring.bottom > box.top); }"""
    )
    assert tip


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_says_itself_where_to_touch_first_says_it_once(invite: Invite, language: str) -> None:
    guest = invite(language=language)
    from_position(guest, "tabaijana", STACK)
    guest.tap(middle(guest, "24"))
    guest.page.wait_for_selector("#refusal:not([hidden])")
    french, english = "Touchez d’abord un des endroits cerclés, puis celui-ci.", "First touch one of the ringed places, then this one."
    assert plain(guest.page.inner_text("#refusal")) == (french if in_french(language) else english)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OURS)
def test_the_guided_game_is_offered_where_no_message_lies_yet_and_the_record_keeps_its_room(invite: Invite, game: str, language: str) -> None:
    guest = at_table(invite, game, DESKTOP, language=language)
    assert guest.page.is_visible("#first-offer")
    room = """() => ['#told', '#record-box', '#drawer'].map((part) => document.querySelector(part).getBoundingClientRect())
      .map((box) => [box.y, box.height])"""
    before = guest.page.evaluate(room)
    assert before[0][1] == 96
    assert guest.page.evaluate("document.querySelector('#drawer > summary').getBoundingClientRect().bottom <= innerHeight")
    guest.press("#first-offer button")
    assert guest.page.is_hidden("#first-offer")
    assert guest.page.evaluate(room) == before


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OURS)
def test_the_end_on_a_telephone_is_seen_from_its_verdict_to_the_next_game(invite: Invite, game: str, language: str) -> None:
    """Given up from behind "more", far down the page."""
    guest = at_table(invite, game, COMMON, True, language=language)
    guest.give_up()
    guest.page.wait_for_selector("#result")
    guest.until("scrollY === 0 && !document.querySelector('#drawer').open")
    seen = """(part) => { const node = document.querySelector(part); const box = node.getBoundingClientRect();
      const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      return box.bottom <= innerHeight + 1 && (node === there || node.contains(there) || Boolean(there?.contains(node))); }"""
    order = ["#board svg", "#ask", "#quick [data-do=rematch] button", "#result p", "#result .final"]
    assert [part for part in order if not guest.page.evaluate(seen, part)] == []
    tops = [guest.page.evaluate("(part) => document.querySelector(part).getBoundingClientRect().y", part) for part in order]
    assert tops == sorted(tops)
    for part in ("#result a[href$='/replay']", "#result form.harder button"):
        guest.page.locator(part).scroll_into_view_if_needed()
        assert guest.page.evaluate(seen, part), part
    check(guest)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OURS)
def test_cells_are_as_wide_as_a_finger_or_seen_large_under_it_or_touched_twice(invite: Invite, game: str, language: str) -> None:
    guest = at_table(invite, game, TELEPHONE, True, language=language)
    pressed = """([x, y]) => { const svg = document.querySelector('#board svg'); svg.setPointerCapture = () => {};
      svg.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, isPrimary: true, pointerType: 'touch', clientX: x, clientY: y })); }"""
    spots = [one["at"] for one in guest.look()["lit"]]
    pitch = min((x - a) ** 2 + (y - b) ** 2 for at, (x, y) in enumerate(spots) for a, b in spots[:at]) ** 0.5
    guest.page.evaluate(pressed, spots[0])
    taken_up = bool(guest.look()["chosen"]) and guest.look()["yours"]  # a wrong one is put back by a second touch
    assert pitch >= 44 or taken_up or guest.page.locator(".loupe").is_visible()
    guest.page.evaluate("document.querySelector('#board svg').dispatchEvent(new PointerEvent('pointercancel', { bubbles: true }))")
    assert guest.page.locator(".loupe").is_hidden()


# What each seat counts at the start: its sign, its number and of how many.
COUNTS: dict[str, list[tuple[str, str, str]]] = {
    "traboulet": [("Blanc", "White", "0/7"), ("Noir", "Black", "0/7")],
    "tabale": [("Jaune", "Yellow", "0"), ("Rouge", "Red", "0")],
    "tabaijana": [("Rouge", "Red", "0/20"), ("Blanc", "White", "0/20")],
    "tablan": [("Noir", "Black", "0/12"), ("Blanc", "White", "0/12")],
}


@all_screens
@pytest.mark.parametrize("game", OURS)
def test_a_seat_line_has_its_colour_one_number_and_one_short_state(invite: Invite, game: str, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, game, size, touch, language=language)
    seats = guest.page.eval_on_selector_all(
        "#seats .seat", "nodes => nodes.map((node) => [...node.querySelectorAll('.sign, .number, .of')].map((one) => one.textContent.trim()))"
    )
    if game == "tabu":
        assert sum(int(number) for _, number, _ in seats) == 200
    else:
        assert [(sign, number + of) for sign, number, of in seats] == [(fr if in_french(language) else en, count) for fr, en, count in COUNTS[game]]
    heights = guest.page.eval_on_selector_all("#seats .state", "nodes => nodes.map((node) => node.getBoundingClientRect().height)")
    assert max(heights) < 26  # one line
