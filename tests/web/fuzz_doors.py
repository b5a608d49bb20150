"""Send nonsense to every door of a house: `python -m tests.web.fuzz_doors --requests 100000 --frames 500000 [--fault trusting]`.

Requests and frames are bent from good ones, with the right token and without. No answer may be a 5xx, whoever is refused must have
changed nothing, no table of anybody else may change, and the house must be ready afterwards. With `--fault trusting` the house does
not check what it decodes: that must be found.
"""

import argparse
import asyncio
import json
import logging
import re
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock
from urllib.parse import quote

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tablee.tables import commands
from tablee.web import socket, socket_messages
from tests.web.chaos import open_table
from tests.web.serving import WAIT, Serving, serving

ODD = "0123456789 /-+.:;=!#*>%&?\t\0\x1c\u2028²٣é\U0001f3b2_,|()[]{}'\"\\<script>"
NUMBERS = (-1, 0, 1, 2, 7, 99, 2**31, 2**53, 2**63, -(2**70), 1.5, 1e308)
VALUES: tuple[Any, ...] = (None, True, "", "x" * 3000, "\u202eabc", [], {}, [[]], {"t": "play"}, "a7b7", "level-3", *NUMBERS)
ROUTES = (
    "/",
    "/settings",
    "/me",
    "/me/carry",
    "/me/export",
    "/me/delete",
    "/verify",
    "/docs",
    "/docs/bots",
    "/livez",
    "/readyz",
    "/metrics",
    "/static/table.js",
    "/first/tablan",
    "/g/traboulet",
    "/g/traboulet/now",
    "/g/tablan/from",
    "/r/tabu",
    "/r/tabu/essentials",
    "/picture/tabu.svg",
    "/play/tabale",
    "/api/v1/games",
    "/api/v1/tables",
    "/api/v1/openapi.json",
    "/t/TABLE",
    "/t/TABLE/do",
    "/t/TABLE/why",
    "/t/TABLE/harder",
    "/t/TABLE/advice",
    "/t/TABLE/record",
    "/t/TABLE/replay",
    "/t/TABLE/join/KEY",
    "/me/carry/KEY",
    "/api/v1/tables/TABLE/seats",
    "/api/v1/tables/TABLE/commands",
    "/api/v1/tables/TABLE/state",
    "/verify?table=TABLE",
)
TYPES = (
    "application/json",
    "application/x-www-form-urlencoded",
    "text/plain",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-7",
    "",
)
ANSWER = re.compile(rb"HTTP/1\.1 (\d{3})")
TOGETHER = 8


@dataclass
class Count:
    """What a run has found."""

    requests: int = 0
    frames: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


