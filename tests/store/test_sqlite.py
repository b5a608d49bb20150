"""The log on SQLite: committed before it is confirmed, committed together, never written twice, never changed unseen."""

import asyncio
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event, Thread, current_thread
from types import SimpleNamespace

import apsw
import pytest

from tablee.store import checkpointing, migrating, private, sqlite, sqlite_file
from tablee.store.log import StoreError
from tablee.store.migrating import migrations
from tablee.store.private import FileLock
from tablee.store.sqlite import SqliteLog
from tablee.tables import events
from tablee.tables.commands import Say, Sit
from tablee.tables.opening import Opening, open_table
from tablee.tables.terms import Terms
from tablee.tables.tokens import new_token, seat_token
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


def create(table: Opening, connection: apsw.Connection) -> None:
    """Write the first events of a table, as a job of the writer does."""
    connection.execute("INSERT INTO tables(id, opened) VALUES (?, 0)", (table.table,))
    sqlite.insert(connection, table.table, table.events)


async def written(log: SqliteLog, company: Company) -> None:
    """Write all that has happened at a table."""
    await log.create(company.table.id, company.table.events, company.opening.secret)


def test_nothing_is_confirmed_before_it_is_committed(path: Path) -> None:
    """At the moment of the commit nobody has been told yet; once told, another connection sees it."""

    async def work(log: SqliteLog) -> None:
        one, loop, told = opening(), asyncio.get_running_loop(), []
        future: asyncio.Future[None] = loop.create_future()

        def at_commit() -> bool:
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result()  # whoever was told until now has heard it
            told.append(future.done())
            return False

        log.writer.set_commit_hook(at_commit)
        log.writes.put((partial(create, one), future))
        await future
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


