"""A whole store moves: backups under load, restored with dice sealed anew, exports between SQLite and PostgreSQL with the same chains."""

import asyncio
import stat
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tablee import cli
from tablee.core.errors import TableeError
from tablee.store import taking
from tablee.store.backup import back_up
from tablee.store.dump import OneView, read_dump
from tablee.store.log import Log
from tablee.store.opening import FILE
from tablee.store.postgres import PostgresLog
from tablee.store.sqlite import SqliteLog
from tablee.store.taking import Taken, items_of, take_over, take_table
from tablee.tables.events import Event, EventKind, verify
from tablee.tables.opening import open_table
from tablee.tables.record import verify_log
from tablee.tables.table import Table
from tablee.tables.terms import Terms
from tablee.tables.tokens import new_token, seat_token
from tests.store.pg import PgServer
from tests.store.places import Place, PostgresPlace, SqlitePlace
from tests.tables.company import NOON, Company


def words_of(place: Place) -> list[str]:
    """Return the words of the command line that name a store."""
    return ["--data", str(place.path.parent)] if isinstance(place, SqlitePlace) else ["--database", place.url]  # type: ignore[attr-defined]


def said(*words: str, code: int = 0) -> str:
    """Run `tablee` and return what it says."""
    answer = CliRunner().invoke(cli.app, [*words, "--lang", "en"])
    if isinstance(answer.exception, TableeError):
        raise answer.exception
    assert answer.exit_code == code, answer.output
    return answer.output


@pytest.fixture(params=["sqlite to sqlite", "sqlite to postgres", "postgres to sqlite", "postgres to postgres"])
def both(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Place, Place]:
    """Two stores: from the one, to the other."""

    def place(kind: str, name: str) -> Place:
        (tmp_path / name).mkdir()
        return SqlitePlace(tmp_path / name / FILE) if kind == "sqlite" else PostgresPlace(request.getfixturevalue("pg").new_database())

    first, _, second = request.param.partition(" to ")
    return place(first, "one"), place(second, "two")


def furnish(place: Place) -> tuple[Company, str]:
    """Fill a store: a finished game, one that goes on with dice and a name that was erased, a card; return that game and the card."""

    async def work(log: Log) -> tuple[Company, str]:
        over = Company("tabu").seated("Ana", "Ben").wander(1)
        live = Company("tablan", chat="text")
        secret, gone = await log.new_carte("Ana", NOON), await log.new_carte("Ben", NOON)
        live.tokens["Ana"], live.tokens["Ben"] = (seat_token(carte, live.table.match.id) for carte in (secret, gone))
        live.seated("Ana", "Ben").wander(1, 20)
        for company in (over, live):
            await log.create(company.table.id, company.table.events, company.opening.secret)
        for carte in (secret, gone):
            await log.remember(carte, live.table.match.id)
        await log.delete_carte(gone)
        return live, secret

    return place.run(work)


async def all_of(log: Log) -> tuple[object, ...]:
    """Return all that two equal stores have in common."""
    names = await log.tables()
    return [(name, await log.events(name), await log.secret(name)) for name in names], await log.tables(True), await log.cartes()


def test_an_export_is_taken_over_with_the_chain_of_every_table(both: tuple[Place, Place], tmp_path: Path) -> None:
    one, two = both
    live, secret = furnish(one)
    file = tmp_path / "all.jsonl"
    assert "tables: 2; cartes: 1" in said("export", str(file), *words_of(one))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "tables: 2; cartes: 1" in said("import", str(file), *words_of(two))
    assert two.run(all_of) == one.run(all_of)
    assert "errors: 0" in said("check", *words_of(two))
    assert two.run(lambda log: log.tables_of(secret)) == [live.table.id]
    with pytest.raises(TableeError, match="not empty"):
        said("import", str(file), *words_of(two))
    with pytest.raises(TableeError, match="already there"):
        said("export", str(file), *words_of(one))


