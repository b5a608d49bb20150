"""What a durable move told to both players costs the house, stage by stage: `python -m bench.move`.

One process: a house over a real file, and two listeners at each table whose lines only count what is sent. No network, so that little else
is measured than our own work. `--profile` prints what cProfile finds instead.
"""

import argparse
import asyncio
import cProfile
import pstats
import statistics
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any

import msgspec

from tablee.store.sqlite import SqliteLog
from tablee.tables.commands import Contribute, Sit
from tablee.tables.opening import open_table
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, new_token
from tablee.web import house as house_module
from tablee.web import socket as socket_module
from tablee.web.allowances import Allowances
from tablee.web.engine_pool import EnginePool
from tablee.web.house import House, Live
from tablee.web.metrics import Metrics
from tablee.web.serve import collect_rarely
from tablee.web.socket import Connection, Sockets
from tablee.web.table_view import Listener

ALLOWANCE = 1_000_000


class Stages:
    """The processor time of each stage: a name, and the function that it is spent in."""

    def __init__(self) -> None:
        """Begin at zero, with nothing watched."""
        self.spent: dict[str, float] = defaultdict(float)
        self.kept: list[tuple[Any, str, Any]] = []

    def watch(self, stage: str, holder: Any, name: str) -> None:
        """Count the processor time of a function, whoever calls it."""
        inner: Callable[..., Any] = getattr(holder, name)

        def timed(*given: Any, **named: Any) -> Any:
            begun = time.thread_time()
            try:
                return inner(*given, **named)
            finally:
                self.spent[stage] += time.thread_time() - begun

        self.kept.append((holder, name, inner))
        setattr(holder, name, timed)

    def __enter__(self) -> "Stages":
        """Watch the stages of a move."""
        self.watch("decode", socket_module, "read_frame")
        self.watch("judge", house_module, "handle")
        self.watch("write", SqliteLog, "commit")
        self.watch("view", Listener, "frame")
        self.watch("send", QuietLine, "write")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Put the functions back."""
        for holder, name, inner in self.kept:
            setattr(holder, name, inner)


class QuietLine:
    """A line to a listener who is sent bytes and says nothing."""

    full = False

    def __init__(self, told: asyncio.Event) -> None:
        """Begin with nothing sent; `told` is set whenever something is."""
        self.loop = asyncio.get_running_loop()
        self.told = told
        self.bytes = 0
        self.changes = 0
        self.refused = b""

    def write(self, messages: list[bytes]) -> None:
        """Count messages."""
        for message in messages:
            self.bytes += len(message)
            self.changes += message.startswith((b'{"t":"change"', b'{"t":"view"'))
            if message.startswith(b'{"t":"no"'):
                self.refused = message
        self.told.set()

    def close(self, code: int) -> None:
        """Say that it should not come to this."""
        raise AssertionError(f"closed with {code}: {self.refused!r}")

    def hang_up(self) -> None:
        """Say that it should not come to this."""
        raise AssertionError("hung up")


class Game:
    """A table with two listeners."""

    def __init__(self, sockets: Sockets, live: Live, actors: list[Actor]) -> None:
        """Let both listen."""
        self.live = live
        self.told = asyncio.Event()
        self.lines = [QuietLine(self.told) for _ in actors]
        self.connections = [
            Connection(sockets, live, line, Listener(actor, "fr"), (f"address {number}",))
            for number, (line, actor) in enumerate(zip(self.lines, actors, strict=True))
        ]
        for connection in self.connections:
            connection.heard(b'{"t":"hello","seq":-1}')
        self.moves = 0

    def send(self) -> bool:
        """Send a move of the seat to act, and return whether there was one."""
        table = self.live.table
        if table.state is None or not table.asked:
            return False
        seat = table.asked[0]
        legal = table.state.legal(seat)
        token = table.game.notate(legal[self.moves % len(legal)])
        self.moves += 1
        frame = {"t": "play", "move_id": f"{self.moves:032x}", "seat": seat, "tokens": [token], "seq": table.seq}
        for line in self.lines:
            line.changes = 0
        self.connections[seat].allowance = 60.0
        self.connections[seat].heard(msgspec.json.encode(frame))
        return True

    async def both_told(self) -> None:
        """Wait until both know of the last move."""
        while not all(line.changes for line in self.lines):
            self.told.clear()
            await self.told.wait()


async def opened(house: House, sockets: Sockets, slug: str) -> Game:
    """Return a game that has begun."""
    tokens = [new_token(), new_token()]
    opening = open_table(Terms(slug, 2, sitting="open"), tokens[0], house.clock())
    actors = [Actor((token,)) for token in tokens]
    live = await house.open(opening, [])
    for seat, actor in enumerate(actors):
        await house.do(live, Sit(seat=seat, name=f"Person {seat + 1}"), actor)
        await house.do(live, Contribute(seat=seat, contribution=f"{seat + 1:02x}" * 16), actor)
    return Game(sockets, live, actors)


async def run(slug: str, count: int, rounds: int, profile: cProfile.Profile | None) -> tuple[list[float], dict[str, float], int, int]:
    """Return the processor seconds of a move in each round, those of each stage in all, moves and bytes."""
    with TemporaryDirectory() as directory:
        metrics = Metrics()
        house = House(SqliteLog(Path(directory) / "tablee.sqlite"), EnginePool(1, 0.1, metrics), metrics)
        sockets = Sockets(house, Allowances(ALLOWANCE))
        games = [await opened(house, sockets, slug) for _ in range(count)]
        await asyncio.sleep(0.05)
        collect_rarely()
        costs, moves = [], 0
        for line in (line for game in games for line in game.lines):
            line.bytes = 0
        with Stages() as stages:
            for _ in range(rounds):
                if profile:
                    profile.enable()
                begun = time.process_time()
                sent = [game for game in games if game.send()]
                for game in sent:
                    await game.both_told()
                if profile:
                    profile.disable()
                if len(sent) < count / 2:
                    break
                costs.append((time.process_time() - begun) / len(sent))
                moves += len(sent)
        size = sum(line.bytes for game in games for line in game.lines)
        await house.close()
        await house.store.close()
        return costs, stages.spent, moves, size


def main() -> None:
    """Measure what the words ask for, and print."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--games", default="traboulet", help="games, in a row")
    words.add_argument("--tables", type=int, default=10, help="tables that move at the same time")
    words.add_argument("--rounds", type=int, default=60, help="moves at each table")
    words.add_argument("--profile", action="store_true", help="print what cProfile finds")
    chosen = words.parse_args()
    stages = ("decode", "judge", "write", "view", "send")
    print(f"| microseconds a move, median of rounds (best) | moves | {' | '.join(stages)} | all | bytes to each |")
    print("|---|--:|" + "--:|" * len(stages) + "--:|--:|")
    for slug in chosen.games.split(","):
        profile = cProfile.Profile() if chosen.profile else None
        costs, spent, moves, size = asyncio.run(run(slug, chosen.tables, chosen.rounds, profile))
        parts = " | ".join(f"{spent[stage] / moves * 1e6:.0f}" for stage in stages)
        middle, best = statistics.median(costs) * 1e6, min(costs) * 1e6
        print(f"| {slug} | {moves} | {parts} | {middle:.0f} ({best:.0f}) | {size / moves / 2:.0f} |")
        if profile:
            pstats.Stats(profile).sort_stats("tottime").print_stats(70)


if __name__ == "__main__":
    main()
