"""A site with the plain engine and a plug-in game, as it loads, and in a window that keeps nothing."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route

from tablee.site.folder import write_site
from tests.site.files import Host
from tests.site.tab import Tab, faults
from tests.wasm.conftest import WORK, building

# A private window of some browsers has no database; an init script of a page does not reach its workers, so the site says it.
NO_DATABASE = 'Object.defineProperty(self, "indexedDB", { get() { throw new DOMException("not here", "SecurityError"); } });\n'
PERSIST = "() => { StorageManager.prototype.persist = async () => { window.persistAsked = true; return true; }; }"
BAR = "(bar) => [bar.getAttribute('value'), bar.max]"


@pytest.fixture
def plain_host(tmp_path: Path, awale: Path) -> Host:
    """Serve a site as `tablee site FOLDER --plain --with tablee-awale` writes it, whose database cannot be opened."""
    folder = tmp_path / "files"
    with building():
        write_site(folder, work=WORK, compiled=False, plugins=["tablee-awale"])
    disk = folder / "disk.js"
    disk.write_text(NO_DATABASE + disk.read_text(encoding="utf-8"), encoding="utf-8")
    return Host(folder, tmp_path / "host")


def test_a_plain_site_with_a_plugin_loads_before_the_eyes_and_plays_without_keeping(chromium: Browser, plain_host: Host) -> None:
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB", reduced_motion="reduce")
    context.add_init_script(f"({PERSIST})()")
    tab = Tab(context, plain_host.address)
    loads(tab)
    assert "keeps nothing" in tab.page.inner_text("#notice")
    assert faults(tab.page) == []
    tab.page.click("#notice button")
    assert tab.page.evaluate("window.persistAsked")
    tab.go("settings")
    assert "plain Python" in tab.frame.inner_text(".engine")
    tab.go("g/traboulet")
    assert re.search(r"from level \d on the computer looks at fewer moves", tab.frame.inner_text("form.new-table"))
    for game, level in (("awale", 1), ("traboulet", 8)):
        tab.open_table(game, level=level)
        assert tab.play(3), game
    tab.go("")
    assert tab.frame.locator(".shelf .card[data-game=awale]").count() == 1
    assert tab.frame.locator(".going-on .game").count() == 2
    tab.page.reload()
    tab.opened()
    tab.go("")
    assert tab.frame.locator(".going-on .game").count() == 0
    assert tab.watched() == []
    context.close()
    plain_host.stop()


def loads(tab: Tab) -> None:
    """Agree, look at the page while the last file is on its way, and wait for the library."""
    held: list[Route] = []
    tab.page.route("**/tablee.pack", lambda route: held.append(route))
    tab.page.goto(tab.address)
    tab.page.click("#ask button")
    while not held:
        tab.page.wait_for_timeout(10)
    tab.until("document.querySelector('#loading-bar').value > document.querySelector('#loading-bar').max / 3")
    done, total = re.fullmatch(r"Loading: (\d+\.\d) MB of (\d+\.\d) MB", tab.page.inner_text("#loading-text")).groups()  # type: ignore[union-attr]
    assert 1 < float(done) < float(total)
    value, most = tab.page.locator("#loading-bar").evaluate(BAR)
    assert 0 < float(value) < float(most)
    assert tab.page.locator(".first-board svg").is_visible()
    assert faults(tab.page) == []
    held[0].continue_()
    tab.page.unroute("**/tablee.pack")
    tab.opened()
