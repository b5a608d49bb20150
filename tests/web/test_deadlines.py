"""Clocks run at tables that are not in memory: an index says when each is out, a restart loads none that has time, and time away is nobody's."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from tablee.store.log import StoreError
from tablee.store.opening import FILE
from tablee.store.sqlite import SqliteLog
from tablee.tables.clock import ClockTerms
from tablee.tables.commands import Play, Sit
from tablee.tables.opening import open_table
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, new_token
from tablee.web import deadlines
from tablee.web.house import House
from tablee.web.live import Live
from tests.web.test_house import first_token
from tests.web.test_trouble import at_home, until

HOUR = 3600.0
START = 1_000_000.0


class Wall:
    """The time of the house, moved by hand."""

    def __init__(self) -> None:
        """Begin."""
        self.now = START

    def __call__(self) -> float:
        """Return what time it is."""
        return self.now


@pytest.fixture
def wall() -> Wall:
    return Wall()


def over(data: Path, wall: Wall, work: Callable[[House], Coroutine[Any, Any, None]]) -> None:
    """Do something in a house that was started over a folder."""

    async def awake(house: House) -> None:
        await house.wake()
        await asyncio.sleep(0)
        await work(house)
        await house.store.beat(wall())

    at_home(data, awake, clock=wall)


async def begun(house: House, base: float = HOUR) -> tuple[Live, Actor]:
    """Return a game with a clock that has begun, and who holds both seats."""
    actor = Actor((new_token(),))
    sit = [(Sit(seat, "", contribution="ab" * 16), actor) for seat in range(2)]
    return await house.open(open_table(Terms("traboulet", clock=ClockTerms("real", int(base * 1000))), actor.tokens[0], house.clock()), [*sit]), actor


def test_a_table_whose_clock_runs_leaves_memory_and_its_flag_falls_all_the_same(data: Path, wall: Wall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadlines, "LOOK_SECONDS", 0.01)

    async def look(house: House) -> None:
        name = (await begun(house))[0].table.id
        house.drop_idle(0.0)
        assert house.lives == {}
        wall.now += HOUR - deadlines.AHEAD_SECONDS - 1
        await asyncio.sleep(0.05)
        assert house.lives == {}
        wall.now += 2
        await until(lambda: name in house.lives)
        assert house.lives[name].table.phase == "playing"
        wall.now += deadlines.AHEAD_SECONDS
        house.care(house.lives[name])
        await until(lambda: house.lives[name].table.phase == "over")
        result = house.lives[name].table.result
        assert result is not None
        assert result.reason == "time"

    over(data, wall, look)


def test_after_a_restart_only_what_is_due_soon_is_loaded(data: Path, wall: Wall) -> None:
    names: list[str] = []

    async def write(house: House) -> None:
        names.extend([(await begun(house, base))[0].table.id for base in (HOUR, 20.0)])

    async def look(house: House) -> None:
        await until(lambda: names[1] in house.lives)
        assert list(house.lives) == [names[1]]
        assert house.lives[names[1]].table.phase == "playing"

    over(data, wall, write)
    wall.now += HOUR  # nobody could play meanwhile
    over(data, wall, look)


def test_time_away_is_nobodys_and_time_at_home_is_the_movers_however_late_a_table_is_loaded(data: Path, wall: Wall) -> None:
    found: list[tuple[str, Actor]] = []

    async def write(house: House) -> None:
        live, actor = await begun(house)
        found.append((live.table.id, actor))
        wall.now += 100

    async def nobody_came(house: House) -> None:
        wall.now += 50

    async def look(house: House) -> None:
        wall.now += 25
        name, actor = found[0]
        live = await house.live(name)
        clock = live.table.clock
        assert clock is not None
        seat = live.table.asked[0]
        assert clock.left_at(seat, wall()) == pytest.approx((HOUR - 175) * 1000, abs=10)
        wall.now += 5
        await house.do(live, Play(seat, (first_token(live),)), actor)
        assert live.table.clock is not None
        assert live.table.clock.left[seat] == pytest.approx((HOUR - 180) * 1000, abs=10)
        logged = len(live.table.events)
        house.drop_idle(0.0)
        assert len((await house.live(name)).table.events) == logged  # nobody was away since

    over(data, wall, write)
    wall.now += 3 * HOUR
    over(data, wall, nobody_came)
    wall.now += 5 * HOUR
    over(data, wall, look)


class Full(SqliteLog):
    """A log that cannot put anything off."""

    async def postpone(self, since: float, now: float) -> None:
        """Fail."""
        raise StoreError("the disk is full")


def test_a_store_that_cannot_be_written_at_the_start_costs_nobody_time(data: Path, wall: Wall) -> None:
    names: list[str] = []

    async def write(house: House) -> None:
        names.append((await begun(house))[0].table.id)

    async def look(house: House) -> None:
        await house.wake()
        live = await house.live(names[0])
        assert live.table.clock is not None
        assert live.table.clock.left_at(live.table.asked[0], wall()) == pytest.approx(HOUR * 1000, abs=10)

    over(data, wall, write)
    wall.now += HOUR
    at_home(data, look, Full, clock=wall)


def test_a_file_of_an_older_program_loads_its_clocks_at_the_start(data: Path, wall: Wall) -> None:
    """Nobody has said yet when they are due."""
    names: list[str] = []

    async def write(house: House) -> None:
        names.append((await begun(house))[0].table.id)

    async def look(house: House) -> None:
        await until(lambda: names[0] in house.lives)
        assert await house.store.due_of(names[0]) == pytest.approx(wall() + HOUR, abs=1)

    over(data, wall, write)
    store = SqliteLog(data / FILE)
    asyncio.run(store.write(lambda connection: connection.execute("UPDATE tables SET due = NULL").fetchall()))
    store.shut()
    wall.now += HOUR
    over(data, wall, look)
