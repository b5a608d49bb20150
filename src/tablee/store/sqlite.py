"""The log in one SQLite file: one thread writes, what waits together is committed together, and each commit is on disk when it returns."""

import asyncio
import fcntl
import hashlib
import json
import os
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeVar

import apsw

from tablee.core.errors import TableeError
from tablee.store.checking import check_store
from tablee.store.log import Carte, Checked, Stale, StoreError, UnknownTable
from tablee.tables.events import Event, packed
from tablee.tables.texts import LONGEST_NAME, clean
from tablee.tables.tokens import TOKEN, hash_token, new_token, seat_token

LEAST_SQLITE = (3, 51, 3)
SCHEMA_VERSION = 1
MOST_TOGETHER = 256
CHECKPOINT_EVERY = 30.0
SCHEMA = Path(__file__).with_name("schema.sql")
T = TypeVar("T")
Job = tuple[Callable[[apsw.Connection], object], "Future[object]"]
SELECT = """
SELECT e.seq, e.kind, e.payload, e.seat, e.move_id, e.at, e.previous, e.hash, a.text, a.salt, a.owner
FROM events e LEFT JOIN asides a ON a.table_id = e.table_id AND a.seq = e.seq
WHERE e.table_id = ? AND e.seq >= ? ORDER BY e.seq
"""


