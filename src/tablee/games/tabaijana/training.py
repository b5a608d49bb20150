"""How Tabaijana's players learn: all seats play for the common win, one network for either game and each number of seats."""

from collections.abc import Callable

from tablee.core.game import Game, choose
from tablee.core.kind import Kind
from tablee.core.network import Network
from tablee.core.position import Position
from tablee.core.weights import pack
from tablee.games.tabaijana.judgement import FEATURES, TabaijanaJudgement, judge, section
from tablee.players.learning import Learner, practise
from tablee.players.playout import Draw

__all__ = ["configurations", "judge", "train"]

HIDDEN = 32
RATES = (0.01, 0.001)
TRACE = 0.7
EXPLORE = 0.01


def configurations(kind: Kind) -> list[Game]:
    """Return the games that have weights of their own: both, for every number of seats."""
    return [choose(kind, seats, {"game": name}) for name in ("famille", "enfants") for seats in kind.seats]


def train(game: Game, seconds: float, seed: int, report: Callable[[str], None]) -> str:
    """Learn one game for its number of seats, from stacks drawn anew; return its section of the weights."""
    network = Network(FEATURES, HIDDEN)
    network.scatter(seed)
    deal = Draw(seed + 1)

    def draw(n: int) -> int:
        """Lend a number below n, which may be larger than a word."""
        number = 0
        for _ in range(3):
            number = (number << 32) | deal.word()
        return number * n >> 96

    def start(number: int) -> Position:
        """Return the first position of a game."""
        return game.kind.start(game, game.kind.setup(game, draw))

    learner = Learner(TabaijanaJudgement(network), network, start(0), game.action_count, seed)
    games = practise(learner, start, seconds, RATES, TRACE, EXPLORE, report)
    report(f"{section(game)}: {games} games in {seconds:g} s")
    return pack(section(game), network)
