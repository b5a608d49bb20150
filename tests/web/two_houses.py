"""Two houses on one PostgreSQL in a storm: `python -m tests.web.two_houses --troubles 20 [--fault vanish]`.

Players play at both houses in turns and watchers listen at both, while houses are killed, restarted one after the other, Redis goes
for a while and PostgreSQL is killed. What each client has seen must be a prefix of the log as it ends; every confirmed action must be
there once. With `--fault early` the houses tell before they write: then something that was seen must be found to have vanished.
"""

import argparse
import asyncio
import json
import logging
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import httpx

from tests.store.pg import PgServer
from tests.store.redis_server import RedisServer
from tests.web.serving import HOUSE, WAIT, Process

EARLY = ("-m", "tests.web.early_house")
BUSY = (httpx.HTTPError, OSError)


@dataclass
class Client:
    """Somebody who listens at a table, and what he has seen: the hash of each event, from the first on."""

    table: str
    house: int
    seen: list[str] = field(default_factory=list)


@dataclass
class Count:
    """What a run has found."""

    troubles: Counter[str] = field(default_factory=Counter)
    confirmed: dict[str, dict[str, tuple[int, str]]] = field(default_factory=dict)
    clients: list[Client] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def played(self) -> int:
        """How many actions were confirmed."""
        return sum(len(actions) for actions in self.confirmed.values())

    @property
    def seen(self) -> int:
        """How many events were seen by all clients."""
        return sum(len(client.seen) for client in self.clients)