class SqliteLog:
    """A `Log` in one SQLite file, which no other process may write at the same time."""

    def __init__(self, path: str | Path) -> None:
        """Open or make the file; refuse an SQLite that could corrupt it, or a file that another process has open."""
        found = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
        if found < LEAST_SQLITE:
            raise StoreError(f"SQLite {apsw.sqlite_lib_version()} can corrupt its log: expected at least {'.'.join(map(str, LEAST_SQLITE))}")
        self.path = str(path)
        self.lock = lock_file(self.path)
        try:
            self.writer = connect(self.path)
            prepare(self.writer)
            self.reader = connect(self.path)
            self.reader.pragma("query_only", True)
        except apsw.Error as error:
            os.close(self.lock)
            raise StoreError(f"{self.path!r} cannot be used: {error}") from error
        except StoreError:
            os.close(self.lock)
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

    # The threads.

    def write_on(self) -> None:
        """Take what waits, do it in one transaction, commit, then confirm; and again, until there is nothing more to come."""
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
            self.commit([job for job in jobs if job is not None and job[1].set_running_or_notify_cancel()])

    def commit(self, jobs: list[Job]) -> None:
        """Do jobs in one transaction, each in a savepoint of its own, and confirm them only after the commit."""
        if not jobs:
            return
        done: list[tuple[Future[object], object, BaseException | None]] = []
        try:
            self.writer.execute("BEGIN IMMEDIATE")
            for work, future in jobs:
                done.append((future, *self.attempt(work)))
            self.writer.execute("COMMIT")
            self.commits += 1
        except BaseException as error:
            if self.writer.in_transaction:
                self.writer.execute("ROLLBACK")
            for _, future in jobs:
                future.set_exception(StoreError(f"the commit failed: {error}"))
            return
        for future, value, wrong in done:
            if wrong is not None:
                future.set_exception(wrong)
            else:
                future.set_result(value)

    def attempt(self, work: Callable[[apsw.Connection], object]) -> tuple[object, BaseException | None]:
        """Do one job in a savepoint: what goes wrong undoes that job alone."""
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
        """Read what is asked, one after the other."""
        while (job := self.reads.get()) is not None:
            work, future = job
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(work(self.reader))
            except BaseException as error:
                future.set_exception(error if isinstance(error, TableeError) else StoreError(f"cannot be read: {error}"))

    def submit(self, queue: "SimpleQueue[Job | None]", work: Callable[[apsw.Connection], T]) -> "Future[T]":
        """Hand a job to a thread."""
        if self.closed:
            raise StoreError("the store is closed")
        future: Future[T] = Future()
        queue.put((work, future))  # type: ignore[arg-type]  # a future is of one type from end to end
        return future

    async def write(self, work: Callable[[apsw.Connection], T]) -> T:
        """Wait until a job is committed."""
        return await asyncio.wrap_future(self.submit(self.writes, work))

    async def read(self, work: Callable[[apsw.Connection], T]) -> T:
        """Wait until something is read."""
        return await asyncio.wrap_future(self.submit(self.reads, work))

    # The log.

    async def create(self, table_id: str, events: Sequence[Event], secret: bytes) -> None:
        """Write the first events of a new table and the secret of its dice; `Stale` if the table is there already."""

        def work(connection: apsw.Connection) -> None:
            connection.execute("INSERT INTO tables(id, opened) VALUES (?, ?)", (table_id, round(events[0].at * 1000)))
            connection.execute("INSERT INTO secrets(table_id, secret) VALUES (?, ?)", (table_id, secret))
            insert(connection, table_id, events)

        await self.write(work)

    async def append(self, table_id: str, events: Sequence[Event]) -> None:
        """Write the next events, all or none, and return once they are on disk; `Stale` if (table, seq) or the `move_id` is taken."""
        if events:
            await self.write(lambda connection: insert(connection, table_id, events))

    async def events(self, table_id: str, since: int = 0) -> list[Event]:
        """Return the events from number `since` on; `UnknownTable` if there is no such table."""
        return await self.read(lambda connection: read_events(connection, table_id, since))

    async def tables(self, live: bool | None = None) -> list[str]:
        """Return the tables, oldest first: all, those still going on (True) or the finished ones (False)."""
        which = {None: "", True: "WHERE finished = 0", False: "WHERE finished = 1"}[live]
        return await self.read(lambda connection: [str(row[0]) for row in connection.execute(f"SELECT id FROM tables {which} ORDER BY number")])

    async def secret(self, table_id: str) -> bytes:
        """Return the secret of a table's dice."""
        found = await self.read(lambda connection: connection.execute("SELECT secret FROM secrets WHERE table_id = ?", (table_id,)).get)
        if not isinstance(found, bytes):
            raise UnknownTable(f"there is no table {table_id!r}")
        return found

    async def beat(self, at: float) -> None:
        """Note that the house could answer at this time."""
        await self.write(lambda connection: none(connection.execute("INSERT OR REPLACE INTO beats(one, at) VALUES (1, ?)", (round(at * 1000),))))

    async def last_beat(self) -> float | None:
        """Return when the house could last answer, before the first `beat` of this run."""
        return self.first_beat

    async def check(self, checkpoint: tuple[int, str] | None = None) -> Checked:
        """Read everything and name what was edited, deleted or cut off; a `checkpoint` is the number and head of an earlier check."""
        return await self.read(lambda connection: check_store(connection, lambda table: read_events(connection, table, 0), checkpoint))

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
        return await self.read(lambda connection: find_carte(connection, secret))

    async def change_carte(self, secret: str, name: str | None = None, settings: Mapping[str, str] | None = None) -> Carte | None:
        """Change the name or the settings of a card, and return it."""

        def work(connection: apsw.Connection) -> Carte | None:
            if name is not None:
                connection.execute("UPDATE cartes SET name = ? WHERE secret_hash = ?", (clean(name, LONGEST_NAME), hash_carte(secret)))
            if settings is not None:
                connection.execute("UPDATE cartes SET settings = ? WHERE secret_hash = ?", (json.dumps(dict(settings)), hash_carte(secret)))
            return find_carte(connection, secret)

        return await self.write(work)

    async def remember(self, secret: str, match_id: str) -> None:
        """Note that the holder of a card sits at the tables of a match with `seat_token(secret, match_id)`."""
        owner = hash_token(match_id, seat_token(secret, match_id))

        def work(connection: apsw.Connection) -> None:
            found = find_carte(connection, secret)
            if found is None:
                raise StoreError("there is no such card")
            connection.execute("INSERT OR IGNORE INTO places(carte, owner) VALUES (?, ?)", (found.id, owner))

        await self.write(work)

    async def tables_of(self, secret: str) -> list[str]:
        """Return the tables at which the holder of a card sits or sat, newest first."""
        return await self.read(lambda connection: tables_of(connection, secret))

    async def export_carte(self, secret: str) -> dict[str, object] | None:
        """Return all that is known of the holder of a card."""

        def work(connection: apsw.Connection) -> dict[str, object] | None:
            found = find_carte(connection, secret)
            if found is None:
                return None
            written = connection.execute(
                "SELECT a.table_id, a.seq, a.text FROM asides a JOIN places p ON p.owner = a.owner WHERE p.carte = ? ORDER BY a.table_id, a.seq",
                (found.id,),
            )
            texts = [{"table": table, "seq": seq, "text": text} for table, seq, text in written]
            return {"name": found.name, "settings": dict(found.settings), "made": found.made, "tables": tables_of(connection, secret), "texts": texts}

        return await self.read(work)

    async def delete_carte(self, secret: str) -> list[str]:
        """Erase a card, and the names and texts of its holder at every table; return those tables, to be read anew."""

        def work(connection: apsw.Connection) -> list[str]:
            found = find_carte(connection, secret)
            if found is None:
                return []
            changed = tables_of(connection, secret)
            connection.execute("DELETE FROM asides WHERE owner IN (SELECT owner FROM places WHERE carte = ?)", (found.id,))
            connection.execute("DELETE FROM places WHERE carte = ?", (found.id,))
            connection.execute("DELETE FROM cartes WHERE id = ?", (found.id,))
            return changed

        return await self.write(work)

    # The end.

    async def close(self) -> None:
        """Finish what was asked and let go of the file."""
        if not self.closed:
            await asyncio.to_thread(self.shut)

    def shut(self) -> None:
        """Finish what was asked and let go of the file, for those without a loop."""
        if self.closed:
            return
        self.closed = True
        self.writes.put(None)
        self.reads.put(None)
        for thread in self.threads:
            thread.join()
        self.reader.close()
        checkpoint(self.writer)
        self.writer.close()
        os.close(self.lock)


