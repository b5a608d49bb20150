"""The log in PostgreSQL, for several processes and hosts: keys decide who comes first, and each commit is on disk when it returns.

What waits together is committed together, by a few writers that each look after some shards. Two processes that write to one shard
wait for each other until the commit; two that write the same (table, seq) are told apart by the key: the second is `Stale`.
"""

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from tablee.store.checking import Check
from tablee.store.ledger import SHARDS, shard_of
from tablee.store.log import Carte, CarteKept, Checked, Heads, Stale, StoreError, UnknownTable
from tablee.store.postgres_rows import EVENTS, PENDING, POSTPONE, Line, Rowed, extend_ledger, last_lines, owned_tables, write_rows
from tablee.store.postgres_server import check_durable, open_connections, require_present
from tablee.store.rows import carte_of, event_of, hash_carte, rows_of, settings_text
from tablee.tables.events import Event
from tablee.tables.texts import LONGEST_NAME, clean
from tablee.tables.tokens import TOKEN, hash_token, new_token, seat_token

WRITERS = 4
CONNECTIONS = 12
MOST_TOGETHER = 256
ALIVE_SECONDS = 10.0
FORGOTTEN_SECONDS = 86400.0
# The last house to close leaves its beat: until then somebody could answer.
LEAVE = "DELETE FROM beats b WHERE b.house = %s AND EXISTS (SELECT 1 FROM beats o WHERE o.house <> b.house AND o.at > b.at - %s)"


@dataclass(eq=False)
class Job:
    """Events of one table to write; `secret` belongs to a new table, or to one that is sealed anew."""

    rowed: Rowed
    done: "asyncio.Future[None]"


