"""What moves on the board: every throw tumbles, money goes one by one before the bank passes, a stack lifts under the pointer."""

import pytest

from tests.browser.conftest import Invite
from tests.browser.guest import DESKTOP, Guest
from tests.browser.screens import Size, in_french, screens
from tests.browser.test_board import middle
from tests.browser.test_family import STACK, at_table, from_position, typed

# Every animation of a piece, in its order: which piece, and after how long it begins.
WATCH_MOVES = """window.moves = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, how) {
  window.moves.push([this.dataset?.piece ?? "", how?.delay ?? 0, String(frames[0].transform ?? "")]);
  return animate.call(this, frames, how);
};"""


def watched(guest: Guest) -> Guest:
    """Write down from now on what moves on a page that is open."""
    guest.page.evaluate(f"() => {{ {WATCH_MOVES} }}")
    return guest


def moves(guest: Guest) -> list[tuple[str, float]]:
    """Return what has moved from one place to another: the piece, and after how long it began."""
    return [(piece, delay) for piece, delay, start in guest.page.evaluate("window.moves") if start and "rotate(-" not in start]


@screens
def test_money_moves_one_by_one_and_then_the_bank_passes(invite: Invite, size: Size, touch: bool, language: str) -> None:
    pays = ("1 dé +1", "0 dé −2") if in_french(language) else ("1 die +1", "none −2")
    guest = watched(at_table(invite, "tabu", size, touch, lively=True, language=language))
    printed = guest.page.eval_on_selector_all("#board text", "nodes => nodes.map((node) => node.textContent)")
    assert [printed.count(one) for one in pays] == [4, 2]
    for box in "cdh":
        typed(guest, f"{box}1")
        guest.until(f"document.querySelector('[data-piece=\"stake-1-{box}-1\"]') && document.body.classList.contains('yours')")
    guest.page.evaluate("window.moves = []")
    guest.press("#buttons button")
    guest.until("window.moves.some(([piece]) => piece === 'lamp')")
    seen = moves(guest)
    paid = [(place, delay) for place, (piece, delay) in enumerate(seen) if piece.startswith("stake-1-")]
    delays = [delay for _, delay in paid]
    assert len(set(delays)) == len(delays) == 3
    assert delays == sorted(delays)
    assert max(place for place, _ in paid) < [piece for piece, _ in seen].index("lamp")


@screens
def test_the_computer_lays_its_stake_before_anybody_else_is_ready(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = invite(size=size, touch=touch, language=language)
    guest.open("tabu", ["me", "level-1", "level-1"])
    guest.page.wait_for_selector("body.yours")  # one of the two computers holds the bank, the other stakes
    guest.until('document.querySelector(\'[data-piece^="stake-2-"], [data-piece^="stake-3-"]\')')
    assert guest.look()["yours"]
    assert guest.page.locator("[data-piece^='stake-1-']").count() == 0


@screens
def test_the_throw_of_the_other_is_seen_before_its_move(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, "tabaijana", size, touch, lively=True, language=language)
    watched(guest)
    token = next(token for token in guest.look()["tokens"] if ":" in token)
    before = guest.page.locator("#record a.thrown").count()
    typed(guest, token)
    guest.until(f"document.querySelectorAll('#record a.thrown').length >= {before + 2} && document.body.classList.contains('yours')")
    tumbled = [piece for piece, _, start in guest.page.evaluate("window.moves") if "die" in piece and "rotate(" in start]
    assert len(tumbled) >= 2  # the computer's throw, and the next one of one's own


@pytest.mark.parametrize("language", ["fr-FR", "en-GB"])
def test_a_stack_shows_what_would_lift_before_it_is_touched(invite: Invite, language: str) -> None:
    guest = invite(language=language)
    from_position(guest, "tabaijana", STACK)
    assert guest.page.locator(".would-lift").count() == 0
    guest.page.mouse.move(*middle(guest, "5"))
    guest.page.wait_for_selector(".would-lift")
    lifted = guest.page.eval_on_selector_all(".would-lift", "nodes => nodes.map((node) => node.dataset.on)")
    assert set(lifted) == {"5"}
    assert len(lifted) < guest.page.locator("[data-on='5']").count()
    guest.page.mouse.move(2, 2)
    guest.page.wait_for_selector(".would-lift", state="detached")


def test_only_the_pieces_inherit_the_hand_of_a_pointer(invite: Invite) -> None:
    """A shade that inherits anew is painted anew wherever it is used: the ground with it, at every cell that the pointer passes."""
    guest = at_table(invite, "traboulet", DESKTOP)
    guest.page.mouse.move(*guest.look()["lit"][0]["at"])
    guest.until("document.querySelector('#board svg').classList.contains('touchable')")
    where = ["#board svg", ".pieces", ".ground", ".prints", ".marks", ".grid", "#board svg defs"]
    cursors = guest.page.evaluate("(all) => all.map((one) => getComputedStyle(document.querySelector(one)).cursor)", where)
    assert cursors == ["pointer", "pointer", *["auto"] * 5]


def test_words_on_the_board_are_changed_where_they_stand(invite: Invite) -> None:
    guest = at_table(invite, "tablan", DESKTOP, touch=False)
    guest.page.evaluate("window.words = [...document.querySelectorAll('#board .prints text')]")
    while guest.page.locator("#board .prints text").count() == guest.page.evaluate("window.words.length") and not guest.look()["over"]:
        guest.act(guest.look())
    now = guest.page.locator("#board .prints text").count()
    before = guest.page.evaluate("window.words.length")
    assert now != before
    assert guest.page.evaluate("window.words.filter((node) => node.isConnected).length") == min(now, before)
