"""The PostgreSQL server behind a log: what its settings must promise, and the schema of its database."""

from typing import Any

import psycopg
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool

from tablee.store.log import StoreError
from tablee.store.migrating import migrations, pending

POOL_SECONDS = 10.0
LEAST_SERVER = 130000
MIGRATION_LOCK = 0x7461626C
MOST_NAMED = 5
# Tables and views of this schema, without those that extensions bring.
RELATIONS = """
SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
"""
VERSION_COLUMNS = """
SELECT column_name::text, data_type::text FROM information_schema.columns
WHERE table_schema = current_schema() AND table_name = 'schema_version' ORDER BY column_name
"""
# What the first migration made.
FIRST_TABLES = {"schema_version", "tables", "secrets", "events", "asides", "ledger", "shards", "cartes", "beats"}
SETTINGS = {
    "statement_timeout": "30s",
    "lock_timeout": "10s",
    "idle_in_transaction_session_timeout": "30s",
    "synchronous_commit": "on",
    "tablee.due": "said",  # with its events this program says when a table is due; see migration 4
}


async def prepare_connection(connection: AsyncConnection[Any]) -> None:
    """Set what every connection of the house needs: bounded waiting, and commits that are on disk."""
    for name, value in SETTINGS.items():
        await connection.execute("SELECT set_config(%s, %s, false)", (name, value))


async def open_connections(url: str, most: int) -> "AsyncConnectionPool[AsyncConnection[Any]]":
    """Return an open pool with a limit of connections; each is tried before it is used."""
    pool: AsyncConnectionPool[AsyncConnection[Any]] = AsyncConnectionPool(
        url,
        min_size=1,
        max_size=most,
        open=False,
        timeout=POOL_SECONDS,
        reconnect_timeout=5.0,
        kwargs={"autocommit": True},
        configure=prepare_connection,
        check=AsyncConnectionPool.check_connection,
    )
    try:
        await pool.open()
    except (psycopg.Error, OSError) as error:
        await pool.close()
        raise StoreError(f"the database cannot be used: {error}") from error
    return pool


async def check_durable(connection: AsyncConnection[Any]) -> None:
    """Refuse a server that is too old, or that could lose a commit at a power cut."""
    if connection.info.server_version < LEAST_SERVER:
        raise StoreError(f"PostgreSQL {connection.info.server_version // 10000} is too old: expected at least {LEAST_SERVER // 10000}")
    for name in ("fsync", "full_page_writes", "synchronous_commit"):
        row = await (await connection.execute("SELECT current_setting(%s)", (name,))).fetchone()
        if row is None or row[0] == "off":
            raise StoreError(f"the database cannot be written safely: {name} is {row and row[0]!r}, expected 'on'")


async def version_of(connection: AsyncConnection[Any]) -> int:
    """Return the number of the last migration; 0 for an empty database. Refuse the database of another program."""
    rows = await (await connection.execute(RELATIONS)).fetchall()
    names = {str(row[0]) for row in rows}
    if not names:
        return 0
    columns = await (await connection.execute(VERSION_COLUMNS)).fetchall()
    if columns != [("at", "timestamp with time zone"), ("number", "integer")] or not names >= FIRST_TABLES:
        held = ", ".join(sorted(names)[:MOST_NAMED])
        raise StoreError(f"the database belongs to another program: it holds {held}; expected an empty database, or one that Tablée has set up")
    last = await (await connection.execute("SELECT max(number) FROM schema_version")).fetchone()
    if not last or not last[0]:
        raise StoreError("the database is not whole: its table schema_version is empty; restore a backup into an empty database")
    return int(last[0])


async def migrate_database(url: str, only_empty: bool = False) -> list[int]:
    """Bring a database to the present schema, one process at a time, all or nothing; return the numbers of the migrations that it lacked.

    With `only_empty` an old database is left alone.
    """
    try:
        async with await AsyncConnection.connect(url) as connection:
            await connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
            version = await version_of(connection)
            lacking = pending("postgres", version)
            if only_empty and version:
                return []
            if not version:
                await connection.execute("CREATE TABLE schema_version (number INTEGER PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now())")
            for number, script in lacking:
                await connection.execute(script.encode())
                await connection.execute("INSERT INTO schema_version(number) VALUES (%s)", (number,))
    except (psycopg.Error, OSError) as error:
        raise StoreError(f"the database cannot be used: {error}") from error
    return [number for number, _ in lacking]


async def require_present(url: str) -> None:
    """Set up an empty database; refuse one whose schema is older or newer than this program's."""
    await migrate_database(url, only_empty=True)
    try:
        async with await AsyncConnection.connect(url, autocommit=True) as connection:
            version = await version_of(connection)
    except (psycopg.Error, OSError) as error:
        raise StoreError(f"the database cannot be used: {error}") from error
    if pending("postgres", version):
        raise StoreError(
            f"the database has schema version {version}, expected {len(migrations('postgres'))}: run `tablee migrate --database …` first"
        )
