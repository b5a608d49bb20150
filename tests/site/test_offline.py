"""Whole games of all five by clicks, the second half without a server and without a network."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser
from typer.testing import CliRunner

from tablee.catalog import OURS
from tablee.cli import app
from tests.browser.guest import DESKTOP
from tests.site.files import Host
from tests.site.tab import Tab, faults

# Where a game would be long, the shortest that its options offer.
OPTIONS = {"tabu": {"rounds": "2"}}
BEFORE = 6


@pytest.mark.parametrize("size", [DESKTOP], ids=["desktop"])
def test_five_games_go_on_and_end_without_server_and_network(chromium: Browser, host: Host, size: tuple[int, int], tmp_path: Path) -> None:
    context = chromium.new_context(viewport={"width": size[0], "height": size[1]}, locale="en-GB", reduced_motion="reduce", accept_downloads=True)
    tab = Tab(context, host.address)
    tab.enter()
    tables: dict[str, str] = {}
    played: dict[str, int] = {}
    for game in OURS:
        tab.open_table(game, level=3, **OPTIONS.get(game, {}))
        assert tab.play(BEFORE), game
        seen = tab.look()
        assert not seen["over"], game
        tables[game], played[game] = tab.table, seen["played"]
    host.stop()
    context.set_offline(True)
    tab.page.reload()
    tab.opened()
    assert tab.table == tables[OURS[-1]]
    for game, table in tables.items():
        tab.go(f"t/{table}")
        tab.alive()
        assert tab.look()["played"] >= played[game], game
        assert tab.play(), game
        assert tab.look()["played"] > played[game], game
        file = tmp_path / f"{game}.jsonl"
        file.write_text(tab.log(table), encoding="utf-8")
        checked = CliRunner().invoke(app, ["verify", str(file), "--lang", "en"])
        assert checked.exit_code == 0, (game, checked.output)
    assert tab.watched() == []
    tab.page.goto(f"{host.address}nowhere")
    assert "il n’y a pas de réseau" in tab.page.inner_text("main")
    assert "there is no network" in tab.page.inner_text("main [lang=en]")
    assert faults(tab.page) == []
    context.close()
