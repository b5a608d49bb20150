"""The shell around the pages: it asks first, says what is wrong, keeps one house for all tabs, and offers a new version."""

import json
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.guest import DESKTOP, TELEPHONE
from tests.site.files import STALLED, Host
from tests.site.tab import Tab, faults


@pytest.mark.parametrize(("size", "scheme"), [(TELEPHONE, "dark"), (DESKTOP, "light")])
def test_it_asks_before_it_keeps_anything_and_a_board_stands_there(chromium: Browser, host: Host, size: tuple[int, int], scheme: str) -> None:
    context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme, locale="fr-FR")  # type: ignore[arg-type]
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(host.address)
    page.wait_for_selector("#ask:not([hidden])")
    assert "Mo" in page.inner_text("#ask-size")
    assert page.locator(".first-board svg").is_visible()
    assert not [url for url in asked if "/python/" in url or not url.startswith(host.address)]
    assert page.evaluate("caches.keys()") == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults(page) == []
    manifest = page.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json())")
    assert {icon["sizes"] for icon in manifest["icons"]} >= {"32x32", "192x192", "512x512"}
    for icon in manifest["icons"]:
        size = page.evaluate(
            "(src) => new Promise((done) => { const one = new Image(); one.onload = () => done(one.width); one.src = src; })", icon["src"]
        )
        assert icon["sizes"] == f"{size}x{size}"
    colour = page.evaluate("[...document.querySelectorAll('meta[name=theme-color]')].find((one) => matchMedia(one.media).matches).content")
    assert colour == {"dark": "#12161c", "light": "#f6f0e4"}[scheme]
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == {"dark": "rgb(18, 22, 28)", "light": "rgb(246, 240, 228)"}[scheme]
    context.close()


@pytest.mark.parametrize(
    ("lacks", "sentence"),
    [
        ("delete Navigator.prototype.serviceWorker", "service worker"),
        ("delete window.caches; delete Window.prototype.caches", "service worker"),
        ("delete Navigator.prototype.locks", "Firefox 113"),
        ("delete window.WebAssembly", "WebAssembly"),
        ("delete window.DecompressionStream", "Firefox 113"),
        ("Object.defineProperty(window, 'isSecureContext', { value: false })", "https://"),
    ],
)
def test_a_browser_that_lacks_something_is_told_in_a_sentence(chromium: Browser, host: Host, lacks: str, sentence: str) -> None:
    context = chromium.new_context(locale="en-GB")
    context.add_init_script(lacks)
    page = context.new_page()
    page.goto(host.address)
    page.wait_for_selector("#trouble:not([hidden])")
    assert sentence in page.inner_text("#trouble")
    assert page.locator("#ask").is_hidden()
    assert faults(page) == []
    context.close()


def test_a_browser_that_is_full_at_the_start_is_told_and_keeps_nothing_by_halves(chromium: Browser, host: Host) -> None:
    context = chromium.new_context(locale="en-GB")
    page = context.new_page()
    page.goto(host.address)
    tools = context.new_cdp_session(page)
    tools.send("Storage.overrideQuotaForOrigin", {"origin": "/".join(host.address.split("/")[:3]), "quotaSize": 1_000_000})
    page.click("#ask button")
    page.wait_for_selector("#trouble:not([hidden])")
    assert "not enough room left" in page.inner_text("#trouble")
    assert page.locator("#loading").is_hidden()
    assert faults(page) == []
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    context.close()


def full(tab: Tab, table: str) -> None:
    """Let the browser have no room left: the action is refused with a sentence, and goes through when there is room again."""
    tab.go(f"t/{table}")
    tab.alive()
    tools = tab.context.new_cdp_session(tab.page)
    origin = "/".join(tab.address.split("/")[:3])
    tools.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1})
    while tab.page.evaluate("document.querySelector('#notice').hidden"):  # a browser looks at the room that is left now and then
        tab.act(tab.look())
        tab.page.wait_for_timeout(30)
    assert "no room left" in tab.page.inner_text("#notice")
    begun = tab.look()["played"]
    tools.send("Storage.overrideQuotaForOrigin", {"origin": origin})
    tab.page.click("#notice button")
    assert tab.play(begun + 2)


