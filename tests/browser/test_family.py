"""A family at the table: hints on the board, refusals that move nothing, throws that are seen, the last turn, the board as each wants it."""

import re
from contextlib import suppress

import pytest
from playwright.sync_api import TimeoutError

from tablee.catalog import OURS
from tests.browser.conftest import Invite
from tests.browser.guest import A_MOMENT, DESKTOP, TELEPHONE, Guest
from tests.browser.screens import LANGUAGES, Size, all_screens, in_french, screens
from tests.browser.test_board import middle, on_board

# Where everything stands that one may be about to press.
PLACES = """() => [...document.querySelectorAll("button, a, summary, .seat, #board svg")]
  .filter((node) => node.checkVisibility() && !node.closest("#refusal"))
  .map((node) => { const box = node.getBoundingClientRect(); return [box.x, box.y, box.width, box.height].map(Math.round); })"""

# What is cut off: in a seat line, the question, a message or a button; of a seat line also what is hidden though it says something.
CUT = """() => {
  const said = (node) => `${node.className}: ${node.textContent}`;
  const clipped = (node) => getComputedStyle(node).clipPath.startsWith("inset");
  const all = (query) => [...document.querySelectorAll(query)];
  const hidden = all(".seat :is(.sign, .name, .number, .state)")
    .filter((node) => node.textContent.trim() && (!node.checkVisibility() || clipped(node)));
  const cut = all(".seat :is(.sign, .name, .state, .score), .ask, .aim, .messages > *, #bar button, .table-title")
    .filter((node) => node.checkVisibility() && !clipped(node))
    .filter((node) => node.getBoundingClientRect().right > innerWidth + 1
      || node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline");
  return [...hidden, ...cut].map(said);
}"""


def at_table(invite: Invite, game: str, size: tuple[int, int] = DESKTOP, touch: bool = False, lively: bool = False, language: str = "fr-FR") -> Guest:
    """Give a guest whose turn it is against the computer."""
    guest = invite(size=size, touch=touch, lively=lively, language=language)
    guest.open(game, ["me", "level-1"])
    guest.page.wait_for_selector("body.yours")
    return guest


def typed(guest: Guest, token: str) -> None:
    """Play a token by the form behind "more"."""
    guest.page.evaluate(
        "token => { document.querySelector('#tokens').value = token; document.querySelector('#typed').requestSubmit(); }",
        token,
    )


@all_screens
def test_a_hint_is_shown_on_the_board_and_said_in_words(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, "traboulet", size, touch, language=language)
    before = guest.page.evaluate(PLACES)
    guest.press("form[data-do=hint] button")
    guest.page.wait_for_selector("#hint:not([hidden])")
    assert guest.page.locator(".spot.advised").count() == 2
    assert guest.page.locator(".advice-way").count() == 1
    assert guest.page.inner_text("#hint").startswith("Conseil" if in_french(language) else "Hint")
    assert guest.page.evaluate(PLACES) == before
    advised = guest.page.eval_on_selector_all(".spot.advised", "nodes => nodes.map((node) => node.dataset.spot)")
    start, target = re.findall(r"\b[a-g][1-7]\b", guest.page.inner_text("#hint"))[:2]
    assert {start, target} == set(advised)
    guest.tap(middle(guest, start))
    guest.tap(middle(guest, target))
    guest.page.wait_for_selector("#hint", state="hidden")
    assert guest.page.locator(".spot.advised").count() == 0


@all_screens
def test_a_refusal_gives_one_reason_and_moves_nothing(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, "traboulet", size, touch, language=language)
    before = guest.page.evaluate(PLACES)
    guest.tap(middle(guest, "d4"))
    guest.page.wait_for_selector("#refusal:not([hidden])")
    assert guest.page.evaluate(PLACES) == before
    assert guest.page.locator("#refusal a.why").count() == 1
    assert re.search("Refus", guest.page.inner_text("#refusal")) is None
    guest.tap(middle(guest, "a7"))  # one touch both takes the message away and counts
    assert guest.page.locator("#refusal").is_hidden()
    assert guest.look()["chosen"] == ["a7"]
    assert guest.page.evaluate(PLACES)[0] == before[0]  # the board; on a telephone the bar makes room while something is in the hand


@screens
def test_the_stakes_lie_there_while_the_dice_fall_and_the_boxes_that_win_light_up(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, "tabu", size, touch, lively=True, language=language)
    for box in "cdhpas":
        typed(guest, f"{box}1")
        guest.until(f"document.querySelector('[data-piece=\"stake-1-{box}-1\"]') && document.body.classList.contains('yours')")
    guest.press("#buttons button")
    guest.page.wait_for_selector(".ground .glow")
    assert guest.page.locator("[data-piece^=stake-1]").count() == 6
    guest.page.wait_for_selector(".ground .glow", state="detached")
    guest.page.wait_for_selector("[data-piece^=stake-1]", state="detached")


