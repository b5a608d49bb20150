"""The computer players of a house: a few worker processes, a fair queue before them, a deadline for each answer.

At most as many workers think at once as there are cores but one, so that people are never kept waiting. Groups take turns,
so that an opener of many tables does not delay the others. A player stays in the worker that made it: its requests go there, and
to another worker only if that one would be idle, where the player is made again from the same seed. A worker that ends or
does not answer is replaced; the players it kept are made again when they are asked.
"""

import asyncio
import logging
import os
import secrets
import sys
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Protocol

import msgspec

from tablee.core.record import write_record
from tablee.core.state import State
from tablee.web.engine_worker import MOST_PLAYERS, Request
from tablee.web.metrics import Metrics

START_SECONDS = 10.0
MARGIN_SECONDS = 3.0
TRIES = 2
LONGEST_LINE = 1 << 16
SECRET_BYTES = 16
SEED_BYTES = 6
# A worker gets these variables and no others.
PASSED_ON = ("PATH", "PYTHONPATH", "PYTHONHOME", "SYSTEMROOT", "LD_LIBRARY_PATH")
# Large tables of positions are given back to the system when their player is dropped; glibc would keep them after a while.
ALLOCATION = {"MALLOC_MMAP_THRESHOLD_": str(1 << 20)}

log = logging.getLogger("tablee.engines")

PlayerKey = tuple[str, int, str]


@dataclass(frozen=True)
class MoveRequest:
    """What the house asks: a seat of a table is to move in a state, played at a level; `group` is its group in the queue.

    With `judged`, a token, it asks what that action is worth instead.
    """

    table: str
    state: State
    seat: int
    level: str
    group: str
    judged: str = ""

    @property
    def player(self) -> PlayerKey:
        """Which player is asked: each table and seat has its own, for each level."""
        return (self.table, self.seat, self.level)


class Players(Protocol):
    """What chooses for the programs of a house: worker processes, or a worker of the browser."""

    async def answer(self, request: MoveRequest) -> str | None:
        """Return the token that a player chooses, or None if there was none in time."""

    def regroup(self, table: str, group: str, other: str) -> None:
        """Move the waiting requests of a table to another group."""

    async def warm(self) -> None:
        """Get ready before the first request."""

    async def close(self) -> None:
        """Stop all players."""


