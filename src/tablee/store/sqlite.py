"""The log in one SQLite file: one writing thread with group commit; each commit is on disk when it returns."""

import asyncio
import json
import os
import secrets
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import apsw

from tablee.core.errors import TableeError
from tablee.store.checking import Check
from tablee.store.checkpointing import Checkpointer
from tablee.store.ledger import ledger_head
from tablee.store.log import Carte, CarteKept, Checked, Heads, Stale, StoreError, UnknownTable
from tablee.store.private import FileLock
from tablee.store.rows import EVENT_COLUMNS, carte_of, event_of, hash_carte, rows_of, settings_text
from tablee.store.sqlite_file import DAMAGED, check_version, checkpoint, connect, connect_to_read, make_private, migrate_file
from tablee.tables.events import Event
from tablee.tables.texts import LONGEST_NAME, clean
from tablee.tables.tokens import TOKEN, hash_token, new_token, seat_token

MOST_TOGETHER = 256
CHECKPOINT_EVERY = 30.0
INSERT_EVENT = f"INSERT INTO events({', '.join(EVENT_COLUMNS)}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
T = TypeVar("T")
# Something to do, and who waits for it; then what came of it, or what went wrong.
Job = tuple[Callable[[apsw.Connection], object], "asyncio.Future[Any]"]
Done = tuple["asyncio.Future[Any]", object, BaseException | None]
SELECT = """
SELECT e.seq, e.kind, e.payload, e.seat, e.move_id, e.at, e.previous, e.hash, a.text, a.salt, a.owner
FROM events e LEFT JOIN asides a ON a.table_id = e.table_id AND a.seq = e.seq
WHERE e.table_id = ? AND e.seq >= ? ORDER BY e.seq
"""
PENDING = """
SELECT t.id FROM tables t JOIN events e ON e.table_id = t.id AND e.seq = 0
WHERE t.finished = 0 AND (
    (t.due IS NULL AND json_extract(e.payload, '$.clock') IS NOT NULL)
    OR (SELECT l.at FROM events l WHERE l.table_id = t.id ORDER BY l.seq DESC LIMIT 1) < ?
    OR NOT EXISTS (SELECT 1 FROM events p WHERE p.table_id = t.id AND p.kind = 'seated' AND json_extract(p.payload, '$.token_hash') IS NOT NULL)
    OR (json_extract(e.payload, '$.sitting') = 'open' AND NOT EXISTS (SELECT 1 FROM events s WHERE s.table_id = t.id AND s.kind = 'started'))
) ORDER BY t.number
"""
DUE = "SELECT id FROM tables WHERE due < ? AND finished = 0 ORDER BY due"


