"""Before the table: three ways in on a telephone and a desktop, in both languages, with and without scripts."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tablee.catalog import OURS
from tests.browser.conftest import Invite
from tests.browser.guest import DESKTOP, TELEPHONE, Guest, Scheme
from tests.browser.test_pages import check

SIZES = {"desktop": DESKTOP, "telephone": TELEPHONE}
WAYS = ("computer", "here", "link", "mixed")


def enter(guest: Guest, language: str, path: str) -> None:
    """Open a page in a language."""
    guest.context.add_cookies([{"name": "language", "value": language, "url": guest.address}])
    guest.page.goto(path)


@pytest.mark.parametrize(
    ("size", "scheme", "language", "game"),
    [("desktop", "light", "en", "tabaijana"), ("telephone", "dark", "fr", "tablan"), ("telephone", "light", "fr", "tabu")],
)
def test_every_way_in_is_without_barriers_and_fits(size: str, scheme: Scheme, language: str, game: str, invite: Invite, artefacts: Path) -> None:
    guest = invite(size=SIZES[size], scheme=scheme, touch=size == "telephone")
    enter(guest, language, f"/g/{game}")
    for way in WAYS:
        guest.page.check(f"input[name=way][value={way}]")
        check(guest)
        assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), way
        assert guest.page.locator(".go button:visible").count() == 1
        guest.page.screenshot(path=artefacts / f"choose-{game}-{way}-{size}.png", full_page=True)
    guest.page.click(".rules-of-game summary")
    check(guest)


@pytest.mark.parametrize("size", SIZES)
def test_one_press_on_the_page_of_a_game_starts_it(size: str, invite: Invite) -> None:
    guest = invite(size=SIZES[size], touch=size == "telephone")
    guest.page.goto("/g/traboulet")
    assert guest.page.evaluate("document.querySelector('.go').getBoundingClientRect().bottom <= innerHeight")
    guest.press(".go button:visible")
    guest.alive()
    guest.until("document.body.classList.contains('yours')")


def test_what_a_finger_presses_is_large_enough(invite: Invite) -> None:
    guest = invite(size=TELEPHONE, touch=True)
    guest.page.goto("/g/tabu")
    small = """() => [...document.querySelectorAll(".way, .pick label, .level input, .go button, .rules-of-game summary")]
      .filter((node) => node.checkVisibility()).map((node) => node.getBoundingClientRect())
      .filter((box) => box.height < 44 || box.width < 44).length"""
    for way in WAYS:
        guest.page.check(f"input[name=way][value={way}]")
        assert guest.page.evaluate(small) == 0, way


@pytest.mark.parametrize(("language", "words"), [("fr", ("1\u202f: débutant", "9\u202f: imbattable")), ("en", ("1: beginner", "9: unbeatable"))])
def test_the_slider_says_a_word_for_each_level(language: str, words: tuple[str, str], invite: Invite) -> None:
    guest = invite()
    enter(guest, language, "/g/traboulet")
    guest.page.focus("#level")
    said = []
    for key in ("Home", "End"):
        guest.page.keyboard.press(key)
        said.append(guest.page.inner_text(".level-word"))
        assert guest.page.get_attribute("#level", "aria-valuetext") == said[-1]
    assert tuple(said) == words


def test_a_ready_game_fills_in_its_settings_and_another_choice_is_ones_own_way(invite: Invite) -> None:
    guest = invite()
    guest.page.goto("/g/tablan")
    guest.page.click(".rules-of-game summary")
    line = guest.page.locator(".usual[data-own]")
    usual = line.inner_text()
    guest.page.check("[name=option-preset][value=mysore]")
    assert guest.page.is_checked("[name=option-throw][value=sticks]")
    assert guest.page.is_checked("[name=option-throw_again][value=yes]")
    assert line.inner_text().startswith("Le jeu de Mysore")
    guest.page.check("[name=option-throw][value=dice]")
    assert guest.page.is_checked("[name=option-preset][value=own]")
    assert line.inner_text() == "À votre façon (réglages changés\u202f: 2)"
    guest.page.check("[name=option-throw_again][value=no]")
    assert guest.page.is_checked("[name=option-preset][value=lettre]")
    guest.page.check("[name=option-preset][value=fiche]")
    assert line.inner_text() == usual
    guest.page.check("[name=option-filling][value=any_square]")
    guest.page.click(".go button:visible")
    guest.alive()
    assert guest.page.evaluate("JSON.parse(document.querySelector('#view').textContent).options.filling") == "any_square"


def test_two_players_never_have_one_colour_and_a_side_that_is_gone_is_given_back(invite: Invite) -> None:
    guest = invite()
    guest.page.goto("/g/tabaijana?way=here")
    guest.page.select_option("[name=setup-colours-0]", "w")
    assert guest.page.input_value("[name=setup-colours-1]") == "r"
    guest.page.goto("/g/tabale")
    guest.page.check("[name=seats][value='4']")
    guest.page.check("[name=side][value='3']")
    guest.page.check("[name=seats][value='2']")
    assert guest.page.is_checked("[name=side][value='0']")
    assert guest.page.locator(".side-choice label:visible").count() == 3


# The colour of each visible dot in a part of the page.
DOTS = """(part) => [...document.querySelectorAll(`${part} .swatch`)].filter((dot) => dot.checkVisibility())
  .map((dot) => getComputedStyle(dot).backgroundColor)"""


@pytest.mark.parametrize("game", OURS)
def test_every_colour_to_choose_is_shown(game: str, invite: Invite) -> None:
    guest = invite()
    guest.page.goto(f"/g/{game}")
    if guest.page.locator("[name=seats][type=radio]").count():
        guest.page.locator("[name=seats]").last.check()
    chosen = guest.page.evaluate(DOTS, ".side-choice")
    assert len(chosen) == guest.page.locator(".side-choice label:visible").count() - 1
    assert len(set(chosen)) == len(chosen)
    guest.page.check("[name=way][value=here]")
    assert guest.page.evaluate(DOTS, ".seat-rows") == chosen
    if game == "tabaijana":
        guest.page.select_option("[name=setup-colours-0]", "y")
        assert guest.page.evaluate(DOTS, ".seat-rows") == [chosen[4], *chosen[1:4], chosen[0]]


def test_an_invitation_shows_the_colours_that_are_left(invite: Invite) -> None:
    guest, friend = invite(), invite(size=TELEPHONE, touch=True)
    guest.page.goto("/g/tabaijana?way=link")
    chosen = guest.page.evaluate(DOTS, ".side-choice")
    guest.page.check("[name=seats][value='3']")
    guest.page.check("[name=side][value=y]")
    guest.page.click(".go button:visible")
    guest.alive()
    friend.page.goto(guest.invitation())
    assert friend.page.evaluate(DOTS, "form") == chosen[:2]
    assert chosen[0] != chosen[1]


@pytest.mark.parametrize("game", ["tabu", "tabaijana"])
def test_on_a_telephone_what_has_the_focus_never_lies_under_the_bar(game: str, invite: Invite) -> None:
    guest = invite(size=TELEPHONE, touch=True)
    guest.page.goto(f"/g/{game}?way=mixed")
    guest.page.click(".rules-of-game summary")
    under = guest.page.evaluate(
        """() => [...document.querySelectorAll(".new-table :is(input, select, summary)")].filter((node) => {
          node.focus();
          return node.checkVisibility() && node.getBoundingClientRect().bottom > document.querySelector(".go").getBoundingClientRect().top + 1;
        }).map((node) => node.name)"""
    )
    assert under == []


def test_people_at_one_screen_see_their_names(invite: Invite) -> None:
    guest = invite(size=TELEPHONE, touch=True)
    guest.page.goto("/g/traboulet?way=here")
    guest.page.fill("[name=name-0]", "Ana")
    guest.page.fill("[name=name-1]", "Bo")
    guest.press(".go button:visible")
    guest.alive()
    guest.until("document.body.classList.contains('yours')")
    assert guest.page.locator("#seats .name").all_inner_texts() == ["Ana", "Bo"]


@pytest.mark.parametrize("language", ["fr", "en"])
def test_without_scripts_every_way_in_opens_a_table(language: str, chromium: Browser, address: str) -> None:
    context = chromium.new_context(base_url=address, java_script_enabled=False, locale=language, viewport={"width": 360, "height": 740})
    page = context.new_page()
    for way in WAYS:
        page.goto("/g/tabale")
        page.check(f"input[name=way][value={way}]")
        assert page.locator("[data-ways]:visible").count() == page.locator(f"[data-ways~={way}]:visible").count() > 0
        page.click(".go button:visible")
        assert "/t/" in page.url
    page.goto("/g/tablan")
    page.click(".rules-of-game summary")
    page.check("[name=option-preset][value=mysore]")
    page.click(".go button:visible")
    assert page.is_checked("[name=option-throw][value=sticks]")
    page.click(".go button:visible")
    assert "/t/" in page.url
    context.close()


@pytest.mark.parametrize(("size", "scheme"), [("desktop", "dark"), ("telephone", "light")])
def test_an_invitation_is_shared_accepted_and_watched(size: str, scheme: Scheme, invite: Invite, artefacts: Path) -> None:
    guest, friend, watcher = invite(), invite(size=SIZES[size], scheme=scheme, touch=size == "telephone"), invite()
    guest.context.add_init_script("navigator.share = (what) => { window.shared = what; return Promise.resolve(); };")
    guest.page.goto("/g/traboulet?way=link")
    guest.page.fill("#name", "Zoé")
    guest.page.click(".go button:visible")
    guest.alive()
    link = guest.invitation()
    guest.page.click("#invite .share-link")
    assert guest.page.evaluate("window.shared.url") == link
    check(guest)
    friend.page.goto(link)
    assert friend.page.inner_text("h1") == "Zoé vous invite à jouer à Traboulet"
    assert "Noir" in friend.page.inner_text(".your-seat")
    check(friend)
    friend.page.screenshot(path=artefacts / f"join-{size}-{scheme}.png", full_page=True)
    friend.accept(link)
    watcher.page.goto(guest.page.url)
    watcher.alive()
    guest.page.wait_for_selector("#watchers:not([hidden])")
    assert guest.page.inner_text("#watchers") == "1 personne regarde"


def test_while_a_table_waits_every_seat_is_seen_whole(invite: Invite) -> None:
    guest = invite()
    guest.page.goto("/g/tablan?way=link")
    guest.page.click(".go button:visible")
    guest.alive()
    bottom, top = (guest.page.locator(place).bounding_box() for place in ("#seats", "#drawer"))
    assert bottom
    assert top
    assert bottom["y"] + bottom["height"] <= top["y"]
    assert not guest.page.is_visible(".happened")


def test_a_watcher_who_comes_takes_nothing_out_of_the_hand(invite: Invite) -> None:
    guest, watcher = invite(), invite()
    guest.open("traboulet", ["me", "me"])
    guest.until("document.body.classList.contains('yours')")
    guest.tap(guest.look()["lit"][0]["at"])
    chosen = guest.look()["chosen"]
    assert chosen
    watcher.page.goto(guest.page.url)
    watcher.alive()
    guest.page.wait_for_selector("#watchers:not([hidden])")
    assert guest.look()["chosen"] == chosen


@pytest.mark.parametrize(("size", "scheme"), [("desktop", "light"), ("telephone", "dark")])
def test_home_with_games_under_way_has_no_barrier(size: str, scheme: Scheme, invite: Invite, artefacts: Path) -> None:
    guest = invite(size=SIZES[size], scheme=scheme, touch=size == "telephone")
    for game in ("traboulet", "tabaijana"):
        guest.open(game, ["me", "level-1"])
    guest.page.goto("/")
    assert guest.page.locator(".going-on .game").count() == 2
    check(guest)
    assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    guest.page.screenshot(path=artefacts / f"home-{size}-{scheme}.png", full_page=True)


@pytest.mark.parametrize("width", [900, 1100, 1200, 1440, 1920])
def test_the_cards_use_the_width_and_nothing_runs_over_their_edge(width: int, invite: Invite) -> None:
    guest = invite(size=(width, 900))
    guest.page.goto("/")
    over = """() => [...document.querySelectorAll(".card")].filter((card) => {
      const edge = card.getBoundingClientRect().right;
      return [...card.querySelectorAll("*")].some((node) => node.getBoundingClientRect().right > edge);
    }).length"""
    assert guest.page.evaluate(over) == 0
    rows = guest.page.evaluate(
        "[...document.querySelectorAll('.card')].map((card) => [card.getBoundingClientRect().top, card.getBoundingClientRect().right])"
    )
    edge = max(right for _, right in rows)
    assert edge >= min(width, 1680) - 60
    assert {top for top, _ in rows} == {top for top, right in rows if right > edge - 2}  # every row reaches the edge


def test_black_is_offered_the_side_of_the_board(invite: Invite) -> None:
    """Traboulet 1.4: a display choice, made before the first push, kept for this browser."""
    guest = invite()
    guest.page.goto("/g/traboulet")
    assert not guest.page.is_visible(".side-offer")
    guest.page.check("[name=side][value='1']")
    assert guest.page.is_checked("[name=mirror][value=no]")
    guest.page.check("[name=mirror][value=yes]")
    guest.page.click(".go button:visible")
    guest.alive()
    first, last = (guest.page.evaluate(f"document.querySelector('.spot[data-spot={cell}]').getBoundingClientRect().x") for cell in ("a1", "g1"))
    assert last < first
    guest.page.goto("/g/tabale")
    assert guest.page.locator(".side-offer").count() == 0


def test_an_invited_black_is_offered_the_side_of_the_board(invite: Invite) -> None:
    guest, friend = invite(), invite(size=TELEPHONE, touch=True)
    guest.page.goto("/g/traboulet?way=link")
    guest.page.click(".go button:visible")
    guest.alive()
    friend.page.goto(guest.invitation())
    assert friend.page.is_visible(".side-offer")
    friend.page.check("[name=mirror][value=yes]")
    check(friend)
    assert friend.page.evaluate("JSON.parse(localStorage.getItem('tablee.board.traboulet')).mirrored") is True
