"""Nodes per second of the alpha-beta, by whichever modules Python finds: compiled, or plain from a copy without them.

python -m bench.search SECONDS        prints: its name, searches, nodes, seconds
python -m bench.search                measures compiled, plain and the playout ceiling, and prints them as Markdown
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench.engine import COMPILED, HERE, copy_plain, play_for
from bench.rate import Rate, best
from tablee.catalog import kind
from tablee.core.game import choose
from tablee.core.kind import Kind
from tablee.players.alphabeta import AlphaBeta
from tablee.players.stop import Stop

NAMES = ("traboulet",)
ROUNDS = 5
SECONDS = 0.4
ASTRAY = 16


def every_search(seconds: float) -> Iterator[Rate]:
    """Give the rate of each game that is searched so."""
    for name in NAMES:
        yield search_for(kind(name), seconds)


def search_for(kind: Kind, seconds: float) -> Rate:
    """Return the rate of searches that fill so many seconds: from the start and from a few positions on the way, longer each time."""
    game = choose(kind)
    assert kind.judgement is not None
    random = Random(1)
    state = game.start(random.randrange)
    search = AlphaBeta(kind.judgement(game), state.position, game.action_count, 60, 0, 20)
    rate = Rate(kind.slug, 0, 0, 0)
    nodes = 500
    while rate.seconds < seconds:
        stop = Stop(nodes)
        before = time.process_time()
        search.think(state.position, state.position.actor(), stop)
        rate += Rate(kind.slug, 1, int(stop.nodes), time.process_time() - before)
        nodes += nodes // 2
        state = game.start(random.randrange)
        for _ in range(random.randrange(ASTRAY)):
            state = state.play(random.choice(state.legal()))
    return rate


def every_search_plain(copy: Path, seconds: float) -> Iterator[Rate]:
    """Give the same rates without compiled modules, from another process that finds the copy first."""
    paths = os.pathsep.join((str(copy), str(HERE)))
    command = [sys.executable, "-m", "bench.search", str(seconds)]
    printed = subprocess.run(command, env=os.environ | {"PYTHONPATH": paths}, cwd=copy, check=True, capture_output=True, text=True).stdout
    for line in printed.splitlines():
        name, searches, nodes, taken = line.split()
        yield Rate(name, float(searches), float(nodes), float(taken))


def main() -> None:
    """Measure in turns, the best of each counts, and print."""
    if not COMPILED:
        sys.exit("the compiled modules are missing: run `make build` first")
    ours: list[Rate] = []
    plain: list[Rate] = []
    ceiling: list[Rate] = []
    with TemporaryDirectory() as directory:
        copy = copy_plain(Path(directory))
        for _ in range(ROUNDS):
            ours += every_search(SECONDS)
            ceiling += (play_for(kind(name), SECONDS) for name in NAMES)
            plain += every_search_plain(copy, SECONDS)
    print("| alpha-beta | nodes/s | plain Python | against plain | playout ceiling, moves/s | of the ceiling |")
    print("|---|--:|--:|--:|--:|--:|")
    compiled, slow, most = best(ours), best(plain), best(ceiling)
    for name in NAMES:
        rate, other, top = (rates[name].moves_per_second for rates in (compiled, slow, most))
        print(f"| {name} | {rate:,.0f} | {other:,.0f} | {rate / other:.0f} × | {top:,.0f} | {rate / top:.2f} |")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        for one in every_search(float(sys.argv[1])):
            print(one.name, one.games, one.moves, one.seconds)
    else:
        main()
