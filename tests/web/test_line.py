"""A connection over any line: over the plain messages of an ASGI server, over one that is full, and the bytes before a message."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from tablee.store.sqlite import SqliteLog
from tablee.tables.opening import open_table
from tablee.tables.terms import Terms
from tablee.tables.tokens import new_token
from tablee.web.allowances import Unlimited
from tablee.web.app import make_app
from tablee.web.engine_pool import EnginePool
from tablee.web.guard import Guard
from tablee.web.house import House
from tablee.web.live import Live
from tablee.web.metrics import Metrics
from tablee.web.settings import Settings
from tablee.web.socket import BURST, MOST_REPLIES, TOO_SLOW, Connection, Sockets
from tablee.web.socket_protocol import text_head
from tablee.web.table_view import Listener
from tests.web.serving import WAIT
from tests.web.test_house import first_token, two_at_a_table


class Plain:
    """One end of a socket of a server that hands nothing over."""

    def __init__(self, guard: Guard, path: str) -> None:
        """Connect."""
        self.said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        scope = {
            "type": "websocket",
            "path": path,
            "scheme": "ws",
            "headers": [(b"host", b"localhost")],
            "client": ("127.0.0.1", 1),
            "query_string": b"",
        }
        self.say("websocket.connect")
        self.task = asyncio.ensure_future(guard(scope, self.said.get, self.hear))

    async def hear(self, message: Any) -> None:
        """Take what the application sends."""
        self.told.put_nowait(message)

    def say(self, kind: str, **fields: Any) -> None:
        """Send a message of the protocol."""
        self.said.put_nowait({"type": kind, **fields})

    async def next(self) -> dict[str, Any]:
        """Return what the application sends next."""
        return await asyncio.wait_for(self.told.get(), WAIT)


async def a_conversation(data: Path) -> list[Any]:
    """Greet, ask for a sign of life, send nonsense and go; return what was told."""
    guard = make_app(Settings(data=data))
    application: Any = guard.app
    async with application.router.lifespan_context(application):
        house = application.state.house
        live = await house.open(open_table(Terms("traboulet"), new_token()), [])
        plain = Plain(guard, f"/ws/{live.table.id}")
        assert (await plain.next())["type"] == "websocket.accept"
        told = []
        for text in ('{"t":"hello"}', '{"t":"ping"}', "nonsense"):
            plain.say("websocket.receive", text=text)
            told.append(json.loads((await plain.next())["text"]))
        assert live.listeners
        plain.say("websocket.disconnect", code=1000)
        await asyncio.wait_for(plain.task, WAIT)
        assert not live.listeners
        absent = Plain(guard, "/ws/" + "A" * 16)
        told += [(await absent.next())["type"], (await absent.next())["code"]]
        return told


def test_a_connection_works_over_any_server(data: Path) -> None:
    view, pong, no, accepted, closed = asyncio.run(a_conversation(data))
    assert (view["t"], view["view"]["game"], pong, no["code"]) == ("view", "traboulet", {"t": "pong"}, "unreadable")
    assert (accepted, closed) == ("websocket.accept", 4404)


@pytest.mark.parametrize("length", [0, 1, 125, 126, 65535, 65536, 70000])
def test_a_message_stands_on_the_line_as_the_library_writes_it(length: int) -> None:
    message = b"x" * length
    assert text_head(length) + message == Frame(Opcode.TEXT, message).serialize(mask=False, extensions=[])


class Kept:
    """A line that keeps what is written on it."""

    def __init__(self) -> None:
        """Begin free."""
        self.loop = asyncio.get_running_loop()
        self.full = False
        self.written: list[list[dict[str, Any]]] = []
        self.codes: list[int] = []

    def write(self, messages: list[bytes]) -> None:
        """Keep what is written together."""
        self.written.append([json.loads(message) for message in messages])

    def close(self, code: int) -> None:
        """Keep why it was closed."""
        self.codes.append(code)

    def hang_up(self) -> None:
        """Keep that it was closed."""
        self.codes.append(0)


async def at_a_line(data: Path, talk: Callable[[Connection, Kept, Live], Awaitable[None]]) -> Kept:
    """Let somebody who holds both seats talk over a line, and return it."""
    data.mkdir()
    store, metrics = SqliteLog(data / "x.sqlite"), Metrics()
    house = House(store, EnginePool(1, 0.1, metrics), metrics)
    live, actor = await two_at_a_table(house)
    line = Kept()
    connection = Connection(Sockets(house, Unlimited()), live, line, Listener(actor, "fr"), ("127.0.0.1", ""))
    connection.heard(b'{"t":"hello"}')
    await talk(connection, line, live)
    connection.gone()
    assert not live.listeners
    await house.close()
    await store.close()
    return line


def move(live: Live, move_id: str) -> bytes:
    """Return a message that plays the first legal action."""
    seat = live.table.asked[0]
    return json.dumps({"t": "play", "move_id": move_id, "seat": seat, "tokens": [first_token(live)]}).encode()


async def until(true: Callable[[], bool]) -> None:
    """Wait until something is true."""
    async with asyncio.timeout(WAIT):
        while not true():
            await asyncio.sleep(0.001)


def answered(connection: Connection, number: int) -> bool:
    """Return whether so many messages have been answered."""
    return len(connection.replies) == number and not connection.busy


def written(line: Kept) -> list[str]:
    """Return the kinds of all messages that were written."""
    return [message["t"] for together in line.written for message in together]


def test_the_answer_goes_out_together_with_what_follows_from_it(data: Path) -> None:
    async def talk(connection: Connection, line: Kept, live: Live) -> None:
        await until(lambda: len(line.written) == 1)
        connection.heard(move(live, "one"))
        await until(lambda: len(line.written) == 2)
        assert [message["t"] for message in line.written[-1]] == ["ok", "change"]

    assert len(asyncio.run(at_a_line(data, talk)).written) == 2


def test_a_message_waits_until_the_one_before_is_answered(data: Path) -> None:
    async def talk(connection: Connection, line: Kept, live: Live) -> None:
        await until(lambda: len(line.written) == 1)
        connection.heard(move(live, "one"))
        connection.heard(b'{"t":"nonsense"}')
        await until(lambda: "no" in written(line) and "change" in written(line))

    assert written(asyncio.run(at_a_line(data, talk))) == ["view", "ok", "no", "change"]


def test_who_reads_slowly_is_sent_the_sum_of_what_was_missed(data: Path) -> None:
    async def talk(connection: Connection, line: Kept, live: Live) -> None:
        await until(lambda: len(line.written) == 1)
        line.full = True
        seq = live.table.seq
        for number in (1, 2, 3):
            connection.heard(move(live, f"move-{number}"))
            await until(partial(answered, connection, number))
        assert len(line.written) == 1
        line.full = False
        connection.drained()
        await until(lambda: len(line.written) > 1)
        answers, told = line.written[-1][:-1], line.written[-1][-1]
        assert [answer["move_id"] for answer in answers] == ["move-1", "move-2", "move-3"]
        assert told.get("to", told.get("view", {}).get("seq")) == seq + 3

    assert len(asyncio.run(at_a_line(data, talk)).written) == 2


def test_who_asks_for_much_and_reads_nothing_is_let_go(data: Path) -> None:
    async def talk(connection: Connection, line: Kept, live: Live) -> None:
        line.full = True
        for _ in range(MOST_REPLIES + 1):
            connection.allowance = BURST
            connection.heard(b'{"t":"ping"}')

    assert asyncio.run(at_a_line(data, talk)).codes == [TOO_SLOW]
