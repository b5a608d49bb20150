"""What a full screen plays at: a table of its own, or a table of a house."""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Protocol

from tablee.core.errors import TableeError
from tablee.core.game import NO_SETUP, Game
from tablee.core.kind import Setup
from tablee.core.record import split
from tablee.core.text import write
from tablee.locale import words as door_words
from tablee.locale.errors import in_language
from tablee.players.bot import Fault
from tablee.room.room import Room
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.terminal.asides import COMMANDS, read_command, record, rule, save
from tablee.terminal.plain import Console, Keeping, PlainTable

# Only at a table of a house is there somebody to resign to.
HOUSE_COMMANDS = {**COMMANDS, "resign": ("resign", "abandonner")}


class Sitting(Protocol):
    """A table with people at this screen."""

    language: str

    @property
    def table(self) -> Table:
        """The table as it stands."""

    def due(self) -> Sequence[int]:
        """Return the seats that people at this screen may act for now."""

    def held(self) -> Sequence[int]:
        """Return the seats of people at this screen."""

    def play(self, seat: int, token: str) -> str:
        """Play a token; return why it is refused, or nothing."""

    def command(self, line: str, seat: int) -> str:
        """Do what is typed, such as `undo` or `rule 2.1`; return what is to be said."""

    def follow(self, changed: Callable[[], None], gone: Callable[[], bool], say: Callable[[str], None]) -> None:
        """Run in a thread: let programs play, or listen to the house; call `changed` after everything that happened, `say` with troubles."""


class OwnTable:
    """A table in this process."""

    def __init__(
        self, game: Game, players: Sequence[str], language: str, seed: int | None = None, setup: Setup = NO_SETUP, kept: Keeping | None = None
    ) -> None:
        """Open the table."""
        self.language = language
        self.said: list[str] = []
        self.lock = Lock()
        self.plain = PlainTable(game, players, Console(input, self.said.append, language), seed, setup, kept)

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.plain.table

    def due(self) -> Sequence[int]:
        """Return the seats that people may act for now."""
        return [] if self.table.result else [seat for seat in self.table.asked if seat not in self.plain.programs]

    def held(self) -> Sequence[int]:
        """Return the seats of people."""
        return [seat for seat in range(self.plain.game.seats) if seat not in self.plain.programs]

    def play(self, seat: int, token: str) -> str:
        """Play a token; return why it is refused, or nothing."""
        with self.lock:
            self.said.clear()
            try:
                self.plain.play(seat, token, self.plain.person)
            except Refused as error:
                self.plain.refuse(error, token)
                return " ".join(self.said)
            return ""

    def command(self, line: str, seat: int) -> str:
        """Do what is typed."""
        with self.lock:
            self.said.clear()
            try:
                self.plain.obey(line, seat)
            except Refused as error:
                self.plain.refuse(error, line)
            except TableeError as error:
                self.said.append(in_language(str(error), self.language))
            return "\n".join(self.said)

    def follow(self, changed: Callable[[], None], gone: Callable[[], bool], say: Callable[[str], None]) -> None:
        """Let programs play while it is their turn; they think outside the lock, so that nobody waits for them."""
        while not gone():
            with self.lock:
                table, seat = self.table, None if self.table.result else self.plain.program_due(self.table.asked)
            if seat is None or table.state is None:
                return
            fault = None
            try:
                action = self.plain.choice(seat, table.state)
            except Fault as error:
                fault = error
            with self.lock:
                if gone():
                    return
                if self.table.result or self.table.state is not table.state:  # something was taken back meanwhile
                    continue
                self.said.clear()
                if fault:
                    self.plain.take_over(seat, fault)
                else:
                    self.plain.answer(seat, action)
                troubles = "\n".join(self.said) if fault else ""
            changed()
            if troubles:
                say(troubles)


class HouseTable:
    """A table of a house, over the network."""

    def __init__(self, room: Room, language: str) -> None:
        """Show the table; a player has taken a seat before."""
        self.room, self.language = room, language

    @property
    def table(self) -> Table:
        """The table as far as it is known here."""
        return self.room.table

    def due(self) -> Sequence[int]:
        """Return the seats held here that may act now."""
        return self.room.due()

    def held(self) -> Sequence[int]:
        """Return the seats held here."""
        return self.room.seats

    def play(self, seat: int, token: str) -> str:
        """Play a token; return why the house refuses it, or nothing."""
        return self.ask("play", seat=seat, tokens=[token])

    def ask(self, t: str, **fields: object) -> str:
        """Give the house a command; return why it is refused, or nothing."""
        try:
            self.room.do(t, **fields)
            self.room.refresh()
        except TableeError as error:
            return in_language(str(error), self.language)
        return ""

    def command(self, line: str, seat: int) -> str:
        """Do what is typed: send the house the commands that it decides, and answer the others here; anything else is typed notation."""
        doors, held = door_words(self.language), self.room.seats
        mine = seat if seat in held or not held else held[0]  # out of turn one asks for one's own seat
        command, rest = read_command(line, HOUSE_COMMANDS)
        match command:
            case "undo" | "stop" | "resign":
                return self.ask({"undo": "take_back"}.get(command, command), seat=mine) or doors("asked of the house")
            case "hint":
                return self.ask("hint", seat=mine) or doors("hint of the house", action=self.table.hints[-1][2])
            case "quit":
                raise EOFError
            case "help":
                return f"{doors('help')}\n{doors('help house')}"
            case _:
                return self.answer(command, rest, line, mine)

    def answer(self, command: str, rest: str, line: str, seat: int) -> str:
        """Return what this terminal knows by itself, or play what is typed; return why it is refused."""
        state = self.table.state
        if state is None:
            return door_words(self.language)("join nothing")
        match command:
            case "legal":
                return " ".join(state.game.notate(action) for asked in self.due() for action in state.legal(asked))
            case "board":
                return write(state.scene(self.language))
            case "rule":
                return rule(state.game.kind, rest, self.language)
            case "record":
                return record(self.table)
            case "save":
                return save(self.table, rest, self.language)
        return next((wrong for token in split(state.game, line) if (wrong := self.play(seat, token))), "")

    def follow(self, changed: Callable[[], None], gone: Callable[[], bool], say: Callable[[str], None]) -> None:
        """Listen to the house until the game is over."""
        for _ in self.room.stream(self.room.table.seq + 1):
            if gone():
                return
            changed()
