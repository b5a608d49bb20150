"""A house in trouble says so and goes on: failed writes, a full disk, a damaged or deleted file, many tables, a restart."""

import asyncio
import io
import json
import logging
import shutil
import subprocess
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import httpx
import pytest

from tablee.store.log import StoreError
from tablee.store.opening import FILE
from tablee.store.sqlite import SqliteLog
from tablee.store.sqlite_file import checkpoint, connect
from tablee.tables.clock import ClockTerms
from tablee.tables.commands import Sit
from tablee.tables.opening import open_table
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, new_token
from tablee.web import file_watch
from tablee.web import house as house_module
from tablee.web.engine_pool import EnginePool
from tablee.web.file_watch import FileWatch
from tablee.web.house import House
from tablee.web.logs import JsonLines
from tablee.web.metrics import Metrics
from tests.web.serving import WAIT, Serving, command, environment, now, serving, wait_for
from tests.web.test_socket import wire


async def until(true: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(WAIT):
        while not true():
            await asyncio.sleep(0.01)


def at_home(data: Path, work: Callable[[House], Coroutine[Any, Any, None]], log: type[SqliteLog] = SqliteLog, **more: Any) -> None:
    """Do something in a house over a data folder."""

    async def run() -> None:
        data.mkdir(exist_ok=True)
        store = log(data / FILE)
        house = House(store, EnginePool(1, 0.05, Metrics()), Metrics(), **more)
        try:
            await work(house)
        finally:
            await house.close()
            await store.close()

    asyncio.run(run())


def opened(house: House, **terms: Any) -> Any:
    """Open a table at which somebody sits."""
    token = new_token()
    sitting = (Sit(0, "Ana"), Actor((token,)))
    return house.open(open_table(Terms("traboulet", **terms), token, house.clock()), [sitting])


class Forgetful(SqliteLog):
    """A log whose first beats fail."""

    failures = 3
    beats = 0

    async def beat(self, at: float) -> None:
        """Fail a few times, then work."""
        if self.failures:
            self.failures -= 1
            raise StoreError("the disk is full")
        await super().beat(at)
        self.beats += 1


def test_the_heart_beats_on_after_a_write_that_failed(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_module, "BEAT_SECONDS", 0.01)

    async def look(house: House) -> None:
        troubles: list[str] = []
        await house.wake()
        store = house.store
        assert isinstance(store, Forgetful)

        def recovered() -> bool:
            troubles.append(house.trouble)
            return store.beats > 2

        await until(recovered)
        assert any("disk is full" in trouble for trouble in troubles)
        assert house.trouble == ""

    at_home(data, look, Forgetful)


def fill_disk(house: Serving, full: bool) -> None:
    """Let the file of a house grow no more, or grow again."""
    store = house.guard.app.state.house.store  # type: ignore[attr-defined]
    asyncio.run(store.write(lambda connection: connection.pragma("max_page_count", 1 if full else 2**30)))


def test_a_full_disk_is_told_on_every_door_and_logged(data: Path) -> None:
    stream, logger = io.StringIO(), logging.getLogger("tablee.house")
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger.addHandler(handler)
    try:
        with serving(data) as house, house.person() as person:
            table = now(person, "traboulet")
            legal = wait_for(person, table, "legal")
            fill_disk(house, True)
            refused: dict[str, Any] = {"t": "ok"}
            with wire(house, table, person.cookies["carte"], language="en") as line:
                for number in range(200):  # until the pages that the file already has are full
                    line.say(t="invite", seat=None, move_id=f"m{number}")
                    refused = line.hear("ok", "no")
                    if refused["t"] == "no":
                        break
            assert (refused["t"], refused["code"]) == ("no", "store")
            assert "cannot write" in refused["text"]
            for way in ("/g/traboulet/now", "/g/traboulet"):
                page = person.post(way)
                assert page.status_code == 503
                assert "cannot write" in page.text
                assert "opening or closing" not in page.text
            fill_disk(house, False)
            answer = person.post(f"/t/{table}/do", data={"t": "play", "seat": "0", "tokens": legal["legal"][0]["token"], "move_id": "again"})
            assert answer.status_code == 200
    finally:
        logger.removeHandler(handler)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line for line in lines if line["what"] == "a commit failed" and line["level"] == "error" and line["table"] == table]


