"""Traboulet's weights made anew: generations of self-play at few nodes, each judged by what the last one learned."""

from collections.abc import Callable
from random import Random

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.game import Game
from tablee.core.judgement import share
from tablee.core.position import OVER
from tablee.games.traboulet.judgement import TrabouletJudgement, plain, tables
from tablee.games.traboulet.lessons import Lessons, traits
from tablee.games.traboulet.position import TrabouletPosition
from tablee.players.alphabeta import AlphaBeta
from tablee.players.stop import Stop

GENERATIONS = (1, 2, 3)
LESSONS_A_SECOND = 2000
NODES = 300
OPENING = 8
ASTRAY = 0.06
LONGEST = 160
TRUST = 0.4
ROUNDS = 4


def train(game: Game, seconds: float, seed: int, report: Callable[[str], None]) -> str:
    """Return the section of weights.txt; `seconds` settles how many lessons there are, so the result does not hang on the clock."""
    weights = learn(game, seconds, seed, report)
    return ""


def learn(game: Game, seconds: float, seed: int, report: Callable[[str], None]) -> vec[float]:
    """Return the tables that the last generation has learned."""
    random = Random(seed)
    judgement = plain()
    known = traits()
    weights = vec[float]()
    for generation, part in enumerate(GENERATIONS):
        number = int(seconds * LESSONS_A_SECOND * part / sum(GENERATIONS))
        lessons = play(game, judgement, number, random)
        cut = number * 9 // 10
        trial = lessons.outline(known, 2, 0.05)
        before = lessons.surprise(trial, cut, number)
        lessons.refine(trial, 0, cut, ROUNDS, 0.04)
        after = lessons.surprise(trial, cut, number)
        weights = trial
        judgement = tables(weights)
        report(f"generation {generation + 1}: {number} positions, cross entropy {before:.4f} by traits, {after:.4f} by lines")
    return weights


def play(game: Game, judgement: TrabouletJudgement, number: int, random: Random) -> Lessons:
    """Return so many lessons from games that a judgement plays against itself, begun and now and then led astray at random."""
    lessons = Lessons()
    start = game.start(random.randrange).position
    search = AlphaBeta(judgement, start, game.action_count, 8, 0, 13)
    while lessons.number < number:
        play_one(game, judgement, search, lessons, number, random)
    return lessons


def play_one(game: Game, judgement: TrabouletJudgement, search: AlphaBeta, lessons: Lessons, number: int, random: Random) -> None:
    """Play one game and add its quiet positions, with the result and what the search expected."""
    position = game.start(random.randrange).position
    assert isinstance(position, TrabouletPosition)
    buffer = vec[i64]([0] * game.action_count)
    seen: list[tuple[TrabouletPosition, int, float]] = []
    opening = random.randrange(OPENING)
    for step in range(LONGEST):
        seat = position.actor()
        if seat == OVER:
            break
        if step < opening or random.random() < ASTRAY:
            position.play(buffer[random.randrange(int(position.actions(seat, buffer)))])
            continue
        search.think(position, seat, Stop(NODES))
        action, value = search.ranking()[0]
        if not judgement.urgent(position, seat, buffer):
            here = position.copy()
            assert isinstance(here, TrabouletPosition)
            seen.append((here, int(seat), value))
        position.play(action)
    for here, mover, value in seen[: number - int(lessons.number)]:
        result = share(position, mover) if position.actor() == OVER else 0.5
        lessons.add(here, TRUST * value + (1.0 - TRUST) * result)