class Storm:
    """Two houses, a database, Redis, players and watchers."""

    def __init__(self, folder: Path, tables: int, watchers: int, seed: int, house: tuple[str, ...] = HOUSE) -> None:
        """Start everything."""
        self.random, self.kind = Random(seed), house
        self.pg, self.redis = PgServer(), RedisServer()
        self.words = ("--database", self.pg.new_database(), "--redis", self.redis.url, "--engines", "1")
        self.folder, self.count, self.over = folder, Count(), False
        self.tables, self.watchers = tables, watchers
        self.houses = [Process(folder / str(number), house=house, more=self.words) for number in range(2)]
        for process in self.houses:
            process.ready()
        self.ports = [house.port for house in self.houses]

    def stop(self) -> None:
        """End everything."""
        for house in self.houses:
            if house.popen.poll() is None:
                house.kill()
        self.redis.stop()
        self.pg.stop()

    def base(self, number: int) -> str:
        """Return the address of a house."""
        return f"http://127.0.0.1:{self.ports[number]}/api/v1"

    async def run(self, troubles: int, between: tuple[int, int]) -> Count:
        """Play through so many troubles, then judge."""
        limits = httpx.Limits(max_connections=400)
        async with httpx.AsyncClient(timeout=WAIT, limits=limits, trust_env=False) as client:
            players = [asyncio.ensure_future(self.play(client)) for _ in range(self.tables)]
            early = self.kind == EARLY  # a kill is what shows this fault
            kinds: list[Callable[[], None]] = [self.kill_house] if early else [self.kill_house, self.roll, self.lose_redis, self.kill_postgres]
            for number in range(troubles):
                await self.more(self.random.randint(*between))
                trouble = kinds[number % len(kinds)]
                await asyncio.to_thread(trouble)
                self.count.troubles[trouble.__name__.replace("_", " ")] += 1
            await self.more(between[0])
            self.over = True
            await asyncio.gather(*players)
            await self.judge(client)
        return self.count

    async def more(self, actions: int) -> None:
        """Wait until so many more actions are confirmed."""
        wanted = self.count.played + actions
        async with asyncio.timeout(10 * WAIT):
            while self.count.played < wanted:
                await asyncio.sleep(0.02)

    # The troubles.

    def kill_house(self) -> None:
        """Kill a house without a word, and start it again."""
        self.again(self.random.randrange(2), Process.kill)

    def roll(self) -> None:
        """Restart one house after the other, as for a new version."""
        for number in range(2):
            self.again(number, lambda process: process.terminate())

    def again(self, number: int, end: Callable[[Process], object]) -> None:
        """End a house and start it again."""
        end(self.houses[number])
        self.houses[number] = Process(self.folder / str(number), self.ports[number], house=self.kind, more=self.words)
        self.houses[number].ready()

    def lose_redis(self) -> None:
        """Kill Redis; it comes back at the next such trouble, or never."""
        if self.redis.popen.poll() is None:
            self.redis.kill()
        else:
            self.redis.start()

    def kill_postgres(self) -> None:
        """Kill PostgreSQL, and start it again."""
        self.pg.kill()
        self.pg.start()

    # The people.

    async def send(self, client: httpx.AsyncClient, method: str, path: str, token: str, body: object = None) -> httpx.Response:
        """Send a request to either house until one answers; the same body each time."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        while True:
            with suppress(*BUSY):
                answer = await client.request(method, self.base(self.random.randrange(2)) + path, json=body, headers=headers)
                if answer.status_code < 500:
                    return answer
            await asyncio.sleep(0.05)

    async def play(self, client: httpx.AsyncClient) -> None:
        """Play at one table after the other until the storm is over."""
        while not self.over:
            made = (await self.send(client, "POST", "/tables", "", {"game": "traboulet", "sitting": "open"})).json()
            table, token = made["table"], made["token"]
            for seat in range(2):
                body = {"t": "sit", "seat": seat, "contribution": "ab" * 16, "move_id": uuid4().hex}
                await self.send(client, "POST", f"/tables/{table}/commands", token, body)
            listeners = [Client(table, number % 2) for number in range(self.watchers)]
            self.count.clients += listeners
            watching = [asyncio.ensure_future(self.watch(client, one)) for one in listeners]
            await self.play_out(client, table, token)
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)

    async def play_out(self, client: httpx.AsyncClient, table: str, token: str) -> None:
        """Play at random at either house until the game ends."""
        confirmed = self.count.confirmed.setdefault(table, {})
        while not self.over:
            view = (await self.send(client, "GET", f"/tables/{table}/state?since=1000000", token)).json()["view"]
            if not view["legal"]:
                if view["phase"] == "over":
                    return
                await asyncio.sleep(0.02)
                continue
            action = self.random.choice(view["legal"])
            body = {"t": "play", "seat": action["seat"], "tokens": [action["token"]], "seq": view["seq"], "move_id": uuid4().hex}
            answer = await self.send(client, "POST", f"/tables/{table}/commands", token, body)
            if answer.status_code == 200:
                confirmed[str(body["move_id"])] = (answer.json()["seq"], answer.json()["hash"])
            elif answer.json()["error"]["code"] != "stale":
                self.count.wrong.append(f"{table}: {answer.text}")

    async def watch(self, client: httpx.AsyncClient, one: Client) -> None:
        """Listen to a stream, and take it up again when it breaks."""
        while True:
            path = f"{self.base(one.house)}/tables/{one.table}/events?since={len(one.seen)}"
            with suppress(*BUSY, ValueError):
                async with client.stream("GET", path) as stream:
                    async for line in stream.aiter_lines():
                        if line.startswith("data:"):
                            event = json.loads(line.removeprefix("data:"))
                            if event["seq"] != len(one.seen):
                                self.count.wrong.append(f"{one.table}: event {event['seq']} was shown after {len(one.seen)} events")
                            one.seen.append(event["hash"])
            await asyncio.sleep(0.1)

    async def judge(self, client: httpx.AsyncClient) -> None:
        """Compare what was confirmed and seen with the logs of both houses."""
        logs: dict[str, list[dict[str, Any]]] = {}
        for table, confirmed in self.count.confirmed.items():
            both = [await self.log_at(client, number, table) for number in range(2)]
            if both[0] != both[1]:
                self.count.wrong.append(f"{table}: the houses show two histories")
            logs[table] = both[0]
            ids = Counter(event["move_id"] for event in both[0] if event["move_id"])
            self.count.wrong += [f"{table}: {move_id} is there {n} times" for move_id, n in ids.items() if n > 1]
            for move_id, (seq, digest) in confirmed.items():
                if len(both[0]) <= seq or (both[0][seq]["hash"], both[0][seq]["move_id"]) != (digest, move_id):
                    self.count.wrong.append(f"{table}: the confirmed action {move_id} is not there")
        for one in self.count.clients:
            hashes = [event["hash"] for event in logs.get(one.table, [])]
            if hashes[: len(one.seen)] != one.seen:
                self.count.wrong.append(f"{one.table}: what a client has seen is no prefix of the log")

    async def log_at(self, client: httpx.AsyncClient, number: int, table: str) -> list[dict[str, Any]]:
        """Return the log of a table as one house shows it."""
        while True:
            with suppress(*BUSY):
                answer = await client.get(f"{self.base(number)}/tables/{table}/state")
                if answer.status_code == 200:
                    return list(answer.json()["events"])
            await asyncio.sleep(0.05)


def main() -> None:
    """Run and say what was found; exit status 1 if anything is wrong."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--troubles", type=int, default=20)
    words.add_argument("--tables", type=int, default=12)
    words.add_argument("--watchers", type=int, default=8, help="how many listen at each table, half of them at each house")
    words.add_argument("--between", type=int, default=200, help="the most actions between two troubles")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--fault", choices=["", "early"], default="")
    chosen = words.parse_args()
    logging.getLogger("httpx").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        storm = Storm(Path(folder), chosen.tables, chosen.watchers, chosen.seed, EARLY if chosen.fault else HOUSE)
        try:
            count = asyncio.run(storm.run(chosen.troubles, (max(2, chosen.between // 10), chosen.between)))
        finally:
            storm.stop()
    troubles = ", ".join(f"{n} × {name}" for name, n in count.troubles.items()) or "no trouble"
    print(f"{troubles}: {count.played} confirmed, {count.seen} events seen by {len(count.clients)} clients, {len(count.wrong)} wrong")
    for line in count.wrong[:20]:
        print(line)
    raise SystemExit(1 if count.wrong else 0)


if __name__ == "__main__":
    main()
