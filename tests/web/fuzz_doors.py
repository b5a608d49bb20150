"""Send nonsense to every door of a house: `python -m tests.web.fuzz_doors --requests 100000 --frames 500000 [--fault trusting]`.

Requests and frames are bent from good ones, with the right token and without; some frames are not frames at all. Every request and
every frame must be answered, no answer may be a 5xx, whoever is refused must have changed nothing, no table of anybody else may
change, and the house must be ready afterwards. With `--fault` it does not check what it decodes (`trusting`, over sockets
`believing`), changes something although it refuses (`hasty`), does not answer (`mute`), or reads frames of any length (`boundless`).
"""

import argparse
import asyncio
import json
import logging
import re
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

import httpx
from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tablee.tables import commands
from tablee.tables.events import Event
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.tokens import HOST, Actor
from tablee.tables.values import Sitter
from tablee.web import socket, socket_messages
from tablee.web.connections import Connections
from tablee.web.guard import Guard
from tablee.web.house import House
from tablee.web.live import Live
from tests.web.chaos import open_table
from tests.web.fuzz_bender import Bender
from tests.web.fuzz_frames import KINDS, send_malformed
from tests.web.serving import WAIT, Serving, serving

ANSWER = re.compile(rb"HTTP/1\.1 (\d{3})")
TOGETHER = 8
MOST_WRONG = 100
# After so many bent frames comes one that is not a frame at all.
BROKEN_EVERY = 100
# The last frame of a batch, always refused: a ping would be answered before the commands that wait.
LAST_ID = "the-last-frame"
LAST = json.dumps({"t": "play", "seat": 0, "tokens": ["nowhere"], "move_id": LAST_ID})
READING = (b"GET", b"HEAD", b"OPTIONS")
ANSWER_SECONDS = WAIT
LONGEST_IDLE = 5.0
# Whoever opens a table before the first request of a connection may be slow here: that is no half-open request.
PATIENT = Connections(most=10_000, header_seconds=10 * WAIT)


@dataclass
class Count:
    """What a run has found."""

    requests: int = 0
    frames: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    malformed: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


class Ground:
    """A table that is fuzzed, without programs: what changes there was asked for by its sender."""

    def __init__(self, house: Serving, bender: Bender) -> None:
        """Know the house."""
        self.house, self.bender = house, bender
        self.table = self.token = ""

    @property
    def live(self) -> Table:
        """The table as the house has it in memory."""
        lives: dict[str, Live] = self.house.guard.app.state.house.lives  # type: ignore[attr-defined]
        return lives[self.table].table

    async def fresh(self) -> None:
        """Open a table, unless the one there still goes on between people."""
        if self.table and self.live.result is None and all(place.player != Sitter.PROGRAM for place in self.live.seats):
            return
        self.table, self.token = await asyncio.to_thread(open_table, self.house)
        self.bender.table = self.table


async def send_requests(house: Serving, count: Count, wanted: int, seed: int) -> None:
    """Send requests on one connection after the other, and read every answer; what is refused must have changed nothing."""
    ground = Ground(house, Bender(seed, ""))
    while wanted > 0:
        reader, writer = await asyncio.open_connection("127.0.0.1", house.port)
        try:
            while wanted > 0:
                idle = time.monotonic()
                await ground.fresh()
                if time.monotonic() - idle > LONGEST_IDLE:
                    break  # the house may close a kept connection that is idle
                request, before = ground.bender.request(ground.token), ground.live.hash
                writer.write(request)
                wanted -= 1
                count.requests += 1
                status, last = await read_answer(reader, request.startswith(b"HEAD"))
                count.statuses[status] += 1
                if status >= 500 and not (status == 503 and b" /livez" in request):  # that one says, rightly, that the machine is busy
                    count.wrong.append(f"{status}: {request[:300]!r}")
                if ground.live.hash != before and (status >= 400 or request.startswith(READING)):
                    count.wrong.append(f"{status}, and the table has changed: {request[:300]!r}")
                if last:
                    break
        except (OSError, EOFError) as error:  # a timeout is an OSError
            count.wrong.append(f"no answer ({error!r}): {request[:300]!r}")
            if len(count.wrong) > MOST_WRONG:
                return
        finally:
            writer.close()


async def read_answer(reader: asyncio.StreamReader, head: bool) -> tuple[int, bool]:
    """Return the status of an answer and whether it is the last one of its connection, and read it to its end."""
    async with asyncio.timeout(ANSWER_SECONDS):
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
    return status, status == 400 or b"\r\nconnection: close" in top.lower()  # what cannot be read as HTTP ends the connection


