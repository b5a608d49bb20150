"""Whole games in a real browser: by clicks, by a finger, by keys alone, by typing; against the computer and against each other."""

import time
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError

from tablee.catalog import OURS
from tests.browser.conftest import Invite
from tests.browser.guest import A_MOMENT, LONGEST_SECONDS, TELEPHONE, Guest, play

SHORT: dict[str, dict[str, str]] = {"tabu": {"rounds": "2", "money": "20"}}


def finish(guests: list[Guest]) -> None:
    """Play on to the end of the game, as the rules end it."""
    assert play(guests), "the game never ends"
    for guest in guests:
        guest.page.wait_for_selector("#result")


@pytest.mark.parametrize("game", OURS)
def test_a_game_by_clicks_against_the_computer(game: str, invite: Invite) -> None:
    guest = invite()
    guest.open(game, ["me", "level-1"], **SHORT.get(game, {}))
    finish([guest])
    assert guest.page.locator("#result p").first.inner_text()
    assert guest.page.locator("#record a.token").count() >= 4


@pytest.mark.parametrize("game", OURS)
def test_a_game_of_two_browsers_by_a_link(game: str, invite: Invite) -> None:
    first, second = invite(), invite()
    first.open(game, ["me", "open"], **SHORT.get(game, {}))
    second.accept(first.invitation())
    first.page.wait_for_selector("#invite", state="detached")
    finish([first, second])
    boards = [guest.page.evaluate(PIECES) for guest in (first, second)]
    assert boards[0] == boards[1]
    assert len(boards[0]) > 3


@pytest.mark.parametrize("game", OURS)
def test_a_game_by_touch_on_a_small_telephone(game: str, invite: Invite) -> None:
    guest = invite(size=TELEPHONE, touch=True)
    guest.open(game, ["me", "level-1"], **SHORT.get(game, {}))
    finish([guest])
    assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_game_by_keys_alone(invite: Invite) -> None:
    guest = invite()
    guest.open("tablan", ["me", "level-1"])
    keys = guest.page.keyboard
    until = time.monotonic() + LONGEST_SECONDS
    acted = 0
    while time.monotonic() < until and not (seen := guest.look())["over"]:
        if not seen["yours"]:
            guest.page.wait_for_timeout(15)
            continue
        to_the_board(guest)
        keys.press("Home")
        keys.press("Enter")
        acted += 1
    assert acted > 4
    guest.page.wait_for_selector("#result")


def to_the_board(guest: Guest) -> None:
    """Bring the focus to the board by the tabulator."""
    tab_to(guest, ".spot")


def tab_to(guest: Guest, selector: str) -> None:
    """Press Tab until something of a sort has the focus."""
    for _ in range(60):
        if guest.page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        guest.page.keyboard.press("Tab")
    raise AssertionError(f"the tabulator never reaches {selector}")


def test_a_game_by_typing(invite: Invite) -> None:
    guest = invite()
    guest.open("traboulet", ["me", "level-1"])
    guest.page.evaluate("document.querySelector('#drawer').open = true")
    until = time.monotonic() + LONGEST_SECONDS
    typed = 0
    while time.monotonic() < until and not (seen := guest.look())["over"]:
        if not seen["yours"]:
            guest.page.wait_for_timeout(15)
            continue
        with suppress(TimeoutError):  # gone again, perhaps because the game is over: look again
            guest.page.fill("#tokens", guest.random.choice(seen["tokens"]), timeout=A_MOMENT)
            guest.page.press("#tokens", "Enter", timeout=A_MOMENT)
            typed += 1
    assert typed > 4
    guest.page.wait_for_selector("#result")


PIECES = """() => [...document.querySelectorAll("#board [data-piece]")]
  .map((node) => `${node.querySelector("use").getAttribute("href")} ${node.getAttribute("transform")}`).sort()"""