@screens
def test_whoever_wants_to_throws_by_a_touch(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = invite(size=size, touch=touch, language=language)
    guest.page.goto("/settings")
    guest.page.check("input[name=throw][value=touch]")
    guest.page.click("form.options button.primary")
    guest.open("tablan", ["me", "me"])
    guest.page.wait_for_selector(".throw-now")
    assert not guest.look()["yours"]
    presses = 0
    while not guest.look()["yours"]:
        if guest.page.locator(".throw-now").count():
            with suppress(TimeoutError):
                guest.press(".throw-now", A_MOMENT)
                presses += 1
        guest.page.wait_for_timeout(50)
    assert 1 <= presses <= max(4, guest.page.locator("#record a.thrown").count())


def test_the_last_turn_leaves_a_soft_trail_and_can_be_seen_again(invite: Invite) -> None:
    guest = at_table(invite, "traboulet")
    assert guest.page.locator(".trail").count() == 0
    typed(guest, "a7b7")
    guest.until("document.querySelectorAll('#record li').length >= 2 && document.body.classList.contains('yours')")
    guest.page.wait_for_selector(".trail")
    guest.press("[data-look=again]")
    guest.page.wait_for_selector("body.looking-back")
    guest.until("!document.body.classList.contains('looking-back')")
    assert guest.look()["yours"]


@all_screens
def test_one_looks_back_and_on(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, "traboulet", size, touch, language=language)
    typed(guest, "a7b7")
    guest.until("document.querySelectorAll('#record a').length >= 2 && document.body.classList.contains('yours')")
    if touch:
        swipe(guest, 160)
    else:
        guest.page.keyboard.press("ArrowLeft")
    guest.page.wait_for_selector("#looking:not([hidden])")
    assert not guest.look()["yours"]
    guest.press("#looking [data-look=back]")
    guest.until("/^.*\\b0\\b/.test(document.querySelector('#looking .where').textContent)")
    if touch:
        swipe(guest, -160)
    else:
        guest.page.keyboard.press("ArrowRight")
    guest.until("/^.*\\b1\\b/.test(document.querySelector('#looking .where').textContent)")
    guest.press("#looking [data-look=now]")
    guest.page.wait_for_selector("#looking", state="hidden")
    assert guest.look()["yours"]


def swipe(guest: Guest, across: int) -> None:
    """Slide a finger over the middle of the board."""
    guest.page.evaluate(
        """across => { const svg = document.querySelector('#board svg'); const box = svg.getBoundingClientRect();
      const finger = { bubbles: true, pointerId: 1, isPrimary: true, pointerType: 'touch', clientY: box.y + box.height / 2 };
      const at = (type, x) => svg.dispatchEvent(new PointerEvent(type, { ...finger, clientX: x }));
      svg.setPointerCapture = () => {};
      const from = box.x + box.width / 2 - across / 2;
      at('pointerdown', from); at('pointermove', from + across); at('pointerup', from + across); }""",
        across,
    )


@screens
def test_the_board_is_turned_and_mirrored_for_oneself_and_stays_so(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, "traboulet", size, touch, language=language)
    a7, g1 = on_board(guest, "a7"), on_board(guest, "g1")
    guest.page.evaluate("document.querySelector('#drawer').open = true")
    guest.press("#turn-board")
    guest.press("#turn-board")
    assert on_board(guest, "a7") == pytest.approx(g1, abs=2)
    guest.page.reload()
    guest.page.wait_for_selector("body.yours")
    assert on_board(guest, "a7") == pytest.approx(g1, abs=2)
    guest.page.evaluate("document.querySelector('#drawer').open = true")
    guest.press("#mirror-board")
    assert on_board(guest, "a7")[0] == pytest.approx(a7[0], abs=2)
    guest.page.evaluate("scrollTo(0, 0)")
    guest.tap(middle(guest, "a7"))
    guest.tap(middle(guest, "b7"))
    guest.until("document.querySelector('#record a.token')?.textContent === 'a7b7'")


@screens
def test_at_tablan_each_side_may_see_its_own_row_below(invite: Invite, size: Size, touch: bool, language: str) -> None:
    """On a telephone the board stands: its own row lies at the left."""
    guest = at_table(invite, "tablan", size, touch, language=language)
    across = 0 if touch else 1
    before = middle(guest, "A")[across] - middle(guest, "a")[across]
    assert (before < 0) if touch else (before > 0)
    guest.page.evaluate("document.querySelector('#drawer').open = true")
    guest.press("#turn-board")
    assert (middle(guest, "A")[across] - middle(guest, "a")[across]) * before < 0


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OURS)
def test_on_a_telephone_nothing_lies_under_the_bar(invite: Invite, game: str, language: str) -> None:
    guest = at_table(invite, game, TELEPHONE, True, language=language)
    box = {name: guest.page.locator(name).first.bounding_box() for name in ("#bar", "#seats", "#board svg")}
    bar, seats, board = box["#bar"], box["#seats"], box["#board svg"]
    assert bar
    assert seats
    assert board
    assert seats["y"] + seats["height"] <= board["y"] + 1
    assert board["y"] + board["height"] <= bar["y"] + 1
    assert guest.page.locator("footer").is_hidden()
    assert guest.page.evaluate(CUT) == []
    small = guest.page.eval_on_selector_all("#bar button", "nodes => nodes.filter((node) => node.getBoundingClientRect().height < 43.5).length")
    assert small == 0


