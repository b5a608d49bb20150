"""What a full screen plays at: a table of its own, or a table of a house."""

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Protocol

from tablee.core.errors import TableeError
from tablee.core.game import NO_SETUP, Game
from tablee.core.kind import Setup
from tablee.locale import words as door_words
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

    def play(self, seat: int, token: str) -> str:
        """Play a token; return why it is refused, or nothing."""

    def command(self, line: str, seat: int) -> str:
        """Do what is typed, such as `undo` or `rule 2.1`; return what is to be said."""

    def follow(self, changed: Callable[[], None], gone: Callable[[], bool]) -> None:
        """Run in a thread: let programs play, or listen to the house; call `changed` after everything that happened."""


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
            answers = iter([line])
            self.plain.console = Console(lambda prompt: next(answers), self.said.append, self.language)
            self.plain.listen(seat)
            return "\n".join(self.said[1:])  # the first is the question, which stands above the board

    def follow(self, changed: Callable[[], None], gone: Callable[[], bool]) -> None:
        """Let programs play while it is their turn."""
        while not gone() and self.table.result is None:
            seat = next((seat for seat in self.table.asked if seat in self.plain.programs), None)
            if seat is None:
                return
            with self.lock:
                self.plain.step((seat,))
            changed()


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

    def follow(self, changed: Callable[[], None], gone: Callable[[], bool]) -> None:
        """Listen to the house until the game is over."""
        for _ in self.room.stream(self.room.table.seq + 1):
            if gone():
                return
            changed()