class PostgresLog:
    """A `Log` in a PostgreSQL database that several processes may have open; `committed` is called after each commit of this one."""

    def __init__(self, pool: "AsyncConnectionPool[AsyncConnection[Any]]", first_beat: float | None) -> None:
        """Begin over an open pool; `PostgresLog.open` is the way in."""
        self.pool = pool
        self.house = secrets.token_hex(8)
        self.first_beat = first_beat
        self.view: AsyncConnection[Any] | None = None
        self.committed: Callable[[], None] = lambda: None
        self.closed = False
        self.commits = 0
        self.queues: list[asyncio.Queue[Job | None]] = [asyncio.Queue() for _ in range(WRITERS)]
        self.writers = [asyncio.ensure_future(self.write_on(queue)) for queue in self.queues]

    @classmethod
    async def open(cls, url: str) -> "PostgresLog":
        """Connect; refuse a server that could lose a commit, a foreign database, and an old schema. An empty database is set up."""
        await require_present(url)
        pool = await open_connections(url, CONNECTIONS)
        try:
            async with pool.connection() as connection:
                await check_durable(connection)
                row = await (await connection.execute("SELECT max(at), extract(epoch FROM clock_timestamp()) FROM beats")).fetchone()
        except (psycopg.Error, OSError) as error:
            await pool.close()
            raise StoreError(f"the database cannot be used: {error}") from error
        except StoreError:
            await pool.close()
            raise
        at = None if row is None or row[0] is None else row[0] / 1000
        # Where another house is awake nobody was kept waiting.
        return cls(pool, None if row is None or at is None or at > float(row[1]) - ALIVE_SECONDS else at)

    # The writers.

    async def write_on(self, queue: "asyncio.Queue[Job | None]") -> None:
        """Take the waiting jobs, do them in one transaction, commit, then confirm; repeat until the log is closed."""
        going = True
        while going:
            jobs = [await queue.get()]
            while len(jobs) < MOST_TOGETHER and not queue.empty():
                jobs.append(queue.get_nowait())
            going = None not in jobs
            await self.commit([job for job in jobs if job is not None])

    async def commit(self, jobs: list[Job]) -> None:
        """Write jobs in one transaction; if one of them is stale, write each in its own transaction, so that only the stale one fails."""
        if not jobs:
            return
        try:
            async with self.pool.connection() as connection, connection.transaction():
                await write_rows(connection, [job.rowed for job in jobs])
        except psycopg.IntegrityError as error:
            if len(jobs) > 1:
                for job in jobs:
                    await self.commit([job])
                return
            settle(jobs, Stale(f"already written, or not the next: {error}"))
        except Exception as error:  # on any error, tell all that wait
            settle(jobs, StoreError(f"the outcome of the commit is not known: {error}"))
        else:
            self.commits += 1
            settle(jobs, None)
            self.committed()

    async def submit(self, table_id: str, events: Sequence[Event], secret: bytes = b"", new: bool = False, due: float | None = None) -> None:
        """Hand events to the writer of their shard, and return once they are on disk."""
        if self.closed:
            raise StoreError("the store is closed")
        job = Job(Rowed(table_id, rows_of(table_id, events), secret, new, due), asyncio.get_running_loop().create_future())
        self.queues[shard_of(table_id) % WRITERS].put_nowait(job)
        await asyncio.shield(job.done)

    async def query(self, statement: str, parameters: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Run one statement in a transaction of its own and return its rows."""
        if self.closed:
            raise StoreError("the store is closed")
        try:
            async with nullcontext(self.view) if self.view is not None else self.pool.connection() as connection:
                cursor = await connection.execute(statement.encode(), parameters)
                return await cursor.fetchall() if cursor.description else []
        except psycopg.IntegrityError as error:
            raise Stale(f"already written: {error}") from error
        except (psycopg.Error, OSError) as error:
            raise StoreError(f"the database does not answer: {error}") from error

    # The log.

    async def create(self, table_id: str, events: Sequence[Event], secret: bytes, due: float | None = None) -> None:
        """Write the first events of a new table and the secret of its dice; `Stale` if the table is there already. `due`: see `append`."""
        await self.submit(table_id, events, secret, new=True, due=due)

    async def reseal(self, table_id: str, events: Sequence[Event], secret: bytes) -> None:
        """Write events that seal the dice anew, and the new secret behind the secrets before."""
        await self.submit(table_id, events, secret)

    async def append(self, table_id: str, events: Sequence[Event], due: float | None = None) -> None:
        """Write the next events, all or none, and return once they are on disk; `Stale` if (table, seq) or the `move_id` is taken.

        `due` is when the house must look at the table by itself from now on; None keeps the earlier value.
        """
        if events:
            await self.submit(table_id, events, due=due)

    async def events(self, table_id: str, since: int = 0) -> list[Event]:
        """Return the events from number `since` on; `UnknownTable` if there is no such table."""
        events = [event_of(table_id, row) for row in await self.query(EVENTS, (table_id, since))]
        if not events and not await self.query("SELECT 1 FROM tables WHERE id = %s", (table_id,)):
            raise UnknownTable(f"there is no table {table_id!r}")
        return events

    async def tables(self, live: bool | None = None) -> list[str]:
        """Return the tables, oldest first: all, those still going on (True) or the finished ones (False)."""
        which = {None: "", True: "WHERE NOT finished", False: "WHERE finished"}[live]
        return [str(row[0]) for row in await self.query(f"SELECT id FROM tables {which} ORDER BY number")]

    async def pending(self, before: float) -> list[str]:
        """Return the unfinished tables that the house looks after by itself.

        Those are tables with a clock but no `due`, open to anybody, without people, or without an event since `before`.
        """
        return [str(row[0]) for row in await self.query(PENDING, (round(before * 1000),))]

    async def due(self, before: float) -> list[str]:
        """Return the unfinished tables that are due before a time, the first first."""
        return [
            str(row[0]) for row in await self.query("SELECT id FROM tables WHERE due < %s AND NOT finished ORDER BY due", (round(before * 1000),))
        ]

    async def due_of(self, table_id: str) -> float | None:
        """Return when a table is due, or None; it is later than its log says by the length of the outages since."""
        rows = await self.query("SELECT due FROM tables WHERE id = %s", (table_id,))
        return rows[0][0] / 1000 if rows and rows[0][0] is not None else None

    async def say_due(self, table_id: str, seq: int, due: float | None) -> None:
        """Say when a table is due, or that it is not, unless something was written after event `seq`."""
        statement = "UPDATE tables SET due = %s WHERE id = %s AND NOT EXISTS (SELECT 1 FROM events WHERE table_id = %s AND seq > %s)"
        try:
            async with self.pool.connection() as connection, connection.transaction():
                await last_lines(connection, [table_id])  # nobody writes meanwhile
                await connection.execute(statement.encode(), (None if due is None else round(due * 1000), table_id, table_id, seq))
        except (psycopg.Error, OSError) as error:
            raise StoreError(f"the database does not answer: {error}") from error

    async def postpone(self, since: float, now: float) -> None:
        """Move all deadlines by the time since the last beat, in which no house could answer; once for each outage."""
        await self.query(POSTPONE, (round(since * 1000), round((now - since) * 1000)))

    async def secret(self, table_id: str) -> bytes:
        """Return the secrets of a table's dice, 32 bytes for each seal, oldest first; one, unless the table was restored from a backup."""
        rows = await self.query("SELECT secret FROM secrets WHERE table_id = %s", (table_id,))
        if not rows:
            raise UnknownTable(f"there is no table {table_id!r}")
        return bytes(rows[0][0])

    async def beat(self, at: float) -> None:
        """Note that this house could answer at this time, and forget houses that are long gone."""
        statement = """
            WITH gone AS (DELETE FROM beats WHERE at < %s)
            INSERT INTO beats(house, at) VALUES (%s, %s) ON CONFLICT (house) DO UPDATE SET at = excluded.at
        """
        await self.query(statement, (round((at - FORGOTTEN_SECONDS) * 1000), self.house, round(at * 1000)))

    async def last_beat(self) -> float | None:
        """Return when any house could last answer, if all were away when this one came; None if there was no gap."""
        return self.first_beat

    async def houses(self, now: float) -> list[str]:
        """Return the houses that could answer in the last seconds, this one included."""
        rows = await self.query("SELECT house FROM beats WHERE at > %s", (round((now - ALIVE_SECONDS) * 1000),))
        return sorted({str(row[0]) for row in rows} | {self.house})

    async def time(self) -> float | None:
        """Return the time of the database, which all houses share."""
        return float((await self.query("SELECT extract(epoch FROM clock_timestamp())"))[0][0])

    async def changes(self, after: Mapping[int, int]) -> list[Line]:
        """Return the lines of the ledger after the numbers given for each shard: everything written or erased since, by any process."""
        statement = """
            SELECT l.shard, l.number, l.table_id, l.seq FROM unnest(%s::int[], %s::bigint[]) AS seen(shard, number)
            JOIN ledger l ON l.shard = seen.shard AND l.number > seen.number ORDER BY l.shard, l.number
        """
        shards = list(range(SHARDS))
        return [Line(*row) for row in await self.query(statement, (shards, [after.get(shard, 0) for shard in shards]))]

    async def heads(self) -> dict[int, int]:
        """Return how many lines each shard of the ledger has."""
        return {row[0]: row[1] for row in await self.query("SELECT shard, number FROM shards")}

    async def check(self, checkpoint: Heads | None = None) -> Checked:
        """Read everything, as it is at the beginning, and list what was edited, deleted or cut off."""
        check = Check(checkpoint)
        try:
            async with self.pool.connection() as connection, connection.transaction():
                await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                await connection.execute("SET LOCAL statement_timeout = 0")
                async with connection.cursor("lines") as lines:
                    await lines.execute("SELECT shard, number, table_id, seq, hash, head FROM ledger ORDER BY shard, number")
                    async for line in lines:
                        check.line(*line)
                for (name,) in await (await connection.execute("SELECT id FROM tables ORDER BY number")).fetchall():
                    rows = await (await connection.execute(EVENTS.encode(), (name, 0))).fetchall()
                    check.log(name, [event_of(name, row) for row in rows])
        except (psycopg.Error, OSError) as error:
            raise StoreError(f"the database does not answer: {error}") from error
        return check.done()

    @asynccontextmanager
    async def one_view(self) -> AsyncIterator[None]:
        """Let all statements of this log see one snapshot until the end of the block; for a log with a single reader."""
        try:
            async with self.pool.connection() as connection, connection.transaction():
                await connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
                for name in ("statement_timeout", "idle_in_transaction_session_timeout"):
                    await connection.execute(f"SET LOCAL {name} = 0".encode())
                self.view = connection
                try:
                    yield
                finally:
                    self.view = None
        except (psycopg.Error, OSError) as error:
            raise StoreError(f"the database does not answer: {error}") from error

    # The visitors' cards.

    async def new_carte(self, name: str, at: float) -> str:
        """Make a visitor's card and return its secret, which is kept only as a hash."""
        secret = new_token()
        await self.adopt(CarteKept(secrets.token_hex(8), hash_carte(secret), clean(name, LONGEST_NAME), {}, at, ()))
        return secret

    async def carte(self, secret: str) -> Carte | None:
        """Return the card of a secret."""
        if not TOKEN.fullmatch(secret):
            return None
        rows = await self.query("SELECT id, name, settings, made FROM cartes WHERE secret_hash = %s", (hash_carte(secret),))
        return carte_of(rows[0]) if rows else None

    async def change_carte(self, secret: str, name: str | None = None, settings: Mapping[str, str] | None = None) -> Carte | None:
        """Change the name or the settings of a card, and return it."""
        statement = "UPDATE cartes SET name = coalesce(%s, name), settings = coalesce(%s, settings) WHERE secret_hash = %s"
        changed = (None if name is None else clean(name, LONGEST_NAME), None if settings is None else settings_text(settings))
        await self.query(statement, (*changed, hash_carte(secret)))
        return await self.carte(secret)

    async def remember(self, secret: str, match_id: str) -> None:
        """Note that the holder of a card sits at the tables of a match with `seat_token(secret, match_id)`."""
        carte = await self.carte(secret)
        if carte is None:
            raise StoreError("there is no such card")
        owner = hash_token(match_id, seat_token(secret, match_id))
        await self.query("INSERT INTO places(carte, owner) VALUES (%s, %s) ON CONFLICT DO NOTHING", (carte.id, owner))

    async def tables_of(self, secret: str) -> list[str]:
        """Return the tables at which the holder of a card sits or sat, newest first."""
        carte = await self.carte(secret)
        return [str(row[0]) for row in await self.query(owned_tables("DESC"), (carte.id,))] if carte else []

    async def export_carte(self, secret: str) -> dict[str, object] | None:
        """Return all stored data of the holder of a card."""
        carte = await self.carte(secret)
        if carte is None:
            return None
        statement = "SELECT a.table_id, a.seq, a.text FROM asides a JOIN places p ON p.owner = a.owner WHERE p.carte = %s ORDER BY a.table_id, a.seq"
        texts = [{"table": table, "seq": seq, "text": text} for table, seq, text in await self.query(statement, (carte.id,))]
        return {"name": carte.name, "settings": dict(carte.settings), "made": carte.made, "tables": await self.tables_of(secret), "texts": texts}

    async def delete_carte(self, secret: str) -> list[str]:
        """Erase a card, and the names and texts of its holder at every table; a line of the ledger tells other houses to read these anew."""
        carte = await self.carte(secret)
        if carte is None:
            return []
        try:
            async with self.pool.connection() as connection, connection.transaction():
                changed = [str(row[0]) for row in await (await connection.execute(owned_tables("DESC").encode(), (carte.id,))).fetchall()]
                await extend_ledger(connection, await last_lines(connection, changed))
                await connection.execute("DELETE FROM asides WHERE owner IN (SELECT owner FROM places WHERE carte = %s)", (carte.id,))
                await connection.execute("DELETE FROM places WHERE carte = %s", (carte.id,))
                await connection.execute("DELETE FROM cartes WHERE id = %s", (carte.id,))
        except (psycopg.Error, OSError) as error:
            raise StoreError(f"the outcome of the commit is not known: {error}") from error
        self.committed()
        return changed

    async def cartes(self) -> list[CarteKept]:
        """Return every card as it is kept, to move to another store."""
        rows = await self.query("""
            SELECT c.id, c.secret_hash, c.name, c.settings, c.made, array_remove(array_agg(p.owner ORDER BY p.owner), NULL)
            FROM cartes c LEFT JOIN places p ON p.carte = c.id GROUP BY c.id ORDER BY c.made, c.id
        """)
        return [CarteKept(row[0], row[1], row[2], json.loads(row[3]), row[4] / 1000, tuple(row[5])) for row in rows]

    async def adopt(self, carte: CarteKept) -> None:
        """Take over a card from another store; `Stale` if it is there already."""
        statement = """
            WITH made AS (INSERT INTO cartes(id, secret_hash, name, settings, made) VALUES (%s, %s, %s, %s, %s))
            INSERT INTO places(carte, owner) SELECT %s, unnest(%s::text[])
        """
        row = (carte.id, carte.secret_hash, carte.name, settings_text(carte.settings), round(carte.made * 1000))
        await self.query(statement, (*row, carte.id, list(carte.owners)))

    async def close(self) -> None:
        """Finish the waiting jobs and close the connections; this house is no longer counted among those awake."""
        if self.closed:
            return
        with suppress(StoreError):
            await self.query(LEAVE, (self.house, round(ALIVE_SECONDS * 1000)))
        self.closed = True
        for queue in self.queues:
            queue.put_nowait(None)
        await asyncio.gather(*self.writers)
        await self.pool.close()


def settle(jobs: list[Job], error: StoreError | None) -> None:
    """Give the results of jobs to those who wait for them."""
    for job in jobs:
        if job.done.done():
            continue
        if error is None:
            job.done.set_result(None)
        else:
            job.done.set_exception(error)
            job.done.exception()  # nobody waits any more