def test_a_damaged_page_is_found(data: Path) -> None:
    async def write(house: House) -> None:
        for _ in range(30):
            await opened(house)

    at_home(data, write)
    path = data / FILE
    FileWatch(path)
    corrupt(path)
    with pytest.raises(StoreError, match="damaged"):
        FileWatch(path)
    found = subprocess.run(command(data), capture_output=True, text=True, env=environment(), timeout=WAIT, check=False)
    assert found.returncode == 2
    assert "damaged" in found.stderr
    assert "Traceback" not in found.stderr


def test_a_folder_that_was_deleted_is_told_and_nothing_more_is_confirmed(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_module, "BEAT_SECONDS", 0.02)
    with serving(data) as house, house.person() as person:
        assert now(person, "traboulet")
        assert httpx.get(f"{house.base}/readyz").status_code == 200
        shutil.rmtree(data)
        end = time.monotonic() + WAIT
        while (answer := httpx.get(f"{house.base}/readyz")).status_code != 503 and time.monotonic() < end:
            time.sleep(0.02)
        assert answer.status_code == 503
        assert "moved or deleted" in answer.text
        assert person.post("/g/traboulet/now").status_code == 503


def corrupt(path: Path, keep: int = 3) -> None:
    """Spoil all pages of a file after the first ones."""
    whole = bytearray(path.read_bytes())
    for page in range(keep, len(whole) // 4096):
        whole[page * 4096 : page * 4096 + 200] = b"\xa5" * 200
    path.write_bytes(whole)


def settled_house(house: Serving, person: httpx.Client) -> tuple[House, list[str]]:
    """Return a house with some tables that are in its file alone, not in its log or in memory."""
    running: House = house.guard.app.state.house  # type: ignore[attr-defined]
    tables = [now(person, "traboulet") for _ in range(8)]
    for table in tables:
        wait_for(person, table, "legal")
    store = running.store
    assert isinstance(store, SqliteLog)
    other = connect(store.path)
    checkpoint(other)
    other.close()
    asyncio.run(store.query(lambda connection: connection.pragma("shrink_memory")))
    running.lives.clear()
    return running, tables


def ready(house: Serving) -> httpx.Response:
    """Return whether the house says that it is ready."""
    return httpx.get(f"{house.base}/readyz")


def test_a_damaged_page_that_is_met_by_a_read_is_told_at_once(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BEAT_SECONDS", "CHECK_SECONDS"):
        monkeypatch.setattr(house_module, name, 3600.0)
    with serving(data) as house, house.person() as person:
        _, tables = settled_house(house, person)
        assert ready(house).status_code == 200
        corrupt(data / FILE)
        assert 503 in [person.get(f"/t/{table}").status_code for table in tables]
        assert ready(house).status_code == 503
        assert "damaged" in ready(house).text


def test_a_damaged_page_that_nobody_reads_is_found_while_the_house_runs(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_module, "CHECK_SECONDS", 0.02)
    with serving(data) as house, house.person() as person:
        settled_house(house, person)
        corrupt(data / FILE)
        end = time.monotonic() + WAIT
        while ready(house).status_code != 503 and time.monotonic() < end:
            time.sleep(0.02)
        assert "damaged" in ready(house).text


def test_a_check_of_a_large_file_goes_to_its_end(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def write(house: House) -> None:
        for _ in range(30):
            await opened(house)

    monkeypatch.setattr(file_watch, "MOST_SECONDS", -1.0)
    monkeypatch.setattr(file_watch, "STEPS", 1)
    monkeypatch.setattr(file_watch, "WORK_SECONDS", -1.0)
    monkeypatch.setattr(file_watch, "REST_SECONDS", 0.0)
    at_home(data, write)
    corrupt(data / FILE)
    watch = FileWatch(data / FILE)  # has no time
    assert watch.trouble() == ""
    watch.check()
    assert "damaged" in watch.trouble()
    watch.damage = ""
    watch.close()
    watch.check()
    assert watch.trouble() == ""


def test_after_the_folder_is_deleted_the_next_write_is_refused_and_no_second_house_starts_there(data: Path) -> None:
    async def look(house: House) -> None:
        live = await opened(house, sitting="open")
        shutil.rmtree(data)
        data.mkdir()
        with pytest.raises(StoreError, match="another process"):
            SqliteLog(data / FILE)
        (data / FILE).touch()
        actor = Actor((new_token(),))
        for _ in range(2):
            with pytest.raises(StoreError, match="moved or deleted"):
                await house.do(live, Sit(1, "Ben", move_id="again"), actor)

    at_home(data, look)
    at_home(data, lambda house: opened(house))


def test_a_folder_deleted_during_a_commit_confirms_nothing(data: Path) -> None:
    async def look(house: House) -> None:
        live, store = await opened(house, sitting="open"), house.store
        assert isinstance(store, SqliteLog)
        looks = iter([True])
        store.there = lambda: next(looks, False)  # type: ignore[method-assign]
        for _ in range(2):
            with pytest.raises(StoreError, match="moved or deleted"):
                await house.do(live, Sit(1, "Ben", move_id="again"), Actor((new_token(),)))

    at_home(data, look)


def test_asking_whether_the_house_is_ready_writes_nothing(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_module, "BEAT_SECONDS", 3600.0)
    with serving(data) as house:
        running: House = house.guard.app.state.house  # type: ignore[attr-defined]
        assert isinstance(running.store, SqliteLog)
        asked = [httpx.get(f"{house.base}/readyz").status_code for _ in range(3)]
        before = running.store.commits
        asked += [httpx.get(f"{house.base}/readyz").status_code for _ in range(30)]
        assert set(asked) == {200}
        assert running.store.commits == before


def test_a_folder_that_cannot_be_written_is_told_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    found = subprocess.run(command(tmp_path / "file" / "data"), capture_output=True, text=True, env=environment(), timeout=WAIT, check=False)
    assert found.returncode == 2
    assert "cannot be written" in found.stderr
    assert "Traceback" not in found.stderr


def test_a_fact_does_not_overwrite_the_level_of_an_entry() -> None:
    record = logging.LogRecord("tablee", logging.WARNING, "", 0, "something", (), None)
    record.facts = {"level": "strong", "what": "else", "more": 1}
    line = json.loads(JsonLines().format(record))
    assert (line["level"], line["what"], line["more"]) == ("warning", "something", 1)


def test_after_a_restart_tables_are_loaded_when_somebody_comes(data: Path) -> None:
    names: dict[str, str] = {}

    async def write(house: House) -> None:
        names["plain"] = (await opened(house)).table.id
        names["clock"] = (await opened(house, clock=ClockTerms("real", 60_000))).table.id
        names["open"] = (await opened(house, sitting="open")).table.id

    async def look(house: House) -> None:
        await house.wake()
        await until(lambda: len(house.lives) == 2)
        assert set(house.lives) == {names["clock"], names["open"]}
        assert (await house.live(names["plain"])).table.id == names["plain"]

    at_home(data, write)
    at_home(data, look)


def test_an_idle_table_is_dropped_and_comes_back_as_it_was(data: Path) -> None:
    async def look(house: House) -> None:
        live = await opened(house)
        listened = await opened(house)
        listened.listeners.add(lambda: None)
        house.drop_idle(3600.0)
        assert len(house.lives) == 2
        house.drop_idle(0.0)
        assert list(house.lives) == [listened.table.id]
        again = await house.live(live.table.id)
        assert again is not live
        assert again.table.hash == live.table.hash

    at_home(data, look)


def test_many_tables_of_one_visitor_share_a_turn_after_a_restart_too(data: Path) -> None:
    names: list[str] = []

    async def write(house: House) -> None:
        names.extend([(await opened(house)).table.id for _ in range(4)])

    async def look(house: House) -> None:
        greedy = [await house.live(name, "192.0.2.1") for name in names[:3]]
        other = await house.live(names[3], "192.0.2.2")
        assert {live.group for live in greedy} == {"192.0.2.1"}
        assert other.group == "192.0.2.2"
        await house.live(names[3], "192.0.2.1")
        assert other.group == "192.0.2.2"

    async def nobody_came(house: House) -> None:
        assert len({(await house.live(name)).group for name in names}) == 1

    at_home(data, write)
    at_home(data, look)
    at_home(data, nobody_came)


def test_forgotten_tables_are_closed_while_the_house_runs(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_module, "LOOK_SECONDS", 0.01)
    time_now = [1_000_000.0]

    async def look(house: House) -> None:
        await house.wake()
        live = await opened(house)
        kept = await opened(house)
        await asyncio.sleep(0.05)
        assert live.table.phase == "waiting"
        time_now[0] += 91 * 86400.0
        await until(lambda: live.table.phase == "over")
        assert live.table.result is not None
        assert live.table.result.reason == "expired"
        await until(lambda: kept.table.phase == "over")

    at_home(data, look, clock=lambda: time_now[0])
