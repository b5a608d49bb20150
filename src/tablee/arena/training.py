"""Learned weights made anew: self-play on all cores, the best try kept, the gain measured in paired games.

A game that learns has a module `training` in its folder:

    train(game, seconds, seed, report) -> str        learn one configuration; the text of its section of weights.txt
    go_on(game, text, seconds, seed, report) -> str  the same, begun with the weights of a text (if left out: each begins anew)
    configurations(kind) -> list[Game]               which configurations there are (if left out: the usual one)
    untrained(game) -> str                           the section of one that has learned nothing, to measure against
                                                     (if left out: the weights that ship or, where none do, greedy)

and in `judgement` a function `judge(game, text)` that gives the judgement of a game with the weights of a text. `report`
takes a sentence now and then. The file that ships is a comment with date, command and gain, then the sections.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from itertools import groupby
from os import cpu_count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol, cast

from tablee import catalog
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
    """How long to learn, from which weights if not from nothing, and how to measure what it brought."""

    slug: str
    seconds: float
    seed: int = 1
    games: int = 200
    nodes: int = 500
    cores: int = 0
    ray: str = ""
    start: Path | None = None


@dataclass(frozen=True)
class Learned:
    """One configuration: its section of the file, whom it was measured against, and what it won; where all win together, what the other won."""

    game: Game
    section: str
    against: str
    gain: Rate
    other: Rate


def learn(lesson: Lesson, report: Callable[[str], None]) -> tuple[str, list[Learned]]:
    """Return the text of the file that ships, and what each configuration has gained."""
    kind = catalog.kind(lesson.slug)
    games = configurations(kind)
    text = begun(kind, lesson.start) if lesson.start else None
    tries = max(1, (lesson.cores or cpu_count() or 1) // len(games))
    jobs = [(lesson.slug, number, lesson.seconds, lesson.seed + attempt, text) for number in range(len(games)) for attempt in range(tries)]
    sections: dict[int, str] = {}
    for job, section in spread(train_one, jobs, lesson.cores, lesson.ray):
        sections[job] = section
        report(f"{len(sections)}/{len(jobs)}")
    learned = []
    for number, rows in groupby(range(len(jobs)), key=lambda job: jobs[job][1]):
        found = [sections[row] for row in rows]
        learned.append(measured(lesson, games[int(str(number))], found))
        report(f"{games[int(str(number))]!r}: {percent(learned[-1].gain)} / {learned[-1].against}")
    return "".join([*heading(lesson, learned), *(one.section.rstrip("\n") + "\n" for one in learned)]), learned


def heading(lesson: Lesson, learned: Sequence[Learned]) -> list[str]:
    """Return the comment that begins the file: when, how, and what it brought."""
    how = f"tablee train {lesson.slug} --seconds {lesson.seconds:g} --seed {lesson.seed}{f' --from {lesson.start}' if lesson.start else ''}"
    return [f"# {datetime.now(UTC):%Y-%m-%d}: {how}\n", *(gained(lesson, one) for one in learned)]


def gained(lesson: Lesson, one: Learned) -> str:
    """Return the line of the comment that says what one configuration has gained."""
    usual = {option.name: option.default for option in one.game.kind.options}
    changed = "".join(f" {name}={value}" for name, value in one.game.chosen if usual.get(name) != value)
    told = f"# {one.game.seats} seats{changed}: "
    if one.game.kind.together:
        return f"{told}wins {percent(one.gain)} of {one.gain.number} games at {lesson.nodes} nodes; {one.against}: {percent(one.other)}\n"
    return f"{told}{percent(one.gain)} of {one.gain.number} paired games at {lesson.nodes} nodes, against {one.against}\n"


def measured(lesson: Lesson, game: Game, sections: Sequence[str]) -> Learned:
    """Return the best of several tries at a configuration, each measured against the same rival."""
    with TemporaryDirectory() as folder:
        against, rival = yardstick(game, lesson.nodes, Path(folder))
        found = []
        for number, section in enumerate(sections):
            path = Path(folder) / f"{number}.txt"
            path.write_text(section, encoding="utf-8")
            player = f"max:nodes={lesson.nodes}:weights={path}"
            plan = make_plan(game, (player, rival), lesson.games, seed=lesson.seed)
            new, old = make_report(plan, carry_out(plan, cores=lesson.cores)).standings
            found.append(Learned(game, section, against, new.rate, old.rate))
    return max(found, key=lambda one: one.gain.value)


def yardstick(game: Game, nodes: int, folder: Path) -> tuple[str, str]:
    """Return whom new weights meet, in words and as a player: the untrained judgement, else the weights that ship, else greedy."""
    given = getattr(training(game.kind), "untrained", None)
    if given:
        path = folder / "untrained.txt"
        path.write_text(given(game), encoding="utf-8")
        return UNTRAINED, f"max:nodes={nodes}:weights={path}"
    return (BEFORE, f"max:nodes={nodes}") if has_weights(game) else (GREEDY, GREEDY)


def begun(kind: Kind, path: Path) -> str:
    """Return the text of the weights to go on from, or raise the error for a game that does not go on, or a file that cannot be read."""
    if not hasattr(training(kind), "go_on"):
        raise TableeError(f"{kind.slug} learns anew each time: {kind.package}.training has no go_on")
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TableeError(f"cannot go on from {shown(path.name)}: {error}") from error


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
