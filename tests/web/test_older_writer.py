"""A house of an older program that says no deadlines writes to the same database: nobody's flag falls late, and nobody is given time."""

import asyncio
import time
from pathlib import Path

import psycopg
import pytest
from psycopg import connect as connect_database

from tablee.store.postgres_rows import Rowed, write_rows
from tablee.store.rows import rows_of
from tablee.tables.commands import Play
from tablee.tables.door import handle
from tablee.tables.table import Table
from tablee.tables.tokens import Actor
from tablee.web import deadlines
from tests.store.pg import PgServer
from tests.web.serving import WAIT, Serving, serving
from tests.web.test_clock_jumps import begun, played


def played_elsewhere(url: str, house: Serving, table_id: str, token: str) -> Table:
    """Play as a house of an older program does, on a connection without our settings; return the table as it is then."""
    running = house.guard.app.state.house  # type: ignore[attr-defined]
    before: Table = running.lives[table_id].table
    assert before.state is not None
    seat = before.asked[0]
    action = before.game.notate(before.state.legal(seat)[0])
    outcome = handle(before, Play(seat, (action,)), Actor((token,)), running.clock())

    async def write() -> None:
        async with await psycopg.AsyncConnection.connect(url) as connection:
            await write_rows(connection, [Rowed(table_id, rows_of(table_id, outcome.events))])

    asyncio.run(write())
    return outcome.table


def due_of(url: str, table_id: str) -> float:
    """Return when a table is due, as the database has it."""
    with connect_database(url) as database:
        (due,) = database.execute("SELECT due FROM tables WHERE id = %s", (table_id,)).fetchone() or (None,)
    assert due is not None
    return float(due) / 1000


def test_a_newer_house_says_when_a_table_is_due_that_an_older_one_wrote(pg: PgServer, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the index names the deadline of an earlier move, and a flag of a table that left memory falls late."""
    monkeypatch.setattr(deadlines, "LOOK_SECONDS", 0.05)
    url = pg.new_database()
    with serving(data, database=url) as house:
        table, token = begun(house)
        played(house, table, token)
        deadline = played_elsewhere(url, house, table, token).deadline()
        assert deadline is not None
        end = time.monotonic() + WAIT
        while abs(due_of(url, table) - deadline) > 0.01:
            assert time.monotonic() < end, due_of(url, table)
            time.sleep(0.05)


def test_what_an_older_house_wrote_after_an_outage_is_nobodys_time_away(pg: PgServer, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody said when the table is due: that is no sign that all houses were away since its last move."""
    monkeypatch.setattr(deadlines, "LOOK_SECONDS", 3600.0)
    url = pg.new_database()
    with serving(data, database=url) as house:
        table, token = begun(house)
    with connect_database(url) as database:
        database.execute("UPDATE beats SET at = at - 3600000")
    with serving(data, database=url) as house:
        running = house.guard.app.state.house  # type: ignore[attr-defined]
        assert running.alive_until is not None
        played(house, table, token)
        written = played_elsewhere(url, house, table, token)
        running.drop_idle(0.0)
        events = house.bot(token).get(f"/tables/{table}/state").json()["events"]
        assert events[-1]["hash"] == written.hash
        assert due_of(url, table) == 0.0
