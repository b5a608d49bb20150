"""Play for long at half of what the machine can do: `python -m tests.web.soak --minutes 30 --games 10000 [--fault hoard]`.

A house in a process of its own; players play game after game over sockets, at half of the rate that was reached in a short run at full
speed. Its memory is read every few seconds and must be flat: from the middle third to the last it may grow by a few megabytes and no
more; and once everybody has gone it must keep no table in memory. So that the games wanted fit into the time, long ones are resigned;
the output says how many. With `--fault hoard` the house drops no table, with `--fault leak` it keeps some bytes of each action (only
the growth shows that): both must be found.
"""

import argparse
import asyncio
import json
import os
import re
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any
from uuid import uuid4

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.web.serving import WAIT, Process

BRISK = ("-m", "tests.web.brisk_house")
FULL_SPEED_SECONDS = 10.0
MOST_GROWTH = 8.0
GONE_SECONDS = 30.0


@dataclass
class Count:
    """What a run has found."""

    actions: int = 0
    games: int = 0
    resigned: int = 0
    rate: float = 0.0
    memory: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


class Soak:
    """One house, and those who play there."""

    def __init__(self, process: Process, games_a_second: float, players: int, seed: int) -> None:
        """Know the house and how many games are wanted."""
        self.process, self.wanted, self.players = process, games_a_second, players
        self.random, self.count = Random(seed), Count()
        self.pause, self.over, self.longest = 0.0, False, 200

    def megabytes(self) -> float:
        """Return how much memory the house takes."""
        pages = int(Path(f"/proc/{self.process.popen.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    async def run(self, seconds: float, full: float) -> Count:
        """Measure at full speed for a while, then play at half of it and watch the memory."""
        async with httpx.AsyncClient(base_url=f"{self.process.base}/api/v1", timeout=WAIT, trust_env=False) as client:
            players = [asyncio.ensure_future(self.play(client)) for _ in range(self.players)]
            await asyncio.sleep(full)
            self.count.rate = self.count.actions / full
            self.pause = 2 * self.players / max(1.0, self.count.rate)
            self.longest = max(2, round(self.count.rate / 2 / self.wanted)) if self.wanted else self.longest
            until, every = time.monotonic() + seconds, max(0.5, seconds / 300)
            while time.monotonic() < until and not any(player.done() for player in players):
                await asyncio.sleep(every)
                self.count.memory.append(self.megabytes())
            self.over = True
            _, waiting = await asyncio.wait(players, timeout=2 * self.pause + GONE_SECONDS)
            self.count.wrong += [f"{len(waiting)} players wait for an answer"] if waiting else []
            for player in waiting:
                player.cancel()
            for result in await asyncio.gather(*players, return_exceptions=True):
                if isinstance(result, Exception):
                    self.count.wrong.append(repr(result))
            await self.gone(client)
        return self.count

    async def gone(self, client: httpx.AsyncClient) -> None:
        """See that no table stays in memory once everybody has gone."""
        until = time.monotonic() + GONE_SECONDS
        while (kept := await self.tables(client)) and time.monotonic() < until:
            await asyncio.sleep(0.2)
        if kept:
            self.count.wrong.append(f"{kept} tables stay in memory although nobody is there")

    async def tables(self, client: httpx.AsyncClient) -> int:
        """Return how many tables the house has in memory."""
        found = re.search(r"^tablee_tables (\d+)$", (await client.get(f"{self.process.base}/metrics")).text, re.MULTILINE)
        return int(found[1]) if found else -1

    async def play(self, client: httpx.AsyncClient) -> None:
        """Play one game after the other."""
        while not self.over:
            made = (await client.post("/tables", json={"game": "traboulet", "sitting": "open"})).json()
            table, token = made["table"], made["token"]
            for seat in range(2):
                body = {"t": "sit", "seat": seat, "contribution": "ab" * 16}
                answer = await client.post(f"/tables/{table}/commands", json=body, headers={"authorization": f"Bearer {token}"})
                answer.raise_for_status()
            with suppress(OSError, WebSocketException):
                url = f"ws://127.0.0.1:{self.process.port}/ws/{table}"
                async with connect(url, compression=None, open_timeout=WAIT) as line:
                    await line.send(json.dumps({"t": "hello", "seq": -1, "tokens": [token]}))
                    await self.play_out(line)
            self.count.games += 1

    async def play_out(self, line: ClientConnection) -> None:
        """Play at random until the game ends; a long one is resigned."""
        played, sent_at = 0, -1
        shown: dict[str, Any] = {}
        while not self.over:
            message = json.loads(await line.recv())
            if message["t"] == "no":
                self.count.wrong.append(str(message)[:200])
                return
            shown |= message["view"] if message["t"] == "view" else {name: value for name, value in message.items() if name in ("phase", "legal")}
            shown["seq"] = message.get("to", shown["seq"])
            if shown["phase"] == "over":
                return
            if shown["seq"] == sent_at or not shown["legal"]:
                continue
            if self.pause:
                await asyncio.sleep(self.random.uniform(0.5, 1.5) * self.pause)
            action, played = self.random.choice(shown["legal"]), played + 1
            body = {"t": "play", "seat": action["seat"], "tokens": [action["token"]], "seq": shown["seq"], "move_id": uuid4().hex}
            if played > self.longest:
                body = {"t": "resign", "seat": action["seat"], "move_id": uuid4().hex}
                self.count.resigned += 1
            sent_at = shown["seq"]
            await line.send(json.dumps(body))
            self.count.actions += 1


def judge(count: Count, games: int) -> list[str]:
    """Return what is wrong: memory that grows, games that were not played."""
    third = len(count.memory) // 3
    first, last = mean(count.memory[third : 2 * third]), mean(count.memory[2 * third :])
    wrong = list(count.wrong)
    if last - first > MOST_GROWTH:
        wrong.append(f"memory grows: {first:.1f} MB in the middle of the run, {last:.1f} MB at its end")
    if count.games < games:
        wrong.append(f"{count.games} games were played, {games} were wanted")
    return wrong


def main() -> None:
    """Run and say what was found; exit status 1 if memory grows."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--minutes", type=float, default=30.0)
    words.add_argument("--games", type=int, default=10_000)
    words.add_argument("--full", type=float, default=FULL_SPEED_SECONDS, help="seconds at full speed before")
    words.add_argument("--players", type=int, default=40)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--fault", choices=["", "hoard", "leak"], default="")
    chosen = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        process = Process(Path(folder), house=(*BRISK, chosen.fault) if chosen.fault else BRISK)
        process.ready()
        try:
            soak = Soak(process, chosen.games / (60 * chosen.minutes), chosen.players, chosen.seed)
            count = asyncio.run(soak.run(60 * chosen.minutes, chosen.full))
        finally:
            process.kill()
    wrong = judge(count, chosen.games)
    third = len(count.memory) // 3
    print(
        f"{chosen.minutes:g} minutes at half of {count.rate:.0f} actions/s: {count.games} games ({count.resigned} resigned), "
        f"{count.actions} actions, memory {mean(count.memory[third : 2 * third]):.1f} MB, "
        f"then {mean(count.memory[2 * third :]):.1f}, {len(wrong)} wrong"
    )
    for line in wrong[:20]:
        print(line)
    raise SystemExit(1 if wrong else 0)


if __name__ == "__main__":
    main()