@dataclass(eq=False)
class Waiting:
    """A request in the queue: which player it is for, and the worker that it will be given."""

    player: PlayerKey | None
    worker: asyncio.Future["Worker"] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class EnginePool:
    """The workers and the queue before them."""

    def __init__(self, workers: int, seconds: float, metrics: Metrics, secret: bytes | None = None) -> None:
        """Prepare; a worker is started when it is first needed. `secret` determines the seeds of the players."""
        self.seconds = seconds
        self.metrics = metrics
        self.secret = secrets.token_bytes(SECRET_BYTES) if secret is None else secret
        self.free = [Worker() for _ in range(workers)]
        self.homes: OrderedDict[PlayerKey | None, Worker] = OrderedDict()
        self.most_homes = MOST_PLAYERS * workers
        self.queues: dict[str, deque[Waiting]] = {}
        self.thinking = 0
        metrics.gauges["engines_thinking"] = lambda: self.thinking
        metrics.gauges["engines_waiting"] = lambda: sum(len(queue) for queue in self.queues.values())

    async def answer(self, request: MoveRequest) -> str | None:
        """Return the token that a player chooses, or None if no worker gave one in time; a process that ended is replaced once."""
        async with self.worker(request.group, request.player) as worker:
            for _ in range(TRIES):
                try:
                    async with asyncio.timeout(self.seconds + MARGIN_SECONDS + (0 if worker.running else START_SECONDS)):
                        token = await worker.ask(request, player_seed(self.secret, request.player), self.seconds)
                    self.settle(request.player, worker)
                    return token
                except (OSError, EOFError, ValueError) as error:
                    self.metrics.count("engines_failed")
                    log.warning("a computer player gave no answer", extra={"facts": {"player": request.level, "error": type(error).__name__}})
                    await worker.close()
                    if isinstance(error, TimeoutError):
                        break
                except asyncio.CancelledError:
                    await worker.close()
                    raise
            return None

    async def warm(self) -> None:
        """Start a worker before it is needed."""
        async with self.worker("", None) as worker:
            await worker.start()

    def settle(self, player: PlayerKey, worker: "Worker") -> None:
        """Remember which worker keeps a player, and forget the least recently used player."""
        self.homes[player] = worker
        self.homes.move_to_end(player)
        if len(self.homes) > self.most_homes:
            self.homes.popitem(last=False)

    @asynccontextmanager
    async def worker(self, group: str, player: PlayerKey | None) -> AsyncIterator["Worker"]:
        """Wait for a free worker: the groups take turns, and within one the requests come in order."""
        worker = self.take(player) if self.free else await self.wait(group, player)
        self.thinking += 1
        try:
            yield worker
        finally:
            self.thinking -= 1
            self.give_back(worker)

    def take(self, player: PlayerKey | None) -> "Worker":
        """Take a free worker: the one that keeps a player, or else the one that was used last."""
        home = self.homes.get(player)
        worker = home if home in self.free else self.free[-1]
        self.free.remove(worker)
        return worker

    async def wait(self, group: str, player: PlayerKey | None) -> "Worker":
        """Wait in the queue of a group until a worker is given."""
        waiting = Waiting(player)
        self.queues.setdefault(group, deque()).append(waiting)
        try:
            return await waiting.worker
        except asyncio.CancelledError:
            if waiting.worker.done() and not waiting.worker.cancelled():
                self.give_back(waiting.worker.result())
            raise

    def give_back(self, worker: "Worker") -> None:
        """Give a worker to the next request that still waits, or leave it free; a group that was served goes to the end of the round."""
        while self.queues:
            group = self.next_group(worker)
            queue = self.queues.pop(group)
            waiting = queue.popleft()
            if queue:
                self.queues[group] = queue
            if not waiting.worker.done():
                waiting.worker.set_result(worker)
                return
        self.free.append(worker)

    def regroup(self, table: str, group: str, other: str) -> None:
        """Move the waiting requests of a table to another group, when its first visitor after a restart is known."""
        moved = [waiting for waiting in self.queues.get(group, ()) if waiting.player is not None and waiting.player[0] == table]
        if not moved:
            return
        kept = deque(waiting for waiting in self.queues.pop(group) if waiting not in moved)
        if kept:
            self.queues[group] = kept
        self.queues.setdefault(other, deque()).extend(moved)

    def next_group(self, worker: "Worker") -> str:
        """Return the first group whose next player no other worker keeps; if every other worker keeps one, the first group."""
        groups = (group for group, queue in self.queues.items() if self.homes.get(queue[0].player, worker) is worker)
        return next(groups, next(iter(self.queues)))

    async def close(self) -> None:
        """End every worker that is free; those in use end when their request is cancelled."""
        while self.free:
            await self.free.pop().close()


class Worker:
    """One process, started when it is first asked."""

    def __init__(self) -> None:
        """Start nothing yet."""
        self.process: asyncio.subprocess.Process | None = None

    @property
    def running(self) -> bool:
        """Whether the process runs."""
        return self.process is not None and self.process.returncode is None

    async def ask(self, request: MoveRequest, seed: int, seconds: float) -> str:
        """Return the token that the process answers."""
        await self.start()
        assert self.process is not None
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        sent = Request(seed, request.seat, request.level, seconds, write_record(request.state), request.judged)
        self.process.stdin.write(msgspec.json.encode(sent) + b"\n")
        await self.process.stdin.drain()
        line = await self.process.stdout.readline()
        if not line:
            raise EOFError("the process ended")
        return line.decode().strip()

    async def start(self) -> None:
        """Start the process, unless it runs; it knows where the package is, and nothing else of this process."""
        if self.running:
            return
        environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ} | ALLOCATION
        if "PYTHONPATH" in environment:
            environment["PYTHONPATH"] = os.pathsep.join(os.path.abspath(path) for path in environment["PYTHONPATH"].split(os.pathsep))
        self.process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tablee.web.engine_worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=environment,
            cwd=os.sep,
            limit=LONGEST_LINE,
        )

    async def close(self) -> None:
        """End the process."""
        process, self.process = self.process, None
        if process is None or process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def player_seed(secret: bytes, player: PlayerKey) -> int:
    """Return the seed of a player: the same in every worker, and not to be guessed without the secret."""
    table, seat, level = player
    digest = blake2b(f"{table} {seat} {level}".encode(), key=secret, digest_size=SEED_BYTES).digest()
    return int.from_bytes(digest)
