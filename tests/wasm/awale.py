"""The game that `tablee new` writes, installed for a test as pip would leave it."""

import shutil
from pathlib import Path

import pytest

from tablee.skeleton import make_skeleton


def install_awale(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write the game package tablee-awale below a folder, put it on the path and return where its files are."""
    make_skeleton("awale", folder / "project")
    site = folder / "site"
    shutil.copytree(folder / "project" / "src", site)
    info = site / "tablee_awale-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tablee-awale\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[tablee.games]\nawale = tablee_awale:KIND\n")
    monkeypatch.syspath_prepend(str(site))
    return site
