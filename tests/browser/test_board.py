"""The board under the hand: what is lit, chosen, undone, refused and explained; what slides; what is read out."""

import re

import pytest

from tests.browser.conftest import Invite
from tests.browser.guest import TELEPHONE, Guest


def middle(guest: Guest, cell: str) -> list[float]:
    """Return where a cell is on the page."""
    script = """(cell) => { const box = document.querySelector(`[data-spot="${cell}"] .ring`).getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2]; }"""
    found: list[float] = guest.page.evaluate(script, cell)
    return found


def on_board(guest: Guest, cell: str) -> list[float]:
    """Return where a cell lies on the board, wherever the page has been scrolled to."""
    box = guest.page.locator("#board svg").first.bounding_box()
    assert box
    x, y = middle(guest, cell)
    return [x - box["x"], y - box["y"]]


def lit(guest: Guest) -> set[str]:
    """Return what may be touched now."""
    return {one["name"] for one in guest.look()["lit"]}


@pytest.fixture
def white(invite: Invite) -> Guest:
    """Give a guest who plays White against the computer, at the start."""
    guest = invite()
    guest.open("traboulet", ["me", "level-1"])
    guest.page.wait_for_selector(".spot.lit")
    return guest


def test_a_chosen_marble_lifts_and_its_targets_show(white: Guest) -> None:
    assert lit(white) == {"a6", "a7", "b7", "f1", "g1", "g2"}
    white.tap(middle(white, "a7"))
    assert lit(white) == {"a6", "b7"}
    assert white.page.locator(".lifted").count() == 1
    assert white.page.get_attribute("[data-spot=a7]", "aria-selected") == "true"


def test_a_second_touch_undoes_the_first(white: Guest) -> None:
    for _ in range(2):
        white.tap(middle(white, "a7"))
    assert white.look()["chosen"] == []
    assert white.page.locator(".lifted").count() == 0


def test_escape_undoes_and_another_marble_takes_its_place(white: Guest) -> None:
    white.tap(middle(white, "a7"))
    white.tap(middle(white, "g1"))
    assert white.look()["chosen"] == ["g1"]
    white.page.keyboard.press("Escape")
    assert white.look()["chosen"] == []


def test_a_marble_can_be_dragged(white: Guest) -> None:
    mouse = white.page.mouse
    mouse.move(*middle(white, "a7"))
    mouse.down()
    mouse.move(*middle(white, "b7"), steps=5)
    mouse.up()
    white.until("document.querySelector('#record a.token')?.textContent === 'a7b7'")


def test_a_refused_touch_says_why_and_leads_to_the_rule(white: Guest) -> None:
    white.tap(middle(white, "a7"))
    white.tap(middle(white, "d4"))
    why = white.page.locator("#refusal a.why").first
    why.wait_for()
    href = why.get_attribute("href") or ""
    assert re.fullmatch(r"/r/traboulet#\d\.\d", href)
    assert "Pourquoi" in why.inner_text()
    white.page.goto(href)
    assert white.page.locator(f'[id="{href.partition("#")[2]}"]').is_visible()


def test_a_touch_of_the_wrong_marble_says_why(white: Guest) -> None:
    white.tap(middle(white, "f7"))
    white.page.locator("#refusal a.why").first.wait_for()
    assert white.look()["chosen"] == []


def test_a_refused_token_says_why(white: Guest) -> None:
    white.page.evaluate("document.querySelector('#drawer').open = true")
    white.page.fill("#tokens", "d4d5")
    white.page.press("#tokens", "Enter")
    white.page.locator("#refusal a.why").first.wait_for()
    white.page.fill("#tokens", "nonsense")
    white.page.press("#tokens", "Enter")
    white.until("/nonsense/.test(document.querySelector('#refusal').textContent)")


