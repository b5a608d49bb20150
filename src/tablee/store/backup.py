"""Copies of a whole store: made while the house runs, taken back with dice sealed anew."""

import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

from tablee.core.errors import TableeError, needing, shown
from tablee.store.dump import BACKUP, Item, is_backup, read_dump, write_dump
from tablee.store.log import Log
from tablee.store.opening import FILE, is_postgres, open_store
from tablee.store.private import open_private
from tablee.store.taking import Taken, items_of, take_over

SQLITE_HEADER = b"SQLite format 3\0"


async def back_up(database: str, data: Path, path: Path) -> int:
    """Write a copy of a store to a file while others go on writing, and return how many tables it holds.

    The copy is the store as it is at one moment: of a file a file of SQLite, of a PostgreSQL database a dump.
    """
    log = await open_store(database, data, read_only=True)
    try:
        if is_postgres(database):
            return (await write_dump(log, path, BACKUP))[0]
    finally:
        await log.close()
    return copy_file(data / FILE, path)


def copy_file(source: Path, path: Path) -> int:
    """Copy an SQLite store as it is at one moment, check the copy, and return how many tables it holds."""
    with needing("a store", "web"):
        import apsw
    if path.exists():
        raise TableeError(f"{shown(str(path))} is already there: choose another name")
    draft = path.with_name(path.name + ".part")
    try:
        os.close(open_private(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC))  # SQLite fills an empty file and keeps its mode
        connection = apsw.Connection(str(source), flags=apsw.SQLITE_OPEN_READONLY)
        connection.set_busy_timeout(5000)
        connection.execute("VACUUM INTO ?", (str(draft),))
        connection.close()
        copy = apsw.Connection(str(draft), flags=apsw.SQLITE_OPEN_READONLY)
        verdict, count = copy.pragma("integrity_check"), int(str(copy.execute("SELECT count(*) FROM tables").get))
        copy.close()
        if verdict != "ok":
            raise TableeError(f"the copy is damaged, and so perhaps the store: {verdict}")
        with draft.open("rb") as file:
            os.fsync(file.fileno())
        os.rename(draft, path)
    except (apsw.Error, OSError) as error:
        raise TableeError(f"{shown(str(path))} cannot be written: {error}") from error
    finally:
        draft.unlink(missing_ok=True)
    return count


async def bring_in(path: Path, database: str, data: Path, *, anew: bool = False) -> Taken:
    """Take all tables and cards of a backup or an export into an empty store.

    The dice of the games that go on are sealed anew, if the file is a backup or `anew` says so: people who saw later throws must not
    know the next ones.
    """
    if not path.is_file():
        raise TableeError(f"{shown(str(path))} is no file: expected a backup or an export")
    with path.open("rb") as file:
        copied = file.read(len(SQLITE_HEADER)) == SQLITE_HEADER
    target = await open_store(database, data)
    try:
        now = await target.time() or time.time()
        if copied:
            return await bring_in_file(path, target, now)
        return await take_over(partial(items_in, path), target, now if anew or is_backup(path) else None)
    finally:
        await target.close()


async def items_in(path: Path) -> AsyncIterator[Item]:
    """Give what a dump holds."""
    for item in read_dump(path):
        yield item


async def bring_in_file(path: Path, target: Log, now: float) -> Taken:
    """Take over an SQLite file; a copy is read, so that an old file is brought to the present schema and the backup stays as it is."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copyfile(path, Path(folder) / FILE)
        source = await open_store("", Path(folder))
        try:
            return await take_over(partial(items_of, source), target, now)
        finally:
            await source.close()
