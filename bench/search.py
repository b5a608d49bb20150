"""Nodes per second of the alpha-beta, by whichever modules Python finds: compiled, or plain from a copy without them.

python -m bench.search SECONDS        prints: its name, searches, nodes, seconds
python -m bench.search                measures compiled, plain and the playout ceiling, and prints them as Markdown
"""

import sys
import time
from collections.abc import Iterator
from random import Random

from bench.engine import play_for
from bench.plain import in_turns, print_rates
from bench.rate import Rate, best
from tablee.catalog import kind
from tablee.core.game import choose
from tablee.core.kind import Kind
from tablee.players.alphabeta import SLOTS, AlphaBeta
from tablee.players.stop import Stop

NAMES = ("traboulet",)
ROUNDS = 5
SECONDS = 0.4
ASTRAY = 16


def every_search(seconds: float) -> Iterator[Rate]:
    """Give the rate of each game that is searched so."""
    for name in NAMES:
        yield search_for(kind(name), seconds)


def every_ceiling(seconds: float) -> Iterator[Rate]:
    """Give the rate of each of these games in random playouts, beside which a search is shown."""
    for name in NAMES:
        yield play_for(kind(name), seconds)


def search_for(kind: Kind, seconds: float) -> Rate:
    """Return the rate of searches that fill so many seconds: from the start and from a few positions on the way, longer each time."""
    game = choose(kind)
    random = Random(1)
    state = game.start(random.randrange)
    search = AlphaBeta(kind.mind.judgement(game), state.position, game.action_count, 60, 0, SLOTS)
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


def main() -> None:
    """Measure in turns, the best of each counts, and print."""
    measured = in_turns("bench.search", (every_search, every_ceiling), ROUNDS, SECONDS)
    compiled, most, slow = (best(rates) for rates in measured)
    print("| alpha-beta | nodes/s | plain Python | against plain | playout ceiling, moves/s | of the ceiling |")
    print("|---|--:|--:|--:|--:|--:|")
    for name in NAMES:
        rate, other, top = (rates[name].moves_per_second for rates in (compiled, slow, most))
        print(f"| {name} | {rate:,.0f} | {other:,.0f} | {rate / other:.0f} × | {top:,.0f} | {rate / top:.2f} |")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print_rates(every_search(float(sys.argv[1])))
    else:
        main()
