"""Opens the store that is named: a file in the data folder, or a PostgreSQL database by its address."""

from pathlib import Path

from tablee.core.errors import TableeError, needing, shown
from tablee.store.log import Log

FILE = "tablee.sqlite"
POSTGRES = ("postgresql://", "postgres://")


def is_postgres(database: str) -> bool:
    """Return whether a store is a PostgreSQL database; refuse an address of anything else."""
    if database and not database.startswith(POSTGRES):
        raise TableeError(f"{shown(database)} is no database: expected postgresql://user@host/name, or nothing for a file in the data folder")
    return bool(database)


async def open_store(database: str, data: Path, *, read_only: bool = False) -> Log:
    """Open the store; `read_only` reads a file beside the house that has it open, and makes none."""
    if is_postgres(database):
        with needing("a PostgreSQL database", "postgres"):
            from tablee.store.postgres import PostgresLog

        return await PostgresLog.open(database)
    with needing("a store", "web"):
        from tablee.store.sqlite import SqliteLog
    if read_only and not (data / FILE).exists():
        raise TableeError(f"there is no store in {shown(str(data))}: expected the file {FILE}")
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    return SqliteLog(data / FILE, read_only=read_only)


async def migrate_store(database: str, data: Path) -> list[int]:
    """Bring a store to the present schema and return the numbers of the migrations that it lacked."""
    if is_postgres(database):
        with needing("a PostgreSQL database", "postgres"):
            from tablee.store.postgres_server import migrate_database

        return await migrate_database(database)
    with needing("a store", "web"):
        from tablee.store.sqlite import SqliteLog
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    log = SqliteLog(data / FILE)
    await log.close()
    return log.migrated
