"""How Tabaijana's players learn: all seats play for the common win, one network for either game and each number of seats."""

from collections.abc import Callable

from tablee.core.game import Game, choose
from tablee.core.kind import Kind
from tablee.core.network import Network
from tablee.core.position import Position
from tablee.core.weights import pack, sections, unpack
from tablee.games.tabaijana.judgement import FEATURES, TabaijanaJudgement, judge, section
from tablee.players.learning import Learner, practise
from tablee.players.playout import Draw

__all__ = ["configurations", "judge", "train"]

HIDDEN = 32
# From nothing, or from what another number of seats has learned.
RATES = (0.012, 0.0005)
LATER_RATES = (0.006, 0.0005)
TRACE = 0.5
EXPLORE = 0.01
SIMPLE = 0.05


def configurations(kind: Kind) -> list[Game]:
    """Return the games that have weights of their own: both, for every number of seats."""
    return [choose(kind, seats, {"game": name}) for name in ("famille", "enfants") for seats in kind.seats]


def beginning(game: Game) -> Network | None:
    """Return the network that ships for a game, or for another number of seats, to learn on from; None if there is none."""
    known = sections(game.kind.text("weights.txt"))
    near = sorted(game.kind.seats, key=lambda seats: abs(seats - game.seats))
    for name in (f"{game.option('game')}-{seats}" for seats in near):
        if name in known:
            return unpack(known, name, FEATURES)
    return None


def train(game: Game, seconds: float, seed: int, report: Callable[[str], None]) -> str:
    """Learn one game for its number of seats, from stacks drawn anew; return its section of the weights."""
    known = beginning(game)
    network = known or Network(FEATURES, HIDDEN)
    if not known:
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
    games = practise(learner, start, seconds, LATER_RATES if known else RATES, TRACE, EXPLORE, 0.0 if known else SIMPLE, report)
    report(f"{section(game)}: {games} games in {seconds:g} s")
    return pack(section(game), network)
