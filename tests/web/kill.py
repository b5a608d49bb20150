"""Kill the server again and again while bots play: `python -m tests.web.kill --kills 20 --tables 40 [--fault early]`.

Every confirmed action must be in the log, once; what anybody has seen must be the beginning of the log as it ends; the dice must be
those that were sealed; and after each start play goes on by itself, also at tables where only computer players sit. With `--fault early`
the server tells what happened before it writes: that must be found.
"""

import argparse
import asyncio
import random
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import httpx

from tablee import catalog
from tablee.store.sqlite import SqliteLog
from tablee.tables.dice import bound_dice, drawn, unhex
from tablee.tables.events import Event, verify
from tablee.tables.tokens import new_token
from tests.web.serving import HOUSE, WAIT, Process

RETRY = (httpx.TransportError, httpx.TimeoutException)


@dataclass
class Table:
    """A table as its bots know it: what was confirmed to them, and what they have seen."""

    id: str
    tokens: list[str]
    programs: bool
    confirmed: dict[str, tuple[int, str, str]] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)


@dataclass
class Count:
    """What a run has done."""

    kills: int = 0
    confirmed: int = 0
    resent: int = 0
    tables: list[Table] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


class Storm:
    """Bots at many tables, and somebody who kills the server."""

    def __init__(self, data: Path, tables: int, kills: int, seed: int, between: tuple[int, int] = (40, 200), house: tuple[str, ...] = HOUSE) -> None:
        """Start the server."""
        self.house = house
        self.data, self.tables, self.kills, self.between = data, tables, kills, between
        self.random = random.Random(seed)
        self.process = Process(data, house=house)
        self.process.ready()
        self.port = self.process.port
        self.base = f"{self.process.base}/api/v1"
        self.count = Count()
        self.over = False

    async def run(self) -> Count:
        """Play, kill, start again; then look at the whole log."""
        async with httpx.AsyncClient(timeout=WAIT, limits=httpx.Limits(max_connections=100)) as client:
            players = [asyncio.ensure_future(self.play(client, number)) for number in range(self.tables)]
            for _ in range(self.kills):
                await self.more(self.random.randint(*self.between))
                await asyncio.sleep(self.random.uniform(0, 0.1))
                await asyncio.to_thread(self.strike)
            await self.more(self.between[0])
            self.over = True
            await asyncio.gather(*players)
            await self.goes_on(client)
        self.process.kill()
        await self.judge()
        return self.count

    async def more(self, actions: int) -> None:
        """Wait until so many more actions are confirmed."""
        wanted = self.count.confirmed + actions
        async with asyncio.timeout(10 * WAIT):
            while self.count.confirmed < wanted:
                await asyncio.sleep(0.005)

    def strike(self) -> None:
        """Kill the server without a word, and start it again."""
        self.process.kill()
        self.count.kills += 1
        self.process = Process(self.data, self.port, house=self.house)
        self.process.ready()

    async def send(self, client: httpx.AsyncClient, method: str, path: str, token: str, body: object = None) -> httpx.Response:
        """Send a request until there is an answer; the same body each time."""
        while True:
            try:
                answer = await client.request(method, f"{self.base}{path}", json=body, headers={"authorization": f"Bearer {token}"} if token else {})
                if answer.status_code < 500:
                    return answer
            except RETRY:
                pass
            self.count.resent += method == "POST"
            await asyncio.sleep(0.1)

    async def play(self, client: httpx.AsyncClient, number: int) -> None:
        """Play one game after the other at one table after the other; at some, a program of the house holds the other seat."""
        game = 0
        while not self.over:
            slug = catalog.OURS[(number + game) % len(catalog.OURS)]
            table = await self.sit_down(client, slug, programs=number % 3 == 0)
            self.count.tables.append(table)
            await self.play_out(client, table)
            game += 1

    async def sit_down(self, client: httpx.AsyncClient, slug: str, programs: bool) -> Table:
        """Open a table and take its seats."""
        opened = (await self.send(client, "POST", "/tables", "", {"game": slug, "sitting": "open"})).json()
        table, tokens = opened["table"], []
        for seat in range(len(opened["invitations"])):
            token = opened["token"] if seat == 0 or programs else new_token()
            body: dict[str, object] = {"t": "sit", "seat": seat, "contribution": "ab" * 16, "move_id": uuid4().hex}
            if programs and seat:
                body = {"t": "replace", "seat": seat, "level": "1", "move_id": uuid4().hex}
            answer = await self.send(client, "POST", f"/tables/{table}/commands", token, body)
            if answer.status_code != 200:
                self.count.wrong.append(f"{table}: cannot sit down: {answer.text}")
            tokens.append(token)
        return Table(table, tokens, programs)

    async def play_out(self, client: httpx.AsyncClient, table: Table) -> None:
        """Play at random until the game ends or the storm is over."""
        seat = 0
        while not self.over:
            state = (await self.send(client, "GET", f"/tables/{table.id}/state?since={len(table.seen)}", table.tokens[seat])).json()
            view = state["view"]
            table.seen += [event["hash"] for event in state["events"]]
            if view["phase"] == "over":
                return
            if not view["legal"]:
                seat = view["node"]["seats"][0] if view["node"]["seats"] and not table.programs else 0
                await asyncio.sleep(0.01)
                continue
            action = self.random.choice(view["legal"])
            body = {"t": "play", "seat": action["seat"], "tokens": [action["token"]], "seq": view["seq"], "move_id": uuid4().hex}
            answer = await self.send(client, "POST", f"/tables/{table.id}/commands", table.tokens[seat], body)
            if answer.status_code == 200:
                done = answer.json()
                table.confirmed[str(body["move_id"])] = (done["seq"], done["hash"], action["token"])
                self.count.confirmed += 1
            elif answer.json()["error"]["code"] != "stale":
                self.count.wrong.append(f"{table.id}: {answer.text}")

    async def goes_on(self, client: httpx.AsyncClient) -> None:
        """See that a table of programs alone plays on by itself after one more kill."""
        opened = (await self.send(client, "POST", "/tables", "", {"game": "traboulet"})).json()
        for seat in range(2):
            await self.send(client, "POST", f"/tables/{opened['table']}/commands", opened["token"], {"t": "replace", "seat": seat, "level": "2"})
        await asyncio.to_thread(self.strike)
        first = await self.seq(client, opened["table"])
        try:
            async with asyncio.timeout(10 * WAIT):
                while await self.seq(client, opened["table"]) <= first + 3:
                    await asyncio.sleep(0.05)
        except TimeoutError:
            self.count.wrong.append("play does not go on by itself")

    async def seq(self, client: httpx.AsyncClient, table: str) -> int:
        """Return how far a table is."""
        return int((await self.send(client, "GET", f"/tables/{table}/state?since=1000000", "")).json()["view"]["seq"])

    async def judge(self) -> None:
        """Compare what was confirmed and seen with what the log holds."""
        store = SqliteLog(self.data / "tablee.sqlite")
        try:
            for table in self.count.tables:
                self.count.wrong += judge_table(table, await store.events(table.id), await store.secret(table.id))
            self.count.wrong += (await store.check()).wrong
        finally:
            await store.close()


