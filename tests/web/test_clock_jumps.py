"""The wall clock of the machine jumps while clocks run: nobody's flag falls, nobody gains, and play goes on."""

import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from tablee.store.log import StoreError
from tablee.store.sqlite import SqliteLog
from tablee.web import house as house_module
from tablee.web import house_clock
from tablee.web.house import House
from tablee.web.house_clock import HouseClock
from tests.web.serving import WAIT, Serving, serving, view
from tests.web.test_trouble import at_home, until

BASE = 600_000
JUMPS = (3600.0, -3600.0, 86400.0 * 400, -86400.0 * 400, 0.0)


@pytest.fixture
def wall(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The wall clock as the house reads it, to be moved."""
    clock = SimpleNamespace(offset=0.0, monotonic=time.monotonic)
    clock.time = lambda: time.time() + clock.offset
    monkeypatch.setattr(house_clock, "time", clock)
    return clock


def begun(house: Serving) -> tuple[str, str]:
    """Open a table with a clock at which one program holds both seats."""
    terms = {"game": "traboulet", "sitting": "open", "clock": {"kind": "real", "base": BASE, "add": 0}}
    made = house.bot().post("/tables", json=terms).json()
    for seat in range(2):
        body = {"t": "sit", "seat": seat, "contribution": "ab" * 16}
        house.bot(made["token"]).post(f"/tables/{made['table']}/commands", json=body).raise_for_status()
    return made["table"], made["token"]


def played(house: Serving, table: str, token: str) -> list[int]:
    """Play one action, and return what is left on the clocks."""
    bot = house.bot(token)
    shown = view(bot, table)
    assert shown["phase"] == "playing"
    action = shown["legal"][0]
    body = {"t": "play", "seat": action["seat"], "tokens": [action["token"]], "seq": shown["seq"]}
    assert bot.post(f"/tables/{table}/commands", json=body).status_code == 200
    return [seat["clock"]["left"] for seat in view(bot, table)["seats"]]


def test_a_jump_of_the_wall_clock_while_a_clock_runs_moves_nobodys_flag(data: Path, wall: SimpleNamespace) -> None:
    began = time.monotonic()
    with serving(data) as house:
        table, token = begun(house)
        for offset in JUMPS:
            wall.offset = offset
            left = played(house, table, token)
            assert all(BASE >= one >= BASE - 1000 * (time.monotonic() - began) - 1000 for one in left), left


def test_a_jump_while_the_house_is_away_is_nobodys_time(data: Path, wall: SimpleNamespace) -> None:
    began = time.monotonic()
    with serving(data) as house:
        table, token = begun(house)
        played(house, table, token)
    for offset in JUMPS:
        wall.offset = offset
        with serving(data) as house:
            left = played(house, table, token)
            assert all(BASE >= one >= BASE - 1000 * (time.monotonic() - began) - 1000 for one in left), left


def test_a_clock_that_was_put_back_while_the_house_was_away_gives_the_mover_no_free_time(data: Path, wall: SimpleNamespace) -> None:
    with serving(data) as house:
        table, token = begun(house)
        played(house, table, token)
        before = house.guard.app.state.house.clock()  # type: ignore[attr-defined]
    wall.offset = -3600.0
    with serving(data) as house:
        running = house.guard.app.state.house  # type: ignore[attr-defined]
        assert running.clock() > before - house_module.BEAT_SECONDS - 1
        assert running.clock.error == pytest.approx(-3600.0, abs=60.0), "it comes to the wall little by little"
        first, seat = time_left(house, table, token)
        end = time.monotonic() + WAIT
        while time_left(house, table, token)[0] >= first - 50:
            assert time.monotonic() < end, "the time of the mover stands still"
            time.sleep(0.05)
        assert time_left(house, table, token)[1] == seat


def time_left(house: Serving, table: str, token: str) -> tuple[int, int]:
    """Return what is left to the mover, and who that is."""
    shown = view(house.bot(token), table)
    seat = shown["legal"][0]["seat"]
    return shown["seats"][seat]["clock"]["left"], seat


class Shared(SqliteLog):
    """A log with a clock of its own, an hour ahead of the wall."""

    ahead = 3600.0
    asked = 0

    async def time(self) -> float:
        """Return the time of the database; the second question goes unanswered."""
        self.asked += 1
        if self.asked == 2:
            raise StoreError("the database does not answer")
        return time.time() + self.ahead


def test_a_house_with_a_wrong_clock_comes_to_that_of_the_database(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_module, "TIME_SECONDS", 0.005)
    monkeypatch.setattr(house_clock, "MOST_SLEW", 1e9)

    async def look(house: House) -> None:
        store = house.store
        assert isinstance(store, Shared)
        await house.wake()
        for store.ahead in (3600.0, 7200.0):
            await until(lambda: abs(house.clock() - time.time() - store.ahead) < 60.0)

    at_home(data, look, Shared)


def test_the_clock_of_the_house_follows_slowly_and_never_goes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    passed = [0.0]
    monkeypatch.setattr(house_clock, "time", SimpleNamespace(monotonic=lambda: passed[0], time=lambda: 0.0))
    for right in (1000.0, -1000.0, 0.03, -0.03):
        clock, before = HouseClock(0.0), 0.0
        passed[0] = start = 500.0
        clock.begun = start
        for _ in range(5):
            clock.follow(right + passed[0] - start)
            for _ in range(60):
                passed[0] += 1.0
                assert 0.95 - 1e-9 <= clock() - before <= 1.05 + 1e-9
                before = clock()
        error = clock() - (passed[0] - start) - right
        assert abs(error) == pytest.approx(max(0.0, abs(right) - 300 * 0.05), abs=1e-6)
