"""Random playouts of every game of the shelf, by whichever modules Python finds: compiled, or plain from a copy without them.

    python -m bench.engine SECONDS

prints a line for each game: its name, games, moves, seconds.
"""

import sys
import time
from collections.abc import Iterator
from random import Random

from bench.plain import print_rates
from bench.rate import Rate
from tablee.catalog import kinds
from tablee.core.game import choose
from tablee.core.kind import Kind
from tablee.players.playout import playouts


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


if __name__ == "__main__":
    print_rates(every_game(float(sys.argv[1])))