class SqliteLog:
    """A `Log` in one SQLite file, which no other process may write at the same time."""

    def __init__(self, path: str | Path, *, read_only: bool = False) -> None:
        """Open or make the file; refuse an SQLite that could corrupt it, or a file that another process has open.

        `read_only` reads beside the house that has the file open, and can write nothing.
        """
        check_version()
        self.path = str(path)
        self.lock: FileLock | None = None
        self.checkpointer: Checkpointer | None = None
        self.damage = ""  # what SQLite met while it read or wrote: the house reports it at once
        self.lost = False
        self.migrated: list[int] = []
        try:
            if read_only:
                self.writer, self.reader = connect_to_read(self.path), connect_to_read(self.path)
            else:
                self.lock = FileLock(self.path)
                self.open_both()
            self.file = os.stat(self.path)
            if not read_only:
                self.checkpointer = Checkpointer(connect(self.path), self.note)
                self.checkpointer.watch(self.writer)
        except (apsw.Error, OSError) as error:
            self.unlock()
            raise StoreError(f"{self.path!r} cannot be used: {error}") from error
        except StoreError:
            self.unlock()
            raise
        self.commits = 0
        self.writes: SimpleQueue[Job | None] = SimpleQueue()
        self.reads: SimpleQueue[Job | None] = SimpleQueue()
        self.closed = False
        self.first_beat: float | None = beat_of(self.writer)
        self.threads = [
            threading.Thread(target=self.write_on, name="tablee-writer", daemon=True),
            threading.Thread(target=self.read_on, name="tablee-reader", daemon=True),
        ]
        for thread in self.threads:
            thread.start()

    def open_both(self) -> None:
        """Open the file for the writing and for the reading thread."""
        make_private(self.path)
        self.writer = connect(self.path)
        self.migrated = migrate_file(self.writer, self.path)
        self.reader = connect(self.path)
        self.reader.pragma("query_only", True)

    def unlock(self) -> None:
        """Let other processes have the file."""
        if self.lock is not None:
            self.lock.release()
            self.lock = None

    # The threads.

    def write_on(self) -> None:
        """Take the waiting jobs, do them in one transaction, commit, then confirm; repeat until the log is closed."""
        going = True
        while going:
            try:
                first = self.writes.get(timeout=CHECKPOINT_EVERY)
            except Empty:
                checkpoint(self.writer)
                continue
            jobs = [first]
            while len(jobs) < MOST_TOGETHER and not self.writes.empty():
                jobs.append(self.writes.get())
            going = None not in jobs
            self.commit([job for job in jobs if job is not None and not job[1].cancelled()])

    def commit(self, jobs: list[Job]) -> None:
        """Do jobs in one transaction, each in a savepoint of its own, and confirm them only after the commit."""
        if not jobs:
            return
        done: list[Done] = []
        try:
            self.writer.execute("BEGIN IMMEDIATE")
            for work, future in jobs:
                done.append((future, *self.attempt(work)))
            self.check_there()
            self.writer.execute("COMMIT")
            self.commits += 1
            self.lost = not self.there()
            self.check_there()
        except BaseException as error:
            self.note(error)
            confirm([(future, None, StoreError(f"the commit failed: {error}")) for _, future in jobs])
            self.roll_back()
            return
        confirm(done)

    def there(self) -> bool:
        """Return whether the file that was opened still has its name; otherwise writes would be lost."""
        try:
            return os.path.samestat(os.stat(self.path), self.file)
        except OSError:
            return False

    def check_there(self) -> None:
        """Raise if the file was moved or deleted."""
        if self.lost or not self.there():
            raise StoreError("the file of the house was moved or deleted")

    def roll_back(self) -> None:
        """End a transaction that failed; where SQLite cannot even do that, open the file again."""
        try:
            if self.writer.in_transaction:
                self.writer.execute("ROLLBACK")
        except apsw.Error as error:
            self.note(error)
            try:
                self.writer.close()
                self.writer = connect(self.path)
                if self.checkpointer:
                    self.checkpointer.watch(self.writer)
            except (apsw.Error, StoreError) as worse:
                self.damage = self.damage or f"the file of the house cannot be written: {worse}"

    def note(self, error: BaseException) -> None:
        """Remember that SQLite met a damaged page."""
        if isinstance(error, DAMAGED):
            self.damage = self.damage or f"the file of the house is damaged: {error}"

    def attempt(self, work: Callable[[apsw.Connection], object]) -> tuple[object, BaseException | None]:
        """Do one job in a savepoint, so that an error undoes only that job."""
        self.writer.execute("SAVEPOINT job")
        try:
            value = work(self.writer)
        except (apsw.ConstraintError, StoreError) as error:
            self.writer.execute("ROLLBACK TO job")
            self.writer.execute("RELEASE job")
            return None, error if isinstance(error, StoreError) else Stale(f"already written, or not the next: {error}")
        self.writer.execute("RELEASE job")
        return value, None

    def read_on(self) -> None:
        """Do the waiting reads, one after the other."""
        while (job := self.reads.get()) is not None:
            work, future = job
            if future.cancelled():
                continue
            try:
                if self.lost:
                    self.check_there()
                confirm([(future, work(self.reader), None)])
            except BaseException as error:
                self.note(error)
                confirm([(future, None, error if isinstance(error, TableeError) else StoreError(f"cannot be read: {error}"))])

    async def hand_over(self, queue: "SimpleQueue[Job | None]", work: Callable[[apsw.Connection], T]) -> T:
        """Hand a job to a thread, and return its result."""
        if self.closed:
            raise StoreError("the store is closed")
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        queue.put((work, future))
        return await future

    async def write(self, work: Callable[[apsw.Connection], T]) -> T:
        """Do a job on the writing thread and return its result once it is committed."""
        return await self.hand_over(self.writes, work)

    async def query(self, work: Callable[[apsw.Connection], T]) -> T:
        """Do a job on the reading thread and return its result."""
        return await self.hand_over(self.reads, work)

    # The log.

    async def create(self, table_id: str, events: Sequence[Event], secret: bytes, due: float | None = None) -> None:
        """Write the first events of a new table and the secret of its dice; `Stale` if the table is there already. `due`: see `append`."""

        def work(connection: apsw.Connection) -> None:
            connection.execute("INSERT INTO tables(id, opened) VALUES (?, ?)", (table_id, round(events[0].at * 1000)))
            connection.execute("INSERT INTO secrets(table_id, secret) VALUES (?, ?)", (table_id, secret))
            insert(connection, table_id, events, due)

        await self.write(work)

    async def reseal(self, table_id: str, events: Sequence[Event], secret: bytes) -> None:
        """Write events that seal the dice anew, and the new secret behind the secrets before."""

        def work(connection: apsw.Connection) -> None:
            insert(connection, table_id, events)
            # Bytes joined by || would be text.
            before = connection.execute("SELECT secret FROM secrets WHERE table_id = ?", (table_id,)).get
            connection.execute("UPDATE secrets SET secret = ? WHERE table_id = ?", (before + secret, table_id))

        await self.write(work)

    async def append(self, table_id: str, events: Sequence[Event], due: float | None = None) -> None:
        """Write the next events, all or none, and return once they are on disk; `Stale` if (table, seq) or the `move_id` is taken.

        `due` is when the house must look at the table by itself from now on; None keeps the earlier value.
        """
        if events:
            await self.write(lambda connection: insert(connection, table_id, events, due))

    async def events(self, table_id: str, since: int = 0) -> list[Event]:
        """Return the events from number `since` on; `UnknownTable` if there is no such table."""
        return await self.query(lambda connection: read_events(connection, table_id, since))

    async def tables(self, live: bool | None = None) -> list[str]:
        """Return the tables, oldest first: all, those still going on (True) or the finished ones (False)."""
        which = {None: "", True: "WHERE finished = 0", False: "WHERE finished = 1"}[live]
        return await self.query(lambda connection: [str(row[0]) for row in connection.execute(f"SELECT id FROM tables {which} ORDER BY number")])

    async def pending(self, before: float) -> list[str]:
        """Return the unfinished tables that the house looks after by itself.

        Those are tables with a clock but no `due`, open to anybody, without people, or without an event since `before`.
        """
        rows = (round(before * 1000),)
        return await self.query(lambda connection: [str(row[0]) for row in connection.execute(PENDING, rows)])

    async def due(self, before: float) -> list[str]:
        """Return the unfinished tables that are due before a time, the first first."""
        rows = (round(before * 1000),)
        return await self.query(lambda connection: [str(row[0]) for row in connection.execute(DUE, rows)])

    async def due_of(self, table_id: str) -> float | None:
        """Return when a table is due, or None; it is later than its log says by the length of the outages since."""
        due = await self.query(lambda connection: connection.execute("SELECT due FROM tables WHERE id = ?", (table_id,)).get)
        return None if due is None else due / 1000

    async def postpone(self, since: float, now: float) -> None:
        """Move all deadlines by the time since the last beat, in which no house could answer; once for each outage."""

        def work(connection: apsw.Connection) -> None:
            if beat_of(connection) == since:
                connection.execute("UPDATE tables SET due = due + ? WHERE due IS NOT NULL AND finished = 0", (round((now - since) * 1000),))
                connection.execute("INSERT OR REPLACE INTO beats(one, at) VALUES (1, ?)", (round(now * 1000),))

        await self.write(work)

    async def secret(self, table_id: str) -> bytes:
        """Return the secrets of a table's dice, 32 bytes for each seal, oldest first; one, unless the table was restored from a backup."""
        secret = await self.query(lambda connection: connection.execute("SELECT secret FROM secrets WHERE table_id = ?", (table_id,)).get)
        if not isinstance(secret, bytes):
            raise UnknownTable(f"there is no table {table_id!r}")
        return secret

    async def beat(self, at: float) -> None:
        """Note that the house could answer at this time."""
        await self.write(lambda connection: none(connection.execute("INSERT OR REPLACE INTO beats(one, at) VALUES (1, ?)", (round(at * 1000),))))

    async def last_beat(self) -> float | None:
        """Return when the house could last answer, before the first `beat` of this run."""
        return self.first_beat

    async def time(self) -> float | None:
        """Return None: the file has no clock of its own."""
        return None

    async def check(self, checkpoint: Heads | None = None) -> Checked:
        """Read everything and list what was edited, deleted or cut off; a `checkpoint` are the heads of an earlier check."""

        def work(connection: apsw.Connection) -> Checked:
            check = Check(checkpoint)
            for line in connection.execute("SELECT number, table_id, seq, hash, head FROM ledger ORDER BY number"):
                check.line(0, *line)
            for name in [str(row[0]) for row in connection.execute("SELECT id FROM tables ORDER BY number")]:
                check.log(name, read_events(connection, name, 0))
            return check.done()

        return await self.query(lambda connection: in_one_view(connection, work))

    @asynccontextmanager
    async def one_view(self) -> AsyncIterator[None]:
        """Let all reads of this log see one snapshot until the end of the block; for a log with a single reader."""
        await self.query(lambda connection: none(connection.execute("BEGIN")))
        try:
            yield
        finally:
            await self.query(lambda connection: none(connection.execute("ROLLBACK")))

    # The visitors' cards.

    async def new_carte(self, name: str, at: float) -> str:
        """Make a visitor's card and return its secret, which is kept only as a hash."""
        secret = new_token()
        row = (secrets.token_hex(8), hash_carte(secret), clean(name, LONGEST_NAME), "{}", round(at * 1000))
        await self.write(
            lambda connection: none(connection.execute("INSERT INTO cartes(id, secret_hash, name, settings, made) VALUES (?, ?, ?, ?, ?)", row))
        )
        return secret

    async def carte(self, secret: str) -> Carte | None:
        """Return the card of a secret."""
        return await self.query(lambda connection: find_carte(connection, secret))

    async def change_carte(self, secret: str, name: str | None = None, settings: Mapping[str, str] | None = None) -> Carte | None:
        """Change the name or the settings of a card, and return it."""

        def work(connection: apsw.Connection) -> Carte | None:
            if name is not None:
                connection.execute("UPDATE cartes SET name = ? WHERE secret_hash = ?", (clean(name, LONGEST_NAME), hash_carte(secret)))
            if settings is not None:
                connection.execute("UPDATE cartes SET settings = ? WHERE secret_hash = ?", (settings_text(settings), hash_carte(secret)))
            return find_carte(connection, secret)

        return await self.write(work)

    async def remember(self, secret: str, match_id: str) -> None:
        """Note that the holder of a card sits at the tables of a match with `seat_token(secret, match_id)`."""
        owner = hash_token(match_id, seat_token(secret, match_id))

        def work(connection: apsw.Connection) -> None:
            carte = find_carte(connection, secret)
            if carte is None:
                raise StoreError("there is no such card")
            connection.execute("INSERT OR IGNORE INTO places(carte, owner) VALUES (?, ?)", (carte.id, owner))

        await self.write(work)

    async def tables_of(self, secret: str) -> list[str]:
        """Return the tables at which the holder of a card sits or sat, newest first."""
        return await self.query(lambda connection: tables_of(connection, secret))

    async def export_carte(self, secret: str) -> dict[str, object] | None:
        """Return all stored data of the holder of a card."""

        def work(connection: apsw.Connection) -> dict[str, object] | None:
            carte = find_carte(connection, secret)
            if carte is None:
                return None
            written = connection.execute(
                "SELECT a.table_id, a.seq, a.text FROM asides a JOIN places p ON p.owner = a.owner WHERE p.carte = ? ORDER BY a.table_id, a.seq",
                (carte.id,),
            )
            texts = [{"table": table, "seq": seq, "text": text} for table, seq, text in written]
            return {"name": carte.name, "settings": dict(carte.settings), "made": carte.made, "tables": tables_of(connection, secret), "texts": texts}

        return await self.query(work)

    async def delete_carte(self, secret: str) -> list[str]:
        """Erase a card, and the names and texts of its holder at every table; return those tables, to be read anew."""

        def work(connection: apsw.Connection) -> list[str]:
            carte = find_carte(connection, secret)
            if carte is None:
                return []
            changed = tables_of(connection, secret)
            connection.execute("DELETE FROM asides WHERE owner IN (SELECT owner FROM places WHERE carte = ?)", (carte.id,))
            connection.execute("DELETE FROM places WHERE carte = ?", (carte.id,))
            connection.execute("DELETE FROM cartes WHERE id = ?", (carte.id,))
            return changed

        return await self.write(work)

    async def cartes(self) -> list[CarteKept]:
        """Return every card as it is kept, to move to another store."""

        def work(connection: apsw.Connection) -> list[CarteKept]:
            owners: dict[str, list[str]] = {}
            for carte, owner in connection.execute("SELECT carte, owner FROM places ORDER BY carte, owner"):
                owners.setdefault(carte, []).append(owner)
            rows = connection.execute("SELECT id, secret_hash, name, settings, made FROM cartes ORDER BY made, id")
            return [CarteKept(row[0], row[1], row[2], json.loads(row[3]), row[4] / 1000, tuple(owners.get(row[0], ()))) for row in rows]

        return await self.query(lambda connection: in_one_view(connection, work))

    async def adopt(self, carte: CarteKept) -> None:
        """Take over a card from another store; `Stale` if it is there already."""

        def work(connection: apsw.Connection) -> None:
            row = (carte.id, carte.secret_hash, carte.name, settings_text(carte.settings), round(carte.made * 1000))
            connection.execute("INSERT INTO cartes(id, secret_hash, name, settings, made) VALUES (?, ?, ?, ?, ?)", row)
            connection.executemany("INSERT INTO places(carte, owner) VALUES (?, ?)", [(carte.id, owner) for owner in carte.owners])

        await self.write(work)

    # The end.

    async def close(self) -> None:
        """Finish the waiting jobs and close the file."""
        if not self.closed:
            await asyncio.to_thread(self.shut)

    def shut(self) -> None:
        """Finish the waiting jobs and close the file, without an event loop."""
        if self.closed:
            return
        self.closed = True
        self.writes.put(None)
        self.reads.put(None)
        for thread in self.threads:
            thread.join()
        self.reader.close()
        if self.checkpointer:
            self.checkpointer.close()
        checkpoint(self.writer)
        self.writer.close()
        self.unlock()