def test_narrow_cells_are_seen_large_under_a_finger(invite: Invite) -> None:
    guest = at_table(invite, "tabale", TELEPHONE, True)
    guest.page.evaluate("document.querySelector('#board svg').setPointerCapture = () => {}")
    x, y = guest.look()["lit"][0]["at"]
    guest.page.evaluate(
        """([x, y]) => { const finger = { bubbles: true, isPrimary: true, pointerType: 'touch', clientX: x, clientY: y };
      document.querySelector('#board svg').dispatchEvent(new PointerEvent('pointerdown', finger)); }""",
        [x, y],
    )
    assert guest.page.locator(".loupe").is_visible()
    guest.page.evaluate("document.querySelector('#board svg').dispatchEvent(new PointerEvent('pointercancel', { bubbles: true }))")
    assert guest.page.locator(".loupe").is_hidden()


@screens
def test_a_replay_plays_by_itself(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, "traboulet", size, touch, language=language)
    typed(guest, "a7b7")
    guest.until("document.querySelectorAll('#record a').length >= 2")
    table = guest.page.evaluate("document.body.dataset.table")
    guest.page.goto(f"/t/{table}/replay?at=0")
    guest.press("#autoplay")
    assert guest.page.get_attribute("#autoplay", "aria-pressed") == "true"
    last = guest.page.get_attribute("#board", "data-last")
    guest.until(f"location.search === '?at={last}'")
    guest.until("document.querySelector('#autoplay').getAttribute('aria-pressed') === 'false'")
    assert guest.page.locator("#record [aria-current=step]").get_attribute("data-at") == last


def test_a_finished_game_goes_on_from_any_step_but_its_last(invite: Invite) -> None:
    guest = invite()
    button = guest.page.locator("form[action$='/from'] button")
    from_position(guest, "traboulet", "5wr/6b/7/7/7/7/w6 w 6 6 - -")
    typed(guest, "a1b1")
    guest.page.wait_for_selector("#result")
    guest.page.goto(guest.page.url.split("?")[0] + "/replay")
    assert button.is_disabled()
    guest.press(".steps [rel=prev]")
    guest.until("!document.querySelector('form[action$=\"/from\"] button').disabled")
    guest.press(".steps [rel=last]")
    guest.until("document.querySelector('form[action$=\"/from\"] button').disabled")
    guest.press(".steps [rel=first]")
    guest.until("!document.querySelector('form[action$=\"/from\"] button').disabled")
    button.click()
    guest.alive()
    assert "/replay" not in guest.page.url


def from_position(guest: Guest, game: str, position: str) -> None:
    """Sit at a table that plays on from a position, against the computer, with the first seat to act."""
    answer = guest.context.request.post(
        f"/g/{game}/from", form={"position": position, "seats": "2", "options": ""}, headers={"Origin": guest.address}
    )
    guest.page.goto(answer.url)
    guest.alive()
    guest.page.wait_for_selector("body.yours")


# Red throws a 3: of the stack on cell 5 the lower crates are Red's to move, the upper ones are not.
STACK = "turn=1 dice=3 colours=rw three=- four=- boat=10 load=- 1=wgbyrbywgyrbyw 5=rgbrgw"


