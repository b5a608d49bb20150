"""Computer players at work: a few rooms (processes), one queue, a hard deadline for each answer.

No more rooms than cores but one think at once, so that people are never kept waiting; each table has at most one question in
the queue, so that whoever opens many tables gets no more than his turn. A room that does not answer is closed and replaced.
"""

import asyncio
import json
import logging
import os
import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from tablee.web.metrics import Metrics

START_SECONDS = 10.0
MARGIN_SECONDS = 3.0
LONGEST_LINE = 1 << 16

log = logging.getLogger("tablee.thinkers")


@dataclass(frozen=True)
class Question:
    """What a player is told: the record of the game so far, his seat, his level. No dice, no tokens, no names."""

    record: str
    seat: int
    level: str


class Thinkers:
    """The rooms and the queue before them."""

    def __init__(self, rooms: int, seconds: float, metrics: Metrics) -> None:
        """Prepare; a room is opened when it is first needed."""
        self.seconds = seconds
        self.metrics = metrics
        self.free: asyncio.Queue[Room] = asyncio.Queue()
        for _ in range(rooms):
            self.free.put_nowait(Room())
        self.waiting = 0
        self.thinking = 0
        metrics.gauges["thinking"] = lambda: self.thinking
        metrics.gauges["thinkers_waiting"] = lambda: self.waiting

    async def answer(self, question: Question) -> str | None:
        """Return the token a player chooses, or None if no room gave one in time."""
        async with self.room() as room:
            try:
                async with asyncio.timeout(self.seconds + MARGIN_SECONDS + (0 if room.open else START_SECONDS)):
                    return await room.ask(question, self.seconds)
            except (TimeoutError, OSError, ValueError, EOFError) as error:
                self.metrics.count("thinkers_failed")
                log.warning("a computer player gave no answer", extra={"facts": {"level": question.level, "error": type(error).__name__}})
                await room.close()
                return None
            except asyncio.CancelledError:
                await room.close()
                raise

    @asynccontextmanager
    async def room(self) -> AsyncIterator["Room"]:
        """Wait for a free room, in the order of coming."""
        self.waiting += 1
        try:
            room = await self.free.get()
        finally:
            self.waiting -= 1
        self.thinking += 1
        try:
            yield room
        finally:
            self.thinking -= 1
            self.free.put_nowait(room)

    async def close(self) -> None:
        """Close every room that nobody uses; those in use close when their question is cancelled."""
        while not self.free.empty():
            await self.free.get_nowait().close()


class Room:
    """One process, opened when it is first asked."""

    def __init__(self) -> None:
        """Stay closed."""
        self.process: asyncio.subprocess.Process | None = None

    @property
    def open(self) -> bool:
        """Whether the process runs."""
        return self.process is not None and self.process.returncode is None

    async def ask(self, question: Question, seconds: float) -> str:
        """Return the answer of the process."""
        if not self.open:
            self.process = await start()
        process = self.process
        if process is None or process.stdin is None or process.stdout is None:
            raise EOFError("the process has no door")
        fields = {"record": question.record, "seat": question.seat, "level": question.level, "seconds": seconds, "seed": secrets.randbits(48)}
        process.stdin.write(json.dumps(fields).encode() + b"\n")
        await process.stdin.drain()
        line = await process.stdout.readline()
        if not line:
            raise EOFError("the process ended")
        token = json.loads(line).get("token")
        if not isinstance(token, str):
            raise ValueError("the process gave no token")
        return token

    async def close(self) -> None:
        """End the process."""
        process, self.process = self.process, None
        if process is None or process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def start() -> asyncio.subprocess.Process:
    """Start a process that knows where the package is, and nothing else of this one."""
    kept = ("PATH", "PYTHONPATH", "PYTHONHOME", "SYSTEMROOT", "LD_LIBRARY_PATH")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    if "PYTHONPATH" in environment:
        environment["PYTHONPATH"] = os.pathsep.join(os.path.abspath(one) for one in environment["PYTHONPATH"].split(os.pathsep))
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tablee.web.thinking",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=environment,
        cwd=os.sep,
        limit=LONGEST_LINE,
    )