async def send_frames(house: Serving, count: Count, wanted: int, seed: int) -> None:
    """Send frames on one socket after the other, each of which is answered; what is refused must have changed nothing."""
    bender = Bender(seed, "")
    ground = Ground(house, bender)
    while wanted > 0 and len(count.wrong) <= MOST_WRONG:
        await ground.fresh()
        before, oks, answers = ground.live.hash, 0, 0
        batch = min(wanted, bender.random.choice((20, 200, 1000)))
        wanted -= batch
        count.frames += batch
        try:
            async with connect(f"ws://127.0.0.1:{house.port}/ws/{ground.table}", compression=None, open_timeout=WAIT, max_queue=None) as line:
                await line.send(json.dumps({"t": "hello", "seq": -1, "tokens": [ground.token] if bender.random.random() < 0.5 else []}))
                for _ in range(batch):
                    raw = bender.body()
                    await line.send(raw.decode(errors="replace") if bender.random.random() < 0.8 else raw)
                await line.send(LAST)
                async with asyncio.timeout(WAIT):
                    while (answer := json.loads(await line.recv())).get("move_id") != LAST_ID or answer["t"] not in ("ok", "no"):
                        oks += answer["t"] == "ok"
                        answers += answer["t"] in ("ok", "no")
        except (OSError, WebSocketException) as error:
            count.wrong.append(f"{ground.table}: after {answers} of {batch} answers the socket ended: {error!r}")
            continue
        if answers < batch:
            count.wrong.append(f"{ground.table}: {batch} frames, {answers} answers")
        if not oks and ground.live.hash != before:
            count.wrong.append(f"{ground.table}: nothing was granted, and the table has changed")
        await send_broken(house, count, ground, batch // BROKEN_EVERY)


async def send_broken(house: Serving, count: Count, ground: Ground, wanted: int) -> None:
    """Send frames that are none, each at a socket of its own; only fragments that make a whole may change something."""
    for _ in range(wanted):
        await ground.fresh()
        sent = ground.bender.random.choice(KINDS)(ground.bender.random)
        before = ground.live.hash
        count.malformed[sent.name] += 1
        if wrong := await send_malformed(house.port, ground.table, ground.token, sent, ANSWER_SECONDS):
            count.wrong.append(wrong)
        if sent.codes and ground.live.hash != before:
            count.wrong.append(f"{sent.name}: it was done")


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


# The planted faults.


def trusting(body: bytes) -> commands.Command:
    """Decode a command as if nobody sent another one."""
    try:
        return commands.read_command(body)
    except commands.Unreadable as error:
        raise ValueError(str(error)) from error


def believing(frame: bytes) -> object:
    """Decode a frame as if nobody sent another one."""
    try:
        return socket_messages.read_frame(frame)
    except commands.Unreadable as error:
        raise ValueError(str(error)) from error


usual_do, usual_http = House.do, Guard.http


async def hasty(house: House, live: Live, command: commands.Command, actor: Actor) -> list[Event]:
    """Refuse, and change something all the same."""
    try:
        return await usual_do(house, live, command, actor)
    except Refused:
        await usual_do(house, live, commands.Expire(), HOST)
        raise


async def mute(guard: Guard, scope: Scope, receive: Receive, send: Send) -> None:
    """Never answer whoever asks for a method that is not there."""
    if scope["method"] == "PATCH":
        await asyncio.sleep(3600)
    await usual_http(guard, scope, receive, send)


FAULTS: dict[str, tuple[str, object]] = {
    "": ("tablee.web.api.read_command", commands.read_command),
    "trusting": ("tablee.web.api.read_command", trusting),
    "believing": ("tablee.web.socket.read_frame", believing),
    "hasty": ("tablee.web.house.House.do", hasty),
    "mute": ("tablee.web.guard.Guard.http", mute),
    "boundless": ("tablee.web.serve.FRAME_LIMIT", 2**24),
}


def main() -> None:
    """Run and say what was found; exit status 1 if anything is wrong."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--requests", type=int, default=100_000)
    words.add_argument("--frames", type=int, default=500_000)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--fault", choices=list(FAULTS), default="")
    chosen = words.parse_args()
    logging.getLogger("tablee").setLevel(logging.CRITICAL)
    limits = [mock.patch.object(socket, name, 10**9) for name in ("MOST_BAD", "BURST", "MOST_REPLIES", "MOST_WAITING")]
    with tempfile.TemporaryDirectory() as folder, limits[0], limits[1], limits[2], limits[3]:
        if chosen.fault == "mute":
            globals()["ANSWER_SECONDS"] = 3.0
        with mock.patch(*FAULTS[chosen.fault]), serving(Path(folder), PATIENT, allowance=100_000) as house:
            count = asyncio.run(storm(house, chosen.requests, chosen.frames, chosen.seed))
    statuses = ", ".join(f"{status}: {n}" for status, n in sorted(count.statuses.items()))
    print(
        f"{count.requests} requests, {count.frames} frames, {count.malformed.total()} broken frames of {len(count.malformed)} kinds, "
        f"{len(count.wrong)} wrong; answers {statuses}"
    )
    for line in count.wrong[:20]:
        print(line)
    raise SystemExit(1 if count.wrong else 0)


if __name__ == "__main__":
    main()
