"""What the house does by itself is tried again until the store takes it: programs play, flags fall, tables are loaded and taken over."""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tablee.store.log import StoreError
from tablee.store.postgres_rows import Line
from tablee.store.sqlite import SqliteLog
from tablee.tables.clock import ClockTerms
from tablee.tables.commands import Contribute, Hint, Replace, Sit
from tablee.tables.events import Event
from tablee.tables.opening import open_table
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, new_token, seat_token
from tablee.web import house as house_module
from tablee.web.engine_pool import MoveRequest
from tablee.web.follower import Follower
from tablee.web.house import House, retry_after
from tests.web.test_trouble import at_home, opened, until

FAILURES = 4


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait long for the next try."""
    monkeypatch.setattr(house_module, "RETRY_SECONDS", 0.005)
    monkeypatch.setattr(house_module, "LONGEST_RETRY_SECONDS", 0.02)


class Failing(SqliteLog):
    """A log that fails so many times, at what is asked next."""

    bad_appends = bad_lists = bad_reads = 0

    async def append(self, table_id: str, events: Sequence[Event], *more: Any, **named: Any) -> None:
        """Fail, or write."""
        if self.bad_appends:
            self.bad_appends -= 1
            raise StoreError("the disk is full")
        await super().append(table_id, events, *more, **named)

    async def pending(self, *until: float) -> list[str]:
        """Fail, or list."""
        if self.bad_lists:
            self.bad_lists -= 1
            raise StoreError("the database does not answer")
        return await super().pending(*until)

    async def events(self, table_id: str, since: int = 0) -> list[Event]:
        """Fail, or read."""
        if self.bad_reads:
            self.bad_reads -= 1
            raise StoreError("the database does not answer")
        return await super().events(table_id, since)


def failing(house: House) -> Failing:
    """Return the log of a house."""
    assert isinstance(house.store, Failing)
    return house.store


def test_a_program_plays_on_after_writes_that_failed(data: Path) -> None:
    async def look(house: House) -> None:
        actor = Actor((new_token(),))
        table = open_table(Terms("traboulet", starts="seats"), actor.tokens[0], house.clock())
        live = await house.open(table, [(Replace(0, "1"), actor), (Sit(1, "Ana", contribution="ab" * 16), actor)])
        failing(house).bad_appends = FAILURES
        await until(lambda: live.table.asked == (1,))
        assert failing(house).bad_appends == 0

    at_home(data, look, Failing, grace=0.0)


def test_a_flag_falls_after_writes_that_failed(data: Path) -> None:
    async def look(house: House) -> None:
        actor = Actor((new_token(),))
        table = open_table(Terms("traboulet", clock=ClockTerms("real", 100)), actor.tokens[0], house.clock())
        live = await house.open(table, [(Sit(seat, "", contribution="ab" * 16), actor) for seat in range(2)])
        await until(lambda: live.table.phase == "playing")
        failing(house).bad_appends = FAILURES
        await until(lambda: live.table.result is not None)
        assert live.table.result is not None
        assert live.table.result.reason == "time"

    at_home(data, look, Failing)


def test_a_table_begins_after_writes_that_failed(data: Path) -> None:
    async def look(house: House) -> None:
        actor = Actor((new_token(),))
        live = await house.open(open_table(Terms("traboulet"), actor.tokens[0], house.clock()), [(Sit(seat, ""), actor) for seat in range(2)])
        failing(house).bad_appends = FAILURES
        await until(lambda: live.table.phase == "playing")

    at_home(data, look, Failing, grace=0.0)


def test_what_was_written_though_the_answer_was_lost_is_told(data: Path) -> None:
    async def look(house: House) -> None:
        actor = Actor((new_token(),))
        live = await house.open(open_table(Terms("traboulet"), actor.tokens[0], house.clock()), [(Sit(0, ""), actor)])
        told: list[int] = []
        live.listeners.add(lambda: told.append(live.table.seq))
        append = house.store.append

        async def lossy(*given: Any, **named: Any) -> None:
            await append(*given, **named)
            raise StoreError("the answer was lost")

        house.store.append = lossy  # type: ignore[method-assign]
        with pytest.raises(StoreError):
            await house.do(live, Contribute(0, "ab" * 16), actor)
        assert told == [live.table.seq]

    at_home(data, look)


@pytest.mark.parametrize("broken", ["bad_lists", "bad_reads"])
def test_tables_are_loaded_after_reads_that_failed(data: Path, broken: str) -> None:
    async def write(house: House) -> None:
        await opened(house, sitting="open")
        await opened(house, sitting="open")

    async def look(house: House) -> None:
        setattr(failing(house), broken, FAILURES)
        await house.wake()
        await until(lambda: len(house.lives) == 2)

    at_home(data, write)
    at_home(data, look, Failing)


class TwoHouses(Failing):
    """A log that says which houses are awake, as a shared database does."""

    house = "here"
    awake: tuple[str, ...] = ("here", "there")

    async def houses(self, now: float) -> list[str]:
        """Return who is awake."""
        return list(self.awake)

    lines: tuple[Line, ...] = ()

    async def changes(self, after: object) -> list[Line]:
        """Return what is new."""
        return list(self.lines)


@pytest.mark.parametrize("broken", ["bad_lists", "bad_reads"])
def test_the_tables_of_a_house_that_is_gone_are_taken_over_after_reads_that_failed(data: Path, broken: str) -> None:
    async def write(house: House) -> None:
        for _ in range(6):
            await opened(house, sitting="open")

    async def look(house: House) -> None:
        store = house.store
        assert isinstance(store, TwoHouses)
        follower = house.follow = Follower(house, cast(Any, store), cast(Any, SimpleNamespace()))
        await follower.look()
        house.lives.clear()
        store.awake = ("here",)
        setattr(store, broken, 1)
        if broken == "bad_lists":
            with pytest.raises(StoreError):
                await follower.look()
        else:
            await follower.look()
            assert len(house.lives) == 6 - len(follower.orphans) == 5
        await follower.look()
        assert len(house.lives) == 6

    at_home(data, write)
    at_home(data, look, TwoHouses)


def test_a_name_that_another_house_erased_is_gone_though_its_table_is_older_than_this_house(data: Path) -> None:
    async def look(house: House) -> None:
        store = house.store
        assert isinstance(store, TwoHouses)
        carte = await store.new_carte("Ana", 1.0)
        table = open_table(Terms("traboulet"), new_token(), house.clock())
        actor = Actor((seat_token(carte, table.table), new_token()))
        invited = open_table(Terms("traboulet", sitting="open"), actor.tokens[0], house.clock(), table=table.table)
        live = await house.open(invited, [(Sit(0, "Ana Unique"), actor)])
        await store.remember(carte, table.table)
        house.lives.clear()
        follower = house.follow = Follower(house, cast(Any, store), cast(Any, SimpleNamespace()))
        live = await house.live(table.table)
        assert live.table.seats[0].name == "Ana Unique"
        await store.delete_carte(carte)
        store.lines = (Line(0, 1, live.table.id, live.table.seq),)
        await follower.look()
        assert live.table.seats[0].name == ""

    at_home(data, look, TwoHouses)


def test_those_who_ask_for_the_same_hint_get_one_answer(data: Path) -> None:
    async def look(house: House) -> None:
        actor = Actor((new_token(),))
        sit = [(Sit(seat, "", contribution="ab" * 16), actor) for seat in range(2)]
        live = await house.open(open_table(Terms("traboulet"), actor.tokens[0], house.clock()), [*sit])
        asked: list[int] = []
        state = live.table.state
        assert state is not None
        tokens = [state.game.notate(action) for action in state.legal(0)]

        async def answer(request: MoveRequest) -> str:
            asked.append(request.seat)
            await asyncio.sleep(0.01)
            return tokens[len(asked) - 1]

        house.engines.answer = answer  # type: ignore[method-assign]
        hint = Hint(0, move_id="h1")
        await asyncio.gather(*(house.do(live, hint, actor) for _ in range(3)))
        await house.do(live, hint, actor)
        assert asked == [0]
        assert [event.kind for event in live.table.events].count("hinted") == 1

    at_home(data, look)


def test_each_failure_in_a_row_waits_longer_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    waits = [retry_after(failures) for failures in range(1, 200)]
    assert waits == sorted(waits)
    assert (waits[0], waits[1], waits[-1]) == (0.2, 0.4, 10.0)
