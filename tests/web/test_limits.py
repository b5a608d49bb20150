"""What one visitor can take from the others: connections, places to listen, changes, room in the log. Each has an end."""

import asyncio
import json
import resource
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from tablee.tables import visit
from tablee.tables.commands import Invite, Unreadable, read_command, read_sit
from tablee.tables.events import ChainError, read_log
from tablee.tables.refused import Refused
from tablee.tables.texts import clean
from tablee.tables.tokens import new_token
from tablee.web import allowances, connections
from tablee.web import socket as socket_module
from tablee.web.allowances import Allowances, holder_of, sender
from tablee.web.connections import Connections, raise_file_limit
from tablee.web.socket_messages import read_frame
from tests.tables.company import Company
from tests.web.serving import WAIT, Serving, now, serving, view, wait_for
from tests.web.test_api import open_two
from tests.web.test_socket import wire

HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "


def dial(house: Serving, said: bytes, source: str = "127.0.0.1") -> socket.socket:
    """Open a connection and send something."""
    line = socket.create_connection(("127.0.0.1", house.port), timeout=WAIT, source_address=(source, 0))
    line.sendall(said)
    return line


def closed(line: socket.socket) -> bool:
    """Read until the other end closes; False if it never does."""
    with line:
        try:
            while line.recv(1000):
                pass
        except ConnectionError:
            return True
        except TimeoutError:
            return False
        return True


@pytest.mark.parametrize(
    "said", [b"", HALF, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" + HALF], ids=["nothing", "half a request", "one and a half"]
)
def test_a_request_that_does_not_come_to_an_end_is_closed(data: Path, said: bytes) -> None:
    with serving(data, Connections(header_seconds=0.5)) as house:
        lines = [dial(house, said) for _ in range(8)]
        assert all(closed(line) for line in lines)


def test_who_does_not_read_the_answers_is_let_go(data: Path) -> None:
    counted = Connections(header_seconds=3600, read_seconds=0.5)
    with serving(data, counted) as house:
        house.listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        with socket.socket() as line:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            line.settimeout(WAIT)
            line.connect(("127.0.0.1", house.port))
            line.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 200)
            until = time.monotonic() + WAIT
            while not counted.open and time.monotonic() < until:
                time.sleep(0.01)
            while counted.open and time.monotonic() < until:
                time.sleep(0.05)
            assert not counted.open


def test_an_address_has_so_many_connections_and_another_one_its_own(data: Path) -> None:
    counted = Connections(most=5, header_seconds=3600)
    with serving(data, counted) as house:
        lines = [dial(house, HALF) for _ in range(5)]
        assert closed(dial(house, HALF))
        other = dial(house, b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", source="127.0.0.2")
        assert other.recv(1000).startswith(b"HTTP/1.1 200")
        for line in lines:
            line.close()
        other.close()


def test_a_connection_that_ended_or_became_a_socket_is_counted_no_more(data: Path) -> None:
    counted = Connections(most=3)
    with serving(data, counted) as house:
        for _ in range(5):
            assert httpx.get(f"{house.base}/livez").status_code == 200
        table, _ = open_two(house, "traboulet")
        house.send_home()
        with ExitStack() as stack:
            for _ in range(5):
                stack.enter_context(connect(f"ws://127.0.0.1:{house.port}/ws/{table}"))


def test_a_proxy_stands_for_everybody() -> None:
    counted = Connections(most=1, proxy="127.0.0.1, ::1")
    assert all(counted.enter("127.0.0.1") for _ in range(9))
    assert [counted.enter("192.0.2.1") for _ in range(2)] == [True, False]


def test_the_house_may_open_as_many_files_as_the_system_lets_it() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        assert raise_file_limit() == min(connections.MOST_FILES, before[1] if before[1] != resource.RLIM_INFINITY else connections.MOST_FILES)
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] == raise_file_limit() > 256
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_event_streams_and_sockets_share_the_places_of_an_address(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowances, "LISTENERS_AN_ADDRESS", 3)
    with serving(data, allowance=1) as house:
        table, bots = open_two(house, "traboulet")
        with ExitStack() as stack:
            streams = [stack.enter_context(bots[0].stream("GET", f"/tables/{table}/events")) for _ in range(3)]
            lines = [stream.iter_lines() for stream in streams]  # kept: a stream whose iterator is dropped is closed
            assert all(next(line) for line in lines)
            assert bots[1].get(f"/tables/{table}/events").status_code == 429
            with wire(house, table, hello=False) as refused:
                assert refused.closing_code() == 4429


