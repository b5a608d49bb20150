"""Random playouts of every game of the shelf, by whichever modules Python finds: compiled, or plain from a copy without them.

    python -m bench.engine SECONDS

prints a line for each game: its name, games, moves, seconds.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import tablee
from bench.rate import Rate
from tablee.catalog import kinds
from tablee.core import position
from tablee.core.game import choose
from tablee.core.kind import Kind
from tablee.players.playout import playouts

COMPILED = not str(position.__file__).endswith(".py")
HERE = Path(__file__).parent.parent


def every_game(seconds: float) -> Iterator[Rate]:
    """Give the rate of each game, with the fewest seats and the usual options."""
    for kind in kinds().values():
        yield play_for(kind, seconds)


def play_for(kind: Kind, seconds: float) -> Rate:
    """Return the rate of random games that fill so many seconds, each lot of games a little longer than the last."""
    game = choose(kind)
    start = game.start(Random(1).randrange).position
    rate = Rate(kind.slug, 0, 0, 0)
    lot = 1
    while rate.seconds < seconds:
        before = time.process_time()
        moves, _ = playouts(start, lot, int(rate.games), game.action_count)
        rate += Rate(kind.slug, lot, int(moves), time.process_time() - before)
        lot += lot
    return rate


def every_game_plain(copy: Path, seconds: float) -> Iterator[Rate]:
    """Give the rate of each game without compiled modules, from another process that finds the copy first."""
    paths = os.pathsep.join((str(copy), str(HERE)))
    command = [sys.executable, "-m", "bench.engine", str(seconds)]
    printed = subprocess.run(command, env=os.environ | {"PYTHONPATH": paths}, cwd=copy, check=True, capture_output=True, text=True).stdout
    for line in printed.splitlines():
        name, games, moves, taken = line.split()
        yield Rate(name, float(games), float(moves), float(taken))


def copy_plain(to: Path) -> Path:
    """Copy the package without its compiled modules; return the directory to import it from."""
    shutil.copytree(Path(tablee.__file__).parent, to / "tablee", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    return to


if __name__ == "__main__":
    for one in every_game(float(sys.argv[1])):
        print(one.name, one.games, one.moves, one.seconds)