def without_keeping(tab: Tab) -> None:
    """Let the browser have no room again, choose to play on without keeping: a table that is opened then goes with the window."""
    tab.open_table("tabaijana", level=1)  # a long game, though the browser looks at the room that is left only now and then
    kept = tab.table
    tools = tab.context.new_cdp_session(tab.page)
    origin = "/".join(tab.address.split("/")[:3])
    tools.send("Storage.overrideQuotaForOrigin", {"origin": origin, "quotaSize": 1})
    while tab.page.evaluate("document.querySelector('#play-unkept').hidden || document.querySelector('#notice').hidden"):
        tab.act(tab.look())
        tab.page.wait_for_timeout(30)
    tab.page.click("#play-unkept")
    assert "From now on nothing is kept" in tab.page.inner_text("#notice")
    assert faults(tab.page) == []
    tab.open_table("traboulet", level=1)
    unkept = tab.table
    assert tab.play(3)
    tools.send("Storage.overrideQuotaForOrigin", {"origin": origin})
    tab.page.reload()
    tab.opened()
    tab.go("me")
    found = tab.frame.evaluate("[...document.querySelectorAll('.table-line')].map((line) => line.dataset.table)")
    assert kept in found
    assert unkept not in found


def test_pages_tabs_and_files(chromium: Browser, host: Host, tmp_path: Path) -> None:
    """One start of Python for many looks: axe on the pages, downloads, a second tab that takes the house over."""
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB", reduced_motion="reduce", accept_downloads=True)
    tab = Tab(context, host.address)
    tab.enter()
    tab.open_table("traboulet", level=1)
    table = tab.table
    assert tab.play(3)
    record = tab.download(".downloads a[href$='/record']", tmp_path)
    assert "game: traboulet" in record.read_text(encoding="utf-8")
    for path in (f"t/{table}", "", "g/tabu", "r/tablan", "me", "settings", f"verify?table={table}", f"t/{table}/replay"):
        tab.go(path)
        assert faults(tab.frame) == [], path
        assert ("sealed from yourself only" in tab.frame.inner_text("main")) == path.startswith("verify"), path
    tab.go("me")
    games = tab.download(".games-file a[download]", tmp_path)
    assert json.loads(games.read_text(encoding="utf-8").splitlines()[0]) == {"tablee": "dump", "version": 1}
    full(tab, table)
    other = Tab(context, host.address)
    other.enter(f"t/{table}")
    other.alive()
    begun = other.look()["played"]
    assert other.play(begun + 2)
    tab.page.close()  # the tab that had the house
    assert other.play(begun + 6)
    without_keeping(other)
    assert tab.watched() + other.watched() == []
    context.close()


@pytest.mark.parametrize("busy", [False, True], ids=["idle", "busy"])
def test_a_new_version_is_offered_and_taken_by_a_reload(chromium: Browser, site_folder: Path, tmp_path: Path, busy: bool) -> None:
    """Also where the older worker waits for an answer that never comes: until then a browser does not begin the newer one."""
    folder = tmp_path / "site"
    shutil.copytree(site_folder, folder)
    host = Host(folder, tmp_path / "host")
    context = chromium.new_context(locale="en-GB")
    tab = Tab(context, host.address)
    tab.enter()
    for name in ("sw.js", "files.json"):
        text = (folder / name).read_text(encoding="utf-8")
        version = json.loads((site_folder / "files.json").read_text(encoding="utf-8"))["version"]
        (folder / name).write_text(text.replace(version, f"{version}-newer"), encoding="utf-8")
    tab.page.reload()
    tab.page.wait_for_selector("#version:not([hidden])")
    assert faults(tab.page) == []
    if busy:
        tab.page.evaluate(f"void fetch('{STALLED}')")
    tab.page.click("#version button")
    tab.until("caches.keys().then((names) => names.length === 1 && names[0].endsWith('-newer'))")
    tab.until("document.body.dataset.state === 'open'")
    # A worker that answers while its files go makes no cache of its own again: nobody would ever delete that one.
    tab.page.evaluate("caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name))))")
    assert tab.page.evaluate("fetch('shell.css').then((answer) => answer.ok)")
    assert tab.page.evaluate("caches.keys()") == []
    context.close()
    host.stop()
