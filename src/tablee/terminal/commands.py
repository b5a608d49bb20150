"""The commands for players from elsewhere: `tablee engine` and `tablee join`."""

import os
import sys
from collections.abc import Callable
from contextlib import closing
from importlib.util import find_spec
from typing import Annotated

import typer

from tablee.core.errors import TableeError, needing
from tablee.core.game import Game
from tablee.core.kind import Setup
from tablee.core.text import write
from tablee.locale import words as door_words
from tablee.players.outside import lent_player
from tablee.players.program import PATIENCE
from tablee.room.room import Room
from tablee.tables.telling import result_sentences
from tablee.terminal.arguments import SPOKEN, Language
from tablee.terminal.engine import run_engine
from tablee.terminal.plain import Keeping
from tablee.terminal.seats import room_of, take_seat


def engine(
    player: Annotated[str, typer.Argument(metavar="[PLAYER]", help="level1 to level8, max, or module:Class")] = "max",
) -> None:
    """Play for another program: speak the protocol of docs/engine-protocol.md over standard input and output."""
    run_engine(player)


def join(
    url: Annotated[str, typer.Argument(metavar="URL", help="a table of a house, or an invitation to it")],
    player: Annotated[str, typer.Option(help="who plays: level1 to level8, max, module:Class or cmd:PROGRAM")] = "",
    name: Annotated[str, typer.Option(help="the name at the table")] = "",
    watch: Annotated[bool, typer.Option("--watch", help="only watch: tell every action")] = False,
    seconds: Annotated[float | None, typer.Option(min=0.001, help="the most seconds for an action")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, help="the most nodes for an action")] = None,
    patience: Annotated[float, typer.Option(min=0.1, help="how long a program may take to answer at all")] = PATIENCE,
    lang: Language = SPOKEN,
) -> None:
    """Sit at a table of a house, or watch it."""
    if watch:
        tell_game(Room(url, language=lang), lang)
    elif player:
        room = room_of(url, lang, name or player)
        play_for(room, player, name or player, seconds, nodes, patience)
        tell_end(room, lang)
    else:
        show_house_table(room_of(url, lang, name), name, lang)


def has_screen() -> bool:
    """Return whether a full screen can be shown: there is a terminal, and Textual is installed."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and find_spec("textual") is not None


def show_own_table(game: Game, players: list[str], lang: str, seed: int | None, setup: Setup, kept: Keeping) -> None:
    """Play a game on the full screen, then tell its record as the plain terminal does."""
    from tablee.terminal.screen import TableScreen
    from tablee.terminal.sitting import OwnTable

    own = OwnTable(game, players, lang, seed, setup, kept)
    with closing(own.plain):
        TableScreen(own).run()
        own.plain.say = print
        own.plain.leave()


def show_house_table(room: Room, name: str, lang: str) -> None:
    """Sit down where an invitation or a name says so, and show the table on the full screen."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise TableeError("there is no terminal to play at: expected --player PLAYER, or --watch")
    with needing("tablee join", "terminal"):
        from tablee.terminal.screen import TableScreen
        from tablee.terminal.sitting import HouseTable
    if room.invitation or name:
        take_seat(room, name or door_words(lang)("terminal player"), name, "person")
    TableScreen(HouseTable(room, lang)).run()
    tell_end(room, lang)


def play_for(room: Room, player: str, name: str, seconds: float | None, nodes: int | None, patience: float) -> None:
    """Let a named player play at a table; one of your own runs in a process of its own and must answer within `patience` seconds."""
    with lent_player(room.table.game, player, patience=patience) as lent:
        take_seat(room, name, name, "bot")
        room.play(lent, seconds=seconds, nodes=nodes, patience=None)  # a process of its own has its deadline already


def tell_game(room: Room, lang: str) -> None:
    """Print a game as it is played, from its present state on."""
    for number, state in enumerate(room.watch()):
        if not number:
            print(write(state.scene(lang)), flush=True)
        for sentence in state.told(lang) if number else ():
            print(sentence, flush=True)
    tell_end(room, lang)


def tell_end(room: Room, lang: str) -> None:
    """Tell how a game ended, or how to come back to it."""
    state, result, doors = room.table.state, room.table.result, door_words(lang)
    if state is None or result is None:
        print(doors("join nothing" if state is None else "join unfinished"), *[doors("join again")] * bool(room.seats))
        return
    print("\n".join(result_sentences(state, result, lang)))


COMMANDS: dict[str, Callable[..., None]] = {"engine": engine, "join": join}
