"""The commands that measure and train computer players: arena, strength, train."""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tablee import catalog
from tablee.arena.plan import Plan, make_plan
from tablee.arena.report import GAMES, Report, make_report, table, write_report
from tablee.arena.run import carry_out
from tablee.arena.strength import SECONDS, ship, shipped, strength_plan
from tablee.arena.training import Lesson, learn
from tablee.core.errors import TableeError, shown
from tablee.core.record import seat_number
from tablee.locale import words as door_words
from tablee.players.program import PATIENCE
from tablee.terminal.arguments import SPOKEN, Language, Options, Seats, Slug, taking
from tablee.terminal.source import agreed, pairs

Kept = Annotated[Path | None, typer.Option("--report", metavar="FOLDER", help="keep the games there (the same command goes on), then table and plot")]
Cores = Annotated[int, typer.Option("--cores", min=0, help="how many processes (0: as many as there are cores)")]


@dataclass(frozen=True)
class Arena:
    """What `tablee arena` is given."""

    slug: Slug
    players: Annotated[
        list[str], typer.Argument(metavar="PLAYER…", help="level3, max, mcts, greedy, uniform; max:seconds=0.5; module:Class; cmd:PROGRAM")
    ]
    games: Annotated[int, typer.Option("--games", min=1, help="how many games each two play, both ways round")] = 100
    seats: Seats = None
    option: Options = None
    seed: Annotated[int, typer.Option(help="seed: the same number gives the same games")] = 1
    opening: Annotated[int | None, typer.Option(min=0, help="random actions before the players begin (where nothing is thrown: 4)")] = None
    ladder: Annotated[bool, typer.Option("--ladder", help="only neighbours in the list meet")] = False
    seconds: Annotated[float | None, typer.Option(min=0.001, help="the most seconds for an action")] = None
    nodes: Annotated[int | None, typer.Option(min=1, help="the most nodes for an action")] = None
    against: Annotated[list[str] | None, typer.Option(metavar="PLAYER", help="one whom all others meet too; may be given several times")] = None
    patience: Annotated[float, typer.Option(min=0.1, help="how many seconds a player of your own may take to answer at all")] = PATIENCE
    report: Kept = None
    cores: Cores = 0
    ray: Annotated[str, typer.Option(metavar="ADDRESS", help="play on a Ray cluster; local begins one here")] = ""
    lang: Language = SPOKEN


@taking(Arena)
def arena(given: Arena) -> None:
    """Let players meet in paired games, and rate them."""
    game = agreed(given.slug, given.seats, given.option)
    plan = make_plan(
        game,
        tuple(given.players),
        given.games,
        seed=given.seed,
        opening=given.opening,
        ladder=given.ladder,
        against=tuple(given.against or ()),
        patience=given.patience,
    )
    made = played(replace(plan, seconds=given.seconds, nodes=given.nodes), given.report, given.cores, given.ray, given.lang)
    print("\n".join(table(made, given.lang)))
    if given.report:
        print("\n" + door_words(given.lang)("arena kept", folder=str(given.report)))


@dataclass(frozen=True)
class Strength:
    """What `tablee strength` is given."""

    slug: Slug
    games: Annotated[
        int, typer.Option("--games", min=0, help="measure again, with this number of games for each pair (0: print what was measured)")
    ] = 0
    seats: Seats = None
    option: Options = None
    seed: Annotated[int, typer.Option(help="seed: the same number gives the same games")] = 1
    seconds: Annotated[float, typer.Option(min=0.001, help="how long max thinks about an action")] = SECONDS
    report: Kept = None
    out: Annotated[Path | None, typer.Option(metavar="FOLDER", help="where to write the pages (default: GAME-strength in this folder)")] = None
    cores: Cores = 0
    lang: Language = SPOKEN


@taking(Strength)
def strength(given: Strength) -> None:
    """Print how strong the levels of a game are, or measure them again and write their pages."""
    kind = catalog.kind(given.slug)
    if not given.games:
        print(shipped(kind, given.lang) or door_words(given.lang)("strength unknown", game=kind.words(given.lang)("title")))
        return
    folder = given.out or Path(f"{given.slug}-strength")
    folder.mkdir(parents=True, exist_ok=True)
    made = played(
        strength_plan(agreed(given.slug, given.seats, given.option), given.games, given.seed, given.seconds),
        given.report,
        given.cores,
        "",
        given.lang,
    )
    ship(made, folder)
    print("\n".join(table(made, given.lang)))
    print("\n" + door_words(given.lang)("strength written", folder=str(folder)))


def played(plan: Plan, report: Path | None, cores: int, ray: str, lang: str) -> Report:
    """Run a plan with a progress bar and return its report; write the report if games are kept."""
    words = door_words(lang)
    with progress_bar() as bar:
        task = bar.add_task(words("arena playing"), total=None)
        try:
            results = carry_out(
                plan, report and report / GAMES, cores=cores, ray=ray, progress=lambda done, of: bar.update(task, completed=done, total=of)
            )
        except KeyboardInterrupt:
            print(words("arena stopped" if report else "arena lost"), file=sys.stderr)
            raise typer.Exit(130) from None
    made = make_report(plan, results)
    if report:
        write_report(made, report, lang)
    return made


@dataclass(frozen=True)
class Training:
    """What `tablee train` is given."""

    slug: Slug
    seconds: Annotated[float, typer.Option(min=0.1, help="how long each configuration learns")] = 100.0
    seed: Annotated[int, typer.Option(help="seed: the same number gives the same learning, as far as time allows")] = 1
    games: Annotated[int, typer.Option(min=2, help="how many paired games measure the gain")] = 200
    nodes: Annotated[int, typer.Option(min=1, help="how many nodes an action has in them")] = 500
    start: Annotated[Path | None, typer.Option("--from", metavar="FILE", help="go on learning from the weights of a file")] = None
    seats: Annotated[str | None, typer.Option("--seats", metavar="NUMBER", help="only the configurations with this number of seats")] = None
    option: Options = None
    measure: Annotated[bool, typer.Option("--measure", help="learn nothing: measure what ships, and write that down")] = False
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="where to write (default: GAME-weights.txt in this folder)")] = None
    cores: Cores = 0
    ray: Annotated[str, typer.Option(metavar="ADDRESS", help="learn on a Ray cluster; local begins one here")] = ""
    lang: Language = SPOKEN


@taking(Training)
def train(given: Training) -> None:
    """Learn the weights of a game by self-play, measure the gain, and write them to a file."""
    words = door_words(given.lang)
    number = None if given.seats is None else seat_number(given.seats)
    wanted = tuple(pairs(given.option).items())
    lesson = Lesson(
        given.slug, given.seconds, given.seed, given.games, given.nodes, given.cores, given.ray, given.start, number, wanted, given.measure
    )
    target = given.out or Path(f"{given.slug}-{catalog.kind(given.slug).mind.weights or 'weights.txt'}")
    if not target.parent.is_dir():
        raise TableeError(f"cannot write {shown(str(target))}: there is no folder {shown(str(target.parent))}")
    text, _ = learn(lesson, lambda sentence: print(sentence, file=sys.stderr, flush=True))
    target.write_text(text, encoding="utf-8")
    print(words("train written", file=str(target)))


def progress_bar() -> Progress:
    """Return a progress bar on standard error."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


COMMANDS: dict[str, Callable[..., None]] = {"arena": arena, "strength": strength, "train": train}