def test_a_backup_is_restored_and_the_games_that_go_on_have_their_dice_sealed_anew(both: tuple[Place, Place], tmp_path: Path) -> None:
    one, two = both
    live, _ = furnish(one)
    file = tmp_path / "copy"
    assert "tables: 2" in said("backup", str(file), *words_of(one))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "sealed anew: 1" in said("restore", str(file), *words_of(two))

    kept = one.run(lambda log: log.events(live.table.id))

    async def play_on(log: Log) -> None:
        events, secret = await log.events(live.table.id), await log.secret(live.table.id)
        assert (events[:-1], events[-1].kind) == (kept, EventKind.RESEALED)
        assert (secret[:32], len(secret)) == (live.opening.secret, 64)
        again = Company(opening=live.opening, tokens=live.tokens)
        again.table = Table.from_events(events, secret)
        again.wander(2)
        await log.append(live.table.id, again.table.events[len(events) :])
        assert verify_log(again.table.events) > 0

    two.run(play_on)
    assert "errors: 0" in said("check", *words_of(two))


def test_a_backup_takes_the_place_of_no_file_and_a_restored_export_is_sealed_anew(tmp_path: Path) -> None:
    one, two = SqlitePlace(tmp_path / "one" / FILE), SqlitePlace(tmp_path / "two" / FILE)
    for place in (one, two):
        place.path.parent.mkdir()
    live, _ = furnish(one)
    copy, text = tmp_path / "copy", tmp_path / "text"
    copy.write_text("mine", encoding="utf-8")
    with pytest.raises(TableeError, match="already there"):
        said("backup", str(copy), *words_of(one))
    assert copy.read_text(encoding="utf-8") == "mine"
    said("export", str(text), *words_of(one))
    assert "sealed anew: 1" in said("restore", str(text), *words_of(two))
    assert two.run(lambda log: log.events(live.table.id))[-1].kind == EventKind.RESEALED


class Crash(Exception):
    """The process ends here."""


