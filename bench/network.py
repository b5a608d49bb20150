"""How fast the learned networks are with bounds checks (`make checked`) and without them (`make build`).

python -m bench.network            measures both in turns and prints Markdown
python -m bench.network SECONDS    prints a line for each figure: its name, rounds, looks or nodes, seconds

`network` evaluates a network on listed features, `look` lists the features of a position and evaluates them, `search` counts
the nodes of `max`. The cost of an empty call from Python is subtracted from the first two: the search calls them from C.
"""

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

from librt.vecs import vec
from mypy_extensions import i64

from bench.plain import must_be_compiled, print_rates, rates_from
from bench.rate import Rate, best
from tablee import catalog
from tablee.core.game import Game
from tablee.core.judgement import Judgement
from tablee.core.position import Position
from tablee.core.state import Chance, Decision, Over, State
from tablee.players.expectimax import Expectimax
from tablee.players.player import Player
from tablee.players.stop import Stop

CHECKED = Path(__file__).parent.parent / "build" / "checked"
ROUNDS = 5
SECONDS = 0.4
POSITIONS = 200
NODES = 4000
DEEPEST = 60
MOST_FEATURES = 512


def games() -> dict[str, Game]:
    """Return a game for each shape of network that ships."""
    return {"tablan": catalog.game("tablan"), "tabaijana-4": catalog.game("tabaijana", 4), "tabaijana-5": catalog.game("tabaijana", 5)}


def every_rate(seconds: float) -> Iterator[Rate]:
    """Give the three rates of each network."""
    for name, game in games().items():
        judgement = game.kind.mind.judgement(game)
        states = played_states(game)
        positions = [state.position for state in states if isinstance(state.node, Chance)]
        yield call_for(f"{name}/network", evaluations(judgement, positions), seconds)
        yield call_for(f"{name}/look", [partial(judgement.value, position, position.turn()) for position in positions], seconds)
        yield search_for(f"{name}/search", judgement, [state for state in states if isinstance(state.node, Decision)][::5], seconds)


def evaluations(judgement: Judgement, positions: list[Position]) -> list[Callable[[], float]]:
    """Return a call for each position that evaluates the network on its features."""
    network = judgement.network  # type: ignore[attr-defined]
    calls: list[Callable[[], float]] = []
    for position in positions:
        features = vec[i64]([0] * MOST_FEATURES)
        n = judgement.features(position, position.turn(), features)
        calls.append(partial(network.value, features, n))
    return calls


def call_for(name: str, calls: list[Callable[[], float]], seconds: float) -> Rate:
    """Return the rate of some calls, made again and again, less the cost of as many empty calls."""
    nothing = Judgement()
    position = catalog.game("tablan").start(Random(1).randrange).position
    empty: list[Callable[[], float]] = [partial(nothing.merit, position) for _ in calls]
    rounds, spent, wasted = 0, 0.0, 0.0
    while spent < seconds:
        spent += time_of(calls)
        wasted += time_of(empty)
        rounds += 1
    return Rate(name, rounds, rounds * len(calls), spent - wasted)


def time_of(calls: list[Callable[[], float]]) -> float:
    """Return the seconds of processor time of some calls."""
    begun = time.process_time()
    for call in calls:
        call()
    return time.process_time() - begun


def search_for(name: str, judgement: Judgement, states: list[State], seconds: float) -> Rate:
    """Return the rate of nodes of searches from some states, one after the other."""
    game = states[0].game
    search = Expectimax(judgement, states[0].position, game.action_count, DEEPEST)
    if game.kind.together:
        search.narrow()
    rate = Rate(name, 0, 0, 0.0)
    while rate.seconds < seconds or rate.games % len(states):
        position = states[int(rate.games) % len(states)].position
        stop = Stop(nodes=NODES)
        begun = time.process_time()
        search.think(position, position.actor(), stop)
        rate += Rate(name, 1, int(stop.nodes), time.process_time() - begun)
    return rate


def played_states(game: Game) -> list[State]:
    """Return the states of games of a player without look-ahead."""
    random = Random(1)
    player = Player(game, "max:depth=0", seed=1)
    states: list[State] = []
    while len(states) < 2 * POSITIONS:
        state = game.start(random.randrange)
        while not isinstance(state.node, Over) and len(states) < 2 * POSITIONS:
            states.append(state)
            if isinstance(state.node, Chance):
                state = state.play(int(state.position.throw(random.randrange(int(state.position.chances())))))
            else:
                state = state.play(player.choose(state))
    return states


def main() -> None:
    """Measure in turns, keep the best of each, and print."""
    must_be_compiled()
    if not CHECKED.is_dir():
        sys.exit("the build with bounds checks is missing: run `make checked` first")
    checked: list[Rate] = []
    unchecked: list[Rate] = []
    for _ in range(ROUNDS):
        checked += rates_from("bench.network", CHECKED, SECONDS)
        unchecked += every_rate(SECONDS)
    before, after = best(checked), best(unchecked)
    print("| what | with bounds checks, per second | without, per second | ratio | µs each |")
    print("|---|--:|--:|--:|--:|")
    for name, rate in after.items():
        slow, fast = before[name].moves_per_second, rate.moves_per_second
        print(f"| {name} | {slow:,.0f} | {fast:,.0f} | {fast / slow:.2f} × | {1e6 / fast:.2f} |")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print_rates(every_rate(float(sys.argv[1])))
    else:
        main()
