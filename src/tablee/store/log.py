"""What a store of logs promises, whatever database is behind it.

A confirmed event is never lost or doubled: `append` returns only after its events are on disk, and the key (table, seq) lets nobody
write the same number twice. Everything is awaitable from asyncio.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tablee.core.errors import TableeError
from tablee.tables.events import Event


class StoreError(TableeError):
    """The store cannot do what it was asked; the outcome of a write is to be read again by its `move_id`."""


class Stale(StoreError):
    """Somebody has written this number, or this `move_id`, before: read the log again and find out who."""


class UnknownTable(StoreError):
    """There is no such table."""


@dataclass(frozen=True)
class Carte:
    """A visitor's card: a name, settings, when it was made; its secret is with the visitor alone."""

    id: str
    name: str
    settings: Mapping[str, str]
    made: float


@dataclass(frozen=True)
class Checked:
    """What a check of the whole store has read: how many tables and events, and the head of its ledger to publish."""

    tables: int
    events: int
    number: int
    head: str
    wrong: tuple[str, ...] = field(default=())


class Log(Protocol):
    """The store of all tables."""

    async def create(self, table_id: str, events: Sequence[Event], secret: bytes) -> None:
        """Write the first events of a new table and the secret of its dice; `Stale` if the table is there already."""

    async def append(self, table_id: str, events: Sequence[Event]) -> None:
        """Write the next events, all or none, and return once they are on disk; `Stale` if (table, seq) or the `move_id` is taken."""

    async def events(self, table_id: str, since: int = 0) -> list[Event]:
        """Return the events from number `since` on; `UnknownTable` if there is no such table."""

    async def tables(self, live: bool | None = None) -> list[str]:
        """Return the tables, oldest first: all, those still going on (True) or the finished ones (False)."""

    async def secret(self, table_id: str) -> bytes:
        """Return the secret of a table's dice."""

    async def beat(self, at: float) -> None:
        """Note that the house could answer at this time."""

    async def last_beat(self) -> float | None:
        """Return when the house could last answer, before the first `beat` of this run."""

    async def check(self, checkpoint: tuple[int, str] | None = None) -> Checked:
        """Read everything and name what was edited, deleted or cut off; a `checkpoint` is the number and head of an earlier check."""

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
        """Return all that is known of the holder of a card."""

    async def delete_carte(self, secret: str) -> list[str]:
        """Erase a card, and the names and texts of its holder at every table; return those tables, to be read anew."""

    async def close(self) -> None:
        """Finish what was asked and let go of the file."""
