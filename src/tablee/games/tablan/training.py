"""How Tablan's players learn: self-play from the first position, one network for each preset."""

from collections.abc import Callable

from tablee.core.game import Game, choose
from tablee.core.kind import Kind
from tablee.core.network import Network
from tablee.core.position import Position
from tablee.core.weights import pack
from tablee.games.tablan.judgement import FEATURES, TablanJudgement, judge, section
from tablee.games.tablan.position import TablanPosition
from tablee.players.learning import Learner, practise

__all__ = ["configurations", "judge", "train"]

HIDDEN = 32
RATES = (0.01, 0.0005)
TRACE = 0.5
SIMPLE = 0.1


def configurations(kind: Kind) -> list[Game]:
    """Return the games that have weights of their own: the presets."""
    return [choose(kind, options={"preset": preset}) for preset in ("fiche", "mysore", "lettre")]


def opened(game: Game) -> Position:
    """Return the first position or, where a 2 must open the game, the one after it: nothing is learned from waiting for it."""
    first = game.kind.start(game, {})
    assert isinstance(first, TablanPosition)
    if first.waiting:
        first.play(game.parse("s1" if game.option("throw") == "sticks" else "1-1"))
    return first


def train(game: Game, seconds: float, seed: int, report: Callable[[str], None]) -> str:
    """Learn the game of one preset; return its section of the weights."""
    network = Network(FEATURES, HIDDEN)
    network.scatter(seed)
    first = opened(game)
    learner = Learner(TablanJudgement(network), network, first, game.action_count, seed)
    games = practise(learner, lambda n: first, seconds, RATES, TRACE, 0.0, SIMPLE, report)
    report(f"{section(game)}: {games} games in {seconds:g} s")
    return pack(section(game), network)
