"""Brings the tables of one process up to what other processes wrote: the ledger of the shared store says what is new.

Which process looks after a table (its programs, its clock) follows from the names of those awake. It saves work and decides
nothing: if two processes look after one table for a moment, the key (table, seq) lets one of them write.
"""

import hashlib
import logging

from tablee.core.errors import TableeError
from tablee.store.log import StoreError
from tablee.store.postgres import PostgresLog
from tablee.store.postgres_rows import Line
from tablee.web.deadlines import ROUNDING
from tablee.web.hints import Hints
from tablee.web.house import FORGOTTEN_SECONDS, House, program_to_act
from tablee.web.live import Live

POLL_SECONDS = 1.0
# A table of so few events may still wait for players: every process knows it, so that all show the same list.
YOUNG = 12

log = logging.getLogger("tablee.follower")


class Follower:
    """Follows the ledger for one house."""

    def __init__(self, house: House, store: PostgresLog, hints: Hints) -> None:
        """Follow from now on."""
        self.house, self.store, self.hints = house, store, hints
        self.houses: list[str] = [store.house]
        self.orphans: set[str] = set()
        self.seen: dict[int, int] = {}

    async def begin(self) -> None:
        """Read the end of the ledger and which houses are awake, before the first table is loaded."""
        self.seen = await self.store.heads()
        await self.store.beat(self.house.clock())
        self.houses = await self.store.houses(self.house.clock())

    async def run(self) -> None:
        """Look after each hint, and every second without one, as long as the house is open."""
        while not self.house.closing:
            await self.hints.wait(POLL_SECONDS)
            try:
                await self.look()
                self.remind()
            except TableeError as error:
                log.warning("the store cannot be followed", extra={"facts": {"error": str(error)[:200]}})

    async def look(self) -> None:
        """Take in what is new, and look after tables whose process is gone."""
        for line in await self.store.changes(self.seen):
            await self.take(line)
            self.seen[line.shard] = line.number
        houses = await self.store.houses(self.house.clock())
        if houses != self.houses:
            self.orphans.update(await self.store.pending(self.house.clock() - FORGOTTEN_SECONDS))
            self.houses = houses
            for live in list(self.house.lives.values()):
                self.house.care(live)
        for table_id in list(self.orphans):
            await self.adopt(table_id)

    async def adopt(self, table_id: str) -> None:
        """Look after a table whose process may be gone; if the store fails, try again at the next look."""
        try:
            if self.owns(table_id):
                await self.house.live(table_id)
        except StoreError as error:
            log.warning("a table cannot be taken over yet", extra={"facts": {"table": table_id, "error": str(error)[:300]}})
            return
        except TableeError as error:
            log.error("a table cannot be followed", extra={"facts": {"table": table_id, "error": str(error)[:300]}})
        self.orphans.discard(table_id)

    def remind(self) -> None:
        """Look after tables again where a program should act and nothing is under way: its last try failed with the store."""
        for live in list(self.house.lives.values()):
            if live.timer is None and (live.thinking is None or live.thinking.done()) and program_to_act(live.table) is not None:
                self.house.care(live)

    async def take(self, line: Line) -> None:
        """Take in one line: a table was written or, if the line repeats its number, texts of it were erased."""
        live = self.house.lives.get(line.table)
        try:
            if live is None:
                if line.seq <= YOUNG or self.owns(line.table):
                    await self.house.live(line.table)
            elif line.seq <= live.ledger_seq:
                await self.house.refresh(live)
            else:
                live.ledger_seq = line.seq
                if line.seq > live.table.seq:
                    await self.house.catch_up(live)
        except StoreError:
            raise
        except TableeError as error:
            log.error("a table cannot be followed", extra={"facts": {"table": line.table, "error": str(error)[:300]}})

    async def say_due(self, live: Live) -> None:
        """Say when a table is due, if what was said is not so: a program that says no deadlines has written it, or no clock runs any more."""
        table = live.table
        said, deadline = await self.store.due_of(table.id), table.deadline()
        if said is not None and (deadline is None or abs(said - deadline) > ROUNDING):
            await self.store.say_due(table.id, table.seq, deadline)

    def owns(self, table_id: str) -> bool:
        """Return whether this process looks after a table: it belongs to the process whose name, hashed with the table, is highest."""
        return max(self.houses, key=lambda house: hashlib.sha256(f"{house} {table_id}".encode()).digest()) == self.store.house