def none(_: object) -> None:
    """Return nothing of a statement that is only done."""


def lock_file(path: str) -> int:
    """Keep other processes from writing the same file; the lock goes with the process, however it ends."""
    handle = os.open(path + ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        raise StoreError(f"{path!r} is open in another process: one house, one file") from error
    return handle


def connect(path: str) -> apsw.Connection:
    """Open the file with the settings that make a commit last."""
    connection = apsw.Connection(path)
    connection.set_busy_timeout(5000)
    for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "trusted_schema = OFF", "secure_delete = ON"):
        connection.execute(f"PRAGMA {setting}").fetchall()
    mode, level = connection.pragma("journal_mode"), connection.pragma("synchronous")
    if mode != "wal" or level != 2:
        raise StoreError(f"{path!r} cannot be written safely: journal {mode!r}, synchronous {level}; expected 'wal' and 2")
    return connection


def prepare(connection: apsw.Connection) -> None:
    """Make the tables of a new file, or see that they are those we know."""
    found = connection.pragma("user_version")
    if found == 0:
        with immediate(connection):
            connection.execute(SCHEMA.read_text(encoding="utf-8"))
            connection.pragma("user_version", SCHEMA_VERSION)
    elif found != SCHEMA_VERSION:
        raise StoreError(f"the file has schema version {found}: expected {SCHEMA_VERSION}")


