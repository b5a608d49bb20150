"""The command `tablee`: each subcommand does one thing; errors are one sentence with exit code 2."""

import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from io import TextIOWrapper
from itertools import pairwise
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.markdown import Markdown
from typer.main import get_command

from tablee import __version__, catalog, house_cli, players_cli, store_cli
from tablee.core import position as compiled_module
from tablee.core.errors import TableeError, needing, shown
from tablee.core.perft import perft, successors
from tablee.core.record import result
from tablee.core.rulebook import Figure, figure_state, read_rulebook
from tablee.core.state import Chance, Decision, State
from tablee.core.text import write
from tablee.core.words import LANGUAGES
from tablee.locale import words as door_words
from tablee.locale.errors import error_text
from tablee.locale.help import helped, run
from tablee.site.command import site
from tablee.skeleton import make_skeleton
from tablee.tables.events import read_log
from tablee.tables.payloads import Opened, payload_as
from tablee.tables.record import read_proof, verify_log, verify_record
from tablee.tables.telling import result_of, result_sentences
from tablee.terminal import commands as terminal_commands
from tablee.terminal.arguments import SPOKEN, Language, Options, Seats, Slug, slugs, taking
from tablee.terminal.asides import read_command
from tablee.terminal.commands import has_screen, show_own_table
from tablee.terminal.lines import make_console
from tablee.terminal.plain import Keeping, PlainTable
from tablee.terminal.source import agreed, pairs, read_state, text_of

Chosen = Annotated[
    list[str] | None,
    typer.Option("--setup", metavar="NAME=VALUE", help="what the table chooses of the set-up, such as colours=bg; may be given several times"),
]
SetUp = Annotated[list[str] | None, typer.Option("--setup", metavar="NAME=VALUE", help="what would be drawn at set-up; may be given several times")]
Record = Annotated[str, typer.Argument(metavar="RECORD", help="a file, or - for standard input")]

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, pretty_exceptions_enable=False)


def add(commands: Mapping[str, Callable[..., None]]) -> None:
    """Add commands that stand in a module of their own; help lists them in the order in which they are added."""
    for name, command in commands.items():
        app.command(name)(command)


add({**store_cli.COMMANDS, "site": site})