@pytest.mark.parametrize("command", ["restore", "import"])
@pytest.mark.parametrize("writes", [1, 2])
def test_a_restore_that_was_interrupted_left_no_old_dice_and_goes_on(
    both: tuple[Place, Place], command: str, writes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = both
    live, _ = furnish(one)
    file = tmp_path / "copy"
    said("backup", str(file), *words_of(one))
    left = [writes]

    async def crash(*given: object) -> object:
        left[0] -= 1
        if left[0] < 0:
            raise Crash
        return await take_table(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(taking, "take_table", crash)
    if writes < 2:
        assert isinstance(CliRunner().invoke(cli.app, [command, str(file), *words_of(two)]).exception, Crash)
    else:
        monkeypatch.setattr(SqliteLog if isinstance(two, SqlitePlace) else PostgresLog, "adopt", crash_at_a_card)
        assert isinstance(CliRunner().invoke(cli.app, [command, str(file), *words_of(two)]).exception, Crash)
    monkeypatch.undo()

    async def kinds(log: Log) -> list[str]:
        return [(await log.events(name))[-1].kind for name in await log.tables(live=True)]

    assert set(two.run(kinds)) <= {EventKind.RESEALED}
    assert "tables: 2" in said(command, str(file), *words_of(two))
    assert two.run(kinds) == [EventKind.RESEALED]
    assert len(two.run(lambda log: log.secret(live.table.id))) == 64
    assert len(two.run(lambda log: log.cartes())) == 1
    assert "errors: 0" in said("check", *words_of(two))
    with pytest.raises(TableeError, match="not empty"):
        said(command, str(file), *words_of(two))


async def crash_at_a_card(*given: object) -> None:
    """End the process."""
    raise Crash


def test_nothing_is_restored_into_a_store_that_holds_something_else(both: tuple[Place, Place], tmp_path: Path) -> None:
    one, two = both
    furnish(one)
    file = tmp_path / "copy"
    said("backup", str(file), *words_of(one))
    other = open_table(Terms("tablan"), new_token(), NOON)
    two.run(lambda log: log.create(other.table, other.events, other.secret))
    with pytest.raises(TableeError, match="not empty"):
        said("restore", str(file), *words_of(two))
    assert two.run(lambda log: log.tables()) == [other.table]


def test_nothing_is_added_to_a_store_where_a_table_has_gone_another_way(tmp_path: Path) -> None:
    one, two = SqlitePlace(tmp_path / "one"), SqlitePlace(tmp_path / "two")
    furnish(one)

    async def part(source: Log) -> tuple[str, list[Event], bytes]:
        name = (await source.tables())[0]
        return name, (await source.events(name))[:-1], await source.secret(name)

    before = one.run(part)
    two.run(lambda log: log.create(*before))

    async def pour(source: Log) -> None:
        target = await two.open()
        try:
            await take_over(lambda: items_of(source), target)
        finally:
            await target.close()

    with pytest.raises(TableeError, match="not empty"):
        one.run(pour)
    assert two.run(lambda log: log.tables()) == [before[0]]


def test_what_was_interrupted_between_two_cards_is_gone_on_with(tmp_path: Path) -> None:
    async def work() -> None:
        source, target = SqliteLog(tmp_path / "one"), SqliteLog(tmp_path / "two")
        try:
            for name in ("Ana", "Ben"):
                await source.new_carte(name, NOON)
            await target.adopt((await source.cartes())[0])
            assert await take_over(lambda: items_of(source), target) == Taken(0, 2, 0)
            assert await target.cartes() == await source.cartes()
        finally:
            await source.close()
            await target.close()

    asyncio.run(work())


def test_an_export_shows_one_moment_while_others_write(pg: PgServer, tmp_path: Path) -> None:
    for place in (SqlitePlace(tmp_path / FILE), PostgresPlace(pg.new_database())):
        company = Company().seated("Ana", "Ben").wander(1, 4)

        async def work(log: Log, company: Company = company, place: Place = place) -> None:
            await log.create(company.table.id, company.table.events[:-1], company.opening.secret)
            assert isinstance(log, OneView)
            async with log.one_view():
                assert len(await log.tables()) == 1
                other = SqliteLog(place.path, read_only=True) if isinstance(place, SqlitePlace) else await place.open()
                writer = log if isinstance(place, SqlitePlace) else other
                await writer.append(company.table.id, company.table.events[-1:])
                late = open_table(Terms("tablan"), new_token(), NOON)
                await writer.create(late.table, late.events, late.secret)
                await writer.new_carte("Ana", NOON)
                assert len(await other.tables()) == 2
                assert len(await log.tables()) == 1
                assert await log.events(company.table.id) == company.table.events[:-1]
                assert await log.cartes() == []
                await other.close()
            assert len(await log.tables()) == 2

        place.run(work)


def test_a_backup_under_load_is_whole_and_loses_nothing_that_was_confirmed_before(tmp_path: Path) -> None:
    path = tmp_path / FILE
    log, stop = SqliteLog(path), threading.Event()
    confirmed: list[str] = []

    async def load() -> None:
        while not stop.is_set():
            openings = [open_table(Terms("tablan"), new_token(), NOON) for _ in range(20)]
            await asyncio.gather(*(log.create(one.table, one.events, one.secret) for one in openings))
            confirmed.extend(one.table for one in openings)

    thread = threading.Thread(target=lambda: asyncio.run(load()))
    thread.start()
    try:
        for number in range(3):
            while len(confirmed) < 40 * (number + 1):
                thread.join(0.01)
            before = list(confirmed)
            copy = tmp_path / f"copy{number}" / FILE
            copy.parent.mkdir()
            asyncio.run(back_up("", tmp_path, copy))
            taken = SqliteLog(copy)
            tables, checked = asyncio.run(taken.tables()), asyncio.run(taken.check())
            taken.shut()
            assert set(before) <= set(tables)
            assert checked.wrong == ()
    finally:
        stop.set()
        thread.join()
        log.shut()


def test_an_old_backup_of_the_first_schema_is_restored_too(tmp_path: Path) -> None:
    from tests.store.test_sqlite import first_version

    file = tmp_path / "old.sqlite"
    one = first_version(file)
    before = file.read_bytes()
    assert "tables: 1" in said("restore", str(file), "--data", str(tmp_path / "new"))
    assert file.read_bytes() == before
    events = SqlitePlace(tmp_path / "new" / FILE).run(lambda log: log.events(one.table))
    assert events[:-1] == one.events
    assert verify(events)


def test_a_damaged_export_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    one = SqlitePlace(tmp_path / "one" / FILE)
    one.path.parent.mkdir()
    furnish(one)
    file = tmp_path / "all.jsonl"
    said("export", str(file), *words_of(one))
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    edited = [line.replace('"seat":0', '"seat":1', 1) if '"kind":"acted"' in line else line for line in lines]
    last = max(number for number, line in enumerate(lines) if line.startswith('{"table":') and '"events":' in line)
    other = [line.replace('{"table":"', '{"table":"x') if number == last else line for number, line in enumerate(lines)]
    assert other != lines
    stranger = [line.replace('{"carte":{', '{"carte":{"more":1,') for line in lines]
    assert stranger != lines
    fewer = [line for line in lines if not line.startswith('{"carte"')]
    assert fewer != lines
    cut: tuple[list[str], ...] = (lines[:-1], lines[1:], [*lines[:4], *lines[5:]], [*lines[:2], "nonsense\n"], [])
    for number, damaged in enumerate((edited, stranger, other, fewer, *cut)):
        file.write_text("".join(damaged), encoding="utf-8")
        two = SqlitePlace(tmp_path / f"two{number}" / FILE)
        with pytest.raises(TableeError):
            said("import", str(file), *words_of(two))
        assert two.run(lambda log: log.tables()) == []
        assert two.run(lambda log: log.cartes()) == []


@pytest.mark.parametrize("place", ["sqlite", "postgres"], indirect=True)  # the command line opens no store of a browser
def test_check_names_what_was_changed_and_what_is_missing_behind_published_heads(place: Place, tmp_path: Path) -> None:
    if isinstance(place, SqlitePlace):
        place.path = tmp_path / FILE
    live, _ = furnish(place)
    heads = tmp_path / "heads.txt"
    assert "errors: 0" in said("check", *words_of(place), "--heads", str(heads))
    assert "errors: 0" in said("check", *words_of(place), "--against", str(heads))
    heads.write_text(heads.read_text().replace(heads.read_text()[-9:-1], "deadbeef"))
    assert "which was published" in said("check", *words_of(place), "--against", str(heads), code=1)
    heads.write_text("nonsense\n")
    with pytest.raises(TableeError, match="no line of published heads"):
        said("check", *words_of(place), "--against", str(heads))
    assert place.forge(f"UPDATE secrets SET secret = (SELECT secret FROM secrets WHERE table_id <> '{live.table.id}')")
    assert f"table {live.table.id}" in said("check", *words_of(place), code=1)


def test_migrate_says_what_it_did(pg: PgServer, tmp_path: Path) -> None:
    url = pg.new_database()
    assert said("migrate", "--database", url) == "Migrations done: 1, 2, 3, 4.\n"
    assert said("migrate", "--database", url).startswith("Nothing to do")
    assert said("migrate", "--data", str(tmp_path / "new")) == "Migrations done: 1, 2, 3.\n"
    with pytest.raises(TableeError, match="is no database"):
        said("migrate", "--database", "mysql://host/name")


def test_a_folder_without_a_store_is_not_copied_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(TableeError, match="there is no store in"):
        said("backup", str(tmp_path / "copy"), "--data", str(tmp_path / "nowhere"))
    assert list(tmp_path.iterdir()) == []


def test_every_line_of_a_dump_is_read_once(tmp_path: Path) -> None:
    one = SqlitePlace(tmp_path / FILE)
    furnish(one)
    said("export", str(tmp_path / "all.jsonl"), *words_of(one))
    items = list(read_dump(tmp_path / "all.jsonl"))
    assert len(items) == 3
