"""What several houses on one database have in common beside the tables: allowances, cartes on their way, metrics, computer players."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from pathlib import Path

import pytest
from psycopg import connect as connect_database

from tablee.store import postgres_thoughts
from tablee.store.postgres import PostgresLog
from tablee.store.postgres_shared import SharedFacts, masked
from tablee.store.postgres_thoughts import Answered, Thoughts
from tablee.web import allowances
from tablee.web.allowances import Allowances
from tablee.web.connections import Connections
from tablee.web.engine_pool import MoveRequest, Worker
from tablee.web.metrics import Metrics
from tablee.web.players_process import RayWorker, cluster
from tablee.web.shared_pool import SharedPool
from tests.store.pg import PgServer
from tests.web.serving import WAIT, Serving, environment, now, serving, wait_for
from tests.web.test_engine_pool import asked_in_order, deciding, request
from tests.web.test_engine_pool import waiting as waiting_request
from tests.web.test_limits import HALF, closed, dial
from tests.web.test_shared import START, listening, opened, two_houses
from tests.web.test_socket import wire


def allowances_of(house: Serving) -> Allowances:
    """Return what visitors have used at a house."""
    counted = house.guard.allowances
    assert isinstance(counted, Allowances)
    return counted


def soon(true: Callable[[], bool]) -> None:
    """Wait until something is so."""
    until = time.monotonic() + WAIT
    while not true():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_changes_at_one_house_use_up_the_allowance_at_the_other(pg: PgServer, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowances, "CHANGES_A_MINUTE", 1)  # the settings of these tests multiply it by 1000
    monkeypatch.setattr(allowances, "CHANGES_A_DAY", 100)
    with two_houses(pg.new_database(), data) as (one, two):
        table, token = opened(one)
        counted = allowances_of(two)
        used = allowances_of(one).changes
        used.counts["holder stranger"] = 5000
        used.fresh.add("holder stranger")
        soon(lambda: not asyncio.run(counted.change("holder stranger")))
        assert asyncio.run(counted.change("holder somebody else"))
        assert two.bot(token).post(f"/tables/{table}/commands", json={"t": "invite", "seat": None}).status_code == 200


def test_places_to_listen_are_shared(pg: PgServer, data: Path) -> None:
    with two_houses(pg.new_database(), data) as (one, two):
        for house in (one, two):
            allowances_of(house).places.most = 3
        table, _ = opened(one)
        with ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(listening(one, table))
            soon(lambda: sum(allowances_of(two).places.others["127.0.0.1"].values()) == 3)
            with wire(two, table, hello=False) as refused:
                assert refused.closing_code() == 4429
        soon(lambda: not allowances_of(two).places.others["127.0.0.1"])
        with listening(two, table):
            pass


def test_connections_of_one_address_are_counted_over_all_processes(pg: PgServer, data: Path) -> None:
    url = pg.new_database()
    counted = [Connections(most=20, header_seconds=3600) for _ in range(2)]
    with serving(data / "one", counted[0], database=url) as one, serving(data / "two", counted[1], database=url) as two, ExitStack() as stack:
        lines = [stack.enter_context(dial(one, HALF, "127.0.0.2")) for _ in range(15)]
        soon(lambda: sum(counted[1].places.others["127.0.0.2"].values()) == 15)
        for _ in range(5):
            stack.enter_context(dial(two, HALF, "127.0.0.2"))
        soon(lambda: counted[1].open["127.0.0.2"] == 5)
        assert closed(dial(two, HALF, "127.0.0.2"))
        answers = dial(two, b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", "127.0.0.3")
        assert stack.enter_context(answers).recv(1000).startswith(b"HTTP/1.1 200")
        for line in lines:
            line.close()
        soon(lambda: not counted[1].places.others["127.0.0.2"])
        stack.enter_context(dial(two, HALF, "127.0.0.2"))
        soon(lambda: counted[1].open["127.0.0.2"] == 6)


def test_a_carte_is_carried_from_one_house_to_the_other_once(pg: PgServer, data: Path) -> None:
    url = pg.new_database()
    with two_houses(url, data) as (one, two), one.person() as here, two.person() as there, one.person() as late:
        here.post("/me", data={"name": "Ana"})
        links = [re.search(r"/me/carry/([\w-]{43})", here.post("/me/carry").text) for _ in range(2)]
        old, key = (link[1] for link in links if link)
        carte = here.cookies["carte"]
        with connect_database(url) as database:
            kept = " ".join(str(row) + bytes(row[2]).decode(errors="replace") for row in database.execute("SELECT * FROM carried").fetchall())
        assert key not in kept
        assert carte not in kept
        assert there.post(f"/me/carry/{old}").status_code == 404
        assert "Ana" in there.post(f"/me/carry/{key}").text
        assert there.cookies["carte"] == carte
        assert late.post(f"/me/carry/{key}").status_code == 404


def test_a_carte_is_hidden_by_every_letter_of_its_key() -> None:
    carte = b"c" * 43
    assert masked("k" * 43, masked("k" * 43, carte)) == carte
    assert masked("l" * 43, masked("k" * 43, carte)) != carte


def test_the_list_of_waiting_tables_is_one(pg: PgServer, data: Path) -> None:
    with two_houses(pg.new_database(), data) as (one, two):
        made = one.bot().post("/tables", json=START).json()

        def listed(house: Serving) -> list[str]:
            return [table["table"] for table in house.bot().get("/tables").json()]

        soon(lambda: listed(two) == [made["table"]])
        for seat in range(2):
            two.bot(made["token"]).post(f"/tables/{made['table']}/commands", json={"t": "sit", "seat": seat}).raise_for_status()
        soon(lambda: listed(one) == [])


def test_any_process_shows_the_metrics_of_all(pg: PgServer, data: Path) -> None:
    with two_houses(pg.new_database(), data) as (one, two):
        opened(one)
        soon(lambda: len(set(re.findall(r'tablee_tables_opened_total\{house="(\w+)"\} 1', two.person().get("/metrics").text))) == 1)
        text = two.person().get("/metrics").text
        houses = set(re.findall(r'house="(\w+)"', text))
        assert len(houses) == 2
        kinds = re.findall(r"# TYPE (\w+)", text)
        assert len(kinds) == len(set(kinds))


# Computer players in one queue.


async def pools(url: str, work: Callable[[PostgresLog, Callable[[str, int], SharedPool]], Awaitable[None]]) -> None:
    """Do something with pools on one database, then close them."""
    log = await PostgresLog.open(url)
    made: list[SharedPool] = []

    def pool(name: str, workers: int) -> SharedPool:
        made.append(SharedPool(Thoughts(url, log.pool, name), workers, 600.0, Metrics(), b"s" * 16))
        made[-1].begin()
        return made[-1]

    try:
        await work(log, pool)
    finally:
        for one in made:
            await one.close()
        await log.close()


def test_the_first_answer_counts_and_a_lost_request_is_known(pg: PgServer) -> None:
    async def work(log: PostgresLog, pool: Callable[[str, int], SharedPool]) -> None:
        house, slow, quick = (Thoughts("", log.pool, name) for name in ("house", "slow", "quick"))
        number = await house.ask("group", "table", "", "request")
        first = await slow.take(0.0)
        second = await quick.take(0.0)
        assert first
        assert second == first
        await quick.answer(second, "first")
        await slow.answer(first, "late")
        assert await house.unknown([number]) == set()
        assert await house.answers([number]) == {number: Answered("first", "quick")}
        assert await house.unknown([number]) == {number}

    asyncio.run(pools(pg.new_database(), work))


def test_groups_take_turns_over_all_processes(pg: PgServer, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[int] = []
    gate = asyncio.Event()

    async def work(log: PostgresLog, pool: Callable[[str, int], SharedPool]) -> None:
        house, other = pool("house", 0), pool("other", 0)
        greedy = [asyncio.ensure_future(house.answer(waiting_request(seat, "greedy"))) for seat in range(20)]
        while (await log.query("SELECT count(*) FROM thoughts"))[0][0] < 20:
            await asyncio.sleep(0.01)
        modest = [asyncio.ensure_future(other.answer(waiting_request(100 + seat, "modest"))) for seat in range(2)]
        while (await log.query("SELECT count(*) FROM thoughts"))[0][0] < 22:
            await asyncio.sleep(0.01)
        gate.set()
        pool("players", 1)
        assert await asyncio.gather(*greedy, *modest) == ["."] * 22
        assert (await log.query("SELECT count(*) FROM thoughts"))[0][0] == 0

    monkeypatch.setattr(Worker, "ask", asked_in_order(order, gate))
    asyncio.run(pools(pg.new_database(), work))
    assert order.index(100) <= 3
    assert order.index(101) <= 5
    assert sorted(order) == [*range(20), 100, 101]


def test_a_player_is_asked_where_it_is_kept(pg: PgServer, monkeypatch: pytest.MonkeyPatch) -> None:
    takers: list[str] = []
    monkeypatch.setattr(postgres_thoughts, "HOME_SECONDS", 600.0)

    async def work(log: PostgresLog, pool: Callable[[str, int], SharedPool]) -> None:
        house, _, _ = pool("house", 0), pool("one", 1), pool("two", 1)
        for _ in range(8):
            assert await house.answer(waiting_request(0, "group"))
            takers.append(next(iter(house.keepers.values())))

    monkeypatch.setattr(Worker, "ask", asked_in_order([]))
    asyncio.run(pools(pg.new_database(), work))
    assert len(set(takers)) == 1


def test_a_request_whose_taker_is_gone_is_taken_again(pg: PgServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(log: PostgresLog, pool: Callable[[str, int], SharedPool]) -> None:
        house = pool("house", 0)
        asked = asyncio.ensure_future(house.answer(waiting_request(0, "group")))
        gone = Thoughts("", log.pool, "gone")
        while (thought := await gone.take(600.0)) is None:
            await asyncio.sleep(0.01)
        pool("players", 1).lease = 0.2
        assert await asked == "."
        await gone.answer(thought, "too late")

    monkeypatch.setattr(Worker, "ask", asked_in_order([]))
    asyncio.run(pools(pg.new_database(), work))


def test_what_was_asked_when_the_queue_was_lost_is_asked_again(pg: PgServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablee.web.shared_pool.LOOK_SECONDS", 0.1)

    async def work(log: PostgresLog, pool: Callable[[str, int], SharedPool]) -> None:
        house = pool("house", 0)
        asked = asyncio.ensure_future(house.answer(waiting_request(0, "group")))
        while not await log.query("DELETE FROM thoughts RETURNING id"):
            await asyncio.sleep(0.01)
        pool("players", 1)
        assert await asked == "."

    monkeypatch.setattr(Worker, "ask", asked_in_order([]))
    asyncio.run(pools(pg.new_database(), work))


def test_without_its_database_a_house_thinks_by_itself(pg: PgServer, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(log: PostgresLog, pool: Callable[[str, int], SharedPool]) -> None:
        house = pool("house", 1)
        await log.query("ALTER TABLE thoughts RENAME TO lost")
        assert await house.answer(waiting_request(0, "group")) == "."

    monkeypatch.setattr(Worker, "ask", asked_in_order([]))
    asyncio.run(pools(pg.new_database(), work))


def test_what_waits_in_the_queue_for_nobodys_table_moves_to_the_turn_of_who_comes(pg: PgServer) -> None:
    async def work(log: PostgresLog, pool: Callable[[str, int], SharedPool]) -> None:
        house = pool("house", 0)
        asked = asyncio.ensure_future(house.answer(waiting_request(0, "")))
        while not await log.query("SELECT 1 FROM thoughts"):
            await asyncio.sleep(0.01)
        before = set(house.tasks)
        house.regroup("table", "", "192.0.2.1")
        await asyncio.gather(*(house.tasks - before))
        assert await log.query("SELECT line FROM thoughts") == [("192.0.2.1",)]
        asked.cancel()
        await asyncio.gather(asked, return_exceptions=True)
        assert not await log.query("SELECT 1 FROM thoughts")

    asyncio.run(pools(pg.new_database(), work))


def test_players_on_another_host_play_for_a_house_that_has_none_and_one_is_killed(pg: PgServer, data: Path) -> None:
    url = pg.new_database()
    words = [sys.executable, "-c", "from tablee.cli import main; main()", "players", "--database", url, "--engines", "1", "--lang", "en"]
    with two_houses(url, data, engines=0) as (one, _):
        players = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment()) for _ in range(2)]
        try:
            for process in players:
                assert process.stdout is not None
                assert "wait for requests" in process.stdout.readline()
            person = one.person()
            table = now(person, "traboulet")
            for number in range(4):
                shown = wait_for(person, table, "legal")
                action = shown["legal"][0]
                person.post(f"/t/{table}/do", data={"t": "play", "seat": action["seat"], "tokens": action["token"], "move_id": f"m{number}"})
                if number == 1:
                    players[0].kill()
            assert wait_for(person, table, "legal")["seq"] > shown["seq"]
            players[1].send_signal(signal.SIGTERM)
            assert players[1].wait(WAIT) == 0
        finally:
            for process in players:
                process.kill()
                process.wait()
                assert process.stdout is not None
                process.stdout.close()


def test_players_need_a_database() -> None:
    words = [sys.executable, "-c", "from tablee.cli import main; main()", "players", "--lang", "en"]
    found = subprocess.run(words, capture_output=True, text=True, env=environment(), timeout=WAIT, check=False)
    assert found.returncode == 2
    assert "--database" in found.stderr
    assert len(found.stderr.splitlines()) == 1


@pytest.mark.filterwarnings("ignore")
def test_a_player_thinks_on_a_ray_cluster() -> None:
    ray = pytest.importorskip("ray")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

    async def work() -> None:
        worker = RayWorker(cluster("local"))
        asked: MoveRequest = request("traboulet", level="1")
        try:
            first = await worker.ask(asked, 1, 0.05)
            assert deciding("traboulet").legal() is not None
            assert asked.state.game.parse(first.split()[0], asked.seat) in asked.state.legal(asked.seat)
            assert worker.actor is not None
            ray.kill(worker.actor)
            with pytest.raises(EOFError):
                await worker.ask(asked, 1, 0.05)
        finally:
            await worker.close()

    try:
        asyncio.run(work())
    finally:
        ray.shutdown()


def test_facts_are_forgotten_when_they_are_old(pg: PgServer) -> None:
    async def work() -> None:
        log = await PostgresLog.open(pg.new_database())
        facts = SharedFacts(log)
        await facts.tell_used([("changes", 1, "a", 5), ("changes a day", 1, "a", 5)])
        await log.query("UPDATE used SET told = clock_timestamp() - interval '1 hour'")
        await facts.forget_used()
        assert await log.query("SELECT what FROM used") == [("changes a day",)]
        await log.close()

    asyncio.run(work())
