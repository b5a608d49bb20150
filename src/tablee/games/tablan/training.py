"""Trains Tablan's weights by self-play from the first position, one network for each preset."""

from collections.abc import Callable
from itertools import product

from tablee.core.game import Game, choose
from tablee.core.kind import Kind
from tablee.core.network import Network
from tablee.core.position import Position
from tablee.core.weights import pack
from tablee.games.tablan.judgement import FEATURES, TablanJudgement, judge, section
from tablee.games.tablan.position import TablanPosition
from tablee.players.learning import Learner
from tablee.players.practice import Course, beginners, learned, practise

__all__ = ["configurations", "go_on", "judge", "train"]

HIDDEN = 32
RATES = (0.03, 0.001)
# For a network that is trained already.
FINE_RATES = (0.003, 0.0003)
TRACE = 0.7
# One game in this many is played with other options than the preset's.
ODD = 4


def configurations(kind: Kind) -> list[Game]:
    """Return the games that have weights of their own: the presets."""
    return [choose(kind, options={"preset": preset}) for preset in ("fiche", "mysore", "lettre")]


def opened(game: Game) -> TablanPosition:
    """Return the first position; if a 2 must open the game, the position after it, as waiting for the 2 teaches nothing."""
    first: TablanPosition = game.kind.start(game, {})
    if first.waiting:
        first.play(game.parse("s1" if game.option("throw") == "sticks" else "1-1"))
    return first


def variants(game: Game) -> list[Game]:
    """Return the games that share the weights of a preset: all combinations of the other options.

    `each_player` is left out: the network does not see that one side alone waits, and would learn that Black starts out ahead.
    """
    free = [option for option in game.kind.options if option.name not in ("preset", "throw")]
    chosen = dict(game.chosen)
    ways = product(*([(option.name, value) for value in option.values] for option in free))
    games = [choose(game.kind, options=chosen | dict(way)) for way in ways]
    return [other for other in games if section(other) == section(game) and other.option("first_move") != "each_player"]


def train(game: Game, seconds: float, seed: int, report: Callable[[str], None]) -> str:
    """Train the game of one preset; return its section of the weights."""
    return play(game, beginners(FEATURES, HIDDEN, seed), seconds, seed, RATES, report)


def go_on(game: Game, text: str, seconds: float, seed: int, report: Callable[[str], None]) -> str:
    """Continue training from the weights of a text, with smaller learning rates."""
    return play(game, learned(text, section(game), FEATURES, HIDDEN), seconds, seed, FINE_RATES, report)


def play(game: Game, pupils: tuple[Network, Network], seconds: float, seed: int, rates: tuple[float, float], report: Callable[[str], None]) -> str:
    """Train the learning network and the steady one for that many seconds; return the section of the steady one."""
    network, steady = pupils
    first = opened(game)
    others = [opened(other) for other in variants(game)]
    learner = Learner(TablanJudgement(steady), network, first, game.action_count, seed)

    def start(number: int, part: float) -> Position:
        """Return the first position of a game: the preset's, or every `ODD` games that of the next variant."""
        return first if number % ODD else others[number // ODD % len(others)]

    games = practise(learner, steady, start, Course(seconds, rates, TRACE), report)
    report(f"{section(game)}: {games} games in {seconds:g} s")
    return pack(section(game), steady)
