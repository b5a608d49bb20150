"""How the weights of Tabale's judgement are made: games against itself, each position moved towards what came later."""

from collections.abc import Callable
from math import sqrt

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.game import Game, choose
from tablee.core.judgement import share
from tablee.core.kind import Kind
from tablee.core.position import OVER
from tablee.games.tabale.judgement import SEEN, TabaleJudgement, judge, section
from tablee.games.tabale.position import TabalePosition
from tablee.players.parts import Parts
from tablee.players.playout import Draw
from tablee.players.stop import Stop

__all__ = ["configurations", "judge", "train", "untrained"]

TRACE = 0.8
RATE = 0.08
# Of 100 turns, so many are not the best at a glance but one of a few that come after; of the first ones, more.
ASTRAY = 12
FIRST_ASTRAY = 60
STRAYS = 6
GUESS = (0.5, -0.35, -0.1, -0.1, -0.08, -0.02, 0.1, 0.1, 0.05, 0.0, 0.1, 0.1, 0.0, 0.1, -0.1, 0.7, *[0.0] * 14, 0.5, *[0.0] * 11)

# What is seen from the side of each seat at the start of a turn, and what each may expect then.
Row = tuple[list[list[float]], list[float]]


def configurations(kind: Kind) -> list[Game]:
    """Return what is learned apart: two, three and four seats, and teams."""
    return [choose(kind, 2), choose(kind, 3), choose(kind, 4), choose(kind, 4, {"teams": "on"})]


def train(game: Game, seconds: float, seed: int, report: Callable[[str], None]) -> str:
    """Learn one configuration for so long; return its section of the weights file."""
    weights = list(GUESS)
    steepness = [1.0] * SEEN
    draw = Draw(seed)
    clock = Stop()
    games = 0
    while clock.spent() < seconds:
        rows, result = one_game(game, weights, draw)
        teach(rows, result, weights, steepness)
        games += 1
        if games % 500 == 0:
            report(f"{section(game)}: {games} games, {clock.spent():.0f} s")
    return told(game, weights, games)


def untrained(game: Game) -> str:
    """Return the section of the guess that learning begins with."""
    return told(game, list(GUESS), 0)


def told(game: Game, weights: list[float], games: int) -> str:
    """Return the section of some weights, learned in so many games."""
    numbers = [f"{weight:.4f}" for weight in weights]
    lines = [" ".join(numbers[at : at + 10]) for at in range(0, SEEN, 10)]
    return "\n".join([section(game), f"# {games} games against itself", *lines]) + "\n"


def one_game(game: Game, weights: list[float], draw: Draw) -> tuple[list[Row], list[float]]:
    """Play a game turn by turn; return what was seen at the start of each, and every seat's part of the win."""
    position = game.kind.start(game, {})
    assert isinstance(position, TabalePosition)
    judgement = TabaleJudgement(weights)
    search = Parts(judgement, position, game.action_count, 1)
    buffer = vec[i64]([0] * game.action_count)
    for seat in range(game.seats):
        position.play(position.pick(seat, draw.word(), buffer))
    rows: list[Row] = []
    while position.actor() != OVER:
        rows.append(seen(game, judgement, position))
        odds = FIRST_ASTRAY if len(rows) <= game.seats else ASTRAY
        search.glance(position, position.seat, draw.below(STRAYS) if draw.below(100) < odds else 0)
    return rows, [share(position, seat) for seat in range(game.seats)]


def seen(game: Game, judgement: TabaleJudgement, position: TabalePosition) -> Row:
    """Return what each seat sees of itself, and what the judgement makes of it."""
    expected = [judgement.value(position, seat) for seat in range(game.seats)]
    return [[judgement.seen[seat * SEEN + k] for k in range(SEEN)] for seat in range(game.seats)], expected


def teach(rows: list[Row], result: list[float], weights: list[float], steepness: list[float]) -> None:
    """Move the weights so that each position tells more of what came later; each weight by steps of its own size."""
    later = result
    for sights, expected in reversed(rows):
        pull = [0.0] * SEEN
        for sight, value, target in zip(sights, expected, later, strict=True):
            miss = target - value
            for k in range(SEEN):
                pull[k] += miss * sight[k]
        for k in range(SEEN):
            if pull[k]:
                steepness[k] += pull[k] * pull[k]
                weights[k] += RATE * pull[k] / sqrt(steepness[k])
        later = [TRACE * target + (1.0 - TRACE) * value for target, value in zip(later, expected, strict=True)]
