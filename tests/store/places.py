"""A place for a log, SQLite or PostgreSQL: opened anew for each piece of work, as by another process."""

import asyncio
import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import apsw
import psycopg
import pytest

from tablee.local.disk import Batch, NoDisk
from tablee.local.log import LocalLog
from tablee.store.log import Log
from tablee.store.postgres import PostgresLog
from tablee.store.sqlite import SqliteLog

T = TypeVar("T")


class Place(ABC):
    """Where a log is kept."""

    @abstractmethod
    async def open(self) -> Log:
        """Open the log."""

    @abstractmethod
    def forge(self, sql: str) -> int:
        """Change the database as somebody does who has it and knows SQL, past all triggers; return how many rows changed."""

    @abstractmethod
    def refused(self, sql: str) -> bool:
        """Return whether the database itself refuses a statement."""

    def run(self, work: Callable[[Log], Awaitable[T]]) -> T:
        """Open the log, do something with it, close it."""

        async def whole() -> T:
            log = await self.open()
            try:
                return await work(log)
            finally:
                await log.close()

        return asyncio.run(whole())


class SqlitePlace(Place):
    """A file."""

    def __init__(self, path: Path) -> None:
        """Keep where it is."""
        self.path = path

    async def open(self) -> Log:
        """Open the log."""
        return SqliteLog(self.path)

    def forge(self, sql: str) -> int:
        """Change the file without its triggers."""
        connection = apsw.Connection(str(self.path))
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(sql)
        changed = connection.total_changes()
        connection.close()
        return changed

    def refused(self, sql: str) -> bool:
        """Return whether a trigger refuses a statement."""
        connection = apsw.Connection(str(self.path))
        try:
            connection.execute(sql)
        except apsw.ConstraintError as error:
            return "never" in str(error)
        finally:
            connection.close()
        return False


class FileDisk(NoDisk):
    """Rows in a file of JSON: what the database of a browser is to a local log."""

    def __init__(self, path: Path) -> None:
        """Read the file."""
        self.path = path
        self.rows = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    async def write(self, batch: Batch, *, strict: bool = True) -> None:
        """Write the file."""
        await asyncio.sleep(0)
        await super().write(batch, strict=strict)
        self.path.write_text(json.dumps(self.rows), encoding="utf-8")


class LocalPlace(Place):
    """The log of a house in a browser tab."""

    def __init__(self, path: Path) -> None:
        """Keep where it is."""
        self.path = path

    async def open(self) -> Log:
        """Open the log."""
        return await LocalLog.open(FileDisk(self.path))

    def forge(self, sql: str) -> int:
        """Refuse: the rows of a browser know no SQL."""
        pytest.skip("the rows of a browser know no SQL")

    def refused(self, sql: str) -> bool:
        """Refuse: the rows of a browser know no SQL."""
        pytest.skip("whoever has the browser may change its rows; `check` finds it")


class PostgresPlace(Place):
    """A database of a server."""

    def __init__(self, url: str) -> None:
        """Keep its address."""
        self.url = url

    async def open(self) -> Log:
        """Open the log."""
        return await PostgresLog.open(self.url)

    def forge(self, sql: str) -> int:
        """Change the database with its triggers and foreign keys switched off."""
        changed = 0
        with psycopg.connect(self.url) as connection:
            connection.execute("SET session_replication_role = replica")
            for statement in filter(str.strip, sql.split(";")):
                changed += connection.execute(statement.encode()).rowcount
        return changed

    def refused(self, sql: str) -> bool:
        """Return whether a trigger refuses a statement."""
        try:
            with psycopg.connect(self.url) as connection:
                connection.execute(sql.encode())
        except psycopg.IntegrityError as error:
            return "never" in str(error)
        return False
