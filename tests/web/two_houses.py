"""Two houses on one PostgreSQL in a storm: `python -m tests.web.two_houses --troubles 20 [--fault early]`.

Players play at both houses in turns and watchers listen at both, half of them at sockets, while houses are killed, restarted one after
the other, Redis goes for a while (`--redis-away` seconds the first time) and PostgreSQL is killed; some actions are sent to both houses
at once. What each client has seen must be a prefix of the log as it ends, and in the end all of it; every confirmed action must be there
once, and nothing that nobody asked for; and whoever is refused must be told in a sentence.

With `--fault` the houses tell before they write (`early`; with `--only kill_postgres` PostgreSQL is what shows it), hear of each other
from Redis alone (`needy`), or do again what is sent again (`twice`).
"""

import argparse
import asyncio
import json
import logging
import re
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tablee.tables.view_applied import Follower
from tests.store.pg import PgServer
from tests.store.redis_server import RedisServer
from tests.web.serving import HOUSE, WAIT, Process

FAULTS = {"": HOUSE, **{name: ("-m", f"tests.web.{name}_house") for name in ("early", "needy", "twice")}}
# What shows a fault; without one every trouble has its turn.
SHOWS = {"early": "kill_house", "needy": "lose_redis", "twice": "none"}
TROUBLES = ("kill_house", "roll", "lose_redis", "kill_postgres", "none")
# At least four words, and no sign that only a program would write.
SENTENCE = re.compile(r"[^\W\d_]+(?:[\s,:;’'-]+[^\s_{}<>]+){3,}")
DOUBLED = 0.1
LATE_SECONDS = 2 * WAIT
BUSY = (httpx.HTTPError, OSError)


@dataclass
class Client:
    """Somebody who listens at a table, and what he has seen: the hash of events by their number."""

    table: str
    house: int
    socket: bool
    seen: dict[int, str] = field(default_factory=dict)

    @property
    def last(self) -> int:
        """The last event that was seen."""
        return max(self.seen, default=-1)

    def see(self, seq: int, digest: str) -> str:
        """Take in that an event was shown; return what is wrong with that, or nothing."""
        if self.seen.setdefault(seq, digest) != digest:
            return f"{self.table}: event {seq} was shown in two forms"
        return ""


