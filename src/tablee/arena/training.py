"""Train the weights of a game: self-play on all cores, the best try kept, the gain measured in paired games.

A game that learns has a `training` in its `Mind` (`tablee.core.mind.Training`), and names its weights file there. That file has
a block for each configuration: date, command and gain, then its section.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from os import cpu_count
from pathlib import Path
from tempfile import TemporaryDirectory

from tablee import catalog
from tablee.arena.blocks import Block, read_blocks, write_blocks
from tablee.arena.plan import make_plan
from tablee.arena.ratings import Rate
from tablee.arena.report import make_report, percent
from tablee.arena.run import carry_out
from tablee.arena.spread import spread
from tablee.core.errors import TableeError, shown
from tablee.core.game import Game, choose
from tablee.core.kind import Kind
from tablee.core.mind import Training
from tablee.players.name import GREEDY

BEFORE = "the weights before"
UNTRAINED = "the untrained judgement"


@dataclass(frozen=True)
class Lesson:
    """How long to learn, from which weights (None: from nothing), and how to measure the gain.

    `seats` and `options` choose among the configurations of the game; the others keep their sections. With `measure` nothing is learned.
    """

    slug: str
    seconds: float
    seed: int = 1
    games: int = 200
    nodes: int = 500
    cores: int = 0
    ray: str = ""
    start: Path | None = None
    seats: int | None = None
    options: tuple[tuple[str, str], ...] = ()
    measure: bool = False

    def __str__(self) -> str:
        """Return the command that asks for it."""
        which = [] if self.seats is None else [f"--seats {self.seats}"]
        which += [f"--option {name}={value}" for name, value in self.options]
        how = [f"--seconds {self.seconds:g}", f"--seed {self.seed}"]
        how += [f"--cores {self.cores}"] if self.cores else []
        how += [f"--from {self.start}"] if self.start else []
        return " ".join(["tablee train", self.slug, *which, *how])


@dataclass(frozen=True)
class Learned:
    """One configuration: its section of the file, whom it was measured against, and what it won; where all win together, what the other won."""

    game: Game
    section: str
    against: str
    gain: Rate
    other: Rate


def learn(lesson: Lesson, report: Callable[[str], None]) -> tuple[str, list[Learned]]:
    """Return the text of the file that ships, and what each chosen configuration has gained."""
    kind = catalog.kind(lesson.slug)
    games = configurations(kind)
    numbers = chosen(lesson, games)
    if lesson.start and not lesson.measure and training(kind).go_on is None:
        raise TableeError(f"{kind.slug} learns anew each time: its training has no go_on")
    text = read_weights(lesson.start) if lesson.start else None
    blocks: dict[int, Block] = {}
    if lesson.measure or len(numbers) < len(games):
        blocks = dict(enumerate(read_blocks(shipped(kind) if text is None else text, len(games))))
    tries = {number: [blocks[number].section] for number in numbers} if lesson.measure else taught(lesson, numbers, text, report)
    before = history(text, len(games))
    learned = []
    for number in numbers:
        result = measured(lesson, games[number], tries[number])
        origin = blocks[number].origin if lesson.measure else f"{datetime.now(UTC):%Y-%m-%d}: {lesson}{before[number]}"
        blocks[number] = Block(origin, gained(lesson, result), result.section)
        learned.append(result)
        report(f"{games[number]!r}: {percent(result.gain)} / {result.against}")
    return write_blocks(blocks[number] for number in sorted(blocks)), learned


def history(text: str | None, count: int) -> list[str]:
    """Return for each configuration how the weights that it goes on from were learned, as far as their file tells."""
    try:
        return [f"; before that {block.origin}" for block in read_blocks(text or "", count)]
    except TableeError:
        return [""] * count


def chosen(lesson: Lesson, games: Sequence[Game]) -> list[int]:
    """Return the numbers of the configurations that a lesson is for, or raise the error that lists them."""
    matching = [
        number
        for number, game in enumerate(games)
        if lesson.seats in (None, game.seats) and all((name, value) in game.chosen for name, value in lesson.options)
    ]
    if not matching:
        raise TableeError(
            f"none of the configurations that {lesson.slug} learns is meant by {str(lesson)!r}: expected one of {'; '.join(map(called, games))}"
        )
    return matching


def taught(lesson: Lesson, numbers: Sequence[int], text: str | None, report: Callable[[str], None]) -> dict[int, list[str]]:
    """Return the sections of every try at the configurations of these numbers."""
    if training(catalog.kind(lesson.slug)).train_on_cores is not None:
        return {number: [taught_on_cores(lesson, number, text, report)] for number in numbers}
    tries = max(1, (lesson.cores or cpu_count() or 1) // len(numbers))
    jobs = [(lesson.slug, number, lesson.seconds, lesson.seed + attempt, text) for number in numbers for attempt in range(tries)]
    learned: dict[int, str] = {}
    for job, section in spread(train_one, jobs, lesson.cores, lesson.ray):
        learned[job] = section
        report(f"{len(learned)}/{len(jobs)}")
    return {number: [learned[job] for job in sorted(learned) if jobs[job][1] == number] for number in numbers}


def taught_on_cores(lesson: Lesson, number: int, text: str | None, report: Callable[[str], None]) -> str:
    """Return the section of one configuration, learned on all cores together."""
    kind = catalog.kind(lesson.slug)
    cores = lesson.cores or cpu_count() or 1

    def run(work: Callable[..., object], jobs: Sequence[tuple[object, ...]]) -> list[object]:
        """Run jobs on the cores or the cluster; return their results in their order."""
        results = dict(spread(work, jobs, cores, lesson.ray))
        return [results[job] for job in range(len(jobs))]

    learn_together = training(kind).train_on_cores
    assert learn_together is not None  # `taught` has looked
    return learn_together(configurations(kind)[number], text, lesson.seconds, lesson.seed, cores, run, report)


def called(game: Game) -> str:
    """Return a configuration by its seats and whatever differs from the usual options."""
    usual = {option.name: option.default for option in game.kind.options}
    return f"{game.seats} seats" + "".join(f" {name}={value}" for name, value in game.chosen if usual.get(name) != value)


def gained(lesson: Lesson, result: Learned) -> str:
    """Return the sentence that says what one configuration has gained."""
    name = called(result.game)
    if result.game.kind.together:
        return f"{name}: wins {percent(result.gain)} of {result.gain.number} games at {lesson.nodes} nodes; {result.against}: {percent(result.other)}"
    return f"{name}: {percent(result.gain)} of {result.gain.number} paired games at {lesson.nodes} nodes, against {result.against}"


def measured(lesson: Lesson, game: Game, sections: Sequence[str]) -> Learned:
    """Return the best of several tries at a configuration, each measured against the same rival."""
    with TemporaryDirectory() as folder:
        against, rival = yardstick(game, lesson, Path(folder))
        results = []
        for number, section in enumerate(sections):
            path = Path(folder) / f"{number}.txt"
            path.write_text(section, encoding="utf-8")
            player = f"max:nodes={lesson.nodes}:weights={path}"
            plan = make_plan(game, (player, rival), lesson.games, seed=lesson.seed)
            new, old = make_report(plan, carry_out(plan, cores=lesson.cores)).standings
            results.append(Learned(game, section, against, new.rate, old.rate))
    return max(results, key=lambda result: result.gain.value)


def yardstick(game: Game, lesson: Lesson, folder: Path) -> tuple[str, str]:
    """Return the opponent of the measurement, in words and as a player: the untrained judgement, else the shipped weights if new, else greedy."""
    untrained = training(game.kind).untrained
    if untrained:
        path = folder / "untrained.txt"
        path.write_text(untrained(game), encoding="utf-8")
        return UNTRAINED, f"max:nodes={lesson.nodes}:weights={path}"
    return (BEFORE, f"max:nodes={lesson.nodes}") if has_weights(game) and not lesson.measure else (GREEDY, GREEDY)


def shipped(kind: Kind) -> str:
    """Return the text of the weights that ship with a game, or raise the error for one that has none yet."""
    try:
        return kind.text(kind.mind.weights)
    except OSError as error:
        raise TableeError(f"no weights ship with {kind.slug}: train all of its configurations first") from error


def read_weights(file: Path) -> str:
    """Return the text of a file of weights, or raise the error that names it."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TableeError(f"cannot read the weights in {shown(file.name)}: {error}") from error


def train_one(slug: str, number: int, seconds: float, seed: int, text: str | None) -> str:
    """Learn one configuration of a game, from the weights of a text if there is one, in a process of its own."""
    kind = catalog.kind(slug)
    game = configurations(kind)[number]
    lessons = training(kind)
    if text is not None and lessons.go_on:
        return lessons.go_on(game, text, seconds, seed, report_progress)
    return lessons.train(game, seconds, seed, report_progress)


def report_progress(sentence: str) -> None:
    """Report progress on standard error."""
    print(sentence, file=sys.stderr, flush=True)


def training(kind: Kind) -> Training:
    """Return how a game learns its weights, or raise the error for one that has nothing to learn."""
    if kind.mind.training is None:
        raise TableeError(f"{kind.slug} has nothing to learn: its mind has no training")
    return kind.mind.training()


def configurations(kind: Kind) -> list[Game]:
    """Return the configurations a game learns."""
    list_all = training(kind).configurations
    return list_all(kind) if list_all else [choose(kind)]


def has_weights(game: Game) -> bool:
    """Return whether weights ship that fit a configuration."""
    if not game.kind.mind.weights:
        return False
    try:
        game.kind.mind.judgement(game)
    except (OSError, ValueError, LookupError):
        return False
    return True
