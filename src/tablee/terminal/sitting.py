"""What a full screen plays at: a table of its own, or a table of a house."""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Protocol

from tablee.core.errors import TableeError
from tablee.core.game import NO_SETUP, Game
from tablee.core.kind import Setup
from tablee.locale import words as door_words
from tablee.locale.errors import in_language
from tablee.players.bot import Fault
from tablee.room.room import Room
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.terminal.plain import Console, Keeping, PlainTable


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
    """A table of one's own, in this process."""

    def __init__(
        self, game: Game, players: Sequence[str], language: str, seed: int | None = None, setup: Setup = NO_SETUP, kept: Keeping | None = None
    ) -> None:
        """Lay it."""
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
    """A table of a house, from afar."""

    def __init__(self, room: Room, language: str) -> None:
        """Look at it; whoever shall play has taken a seat before."""
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
        try:
            self.room.do("play", seat=seat, tokens=[token])
        except TableeError as error:
            return str(error)
        self.room.refresh()
        return ""

    def command(self, line: str, seat: int) -> str:
        """Ask the house to take back, or to end the game; everything else is typed notation."""
        asked = {"undo": "take_back", "reprendre": "take_back", "stop": "stop", "arrêter": "stop", "resign": "resign", "abandonner": "resign"}
        if line not in asked:
            return next((wrong for token in line.split() if (wrong := self.play(seat, token))), "")
        try:
            self.room.do(asked[line], seat=seat)
        except TableeError as error:
            return str(error)
        return door_words(self.language)("asked of the house")

    def follow(self, changed: Callable[[], None], gone: Callable[[], bool], say: Callable[[str], None]) -> None:
        """Listen to the house until the game is over."""
        for _ in self.room.stream(self.room.table.seq + 1):
            if gone():
                return
            changed()
