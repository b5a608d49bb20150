"""Several houses on one PostgreSQL database: the same tables from any of them, with hints over Redis and without."""

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from tablee.web import follower
from tests.store.pg import PgServer
from tests.store.redis_server import RedisServer
from tests.web.serving import WAIT, Process, Serving, command, environment, serving

START = {"game": "traboulet", "sitting": "open"}


@contextmanager
def two_houses(url: str, data: Path, redis: str = "", **more: Any) -> Iterator[tuple[Serving, Serving]]:
    """Give two houses on one database."""
    with serving(data / "one", database=url, redis=redis, **more) as one, serving(data / "two", database=url, redis=redis, **more) as two:
        yield one, two


def opened(house: Serving, **terms: object) -> tuple[str, str]:
    """Open a table at which one program holds both seats' token, and begin; return the table and the token."""
    made = house.bot().post("/tables", json={**START, **terms}).json()
    bot = house.bot(made["token"])
    for seat in range(2):
        bot.post(f"/tables/{made['table']}/commands", json={"t": "sit", "seat": seat, "contribution": "ab" * 16}).raise_for_status()
    return made["table"], made["token"]


def play(house: Serving, table: str, token: str) -> dict[str, Any]:
    """Play the first legal action at a house, and return the answer."""
    bot = house.bot(token)
    view = bot.get(f"/tables/{table}/state").json()["view"]
    action = view["legal"][0]
    body = {"t": "play", "seat": action["seat"], "tokens": [action["token"]], "seq": view["seq"]}
    answer = bot.post(f"/tables/{table}/commands", json=body)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def until(socket: ClientConnection, seq: int) -> None:
    """Read frames until the table is at a number."""
    while True:
        frame = json.loads(socket.recv(timeout=10 * WAIT))
        if frame.get("to", frame.get("view", {}).get("seq", -1)) >= seq:
            return


@contextmanager
def listening(house: Serving, table: str) -> Iterator[ClientConnection]:
    """Listen at a table, after its first view."""
    with connect(f"ws://127.0.0.1:{house.port}/ws/{table}", compression=None) as socket:
        socket.send('{"t":"hello"}')
        assert json.loads(socket.recv(timeout=WAIT))["t"] == "view"
        yield socket


def test_a_game_is_played_at_two_houses_in_turns_and_both_show_one_log(pg: PgServer, data: Path) -> None:
    with two_houses(pg.new_database(), data) as (one, two):
        table, token = opened(one)
        for number in range(10):
            play((one, two)[number % 2], table, token)
        logs = [house.bot(token).get(f"/tables/{table}/state").json()["events"] for house in (one, two)]
        assert logs[0] == logs[1]
        assert [event["kind"] for event in logs[0]].count("acted") == 10


@pytest.mark.parametrize("by", ["hint", "poll", "poll, Redis gone"])
def test_a_listener_at_one_house_is_told_what_happens_at_the_other(
    pg: PgServer, redis_server: RedisServer, data: Path, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    """With hints alone (no poll within an hour), without any, and after the server of the hints has died."""
    if by == "hint":
        monkeypatch.setattr(follower, "POLL_SECONDS", 3600.0)
    with two_houses(pg.new_database(), data, "" if by == "poll" else redis_server.url) as (one, two):
        table, token = opened(one)
        if by == "poll, Redis gone":
            redis_server.kill()
        try:
            with listening(two, table) as socket:
                for _ in range(3):
                    until(socket, play(one, table, token)["seq"])
        finally:
            if by == "poll, Redis gone":
                redis_server.start()


def test_a_request_sent_again_to_the_other_house_is_done_once(pg: PgServer, data: Path) -> None:
    with two_houses(pg.new_database(), data) as (one, two):
        table, token = opened(one)
        for house in (one, two):
            house.bot(token).get(f"/tables/{table}/state")
        view = one.bot(token).get(f"/tables/{table}/state").json()["view"]
        body = {"t": "play", "seat": 0, "tokens": [view["legal"][0]["token"]], "seq": view["seq"], "move_id": "once"}
        answers = [house.bot(token).post(f"/tables/{table}/commands", json=body).json() for house in (one, two, one)]
        assert answers[0] == answers[1] == answers[2]


def test_programs_play_whichever_house_the_table_was_opened_at(pg: PgServer, data: Path) -> None:
    with two_houses(pg.new_database(), data) as (one, two):
        for number in range(6):
            house = (one, two)[number % 2]
            made = house.bot().post("/tables", json=START).json()
            with listening(house, made["table"]) as socket:
                for seat in range(2):
                    body = {"t": "replace", "seat": seat, "level": "1"}
                    house.bot(made["token"]).post(f"/tables/{made['table']}/commands", json=body).raise_for_status()
                until(socket, 8)


def test_a_name_that_is_erased_at_one_house_is_gone_at_the_other(pg: PgServer, data: Path) -> None:
    with two_houses(pg.new_database(), data) as (one, two):
        person = one.person()
        person.post("/me", data={"name": "Ana Unique"})
        terms = {"seats": "2", "seat-0": "me", "seat-1": "open", "who": "open"}
        table = person.post("/g/traboulet", data=terms).url.path.removeprefix("/t/")
        with listening(two, table) as socket:
            assert "Ana Unique" in two.person().get(f"/t/{table}").text
            person.post("/me/delete", data={"sure": "yes"})
            while "Ana Unique" in two.person().get(f"/t/{table}").text:
                socket.recv(timeout=10 * WAIT)


def workers_of(process: Process) -> list[int]:
    """Return the processes that a house with workers has started to serve."""
    listed = subprocess.run(
        ["ps", "-ww", "-o", "pid=", "-o", "args=", "--ppid", str(process.popen.pid)], capture_output=True, text=True, check=True
    ).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if "spawn_main" in line]


