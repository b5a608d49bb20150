"""The file of an SQLite store: private, written by one process, durable at each commit, brought to the present schema."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from tablee.store.log import StoreError
from tablee.store.migrating import pending
from tablee.store.private import PRIVATE, open_private

LEAST_SQLITE = (3, 51, 3)
OURS = 0x7461626C
BUSY_MILLISECONDS = 5000
# What SQLite says of a file whose pages are damaged.
DAMAGED = (apsw.CorruptError, apsw.NotADBError)


def check_version() -> None:
    """Refuse an SQLite that could corrupt its write-ahead log."""
    version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
    if version < LEAST_SQLITE:
        raise StoreError(f"SQLite {apsw.sqlite_lib_version()} can corrupt its log: expected at least {'.'.join(map(str, LEAST_SQLITE))}")


def make_private(path: str) -> None:
    """Make the file if need be, readable by its owner alone whatever the umask is; SQLite gives its -wal and -shm the same mode."""
    for name in (path, f"{path}-wal", f"{path}-shm"):
        if name == path or os.path.exists(name):
            handle = open_private(name, os.O_RDWR | os.O_CREAT)
            try:
                if stat.S_IMODE(os.fstat(handle).st_mode) != PRIVATE:
                    os.chmod(name, PRIVATE)
            finally:
                os.close(handle)


def connect(path: str) -> apsw.Connection:
    """Open the file with the settings that make a commit durable."""
    connection = apsw.Connection(path)
    connection.set_busy_timeout(BUSY_MILLISECONDS)
    for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "trusted_schema = OFF", "secure_delete = ON"):
        connection.execute(f"PRAGMA {setting}").fetchall()
    mode, level = connection.pragma("journal_mode"), connection.pragma("synchronous")
    if mode != "wal" or level != 2:
        raise StoreError(f"{path!r} cannot be written safely: journal {mode!r}, synchronous {level}; expected 'wal' and 2")
    return connection


def connect_to_read(path: str) -> apsw.Connection:
    """Open a file to read it beside the house that writes it; a file of an older schema is readable only after `tablee migrate`."""
    try:
        connection = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READONLY)
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        check_ours(connection, path)
        lacking = pending("sqlite", version_of(connection))
    except apsw.Error as error:
        raise StoreError(f"{path!r} cannot be read: {error}") from error
    if lacking:
        raise StoreError(f"{path!r} has schema version {lacking[0][0] - 1}, expected {lacking[-1][0]}: run `tablee migrate` first")
    return connection


def version_of(connection: apsw.Connection) -> int:
    """Return the number of the last migration of a file."""
    return int(str(connection.pragma("user_version")))


def check_ours(connection: apsw.Connection, path: str) -> None:
    """Refuse the database of another program: ours carries our mark, has the tables of its first version, or is empty."""
    mark, version = connection.pragma("application_id"), version_of(connection)
    names = {str(row[0]) for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    first = version == 1 and mark == 0 and {"tables", "events", "ledger", "cartes"} <= names
    if not (mark == OURS or first or (version == 0 and mark == 0 and not names)):
        raise StoreError(f"{path!r} is the database of another program (mark {mark}, schema version {version}): choose another folder with --data")


def migrate_file(connection: apsw.Connection, path: str) -> list[int]:
    """Bring a file to the present schema, all or nothing, and return the numbers of the migrations that it lacked."""
    check_ours(connection, path)
    lacking = pending("sqlite", version_of(connection))
    if lacking:
        with immediate(connection):
            for number, script in lacking:
                connection.execute(script)
                connection.pragma("user_version", number)
    return [number for number, _ in lacking]


@contextmanager
def immediate(connection: apsw.Connection) -> Iterator[None]:
    """Run a transaction that takes the write lock at its beginning."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def checkpoint(connection: apsw.Connection) -> None:
    """Copy the write-ahead log into the file as far as open readers allow, without waiting for them: a wait would stop all writes."""
    connection.set_busy_timeout(0)
    try:
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
    except apsw.Error:
        return
    finally:
        connection.set_busy_timeout(BUSY_MILLISECONDS)