def judge_table(table: Table, events: list[Event], secret: bytes) -> list[str]:
    """Return what is wrong with the log of a table."""
    wrong = []
    verify(events)
    hashes = [event.hash for event in events]
    if hashes[: len(table.seen)] != table.seen:
        wrong.append(f"{table.id}: something that was seen has vanished")
    ids = Counter(event.move_id for event in events if event.move_id)
    wrong += [f"{table.id}: {move_id} is there {n} times" for move_id, n in ids.items() if n > 1]
    for move_id, (seq, digest, token) in table.confirmed.items():
        if ids[move_id] != 1 or events[seq].hash != digest or events[seq].move_id != move_id or events[seq].payload["token"] != token:
            wrong.append(f"{table.id}: the confirmed action {move_id} is not there")
    contributions = [(event.seat or 0, unhex(event.seq, event.payload["bytes"])) for event in events if event.kind == "contributed"]
    throws = 0
    for event in events:
        if event.kind in ("started", "threw"):
            dice = bound_dice(2, secret, table.id, event.seq, throws if event.kind == "threw" else None, contributions)
            throws += event.kind == "threw"
            if [(n, dice.draw(n)) for n, _ in drawn(event)] != list(drawn(event)):
                wrong.append(f"{table.id}: the dice of event {event.seq} are not those that were sealed")
    return wrong


def main() -> None:
    """Run a storm and say what it did."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--kills", type=int, default=20)
    words.add_argument("--tables", type=int, default=40)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--between", type=int, default=200, help="the most actions between two kills")
    words.add_argument("--fault", choices=["", "early"], default="")
    chosen = words.parse_args()
    between, house = (max(1, chosen.between // 5), chosen.between), ("-m", f"tests.web.{chosen.fault}_house") if chosen.fault else HOUSE
    with tempfile.TemporaryDirectory() as folder:
        count = asyncio.run(Storm(Path(folder), chosen.tables, chosen.kills, chosen.seed, between, house).run())
    print(f"{count.kills} kills, {len(count.tables)} tables, {count.confirmed} confirmed actions, {count.resent} resent, {len(count.wrong)} wrong")
    for line in count.wrong[:20]:
        print(line)
    raise SystemExit(1 if count.wrong else 0)


if __name__ == "__main__":
    main()