def confirm(done: list[Done]) -> None:
    """Resolve the futures that wait, from a thread of the store; each event loop is woken once."""
    loops: dict[asyncio.AbstractEventLoop, list[Done]] = {}
    for finished in done:
        loops.setdefault(finished[0].get_loop(), []).append(finished)
    for loop, theirs in loops.items():
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, theirs)


def settle(done: list[Done]) -> None:
    """Give each future the result of its job, unless its owner no longer waits."""
    for future, value, wrong in done:
        if future.done():
            continue
        if wrong is not None:
            future.set_exception(wrong)
        else:
            future.set_result(value)


def none(_: object) -> None:
    """Return nothing: the result of a statement without rows."""


def in_one_view(connection: apsw.Connection, work: Callable[[apsw.Connection], T]) -> T:
    """Do a job of several reads on the database as it is at their beginning."""
    if connection.in_transaction:
        return work(connection)
    connection.execute("BEGIN")
    try:
        return work(connection)
    finally:
        connection.execute("ROLLBACK")


def insert(connection: apsw.Connection, table_id: str, events: Sequence[Event], due: float | None = None) -> None:
    """Write events with their asides, the new sitters, the end of the game, and one line of the ledger."""
    rows = rows_of(table_id, events)
    for row in rows.events:
        connection.execute(INSERT_EVENT, row)
    for row in rows.asides:
        connection.execute("INSERT INTO asides(table_id, seq, owner, salt, text) VALUES (?, ?, ?, ?, ?)", row)
    for row in rows.sitters:
        connection.execute("INSERT OR IGNORE INTO sitters(owner, table_id) VALUES (?, ?)", row)
    if rows.finished:
        connection.execute("UPDATE tables SET finished = 1 WHERE id = ?", (table_id,))
    elif due is not None:
        connection.execute("UPDATE tables SET due = ? WHERE id = ?", (round(due * 1000), table_id))
    last = events[-1]
    before = connection.execute("SELECT number, head FROM ledger ORDER BY number DESC LIMIT 1").fetchone() or (0, "")
    line = (int(before[0]) + 1, table_id, last.seq, last.hash, ledger_head(str(before[1]), table_id, last.seq, last.hash))
    connection.execute("INSERT INTO ledger(number, table_id, seq, hash, head) VALUES (?, ?, ?, ?, ?)", line)