class Bender:
    """Makes nonsense from good requests."""

    def __init__(self, seed: int, table: str) -> None:
        """Begin with a seed; `table` is where the good ones would go."""
        self.random, self.table = Random(seed), table

    def command(self) -> dict[str, Any]:
        """Return a command of the union, with plausible fields."""
        kind = self.random.choice(list(commands.TAGS))
        fields: dict[str, Any] = {"t": kind, "seat": self.random.choice((0, 1)), "move_id": f"{self.random.getrandbits(64):x}"}
        more = {"tokens": ["a7b7"], "seq": 3, "contribution": "ab" * 16, "name": "Ana", "level": "1", "what": "draw", "yes": True, "phrase": "hello"}
        return fields | {name: value for name, value in more.items() if self.random.random() < 0.4}

    def body(self) -> bytes:
        """Return a command, or something that was one."""
        fields = self.command()
        for _ in range(self.random.randrange(4)):
            name = self.random.choice([*fields, "x", "t", "seats", "game", "options"])
            if self.random.random() < 0.3:
                fields.pop(name, None)
            else:
                fields[name] = self.random.choice(VALUES)
        text = json.dumps(fields)
        if self.random.random() < 0.3:
            text = self.bent(text)
        if self.random.random() < 0.02:
            text = "[" * 5000
        raw = text.encode(errors="replace")
        return raw[: self.random.randrange(len(raw) + 1)] + b"\xff\xfe" if self.random.random() < 0.05 else raw

    def bent(self, text: str) -> str:
        """Return a text with a few letters changed."""
        for _ in range(self.random.randrange(1, 4)):
            at = self.random.randrange(len(text) + 1)
            text = text[:at] + self.random.choice(ODD) + text[at + self.random.randrange(3) :]
        return text

    def form(self) -> bytes:
        """Return a form, good or bad."""
        fields = self.command()
        return "&".join(f"{name}={quote(str(value))}" for name, value in fields.items()).encode()

    def request(self, token: str) -> bytes:
        """Return a request as bytes, for a connection that is kept."""
        path = self.random.choice(ROUTES).replace("TABLE", self.random.choice((self.table, self.table, "x" * 16, "%00"))).replace("KEY", "k" * 43)
        if self.random.random() < 0.3:
            path = "/" + quote(self.bent(path[1:]), safe="/?=&%#")
        method = self.random.choice(("GET", "GET", "POST", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"))
        kind = self.random.choice(TYPES)
        body = b"" if method == "GET" else self.random.choice((self.body, self.body, self.form, lambda: b""))()
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}", *self.headers(token)]
        if kind:
            lines.append(f"Content-Type: {kind}")
        return "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n" + body

    def headers(self, token: str) -> list[str]:
        """Return some headers, true or not."""
        shown = [f"Authorization: Bearer {token if self.random.random() < 0.7 else 'x' * 43}"] if self.random.random() < 0.8 else []
        if self.random.random() < 0.8:
            shown.append("Origin: http://127.0.0.1")
        offered = {
            "Origin": self.random.choice(("http://127.0.0.1", "null", "https://evil.example")),
            "Cookie": self.random.choice(("carte=" + "c" * 43, "carte=", "language=xx; theme=\x7f", "a" * 500)),
            "Accept-Language": self.random.choice(("fr", "xx;q=9", "," * 300)),
            "Range": "bytes=0-1,5-2",
            "Last-Event-ID": self.random.choice(("-1", "9" * 30, "x")),
            "Sec-Fetch-Site": self.random.choice(("same-origin", "cross-site")),
        }
        return shown + [f"{name}: {value}" for name, value in offered.items() if self.random.random() < 0.08]


async def send_requests(house: Serving, count: Count, wanted: int, seed: int) -> None:
    """Send requests on one connection after the other, and read every answer."""
    table, token = await asyncio.to_thread(open_table, house)
    bender = Bender(seed, table)
    while wanted > 0:
        with suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
            try:
                while wanted > 0:
                    request = bender.request(token)
                    writer.write(request)
                    wanted -= 1
                    count.requests += 1
                    status = await read_answer(reader, request.startswith(b"HEAD"))
                    count.statuses[status] += 1
                    if status >= 500 and not (status == 503 and b" /livez" in request):  # that one says, rightly, that the machine is busy
                        count.wrong.append(f"{status}: {request[:300]!r}")
                    if status == 400:
                        break  # what cannot be read as HTTP ends the connection
            finally:
                writer.close()


async def read_answer(reader: asyncio.StreamReader, head: bool) -> int:
    """Return the status of an answer, and read it to its end."""
    async with asyncio.timeout(WAIT):
        top = await reader.readuntil(b"\r\n\r\n")
        found = ANSWER.match(top)
        status = int(found[1]) if found else 599
        length = re.search(rb"(?i)\r\ncontent-length: (\d+)", top)
        if length and not head:
            await reader.readexactly(int(length[1]))
        elif b"chunked" in top.lower() and not head:
            while (size := int(await reader.readline(), 16)) or not await reader.readline():
                await reader.readexactly(size + 2)
                if not size:
                    break
    return status


async def send_frames(house: Serving, count: Count, wanted: int, seed: int) -> None:
    """Send frames on one socket after the other; what is refused must have changed nothing."""
    table, token = await asyncio.to_thread(open_table, house)
    bender = Bender(seed, table)
    async with httpx.AsyncClient(base_url=f"{house.base}/api/v1", timeout=WAIT, headers={"authorization": f"Bearer {token}"}) as client:
        while wanted > 0:
            seq, oks = await seq_of(client, table), 0
            with suppress(OSError, WebSocketException):
                async with connect(f"ws://127.0.0.1:{house.port}/ws/{table}", compression=None, open_timeout=WAIT, max_queue=None) as line:
                    await line.send(json.dumps({"t": "hello", "seq": -1, "tokens": [token] if bender.random.random() < 0.5 else []}))
                    batch = min(wanted, bender.random.choice((20, 200, 1000)))
                    for _ in range(batch):
                        raw = bender.body()
                        await line.send(raw.decode(errors="replace") if bender.random.random() < 0.8 else raw)
                        wanted -= 1
                        count.frames += 1
                    await line.send('{"t":"ping"}')
                    while (answer := json.loads(await line.recv()))["t"] != "pong":
                        oks += answer["t"] == "ok"
            if not oks and await seq_of(client, table) != seq:
                count.wrong.append(f"{table}: nothing was granted, and it went from {seq} to {await seq_of(client, table)}")
            state = await client.get(f"/tables/{table}/state?since=1000000")
            if state.json()["view"]["phase"] == "over":
                table, token = await asyncio.to_thread(open_table, house)
                client.headers["authorization"] = f"Bearer {token}"
                bender.table = table


async def seq_of(client: httpx.AsyncClient, table: str) -> int:
    """Return how far a table is."""
    return int((await client.get(f"/tables/{table}/state?since=1000000")).json()["view"]["seq"])


async def storm(house: Serving, requests: int, frames: int, seed: int) -> Count:
    """Send everything, and see that what nobody may touch is untouched."""
    count = Count()
    kept, token = await asyncio.to_thread(open_table, house)
    async with httpx.AsyncClient(base_url=f"{house.base}/api/v1", timeout=WAIT, headers={"authorization": f"Bearer {token}"}) as client:
        before = (await client.get(f"/tables/{kept}/state")).json()["events"]
        senders = [send_requests(house, count, requests // TOGETHER, seed + number) for number in range(TOGETHER)]
        senders += [send_frames(house, count, frames // TOGETHER, seed + 100 + number) for number in range(TOGETHER)]
        await asyncio.gather(*senders)
        if (await client.get(f"/tables/{kept}/state")).json()["events"] != before:
            count.wrong.append("the table of somebody else has changed")
        ready = await client.get(f"{house.base}/readyz")
        metrics = (await client.get(f"{house.base}/metrics")).text
    if ready.status_code != 200:
        count.wrong.append(f"not ready afterwards: {ready.text}")
    count.wrong += [line for line in metrics.splitlines() if re.match(r'tablee_(failures_total|requests_total\{.*status="500")', line)]
    return count


def trusting(body: bytes) -> commands.Command:
    """Decode a command as if nobody sent another one (the planted fault)."""
    try:
        return commands.read_command(body)
    except commands.Unreadable as error:
        raise ValueError(str(error)) from error


def main() -> None:
    """Run and say what was found; exit status 1 if anything is wrong."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--requests", type=int, default=100_000)
    words.add_argument("--frames", type=int, default=500_000)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--fault", choices=["", "trusting"], default="")
    chosen = words.parse_args()
    logging.getLogger("tablee").setLevel(logging.CRITICAL)
    limits = [mock.patch.object(socket, name, 10**9) for name in ("MOST_BAD", "BURST", "MOST_REPLIES")]
    with tempfile.TemporaryDirectory() as folder, limits[0], limits[1], limits[2]:
        fault = mock.patch("tablee.web.api.read_command", trusting) if chosen.fault else mock.patch.object(socket_messages, "__doc__", "")
        with fault, serving(Path(folder), allowance=100_000) as house:
            count = asyncio.run(storm(house, chosen.requests, chosen.frames, chosen.seed))
    statuses = ", ".join(f"{status}: {n}" for status, n in sorted(count.statuses.items()))
    print(f"{count.requests} requests, {count.frames} frames, {len(count.wrong)} wrong; answers {statuses}")
    for line in count.wrong[:20]:
        print(line)
    raise SystemExit(1 if count.wrong else 0)


if __name__ == "__main__":
    main()