def test_pieces_slide_to_their_new_places_and_keep_their_elements(invite: Invite) -> None:
    guest = invite(lively=True)
    guest.open("traboulet", ["me", "me"])
    guest.page.wait_for_selector(".spot.lit")
    guest.page.evaluate(SPY)
    guest.tap(middle(guest, "a7"))
    guest.tap(middle(guest, "b7"))
    guest.until("window.marble.getAttribute('data-on') === 'b7'")
    assert guest.page.evaluate("window.other.getAttribute('data-on')") == "c7"
    slides = guest.page.evaluate("window.slides")
    assert [slide["node"] for slide in slides] == ["marble", "other"]
    assert all(180 <= slide["duration"] <= 250 for slide in slides)


SPY = """() => {
  window.marble = document.querySelector("[data-on=a7]");
  window.other = document.querySelector("[data-on=b7]");
  window.slides = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    const node = this === window.marble ? "marble" : this === window.other ? "other" : "another";
    if (frames.some((frame) => "transform" in frame)) window.slides.push({node, duration: timing.duration});
    return animate.call(this, frames, timing);
  };
}"""


def test_nothing_slides_for_those_who_want_less_motion(white: Guest) -> None:
    white.page.evaluate("window.marble = document.querySelector('[data-on=a7]')")
    white.tap(middle(white, "a7"))
    white.tap(middle(white, "b7"))
    white.until("window.marble.getAttribute('data-on') === 'b7'")
    assert white.page.evaluate("document.querySelector('#board svg').getAnimations({subtree: true}).length") == 0


def test_arrows_go_to_the_nearest_cell_and_each_is_named(white: Guest) -> None:
    white.page.focus("[data-spot=a7]")
    for key, cell in (("ArrowRight", "b7"), ("ArrowDown", "b6"), ("ArrowLeft", "a6"), ("ArrowUp", "a7"), ("ArrowUp", "a7")):
        white.page.keyboard.press(key)
        assert white.page.evaluate("document.activeElement.dataset.spot") == cell
    assert "blanche" in (white.page.get_attribute("[data-spot=a7]", "aria-label") or "")
    assert white.page.locator(".spot[tabindex='0']").count() == 1


def test_what_happens_is_read_out(white: Guest) -> None:
    white.tap(middle(white, "a7"))
    white.tap(middle(white, "b7"))
    white.until("/Noir pousse/.test(document.querySelector('#live').textContent)")


def test_a_click_in_the_record_looks_back(white: Guest) -> None:
    white.tap(middle(white, "a7"))
    white.tap(middle(white, "b7"))
    white.until("document.querySelectorAll('#record a.token').length > 1 && document.body.classList.contains('yours')")
    white.page.click("#record a.token >> nth=0")
    white.page.wait_for_selector("#looking:not([hidden])")
    assert white.page.locator("[data-piece][data-on=f7]").count() == 1
    assert lit(white) == set()
    white.page.click("#looking [data-look=now]")
    assert lit(white)


def test_a_chip_stays_in_the_hand_until_it_is_put_back(invite: Invite) -> None:
    guest = invite(size=TELEPHONE, touch=True)
    guest.open("tabu", ["me", "me"], rounds="1")
    guest.page.wait_for_selector(".spot.lit")
    guest.tap(middle(guest, "5"))
    for box in "cd":
        guest.tap(middle(guest, box))
        guest.page.wait_for_selector(f"[data-piece][data-on={box}]")
        guest.page.wait_for_selector("[data-spot='5'].chosen")
    guest.tap(middle(guest, "5"))
    assert guest.look()["chosen"] == []