@all_screens
def test_a_crate_that_cannot_be_taken_says_why(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = invite(size=size, touch=touch, language=language)
    from_position(guest, "tabaijana", STACK)
    guest.tap(middle(guest, "5"))
    guest.page.wait_for_selector("#choices .crate")
    assert guest.page.locator("#choices .crate").count() == guest.page.locator("[data-on='5']").count()
    closed = guest.page.locator("#choices [data-count][aria-disabled]")
    assert closed.count()
    before = guest.page.evaluate(PLACES)
    closed.first.dispatch_event("click")  # aria-disabled: it can be pressed, and says why it is closed
    guest.page.wait_for_selector("#refusal:not([hidden]) a.why")
    assert guest.page.evaluate(PLACES) == before


# What a family met at the table: words, lights, the end, the replay.

# How far things on the page have jumped since it was asked for, as Chromium measures it.
# What the page draws as the game begins is let pass: the next two frames.
WATCH_SHIFTS = """async () => { window.shifts = 0;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shifts += one.value; }).observe({ type: 'layout-shift' }); }"""


@screens
def test_a_refusal_says_what_is_possible_instead(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, "traboulet", size, touch, language=language)
    guest.tap(middle(guest, "d7"))
    guest.page.wait_for_selector("#refusal:not([hidden])")
    said = guest.page.inner_text("#refusal")
    words = ("Il n’y a pas de bille en d7", "est cerclé", "Pourquoi") if language == "fr-FR" else ("There is no marble on d7", "is ringed", "Why")
    assert [word for word in words if word not in said] == []
    assert guest.page.locator("[data-spot=d7].flash").count() == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_box_touched_before_a_chip_asks_for_the_chip(invite: Invite, language: str) -> None:
    guest = at_table(invite, "tabu", TELEPHONE, True, language=language)
    guest.tap(middle(guest, "h"))
    guest.page.wait_for_selector("#refusal:not([hidden])")
    assert guest.page.inner_text("#refusal").startswith("Prenez d’abord un jeton" if language == "fr-FR" else "First pick a chip")


@screens
def test_a_box_lights_up_itself_and_all_of_it_can_be_touched(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, "tabu", size, touch, language=language)
    guest.tap(middle(guest, "1"))
    guest.page.wait_for_selector(".ground [data-cell=a].open")
    signs = guest.page.eval_on_selector_all(".spot.wide circle", "nodes => nodes.map((node) => getComputedStyle(node).opacity)")
    assert set(signs) == {"0"}
    assert len(signs) == 18
    box = guest.page.locator(".ground [data-cell=a]").bounding_box()
    assert box
    guest.tap([box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.85])
    guest.page.wait_for_selector("[data-piece^='stake-1-a']")


@all_screens
@pytest.mark.parametrize("game", OURS)
def test_a_refusal_and_a_hint_shift_nothing_under_a_finger(invite: Invite, game: str, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, game, size, touch, language=language)
    guest.page.evaluate(WATCH_SHIFTS)
    lit = {one["name"] for one in guest.look()["lit"]}
    cells = guest.page.eval_on_selector_all(".spot", "nodes => nodes.map((node) => node.dataset.spot)")
    dark = next(cell for cell in cells if cell not in lit and not cell.isdigit())
    before = guest.page.evaluate(PLACES)
    guest.tap(middle(guest, dark))
    guest.page.wait_for_selector("#refusal:not([hidden])")
    assert guest.page.evaluate(PLACES) == before
    assert guest.page.evaluate("window.shifts") == 0
    guest.press("form[data-do=hint] button")
    guest.page.wait_for_selector("#hint:not([hidden])")
    assert guest.page.evaluate(PLACES) == before
    assert guest.page.locator(".spot.advised").count() >= 1
    assert guest.page.locator(".advice-way").count() >= (game != "tabale")  # a fool that is set down has no way yet


@all_screens
def test_the_end_says_how_it_went_and_what_to_do_next(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, "traboulet", size, touch, language=language)
    guest.press("form[data-do=hint] button")
    guest.page.wait_for_selector(".spot.advised")
    guest.give_up()
    guest.page.wait_for_selector("#result")
    french = language == "fr-FR"
    assert guest.page.inner_text("#result h2") == ("Vous avez perdu." if french else "You have lost.")
    assert guest.page.inner_text("#result .final").startswith("Vous : 0/7" if french else "You: 0/7")
    assert guest.page.locator(".spot.advised").count() == 0
    assert guest.page.locator("#hint").is_hidden()
    assert guest.page.locator("#result a[href$='/replay']").is_visible()
    assert guest.page.locator("#result form.harder button").is_visible()
    assert guest.page.locator("#quick form[data-do=rematch] button").is_visible()
    assert guest.page.evaluate("document.querySelector('.side').scrollTop") == 0


def test_a_replay_on_a_telephone_numbers_its_moves_and_keeps_its_buttons_in_one_row(invite: Invite) -> None:
    guest = at_table(invite, "traboulet", TELEPHONE, True)
    typed(guest, "a7b7")
    guest.until("document.querySelectorAll('#record a').length >= 2")
    guest.page.goto(f"/t/{guest.page.evaluate('document.body.dataset.table')}/replay?at=1")
    places = guest.page.eval_on_selector_all(
        ".steps > *", "nodes => nodes.map((node) => node.getBoundingClientRect()).map((box) => [box.y + box.height / 2, box.height])"
    )
    assert max(place for place, _ in places) - min(place for place, _ in places) < 2
    assert min(height for _, height in places[:3]) >= 44
    title, board = guest.page.locator("h1").bounding_box(), guest.page.locator("#board").bounding_box()
    assert title
    assert board
    assert title["y"] + title["height"] <= board["y"] + 1
    assert guest.page.locator("#record li").first.inner_text().split() == ["1.", "Blanc", "a7b7"]


def test_on_a_telephone_the_last_turn_is_seen_again_by_a_finger(invite: Invite) -> None:
    guest = at_table(invite, "traboulet", TELEPHONE, True)
    small = guest.page.eval_on_selector_all(".happened button", "nodes => nodes.filter((node) => node.getBoundingClientRect().height < 43.5).length")
    assert small == 0


@screens
def test_the_question_gives_way_while_the_dice_fall(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, "tabu", size, touch, lively=True, language=language)
    typed(guest, "c1")
    guest.until("document.querySelector('[data-piece=\"stake-1-c-1\"]') && document.body.classList.contains('yours')")
    guest.press("#buttons button")
    guest.until(f"document.querySelector('#ask').textContent === '{'Les dés roulent…' if in_french(language) else 'The dice are rolling…'}'")
    guest.page.wait_for_selector("body.yours")


@screens
def test_pawns_are_laid_by_a_touch_where_they_will_lie(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, "tabale", size, touch, language=language)
    for _ in range(3):  # set the fool down, let it run, let it turn
        seq = guest.look()["seq"]
        typed(guest, guest.look()["tokens"][0])
        guest.until(f"Number(document.querySelector('#board').dataset.seq) > {seq} && document.body.classList.contains('yours')")
    cell = guest.page.get_attribute("[data-piece=marker-pawn]", "data-on")
    assert cell
    guest.tap(middle(guest, cell))
    guest.page.wait_for_selector("#choices button")
    assert [one.inner_text() for one in guest.page.locator("#choices button").all()] == (
        ["Poser un pion", "Poser deux pions"] if in_french(language) else ["Lay one pawn", "Lay two pawns"]
    )
    guest.press("#choices button")
    guest.page.wait_for_selector(f"[data-on='{cell}'] use[href^='#tabale-pawn']")


@all_screens
def test_people_at_tabu_stop_and_count_when_they_like(invite: Invite, size: Size, touch: bool, language: str) -> None:
    guest = at_table(invite, "tabu", size, touch, language=language)
    guest.page.evaluate("document.querySelector('#drawer').open = true")
    for _ in range(2):  # a grave word is asked twice
        guest.press("form[data-do=stop] button")
    guest.page.wait_for_selector("#result")
    table = guest.page.evaluate("document.body.dataset.table")
    counted = re.search(r"result: (\d+) (\d+) \(4\.2 agreed\)", guest.context.request.get(f"/t/{table}/record").text())
    assert counted
    assert re.findall(r"\d+", guest.page.inner_text("#result .final"))[-1] == counted[2]
    assert int(counted[1]) + int(counted[2]) == 200


@pytest.mark.parametrize("game", ["tabaijana", "tabu"])
def test_many_seats_leave_room_for_the_board_on_a_telephone(invite: Invite, game: str) -> None:
    guest = invite(size=TELEPHONE, touch=True)
    guest.open(game, ["me"] + ["level-1"] * (4 if game == "tabaijana" else 7))
    guest.page.wait_for_selector("body.yours")
    board, bar = guest.page.locator("#board svg").first.bounding_box(), guest.page.locator("#bar").bounding_box()
    assert board
    assert bar
    assert board["y"] + board["height"] <= bar["y"] + 1
    assert guest.page.evaluate(CUT) == []


def test_the_file_to_verify_stays_within_a_telephone(invite: Invite) -> None:
    guest = invite(size=TELEPHONE, touch=True)
    guest.page.goto("/verify")
    box = guest.page.locator("#verify-file").bounding_box()
    assert box
    assert box["x"] + box["width"] <= TELEPHONE[0] - 12
