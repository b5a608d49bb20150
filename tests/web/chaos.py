"""Play through a proxy that cuts, delays and doubles: `python -m tests.web.chaos --reconnects 2000 [--fault deaf]`.

Clients behave like `static/line.js`: they come back after 100 to 300 ms, then ever later, and send again what was not answered; some
send everything twice. Every confirmed action must be in the log once, and after the storm every client must see what the house shows
to somebody new. `--most SECONDS` is how long anybody may be without a view after a cut. With `--fault deaf` the house stops telling.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock
from uuid import uuid4

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tablee.tables import commands
from tablee.tables.door import Outcome, handle
from tablee.tables.kept_events import MARK_BYTES, NO_MARK
from tablee.tables.table import Table
from tablee.tables.tokens import Actor
from tablee.tables.view_applied import Follower
from tablee.web.socket import Connection
from tests.web.chaos_proxy import ChaosProxy, Spoiled
from tests.web.serving import WAIT, Serving, serving

WAITS = (0.5, 1.0, 2.0, 4.0, 8.0)
CALM_SECONDS = WAIT


@dataclass
class Count:
    """What a run has found."""

    back: list[float] = field(default_factory=list)
    confirmed: int = 0
    resent: int = 0
    wrong: list[str] = field(default_factory=list)
    spoiled: Spoiled = field(default_factory=Spoiled)


class Page:
    """One player with both seats of a table, as a page would play."""

    def __init__(self, port: int, table: str, token: str, count: Count, seed: int) -> None:
        """Know the way."""
        self.url, self.table, self.token, self.count = f"ws://127.0.0.1:{port}/ws/{table}", table, token, count
        self.random = Random(seed)
        self.twice = seed % 3 == 0
        self.follower = Follower()
        self.pending: dict[str, Any] | None = None
        self.confirmed: dict[str, tuple[int, str]] = {}
        self.quiet = False

    @property
    def view(self) -> dict[str, Any]:
        """What the page shows, or nothing."""
        shown: dict[str, Any] = json.loads(msgspec.json.encode(self.follower.view)) if self.follower.view else {}
        return shown

    async def run(self) -> None:
        """Keep the line, however often it is cut."""
        tries, cut = 0, 0.0
        while True:
            began = time.monotonic()
            with suppress(OSError, WebSocketException, TimeoutError):
                async with connect(self.url, compression=None, open_timeout=WAIT, close_timeout=0) as line:
                    await line.send(json.dumps({"t": "hello", "seq": -1, "tokens": [self.token]}))
                    await self.take(line, await line.recv())
                    if cut:
                        self.count.back.append(time.monotonic() - cut)
                    tries = 0
                    await self.talk(line)
            self.follower.view = None
            cut = cut if tries else max(began, time.monotonic())
            await asyncio.sleep(self.random.uniform(0.1, 0.3) if not tries else WAITS[min(tries, len(WAITS)) - 1] * self.random.uniform(0.75, 1.25))
            tries += 1

    async def talk(self, line: ClientConnection) -> None:
        """Send again what was not answered, then play and listen."""
        if self.pending:
            self.count.resent += 1
            await self.put(line, self.pending)
        while True:
            if self.follower.view is not None and self.pending is None and not self.quiet:
                await self.play(line)
            await self.take(line, await line.recv())

    async def play(self, line: ClientConnection) -> None:
        """Play something legal."""
        shown = self.view
        if not shown["legal"]:
            return
        action = self.random.choice(shown["legal"])
        self.pending = {"t": "play", "seat": action["seat"], "tokens": [action["token"]], "seq": shown["seq"], "move_id": uuid4().hex}
        await self.put(line, self.pending)

    async def put(self, line: ClientConnection, message: dict[str, Any]) -> None:
        """Send a message; some pages send everything twice."""
        for _ in range(2 if self.twice else 1):
            await line.send(json.dumps(message))

    async def take(self, line: ClientConnection, frame: str | bytes) -> None:
        """Take in a frame; ask for a whole view if a change does not follow from what is known."""
        message = json.loads(frame)
        if message["t"] in ("view", "change"):
            before = self.follower.view
            if self.follower.take(frame) is None:
                await line.send('{"t":"hello","seq":-1}')
            elif before is not None and self.follower.view is not None and self.follower.view.seq < before.seq:
                self.count.wrong.append(f"{self.table}: a view went back from {before.seq} to {self.follower.view.seq}")
        elif self.pending and message.get("move_id") == self.pending["move_id"]:
            if message["t"] == "ok":
                self.count.confirmed += 1
                self.confirmed[self.pending["move_id"]] = (message["seq"], message["hash"])
            elif message["code"] not in ("stale", "turn", "phase"):
                self.count.wrong.append(f"{self.table}: {message}")
            self.pending = None


def open_table(house: Serving) -> tuple[str, str]:
    """Open a table whose opener holds both seats."""
    made = house.bot().post("/tables", json={"game": "traboulet", "sitting": "open"}).json()
    for seat in range(2):
        body = {"t": "sit", "seat": seat, "contribution": "ab" * 16}
        house.bot(made["token"]).post(f"/tables/{made['table']}/commands", json=body).raise_for_status()
    return made["table"], made["token"]


async def storm(house: Serving, clients: int, reconnects: int, seed: int) -> Count:
    """Play until so many have come back, then let it be calm, and compare."""
    count = Count()
    tables = await asyncio.to_thread(lambda: [open_table(house) for _ in range(clients)])
    async with ChaosProxy(house.port, seed) as proxy:
        pages = [Page(proxy.port, table, token, count, number) for number, (table, token) in enumerate(tables)]
        tasks = [asyncio.ensure_future(page.run()) for page in pages]
        with suppress(TimeoutError):
            async with asyncio.timeout(10 * WAIT + reconnects):
                while len(count.back) < reconnects and not any(task.done() for task in tasks):
                    await asyncio.sleep(0.05)
        proxy.spoils = False
        count.spoiled = proxy.done
        await asyncio.gather(*(one_more(page) for page in pages))
        count.wrong += [f"{page.table}: not settled after the storm" for page in pages if not await settled(house, page)]
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        count.wrong += [repr(error) for error in ended if not isinstance(error, asyncio.CancelledError)]
    async with httpx.AsyncClient(base_url=house.base, timeout=WAIT) as client:
        for page in pages:
            events = (await client.get(f"/api/v1/tables/{page.table}/state")).json()["events"]
            count.wrong += judge(page, events)
    return count


async def one_more(page: Page) -> None:
    """Let a page play once more in the calm, unless its game is over, and then no more."""
    known, until = len(page.confirmed), time.monotonic() + CALM_SECONDS
    while len(page.confirmed) == known and page.view.get("phase") != "over" and time.monotonic() < until:
        await asyncio.sleep(0.05)
    page.quiet = True


async def settled(house: Serving, page: Page) -> bool:
    """Wait until a page has its answer and shows what somebody new would see."""
    headers = {"authorization": f"Bearer {page.token}"}
    async with httpx.AsyncClient(base_url=house.base, timeout=WAIT, headers=headers) as client:
        until = time.monotonic() + CALM_SECONDS
        while time.monotonic() < until:
            fresh = (await client.get(f"/api/v1/tables/{page.table}/state?since=1000000")).json()["view"]
            if page.pending is None and page.view and comparable(page.view) == comparable(fresh):
                return True
            if page.quiet and house.guard.app.state.house.closing:  # type: ignore[attr-defined]
                return False
            await asyncio.sleep(0.05)
    return False


def comparable(view: dict[str, Any]) -> dict[str, Any]:
    """Return what must be equal in two views: the game, not how many watch or which piece was met first."""
    return {name: view[name] for name in ("seq", "phase", "legal", "node", "record")}


def judge(page: Page, events: list[dict[str, Any]]) -> list[str]:
    """Return what is wrong with the log of a page's table."""
    ids = Counter(event["move_id"] for event in events if event["move_id"])
    wrong = [f"{page.table}: {move_id} is there {n} times" for move_id, n in ids.items() if n > 1]
    for move_id, (seq, digest) in page.confirmed.items():
        if len(events) <= seq or (events[seq]["hash"], events[seq]["move_id"]) != (digest, move_id):
            wrong.append(f"{page.table}: the confirmed action {move_id} is not there")
    return wrong


