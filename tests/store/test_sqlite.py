"""The log on SQLite: committed before it is confirmed, committed together, never written twice, never changed unseen."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

from tablee.store import sqlite
from tablee.store.log import Log, Stale, StoreError, UnknownTable
from tablee.store.sqlite import SqliteLog
from tablee.tables.commands import Play, Rematch, Say, Sit
from tablee.tables.door import handle
from tablee.tables.events import chain
from tablee.tables.opening import Opening, open_rematch, open_table
from tablee.tables.table import Table
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, new_token, seat_token
from tests.tables.company import NOON, Company


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


def run(path: Path, work: Callable[[SqliteLog], Awaitable[None]]) -> None:
    """Do something with a log in a file, and close it."""

    async def whole() -> None:
        log = SqliteLog(path)
        try:
            await work(log)
        finally:
            await log.close()

    asyncio.run(whole())


def opening(slug: str = "traboulet") -> Opening:
    """Return a table that nobody has written yet."""
    return open_table(Terms(slug), new_token(), NOON)


async def written(log: SqliteLog, company: Company) -> None:
    """Write all that has happened at a table."""
    await log.create(company.table.id, company.table.events, company.opening.secret)


def test_it_is_a_log(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        promised: Log = log
        assert await promised.tables() == []

    run(path, work)


def test_what_was_written_reads_back_also_from_a_new_process(path: Path) -> None:
    company = Company("tablan", chat="text").seated("Ana", "Ben").wander(1, 30)

    async def write(log: SqliteLog) -> None:
        await written(log, company)

    async def read(log: SqliteLog) -> None:
        assert await log.events(company.table.id) == company.table.events
        assert await log.events(company.table.id, 5) == company.table.events[5:]
        assert await log.secret(company.table.id) == company.opening.secret
        assert (await log.check()).wrong == ()

    run(path, write)
    run(path, read)


def test_tables_are_listed_live_or_finished(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        live, over = Company().seated("Ana", "Ben"), Company().seated("Ana", "Ben").wander(1)
        await written(log, live)
        await written(log, over)
        assert await log.tables() == [live.table.id, over.table.id]
        assert await log.tables(True) == [live.table.id]
        assert await log.tables(False) == [over.table.id]

    run(path, work)


def test_a_number_is_written_once(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        company = Company().seated("Ana", "Ben")
        await written(log, company)
        one = handle(company.table, Play(0, ("a7b7",)), company.who("Ana"), NOON).events
        other = handle(company.table, Play(0, ("a6b6",)), company.who("Ana"), NOON).events
        await log.append(company.table.id, one)
        with pytest.raises(Stale):
            await log.append(company.table.id, other)
        with pytest.raises(Stale):
            await log.append(company.table.id, one)
        with pytest.raises(Stale):
            await log.create(company.table.id, company.table.events, company.opening.secret)
        assert (await log.events(company.table.id))[-1] == one[-1]

    run(path, work)


def test_a_move_id_is_written_once_even_under_another_number(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        company = Company().seated("Ana", "Ben")
        await written(log, company)
        last = company.table.events[-1]
        one = chain(last.table, last.seq + 1, "said", {"phrase": "hello"}, NOON, last.hash, seat=0, move_id="m")
        two = chain(last.table, last.seq + 2, "said", {"phrase": "hello"}, NOON, one.hash, seat=0, move_id="m")
        await log.append(last.table, [one])
        with pytest.raises(Stale):
            await log.append(last.table, [two])

    run(path, work)


def test_only_the_next_event_of_the_chain_is_taken(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        company = Company().seated("Ana", "Ben")
        await written(log, company)
        last = company.table.events[-1]
        gap = chain(last.table, last.seq + 2, "said", {}, NOON, last.hash)
        fork = chain(last.table, last.seq + 1, "said", {}, NOON, "0" * 64)
        strange = chain("elsewhere", last.seq + 1, "said", {}, NOON, last.hash)
        for event in (gap, fork, strange):
            with pytest.raises(StoreError):
                await log.append(last.table, [event])
        assert await log.events(last.table) == company.table.events

    run(path, work)


def test_events_of_one_request_are_written_all_or_none(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        company = Company().seated("Ana", "Ben")
        await written(log, company)
        last = company.table.events[-1]
        good = chain(last.table, last.seq + 1, "said", {}, NOON, last.hash)
        bad = chain(last.table, last.seq + 3, "said", {}, NOON, good.hash)
        with pytest.raises(Stale):
            await log.append(last.table, [good, bad])
        assert await log.events(last.table) == company.table.events

    run(path, work)


def test_nothing_is_confirmed_before_it_is_committed(path: Path) -> None:
    """At the moment of the commit nobody has been told yet; once told, another connection sees it."""

    async def work(log: SqliteLog) -> None:
        one, future, told = opening(), Future[object](), []

        def at_commit() -> bool:
            told.append(future.done())
            return False

        def create(connection: apsw.Connection) -> None:
            connection.execute("INSERT INTO tables(id, opened) VALUES (?, 0)", (one.table,))
            sqlite.insert(connection, one.table, one.events)

        log.writer.set_commit_hook(at_commit)
        log.writes.put((create, future))
        await asyncio.wrap_future(future)
        other = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        assert other.execute("SELECT count(*) FROM events").get == 1
        other.close()
        assert told == [False]

    run(path, work)


def test_a_commit_that_fails_is_confirmed_to_nobody(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        one, two = opening(), opening()
        log.writer.set_commit_hook(lambda: True)
        for result in await asyncio.gather(*(log.create(each.table, each.events, each.secret) for each in (one, two)), return_exceptions=True):
            assert isinstance(result, StoreError)
        log.writer.set_commit_hook(None)
        assert await log.tables() == []
        await log.create(one.table, one.events, one.secret)
        assert await log.tables() == [one.table]

    run(path, work)


def test_what_waits_together_is_committed_together(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        openings = [opening() for _ in range(100)]
        before = log.commits
        await asyncio.gather(*(log.create(one.table, one.events, one.secret) for one in openings))
        assert log.commits - before < 20
        assert set(await log.tables()) == {one.table for one in openings}

    run(path, work)


def test_one_that_comes_too_late_spoils_nobody_else_in_its_commit(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        first, others = opening(), [opening() for _ in range(20)]
        await log.create(first.table, first.events, first.secret)
        jobs = [log.create(one.table, one.events, one.secret) for one in (*others[:10], first, *others[10:])]
        results = await asyncio.gather(*jobs, return_exceptions=True)
        assert [type(result) for result in results if result is not None] == [Stale]
        assert len(await log.tables()) == 21

    run(path, work)


def test_of_many_who_write_the_same_number_one_wins(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        company = Company().seated("Ana", "Ben")
        await written(log, company)
        tries = [handle(company.table, Say(0, "hello", move_id=f"m{n}"), company.who("Ana"), NOON).events for n in range(50)]
        results = await asyncio.gather(*(log.append(company.table.id, events) for events in tries), return_exceptions=True)
        assert sum(result is None for result in results) == 1
        assert len(await log.events(company.table.id)) == len(company.table.events) + 1

    run(path, work)


def test_unknown_tables_are_said_to_be_unknown(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        for asked in (log.events("nowhere"), log.secret("nowhere")):
            with pytest.raises(UnknownTable):
                await asked

    run(path, work)


def test_one_house_one_file(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        with pytest.raises(StoreError, match="another process"):
            SqliteLog(path)

    run(path, work)
    run(path, lambda log: asyncio.sleep(0))


def test_a_file_that_is_no_log_of_ours_is_refused(path: Path) -> None:
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(StoreError):
        SqliteLog(path)
    path.unlink()
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", 99)
    connection.close()
    with pytest.raises(StoreError, match="schema version 99"):
        SqliteLog(path)


def test_an_old_sqlite_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.40.1")
    with pytest.raises(StoreError, match=r"3\.51\.3"):
        SqliteLog(path)


def test_commits_last_through_a_power_cut_by_their_settings(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        assert (log.writer.pragma("synchronous"), log.writer.pragma("journal_mode")) == (2, "wal")

    run(path, work)


def test_the_last_beat_before_a_restart_is_known(path: Path) -> None:
    async def first(log: SqliteLog) -> None:
        assert await log.last_beat() is None
        await log.beat(NOON)
        await log.beat(NOON + 1.5)

    async def second(log: SqliteLog) -> None:
        await log.beat(NOON + 99)
        assert await log.last_beat() == NOON + 1.5

    run(path, first)
    run(path, second)


# Tampering.


@contextmanager
def behind_the_back(path: Path) -> Iterator[apsw.Connection]:
    """Give the file to somebody who has it and knows SQL: the triggers are gone."""
    connection = apsw.Connection(str(path))
    for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        connection.execute(f"DROP TRIGGER {name}")
    yield connection
    connection.close()


FORGERIES = {
    "an edited action": "UPDATE events SET payload = replace(payload, 'a7b7', 'a6b6') WHERE kind = 'acted'",
    "an edited time": "UPDATE events SET at = at + 1 WHERE seq = 3",
    "a deleted event": "DELETE FROM events WHERE seq = 3",
    "a log cut off at its end": "DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)",
    "a whole log gone": "DELETE FROM events",
    "a table gone": "DELETE FROM events; DELETE FROM secrets; DELETE FROM tables",
    "an edited line of the ledger": "UPDATE ledger SET seq = seq - 1 WHERE number = 2",
    "a deleted line of the ledger": "DELETE FROM ledger WHERE number = 1",
    "an exchanged name": "UPDATE asides SET text = 'Zoé'",
    "log and ledger cut off together": """
        DELETE FROM asides WHERE seq >= 6; DELETE FROM events WHERE seq >= 6; DELETE FROM ledger WHERE number >= 2;
    """,
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_what_was_done_behind_the_back_is_found(path: Path, forgery: str) -> None:
    checkpoint: list[tuple[int, str]] = []

    async def write(log: SqliteLog) -> None:
        company = Company().seated("Ana", "Ben")
        await written(log, company)
        for name, seat, token in (("Ana", 0, "a7b7"), ("Ben", 1, "a1b1")):
            await log.append(company.table.id, company.play(name, seat, token))
        checked = await log.check()
        assert checked.wrong == ()
        checkpoint.append((checked.number, checked.head))

    async def check(log: SqliteLog) -> None:
        assert (await log.check(checkpoint[0])).wrong != ()

    run(path, write)
    with behind_the_back(path) as connection:
        connection.execute(FORGERIES[forgery])
        assert connection.total_changes() > 0
    run(path, check)


def test_an_honest_log_that_has_grown_passes_an_old_checkpoint(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        company = Company().seated("Ana", "Ben")
        await written(log, company)
        checked = await log.check()
        await log.append(company.table.id, company.play("Ana", 0, "a7b7"))
        assert (await log.check((checked.number, checked.head))).wrong == ()

    run(path, work)


@pytest.mark.parametrize("sql", ["UPDATE events SET kind = 'said'", "DELETE FROM events", "UPDATE ledger SET seq = 0", "DELETE FROM ledger"])
def test_the_database_itself_refuses_to_change_the_past(path: Path, sql: str) -> None:
    async def work(log: SqliteLog) -> None:
        await written(log, Company().seated("Ana", "Ben"))
        with pytest.raises(Stale, match="never"):
            await log.write(lambda connection: sqlite.none(connection.execute(sql)))

    run(path, work)


# The visitors' cards.


def test_a_card_is_made_found_changed_and_only_by_its_secret(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        secret = await log.new_carte("Ana\n", NOON)
        found = await log.carte(secret)
        assert found is not None
        assert (found.name, found.made) == ("Ana", NOON)
        for wrong in ("", new_token(), secret[:-1], sqlite.hash_carte(secret), found.id, "' OR 1=1 --"):
            assert await log.carte(wrong) is None
            assert await log.tables_of(wrong) == []
            assert await log.export_carte(wrong) is None
            assert await log.change_carte(wrong, "Mallory") is None
            assert await log.delete_carte(wrong) == []
        changed = await log.change_carte(secret, "Anna", {"language": "fr"})
        assert changed is not None
        assert (changed.name, dict(changed.settings)) == ("Anna", {"language": "fr"})
        assert await log.carte(secret) == changed

    run(path, work)


def test_the_file_holds_no_secret_of_a_card_or_seat(path: Path) -> None:
    tokens: list[str] = []

    async def work(log: SqliteLog) -> None:
        company = Company()
        secret = await log.new_carte("Ana", NOON)
        company.tokens["Ana"] = seat_token(secret, company.table.match.id)
        company.seated("Ana", "Ben")
        await written(log, company)
        await log.remember(secret, company.table.match.id)
        tokens.extend([secret, *company.tokens.values()])

    run(path, work)
    data = path.read_bytes()
    assert b"Ana" in data
    assert not [token for token in tokens if token.encode() in data]


def test_my_tables_follow_the_card_through_a_match(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        company = Company()
        secret = await log.new_carte("Ana", NOON)
        company.tokens["Ana"] = seat_token(secret, company.table.match.id)
        company.seated("Ana", "easy")
        await written(log, company)
        assert await log.tables_of(secret) == []
        await log.remember(secret, company.table.match.id)
        assert await log.tables_of(secret) == [company.table.id]
        company.wander(1)
        company.do("Ana", Rematch(0))
        again = open_rematch(company.table, NOON)
        await log.create(again.table, again.events, again.secret)
        assert await log.tables_of(secret) == [again.table, company.table.id]
        table = Table.from_events(await log.events(again.table))
        assert "Ana" in {seat.name for seat in table.seats}

    run(path, work)


def test_deleting_a_card_makes_its_holder_somebody_and_leaves_the_chain_whole(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        company = Company(chat="text")
        secret = await log.new_carte("Ana Unique", NOON)
        company.tokens["Ana"] = seat_token(secret, company.table.match.id)
        company.do("Ana", Sit(0, "Ana Unique", contribution="00" * 16))
        company.do("Ben", Sit(1, "Ben", contribution="00" * 16))
        company.do("Ana", Say(0, text="a private word"))
        await written(log, company)
        await log.remember(secret, company.table.match.id)
        export = await log.export_carte(secret)
        assert export is not None
        assert [one["text"] for one in export["texts"]] == ["Ana Unique", "a private word"]  # type: ignore[attr-defined]
        assert await log.delete_carte(secret) == [company.table.id]
        table = Table.from_events(await log.events(company.table.id), company.opening.secret)
        assert [seat.name for seat in table.seats] == ["", "Ben"]
        assert table.hash == company.table.hash
        assert table.held_by(Actor((company.tokens["Ana"],))) == (0,)
        assert (await log.check()).wrong == ()
        assert await log.carte(secret) is None

    run(path, work)
    for file in path.parent.iterdir():
        data = file.read_bytes()
        assert b"Ana Unique" not in data
        assert b"a private word" not in data
