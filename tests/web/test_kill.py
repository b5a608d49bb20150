"""The house killed in the middle of everything, and the house asked to stop."""

import asyncio
import json
import subprocess
from pathlib import Path

import httpx
from websockets.sync.client import connect

from tests.web.kill import Storm
from tests.web.serving import WAIT, Process, command, environment
from tests.web.test_socket import Wire


def test_killed_twenty_times_nothing_confirmed_is_lost_or_doubled_and_play_goes_on(data: Path) -> None:
    count = asyncio.run(Storm(data, tables=40, kills=19, seed=1, between=(8, 25)).run())
    assert count.wrong == []
    assert count.kills == 20


def test_asked_to_stop_it_closes_its_sockets_with_1012_and_keeps_everything(data: Path) -> None:
    process = Process(data, log="info")
    process.ready()
    with httpx.Client(base_url=process.base, headers={"origin": process.base}, follow_redirects=True) as person:
        table = person.post("/g/traboulet", data={"seats": "2", "seat-0": "me", "seat-1": "me"}).url.path.removeprefix("/t/")
        person.post(f"/t/{table}/do", data={"t": "start", "move_id": "start-now"})
        state = person.get(f"/api/v1/tables/{table}/state").json()
        carte = person.cookies["carte"]
    with connect(f"ws://127.0.0.1:{process.port}/ws/{table}", compression=None) as socket:
        socket.send('{"t":"hello"}')
        assert json.loads(socket.recv(timeout=WAIT))["t"] == "view"
        code = process.terminate()
        assert Wire(socket).closing_code() == 1012
    assert code in (0, -15)
    log = process.log_path.read_text()
    assert carte not in log
    assert all(json.loads(line) for line in log.splitlines())
    again = Process(data)
    again.ready()
    try:
        assert httpx.get(f"{again.base}/api/v1/tables/{table}/state").json()["events"] == state["events"]
    finally:
        again.terminate()


def test_two_houses_do_not_share_a_data_folder(data: Path) -> None:
    process = Process(data)
    process.ready()
    try:
        second = subprocess.run(command(data), capture_output=True, text=True, env=environment(), timeout=10 * WAIT, check=False)
    finally:
        process.terminate()
    assert second.returncode == 2
    assert "another process" in second.stderr
    assert len(second.stderr.splitlines()) == 1
