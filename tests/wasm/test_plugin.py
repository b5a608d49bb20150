"""A game of somebody else, as `tablee new` writes it, is built into the archive and played in the Python of the browser."""

import json
from pathlib import Path

import pytest

from tablee.site import CannotBuild, build_python
from tablee.site.archive import plugin
from tests.wasm.conftest import WORK, building, under_node


def test_its_files_are_found_with_its_entry_point(awale: Path) -> None:
    files = dict(plugin("tablee-awale"))
    assert {"tablee_awale/__init__.py", "tablee_awale/rules.fr.md", "tablee_awale/words.en.po"} <= files.keys()
    assert files["tablee_awale-0.1.0.dist-info/entry_points.txt"] == b"[tablee.games]\nawale = tablee_awale:KIND\n"


def test_a_game_without_its_source_is_refused(awale: Path) -> None:
    for path in (awale / "tablee_awale").rglob("*.py"):
        path.unlink()
    with pytest.raises(CannotBuild, match="'tablee-awale' cannot run in a browser"):
        dict(plugin("tablee-awale"))


def test_it_stands_on_the_shelf_of_the_browser_and_can_be_played(awale: Path, tmp_path: Path) -> None:
    with building():
        built = build_python(tmp_path / "python", work=WORK, compiled=False, plugins=["tablee-awale"])
    found = under_node(built, "plugin_check.py")
    assert found["shelf"] == ["traboulet", "tabale", "tabaijana", "tablan", "tabu", "awale"]
    assert found["moves"] > 0
    assert found["rules"].startswith("# ")
    assert json.loads((built.folder / "build.json").read_text())["plugins"] == ["tablee-awale"]
