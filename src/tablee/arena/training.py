"""Learned weights made anew: self-play on all cores, the best try kept, the gain measured in paired games.

A game that learns has a module `training` in its folder:

    train(game, seconds, seed, report) -> str        learn one configuration; the text of its section of weights.txt
    go_on(game, text, seconds, seed, report) -> str  the same, begun with the weights of a text (if left out: each begins anew)
    configurations(kind) -> list[Game]               which configurations there are (if left out: the usual one)
    untrained(game) -> str                           the section of one that has learned nothing, to measure against
                                                     (if left out: the weights that ship or, where none do, greedy)

and in `judgement` a function `judge(game, text)` that gives the judgement of a game with the weights of a text. `report`
takes a sentence now and then. The file that ships has a block for each configuration: date, command and gain, then its section.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from os import cpu_count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, cast

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

WEIGHTS = "weights.txt"
GREEDY = "greedy"
BEFORE = "the weights before"
UNTRAINED = "the untrained judgement"


class Training(Protocol):
    """What the module `training` of a game gives."""

    def train(self, game: Game, seconds: float, seed: int, report: Callable[[str], None]) -> str:
        """Learn one configuration for so long; return the text of its section."""

    def go_on(self, game: Game, text: str, seconds: float, seed: int, report: Callable[[str], None]) -> str:
        """Do the same, begun with the weights of a text; a module may lack it."""


@dataclass(frozen=True)
class Lesson:
    """How long to learn, from which weights if not from nothing, and how to measure what it brought.

    `seats` and `options` choose among the configurations of the game; the others keep what they have. To `measure` is to learn nothing.
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
    if lesson.start and not lesson.measure and not hasattr(training(kind), "go_on"):
        raise TableeError(f"{kind.slug} learns anew each time: {kind.package}.training has no go_on")
    text = read_weights(lesson.start) if lesson.start else None
    blocks: dict[int, Block] = {}
    if lesson.measure or len(numbers) < len(games):
        blocks = dict(enumerate(read_blocks(shipped(kind) if text is None else text, len(games))))
    tries = {number: [blocks[number].section] for number in numbers} if lesson.measure else taught(lesson, numbers, text, report)
    before = history(text, len(games))
    learned = []
    for number in numbers:
        one = measured(lesson, games[number], tries[number])
        origin = blocks[number].origin if lesson.measure else f"{datetime.now(UTC):%Y-%m-%d}: {lesson}{before[number]}"
        blocks[number] = Block(origin, gained(lesson, one), one.section)
        learned.append(one)
        report(f"{games[number]!r}: {percent(one.gain)} / {one.against}")
    return write_blocks(blocks[number] for number in sorted(blocks)), learned


def history(text: str | None, count: int) -> list[str]:
    """Return for each configuration how the weights that it goes on from were learned, as far as their file tells."""
    try:
        return [f"; before that {block.origin}" for block in read_blocks(text or "", count)]
    except TableeError:
        return [""] * count


def chosen(lesson: Lesson, games: Sequence[Game]) -> list[int]:
    """Return the numbers of the configurations that a lesson is for, or raise the error that lists them."""
    found = [
        number
        for number, game in enumerate(games)
        if lesson.seats in (None, game.seats) and all((name, value) in game.chosen for name, value in lesson.options)
    ]
    if not found:
        raise TableeError(
            f"none of the configurations that {lesson.slug} learns is meant by {str(lesson)!r}: expected one of {'; '.join(map(called, games))}"
        )
    return found


def taught(lesson: Lesson, numbers: Sequence[int], text: str | None, report: Callable[[str], None]) -> dict[int, list[str]]:
    """Return the sections of every try at the configurations of these numbers."""
    tries = max(1, (lesson.cores or cpu_count() or 1) // len(numbers))
    jobs = [(lesson.slug, number, lesson.seconds, lesson.seed + attempt, text) for number in numbers for attempt in range(tries)]
    found: dict[int, str] = {}
    for job, section in spread(train_one, jobs, lesson.cores, lesson.ray):
        found[job] = section
        report(f"{len(found)}/{len(jobs)}")
    return {number: [found[job] for job in sorted(found) if jobs[job][1] == number] for number in numbers}


def called(game: Game) -> str:
    """Return a configuration by its seats and whatever differs from the usual options."""
    usual = {option.name: option.default for option in game.kind.options}
    return f"{game.seats} seats" + "".join(f" {name}={value}" for name, value in game.chosen if usual.get(name) != value)


def gained(lesson: Lesson, one: Learned) -> str:
    """Return the sentence that says what one configuration has gained."""
    told = called(one.game)
    if one.game.kind.together:
        return f"{told}: wins {percent(one.gain)} of {one.gain.number} games at {lesson.nodes} nodes; {one.against}: {percent(one.other)}"
    return f"{told}: {percent(one.gain)} of {one.gain.number} paired games at {lesson.nodes} nodes, against {one.against}"


def measured(lesson: Lesson, game: Game, sections: Sequence[str]) -> Learned:
    """Return the best of several tries at a configuration, each measured against the same rival."""
    with TemporaryDirectory() as folder:
        against, rival = yardstick(game, lesson, Path(folder))
        found = []
        for number, section in enumerate(sections):
            path = Path(folder) / f"{number}.txt"
            path.write_text(section, encoding="utf-8")
            player = f"max:nodes={lesson.nodes}:weights={path}"
            plan = make_plan(game, (player, rival), lesson.games, seed=lesson.seed)
            new, old = make_report(plan, carry_out(plan, cores=lesson.cores)).standings
            found.append(Learned(game, section, against, new.rate, old.rate))
    return max(found, key=lambda one: one.gain.value)


def yardstick(game: Game, lesson: Lesson, folder: Path) -> tuple[str, str]:
    """Return whom weights meet, in words and as a player: the untrained judgement, else what ships if they are new, else greedy."""
    given = getattr(training(game.kind), "untrained", None)
    if given:
        path = folder / "untrained.txt"
        path.write_text(given(game), encoding="utf-8")
        return UNTRAINED, f"max:nodes={lesson.nodes}:weights={path}"
    return (BEFORE, f"max:nodes={lesson.nodes}") if has_weights(game) and not lesson.measure else (GREEDY, GREEDY)


def shipped(kind: Kind) -> str:
    """Return the text of the weights that ship with a game, or raise the error for one that has none yet."""
    try:
        return kind.text(WEIGHTS)
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
    if text is not None:
        return training(kind).go_on(game, text, seconds, seed, whisper)
    return training(kind).train(game, seconds, seed, whisper)


def whisper(sentence: str) -> None:
    """Say how the learning goes, beside what is printed."""
    print(sentence, file=sys.stderr, flush=True)


def training(kind: Kind) -> Training:
    """Return the module that teaches a game, or raise the error for one that has nothing to learn."""
    name = f"{kind.package}.training"
    if find_spec(name) is None:
        raise TableeError(f"{kind.slug} has nothing to learn: it brings no module {name}")
    return cast(Training, import_module(name))


def configurations(kind: Kind) -> list[Game]:
    """Return the configurations a game learns."""
    given = getattr(training(kind), "configurations", None)
    return list(given(kind)) if given else [choose(kind)]


def has_weights(game: Game) -> bool:
    """Return whether weights ship that fit a configuration."""
    if game.kind.judgement is None:
        return False
    try:
        game.kind.text(WEIGHTS)
        game.kind.judgement(game)
    except (OSError, ValueError, LookupError):
        return False
    return True
