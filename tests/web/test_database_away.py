"""A house whose database is away, or whose wall clock is wrong: everybody is told, and it goes on when the database is back."""

import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from tablee.store import postgres_server
from tablee.web import house_clock
from tests.store.pg import PgServer
from tests.web.serving import WAIT, now, serving, wait_for
from tests.web.test_shared import opened, play
from tests.web.test_socket import wire


def until(true: Callable[[], bool]) -> None:
    """Wait until something is so."""
    end = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_without_its_database_page_socket_api_and_readiness_say_so_and_all_goes_on_afterwards(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_server, "POOL_SECONDS", 1.0)
    server = PgServer()
    try:
        with serving(data, database=server.new_database()) as house, house.person() as person:
            table, token = opened(house)
            game = now(person, "traboulet")
            legal = wait_for(person, game, "legal")["legal"][0]
            form = {"t": "play", "seat": "0", "tokens": legal["token"], "move_id": "on-the-page"}
            until(lambda: httpx.get(f"{house.base}/readyz").status_code == 200)
            with wire(house, game, person.cookies["carte"], language="en") as line:
                line.hear("view")
                server.kill()
                line.say(t="play", seat=0, tokens=[legal["token"]], move_id="at-the-socket")
                refused = line.hear("ok", "no")
                assert (refused["t"], refused["code"]) == ("no", "store"), refused
                assert "cannot write" in refused["text"]
            with wire(house, game, person.cookies["carte"]) as late:
                assert late.closing_code() == 1013
            answer = house.bot(token).post(f"/tables/{table}/commands", json={"t": "invite", "seat": None})
            assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store")
            for page in (person.post("/g/traboulet/now"), person.post(f"/t/{game}/do", data=form)):
                assert page.status_code == 503
                assert "cannot write" in page.text
            until(lambda: httpx.get(f"{house.base}/readyz").status_code == 503)
            assert httpx.get(f"{house.base}/livez").status_code == 200
            server.start()
            until(lambda: httpx.get(f"{house.base}/readyz").status_code == 200)
            play(house, table, token)
            assert person.post(f"/t/{game}/do", data=form).status_code == 200
    finally:
        server.remove()


def test_a_house_takes_its_time_from_the_database_whatever_its_wall_says(pg: PgServer, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_clock, "time", SimpleNamespace(time=lambda: time.time() + 86400.0, monotonic=time.monotonic))
    with serving(data, database=pg.new_database()) as house:
        table, token = opened(house)
        play(house, table, token)
        events = house.bot(token).get(f"/tables/{table}/state").json()["events"]
        assert all(abs(event["at"] - time.time() * 1000) < 3_600_000 for event in events)