# The planted faults.


def deaf(connection: Connection) -> None:
    """Tell how the table stands at the beginning, and then nothing."""
    if connection.listener.seq < 0:
        connection.stale = True
        connection.wake()


def twice(table: Table, command: commands.Command, actor: Actor, now: float) -> Outcome:
    """Do something again for a request that is sent again."""
    known = table.events.answer(command.move_id) if command.move_id else None
    if known:
        table = table.fork()
        table.events.marks[MARK_BYTES * known.seq : MARK_BYTES * (known.seq + 1)] = NO_MARK
        command = commands.Invite(move_id=command.move_id)
    return handle(table, command, actor, now)


usual_answer = Connection.answer


async def lossy(connection: Connection, command: commands.Command) -> dict[str, object]:
    """Confirm every tenth action and forget it."""
    if isinstance(command, commands.Play) and connection.live.table.seq % 10 == 9:
        return {"t": "ok", "move_id": command.move_id, "seq": connection.live.table.seq + 1, "hash": "00" * 32}
    return await usual_answer(connection, command)


FAULTS: dict[str, tuple[str, object]] = {
    "": ("tablee.web.house.handle", handle),
    "deaf": ("tablee.web.socket.Connection.changed", deaf),
    "twice": ("tablee.web.house.handle", twice),
    "lossy": ("tablee.web.socket.Connection.answer", lossy),
}


def main() -> None:
    """Run and say what was found; exit status 1 if anything is wrong."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--reconnects", type=int, default=2000)
    words.add_argument("--clients", type=int, default=24)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--most", type=float, default=0.0, help="all must be back after so many seconds; 0: however long")
    words.add_argument("--fault", choices=list(FAULTS), default="")
    chosen = words.parse_args()
    with tempfile.TemporaryDirectory() as folder, mock.patch(*FAULTS[chosen.fault]):
        if chosen.fault:
            globals()["CALM_SECONDS"] = 3.0
        with serving(Path(folder), allowance=10_000) as house:
            count = asyncio.run(storm(house, chosen.clients, chosen.reconnects, chosen.seed))
    back = sorted(count.back) or [0.0]
    slow = back[len(back) * 99 // 100]
    wrong = list(count.wrong)
    if chosen.most and back[-1] > chosen.most:
        wrong.append(f"{sum(one > chosen.most for one in back)} of {len(back)} came back after more than {chosen.most:g} s")
    if len(count.back) < chosen.reconnects:
        wrong.append(f"{len(count.back)} reconnects were made, {chosen.reconnects} were wanted")
    print(
        f"{len(count.back)} reconnects, back after {back[len(back) // 2]:.2f} s (99 of 100: {slow:.2f} s, all: {back[-1]:.2f} s), "
        f"{count.spoiled.stalled} stalled, {count.spoiled.doubled} doubled, "
        f"{count.confirmed} confirmed, {count.resent} sent again, {len(wrong)} wrong"
    )
    for line in wrong[:20]:
        print(line)
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
