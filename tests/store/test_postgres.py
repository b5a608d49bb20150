"""What is PostgreSQL's own: several houses on one database, a server that dies at any moment, and one that could lose a commit."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import psycopg
import pytest

from tablee.store.ledger import SHARDS, shard_of
from tablee.store.log import Stale, StoreError
from tablee.store.migrating import migrations
from tablee.store.postgres import PostgresLog
from tablee.store.postgres_rows import Rowed, write_rows
from tablee.store.postgres_server import migrate_database
from tablee.store.rows import rows_of
from tablee.tables.commands import Say, Sit
from tablee.tables.door import handle
from tablee.tables.opening import open_table
from tablee.tables.terms import Terms
from tablee.tables.tokens import new_token, seat_token
from tests.store.pg import PgServer
from tests.tables.company import NOON, Company

T = TypeVar("T")


def with_two(url: str, work: Callable[[PostgresLog, PostgresLog], Awaitable[T]]) -> T:
    """Do something with two houses on one database."""

    async def whole() -> T:
        one, other = await PostgresLog.open(url), await PostgresLog.open(url)
        try:
            return await work(one, other)
        finally:
            await one.close()
            await other.close()

    return asyncio.run(whole())


def test_of_two_houses_that_write_the_same_number_one_wins(pg: PgServer) -> None:
    async def work(one: PostgresLog, other: PostgresLog) -> None:
        companies = [Company().seated("Ana", "Ben") for _ in range(12)]
        for company in companies:
            await one.create(company.table.id, company.table.events, company.opening.secret)
        jobs = []
        for number in range(10):
            for company in companies:
                say = Say(0, "hello", move_id=f"m{number}")
                jobs.append((one, other)[number % 2].append(company.table.id, handle(company.table, say, company.who("Ana"), NOON).events))
        results = await asyncio.gather(*jobs, return_exceptions=True)
        assert [type(result) for result in results if result is not None] == [Stale] * 108
        assert (await other.check()).wrong == ()

    with_two(pg.new_database(), work)


def test_tables_are_spread_over_shards_and_each_shard_is_a_chain_of_its_own(pg: PgServer) -> None:
    async def work(one: PostgresLog, other: PostgresLog) -> None:
        openings = [open_table(Terms("traboulet"), new_token(), NOON) for _ in range(60)]
        await asyncio.gather(*((one, other)[n % 2].create(opening.table, opening.events, opening.secret) for n, opening in enumerate(openings)))
        checked = await one.check()
        assert checked.wrong == ()
        assert set(checked.heads) == {shard_of(opening.table) for opening in openings}
        assert len(checked.heads) > SHARDS // 4
        assert sum(number for number, _ in checked.heads.values()) == 60

    with_two(pg.new_database(), work)


def test_another_house_reads_what_was_written_and_erased_in_the_ledger(pg: PgServer) -> None:
    async def work(one: PostgresLog, other: PostgresLog) -> None:
        seen = await other.heads()
        company = Company()
        secret = await one.new_carte("Ana", NOON)
        company.tokens["Ana"] = seat_token(secret, company.table.match.id)
        company.do("Ana", Sit(0, "Ana"))
        await one.create(company.table.id, company.table.events, company.opening.secret)
        await one.remember(secret, company.table.match.id)
        (line,) = await other.changes(seen)
        assert (line.table, line.seq) == (company.table.id, company.table.seq)
        seen[line.shard] = line.number
        assert await other.changes(seen) == []
        await one.delete_carte(secret)
        (erased,) = await other.changes(seen)
        assert (erased.table, erased.seq) == (company.table.id, company.table.seq)
        assert (await other.check()).wrong == ()

    with_two(pg.new_database(), work)


def test_a_house_that_joins_others_does_not_count_an_outage(pg: PgServer) -> None:
    url = pg.new_database()

    async def work() -> None:
        first = await PostgresLog.open(url)
        now = await first.time()
        assert now is not None
        await first.beat(now)
        second = await PostgresLog.open(url)
        assert await second.last_beat() is None
        await second.beat(now)
        assert await first.houses(now) == sorted([first.house, second.house])
        await second.close()
        assert await first.houses(now) == [first.house]
        await first.beat(now - 3600)
        await first.close()
        third = await PostgresLog.open(url)
        assert await third.last_beat() == pytest.approx(now - 3600, abs=0.001)
        await third.close()

    asyncio.run(work())


def test_the_last_house_to_close_leaves_its_beat_though_an_earlier_one_was_killed(pg: PgServer) -> None:
    """Otherwise the next one counts the time since that kill as time in which nobody could play."""
    url = pg.new_database()

    async def work() -> None:
        killed, last = await PostgresLog.open(url), await PostgresLog.open(url)
        now = await last.time()
        assert now is not None
        await killed.beat(now - 7200)
        await last.beat(now - 3600)
        await last.close()
        third = await PostgresLog.open(url)
        assert await third.last_beat() == pytest.approx(now - 3600, abs=0.001)
        await third.close()
        await killed.pool.close()

    asyncio.run(work())


def test_a_server_that_could_lose_a_commit_is_refused(pg: PgServer) -> None:
    url = pg.new_database()
    pg.set("fsync", "off")
    try:
        with pytest.raises(StoreError, match="fsync"):
            asyncio.run(opened_and_closed(url))
    finally:
        pg.set("fsync", "on")


def test_the_house_switches_durable_commits_on_for_itself(pg: PgServer) -> None:
    url = pg.new_database()
    pg.set("synchronous_commit", "off")
    try:
        assert asyncio.run(opened_and_closed(url)).closed
    finally:
        pg.set("synchronous_commit", "on")


async def opened_and_closed(url: str) -> PostgresLog:
    """Open a log and close it again."""
    log = await PostgresLog.open(url)
    async with log.pool.connection() as connection:
        assert (await (await connection.execute("SHOW synchronous_commit")).fetchone()) == ("on",)
    await log.close()
    return log


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE events (what TEXT)",
        "CREATE TABLE customers (id INTEGER)",
        "CREATE VIEW customers AS SELECT 1 AS id",
        "CREATE TABLE schema_version (version INTEGER); INSERT INTO schema_version VALUES (1)",
        "CREATE TABLE schema_version (number INTEGER, at TIMESTAMPTZ); INSERT INTO schema_version VALUES (1, now())",
    ],
)
def test_a_foreign_database_is_refused_and_left_as_it_is(pg: PgServer, sql: str) -> None:
    url = pg.new_database()
    with psycopg.connect(url) as connection:
        connection.execute(sql.encode())
    for way in (opened_and_closed, migrate_database):
        with pytest.raises(StoreError, match=r"another program.*(events|customers|schema_version)"):
            asyncio.run(way(url))
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'").fetchone() == (1,)


def test_a_database_whose_versions_were_deleted_is_refused(pg: PgServer) -> None:
    url = pg.new_database()
    asyncio.run(migrate_database(url))
    with psycopg.connect(url) as connection:
        connection.execute("DELETE FROM schema_version")
    with pytest.raises(StoreError, match="not whole"):
        asyncio.run(opened_and_closed(url))


def test_what_an_extension_brings_is_no_other_program(pg: PgServer) -> None:
    url = pg.new_database()
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE brought (id INTEGER)")
        connection.execute(
            "INSERT INTO pg_depend SELECT 'pg_class'::regclass, 'brought'::regclass, 0, 'pg_extension'::regclass, oid, 0, 'e' FROM pg_extension"
        )
    assert asyncio.run(opened_and_closed(url)).closed


def test_a_database_of_a_later_version_is_refused(pg: PgServer) -> None:
    url = pg.new_database()
    assert asyncio.run(migrate_database(url)) == [1, 2, 3, 4]
    assert asyncio.run(migrate_database(url)) == []
    with psycopg.connect(url) as connection:
        connection.execute("INSERT INTO schema_version(number) VALUES (99)")
    with pytest.raises(StoreError, match="version 99"):
        asyncio.run(opened_and_closed(url))


def test_an_older_database_is_refused_and_left_as_it_is_until_somebody_migrates_it(pg: PgServer) -> None:
    url = pg.new_database()
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE schema_version (number INTEGER PRIMARY KEY, at TIMESTAMPTZ NOT NULL DEFAULT now())")
        connection.execute(migrations("postgres")[0][1].encode())
        connection.execute("INSERT INTO schema_version(number) VALUES (1)")
    with pytest.raises(StoreError, match=r"version 1, expected \d+: run `tablee migrate"):
        asyncio.run(opened_and_closed(url))
    assert asyncio.run(migrate_database(url)) == [number for number, _ in migrations("postgres")[1:]]
    assert asyncio.run(opened_and_closed(url)).closed


def test_what_a_program_writes_that_says_no_deadline_is_due_at_once_until_somebody_says_it(pg: PgServer) -> None:
    """As while processes of before migration 3 are replaced one after the other."""
    url = pg.new_database()

    async def older(company: Company, seq: int) -> None:
        async with await psycopg.AsyncConnection.connect(url) as connection:
            await write_rows(connection, [Rowed(company.table.id, rows_of(company.table.id, company.table.events[seq:]))])

    async def work(one: PostgresLog, other: PostgresLog) -> None:
        company = Company().seated("Ana", "Ben")
        name = company.table.id
        await one.create(name, company.table.events, company.opening.secret, NOON + 3600)
        assert (await one.due(NOON), await one.due_of(name)) == ([], NOON + 3600)
        said = company.table.seq
        company.do("Ana", Say(0, "hello"))
        await older(company, said + 1)
        assert (await other.due(NOON), await other.due_of(name)) == ([name], 0.0)
        await other.say_due(name, said, NOON + 60)  # for what was written since, nobody has said it
        assert await other.due_of(name) == 0.0
        await other.say_due(name, company.table.seq, NOON + 60)
        assert (await other.due(NOON), await other.due_of(name)) == ([], NOON + 60)
        await other.say_due(name, company.table.seq, None)
        assert await other.due_of(name) is None

    with_two(url, work)


def test_a_server_that_is_not_there_is_told_in_one_sentence() -> None:
    with pytest.raises(StoreError, match="the database cannot be used"):
        asyncio.run(opened_and_closed("postgresql://nobody@127.0.0.1:1/none?connect_timeout=2"))
