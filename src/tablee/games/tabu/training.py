"""How the weights of Tabu's judgement are made: games against itself, each turn's start moved towards what came later."""

from collections.abc import Callable
from math import sqrt

from tablee.core.game import Game, choose
from tablee.core.judgement import share
from tablee.core.kind import Kind
from tablee.core.position import CHANCE, OVER
from tablee.games.tabu.judgement import SEEN, TabuJudgement, judge, section
from tablee.games.tabu.position import TabuPosition
from tablee.players.playout import Draw
from tablee.players.stakes import Stakes
from tablee.players.stop import Stop

__all__ = ["configurations", "judge", "train"]

TRACE = 0.9
RATE = 0.08
NODES = 2500
GUESS = (0.5, 0.0, 0.5, 0.0, 0.5, *[0.0] * 4, 1.0, *[0.0] * 6, 0.5, *[0.0] * 4)
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
    weights = list(GUESS)
    steepness = [1.0] * SEEN
    draw = Draw(seed)
    clock = Stop()
    games = 0
    while clock.spent() < seconds:
        rows, result = one_game(game, weights, draw)
        teach(rows, result, weights, steepness)
        games += 1
        if games % 200 == 0:
            report(f"{section(game)}: {games} games, {clock.spent():.0f} s")
    numbers = [f"{weight:.4f}" for weight in weights]
    lines = [" ".join(numbers[at : at + 7]) for at in range(0, SEEN, 7)]
    return "\n".join([section(game), f"# {games} games against itself", *lines]) + "\n"


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
    expected = {seat: judgement.between(position, seat) for seat in inside}
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
        for k in range(SEEN):
            if pull[k]:
                steepness[k] += pull[k] * pull[k]
                weights[k] += RATE * pull[k] / sqrt(steepness[k])
        later = [TRACE * target + (1.0 - TRACE) * expected.get(seat, 0.0) for seat, target in enumerate(later)]
