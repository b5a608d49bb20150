"""The strength of a player at Tabaijana, measured with variance reduction: a hundred games give the precision of several hundred.

    python -m bench.luck --player max:depth=1 --seats 5 --game famille --games 100

The network values the best answer to every throw. The luck of a throw is its value minus the mean over all throws. Its
expectation is zero, whoever plays and however wrong the network is (a control variate). So the result of a game minus its luck
has the same mean as the result, and a much smaller variance.
"""

import argparse
from functools import partial
from multiprocessing import Pool, cpu_count
from random import Random
from statistics import mean, stdev

from tablee import catalog
from tablee.core.game import Game
from tablee.core.judgement import Judgement, share
from tablee.core.position import OVER, Position
from tablee.core.state import Chance, Over
from tablee.players.player import Player
from tablee.players.searches import make_search
from tablee.players.stop import Stop


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--player", default="max:depth=1", help="who plays every seat")
    parser.add_argument("--seats", type=int, default=5, help="how many seats")
    parser.add_argument("--game", choices=("famille", "enfants"), default="famille", help="which game")
    parser.add_argument("--order", choices=("off", "on"), default="off", help="whether the load has a set order")
    parser.add_argument("--games", type=int, default=100, help="how many games")
    parser.add_argument("--seed", type=int, default=3, help="of the stacks and the throws")
    parser.add_argument("--cores", type=int, default=cpu_count(), help="how many processes")
    asked = parser.parse_args()
    if asked.games < 2:
        parser.error(f"--games {asked.games}: expected 2 or more, to estimate the variance")
    with Pool(asked.cores) as pool:
        results = pool.map(
            partial(voyage, asked.seats, asked.game, asked.player, order=asked.order),
            [f"{asked.seed} {number}" for number in range(asked.games)],
            chunksize=1,
        )
    won = [result for result, _ in results]
    corrected = [result - luck for result, luck in results]
    order = ", order" if asked.order == "on" else ""
    configuration = f"{asked.game}{order}, {asked.seats} seats, {asked.player}, {asked.games} games"
    print(f"{configuration}: won {interval(won)}, with luck taken out {interval(corrected)}")


def interval(values: list[float]) -> str:
    """Return a mean with its 95 % interval, in per cent."""
    return f"{100 * mean(values):.1f} % ± {196 * stdev(values) / len(values) ** 0.5:.1f}"


def voyage(seats: int, name: str, player: str, seed: str, order: str = "off") -> tuple[float, float]:
    """Play one game; return 1 if it is won, else 0, and the sum of its luck."""
    game = catalog.game("tabaijana", seats, game=name, order=order)
    random = Random(seed)
    state = game.start(random.randrange)
    thinking = Player(game, player, seed=1)
    valuation = Valuation(game, state.position)
    luck = 0.0
    while not isinstance(state.node, Over):
        if isinstance(state.node, Chance):
            case = random.randrange(int(state.position.chances()))
            luck += valuation.luck(state.position, case)
            state = state.play(int(state.position.throw(case)))
        else:
            state = state.play(thinking.choose(state))
    return float(share(state.position, 0)), luck


class Valuation:
    """Values throws by the network and a search of depth 0."""

    def __init__(self, game: Game, like: Position) -> None:
        """Use the weights that ship."""
        self.judgement: Judgement = game.kind.mind.judgement(game)
        self.search = make_search(game, like, 0, seed=1, judgement=self.judgement)

    def luck(self, position: Position, case: int) -> float:
        """Return the value of one case of a throw minus the mean over all cases."""
        throws = [int(position.throw(number)) for number in range(int(position.chances()))]
        worth = {throw: self.best(position, throw) for throw in set(throws)}
        return worth[throws[case]] - mean(worth[throw] for throw in throws)

    def best(self, position: Position, throw: int) -> float:
        """Return the expected result after a throw and the action that looks best."""
        after = position.copy()
        after.play(throw)
        if after.actor() == OVER:
            return float(share(after, 0))
        if after.actor() < 0:
            return float(self.judgement.value(after, 0))
        self.search.think(after, after.actor(), Stop(1))
        return self.search.ranking()[0][1]


if __name__ == "__main__":
    main()
