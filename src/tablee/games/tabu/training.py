"""How the weights of Tabu's judgement are made.

They begin as what comes nearest to the exact chances of two seats (`duel.py`). For more seats these are bettered by games
against itself, each turn's start moved towards what came later.
"""

from collections.abc import Callable
from math import exp, sqrt

from tablee.core.game import Game, choose
from tablee.core.judgement import share
from tablee.core.kind import Kind
from tablee.core.position import CHANCE, OVER
from tablee.games.tabu.duel import Duel
from tablee.games.tabu.judgement import SEEN, TabuJudgement, judge, section
from tablee.games.tabu.position import TabuPosition
from tablee.players.playout import Draw
from tablee.players.stakes import Stakes
from tablee.players.stop import Stop

__all__ = ["configurations", "judge", "train", "untrained"]

TRACE = 0.9
RATE = 0.08
NODES = 2500
# The exact chances that the weights begin with: of so much money, with so many turns left at most, seen so many times.
MONEY = 120
TURNS = 8
PASSES = 60
STARTS = (20, 40, 60, 100, 160, 300)
# Of 100 stakes, so many are any one of those looked at.
ASTRAY = 10

Row = tuple[dict[int, list[float]], dict[int, float]]


def configurations(kind: Kind) -> list[Game]:
    """Return what is learned apart: two to five seats (more share the weights of five), and what the options pay and take."""
    options = [{"doubling": doubling, "odds": odds} for doubling in ("symbols", "all", "none") for odds in ("net", "stake_included")]
    return [choose(kind, seats, one) for one in options for seats in (2, 3, 4, 5)]


def train(game: Game, seconds: float, seed: int, report: Callable[[str], None]) -> str:
    """Learn one configuration for so long; return its section of the weights file."""
    weights = fitted(game)
    steepness = [1.0] * SEEN
    draw = Draw(seed)
    clock = Stop()
    games = 0
    while game.seats > 2 and clock.spent() < seconds:
        rows, result = one_game(game, weights, draw)
        teach(rows, result, weights, steepness)
        games += 1
        if games % 200 == 0:
            report(f"{section(game)}: {games} games, {clock.spent():.0f} s")
    return told(game, weights, games)


def untrained(game: Game) -> str:
    """Return the section of what comes nearest to the exact chances of two seats, before any game against itself."""
    return told(game, fitted(game), 0)


def told(game: Game, weights: list[float], games: int) -> str:
    """Return the section of some weights, learned in so many games."""
    numbers = [f"{weight:.4f}" for weight in weights]
    lines = [" ".join(numbers[at : at + 7]) for at in range(0, SEEN, 7)]
    return "\n".join([section(game), f"# the exact chances of two seats, then {games} games against itself", *lines]) + "\n"


def fitted(game: Game) -> list[float]:
    """Return the weights that come nearest to the exact chances of two seats under the options of a game."""
    pair = choose(game.kind, 2, dict(game.chosen))
    position = pair.kind.start(pair, {"banker": "1"})
    assert isinstance(position, TabuPosition)
    position.rounds = TURNS
    judgement = TabuJudgement([0.0] * SEEN, position)
    duel = Duel(position, MONEY)
    rows: list[tuple[list[float], float]] = []
    for turns in range(1, TURNS + 1):
        for hand in range(4, MONEY, 3):
            position.arrange(0, [MONEY - hand, hand], [TURNS - (turns + 1) // 2, TURNS - turns // 2], 0)
            judgement.compare(position)
            rows.append(([judgement.seen[SEEN + k] - judgement.seen[k] for k in range(SEEN)], duel.chance(turns, hand)))
    weights, steepness = [0.0] * SEEN, [1.0] * SEEN
    for _ in range(PASSES):
        for sight, chance in rows:
            lead = sum(weight * thing for weight, thing in zip(weights, sight, strict=True))
            move([(chance - 1.0 / (1.0 + exp(-lead))) * thing for thing in sight], weights, steepness)
    return weights


def move(pull: list[float], weights: list[float], steepness: list[float]) -> None:
    """Move the weights where they are pulled, each by steps of its own size."""
    for k in range(SEEN):
        if pull[k]:
            steepness[k] += pull[k] * pull[k]
            weights[k] += RATE * pull[k] / sqrt(steepness[k])


def one_game(game: Game, weights: list[float], draw: Draw) -> tuple[list[Row], list[float]]:
    """Play a game; return what was seen at the start of each turn of the bank, and every seat's part of the win."""
    position = game.kind.start(game, {"banker": str(draw.below(game.seats) + 1)})
    assert isinstance(position, TabuPosition)
    start = STARTS[draw.below(len(STARTS))]
    position.rounds = 1 + draw.below(5)
    # Some games begin uneven, so that leaders and those behind are both known well.
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
    """Return what each seat that is in sees of itself, and its chance as the judgement sees it."""
    inside = [seat for seat in range(game.seats) if (position.inside >> seat) & 1]
    expected = {seat: judgement.learned(position, seat) for seat in inside}
    return {seat: [judgement.seen[seat * SEEN + k] for k in range(SEEN)] for seat in inside}, expected


def teach(rows: list[Row], result: list[float], weights: list[float], steepness: list[float]) -> None:
    """Move the weights so that each turn's start tells more of what came later; each weight by steps of its own size."""
    later = result
    for sights, expected in reversed(rows):
        pull = [0.0] * SEEN
        for seat, sight in sights.items():
            miss = later[seat] - expected[seat]
            for k in range(SEEN):
                pull[k] += miss * sight[k]
        move(pull, weights, steepness)
        later = [TRACE * target + (1.0 - TRACE) * expected.get(seat, 0.0) for seat, target in enumerate(later)]