@dataclass
class Count:
    """What a run has found."""

    troubles: Counter[str] = field(default_factory=Counter)
    confirmed: dict[str, dict[str, tuple[int, str]]] = field(default_factory=dict)
    clients: list[Client] = field(default_factory=list)
    sent: set[str] = field(default_factory=set)
    doubled: int = 0
    told: Counter[str] = field(default_factory=Counter)
    redis_away: float = 0.0
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

    def __init__(self, folder: Path, tables: int, watchers: int, seed: int, house: tuple[str, ...] = HOUSE, redis_away: float = 0.0) -> None:
        """Start everything."""
        self.redis_away, self.fewest, self.paused = redis_away, 1, False
        self.random, self.kind = Random(seed), house
        self.pg, self.redis = PgServer(), RedisServer()
        self.words = ("--database", self.pg.new_database(), "--redis", self.redis.url, "--engines", "1")
        self.folder, self.count, self.over = folder, Count(), False
        self.listening: list[Client] = []
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

    async def run(self, troubles: int, between: tuple[int, int], kinds: tuple[str, ...]) -> Count:
        """Play through so many troubles, then judge; what is found wrong ends the storm."""
        limits = httpx.Limits(max_connections=400)
        self.fewest = between[0]
        async with httpx.AsyncClient(timeout=WAIT, limits=limits, trust_env=False) as client:
            players = [asyncio.ensure_future(self.play(client)) for _ in range(self.tables)]
            for number in range(troubles):
                await self.more(self.random.randint(*between))
                trouble = kinds[number % len(kinds)]
                await asyncio.to_thread(getattr(self, trouble))
                self.count.troubles[trouble.replace("_", " ")] += 1
            await self.more(self.fewest)
            self.over = True
            if self.count.wrong:
                for player in players:
                    player.cancel()
            for error in await asyncio.gather(*players, return_exceptions=True):
                if isinstance(error, Exception):
                    self.count.wrong.append(repr(error))
            await self.judge(client)
        return self.count

    async def more(self, actions: int) -> None:
        """Wait until so many more actions are confirmed, or something is wrong."""
        wanted, until = self.count.played + actions, time.monotonic() + 5 * LATE_SECONDS
        while self.count.played < wanted and not self.count.wrong:
            if time.monotonic() > until:
                self.count.wrong.append("play does not go on")
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
        """Kill Redis, see that all who listen are still told of what is played, and start it again."""
        self.redis.kill()
        begun, played = time.monotonic(), self.count.played
        while self.count.played < played + self.fewest and not self.count.wrong:
            time.sleep(0.02)
        self.paused, settled = True, -1  # who asks a house for a table makes it look: now it must look by itself
        while settled != self.count.played:
            settled = self.count.played
            time.sleep(1.0)
        reached = {table: max(seq for seq, _ in done.values()) for table, done in list(self.count.confirmed.items()) if done}
        until = time.monotonic() + LATE_SECONDS
        while late := [one for one in list(self.listening) if one.last < reached.get(one.table, -1)]:
            if time.monotonic() > until or self.count.wrong:
                self.count.wrong.append(f"{len(late)} clients were told nothing while Redis was away")
                break
            time.sleep(0.05)
        self.paused = False
        time.sleep(max(0.0, self.redis_away - (time.monotonic() - begun)))
        self.count.redis_away = max(self.count.redis_away, time.monotonic() - begun)
        self.redis_away = 0.0
        self.redis.start()

    def kill_postgres(self) -> None:
        """Kill PostgreSQL, and start it again once somebody was told that nothing can be written."""
        told = self.count.told["store"]
        self.pg.kill()
        while self.count.told["store"] == told and not self.count.wrong:
            time.sleep(0.02)
        self.pg.start()

    def none(self) -> None:
        """Do nothing: what is sent twice is trouble enough."""

    # The people.

    async def send(
        self, client: httpx.AsyncClient, method: str, path: str, token: str, body: object = None, house: int | None = None
    ) -> httpx.Response:
        """Send a request to either house until one answers; the same body each time."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        while True:
            headers["accept-language"] = self.random.choice(("fr", "en"))
            at = self.random.randrange(2) if house is None else house
            with suppress(*BUSY):
                answer = await client.request(method, self.base(at) + path, json=body, headers=headers)
                self.told(answer)
                if answer.status_code < 500:
                    return answer
            await asyncio.sleep(0.05)

    def told(self, answer: httpx.Response) -> None:
        """Judge that a refusal says why, in a sentence."""
        if answer.is_success:
            return
        error = answer.json().get("error", {}) if "json" in answer.headers.get("content-type", "") else {}
        self.count.told[error.get("code", "")] += 1
        if not SENTENCE.fullmatch(error.get("text", "")):
            self.count.wrong.append(f"{answer.status_code} is no sentence: {answer.text[:200]!r}")

    async def play(self, client: httpx.AsyncClient) -> None:
        """Play at one table after the other until the storm is over."""
        while not self.over:
            made = (await self.send(client, "POST", "/tables", "", {"game": "traboulet", "sitting": "open"})).json()
            table, token = made["table"], made["token"]
            for seat in range(2):
                body = {"t": "sit", "seat": seat, "contribution": "ab" * 16, "move_id": uuid4().hex}
                await self.send(client, "POST", f"/tables/{table}/commands", token, body)
            listeners = [Client(table, number % 2, socket=number // 2 % 2 == 0) for number in range(self.watchers)]
            self.count.clients += listeners
            self.listening += listeners
            watching = [asyncio.ensure_future(self.listen(one) if one.socket else self.watch(client, one)) for one in listeners]
            await self.play_out(client, table, token)
            await self.all_seen(client, table, listeners)
            self.listening = [one for one in self.listening if one.table != table]
            for task in watching:
                task.cancel()
            await asyncio.gather(*watching, return_exceptions=True)

    async def play_out(self, client: httpx.AsyncClient, table: str, token: str) -> None:
        """Play at random at either house until the game ends."""
        confirmed = self.count.confirmed.setdefault(table, {})
        while not self.over:
            if self.paused:
                await asyncio.sleep(0.02)
                continue
            view = (await self.send(client, "GET", f"/tables/{table}/state?since=1000000", token)).json()["view"]
            if not view["legal"]:
                if view["phase"] == "over":
                    return
                await asyncio.sleep(0.02)
                continue
            action = self.random.choice(view["legal"])
            body = {"t": "play", "seat": action["seat"], "tokens": [action["token"]], "seq": view["seq"], "move_id": uuid4().hex}
            self.count.sent.add(str(body["move_id"]))
            path, houses = f"/tables/{table}/commands", (0, 1) if self.random.random() < DOUBLED else (None,)
            self.count.doubled += len(houses) - 1
            answers = await asyncio.gather(*(self.send(client, "POST", path, token, body, house) for house in houses))
            answer = answers[0]
            if len({one.text for one in answers if one.is_success}) > 1:
                self.count.wrong.append(f"{table}: {body['move_id']} was answered in two ways: {[one.text for one in answers]}")
            if answer.status_code == 200:
                confirmed[str(body["move_id"])] = (answer.json()["seq"], answer.json()["hash"])
            elif answer.json()["error"]["code"] != "stale":
                self.count.wrong.append(f"{table}: {answer.text}")

    async def watch(self, client: httpx.AsyncClient, one: Client) -> None:
        """Listen to a stream, and take it up again when it breaks."""
        while True:
            path = f"{self.base(one.house)}/tables/{one.table}/events?since={one.last + 1}"
            with suppress(*BUSY, ValueError):
                async with client.stream("GET", path) as stream:
                    async for line in stream.aiter_lines():
                        if line.startswith("data:"):
                            event = json.loads(line.removeprefix("data:"))
                            if event["seq"] != one.last + 1:
                                self.count.wrong.append(f"{one.table}: event {event['seq']} was shown after {one.last}")
                            one.see(event["seq"], event["hash"])
            await asyncio.sleep(0.1)

    async def listen(self, one: Client) -> None:
        """Listen at a socket as a page does, and connect again when it breaks."""
        while True:
            with suppress(OSError, WebSocketException):
                async with connect(f"ws://127.0.0.1:{self.ports[one.house]}/ws/{one.table}", compression=None, open_timeout=WAIT) as line:
                    follower, last = Follower(), -1
                    await line.send('{"t":"hello","seq":-1}')
                    async for frame in line:
                        if not str(frame).startswith(('{"t":"view"', '{"t":"change"')):
                            continue
                        view = follower.take(frame)
                        if view is None:
                            await line.send('{"t":"hello","seq":-1}')
                            continue
                        if view.seq < last:
                            self.count.wrong.append(f"{one.table}: a view went back from {last} to {view.seq}")
                        if wrong := one.see(view.seq, view.hash):
                            self.count.wrong.append(wrong)
                        last = view.seq
            await asyncio.sleep(0.1)

    async def all_seen(self, client: httpx.AsyncClient, table: str, listeners: list[Client]) -> None:
        """Wait until all who listen have seen the end of the log."""
        last = len(await self.log_at(client, self.random.randrange(2), table)) - 1
        until = time.monotonic() + LATE_SECONDS
        while late := [one for one in listeners if one.last < last]:
            if time.monotonic() > until or self.count.wrong:
                self.count.wrong.append(f"{table}: {len(late)} clients have not seen event {last}")
                return
            await asyncio.sleep(0.02)

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
            unasked = [event for event in both[0] if event["kind"] == "acted" and event["move_id"] not in self.count.sent]
            self.count.wrong += [f"{table}: event {event['seq']} was asked for by nobody" for event in unasked]
            for move_id, (seq, digest) in confirmed.items():
                if len(both[0]) <= seq or (both[0][seq]["hash"], both[0][seq]["move_id"]) != (digest, move_id):
                    self.count.wrong.append(f"{table}: the confirmed action {move_id} is not there")
        for one in self.count.clients:
            hashes = {event["seq"]: event["hash"] for event in logs.get(one.table, [])}
            if not one.seen:
                self.count.wrong.append(f"{one.table}: a client has seen nothing")
            if any(hashes.get(seq) != digest for seq, digest in one.seen.items()):
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
    words.add_argument("--redis-away", type=float, default=0.0, help="seconds that Redis is away at least, the first time")
    words.add_argument("--only", choices=TROUBLES, help="the only trouble")
    words.add_argument("--fault", choices=list(FAULTS), default="")
    chosen = words.parse_args()
    only = chosen.only or SHOWS.get(chosen.fault)
    kinds = (only,) if only else TROUBLES[:4]
    if chosen.fault:
        globals()["LATE_SECONDS"] = 5.0
    logging.getLogger("httpx").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as folder:
        storm = Storm(Path(folder), chosen.tables, chosen.watchers, chosen.seed, FAULTS[chosen.fault], chosen.redis_away)
        try:
            count = asyncio.run(storm.run(chosen.troubles, (max(2, chosen.between // 10), chosen.between), kinds))
        finally:
            storm.stop()
    troubles = ", ".join(f"{n} × {name}" for name, n in count.troubles.items()) or "no trouble"
    sockets = sum(one.socket for one in count.clients)
    told = ", ".join(f"{n} × {code}" for code, n in count.told.items()) or "nothing refused"
    print(
        f"{troubles}: {count.played} confirmed, {count.doubled} sent twice, {count.seen} events and views seen by {len(count.clients)} clients "
        f"({sockets} at sockets), Redis away for {count.redis_away:.0f} s, told in words: {told}; {len(count.wrong)} wrong"
    )
    for line in count.wrong[:20]:
        print(line)
    raise SystemExit(1 if count.wrong else 0)


if __name__ == "__main__":
    main()