@contextmanager
def immediate(connection: apsw.Connection) -> Iterator[None]:
    """Do something in one transaction that has the lock from its beginning."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def checkpoint(connection: apsw.Connection) -> None:
    """Fold the write-ahead log into the file; somebody reading is no reason to fail."""
    try:
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    except apsw.Error:
        return


def insert(connection: apsw.Connection, table_id: str, events: Sequence[Event]) -> None:
    """Write events with what stands beside them, who sits, whether it is over, and one line of the ledger."""
    for event in events:
        if event.table != table_id:
            raise StoreError(f"event {event.seq} belongs to table {event.table!r}, not to {table_id!r}")
        connection.execute(
            "INSERT INTO events(table_id, seq, kind, payload, seat, move_id, at, previous, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                table_id,
                event.seq,
                event.kind,
                event.payload_text,
                event.seat,
                event.move_id,
                round(event.at * 1000),
                event.previous,
                event.hash,
            ),
        )
        if event.aside:
            row = (table_id, event.seq, event.aside["owner"], event.aside["salt"], event.aside["text"])
            connection.execute("INSERT INTO asides(table_id, seq, owner, salt, text) VALUES (?, ?, ?, ?, ?)", row)
        if event.kind == "seated" and event.payload.get("token_hash"):
            connection.execute("INSERT OR IGNORE INTO sitters(owner, table_id) VALUES (?, ?)", (str(event.payload["token_hash"]), table_id))
        if event.kind == "ended":
            connection.execute("UPDATE tables SET finished = 1 WHERE id = ?", (table_id,))
    last = events[-1]
    before = connection.execute("SELECT number, head FROM ledger ORDER BY number DESC LIMIT 1").fetchone() or (0, "")
    line = (int(before[0]) + 1, table_id, last.seq, last.hash, ledger_head(str(before[1]), table_id, last.seq, last.hash))
    connection.execute("INSERT INTO ledger(number, table_id, seq, hash, head) VALUES (?, ?, ?, ?, ?)", line)


def ledger_head(previous: str, table_id: str, seq: int, digest: str) -> str:
    """Return the head of the ledger after one more line: published now and then, it shows what was cut off later."""
    return hashlib.sha256(packed(b"tablee ledger v1", previous.encode(), table_id.encode(), seq.to_bytes(8, "big"), digest.encode())).hexdigest()


def read_events(connection: apsw.Connection, table_id: str, since: int) -> list[Event]:
    """Return the events of a table from a number on."""
    found = []
    for seq, kind, payload, seat, move_id, at, previous, digest, text, salt, owner in connection.execute(SELECT, (table_id, since)):
        aside = {} if text is None else {"text": text, "salt": salt, "owner": owner}
        found.append(Event(table_id, seq, kind, json.loads(payload), seat, move_id, at / 1000, previous, digest, aside))
    if not found and connection.execute("SELECT 1 FROM tables WHERE id = ?", (table_id,)).fetchone() is None:
        raise UnknownTable(f"there is no table {table_id!r}")
    return found


def beat_of(connection: apsw.Connection) -> float | None:
    """Return the last beat that was noted."""
    row = connection.execute("SELECT at FROM beats").fetchone()
    return None if row is None else row[0] / 1000


def hash_carte(secret: str) -> str:
    """Return what is kept of the secret of a card."""
    return hashlib.sha256(packed(b"tablee carte v1", secret.encode())).hexdigest()


def find_carte(connection: apsw.Connection, secret: str) -> Carte | None:
    """Return the card of a secret."""
    if not TOKEN.fullmatch(secret):
        return None
    row = connection.execute("SELECT id, name, settings, made FROM cartes WHERE secret_hash = ?", (hash_carte(secret),)).fetchone()
    return None if row is None else Carte(row[0], row[1], json.loads(row[2]), row[3] / 1000)


def tables_of(connection: apsw.Connection, secret: str) -> list[str]:
    """Return the tables of a card's holder, newest first."""
    query = """
        SELECT t.id FROM tables t WHERE t.id IN (
            SELECT s.table_id FROM sitters s JOIN places p ON p.owner = s.owner JOIN cartes c ON c.id = p.carte WHERE c.secret_hash = ?
        ) ORDER BY t.number DESC
    """
    return [str(row[0]) for row in connection.execute(query, (hash_carte(secret),))]
