"""Every moment of a game, at a refusal, a hint, a throw and the end: the question stays in sight, nothing moves, and nobody meets a barrier."""

import pytest

from tablee.catalog import OURS, kind
from tests.browser.conftest import Invite
from tests.browser.gallery import THROWN, dark_cell
from tests.browser.guest import DESKTOP, TELEPHONE, Guest, Scheme, play
from tests.browser.screens import LANGUAGES, Size
from tests.browser.sight import out_of_sight
from tests.browser.test_family import PLACES, WATCH_SHIFTS, at_table
from tests.browser.test_pages import check

OTHER_TELEPHONES = [(320, 568), (390, 844), (412, 915)]
MOMENTS = [
    pytest.param(DESKTOP, False, "fr-FR", "light", id="desktop-fr-light"),
    pytest.param(TELEPHONE, True, "en-GB", "dark", id="telephone-en-dark"),
]


def refused(guest: Guest) -> None:
    """Touch a place where nothing can be done."""
    guest.tap(dark_cell(guest))
    guest.page.wait_for_selector("#refusal:not([hidden])")


def hinted(guest: Guest) -> None:
    """Ask for a hint, and wait for its words."""
    guest.press("form[data-do=hint] button")
    guest.page.wait_for_selector("#hint:not([hidden])")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OURS)
def test_on_a_telephone_a_message_and_the_question_are_both_in_sight(invite: Invite, game: str, language: str) -> None:
    guest = at_table(invite, game, TELEPHONE, True, language=language)
    guest.page.evaluate(WATCH_SHIFTS)
    before = guest.page.evaluate(PLACES)
    for say, message in ((refused, "#refusal"), (hinted, "#hint")):
        say(guest)
        assert out_of_sight(guest, message) == {}
        assert guest.page.evaluate(PLACES) == before
        assert guest.page.evaluate("window.shifts") == 0
        for wide, high in [*OTHER_TELEPHONES, TELEPHONE]:
            guest.page.set_viewport_size({"width": wide, "height": high})
            guest.until(f"innerWidth === {wide} && innerHeight === {high}")
            assert out_of_sight(guest, message) == {}, (wide, high)
        guest.page.evaluate("window.shifts = 0")
    assert guest.page.is_hidden("#refusal")
    assert guest.page.is_visible("#aim")


@pytest.mark.parametrize("game", ["tablan", "tabu"])
def test_a_turned_board_leaves_the_question_in_sight(invite: Invite, game: str) -> None:
    """A board that its viewer has set upright may leave a message fewer rows: then it is pushed."""
    guest = at_table(invite, game, TELEPHONE, True)
    for turned in range(3):
        guest.page.evaluate("document.querySelector('#drawer').open = true")
        guest.press("#turn-board")
        guest.page.evaluate("document.querySelector('#drawer').open = false; scrollTo(0, 0)")
        before = guest.page.evaluate(PLACES)
        for say, message in ((refused, "#refusal"), (hinted, "#hint")):
            if turned == 0 or message == "#refusal":
                say(guest)
                assert {*out_of_sight(guest, message)} <= ({"hidden"} if game == "tabu" else set()), (turned, message)
                assert guest.page.evaluate(PLACES) == before


def test_a_long_message_is_pushed_by_a_finger_and_covers_neither_question_nor_board(invite: Invite) -> None:
    guest = at_table(invite, "traboulet", (320, 568), True)
    refused(guest)
    guest.page.evaluate("document.querySelector('#refusal p').textContent = 'Une longue raison. '.repeat(30)")
    seen = out_of_sight(guest, "#refusal")
    assert set(seen) == {"hidden"}
    assert guest.page.evaluate("getComputedStyle(document.querySelector('#refusal')).overflowY") == "auto"


def test_a_telephone_that_lies_keeps_the_order_and_the_place_of_messages(invite: Invite) -> None:
    guest = at_table(invite, "tablan", (TELEPHONE[1], TELEPHONE[0]), True)
    tops = [
        guest.page.locator(name).evaluate("(node) => node.getBoundingClientRect().top") for name in ("#ask", "#aim", "#quick", ".messages", "#seats")
    ]
    assert tops == sorted(tops)
    hinted(guest)
    assert guest.page.evaluate("document.querySelector('#hint').getBoundingClientRect().top") >= tops[3]


@pytest.mark.parametrize(("size", "touch", "language", "scheme"), MOMENTS)
@pytest.mark.parametrize("game", OURS)
def test_no_moment_of_a_game_has_a_barrier(invite: Invite, game: str, size: Size, touch: bool, language: str, scheme: Scheme) -> None:
    guest = invite(size=size, touch=touch, language=language, scheme=scheme)
    guest.open(game, ["me", "level-1"])
    guest.page.wait_for_selector("body.yours")
    refused(guest)
    check(guest)
    hinted(guest)
    check(guest)
    if kind(game).dice:
        before = guest.page.evaluate(THROWN)
        while guest.page.evaluate(THROWN) == before:
            play([guest], guest.look()["played"] + 1)
        check(guest)
    if guest.page.locator("#result").count() == 0:
        guest.give_up()
        guest.page.wait_for_selector("#result")
    check(guest)
