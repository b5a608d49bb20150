"""The engine in WebAssembly plays every game exactly as every other build does."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.plain import copy_plain
from tablee.catalog import OURS, game
from tablee.players.playout import playouts
from tablee.site import Built
from tests.wasm.conftest import ROOT, under_node

GAMES = 12
# A paragraph of these games refuses so rarely that a few actions do not meet it; `make contract` does.
RARE = {"traboulet", "tabale", "tabaijana"}
ASK = """
import json, sys
from tablee.catalog import OURS, game
from tablee.core import position
from tablee.players.playout import playouts
assert position.__file__.endswith(".py")
print(json.dumps({slug: playouts(game(slug).start(seed=1).position, int(sys.argv[1]), 7, game(slug).action_count) for slug in OURS}))
"""


@pytest.fixture(scope="module")
def native() -> dict[str, list[int]]:
    """Return the digests of this Python's own build."""
    return {slug: list(playouts(game(slug).start(seed=1).position, GAMES, 7, game(slug).action_count)) for slug in OURS}


def check(built: Built, actions: int) -> dict[str, Any]:
    """Play every game under node, and hold it against its contract if there are actions for that."""
    source = (ROOT / "src" / "tablee" / "testing.py").read_text(encoding="utf-8")
    return under_node(built, "engine_check.py", games=GAMES, actions=actions, testing=source)


def test_the_compiled_engine_plays_as_native_and_keeps_the_contract(compiled_site: Built, native: dict[str, list[int]]) -> None:
    found = check(compiled_site, 200)
    assert str(found["engine"]).endswith(".so")
    assert found["digests"] == native
    assert set(found["rare"]) <= RARE
    assert set(found["games"]) == set(OURS) - set(found["rare"])
    assert min(found["games"].values()) > 0


def test_the_plain_source_plays_as_native(plain_site: Built, native: dict[str, list[int]]) -> None:
    found = check(plain_site, 0)
    assert str(found["engine"]).endswith(".pyc")
    assert found["digests"] == native


def test_plain_and_compiled_agree_natively(native: dict[str, list[int]], tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(copy_plain(tmp_path))}
    done = subprocess.run([sys.executable, "-c", ASK, str(GAMES)], env=env, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == native
