"""What the house does by itself: clocks, draws, the way on after a restart, and a view for each that holds nothing of others."""

import asyncio
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from tablee.store.log import StoreError
from tablee.store.sqlite import SqliteLog
from tablee.tables.commands import Play, Sit
from tablee.tables.opening import open_table
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, new_token
from tablee.web.engine_pool import EnginePool
from tablee.web.house import House
from tablee.web.house_clock import HouseClock
from tablee.web.live import Live
from tablee.web.metrics import Metrics
from tablee.web.serve import listen
from tests.web.serving import WAIT, Serving, command, environment, serving, view, wait_for
from tests.web.test_api import open_two, play


def test_a_clock_that_runs_out_ends_the_game_by_itself(house: Serving) -> None:
    table, bots = open_two(house, "traboulet", clock={"kind": "real", "base": 300})
    found = wait_for(bots[0], table, "over")
    assert found["result"]["reason"] == "time"
    assert found["result"]["winners"] == [1]


def test_time_counts_only_while_the_house_can_answer(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The house is away for an hour, six times what a player has."""
    with serving(data) as house:
        table, bots = open_two(house, "traboulet", clock={"kind": "real", "base": 600_000})
        wait_for(bots[0], table, "playing")
        token = bots[0].headers["authorization"].removeprefix("Bearer ")
    wall = time.time
    monkeypatch.setattr(time, "time", lambda: wall() + 3600)
    with serving(data) as house, house.bot(token) as bot:
        found = view(bot, table)
        assert found["phase"] == "playing"
        assert found["seats"][0]["clock"]["left"] > 0
        assert play(bot, table, 0, found["legal"][0]["token"]).status_code == 200


def test_a_program_answers_when_a_draw_is_offered(house: Serving) -> None:
    with house.person() as person:
        table = person.post("/g/traboulet/now").url.path.removeprefix("/t/")
        wait_for(person, table, "legal")
        person.post(f"/t/{table}/do", data={"t": "draw", "seat": "0", "move_id": "offer-a-draw"})
        until = time.monotonic() + WAIT
        while view(person, table)["asks"] and time.monotonic() < until:
            time.sleep(0.02)
        assert not view(person, table)["asks"]


def test_no_view_holds_a_secret_of_anybody(house: Serving) -> None:
    table, bots = open_two(house, "tabu")
    wait_for(bots[0], table, "playing")
    secrets = [bot.headers["authorization"].removeprefix("Bearer ") for bot in bots]
    with house.person() as stranger:
        texts = [stranger.get(f"/t/{table}{path}").text for path in ("", "/log", "/record", "/replay")]
        texts.append(bots[0].get(f"/tables/{table}/state").text)
        texts.append(stranger.get(f"/verify?table={table}").text)
    hidden = asyncio.run(secret_of(house, table))
    assert not [text for text in texts for secret in [*secrets, hidden] if secret in text]


def test_everybody_sees_the_table_with_his_own_eyes_however_often_it_is_looked_at(house: Serving) -> None:
    table, bots = open_two(house, "traboulet")
    wait_for(bots[0], table, "playing")
    with house.bot() as stranger:
        for _ in range(2):
            assert [view(one, table)["you"] for one in (*bots, stranger)] == [[0], [1], []]
            assert [bool(view(one, table)["legal"]) for one in (*bots, stranger)] == [True, False, False]
        before = view(stranger, table)
        play(bots[0], table, 0, view(bots[0], table)["legal"][0]["token"]).raise_for_status()
        assert view(stranger, table)["seq"] > before["seq"]
        assert [bool(view(one, table)["legal"]) for one in (*bots, stranger)] == [False, True, False]


async def secret_of(house: Serving, table: str) -> str:
    """Return the secret of a table's dice, in hex."""
    running: House = house.guard.app.state.house  # type: ignore[attr-defined]
    return (running.lives[table].table.secret or b"?").hex()


class Failing(SqliteLog):
    """A log whose next write fails, before or after it is on disk."""

    mood = ""

    async def append(self, table_id: str, events: Any, due: float | None = None) -> None:
        """Fail once."""
        mood, self.mood = self.mood, ""
        if mood == "before":
            raise StoreError("the disk is full")
        await super().append(table_id, events, due)
        if mood == "after":
            raise StoreError("the answer was lost")


@pytest.mark.parametrize(("mood", "done"), [("before", False), ("after", True)])
def test_when_the_outcome_of_a_write_is_not_known_the_log_is_asked(data: Path, mood: str, done: bool) -> None:
    async def look() -> None:
        data.mkdir()
        store = Failing(data / "x.sqlite")
        house = House(store, EnginePool(1, 0.1, Metrics()), Metrics())
        live, actor = await two_at_a_table(house)
        token = first_token(live)
        store.mood = mood
        command = Play(0, (token,), move_id="one-of-a-kind")
        if done:
            await house.do(live, command, actor)
        else:
            with pytest.raises(StoreError):
                await house.do(live, command, actor)
            await house.do(live, command, actor)
        assert [event.move_id for event in await store.events(live.table.id)].count("one-of-a-kind") == 1
        assert len(live.table.steps) == 2
        await house.close()
        await store.close()

    asyncio.run(look())


def test_nobody_is_told_before_it_is_written(data: Path) -> None:
    async def look() -> None:
        data.mkdir()
        store = SqliteLog(data / "x.sqlite")
        house = House(store, EnginePool(1, 0.1, Metrics()), Metrics())
        live, actor = await two_at_a_table(house)
        told: list[tuple[int, int]] = []
        written = 0
        append = store.append

        async def slow(table_id: str, events: Any, due: float | None = None) -> None:
            nonlocal written
            await asyncio.sleep(0.02)
            await append(table_id, events, due)
            written = events[-1].seq

        store.append = slow  # type: ignore[method-assign]
        live.listeners.add(lambda: told.append((live.table.seq, written)))
        for _ in range(5):
            seat = live.table.asked[0]
            await house.do(live, Play(seat, (first_token(live),)), actor)
        assert told
        assert all(seq == on_disk for seq, on_disk in told)
        await house.close()
        await store.close()

    asyncio.run(look())


def test_what_was_asked_is_done_even_if_whoever_asked_is_gone(data: Path) -> None:
    async def look() -> None:
        data.mkdir()
        store = SqliteLog(data / "x.sqlite")
        house = House(store, EnginePool(1, 0.1, Metrics()), Metrics())
        live, actor = await two_at_a_table(house)
        task = asyncio.ensure_future(house.do(live, Play(0, (first_token(live),)), actor))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        async with live.lock:
            pass
        assert live.table.hash == (await store.events(live.table.id))[-1].hash
        await house.close()
        await store.close()

    asyncio.run(look())


async def two_at_a_table(house: House) -> tuple[Live, Actor]:
    """Return a game of Traboulet that has begun, and who holds both seats."""
    actor = Actor((new_token(),))
    sit = [(Sit(seat, "", contribution="ab" * 16), actor) for seat in range(2)]
    return await house.open(open_table(Terms("traboulet"), actor.tokens[0]), [*sit]), actor


def first_token(live: Live) -> str:
    """Return something legal."""
    state = live.table.state
    assert state is not None
    return state.game.notate(state.legal()[0])


# The command.


def test_the_neighbours_get_an_address_and_a_drawing(data: Path) -> None:
    process = subprocess.Popen([*command(data), "--lan"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment())
    try:
        assert process.stdout is not None
        lines = [process.stdout.readline().decode() for _ in range(6)]
        assert "Tablée is open: http://127.0.0.1:" in lines[0]
        assert "For the neighbours: http://" in lines[1]
        assert any(block in "".join(lines[2:]) for block in "█▀▄")
        port = int(lines[0].rstrip("/\n").rpartition(":")[2])
        until = time.monotonic() + WAIT
        while time.monotonic() < until:
            try:
                assert httpx.get(f"http://127.0.0.1:{port}/livez").status_code == 200
                break
            except httpx.TransportError:
                time.sleep(0.05)
    finally:
        process.terminate()
        process.communicate(timeout=WAIT)


def test_a_port_that_is_taken_is_told_or_passed_over() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ValueError, match="--port"):
            listen("127.0.0.1", port, tries=1)
        with listen("127.0.0.1", port, tries=20) as other:
            assert other.getsockname()[1] > port


def test_the_table_of_a_rematch_is_there_before_anybody_is_told_to_go_there(house: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    table, bots = open_two(house, "traboulet")
    wait_for(bots[0], table, "playing")
    bots[0].post(f"/tables/{table}/commands", json={"t": "resign", "seat": 0, "move_id": "resign-now"}).raise_for_status()
    create = SqliteLog.create

    async def slow(*given: Any) -> None:
        await asyncio.sleep(0.3)
        await create(*given)

    monkeypatch.setattr(SqliteLog, "create", slow)
    commands: list[dict[str, Any]] = [{"t": "rematch"}, {"t": "answer", "what": "rematch", "yes": True}]
    for seat, wanted in enumerate(commands):
        bots[seat].post(f"/tables/{table}/commands", json={**wanted, "seat": seat, "move_id": f"again-{seat}-now"}).raise_for_status()
    following = view(bots[0], table)["next"]
    assert view(bots[0], following)["match"]["number"] == 2


def test_what_the_house_sends_is_not_held_back_for_more() -> None:
    async def look() -> int:
        waiting: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def met(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            waiting.set_result(writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        listener = listen("127.0.0.1", 0, tries=1)
        async with await asyncio.start_server(met, sock=listener):
            _, writer = await asyncio.open_connection(*listener.getsockname())
            writer.close()
            return await asyncio.wait_for(waiting, WAIT)

    assert asyncio.run(look()) == 1


def test_a_jump_of_the_wall_clock_does_not_move_the_time_of_the_house(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = HouseClock()
    before = clock()
    monkeypatch.setattr(time, "time", lambda: before + 3600)
    assert clock() - before < 1800
    monkeypatch.setattr(time, "time", lambda: before - 3600)
    assert clock() >= before
