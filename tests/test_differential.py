"""The same seeds through the compiled and the plain modules: equal counts, equal ends, for every game, seat count and option value.

Run as a program it prints what the modules that Python finds come to.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

import tablee
from tablee.catalog import OURS, kind
from tablee.core import position
from tablee.players.playout import playouts
from tablee.testing import variants

COMPILED = not str(position.__file__).endswith(".py")
GAMES = 8


def sums(slug: str) -> Iterator[str]:
    """Give a line for every seat count and option value: the game, the actions of a few random games, a checksum of their ends."""
    for seed, game in enumerate(variants(kind(slug))):
        start = game.start(Random(seed).randrange).position
        actions, check = playouts(start, GAMES, seed, game.action_count)
        yield f"{game!r} {actions} {check}"
        if seed % 3 == 0:
            yield f"{game!r} thinks {thoughts(game)}"


def thoughts(game: tablee.Game) -> str:
    """Return what players find in the first state with a choice: by playouts, and at a level."""
    random = Random(9)
    state = game.start(random.randrange)
    while not isinstance(state.node, tablee.Decision):
        state = state.play(random.choice(state.legal()))
    found = [tablee.Player(game, name, 5).choose(state, nodes=30) for name in ("mcts", "level2", "max")]
    analysis = tablee.analyse(state, tablee.Stop(30))
    return f"{found} {analysis.expectation} {analysis.actions} {analysis.line}"


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the lines of all games, from a process that finds a copy without compiled modules."""
    copy = tmp_path_factory.mktemp("plain")
    shutil.copytree(Path(tablee.__file__).parent, copy / "tablee", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    environment = os.environ | {"PYTHONPATH": str(copy)}
    return subprocess.run([sys.executable, __file__], env=environment, check=True, capture_output=True, text=True).stdout.splitlines()


@pytest.mark.skipif(not COMPILED, reason="the modules at hand are the plain ones")
@pytest.mark.parametrize("slug", OURS)
def test_compiled_and_plain_play_the_same_games(slug: str, plain: list[str]) -> None:
    assert plain[0] == "plain"
    assert list(sums(slug)) == [line for line in plain if line.startswith(f"tablee.game('{slug}'")]


if __name__ == "__main__":
    print("compiled" if COMPILED else "plain")
    for name in OURS:
        for line in sums(name):
            print(line)
