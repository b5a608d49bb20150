"""Every page by light and by dark: nothing that a reader's aid stumbles over, nothing fetched from elsewhere, and little of it."""

import json
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from tablee.catalog import OURS
from tests.browser.conftest import Invite
from tests.browser.guest import DESKTOP, TELEPHONE, Guest, Scheme, play

LIGHTEST = 100_000
SCHEMES: tuple[Scheme, ...] = ("light", "dark")
SIZES = {"desktop": DESKTOP, "telephone": TELEPHONE}


def check(guest: Guest) -> None:
    """Let axe look at the page."""
    found = Axe().run(guest.page).response["violations"]
    told = [(one["id"], [(node["target"], node.get("failureSummary", "")[:200]) for node in one["nodes"]][:3]) for one in found]
    assert not told, json.dumps(told, indent=1, ensure_ascii=False)


@pytest.mark.parametrize(("size", "scheme", "language"), [("desktop", "light", "en-GB"), ("telephone", "dark", "fr-FR")])
def test_no_page_has_a_barrier(size: str, scheme: Scheme, language: str, invite: Invite) -> None:
    guest = invite(size=SIZES[size], scheme=scheme, touch=size == "telephone", language=language)
    for path in ("/", "/g/tabu", "/r/traboulet", "/settings", "/me", "/verify", "/nothing"):
        guest.page.goto(path)
        check(guest)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("game", OURS)
def test_no_table_has_a_barrier(game: str, scheme: Scheme, invite: Invite, artefacts: Path) -> None:
    guest = invite(scheme=scheme)
    guest.open(game, ["me", "level-1"])
    assert play([guest], 4)
    check(guest)
    for name, (width, height) in SIZES.items():
        guest.page.set_viewport_size({"width": width, "height": height})
        guest.page.wait_for_timeout(100)
        guest.page.screenshot(path=artefacts / f"{game}-{name}-{scheme}.png")


@pytest.mark.parametrize(("scheme", "language"), [("light", "fr-FR"), ("dark", "en-GB")])
def test_no_table_that_waits_ends_or_is_looked_back_at_has_a_barrier(scheme: Scheme, language: str, invite: Invite, artefacts: Path) -> None:
    guest, friend = invite(scheme=scheme, language=language), invite(scheme=scheme, size=TELEPHONE, touch=True, language=language)
    guest.open("tablan", ["me", "open"])
    check(guest)
    guest.page.screenshot(path=artefacts / f"waiting-{scheme}.png")
    link = guest.invitation()
    friend.page.goto(link)
    check(friend)
    friend.accept(link)
    friend.until("document.querySelector('#ask').dataset.node === 'decision'")
    assert play([guest, friend], 4)
    friend.give_up()
    for one in (guest, friend):
        one.page.wait_for_selector("#result")
        check(one)
    guest.page.screenshot(path=artefacts / f"over-{scheme}.png")
    guest.page.click("#result a[href$='/replay']")
    guest.page.wait_for_selector("#board .grid")
    check(guest)
    guest.page.screenshot(path=artefacts / f"replay-{scheme}.png")


def test_the_home_page_weighs_little_and_fits_one_screen(invite: Invite, artefacts: Path) -> None:
    guest = invite()
    sizes: list[int] = []
    guest.page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"] + request.sizes()["responseHeadersSize"]))
    guest.page.goto("/", wait_until="networkidle")
    assert 5 < len(sizes) < 12
    assert sum(sizes) <= LIGHTEST
    assert guest.page.evaluate("document.querySelector('.shelf').getBoundingClientRect().bottom < innerHeight")
    guest.page.screenshot(path=artefacts / "home-desktop.png")


def test_no_page_is_wider_than_a_telephone(invite: Invite, artefacts: Path) -> None:
    guest = invite(size=TELEPHONE, touch=True)
    for path in ("/", "/g/tabale", "/r/tabaijana", "/settings", "/me", "/verify"):
        guest.page.goto(path)
        assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        guest.page.screenshot(path=artefacts / f"telephone-{path.strip('/').replace('/', '-') or 'home'}.png")


def test_the_policy_allows_nothing_inline(invite: Invite) -> None:
    guest = invite()
    answer = guest.page.goto("/")
    policy = answer.headers["content-security-policy"] if answer else ""
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy
    assert "unsafe-eval" not in policy
    guest.page.evaluate("document.body.setAttribute('style', 'color: red')")
    assert guest.page.evaluate("window.forbidden.length") == 1  # the watch sees what is forbidden
    guest.page.evaluate("window.forbidden = []")
    guest.complaints.clear()


def test_a_setting_is_kept(invite: Invite) -> None:
    guest = invite()
    guest.page.goto("/settings")
    wanted = {"theme": "dark", "sound": "on", "animation": "off", "pattern": "on", "throw": "touch"}
    for name, value in wanted.items():
        guest.page.check(f"input[name={name}][value={value}]")
    guest.page.click("form.options button.primary")
    guest.open("traboulet", ["me", "level-1"])
    assert guest.page.evaluate("() => ({...document.documentElement.dataset})") == wanted
    assert guest.page.locator("#board .pattern").count() > 10
    assert guest.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(18, 22, 28)"
