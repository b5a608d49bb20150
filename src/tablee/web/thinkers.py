"""Computer players at work: a few rooms (processes), a fair line before them, a hard deadline for each answer.

No more than cores but one think at once, so that people are never kept waiting; whoever opens many tables gets no more than
his turn. A room that does not answer is closed and replaced.
"""

import asyncio
import json
import logging
import os
import secrets
import sys
from collections import deque
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
    """The rooms and the line before them."""

    def __init__(self, rooms: int, seconds: float, metrics: Metrics) -> None:
        """Prepare; a room is opened when it is first needed."""
        self.seconds = seconds
        self.metrics = metrics
        self.free = [Room() for _ in range(rooms)]
        self.lines: dict[str, deque[asyncio.Future[Room]]] = {}
        self.thinking = 0
        metrics.gauges["thinking"] = lambda: self.thinking
        metrics.gauges["thinkers_waiting"] = lambda: sum(len(line) for line in self.lines.values())

    async def answer(self, question: Question, group: str) -> str | None:
        """Return the token a player chooses, or None if no room gave one in time; each group waits in a line of its own."""
        async with self.room(group) as room:
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

    async def warm(self) -> None:
        """Open a room before anybody needs it."""
        async with self.room("") as room:
            if not room.open:
                room.process = await start()

    @asynccontextmanager
    async def room(self, group: str) -> AsyncIterator["Room"]:
        """Wait for a free room: the groups take turns, and within one who came first goes first."""
        room = self.free.pop() if self.free else await self.wait(group)
        self.thinking += 1
        try:
            yield room
        finally:
            self.thinking -= 1
            self.give_back(room)

    async def wait(self, group: str) -> "Room":
        """Stand in the line of a group until a room is given."""
        turn: asyncio.Future[Room] = asyncio.get_running_loop().create_future()
        self.lines.setdefault(group, deque()).append(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.give_back(turn.result())
            raise

    def give_back(self, room: "Room") -> None:
        """Give a room to the next group's first, and put that group at the end of the round."""
        while self.lines:
            group = next(iter(self.lines))
            line = self.lines.pop(group)
            turn = line.popleft()
            if line:
                self.lines[group] = line
            if not turn.done():
                turn.set_result(room)
                return
        self.free.append(room)

    async def close(self) -> None:
        """Close every room that nobody uses; those in use close when their question is cancelled."""
        while self.free:
            await self.free.pop().close()


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