def test_one_house_one_file(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        with pytest.raises(StoreError, match="another process"):
            SqliteLog(path)

    run(path, work)
    run(path, lambda log: asyncio.sleep(0))


@pytest.mark.parametrize("known", ["flock", "msvcrt", "nothing"])
def test_one_house_one_file_on_every_system(path: Path, known: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `fcntl` Windows locks a byte; a system that knows neither makes a file that must not be there yet."""
    locked: set[tuple[int, int]] = set()

    def locking(handle: int, mode: int, count: int) -> None:
        found = os.fstat(handle)
        if (found.st_dev, found.st_ino) in locked:
            raise OSError(36, "deadlock")
        locked.add((found.st_dev, found.st_ino))

    if known != "flock":
        monkeypatch.setattr(private, "fcntl", None)
        monkeypatch.setattr(private, "CLOSED_ON_EXEC", 0)
        monkeypatch.setattr(private, "msvcrt", SimpleNamespace(locking=locking, LK_NBLCK=2) if known == "msvcrt" else None)
    log = SqliteLog(path)
    with pytest.raises(StoreError, match="another process"):
        SqliteLog(path)
    log.shut()
    locked.clear()
    SqliteLog(path).shut()


def test_a_file_that_was_deleted_takes_no_writes_and_its_place_no_second_house(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    log = SqliteLog(folder / "x.sqlite")
    shutil.rmtree(folder)
    folder.mkdir()
    with pytest.raises(StoreError, match="another process"):
        SqliteLog(folder / "x.sqlite")
    for _ in range(2):
        with pytest.raises(StoreError, match="moved or deleted"):
            asyncio.run(log.beat(NOON))
    assert log.commits == 0
    log.shut()
    SqliteLog(folder / "x.sqlite").shut()


def test_a_file_that_is_deleted_during_a_commit_confirms_nothing(path: Path) -> None:
    log = SqliteLog(path)
    looks = iter([True])
    log.there = lambda: next(looks, False)  # type: ignore[method-assign]
    for work in (log.beat(NOON), log.tables()):
        with pytest.raises(StoreError, match="moved or deleted"):
            asyncio.run(work)
    log.shut()


@pytest.mark.parametrize("missing", ["O_CLOEXEC", "O_NOFOLLOW", "getuid"])
def test_files_are_opened_on_a_system_that_lacks(missing: str, path: Path) -> None:
    """Modules look once, when they are loaded: so in a process of its own."""
    work = (
        f"import os; del os.{missing}; os.umask(0); from tablee.store.private import *; os.close(open_private({str(path)!r}, os.O_CREAT | os.O_RDWR))"
    )
    lock = f"lock = FileLock({str(path)!r}); lock.release()"
    subprocess.run([sys.executable, "-c", f"{work}; {lock}"], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_lock_that_was_removed_while_somebody_waited_for_it_is_taken_anew(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, real, times = str(path) + ".lock", private.lock, count()

    def slow(handle: int) -> None:
        if next(times) == 0:
            os.remove(name)
        real(handle)

    monkeypatch.setattr(private, "lock", slow)
    held = FileLock(str(path))
    with pytest.raises(StoreError, match="another process"):
        FileLock(str(path))
    held.release()


def test_a_file_that_is_no_log_of_ours_is_refused(path: Path) -> None:
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(StoreError):
        SqliteLog(path)
    path.unlink()
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", 99)
    connection.close()
    for _ in range(2):  # the lock is let go of
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
    with pytest.raises(StoreError, match="cannot be written safely"):
        sqlite_file.connect(":memory:")  # SQLite keeps no write-ahead log there


def test_what_waits_is_written_before_the_file_is_closed(path: Path) -> None:
    log, release, waiting = SqliteLog(path), Event(), [opening() for _ in range(3)]

    async def work() -> None:
        first = asyncio.ensure_future(log.write(lambda connection: sqlite.none(release.wait())))
        jobs = [asyncio.ensure_future(log.write(partial(create, table))) for table in waiting]
        await asyncio.sleep(0)  # they are handed over
        log.writes.put(None)  # the end comes in the same batch
        release.set()
        await asyncio.to_thread(log.shut)
        for _ in range(3):
            await asyncio.sleep(0)  # what the threads have told is taken in
        assert all(job.done() and job.exception() is None for job in (first, *jobs))

    asyncio.run(work())
    again = SqliteLog(path)
    assert asyncio.run(again.tables()) == [table.table for table in waiting]
    again.shut()


def test_a_closed_store_takes_nothing_more(path: Path) -> None:
    log = SqliteLog(path)
    log.shut()
    for hand_over in (log.write, log.query):
        with pytest.raises(StoreError, match="closed"):
            asyncio.run(hand_over(sqlite.beat_of))


def test_who_waits_no_more_holds_up_nobody(path: Path) -> None:
    """One gives up before his job is begun, one while it is done, and one takes his event loop with him."""
    log, release, begun = SqliteLog(path), Event(), Event()
    given_up, kept, left = opening(), opening(), opening()

    def wait(connection: apsw.Connection) -> None:
        begun.set()
        release.wait()

    async def leave() -> None:
        asyncio.get_running_loop().call_soon(log.writes.put, (partial(create, left), asyncio.get_running_loop().create_future()))
        await asyncio.sleep(0.01)

    async def work() -> None:
        doing = asyncio.ensure_future(log.write(wait))
        await asyncio.to_thread(begun.wait)
        waiting = asyncio.ensure_future(log.write(partial(create, given_up)))
        await asyncio.to_thread(asyncio.run, leave())
        jobs = [asyncio.ensure_future(log.write(partial(create, kept)))]
        await asyncio.sleep(0)
        waiting.cancel()
        doing.cancel()
        await asyncio.sleep(0)
        release.set()
        await asyncio.gather(*jobs)
        assert await log.tables() == [left.table, kept.table]
        await log.close()

    asyncio.run(work())


def test_a_job_that_breaks_down_undoes_its_commit_and_the_next_one_is_written(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        one = opening()

        def broken(connection: apsw.Connection) -> None:
            create(one, connection)
            raise ZeroDivisionError

        with pytest.raises(StoreError, match="the commit failed"):
            await log.write(broken)
        assert await log.tables() == []
        await log.create(one.table, one.events, one.secret)
        assert await log.tables() == [one.table]

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


def test_the_words_of_a_deleted_card_are_in_no_file_any_more(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        company = Company(chat="text")
        secret = await log.new_carte("Ana Unique", NOON)
        company.tokens["Ana"] = seat_token(secret, company.table.match.id)
        company.do("Ana", Sit(0, "Ana Unique", contribution="00" * 16))
        company.do("Ana", Say(0, text="a private word"))
        await written(log, company)
        await log.remember(secret, company.table.match.id)
        assert await log.delete_carte(secret) == [company.table.id]

    run(path, work)
    for file in path.parent.iterdir():
        data = file.read_bytes()
        assert b"Ana Unique" not in data
        assert b"a private word" not in data


# The file.


def test_only_the_owner_may_read_the_files_whatever_the_umask(path: Path) -> None:
    before = os.umask(0)
    try:
        log = SqliteLog(path)
        asyncio.run(log.create(*created()))
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
        log.shut()
    finally:
        os.umask(before)
    assert modes == dict.fromkeys(("tables.db", "tables.db-wal", "tables.db-shm", "tables.db.lock"), 0o600)
    path.chmod(0o644)
    SqliteLog(path).shut()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def created() -> tuple[str, list[events.Event], bytes]:
    """Return a new table as `create` takes it."""
    one = opening()
    return one.table, one.events, one.secret


def test_the_database_of_another_program_is_refused_and_left_as_it_is(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    with pytest.raises(StoreError, match="another program"):
        SqliteLog(path)
    connection = apsw.Connection(str(path))
    assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]
    connection.close()


def test_a_folder_that_is_not_there_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be used"):
        SqliteLog(tmp_path / "nowhere" / "tables.db")


def first_version(path: Path) -> Opening:
    """Make a file as the first version made it, with one table in it."""
    one = opening()
    connection = sqlite_file.connect(str(path))
    connection.execute(migrations("sqlite")[0][1])
    connection.pragma("user_version", 1)
    create(one, connection)
    connection.execute("INSERT INTO secrets(table_id, secret) VALUES (?, ?)", (one.table, one.secret))
    connection.close()
    return one


def test_a_file_of_the_first_version_is_migrated_and_keeps_everything(path: Path) -> None:
    one = first_version(path)
    with pytest.raises(StoreError, match="tablee migrate"):
        SqliteLog(path, read_only=True)

    async def work(log: SqliteLog) -> None:
        assert log.migrated == [2, 3]
        assert await log.events(one.table) == one.events
        assert await log.secret(one.table) == one.secret
        assert (await log.check()).wrong == ()

    run(path, work)
    log = SqliteLog(path)
    assert log.migrated == []
    log.shut()


def test_a_migration_that_fails_changes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = first_version(path)
    known = migrations("sqlite")
    broken = [*known[:1], (2, known[1][1] + "; CREATE TABLE tables (twice TEXT);")]
    monkeypatch.setattr(migrating, "migrations", lambda engine: broken)
    with pytest.raises(StoreError, match="cannot be used"):
        SqliteLog(path)
    monkeypatch.undo()

    async def work(log: SqliteLog) -> None:
        assert log.migrated == [2, 3]
        assert await log.secret(one.table) == one.secret

    run(path, work)


def test_who_reads_beside_the_house_sees_what_is_committed_and_writes_nothing(path: Path) -> None:
    async def work(log: SqliteLog) -> None:
        await log.create(*created())
        beside = SqliteLog(path, read_only=True)
        assert await beside.tables() == await log.tables()
        assert (await beside.check()).wrong == ()
        with pytest.raises(StoreError, match="readonly"):
            await beside.create(*created())
        await beside.close()

    run(path, work)


def test_somebody_who_reads_for_long_keeps_no_writer_waiting(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkpoint waits for nobody: Litestream, `tablee check` and `tablee backup` read for as long as they like."""
    monkeypatch.setattr(sqlite_file, "BUSY_MILLISECONDS", 3_600_000)
    writer, reader = sqlite_file.connect(str(path)), sqlite_file.connect(str(path))
    try:
        writer.execute("CREATE TABLE one(x)")
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM one").fetchall()
        writer.execute("INSERT INTO one VALUES (1)")
        going_on = Thread(target=sqlite_file.checkpoint, args=(writer,))
        going_on.start()
        going_on.join(20)
        waits = going_on.is_alive()
        reader.execute("ROLLBACK")
        going_on.join()
        assert not waits
        sqlite_file.checkpoint(writer)
        assert os.path.getsize(f"{path}-wal") == 0
    finally:
        reader.close()
        writer.close()


@pytest.mark.parametrize(("soon", "most", "who"), [(4, 10**6, "tablee-checkpointer"), (10**6, 4, "tablee-writer")])
def test_the_log_is_copied_beside_the_commits(path: Path, monkeypatch: pytest.MonkeyPatch, soon: int, most: int, who: str) -> None:
    """A thread of its own copies; the writer does only where the log grows too long."""
    monkeypatch.setattr(checkpointing, "SOON_PAGES", soon)
    monkeypatch.setattr(checkpointing, "MOST_PAGES", most)
    usual, copied, by = checkpointing.Checkpointer.copy, Event(), set()

    def copy(checkpointer: checkpointing.Checkpointer, connection: apsw.Connection) -> None:
        usual(checkpointer, connection)
        by.add(current_thread().name)
        copied.set()

    monkeypatch.setattr(checkpointing.Checkpointer, "copy", copy)

    async def work(log: SqliteLog) -> None:
        for _ in range(3):
            await log.create(*created())
        assert await asyncio.to_thread(copied.wait, 60)
        assert log.checkpointer is not None
        assert log.checkpointer.copied > 0
        tables = await log.tables()
        assert len(tables) == 3
        apart = apsw.Connection(f"file:{path}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        assert apart.execute("SELECT count(*) FROM sqlite_master").get > 0  # the file alone, without its log, holds what was copied
        apart.close()

    run(path, work)
    assert by == {who}


def test_a_writer_that_was_opened_again_is_watched_too(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[apsw.Connection] = []
    usual = checkpointing.Checkpointer.grown

    def grown(checkpointer: checkpointing.Checkpointer, writer: apsw.Connection, name: str, pages: int) -> int:
        heard.append(writer)
        return usual(checkpointer, writer, name, pages)

    monkeypatch.setattr(checkpointing.Checkpointer, "grown", grown)

    async def work(log: SqliteLog) -> None:
        first = log.writer
        monkeypatch.setattr(SqliteLog, "check_there", lambda _: first.close() if log.writer is first else None)
        with pytest.raises(StoreError):
            await log.create(*created())
        await log.create(*created())
        assert log.writer is not first
        assert log.writer in heard

    run(path, work)
