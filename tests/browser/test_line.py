"""The line to the house: cut and back, and nothing lost, doubled or misunderstood."""

from tests.browser.conftest import Invite
from tests.browser.guest import Guest
from tests.browser.test_board import middle
from tests.browser.test_games import PIECES


def sit_two(invite: Invite, game: str) -> tuple[Guest, Guest]:
    """Give two guests at one table, once the game has begun."""
    first, second = invite(), invite()
    first.open(game, ["me", "open"])
    second.accept(first.invitation())
    for guest in (first, second):
        guest.until("document.querySelector('#ask').dataset.node === 'decision'")
    return first, second


def test_who_was_cut_off_sees_the_same_board_once_the_line_is_back(invite: Invite) -> None:
    first, second = sit_two(invite, "traboulet")
    second.context.set_offline(True)
    second.page.wait_for_selector("#connection[data-lost]")
    assert second.page.locator("#board svg").is_visible()
    first.tap(middle(first, "a7"))
    first.tap(middle(first, "b7"))
    first.page.wait_for_selector("[data-piece][data-on=c7]")
    assert second.page.evaluate(PIECES) != first.page.evaluate(PIECES)
    second.context.set_offline(False)
    second.page.wait_for_selector("[data-piece][data-on=c7]")
    assert second.page.evaluate(PIECES) == first.page.evaluate(PIECES)
    second.page.wait_for_selector("body.yours")


def test_a_move_made_while_cut_off_is_sent_again_and_played_once(invite: Invite) -> None:
    first, second = sit_two(invite, "traboulet")
    first.context.set_offline(True)
    first.page.wait_for_selector("#connection[data-lost]")
    first.tap(middle(first, "a7"))
    first.tap(middle(first, "b7"))
    assert first.page.evaluate("Object.values(sessionStorage).length") == 1
    first.context.set_offline(False)
    second.page.wait_for_selector("[data-piece][data-on=c7]")
    first.page.wait_for_selector("[data-piece][data-on=c7]")
    first.until("Object.values(sessionStorage).length === 0")
    assert second.page.eval_on_selector_all("#record a.token", "(nodes) => nodes.map((node) => node.textContent)") == ["a7b7"]


def test_a_move_that_was_under_way_when_the_page_went_is_settled_by_the_next_page(invite: Invite) -> None:
    first, second = sit_two(invite, "traboulet")
    first.context.set_offline(True)
    first.page.wait_for_selector("#connection[data-lost]")
    first.tap(middle(first, "a7"))
    first.tap(middle(first, "b7"))
    first.context.set_offline(False)
    first.page.reload()
    first.alive()
    first.page.wait_for_selector("[data-piece][data-on=c7]")
    second.page.wait_for_selector("[data-piece][data-on=c7]")


def test_a_button_pressed_while_a_move_is_on_its_way_is_sent_after_it(invite: Invite) -> None:
    first, second = sit_two(invite, "traboulet")
    first.context.set_offline(True)
    first.page.wait_for_selector("#connection[data-lost]")
    first.tap(middle(first, "a7"))
    first.tap(middle(first, "b7"))
    first.give_up()
    first.context.set_offline(False)
    for guest in (first, second):
        guest.page.wait_for_selector("#result")
        assert guest.page.eval_on_selector_all("#record a.token", "(nodes) => nodes.map((node) => node.textContent)") == ["a7b7"]
    first.until("Object.values(sessionStorage).length === 0")


def test_a_page_follows_a_house_that_came_back_from_a_backup(invite: Invite) -> None:
    """The house has forgotten events that the page has seen: it sends a whole view that lies before them."""
    guest = invite()
    guest.context.add_init_script(
        """window.lines = []; window.frames_heard = []; const Plain = WebSocket;
      window.WebSocket = class extends Plain { constructor(...given) { super(...given); window.lines.push(this);
        this.addEventListener("message", (event) => window.frames_heard.push(event.data)); } };"""
    )
    guest.open("traboulet", ["me", "me"])
    guest.page.wait_for_selector("body.yours")
    before = guest.page.evaluate(PIECES)
    guest.page.evaluate('window.lines.at(-1).send(\'{"t":"hello","seq":-1}\')')
    guest.until("window.frames_heard.some((frame) => JSON.parse(frame).view?.phase === 'playing')")
    guest.tap(middle(guest, "a7"))
    guest.tap(middle(guest, "b7"))
    guest.page.wait_for_selector("[data-piece][data-on=c7]")
    guest.page.evaluate(
        """window.lines.at(-1).dispatchEvent(new MessageEvent("message",
      { data: window.frames_heard.find((frame) => JSON.parse(frame).view?.phase === "playing") }))"""
    )
    guest.page.wait_for_selector("[data-piece][data-on=a7]")
    assert guest.page.evaluate(PIECES) == before
    guest.page.wait_for_selector("body.yours")


def test_each_browser_adds_its_chance_to_the_dice(invite: Invite) -> None:
    first, _ = sit_two(invite, "tablan")
    given = first.page.evaluate("fetch(location.pathname + '/view').then((answer) => answer.json()).then((view) => view.dice.contributions)")
    assert sorted(one["seat"] for one in given) == [0, 1]
    assert len({one["bytes"] for one in given}) == 2
    assert all(len(one["bytes"]) == 32 for one in given)


def test_a_rematch_takes_both_to_the_next_table(invite: Invite) -> None:
    first, second = sit_two(invite, "traboulet")
    table = first.page.url
    first.give_up()
    first.page.wait_for_selector("form[data-do=rematch] button")
    first.press("form[data-do=rematch] button")
    second.page.wait_for_selector(".asked button.primary")
    second.press(".asked button.primary")
    for guest in (first, second):
        guest.page.wait_for_url(lambda url: "/t/" in url and url != table)
    assert first.page.url == second.page.url


def test_who_agrees_to_write_freely_can_write_without_another_page(invite: Invite) -> None:
    first, second = sit_two(invite, "traboulet")
    for guest in (first, second):
        assert guest.page.evaluate("document.querySelector('#say-free').hidden")
    first.page.evaluate("document.querySelector('#drawer').open = true")
    first.press("form[data-do=text] button")
    second.page.wait_for_selector(".asked button.primary")
    second.press(".asked button.primary")
    for guest in (first, second):
        guest.until("!document.querySelector('#say-free').hidden")
        guest.until("!document.querySelector('form[data-do=text]')")
