"""The wall clock of the machine jumps while clocks run: nobody's flag falls, nobody gains, and play goes on."""

import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from tablee.web import house_clock
from tests.web.serving import Serving, serving, view

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