def test_changes_over_a_socket_count_like_others(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowances, "CHANGES_A_MINUTE", 8)
    with serving(data, allowance=1) as house:
        table, bots = open_two(house, "traboulet")
        token = bots[0].headers["authorization"].removeprefix("Bearer ")
        with wire(house, table, tokens=[token]) as line:
            for number in range(20):
                line.say(t="invite", seat=None, move_id=f"i{number}")
            answers = [line.hear("ok", "no") for _ in range(20)]
        refused = [answer for answer in answers if answer["t"] == "no"]
        assert len(refused) >= 12
        assert {answer["code"] for answer in refused} == {"limit"}
        assert bots[0].post(f"/tables/{table}/commands", json={"t": "invite", "seat": None}).status_code == 429


def test_a_token_shown_in_the_greeting_is_counted_whatever_its_address(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowances, "CHANGES_A_MINUTE", 8)
    with serving(data, allowance=1) as house:
        table, bots = open_two(house, "traboulet")
        counted: Allowances = house.guard.app.state.allowances  # type: ignore[attr-defined]
        for bot in bots:
            token = bot.headers["authorization"].removeprefix("Bearer ")
            counted.changes.counts[holder_of(token)] = 8
            with wire(house, table, tokens=[token]) as line:
                line.say(t="invite", seat=None, move_id="i1")
                assert line.hear("ok", "no").get("code") == "limit"
        with wire(house, table, tokens=[new_token()]) as line:
            line.say(t="say", seat=0, phrase="hello", move_id="i1")
            assert line.hear("ok", "no").get("code") != "limit"


def record_of(house: Serving) -> str:
    """Return the record of a game that goes on."""
    with house.person() as person:
        table = now(person, "traboulet")
        wait_for(person, table, "legal")
        return person.get(f"/t/{table}/record").text


def test_a_table_counts_whichever_way_it_is_opened(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(data, allowance=1) as house, house.person() as person:
        counted: Allowances = house.guard.app.state.allowances  # type: ignore[attr-defined]
        record = record_of(house)
        table = now(person, "traboulet")
        wait_for(person, table, "legal")
        ways: list[Callable[[], httpx.Response]] = [
            lambda: person.post("/g/traboulet/now"),
            lambda: person.post("/g/traboulet"),
            lambda: person.post("/take", data={"record": record}),
            lambda: person.post(f"/t/{table}/from", data={"at": "0"}),
            lambda: house.bot().post("/tables", json={"game": "traboulet"}),
        ]
        before = counted.tables.counts["127.0.0.1"]
        assert [way().status_code for way in ways] == [200, 200, 200, 200, 201]
        assert counted.tables.counts["127.0.0.1"] == before + len(ways)
        monkeypatch.setattr(counted.tables, "most", 0)
        answers = [way() for way in ways]
        assert [answer.status_code for answer in answers] == [429] * len(ways)
        assert all(answer.headers["retry-after"] for answer in answers)


def test_a_rematch_counts_as_a_table_that_is_opened(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(data, allowance=1) as house, house.person() as person:
        counted: Allowances = house.guard.app.state.allowances  # type: ignore[attr-defined]
        table = now(person, "traboulet")
        wait_for(person, table, "legal")
        assert do(person, table, t="resign", seat="0").status_code == 200
        before, most = counted.tables.counts["127.0.0.1"], counted.tables.most
        monkeypatch.setattr(counted.tables, "most", 0)
        assert do(person, table, t="rematch", seat="0").status_code == 429
        assert view(person, table)["next"] == ""
        monkeypatch.setattr(counted.tables, "most", most)
        assert do(person, table, t="rematch", seat="0").status_code == 200
        assert counted.tables.counts["127.0.0.1"] == before + 1


def do(person: httpx.Client, table: str, **fields: str) -> httpx.Response:
    """Send a command as a form."""
    return person.post(f"/t/{table}/do", data={**fields, "move_id": new_token()})


def test_a_carte_is_counted_whatever_its_address() -> None:
    async def count() -> list[bool]:
        counted = Allowances(1)
        return [await counted.change(f"192.0.2.{n % 200}", "holder x") for n in range(allowances.CHANGES_A_MINUTE + 1)]

    allowed = asyncio.run(count())
    assert all(allowed[:-1])
    assert not allowed[-1]


def test_nobody_changes_things_all_day_at_the_rate_of_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowances, "CHANGES_A_DAY", 1000)
    time = [0.0]

    async def count() -> int:
        counted = Allowances(1, lambda: time[0])
        allowed = 0
        for _ in range(100):
            time[0] += 30.0
            allowed += sum([await counted.change("192.0.2.1") for _ in range(50)])
        return allowed

    assert asyncio.run(count()) == 1000


def test_a_table_keeps_only_so_much_beside_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visit, "MOST_BESIDE", 12)
    company = Company().seated("Ana", "Ben")
    while company.table.seq - len(company.table.steps) < 12:
        company.do("Ana", Invite())
    with pytest.raises(Refused) as refused:
        company.do("Ana", Invite())
    assert refused.value.code == "limit"
    company.wander(1)
    assert company.table.phase == "over"


