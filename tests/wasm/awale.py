"""The game that `tablee new` writes, installed for a test as pip would leave it."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tablee.skeleton import make_skeleton


@pytest.fixture
def awale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Write the game package tablee-awale, put it on the path and give where its files are; afterwards nobody remembers it."""
    make_skeleton("awale", tmp_path / "project")
    site = tmp_path / "site"
    shutil.copytree(tmp_path / "project" / "src", site)
    info = site / "tablee_awale-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tablee-awale\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[tablee.games]\nawale = tablee_awale:KIND\n")
    monkeypatch.syspath_prepend(str(site))
    yield site
    for name in [name for name in sys.modules if name.startswith("tablee_awale")]:
        del sys.modules[name]
