"""Measure the store: `python -m bench.store [--moves 4000]`: processor time and bytes of an event, on SQLite and on PostgreSQL.

Processor time is that of the house alone; seconds would depend on the disk and on what else the machine does.
"""

import argparse
import asyncio
import tempfile
import time
from pathlib import Path

import psycopg

from tablee.store.log import Log
from tablee.store.postgres import PostgresLog
from tablee.store.sqlite import SqliteLog
from tests.store.pg import PgServer
from tests.tables.company import Company

TABLES = 50


def games() -> list[Company]:
    """Return finished games, to be written again event by event."""
    return [Company("traboulet").seated("Ana", "Ben").wander(seed) for seed in range(TABLES)]


async def write(log: Log, companies: list[Company], moves: int) -> tuple[int, float]:
    """Write games as a house does, all tables at once; return how many events, and the processor seconds of each."""
    before, count = time.process_time(), 0

    async def one(company: Company) -> None:
        nonlocal count
        events = company.table.events
        await log.create(company.table.id, events[:6], company.opening.secret)
        for event in events[6 : 6 + moves // TABLES]:
            await log.append(company.table.id, [event])
            count += 1

    await asyncio.gather(*map(one, companies))
    return count, (time.process_time() - before) / max(count, 1)


async def on_sqlite(companies: list[Company], moves: int) -> str:
    """Measure SQLite."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tables.db"
        log = SqliteLog(path)
        count, seconds = await write(log, companies, moves)
        commits = log.commits
        await log.close()
        return line("SQLite", count, seconds, path.stat().st_size, commits)


async def on_postgres(companies: list[Company], moves: int) -> str:
    """Measure PostgreSQL."""
    server = PgServer()
    try:
        url = server.new_database()
        log = await PostgresLog.open(url)
        with psycopg.connect(url) as connection:
            size = "SELECT pg_database_size(current_database())"
            empty = connection.execute(size).fetchone()
            count, seconds = await write(log, companies, moves)
            connection.commit()
            full = connection.execute(size).fetchone()
        commits = log.commits
        await log.close()
        return line("PostgreSQL", count, seconds, full[0] - empty[0] if full and empty else 0, commits)
    finally:
        server.stop()


def line(name: str, count: int, seconds: float, size: int, commits: int) -> str:
    """Return a row of the result."""
    micro, bytes_each = 1e6 * seconds, size / max(count, 1)
    return f"{name:<12}{count:>8} events {micro:>8.0f} µs of processor time an event {bytes_each:>8.0f} bytes an event {commits:>6} commits"


def main() -> None:
    """Measure both."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--moves", type=int, default=4000)
    moves = words.parse_args().moves
    companies = games()
    print(asyncio.run(on_sqlite(companies, moves)))
    print(asyncio.run(on_postgres(companies, moves)))


if __name__ == "__main__":
    main()