def test_an_ipv4_address_that_is_written_as_ipv6_counts_by_itself() -> None:
    assert sender({"client": ("::ffff:192.0.2.7", 1)}) == sender({"client": ("192.0.2.7", 1)}) == "192.0.2.7"
    assert sender({"client": ("::ffff:192.0.2.7", 1)}) != sender({"client": ("::ffff:192.0.2.8", 1)})
    assert sender({"client": ("fe80::1%eth0", 1)}) == "fe80::/64"


def test_a_name_stands_once_in_an_object(house: Serving) -> None:
    twice = '{"t":"play","seat":0,"seat":1,"tokens":["a1a2"]}'
    for read in (read_command, read_frame):
        with pytest.raises(Unreadable, match="twice"):
            read(twice)
    with pytest.raises(Unreadable, match="twice"):
        read_sit(b'{"seat":0,"seat":1}')
    with pytest.raises(ChainError):
        read_log('{"table":"a","table":"b"}')
    for kind in ({"content-type": "application/json"}, {"content-type": "text/plain"}, {}):
        answer = httpx.post(f"{house.base}/api/v1/tables", content=b'{"game":"tabu","game":"tablan"}', headers=kind)
        assert answer.status_code == 422
        assert "twice" in answer.json()["error"]["text"]


@pytest.mark.parametrize("name", ["\u3164", "\u2800", "\u034f", "\u115f\u1160", "\uffa0 \u3164", "\ufe0f", "\U000e0100", "\U0001d159", "\U00016fe4"])
def test_a_name_that_nobody_can_see_is_no_name(name: str) -> None:
    assert clean(name, 40) == ""
    assert clean(f"A{name}na", 40).replace(" ", "") == "Ana"


def test_the_house_does_not_answer_to_the_name_of_a_test_client(house: Serving) -> None:
    assert httpx.get(house.base, headers={"host": "testserver"}).status_code == 421


def test_strangers_do_not_fill_a_table(house: Serving) -> None:
    with house.bot() as opener, house.bot("M" * 43) as stranger:
        table = opener.post("/tables", json={"game": "tabu", "sitting": "open"}).json()["table"]
        for bot in (stranger, opener):
            answer = bot.post(f"/tables/{table}/commands", content=json.dumps({"t": "fill"}))
            assert answer.status_code == 403
        assert wait_for(stranger, table, "waiting")["seq"] == 0


def test_a_sign_of_life_is_answered_while_a_command_takes_its_time(data: Path) -> None:
    """And whoever sends on and on meanwhile is let go, before much is kept for him."""
    with serving(data) as house:
        table, bots = open_two(house, "traboulet")
        running = house.guard.app.state.house  # type: ignore[attr-defined]
        carry_out, release = running.carry_out, threading.Event()

        async def slow(*given: object) -> object:
            await asyncio.to_thread(release.wait, WAIT)
            return await carry_out(*given)

        running.carry_out = slow
        token = bots[0].headers["authorization"].removeprefix("Bearer ")
        try:
            with wire(house, table, tokens=[token]) as line, wire(house, table, tokens=[token]) as flood:
                line.say(t="invite", seat=None, move_id="i1")
                line.say(t="ping")
                assert line.hear("pong", "ok")["t"] == "pong"
                for number in range(socket_module.MOST_WAITING + 2):
                    flood.say(t="invite", seat=None, move_id=f"f{number}")
                assert flood.closing_code() == socket_module.FLOOD
                release.set()
                assert line.hear("ok", "no")["t"] == "ok"
        finally:
            release.set()
