"""Computer players that are killed, stopped or eat memory: their house goes on, and so does every game."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from tablee.web import engine_pool
from tests.web.serving import WAIT, Serving, environment, now, serving, view, wait_for


def players_of_this_process() -> list[int]:
    """Return the processes in which players think for this one."""
    listed = subprocess.run(["ps", "-ww", "-o", "pid=,args=", "--ppid", str(os.getpid())], capture_output=True, text=True, check=True).stdout
    return [int(line.split()[0]) for line in listed.splitlines() if "engine_worker" in line]


def play_on(house: Serving, table: str, times: int) -> None:
    """Play the first legal action so many times, each after the computer's answer, unless the game ends."""
    person = house.clients[0]
    for number in range(times):
        shown = wait_for(person, table, "legal")
        action = shown["legal"][0]
        form = {"t": "play", "seat": action["seat"], "tokens": action["token"], "move_id": f"m{shown['seq']}-{number}"}
        assert person.post(f"/t/{table}/do", data=form).status_code == 200
    wait_for(person, table, "legal")


@pytest.mark.parametrize("what", [signal.SIGKILL, signal.SIGSTOP, signal.SIGSEGV], ids=["killed", "stopped", "crashed"])
def test_players_come_to_harm_again_and_again_and_the_game_goes_on(data: Path, monkeypatch: pytest.MonkeyPatch, what: signal.Signals) -> None:
    monkeypatch.setattr(engine_pool, "MARGIN_SECONDS", 0.3)
    monkeypatch.setattr(engine_pool, "START_SECONDS", 2.0)
    over = threading.Event()
    harmed: list[int] = []

    def harm() -> None:
        while not over.wait(0.1):
            for pid in players_of_this_process():
                try:
                    os.kill(pid, what)
                except ProcessLookupError:
                    continue
                harmed.append(pid)

    with serving(data) as house:
        table = now(house.person(), "traboulet")
        harming = threading.Thread(target=harm)
        harming.start()
        try:
            until = time.monotonic() + WAIT
            while len(set(harmed)) < 3 and time.monotonic() < until:  # each time another player
                play_on(house, table, 1)
        finally:
            over.set()
            harming.join()
        assert len(set(harmed)) >= 3
        play_on(house, table, 2)
        events = house.clients[0].get(f"/api/v1/tables/{table}/state").json()["events"]
        acted = [event["seat"] for event in events if event["kind"] == "acted"]
        assert acted.count(0) > 2
        assert 1 in acted
        assert view(house.clients[0], table)["phase"] == "playing"


GREEDY = """
from tablee.web import engine_worker
engine_worker.confine()
from pathlib import Path
held = []
try:
    while len(held) < 40:
        held.append(bytearray(100 * 2**20))
except MemoryError:
    print(len(held))
    held.clear()
"""


def test_a_player_gets_no_more_memory_than_it_may_have_and_lives_on() -> None:
    found = subprocess.run([sys.executable, "-c", GREEDY], capture_output=True, text=True, env=environment(), timeout=WAIT, check=False)
    assert found.returncode == 0, found.stderr
    assert 5 < int(found.stdout or 0) <= 20


def test_people_are_answered_while_every_player_is_stopped(data: Path) -> None:
    with serving(data) as house:
        person, other = house.person(), house.person()
        table = now(person, "traboulet")
        wait_for(person, table, "legal")
        until = time.monotonic() + WAIT
        while not (pids := players_of_this_process()) and time.monotonic() < until:
            time.sleep(0.02)
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        try:
            shown = view(person, table)
            form = {"t": "play", "seat": 0, "tokens": shown["legal"][0]["token"], "move_id": "m"}
            assert person.post(f"/t/{table}/do", data=form).status_code == 200
            assert other.get("/").status_code == 200
            assert view(other, table)["seq"] > shown["seq"]
        finally:
            for pid in pids:
                os.kill(pid, signal.SIGCONT)
