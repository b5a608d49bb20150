"""The table as people read it: nothing jumps, nothing is cut off, the end waits for the last dice, on every size of screen."""

import pytest

from tablee.catalog import OURS
from tablee.tables.view_changes import MOST_STEPS
from tests.browser.conftest import Invite
from tests.browser.guest import DESKTOP, TELEPHONE, Guest
from tests.browser.screens import LANGUAGES, Size, in_french, screens
from tests.browser.sight import out_of_sight
from tests.browser.test_board import middle
from tests.browser.test_family import CUT, PLACES, at_table, from_position, typed
from tests.browser.test_pages import check

SMALL = (320, 568)
# Whatever a finger presses on the page of a table, but for links within a sentence and the record's numbers.
LOW = """() => [...document.querySelectorAll("button, summary, .table-title a, .brand, .elsewhere a, .button, .first-offer a")]
  .filter((node) => node.checkVisibility() && !node.closest("svg"))
  .map((node) => [node.textContent.trim() || node.id, node.getBoundingClientRect().height])
  .filter(([, height]) => height < 43.5)"""


def inside(guest: Guest, selector: str, above: str) -> bool:
    """Return whether one thing ends above another begins."""
    one, other = guest.page.locator(selector).first.bounding_box(), guest.page.locator(above).first.bounding_box()
    assert one
    assert other
    return one["y"] + one["height"] <= other["y"] + 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OURS)
def test_on_the_smallest_telephone_the_whole_board_stands_above_the_question(invite: Invite, game: str, language: str) -> None:
    guest = at_table(invite, game, SMALL, True, language=language)
    assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert inside(guest, "#seats", "#board svg")
    assert inside(guest, "#board svg", "#bar")
    assert guest.page.evaluate(CUT) == []
    assert guest.page.evaluate(LOW) == []
    before = guest.page.evaluate(PLACES)
    guest.press("form[data-do=hint] button")
    guest.page.wait_for_selector("#hint:not([hidden])")
    assert out_of_sight(guest, "#hint") == {}
    assert guest.page.evaluate(CUT) == []
    assert guest.page.evaluate(PLACES) == before
    check(guest)


@pytest.mark.parametrize("game", OURS)
def test_everything_behind_more_is_as_high_as_a_finger(invite: Invite, game: str) -> None:
    guest = at_table(invite, game, TELEPHONE, True)
    assert guest.page.locator("#record-box").is_hidden()
    guest.press("#drawer > summary")
    assert guest.page.evaluate(LOW) == []
    assert guest.page.locator("#record-box").is_visible()
    for part in ("#typed", "#commands", ".chat-box", ".elsewhere", "#board-tools"):
        assert guest.page.locator(f"#drawer {part}").is_visible(), part


@pytest.mark.parametrize("game", OURS)
def test_on_a_desk_all_is_in_reach_and_in_its_order(invite: Invite, game: str) -> None:
    guest = at_table(invite, game)
    tops = [guest.page.locator(f"#{name}").bounding_box() for name in ("ask", "aim", "quick", "seats", "told", "record-box", "drawer")]
    places = [box["y"] for box in tops if box]
    assert len(places) == 7
    assert places == sorted(places)
    assert guest.page.evaluate("document.querySelector('#drawer > summary').getBoundingClientRect().bottom <= innerHeight")


@pytest.mark.parametrize(("size", "touch"), [(DESKTOP, False), (TELEPHONE, True)], ids=["desktop", "telephone"])
def test_the_board_stays_where_it_is_while_the_seats_have_more_to_say(invite: Invite, size: tuple[int, int], touch: bool) -> None:
    """From the first marble that is taken a seat line says so."""
    guest = invite(size=size, touch=touch)
    place = "(() => { const box = document.querySelector('#board svg').getBoundingClientRect(); return [box.y, box.height].map(Math.round); })()"
    from_position(guest, "traboulet", "ww3bb/ww1r1b1/2rrr2/rr2wwb/2rrr2/bb1r2w/bb2r1w w 1 1 - -")
    before = guest.page.evaluate(place)
    assert guest.page.inner_text("[data-seat='0'] .state") == ""
    typed(guest, "e4f4")
    guest.until("document.querySelector('#seats [data-seat=\"0\"] .state').textContent !== ''")
    assert guest.page.evaluate(place) == before


