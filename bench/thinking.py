"""How fast the search by playouts is: compiled, plain, and beside the playouts of the engine alone.

python -m bench.thinking            measures all and prints Markdown
python -m bench.thinking SECONDS    prints a line for each game: its name, playouts, moves (0), seconds
"""

import sys
import time
from collections.abc import Iterator
from random import Random

from bench.engine import every_game
from bench.plain import in_turns, print_rates
from bench.rate import Rate
from tablee.catalog import kinds
from tablee.core.game import choose
from tablee.core.kind import Kind
from tablee.core.state import Decision
from tablee.players.searches import monte_carlo
from tablee.players.stop import Stop

ROUNDS = 3
SECONDS = 0.3


def main() -> None:
    """Measure and print."""
    measured = in_turns("bench.thinking", (every_game, every_search), ROUNDS, SECONDS)
    ceiling, tree, plain = (most(rates) for rates in measured)
    print("| playouts/s | in a tree | engine alone | part of it | plain Python | against plain |")
    print("|---|--:|--:|--:|--:|--:|")
    for slug, ours in tree.items():
        alone, slow = ceiling[slug], plain[slug]
        print(f"| {slug} | {ours:,.0f} | {alone:,.0f} | {ours / alone:.2f} | {slow:,.0f} | {ours / slow:.0f} × |")


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
    search = monte_carlo(game, state.position, 1)
    before, stop = time.process_time(), Stop(0, seconds)
    search.think(state.position, state.node.seats[0], stop)
    return Rate(kind.slug, int(stop.nodes), 0, time.process_time() - before)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print_rates(every_search(float(sys.argv[1])))
    else:
        main()
