"""How fast the search by playouts is: compiled, plain, and beside the playouts of the engine alone.

python -m bench.thinking            measures all and prints Markdown
python -m bench.thinking SECONDS    prints a line for each game: its name, playouts, moves (0), seconds
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench.engine import COMPILED, HERE, copy_plain, every_game
from bench.rate import Rate
from tablee.catalog import kinds
from tablee.core.game import choose
from tablee.core.kind import Kind
from tablee.core.state import Decision
from tablee.players.stop import Stop
from tablee.players.thinkers import playouts

ROUNDS = 3
SECONDS = 0.3


def main() -> None:
    """Measure and print."""
    if not COMPILED:
        sys.exit("the compiled modules are missing: run `make build` first")
    ceilings: list[Rate] = []
    ours: list[Rate] = []
    plain: list[Rate] = []
    with TemporaryDirectory() as directory:
        copy = copy_plain(Path(directory))
        for _ in range(ROUNDS):
            ceilings += every_game(SECONDS)
            ours += every_search(SECONDS)
            plain += every_search_plain(copy, SECONDS)
    print("| playouts/s | in a tree | engine alone | part of it | plain Python | against plain |")
    print("|---|--:|--:|--:|--:|--:|")
    fastest = [most(rates) for rates in (ours, ceilings, plain)]
    for slug in fastest[0]:
        tree, alone, slow = (rates[slug] for rates in fastest)
        print(f"| {slug} | {tree:,.0f} | {alone:,.0f} | {tree / alone:.2f} | {slow:,.0f} | {tree / slow:.0f} × |")


def most(rates: list[Rate]) -> dict[str, float]:
    """Return the most playouts a second of each game."""
    return {name: max(rate.games_per_second for rate in rates if rate.name == name) for name in dict.fromkeys(rate.name for rate in rates)}


def every_search(seconds: float) -> Iterator[Rate]:
    """Give the rate of each game, with the fewest seats and the usual options."""
    for kind in kinds().values():
        yield think_for(kind, seconds)


def think_for(kind: Kind, seconds: float) -> Rate:
    """Return the rate of playouts above the first position with a choice."""
    game = choose(kind)
    random = Random(1)
    state = game.start(random.randrange)
    while not isinstance(state.node, Decision):
        state = state.play(random.choice(state.legal()))
    search = playouts(game, state.position, 1)
    before, stop = time.process_time(), Stop(0, seconds)
    search.think(state.position, state.node.seats[0], stop)
    return Rate(kind.slug, int(stop.nodes), 0, time.process_time() - before)


def every_search_plain(copy: Path, seconds: float) -> Iterator[Rate]:
    """Give the rate of each game without compiled modules, from another process that finds the copy first."""
    paths = os.pathsep.join((str(copy), str(HERE)))
    command = [sys.executable, "-m", "bench.thinking", str(seconds)]
    printed = subprocess.run(command, env=os.environ | {"PYTHONPATH": paths}, cwd=copy, check=True, capture_output=True, text=True).stdout
    for line in printed.splitlines():
        name, games, moves, taken = line.split()
        yield Rate(name, float(games), float(moves), float(taken))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        for one in every_search(float(sys.argv[1])):
            print(one.name, one.games, one.moves, one.seconds)
    else:
        main()
