"""A table of a house, folded here from its own log: every state is whole, with its history and its rules.

room = tablee.Room("http://127.0.0.1:8080/t/…/join/…")
room.play(Mine())
"""

import json
import secrets
import uuid
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from threading import Lock

from tablee.core.errors import TableeError
from tablee.core.state import State
from tablee.players.bot import Bot, Chooser, Fault
from tablee.players.program import GRACE, PATIENCE
from tablee.room.deadline import within
from tablee.room.line import Line, RoomError, split_url
from tablee.tables.events import Event, read_line
from tablee.tables.table import Table
from tablee.tables.tokens import Actor
from tablee.tables.values import Phase

__all__ = ["Room", "RoomError"]
CONTRIBUTION = 16
AGAIN = ("stale", "again", "turn", "phase", "time")


class Room:
    """One table of a house: `sit`, `play`, `watch` and `stream`; `AsyncRoom` does the same for asyncio."""

    def __init__(self, url: str, *, token: str = "", language: str = "en") -> None:
        """Open the table of a URL; the address of a house alone needs `open` next. `token` is that of a seat taken before."""
        self.base, self.id, self.invitation = split_url(url)
        self.line = Line(self.base, language)
        self.tokens: tuple[str, ...] = (token,) if token else ()
        if token:
            self.line.show(token)
        self.folded: Table | None = None
        self.lock = Lock()

    @property
    def url(self) -> str:
        """The address of the table, for people who watch."""
        return f"{self.base}/t/{self.id}"

    @property
    def table(self) -> Table:
        """The table as far as it is known here."""
        if self.folded is None:
            self.refresh()
        assert self.folded is not None
        return self.folded

    @property
    def state(self) -> State | None:
        """The game as it stands; None before it starts."""
        return self.table.state

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that are held here."""
        return self.table.held_by(Actor(self.tokens))

    def open(self, game: str, seats: int | None = None, **options: str) -> list[str]:
        """Open a table of a game, and return an invitation URL for each seat."""
        opened = self.line.ask("tables", {"game": game, "seats": seats, "options": options})
        self.id, self.tokens, self.folded = str(opened["table"]), (str(opened["token"]),), None
        self.line.show(self.tokens[0])
        invitations = [str(invitation) for invitation in opened["invitations"]]
        self.invitation = invitations[0]
        return [f"{self.url}/join/{invitation}" for invitation in invitations]

    def refresh(self) -> Table:
        """Fetch the events that are not known here yet, fold them, and return the table."""
        if not self.id:
            raise RoomError(f"{self.base!r} names no table: expected http://HOUSE/t/TABLE, or open() first", "url")
        known = self.folded.seq + 1 if self.folded else 0
        for number, fields in enumerate(self.line.ask(f"tables/{self.id}/state?since={known}")["events"], known):
            self.fold(read_line(number, json.dumps(fields, ensure_ascii=False)))
        assert self.folded is not None
        return self.folded

    def fold(self, event: Event) -> None:
        """Take an event in, unless it is known; a stream and a request may bring it at once."""
        with self.lock:
            if self.folded is None:
                self.folded = Table.laid(event)
            elif event.seq > self.folded.seq:
                self.folded.fold(event)

    def sit(self, name: str = "Bot", seat: int | None = None, player: str = "bot") -> int:
        """Take a seat and return it: that of the invitation, or an empty one of an open table."""
        fields = {"name": name, "player": player, "invitation": self.invitation, "contribution": secrets.token_hex(CONTRIBUTION)}
        seated = self.line.ask(f"tables/{self.id}/seats", fields | ({} if seat is None else {"seat": seat}))
        if seated["token"]:
            self.tokens = (str(seated["token"]), *self.tokens)
            self.line.show(self.tokens[0])
        return int(seated["seat"])

    def do(self, t: str, **fields: object) -> None:
        """Give a command of docs/pages.md, such as `do("fill", level="3")`; a resend by the line itself changes nothing."""
        self.line.ask(f"tables/{self.id}/commands", {"t": t, "move_id": uuid.uuid4().hex, **fields})

    def stream(self, since: int = 0) -> Iterator[Event]:
        """Give every event from a number on, as it happens, until the table is over; the table here follows."""
        if self.folded is None and since:
            self.refresh()
        for event in self.line.events(self.id, since):
            self.fold(event)
            yield event

    def watch(self) -> Iterator[State]:
        """Give the state after every action and throw, beginning with the present one."""
        table = self.refresh()
        shown = table.state
        if shown is not None:
            yield shown
        for _ in self.stream(table.seq + 1):
            state = self.table.state
            if state is not None and state is not shown:
                shown = state
                yield state

    def play(
        self,
        player: Chooser,
        *,
        name: str = "",
        seconds: float | None = None,
        nodes: int | None = None,
        patience: float | None = PATIENCE,
    ) -> Table:
        """Sit down unless a seat is held already, let a player choose until the game is over, and return the table.

        If the player fails, or does not answer within `patience` (at least five seconds more than `seconds`; None waits for ever),
        a program of the house takes its seat, so that the others can go on; then the error is raised.
        """
        self.refresh()
        if not self.seats:
            self.sit(name or type(player).__name__)
            self.refresh()
        limit = patience if patience is None or seconds is None else max(patience, seconds + GRACE)
        begun = False
        table = self.table
        try:
            while table.result is None:
                if table.state is not None and not begun:
                    begun = True
                    self.prepare(player, limit)
                self.act(player, seconds, nodes, limit)
                if self.table.result is None and not self.due():
                    next(self.stream(self.table.seq + 1), None)
                table = self.table
        except RoomError:
            raise
        except Exception as error:
            self.hand_over()
            sentence = str(error) if isinstance(error, TableeError) else f"{type(error).__name__}: {error}"
            raise Fault(f"the player failed, and a program of the house took its seat: {sentence}") from error
        return self.refresh()

    def prepare(self, player: Chooser, limit: float | None) -> None:
        """Let a bot prepare for the game."""
        if isinstance(player, Bot):
            game = self.table.game
            within(limit, lambda: player.begin(game, secrets.randbelow(1 << 40)))

    def hand_over(self) -> None:
        """Give the seats that are held here to programs of the house, as long as there is something to play."""
        for seat in self.seats:
            if self.table.phase in (Phase.WAITING, Phase.PLAYING):
                with suppress(RoomError):  # the game may have ended meanwhile
                    self.do("replace", seat=seat)

    def due(self) -> list[int]:
        """Return the seats held here that may act now."""
        return [seat for seat in self.seats if seat in self.table.asked]

    def act(self, player: Chooser, seconds: float | None, nodes: int | None, limit: float | None) -> None:
        """Let a player act in each seat that is due, once; what has become stale meanwhile is asked anew."""
        for seat in self.due():
            state = self.table.state
            if state is None or seat not in self.table.asked:
                return
            choose = partial(player.choose, lent(state), seat, seconds=seconds, nodes=nodes)
            action = state.number(within(limit, choose), seat)
            state.play(action, seat)
            try:
                self.do("play", seat=seat, tokens=[state.game.notate(action)])
            except RoomError as error:
                if error.code not in AGAIN:
                    raise
            self.refresh()


def lent(state: State) -> State:
    """Return an equal state with a position of its own, so that a player that changes the board harms only itself."""
    return State(state.game, state.position.copy(), state.setup, state.previous, state.action, state.mover)
