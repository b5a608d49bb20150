"""A walk through each guided first game by somebody who only follows the sentences shown, and the essentials at the table."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Route

from tablee.catalog import OURS
from tests.browser.conftest import Invite
from tests.browser.guest import DESKTOP, TELEPHONE, Guest
from tests.browser.screens import Size, in_french, screens
from tests.browser.test_family import from_position
from tests.browser.test_pages import check

# What the sentence names, in its order, as it is read.
NAMED = "() => [...document.querySelectorAll('#sentence b')].map((node) => node.textContent)"
# Places that have a name of their own on the board: all others are called as they are printed there.
SIGNS = {"trèfle": "c", "clubs": "c", "soleil": "s", "sun": "s", "ancre": "a", "anchor": "a"}
EDGE = re.compile(r"(?:entre|between) (\w\d) (?:et|and) (\w\d)")
# The places where something stands, the one to touch now first: the boat lies on a cell of the track.
WITH_BOAT = """() => { const at = (node) => node.querySelector('.ring').getBoundingClientRect();
  const boat = at(document.querySelector("[data-spot='B']"));
  return [...document.querySelectorAll('.spot')].filter((node) => Math.hypot(at(node).x - boat.x, at(node).y - boat.y) < boat.width)
    .sort((one, other) => other.classList.contains('lit') - one.classList.contains('lit')).map((node) => node.dataset.spot); }"""
# Whether a finger in the middle of it meets it, and nothing that lies over it.
ON_TOP = """(node) => { const box = node.getBoundingClientRect();
  return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) === node; }"""
MOST_STEPS = 8


def place(guest: Guest, words: str) -> str:
    """Return the cell that words of a sentence name to somebody who looks at the board; "" if they name no place."""
    noun = re.split("[ ’]", words)[-1]
    if noun in SIGNS:
        return SIGNS[noun]
    if noun in ("arête", "edge"):
        ends = EDGE.search(guest.page.inner_text("#sentence"))
        assert ends
        return "".join(ends.groups())
    if noun in ("bateau", "boat"):
        return str(guest.page.evaluate(WITH_BOAT)[0])
    return words if guest.page.locator(f"[data-spot='{words}']").count() else ""


def follow(guest: Guest, by_keys: bool) -> None:
    """Do what the sentence says, and no more: answer an open question, touch the place that is named, or press the button called so."""
    for words in guest.page.evaluate(NAMED):
        if guest.page.locator("#outcome").is_visible():
            return
        buttons = guest.page.locator("#buttons button:visible, #choices button:visible")
        called = buttons.filter(has_text=re.compile(f"^{re.escape(words)}$"))
        cell = "" if guest.page.locator("#choices").is_visible() else place(guest, words)
        if not cell:
            called.first.click()
        elif by_keys:
            guest.page.locator(f"[data-spot='{cell}']").focus()
            guest.page.keyboard.press("Enter")
        else:
            ring = guest.page.locator(f"[data-spot='{cell}'] .ring")
            guest.tap(ring.evaluate("(node) => { const b = node.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }"))


@pytest.mark.parametrize(("size", "language"), [("desktop", "fr"), ("telephone", "en")])
@pytest.mark.parametrize("game", OURS)
def test_a_first_game_is_walked_to_its_end_by_its_sentences_alone(game: str, size: str, language: str, invite: Invite, artefacts: Path) -> None:
    telephone = size == "telephone"
    guest = invite(size=TELEPHONE if telephone else DESKTOP, touch=telephone, scheme="dark" if telephone else "light")
    if language == "en":
        guest.page.goto("/")
        guest.page.click("form.language button")
        guest.page.wait_for_selector("html[lang=en]")
    guest.page.goto(f"/first/{game}")
    guest.alive()
    seen = []
    for number in range(1, MOST_STEPS + 1):
        guest.until(f"document.body.dataset.step === '{number}'")
        if number == 1:
            check(guest)
        seen.append(guest.page.inner_text("#sentence"))
        assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert guest.page.is_visible(".first-game .aim")
        follow(guest, by_keys=not telephone)
        guest.until("document.querySelector('#outcome').classList.contains('good')")
        assert guest.page.inner_text("#outcome")
        assert guest.page.locator("a.leave").evaluate(ON_TOP)
        if guest.page.locator("#on").is_hidden():
            break
        guest.page.screenshot(path=artefacts / f"first-{game}-{size}-{number}.png")
        guest.press("#on")
    guest.until("document.body.dataset.step === 'end'")
    check(guest)
    assert 5 <= len(seen) <= MOST_STEPS
    assert len(set(seen)) == len(seen)
    guest.press("#end button")
    guest.page.wait_for_url("**/t/*")


def test_the_essentials_open_over_the_table_and_the_first_game_is_offered_until_put_off(invite: Invite) -> None:
    guest = invite()
    guest.open("traboulet", ["me", "level-1"])
    guest.press("a[data-essentials]")
    guest.page.wait_for_selector("dialog.essentials-dialog .arrow")
    check(guest)
    guest.page.keyboard.press("Escape")
    guest.page.wait_for_selector("dialog", state="detached")
    assert guest.page.is_visible("#first-offer")
    guest.press("#first-offer button")
    guest.page.reload()
    guest.alive()
    assert guest.page.is_hidden("#first-offer")


def test_another_legal_action_is_kindly_declined_and_the_step_stays(invite: Invite) -> None:
    guest = invite()
    guest.page.goto("/first/traboulet")
    guest.alive()
    for cell in ("g1", "f1"):
        guest.page.locator(f"[data-spot='{cell}']").focus()
        guest.page.keyboard.press("Enter")
    guest.page.wait_for_selector("#outcome:not([hidden])")
    assert "good" not in (guest.page.get_attribute("#outcome", "class") or "")
    assert guest.page.is_hidden("#on")


def touched(guest: Guest) -> None:
    for cell in ("a1", "b1"):
        guest.page.locator(f"[data-spot='{cell}']").focus()
        guest.page.keyboard.press("Enter")


def typed(guest: Guest) -> None:
    guest.page.fill("#tokens", "a1b1")
    guest.page.press("#tokens", "Enter")


def pressed(guest: Guest) -> None:
    guest.press("#buttons button[data-token='.']")


# White needs one more red, and so does Black. The mover leaves it to Black by a push at the other corner, or by stopping in mid-turn.
ADVISED = [
    (touched, "5wr/6b/7/7/7/7/w6 w 6 6 - -", ""),
    (typed, "5wr/6b/7/7/7/7/w6 w 6 6 - -", ""),
    (pressed, "4wrr/6b/7/7/7/7/w6 w 5 6 - -", "e7f7"),
]


@screens
@pytest.mark.parametrize(("act", "position", "first"), ADVISED, ids=["touched", "typed", "pressed"])
def test_the_adviser_warns_before_a_costly_act_is_sent_and_the_second_time_it_is_sent(
    invite: Invite, act: Callable[[Guest], None], position: str, first: str, size: Size, touch: bool, language: str
) -> None:
    guest = invite(size=size, touch=touch, language=language)
    from_position(guest, "traboulet", position)
    guest.page.evaluate("document.querySelector('#drawer').open = true")
    if first:
        guest.page.fill("#tokens", first)
        guest.page.press("#tokens", "Enter")
        guest.page.wait_for_selector("#buttons button[data-token='.']")
    before = guest.page.locator("#record a.token").count()
    guest.page.check("#adviser")
    act(guest)
    guest.page.wait_for_selector("#refusal:not([hidden])")
    said = guest.page.inner_text("#refusal")
    assert "%" in said
    assert ("Noir" if in_french(language) else "Black") in said
    assert guest.page.locator("#record a.token").count() == before
    act(guest)
    guest.page.wait_for_selector("#result")


SPY = """window.sent = []; const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (frame) { window.sent.push(JSON.parse(frame).t); send.call(this, frame); };"""


@pytest.mark.parametrize("left", ["escape", "other"])
def test_what_the_adviser_still_looks_at_is_not_played_once_it_is_left(invite: Invite, left: str) -> None:
    guest = invite()
    guest.context.add_init_script(SPY)
    from_position(guest, "traboulet", "5wr/6b/7/7/7/7/w6 w 6 6 - -")
    held: list[Route] = []
    guest.page.route("**/advice?*", lambda route: held.append(route))
    guest.page.evaluate("document.querySelector('#drawer').open = true")
    guest.page.check("#adviser")
    touched(guest)
    guest.until("document.body.classList.contains('advising')")
    if left == "escape":
        guest.page.keyboard.press("Escape")
    else:
        guest.page.locator("[data-spot='f7']").focus()
        guest.page.keyboard.press("Enter")
    while not held:
        guest.page.wait_for_timeout(10)
    held[0].fulfill(json={"text": ""})
    guest.until("!document.body.classList.contains('advising')")
    assert "play" not in guest.page.evaluate("window.sent")
    assert guest.look()["chosen"] == ([] if left == "escape" else ["f7"])
    guest.page.unroute("**/advice?*")
