"""Trains the weights of Tabu's judgement.

The weights are first fitted to the exact chances of two seats (`duel.py`). For more seats they are improved by self-play with
temporal differences between the starts of turns.
"""

from collections.abc import Callable
from math import exp

from tablee.core.decimals import write_decimals
from tablee.core.game import Game, choose
from tablee.core.judgement import share
from tablee.core.kind import Kind
from tablee.core.position import CHANCE, OVER
from tablee.games.tabu.duel import Duel
from tablee.games.tabu.judgement import SEEN, TabuJudgement, judge, section
from tablee.games.tabu.position import TabuPosition
from tablee.games.tabu.stakes import Stakes
from tablee.players.adagrad import adagrad_step
from tablee.players.linear_training import LinearCourse, Row, train_linear
from tablee.players.playout import Draw
from tablee.players.stop import Stop

__all__ = ["configurations", "judge", "train", "untrained"]

TRACE = 0.9
RATE = 0.08
NODES = 2500
# The exact chances for the first fit: the money in play, the most turns left, the passes over all of them.
MONEY = 120
TURNS = 8
PASSES = 60
STARTS = (20, 40, 60, 100, 160, 300)
# In per cent: how often a stake is a random one of the best four.
ASTRAY = 10


def configurations(kind: Kind) -> list[Game]:
    """Return the configurations with weights of their own: two to five seats (more share those of five), doubling and odds."""
    options = [{"doubling": doubling, "odds": odds} for doubling in ("symbols", "all", "none") for odds in ("net", "stake_included")]
    return [choose(kind, seats, chosen) for chosen in options for seats in (2, 3, 4, 5)]


def train(game: Game, seconds: float, seed: int, report: Callable[[str], None]) -> str:
    """Train one configuration for that many seconds; return its section of the weights file."""
    weights = fitted(game)
    draw = Draw(seed)
    course = LinearCourse(seconds if game.seats > 2 else 0.0, RATE, TRACE, 200)
    games = train_linear(lambda known: one_game(game, known, draw), weights, course, section(game), report)
    return write_section(game, weights, games)


def untrained(game: Game) -> str:
    """Return the section fitted to the exact chances of two seats, before any self-play."""
    return write_section(game, fitted(game), 0)


def write_section(game: Game, weights: list[float], games: int) -> str:
    """Return the section of weights learned in that many games."""
    return write_decimals(section(game), f"the exact chances of two seats, then {games} games against itself", weights, 7)


def fitted(game: Game) -> list[float]:
    """Return the weights fitted to the exact chances of two seats under the options of a game."""
    pair = choose(game.kind, 2, dict(game.chosen))
    position: TabuPosition = pair.kind.start(pair, {"banker": "1"})
    position.rounds = TURNS
    judgement = TabuJudgement([0.0] * SEEN, position)
    duel = Duel(position, MONEY)
    rows: list[tuple[list[float], float]] = []
    for turns in range(1, TURNS + 1):
        for hand in range(4, MONEY, 3):
            position.arrange(0, [MONEY - hand, hand], [TURNS - (turns + 1) // 2, TURNS - turns // 2], 0)
            judgement.compare(position)
            rows.append(([judgement.seen[SEEN + k] - judgement.seen[k] for k in range(SEEN)], duel.chance(turns, hand)))
    weights, squares = [0.0] * SEEN, [1.0] * SEEN
    for _ in range(PASSES):
        for sight, chance in rows:
            lead = sum(weight * thing for weight, thing in zip(weights, sight, strict=True))
            adagrad_step([(chance - 1.0 / (1.0 + exp(-lead))) * thing for thing in sight], weights, squares, RATE)
    return weights


def one_game(game: Game, weights: list[float], draw: Draw) -> tuple[list[Row], list[float]]:
    """Play a game; return the features at the start of each turn of the bank, and every seat's share of the win."""
    position: TabuPosition = game.kind.start(game, {"banker": str(draw.below(game.seats) + 1)})
    start = STARTS[draw.below(len(STARTS))]
    position.rounds = 1 + draw.below(5)
    # Some games begin with uneven money, so that both leading and trailing seats are trained.
    money = [1 + draw.below(2 * start) if draw.below(2) else start for _ in range(game.seats)]
    position.arrange(position.banker, money, [0] * game.seats, -1)
    judgement = TabuJudgement(weights, position)
    search = Stakes(judgement, position, draw.below(1000000))
    rows: list[Row] = []
    while position.actor() != OVER:
        if position.actor() == CHANCE:
            position.play(position.throw(draw.below(216)))
            continue
        if not position.staked:
            rows.append(seen(game, judgement, position))
        seat = position.actor()
        search.think(position, seat, Stop(NODES))
        astray = draw.below(100) < ASTRAY
        while (position.waiting >> seat) & 1:
            search.think(position, seat, Stop(NODES))
            ranking = search.ranking()
            position.play(ranking[draw.below(min(4, len(ranking))) if astray else 0][0])
    return rows, [share(position, seat) for seat in range(game.seats)]


def seen(game: Game, judgement: TabuJudgement, position: TabuPosition) -> Row:
    """Return the features and the learned chance of each seat that is in."""
    inside = [seat for seat in range(game.seats) if (position.inside >> seat) & 1]
    expected = {seat: judgement.learned(position, seat) for seat in inside}
    return Row({seat: [judgement.seen[seat * SEEN + k] for k in range(SEEN)] for seat in inside}, expected)