@screens
def test_the_end_is_not_told_before_the_last_dice_have_fallen(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = invite(size=size, touch=touch, lively=True, language=language)
    guest.open("tabu", ["me", "level-1"], rounds="1", money="20")
    guest.page.wait_for_selector("body.yours")
    guest.page.evaluate(
        """() => { window.early = null;
      new MutationObserver(() => { if (window.early === null && document.querySelector("#result"))
        window.early = document.querySelector(".glow") !== null || document.querySelector("#ask").dataset.node !== "over"; })
        .observe(document.body, { childList: true, subtree: true }); }"""
    )
    typed(guest, "c1")
    guest.until("document.querySelector('[data-piece=\"stake-1-c-1\"]') && document.body.classList.contains('yours')")
    guest.press("#buttons button")
    guest.page.wait_for_selector("#result")
    assert guest.page.evaluate("window.early") is False


@screens
def test_a_row_of_dead_throws_is_seen_throw_by_throw(invite: Invite, size: Size, touch: bool, language: str) -> None:
    """At Tablan nobody moves before the first 2: the throws until then fall one after the other, quickly."""
    guest = invite(size=size, touch=touch, lively=True, language=language)
    guest.context.add_init_script(
        """window.faces = 0; addEventListener("DOMContentLoaded", () => new MutationObserver((all) => {
      if (all.some((one) => one.target.parentNode?.dataset?.piece?.startsWith("throw"))) window.faces += 1;
    }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["href"] }))"""
    )
    throws = 0
    while not 10 <= throws <= MOST_STEPS:  # of a longer row the last board alone is shown; one game in five begins so
        guest.open("tablan", ["me", "me"])
        guest.page.wait_for_selector("body.yours")
        throws = guest.page.locator("#record a.thrown").count()
    assert guest.page.evaluate("window.faces") >= throws * 0.7  # a throw like the one before changes no face


def test_the_end_stands_first_and_says_why_and_what_next(invite: Invite) -> None:
    guest = at_table(invite, "traboulet")
    guest.give_up()
    guest.page.wait_for_selector("#result")
    assert inside(guest, "#result", "#quick")
    assert inside(guest, "#quick", "#seats")
    assert guest.page.locator("#ask").is_hidden()  # the verdict is said once
    assert guest.page.locator("#first-offer").count() == 0
    assert len(guest.page.locator("#result p").first.inner_text()) > 10
    check(guest)


@screens
def test_all_at_tabaijana_count_the_crates_aboard_of_twenty(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = invite(size=size, touch=touch, language=language)
    from_position(guest, "tabaijana", "turn=1 dice=1 colours=rw three=- four=- boat=13 load=wgbyb 9=gygrbr 12=bwywrw 17=yg 23=r")
    assert guest.page.eval_on_selector_all(".seat .score", "nodes => nodes.map((node) => node.textContent.replace(/\\D+/g, ' ').trim())") == [
        "5 20",
        "5 20",
    ]
    # Before the crate goes where no boat can load it any more, the table warns; the same touch again sends it.
    guest.tap(middle(guest, "23"))
    guest.tap(middle(guest, "24"))
    guest.page.wait_for_selector("#refusal:not([hidden])")
    assert ("gagn" if in_french(language) else "won") in guest.page.inner_text("#refusal")
    assert guest.page.locator("#record a.token").count() == 0
    guest.tap(middle(guest, "24"))
    guest.until("document.querySelectorAll('#record a.token').length > 0")


@screens
def test_a_turn_of_tabale_shows_where_the_fool_turned(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, "tabale", size, touch, language=language)
    for _ in range(3):  # set the fool down, let it run, let it turn
        seq = guest.look()["seq"]
        typed(guest, guest.look()["tokens"][0])
        guest.until(f"Number(document.querySelector('#board').dataset.seq) > {seq} && document.body.classList.contains('yours')")
    assert guest.page.locator("path.trail").count() == 2
    assert guest.page.locator("[data-piece=marker-pawn]").count() == 1  # where the pawn will lie


@screens
@pytest.mark.parametrize("game", ["tablan", "tabaijana"])
def test_a_hint_follows_the_track(invite: Invite, game: str, size: Size, touch: bool, language: str) -> None:
    guest = invite(size=size, touch=touch, language=language)
    position = {
        "tablan": "wwwwwwwwwwww/............/............/bbbbbbbbbb.. 1 4-6 open -",
        "tabaijana": "turn=1 dice=6 colours=rw three=- four=- boat=10 load=- 8=wgbyrbywgyrbywgbrgwr",
    }[game]
    from_position(guest, game, position)
    guest.press("form[data-do=hint] button")
    guest.page.wait_for_selector(".advice-way")
    corners = guest.page.get_attribute(".advice-way", "d")
    assert corners
    assert corners.count("L") > 7  # a straight way has seven