@pytest.mark.parametrize("trouble", ["one is killed", "all are replaced"])
def test_of_several_workers_one_is_killed_or_all_are_replaced_and_everything_goes_on(pg: PgServer, data: Path, trouble: str) -> None:
    process = Process(data, more=("--database", pg.new_database(), "--workers", "2"))
    process.ready()
    try:
        base = f"{process.base}/api/v1"
        made = httpx.post(f"{base}/tables", json=START, timeout=WAIT).json()
        headers = {"authorization": f"Bearer {made['token']}"}
        for seat in range(2):
            body = {"t": "sit", "seat": seat, "contribution": "ab" * 16}
            httpx.post(f"{base}/tables/{made['table']}/commands", json=body, headers=headers, timeout=WAIT).raise_for_status()
        confirmed = []
        for number in range(12):
            if number == 6:
                before = workers_of(process)
                if trouble == "one is killed":
                    os.kill(before[0], signal.SIGKILL)
                else:
                    process.popen.send_signal(signal.SIGHUP)
            confirmed.append(played(base, made["table"], headers))
        events = httpx.get(f"{base}/tables/{made['table']}/state", timeout=WAIT).json()["events"]
        assert [event["hash"] for event in events if event["kind"] == "acted"] == confirmed
        until_replaced(process, before[:1] if trouble == "one is killed" else before)
    finally:
        assert process.terminate() == 0


def until_replaced(process: Process, before: list[int]) -> None:
    """Wait until there are two workers, and none of those before."""
    end = time.monotonic() + 2 * WAIT
    while len(workers := workers_of(process)) != 2 or set(workers) & set(before):
        assert time.monotonic() < end
        time.sleep(0.1)


def played(base: str, table: str, headers: dict[str, str]) -> str:
    """Play one action, sent again until it is answered, and return the hash of its event."""
    while True:
        try:
            view = httpx.get(f"{base}/tables/{table}/state", headers=headers, timeout=WAIT).json()["view"]
            body = {
                "t": "play",
                "seat": view["legal"][0]["seat"],
                "tokens": [view["legal"][0]["token"]],
                "seq": view["seq"],
                "move_id": f"at-{view['seq']}",
            }
            answer = httpx.post(f"{base}/tables/{table}/commands", json=body, headers=headers, timeout=WAIT)
        except httpx.TransportError:
            continue
        if answer.status_code == 200:
            return str(answer.json()["hash"])
        assert answer.status_code >= 500 or answer.json()["error"]["code"] == "stale", answer.text


def test_workers_need_a_database(data: Path) -> None:
    words = [*command(data), "--workers", "2"]
    done = subprocess.run(words, capture_output=True, text=True, env=environment(), timeout=10 * WAIT, check=False)
    assert done.returncode == 2
    assert "--database" in done.stderr
    assert len(done.stderr.splitlines()) == 1