def main() -> None:
    """Run the command; an error in outside data is one sentence on standard error and exit code 2."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter shows ?, and an invalid byte is no error
    try:
        run(helped(get_command(app), language_asked()), language_asked())
    except TableeError as error:
        leave(error)
    except OSError as error:
        if error.filename is None:
            raise
        leave(TableeError(f"{shown(str(error.filename))} cannot be read or written: {error.strerror}"))


def leave(wrong: TableeError) -> NoReturn:
    """Say what is wrong in the language asked for, and end with exit code 2."""
    print(f"tablee: {error_text(wrong, language_asked())}", file=sys.stderr)
    raise SystemExit(2) from None


def language_asked() -> str:
    """Return the language that the command line asks for, or that of the locale."""
    words = [part for word in sys.argv[1:] for part in (word.split("=", 1) if word.startswith("--lang=") else (word,))]
    asked = dict(pairwise(words)).get("--lang", SPOKEN)
    return asked if asked in LANGUAGES else SPOKEN


def show_version(wanted: bool) -> None:
    """Print the version and whether the engine is compiled."""
    if wanted:
        compiled = not str(compiled_module.__file__).endswith(".py")
        print(f"tablee {__version__} ({door_words(SPOKEN)('compiled' if compiled else 'plain')})")
        raise typer.Exit


@app.callback()
def tablee(
    wanted: Annotated[bool, typer.Option("--version", callback=show_version, is_eager=True, help="show the version and leave")] = False,
) -> None:
    """Tablée: a game library open day and night."""


@app.command()
def games(seats: Seats = None, option: Options = None, lang: Language = SPOKEN) -> None:
    """List the games with their seats and options; with --seats or --option, those that can be played so."""
    doors = door_words(lang)
    shelf = {slug: kind for slug, kind in catalog.kinds().items() if takes(slug, seats, option)}
    if not shelf:
        raise TableeError("no game of the shelf can be played so: see `tablee games` for the seats and options of each")
    for slug, kind in shelf.items():
        words = kind.words(lang)
        few, many = kind.seats[0], kind.seats[-1]
        players = doors("players" if few != many else "players exactly", least=few, most=many)
        print(f"{slug}: {words('title')} ({doors('ages', players=players, age=kind.age) if kind.age else players})")
        print(f"    {words('line')}")
        for choice in kind.options:
            print("    " + doors("option", name=choice.name, question=words(f"option {choice.name}")))
            for value in choice.values:
                key = "option default" if value == choice.default else "option value"
                print("        " + doors(key, value=value, sentence=words(f"option {choice.name} {value}")))
            if choice.ranged:
                print("        " + doors("option range", least=choice.least, most=choice.most, default=choice.default))


@app.command()
def rules(slug: Slug, seats: Seats = None, option: Options = None, lang: Language = SPOKEN) -> None:
    """Print the rules of a game, its figures drawn, then what the options of the table mean."""
    game = agreed(slug, seats, option)
    kind = game.kind
    doors = door_words(lang)
    words = kind.words(lang)
    console = Console(highlight=False)
    for part in read_rulebook(kind.text(f"rules.{lang}.md")).parts:
        if isinstance(part, Figure):
            state = figure_state(kind, part)
            print(write(kind.scene(state.game, state.position, words)))  # rich would break a wide board
            print(doors("figure", caption=part.caption))
        else:
            console.print(Markdown(part))
    print(doors("this table", seats=game.seats))
    for choice in kind.options:
        value = game.option(choice.name)
        key = f"option {choice.name} {value}" if value in choice.values else f"option {choice.name}"
        print("    " + doors("option value", value=f"{choice.name}={value}", sentence=words(key)))


@dataclass(frozen=True)
class Playing:
    """What `tablee play` is given."""

    slug: Annotated[str, typer.Argument(metavar="[GAME]", help="the game; asked for, if not said", autocompletion=slugs)] = ""
    players: Annotated[str, typer.Option(help="a player for each seat, by commas: human, level1 to level8, max, greedy, random")] = ""
    seats: Seats = None
    option: Options = None
    setup: Chosen = None
    plain: Annotated[bool, typer.Option("--plain", help="lines of text for screen readers and scripts, no full screen")] = False
    boards: Annotated[bool, typer.Option("--boards", help="with --plain: draw the boards too")] = False
    seed: Annotated[int | None, typer.Option(help="seed of the dice and the programs: the same number gives the same game")] = None
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="keep the record there at the end")] = None
    start: Annotated[str, typer.Option("--from", metavar="RECORD", help="go on from the last position of a record, or from a position line")] = ""
    lang: Language = SPOKEN


@app.command()
@taking(Playing)
def play(given: Playing) -> None:
    """Play a game in the terminal."""
    before = read_state(given.start, given.slug, given.seats, given.option) if given.start else None
    names = [name.strip() for name in given.players.split(",")] if given.players else []
    full = not given.plain and has_screen()
    if full and not (given.slug or before):
        from tablee.terminal.choosing import ChooseScreen

        chosen = ChooseScreen(given.lang).run()
        if chosen is None:
            return
        game, names = chosen.game, chosen.players
    else:
        game = before.game if before else agreed(given.slug or ask_for_game(given.lang), given.seats, given.option)
    kept = Keeping(game.dump(before) if before else "", given.save)
    if full:
        show_own_table(game, names, given.lang, given.seed, pairs(given.setup), kept)
        return
    with closing(
        PlainTable(game, names, make_console(given.lang, boards=given.boards or not given.plain), given.seed, pairs(given.setup), kept)
    ) as table:
        table.run()


@app.command()
def legal(
    record: Record, seats: Seats = None, option: Options = None, game: Annotated[str, typer.Option(help="the game, if a position is given")] = ""
) -> None:
    """List the legal actions at the end of a record: a line for each seat and token."""
    state = read_state(record, game, seats, option)
    match state.node:
        case Decision(acting, _):
            for seat in acting:
                for action in state.legal(seat):
                    print(seat + 1, state.game.notate(action))
        case Chance(outcomes):
            for action, _ in outcomes:
                print(state.turn + 1, state.game.notate(action))


@app.command()
def replay(record: Record, seats: Seats = None, option: Options = None, lang: Language = SPOKEN) -> None:
    """Tell a record event by event, then show the last board and the result."""
    state = read_state(record, "", seats, option)
    for moment in state.path():
        for sentence in moment.told(lang):
            print(sentence)
    print(write(state.scene(lang)))
    ended = result_of(state)
    if ended:
        print("\n".join(result_sentences(state, ended, lang)))
    print(f"result: {result(state)}")


@app.command()
def verify(
    source: Annotated[
        str, typer.Argument(metavar="RECORD|LOG", help="a file, or - for standard input: a record with its proof, or a log as JSON lines")
    ],
    lang: Language = SPOKEN,
) -> None:
    """Check the dice of a finished game: recompute every draw from the secret that was sealed before play."""
    text, doors = text_of(source), door_words(lang)
    if text is None:
        raise TableeError(f"{shown(source)} is no file: expected a record or a log")
    if text.lstrip().startswith("{"):
        events = read_log(text)
        count, version = verify_log(events), payload_as(events[0], Opened).dice or 1
        print(doors("verify chain", count=len(events)))
    else:
        count, version = verify_record(text), read_proof(text)[0].version
    print(doors("verify fair", count=count) if count else doors("verify none"))
    if version == 1:
        print(doors("verify v1"))


@app.command()
def draw(
    record: Annotated[str, typer.Argument(metavar="RECORD|POSITION", help="a file, - for standard input, or a position line")],
    game: Annotated[str, typer.Option(help="the game of a position line, if several could read it")] = "",
    seats: Seats = None,
    option: Options = None,
    text: Annotated[bool, typer.Option("--text", help="draw with letters instead of SVG")] = False,
    lang: Language = SPOKEN,
) -> None:
    """Draw the board at the end of a record, or a position, as SVG."""
    state = read_state(record, game, seats, option)
    sys.stdout.write(write(state.scene(lang)) if text else state.svg(lang))


@app.command("print")
def print_and_play(
    slug: Slug,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="where to write it (default: GAME.pdf)")] = None,
    lang: Language = SPOKEN,
) -> None:
    """Write a game as a PDF at true scale, to print, cut out and play: board, pieces, one page of rules."""
    with needing("tablee print", "print"):
        from tablee.printing import print_game

        content = print_game(catalog.kind(slug), lang)
    file = out or Path(f"{slug}.pdf")
    file.write_bytes(content)
    sys.stdout.write(f"{file}\n")


@app.command("perft")
def count(
    slug: Slug,
    depth: Annotated[str, typer.Argument(metavar="DEPTH", help="how many actions, from 0 to 99")],
    divide: Annotated[bool, typer.Option("--divide", help="a line for each first action")] = False,
    seats: Seats = None,
    option: Options = None,
    setup: SetUp = None,
) -> None:
    """Count the sequences of DEPTH actions from the start; the last number printed is the count."""
    chosen = agreed(slug, seats, option)
    if not (depth.isascii() and depth.isdigit() and len(depth) <= 2):
        raise TableeError(f"{shown(depth)} is no depth: expected a whole number from 0 to 99")
    state = chosen.start_from(pairs(setup)) if setup else chosen.start(lambda n: 0)
    before = signal.signal(signal.SIGINT, signal.SIG_DFL)  # compiled code does not hear Ctrl-C by itself
    try:
        count_from(state, int(depth), divide)
    finally:
        signal.signal(signal.SIGINT, before)


def count_from(state: State, depth: int, divide: bool) -> None:
    """Print the count, after a line for each first action if `divide` is set."""
    size = state.game.action_count
    total = 0
    if not divide or depth == 0:
        print(int(perft(state.position, depth, size)))
        return
    for action in successors(state.position, size):
        below = int(perft(state.play(int(action)).position, depth - 1, size))
        print(f"{state.game.notate(int(action))} {below}")
        total += below
    print(total)


add(house_cli.COMMANDS)
add(players_cli.COMMANDS)


@app.command()
def new(
    slug: Annotated[str, typer.Argument(metavar="GAME", help="a short name in lower case letters")],
    folder: Annotated[Path | None, typer.Option(help="where to write it (default: ./tablee-GAME)")] = None,
    lang: Language = SPOKEN,
) -> None:
    """Write the skeleton of a new game: a plug-in package that passes every check at once."""
    target = folder or Path(f"tablee-{slug}")
    make_skeleton(slug, target)
    print(door_words(lang)("new", slug=slug, folder=str(target)))


add(terminal_commands.COMMANDS)


def takes(slug: str, seats: str | None, option: list[str] | None) -> bool:
    """Return whether a game can be played with these seats and options."""
    try:
        agreed(slug, seats, option)
    except TableeError:
        return False
    return True


def ask_for_game(lang: str) -> str:
    """Show the shelf and return the game that is chosen, by number or name."""
    shelf = catalog.kinds()
    for number, (slug, kind) in enumerate(shelf.items(), 1):
        words = kind.words(lang)
        print(f"{number}  {slug:<10}  {words('line')}")
    try:
        chosen = input(door_words(lang)("which game")).strip()
    except (EOFError, KeyboardInterrupt):
        print()
        raise typer.Exit from None
    if read_command(chosen)[0] in ("", "quit"):
        raise typer.Exit
    return dict(zip(map(str, range(1, len(shelf) + 1)), shelf, strict=True)).get(chosen, chosen)
