"""The interface of a store of logs, whatever database is behind it.

A confirmed event is never lost or doubled: `append` returns only after its events are on disk, and the key (table, seq) lets nobody
write the same number twice. Everything is awaitable from asyncio.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from tablee.core.errors import TableeError
from tablee.tables.events import Event

# Of each shard of the ledger: how many lines it has, and its head.
Heads: TypeAlias = Mapping[int, tuple[int, str]]


class StoreError(TableeError):
    """The store cannot do what it was asked; look up the outcome of a write by its `move_id`."""


class Stale(StoreError):
    """The number (table, seq) or the `move_id` is already written: read the log again."""


class UnknownTable(StoreError):
    """There is no such table."""


@dataclass(frozen=True)
class Carte:
    """A visitor's card: a name, settings, when it was made; only the visitor has its secret."""

    id: str
    name: str
    settings: Mapping[str, str]
    made: float


@dataclass(frozen=True)
class CarteKept:
    """A card as it is kept, for moving to another store: its secret as a hash, and the seats (hashed tokens) of its holder."""

    id: str
    secret_hash: str
    name: str
    settings: Mapping[str, str]
    made: float
    owners: tuple[str, ...]


@dataclass(frozen=True)
class Checked:
    """The result of a check: how many tables and events were read, and the heads of the ledger to publish."""

    tables: int
    events: int
    heads: Heads
    wrong: tuple[str, ...] = field(default=())


class Log(Protocol):
    """The store of all tables."""

    async def create(self, table_id: str, events: Sequence[Event], secret: bytes, due: float | None = None) -> None:
        """Write the first events of a new table and the secret of its dice; `Stale` if the table is there already. `due`: see `append`."""

    async def reseal(self, table_id: str, events: Sequence[Event], secret: bytes) -> None:
        """Write events that seal the dice anew, and the new secret behind the secrets before."""

    async def append(self, table_id: str, events: Sequence[Event], due: float | None = None) -> None:
        """Write the next events, all or none, and return once they are on disk; `Stale` if (table, seq) or the `move_id` is taken.

        `due` is when the house must look at the table by itself from now on; None keeps the earlier value.
        """

    async def events(self, table_id: str, since: int = 0) -> list[Event]:
        """Return the events from number `since` on; `UnknownTable` if there is no such table."""

    async def tables(self, live: bool | None = None) -> list[str]:
        """Return the tables, oldest first: all, those still going on (True) or the finished ones (False)."""

    async def pending(self, before: float) -> list[str]:
        """Return the unfinished tables that the house looks after by itself.

        Those are tables with a clock but no `due`, open to anybody, without people, or without an event since `before`.
        """

    async def due(self, before: float) -> list[str]:
        """Return the unfinished tables that are due before a time, the first first."""

    async def due_of(self, table_id: str) -> float | None:
        """Return when a table is due, or None; it is later than its log says by the length of the outages since."""

    async def postpone(self, since: float, now: float) -> None:
        """Move all deadlines by the time since the last beat, in which no house could answer; once for each outage."""

    async def secret(self, table_id: str) -> bytes:
        """Return the secrets of a table's dice, 32 bytes for each seal, oldest first; one, unless the table was restored from a backup."""

    async def beat(self, at: float) -> None:
        """Note that the house could answer at this time."""

    async def last_beat(self) -> float | None:
        """Return when the house could last answer, before the first `beat` of this run."""

    async def time(self) -> float | None:
        """Return the time of the database, if it has a clock of its own that all its houses share."""

    async def check(self, checkpoint: Heads | None = None) -> Checked:
        """Read everything and list what was edited, deleted or cut off; a `checkpoint` are the heads of an earlier check."""

    async def new_carte(self, name: str, at: float) -> str:
        """Make a visitor's card and return its secret, which is kept only as a hash."""

    async def carte(self, secret: str) -> Carte | None:
        """Return the card of a secret."""

    async def change_carte(self, secret: str, name: str | None = None, settings: Mapping[str, str] | None = None) -> Carte | None:
        """Change the name or the settings of a card, and return it."""

    async def remember(self, secret: str, match_id: str) -> None:
        """Note that the holder of a card sits at the tables of a match with `seat_token(secret, match_id)`."""

    async def tables_of(self, secret: str) -> list[str]:
        """Return the tables at which the holder of a card sits or sat, newest first."""

    async def export_carte(self, secret: str) -> dict[str, object] | None:
        """Return all stored data of the holder of a card."""

    async def delete_carte(self, secret: str) -> list[str]:
        """Erase a card, and the names and texts of its holder at every table; return those tables, to be read anew."""

    async def cartes(self) -> list[CarteKept]:
        """Return every card as it is kept, to move to another store."""

    async def adopt(self, carte: CarteKept) -> None:
        """Take over a card from another store; `Stale` if it is there already."""

    async def close(self) -> None:
        """Finish the waiting jobs and close the store."""
