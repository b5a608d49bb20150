"""Trains Traboulet's weights: generations of self-play at few nodes, each with the weights of the generation before."""

from collections.abc import Callable
from random import Random

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.game import Game, choose
from tablee.core.judgement import share
from tablee.core.kind import Kind
from tablee.core.position import OVER
from tablee.games.traboulet.judgement import SIZE, TrabouletJudgement, entries, material, plain, tables
from tablee.games.traboulet.lessons import Lessons, traits
from tablee.games.traboulet.position import TrabouletPosition
from tablee.players.alphabeta import LEVEL_SLOTS, AlphaBeta
from tablee.players.stop import Stop

GENERATIONS = (1, 2, 3)
LESSONS_A_SECOND = 2000
NODES = 200
OPENING = 8
ASTRAY = 0.06
LONGEST = 160
TRUST = 0.4
ROUNDS = 4
RATE = 0.04
ROW = 64


def configurations(kind: Kind) -> list[Game]:
    """Return the configurations with weights of their own: the bonus push matters much, the other options hardly."""
    return [choose(kind), choose(kind, options={"bonus": "none"})]


def train(game: Game, seconds: float, seed: int, report: Callable[[str], None]) -> str:
    """Return the section of weights.txt; `seconds` decides the number of lessons, so the result does not depend on the clock."""
    weights = learn(game, seconds, seed, report)
    return section(game, [round(100.0 * weights[place]) for place in entries()])


def untrained(game: Game) -> str:
    """Return the section by material only, with values set by hand: the start of training."""
    weights = material()
    return section(game, [int(weights[place]) // 10 for place in entries()])


def section(game: Game, hundredths: list[int]) -> str:
    """Return a section of weights.txt: hundredths of log odds in the order of the entries."""
    numbers = list(map(str, hundredths))
    rows = [" ".join(numbers[at : at + ROW]) for at in range(0, len(numbers), ROW)]
    return "\n".join([f"bonus {game.option('bonus')}", *rows, ""])


def learn(game: Game, seconds: float, seed: int, report: Callable[[str], None]) -> vec[float]:
    """Return the tables of the last generation, trained on all lessons except those of the untrained first."""
    random = Random(seed)
    known = traits()
    judgement = plain()
    lessons = Lessons()
    weights = vec[float]()
    for generation, part in enumerate(GENERATIONS):
        if generation == 1:
            lessons = Lessons()
        kept = int(lessons.number)
        play(game, judgement, lessons, int(seconds * LESSONS_A_SECOND) * part // sum(GENERATIONS), random)
        number = int(lessons.number)
        cut = number - (number - kept) // 10
        weights = lessons.outline(known, cut, 2, 0.05)
        before = lessons.cross_entropy(weights, cut, number)
        lessons.refine(weights, cut, ROUNDS, RATE)
        after = lessons.cross_entropy(weights, cut, number)
        judgement = tables(vec[i64]([i64(round(1000.0 * weights[k])) for k in range(SIZE)]))
        report(f"generation {generation + 1}: {number} positions, cross entropy {before:.4f} by traits, {after:.4f} by lines")
    return weights


def play(game: Game, judgement: TrabouletJudgement, lessons: Lessons, number: int, random: Random) -> None:
    """Add `number` lessons from self-play with a judgement; games begin with random pushes and contain some more."""
    start = game.start(random.randrange).position
    search = AlphaBeta(judgement, start, game.action_count, 8, 0, LEVEL_SLOTS)
    number += int(lessons.number)
    while lessons.number < number:
        play_one(game, judgement, search, lessons, number, random)


def play_one(game: Game, judgement: TrabouletJudgement, search: AlphaBeta, lessons: Lessons, number: int, random: Random) -> None:
    """Play one game and add its quiet positions, with the result and what the search expected."""
    position: TrabouletPosition = game.kind.start(game, {})
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
            seen.append((position.copy(), int(seat), value))
        position.play(action)
    for here, mover, value in seen[: number - int(lessons.number)]:
        result = share(position, mover) if position.actor() == OVER else 0.5
        lessons.add(here, TRUST * value + (1.0 - TRUST) * result)
