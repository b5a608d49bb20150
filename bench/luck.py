"""How strong a player is at Tabaijana, with the luck of the throws taken out: a hundred games can tell what otherwise takes several hundred.

    python -m bench.luck --player max:depth=1 --seats 5 --game famille --games 100

Before each throw, what may be expected is the mean over all throws, each worth what then looks best to the network; how much
better the real throw is than that mean is luck. Luck is nothing on average, whoever plays and however wrong the network is.
So the games won less the luck of each has the same mean as the games won, and varies much less.
"""

import argparse
from functools import partial
from multiprocessing import Pool, cpu_count
from random import Random
from statistics import mean, stdev

from tablee import catalog
from tablee.core.game import Game
from tablee.core.judgement import share
from tablee.core.position import OVER, Position
from tablee.core.state import Chance, Over
from tablee.players.player import Player
from tablee.players.stop import Stop
from tablee.players.thinkers import thinker


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--player", default="max:depth=1", help="who plays every seat")
    parser.add_argument("--seats", type=int, default=5, help="how many seats")
    parser.add_argument("--game", choices=("famille", "enfants"), default="famille", help="which game")
    parser.add_argument("--games", type=int, default=100, help="how many games")
    parser.add_argument("--seed", type=int, default=3, help="settles stacks and throws")
    parser.add_argument("--cores", type=int, default=cpu_count(), help="how many processes")
    asked = parser.parse_args()
    if asked.games < 2:
        parser.error(f"--games {asked.games}: expected 2 or more, to tell how far they differ")
    with Pool(asked.cores) as pool:
        found = pool.map(
            partial(voyage, asked.seats, asked.game, asked.player), [f"{asked.seed} {number}" for number in range(asked.games)], chunksize=1
        )
    won = [one for one, _ in found]
    fair = [one - luck for one, luck in found]
    print(f"{asked.game}, {asked.seats} seats, {asked.player}, {asked.games} games: won {told(won)}, with luck taken out {told(fair)}")


def told(values: list[float]) -> str:
    """Return a mean with its 95 % interval, in per cent."""
    return f"{100 * mean(values):.1f} % ± {196 * stdev(values) / len(values) ** 0.5:.1f}"


def voyage(seats: int, name: str, player: str, seed: str) -> tuple[float, float]:
    """Play one game; return 1 if it is won, else 0, and how much of that was luck."""
    game = catalog.game("tabaijana", seats, game=name)
    random = Random(seed)
    state = game.start(random.randrange)
    thinking = Player(game, player, seed=1)
    eyes = Eyes(game, state.position)
    luck = 0.0
    while not isinstance(state.node, Over):
        if isinstance(state.node, Chance):
            case = random.randrange(int(state.position.chances()))
            luck += eyes.fortune(state.position, case)
            state = state.play(int(state.position.throw(case)))
        else:
            state = state.play(thinking.choose(state))
    return float(share(state.position, 0)), luck


class Eyes:
    """Sees what a position is worth at a glance."""

    def __init__(self, game: Game, like: Position) -> None:
        """Look by the weights that ship."""
        assert game.kind.judgement is not None
        self.judgement = game.kind.judgement(game)
        self.glance = thinker(game, like, 0, seed=1, judgement=self.judgement)

    def fortune(self, position: Position, case: int) -> float:
        """Return how much better one case of a throw is than the mean over all."""
        throws = [int(position.throw(one)) for one in range(int(position.chances()))]
        worth = {throw: self.best(position, throw) for throw in set(throws)}
        return worth[throws[case]] - mean(worth[throw] for throw in throws)

    def best(self, position: Position, throw: int) -> float:
        """Return what is left to expect after a throw, if then what looks best is done."""
        after = position.copy()
        after.play(throw)
        if after.actor() == OVER:
            return float(share(after, 0))
        if after.actor() < 0:
            return float(self.judgement.value(after, 0))
        self.glance.think(after, after.actor(), Stop(1))
        return self.glance.ranking()[0][1]


if __name__ == "__main__":
    main()