def test_crates_are_taken_from_the_touched_one_up(invite: Invite) -> None:
    guest = invite()
    guest.open("tabaijana", ["me", "me"])
    guest.page.wait_for_selector(".spot.lit")
    counts = sorted({int(token.partition(":")[0]) for token in guest.look()["tokens"] if re.match(r"\d+:1>", token)})
    box = guest.page.evaluate(
        """(count) => {
      const crates = [...document.querySelectorAll('[data-on="1"]')];
      const box = crates[crates.length - count].getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2]; }""",
        counts[-1],
    )
    guest.tap(box)
    assert guest.page.locator(".lifted").count() == counts[-1]
    guest.press(f"#choices [data-count='{counts[0]}']")
    assert guest.page.locator(".lifted").count() == counts[0]
    guest.tap(guest.look()["lit"][0]["at"])
    guest.until(f"[...document.querySelectorAll('#record a.token')].some((token) => token.textContent.startsWith('{counts[0]}:1>'))")


def test_every_touch_on_a_telephone_is_as_wide_as_a_finger(invite: Invite) -> None:
    guest = invite(size=TELEPHONE, touch=True)
    guest.open("traboulet", ["me", "level-1"])
    guest.page.wait_for_selector(".spot.lit")
    shown = "[...document.querySelectorAll('.bar button')].map((one) => one.getBoundingClientRect().height).filter((height) => height)"
    heights = guest.page.evaluate(shown)
    assert heights
    assert min(heights) >= 44
    x, y = middle(guest, "g2")
    guest.tap([x + 21, y])
    assert guest.look()["chosen"] == ["g2"]


def test_a_wide_board_is_turned_on_a_telephone_and_back_when_it_lies(invite: Invite) -> None:
    guest = invite(size=TELEPHONE, touch=True)
    guest.open("tablan", ["me", "level-1"])
    guest.page.wait_for_selector(".spot.lit")
    size = "document.querySelector('#board [data-cell=A]').getBoundingClientRect().width"
    assert guest.page.evaluate(size) > 28  # the whole board is seen; a magnifier helps the finger
    first, last = middle(guest, "A"), middle(guest, "L")
    assert abs(first[0] - last[0]) < 1
    guest.tap(guest.look()["lit"][0]["at"])
    assert guest.look()["chosen"]
    guest.page.set_viewport_size({"width": TELEPHONE[1], "height": TELEPHONE[0]})
    guest.until("!document.querySelector('#board').classList.contains('tall')")
    first, last = middle(guest, "A"), middle(guest, "L")
    assert abs(first[1] - last[1]) < 1
    assert guest.page.evaluate("document.querySelector('#board svg').getBoundingClientRect().bottom <= innerHeight")


def test_a_refusal_on_a_telephone_goes_with_the_next_touch_wherever_that_is(invite: Invite) -> None:
    guest = invite(size=TELEPHONE, touch=True)
    guest.open("traboulet", ["me", "level-1"])
    guest.page.wait_for_selector(".spot.lit")
    guest.page.evaluate("document.querySelector('#drawer').open = true")
    guest.page.fill("#tokens", "d4d5")
    guest.page.press("#tokens", "Enter")
    guest.page.wait_for_selector("#refusal:not([hidden])")
    box = guest.page.locator("#refusal").bounding_box()
    assert box is not None
    guest.tap([box["x"] + 4, box["y"] + 4])
    assert guest.page.locator("#refusal").is_visible()
    guest.tap([300, 20])  # beside the title: a touch of the board may be refused in its turn
    guest.page.wait_for_selector("#refusal", state="hidden")


def test_two_seats_of_one_screen_are_chosen_by_name(invite: Invite) -> None:
    guest = invite()
    guest.open("tabu", ["me", "me", "me"], rounds="1")
    guest.page.wait_for_selector("#choices [data-for]")
    seats = guest.page.eval_on_selector_all("#choices [data-for]", "(nodes) => nodes.map((node) => node.dataset.for)")
    assert len(seats) == 2
    guest.press(f"#choices [data-for='{seats[1]}']")
    guest.tap(middle(guest, "5"))
    guest.tap(middle(guest, "c"))
    guest.page.wait_for_selector(f"[data-piece^='stake-{int(seats[1]) + 1}-c']")