def read_events(connection: apsw.Connection, table_id: str, since: int) -> list[Event]:
    """Return the events of a table from a number on."""
    events = [event_of(table_id, row) for row in connection.execute(SELECT, (table_id, since))]
    if not events and connection.execute("SELECT 1 FROM tables WHERE id = ?", (table_id,)).fetchone() is None:
        raise UnknownTable(f"there is no table {table_id!r}")
    return events


def beat_of(connection: apsw.Connection) -> float | None:
    """Return the last beat that was noted."""
    row = connection.execute("SELECT at FROM beats").fetchone()
    return None if row is None else row[0] / 1000


def find_carte(connection: apsw.Connection, secret: str) -> Carte | None:
    """Return the card of a secret."""
    if not TOKEN.fullmatch(secret):
        return None
    row = connection.execute("SELECT id, name, settings, made FROM cartes WHERE secret_hash = ?", (hash_carte(secret),)).fetchone()
    return None if row is None else carte_of(row)


def tables_of(connection: apsw.Connection, secret: str) -> list[str]:
    """Return the tables of a card's holder, newest first."""
    query = """
        SELECT t.id FROM tables t WHERE t.id IN (
            SELECT s.table_id FROM sitters s JOIN places p ON p.owner = s.owner JOIN cartes c ON c.id = p.carte WHERE c.secret_hash = ?
        ) ORDER BY t.number DESC
    """
    return [str(row[0]) for row in connection.execute(query, (hash_carte(secret),))]
