"""How prompt the strongest player is: its first answer in a new process, and how late it is at a deadline.

python -m bench.promptness          measures every game and prints Markdown; no test asks this, as a busy machine is slow
"""

import subprocess
import sys
from time import monotonic, process_time

from tablee import Player, catalog
from tablee.catalog import OURS
from tests.players.states import deciding

ROUNDS = 5
SECONDS = 0.1


def main() -> None:
    """Measure and print."""
    print("| max | first answer | late at a deadline of 100 ms |")
    print("|---|--:|--:|")
    for slug in OURS:
        runs = [subprocess.run([sys.executable, "-m", "bench.promptness", slug], capture_output=True, text=True, check=True) for _ in range(ROUNDS)]
        first, late = (min(figures) for figures in zip(*(map(float, run.stdout.split()) for run in runs), strict=True))
        print(f"| {slug} | {1000 * first:.0f} ms | {1000 * late:.0f} ms |", flush=True)


def measure(slug: str) -> tuple[float, float]:
    """Return the processor time of a first answer, weights read from their file, and how late the next is on the wall's clock."""
    game = catalog.game(slug, catalog.kind(slug).seats[-1])
    state = deciding(game)
    before = process_time()
    player = Player(game, "max")
    player.choose(state, nodes=1)
    first = process_time() - before
    begun = monotonic()
    player.decide(state, seconds=SECONDS)
    return first, max(0.0, monotonic() - begun - SECONDS)


if __name__ == "__main__":
    if sys.argv[1:]:
        print(*measure(sys.argv[1]))
    else:
        main()
