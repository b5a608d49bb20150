"""Trains the weights of Tabale's judgement by self-play with temporal differences."""

from collections.abc import Callable

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.decimals import write_decimals
from tablee.core.game import Game, choose
from tablee.core.judgement import share
from tablee.core.kind import Kind
from tablee.core.position import OVER
from tablee.games.tabale.judgement import SEEN, TabaleJudgement, judge, section
from tablee.games.tabale.position import TabalePosition
from tablee.players.linear_training import LinearCourse, Row, train_linear
from tablee.players.playout import Draw
from tablee.players.turn_beam import TurnBeam

__all__ = ["configurations", "judge", "train", "untrained"]

TRACE = 0.8
RATE = 0.08
# In per cent: how often a turn is not the best by static value but one of the next STRAYS; more often at the start of a game.
ASTRAY = 12
FIRST_ASTRAY = 60
STRAYS = 6
GUESS = (0.5, -0.35, -0.1, -0.1, -0.08, -0.02, 0.1, 0.1, 0.05, 0.0, 0.1, 0.1, 0.0, 0.1, -0.1, 0.7, *[0.0] * 14, 0.5, *[0.0] * 11)


def configurations(kind: Kind) -> list[Game]:
    """Return the configurations with weights of their own: two, three and four seats, and teams."""
    return [choose(kind, 2), choose(kind, 3), choose(kind, 4), choose(kind, 4, {"teams": "on"})]


def train(game: Game, seconds: float, seed: int, report: Callable[[str], None]) -> str:
    """Train one configuration for that many seconds; return its section of the weights file."""
    weights = list(GUESS)
    draw = Draw(seed)
    games = train_linear(lambda known: one_game(game, known, draw), weights, LinearCourse(seconds, RATE, TRACE, 500), section(game), report)
    return write_section(game, weights, games)


def untrained(game: Game) -> str:
    """Return the section of the weights that training starts from."""
    return write_section(game, list(GUESS), 0)


def write_section(game: Game, weights: list[float], games: int) -> str:
    """Return the section of weights learned in that many games."""
    return write_decimals(section(game), f"{games} games against itself", weights, 10)


def one_game(game: Game, weights: list[float], draw: Draw) -> tuple[list[Row], list[float]]:
    """Play a game turn by turn; return the features at the start of each turn, and every seat's share of the win."""
    position: TabalePosition = game.kind.start(game, {})
    judgement = TabaleJudgement(weights)
    search = TurnBeam(judgement, position, game.action_count, 1)
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
    """Return the features and the expected share of each seat."""
    expected = {seat: judgement.value(position, seat) for seat in range(game.seats)}
    return Row({seat: [judgement.seen[seat * SEEN + k] for k in range(SEEN)] for seat in range(game.seats)}, expected)
