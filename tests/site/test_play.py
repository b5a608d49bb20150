"""What one does in the library without a server: several at one screen, hints, taking back, languages, settings, levels, files of games."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tablee.local.disk import NoDisk
from tablee.local.door import Door
from tests.browser.test_learning import MOST_STEPS
from tests.local.test_door import ROOT, opened, visited
from tests.site.files import Host
from tests.site.tab import Tab

# Levels that no other test plays; the last is `max`. Tabu has fewer.
LEVELS = (("tabale", 2), ("tablan", 5), ("traboulet", 6), ("tablan", 7), ("traboulet", 8), ("tabaijana", 9), ("traboulet", 9))
# White needs one more red, and so does Black: a push at the other corner leaves it to Black.
BEFORE_WIN = "5wr/6b/7/7/7/7/w6 w 6 6 - -"
# What the sentence of a first game names, in its order: cells to touch, buttons to press.
NAMED = "() => [...document.querySelectorAll('#sentence b')].map((node) => [node.dataset.touch ?? '', node.dataset.button ?? ''])"
WAITING = [{"table": "A" * 22, "game": "tablan", "seats": 2, "free": [1]}]


@pytest.fixture
def tab(chromium: Browser, host: Host) -> Iterator[Tab]:
    """Open the site in French, in a browser of its own; a house with a server has its address besides, and a table that waits."""
    house = host.around / "house"
    (house / "take").mkdir(parents=True)
    (house / "take" / "index.html").write_text("<!doctype html><title>a house</title>", encoding="utf-8")
    (house / "api" / "v1").mkdir(parents=True)
    (house / "api" / "v1" / "tables").write_text(json.dumps(WAITING), encoding="utf-8")
    context = chromium.new_context(viewport={"width": 1280, "height": 800}, locale="fr-FR", reduced_motion="reduce", accept_downloads=True)
    tab = Tab(context, host.address)
    tab.enter()
    yield tab
    context.close()


def games_of_another_browser() -> tuple[str, bytes]:
    """Return the table of another browser, and its file of games."""

    async def leave(door: Door) -> tuple[str, bytes]:
        path = await opened(door, "tabu")
        return path.rpartition("/")[2], (await door.request("GET", f"{ROOT}/local/export", "", [], b""))[2]

    with ThreadPoolExecutor(1) as thread:  # in this one Playwright runs a loop of its own
        return thread.submit(visited, NoDisk(), leave).result()


def test_all_that_one_does_alone_or_at_one_screen(tab: Tab, tmp_path: Path) -> None:
    at_one_screen(tab)
    hint_and_taking_back(tab)
    looking_back(tab)
    rules_and_a_game_to_print(tab, tmp_path)
    first_game(tab)
    adviser(tab)
    other_levels(tab)
    language_and_settings(tab)
    games_from_a_file(tab, tmp_path)
    the_handbook(tab)
    assert tab.watched() == []
    the_way_to_a_house(tab)


def at_one_screen(tab: Tab) -> None:
    """Two people play at one screen, by turns, and nobody else does."""
    tab.go("g/tablan?way=here")
    tab.frame.fill("input[name=name-0]", "Ana")
    tab.frame.fill("input[name=name-1]", "Bo")
    tab.frame.click("form.new-table .go button:visible")
    tab.alive()
    assert tab.play(8)
    assert tab.frame.locator(".seat .name").all_inner_texts() == ["Ana", "Bo"]
    movers = tab.frame.evaluate("[...document.querySelectorAll('#record li')].map((line) => line.dataset.seat)")
    assert set(movers) == {"0", "1"}
    assert tab.look()["yours"]
    assert tab.frame.locator(".seat.yours").count() == 2


def hint_and_taking_back(tab: Tab) -> None:
    """A hint is shown in words, and an action goes with its answer."""
    tab.open_table("traboulet", level=1)
    assert tab.play(3)
    yours(tab)
    tab.frame.click("form[data-do=hint] button")
    tab.frame.wait_for_selector("#hint:not([hidden])")
    assert tab.frame.inner_text("#hint").startswith("Conseil")
    before = tab.look()["played"]
    tab.frame.click("form[data-do=take_back] button")
    tab.in_frame(f"document.querySelectorAll('#record a.token').length < {before}")


def looking_back(tab: Tab) -> None:
    """At the table one looks at an earlier board and comes back; the replay steps through all of them, and a new game begins there."""
    table = tab.table
    tab.frame.locator("#record a.token").first.click()
    tab.frame.wait_for_selector("body.looking-back")
    tab.frame.click("#looking [data-look=now]")
    tab.frame.wait_for_selector("body:not(.looking-back)")
    tab.go(f"t/{table}/replay?at=0")
    first = tab.frame.inner_html("#board")
    tab.frame.click("a[rel=next]")
    tab.in_frame("document.querySelector('#record li[data-at=\"1\"][aria-current]') !== null")
    assert tab.frame.inner_html("#board") != first
    tab.frame.click(f"form[action$='/t/{table}/from'] button")
    tab.alive()
    assert tab.table != table


def rules_and_a_game_to_print(tab: Tab, folder: Path) -> None:
    """Rules have their figures; one plays from a figure, and prints the game."""
    tab.go("r/tablan")
    assert tab.frame.locator("figure .drawing svg").count() > 3
    pdf = tab.download("a[href$='/r/tablan/print.pdf']", folder)
    assert pdf.name == "tablan.pdf"
    assert pdf.read_bytes().startswith(b"%PDF")
    tab.frame.locator("figure form button").first.click()
    tab.alive()
    yours(tab)


def first_game(tab: Tab) -> None:
    """A guided first game goes to its end by its sentences alone, and on to a table."""
    tab.go("first/traboulet")
    tab.alive()
    for number in range(1, MOST_STEPS + 1):
        tab.in_frame(f"document.body.dataset.step === '{number}'")
        for cell, token in tab.frame.evaluate(NAMED):
            if token:
                tab.frame.click(f"[data-token='{token}']")
            else:
                tab.frame.locator(f"[data-spot='{cell}']").press("Enter")
        tab.in_frame("document.querySelector('#outcome').classList.contains('good')")
        if tab.frame.locator("#on").is_hidden():
            break
        tab.frame.click("#on")
    tab.frame.click("#end button")
    tab.frame.wait_for_selector("body.lively #record", state="attached")


def adviser(tab: Tab) -> None:
    """The adviser warns before an action that gives the game away is sent; the second time it is sent."""
    tab.go("r/traboulet")
    tab.frame.locator("form[action$='/g/traboulet/from']").first.evaluate(
        "(form, position) => { form.elements.position.value = position; form.submit(); }", BEFORE_WIN
    )
    tab.frame.wait_for_selector("body.lively #adviser", state="attached")
    yours(tab)
    tab.frame.evaluate("document.querySelector('#drawer').open = true")
    tab.frame.check("#adviser")
    for shown in ("#refusal:not([hidden])", "#result"):
        tab.frame.fill("#tokens", "a1b1")
        tab.frame.press("#tokens", "Enter")
        tab.frame.wait_for_selector(shown)
    assert tab.frame.locator("#result").count() == 1
    tab.frame.evaluate("localStorage.removeItem('tablee-adviser')")  # or it would warn in every game that follows


def yours(tab: Tab) -> None:
    """Wait for the turn of the person."""
    tab.in_frame("document.body.classList.contains('yours')")


def other_levels(tab: Tab) -> None:
    """Every level answers."""
    for game, level in LEVELS:
        tab.open_table(game, level=level)
        yours(tab)
        said = tab.frame.locator(".seat[data-kind=program] .name").first.inner_text()
        assert ("au plus fort" in said) if level == 9 else said.endswith(f"niveau {level}"), said
        before = tab.look()["played"]
        assert tab.play(before + 3), (game, level)
        yours(tab)
        movers = tab.frame.evaluate("[...document.querySelectorAll('#record li')].map((line) => line.dataset.seat)")
        assert len(set(movers)) > 1, (game, level)


def language_and_settings(tab: Tab) -> None:
    """The other language and a setting are kept through a reload, in the pages and in the shell around them."""
    assert tab.frame.evaluate("document.documentElement.lang") == "fr"
    tab.frame.click("form.language button")
    tab.in_frame("document.documentElement.lang === 'en'")
    tab.go("settings")
    tab.frame.check("input[name=theme][value=dark]")
    tab.frame.click("form.options button.primary")
    tab.frame.wait_for_selector(".saved")
    tab.page.reload()
    tab.opened()
    assert tab.frame.evaluate("[document.documentElement.lang, document.documentElement.dataset.theme]") == ["en", "dark"]
    tab.until("document.documentElement.lang === 'en' && document.documentElement.dataset.theme === 'dark'")
    tab.go("settings")
    assert "The engine is compiled to WebAssembly" in tab.frame.inner_text(".engine")


def games_from_a_file(tab: Tab, folder: Path) -> None:
    """A file of another browser is taken beside the games that are here, once; what is no file of games is told in a sentence."""
    table, content = games_of_another_browser()
    (folder / "games").write_bytes(content)
    (folder / "nonsense").write_bytes(b"nonsense")
    tab.go("me")
    tab.frame.set_input_files("#games-file", folder / "nonsense")
    tab.frame.wait_for_selector("#games-file-done:not([hidden])")
    assert tab.frame.locator(f"[data-table='{table}']").count() == 0
    tab.frame.set_input_files("#games-file", folder / "games")
    tab.in_frame("document.querySelector('#games-file-done').textContent.includes('taken back: 1')")
    tab.in_frame("document.querySelector('#games-file-done').hidden")  # the page loads itself anew
    tab.go(f"t/{table}/replay")
    assert "Tabu" in tab.frame.inner_text("main")
    tab.go("me")
    tab.frame.set_input_files("#games-file", folder / "games")
    tab.in_frame("document.querySelector('#games-file-done').textContent.includes('Already here: 1')")


def the_handbook(tab: Tab) -> None:
    """The foot of a page leads to the handbook, in a tab of its own and in its language."""
    with tab.context.expect_page() as found:
        tab.frame.click("footer a[target=_blank]")
    found.value.wait_for_selector("h1")
    assert found.value.url == f"{tab.address}docs/en/index.html"
    assert found.value.evaluate("document.documentElement.lang") == "en"
    found.value.close()


def the_way_to_a_house(tab: Tab) -> None:
    """What needs other people is said, with the tables that wait at the house; and a game goes there by its record."""
    tab.go("")
    assert "you need a Tablée site online" in tab.frame.inner_text(".elsewhere")
    tab.frame.wait_for_selector(".house-tables:not([hidden])")
    waiting = tab.frame.locator(".house-tables a")
    assert waiting.evaluate("(link) => new URL(link.href).pathname") == f"/house/t/{'A' * 22}"
    assert waiting.inner_text() == "tablan, 1/2"
    tab.open_table("traboulet", level=1)
    assert tab.play(2)
    played = tab.frame.locator("#record a.token").first.inner_text()
    tab.frame.click("a[data-hand-over]")
    tab.page.wait_for_url("**/house/take/**")
    record = tab.page.evaluate("new URLSearchParams(location.hash.slice(1)).get('record')")
    assert record.startswith("game: traboulet\n")
    assert f"1: {played}" in record
