"""The computer players of several processes and hosts as one: requests wait in the database, and a free player takes the next one.

A house puts its requests there and takes as many as it has workers; `tablee players` only takes. Without the database a house asks
its own workers. The workers are those of `EnginePool`: in processes of their own, without database or secrets.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Coroutine
from contextlib import suppress

import msgspec

from tablee import catalog
from tablee.core.errors import TableeError
from tablee.core.record import read_record, write_record
from tablee.store.log import StoreError
from tablee.store.postgres_thoughts import ASKED, HOME_SECONDS, Answered, Thought, Thoughts
from tablee.web.engine_pool import MARGIN_SECONDS, EnginePool, MoveRequest, PlayerKey
from tablee.web.metrics import Metrics

POLL_SECONDS = 1.0
LOOK_SECONDS = 5.0
# A worker that must be started first takes longer; if its request is taken twice, the first answer counts.
LEASE_SECONDS = 2.0
OLD_SECONDS = 3600.0
MOST_KEPT = 10_000

log = logging.getLogger("tablee.engines")


class Asked(msgspec.Struct, frozen=True):
    """A request as it stands in the queue: what computer players may know, and nothing else."""

    table: str
    seat: int
    level: str
    record: str
    judged: str = ""


class SharedPool(EnginePool):
    """The workers of this process, and the queue that it shares with others."""

    def __init__(self, thoughts: Thoughts, workers: int, seconds: float, metrics: Metrics, secret: bytes) -> None:
        """Prepare; `begin` starts to take and to listen."""
        super().__init__(workers, seconds, metrics, secret)
        self.thoughts = thoughts
        self.workers = workers
        self.lease = seconds + MARGIN_SECONDS + LEASE_SECONDS
        self.asked: dict[int, asyncio.Future[Answered | None]] = {}
        self.keepers: OrderedDict[PlayerKey, str] = OrderedDict()
        self.called, self.answered = asyncio.Event(), asyncio.Event()
        self.tasks: set[asyncio.Task[None]] = set()
        metrics.gauges["engines_asked"] = lambda: len(self.asked)

    def begin(self) -> None:
        """Listen, take what is asked, and collect the answers."""
        for work in (self.listen(), self.collect(), *([self.take_on()] if self.workers else [])):
            self.spawn(work)

    def spawn(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Start work that goes on by itself."""
        task = asyncio.ensure_future(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    # Asking.

    async def answer(self, request: MoveRequest) -> str | None:
        """Return the token that a player chooses, wherever it thinks, or None if none gave one in time."""
        sent = Asked(request.table, request.seat, request.level, write_record(request.state), request.judged)
        while True:
            try:
                keeper = self.keepers.get(request.player, "")
                number = await self.thoughts.ask(request.group, request.table, keeper, msgspec.json.encode(sent).decode())
            except StoreError:
                if self.workers:
                    return await super().answer(request)
                await asyncio.sleep(POLL_SECONDS)
                continue
            answered = await self.wait_for(number)
            if answered is not None:
                self.keep(request.player, answered.taker)
                return answered.text or None

    async def wait_for(self, number: int) -> Answered | None:
        """Wait for the answer to a request; None if the queue was lost with the server."""
        future: asyncio.Future[Answered | None] = asyncio.get_running_loop().create_future()
        self.asked[number] = future
        try:
            return await future
        except asyncio.CancelledError:
            with suppress(TableeError):
                await asyncio.shield(self.spawn(self.give_up(number)))
            raise
        finally:
            self.asked.pop(number, None)

    async def give_up(self, number: int) -> None:
        """Take a request back, if the database answers."""
        with suppress(StoreError):
            await self.thoughts.give_up(number)

    def keep(self, player: PlayerKey, taker: str) -> None:
        """Remember which process keeps a player, and forget the least recently used player."""
        self.keepers[player] = taker
        self.keepers.move_to_end(player)
        if len(self.keepers) > MOST_KEPT:
            self.keepers.popitem(last=False)

    def regroup(self, table: str, group: str, other: str) -> None:
        """Move what waits for a table from one group to another."""
        super().regroup(table, group, other)
        if self.asked:
            self.spawn(self.move(table, group, other))

    async def move(self, table: str, group: str, other: str) -> None:
        """Move what waits for a table, if the database answers."""
        with suppress(StoreError):
            await self.thoughts.move(table, group, other)

    async def collect(self) -> None:
        """Fetch answers when they are announced, and now and then without."""
        loop, looked = asyncio.get_running_loop(), 0.0
        while True:
            await waited(self.answered, POLL_SECONDS)
            ids = list(self.asked)
            if not ids:
                continue
            try:
                answers: dict[int, Answered | None] = dict(await self.thoughts.answers(ids))
                if loop.time() - looked > LOOK_SECONDS:
                    looked = loop.time()
                    answers |= dict.fromkeys(await self.thoughts.unknown([number for number in ids if number not in answers]))
            except StoreError:
                continue
            for number, answered in answers.items():
                if number in self.asked and not self.asked[number].done():
                    self.asked[number].set_result(answered)

    async def listen(self) -> None:
        """Listen for requests and answers; a broken connection is opened again, and polling replaces it meanwhile."""
        while True:
            with suppress(StoreError):
                async with await self.thoughts.listen() as connection:
                    self.called.set()
                    self.answered.set()
                    async for channel in self.thoughts.notes(connection):
                        (self.called if channel == ASKED else self.answered).set()
            await asyncio.sleep(POLL_SECONDS)

    # Thinking.

    async def take_on(self) -> None:
        """Take the next request whenever a worker is free."""
        free = asyncio.Semaphore(self.workers)
        forgot = 0.0
        while True:
            await free.acquire()
            thought = None
            while thought is None:
                try:
                    thought = await self.next()
                    if (now := asyncio.get_running_loop().time()) - forgot > OLD_SECONDS:
                        forgot = now
                        await self.thoughts.forget_old(OLD_SECONDS)
                except StoreError:
                    await asyncio.sleep(POLL_SECONDS)
            self.spawn(self.think(thought)).add_done_callback(lambda _: free.release())

    async def next(self) -> Thought | None:
        """Take a request, or wait a while: shortly if one waits for the process that keeps its player."""
        self.called.clear()
        thought = await self.thoughts.take(self.lease)
        if thought is None:
            soon = await self.thoughts.waiting()
            await waited(self.called, HOME_SECONDS if soon else POLL_SECONDS)
        return thought

    async def think(self, thought: Thought) -> None:
        """Let a worker of this process answer, and say so."""
        try:
            asked = msgspec.json.decode(thought.request, type=Asked)
            state = read_record(asked.record, catalog.kind)
            request = MoveRequest(asked.table, state, asked.seat, asked.level, thought.line, asked.judged)
            token = await super().answer(request)
        except (TableeError, msgspec.MsgspecError) as error:  # another version of the program, perhaps: the asker plays something legal
            log.error("a request cannot be read", extra={"facts": {"error": str(error)[:300]}})
            token = None
        while True:
            try:
                return await self.thoughts.answer(thought, token or "")
            except StoreError:
                await asyncio.sleep(POLL_SECONDS)

    async def close(self) -> None:
        """Stop listening and taking, and end every worker."""
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        await super().close()


async def waited(event: asyncio.Event, seconds: float) -> None:
    """Wait for an event, at most so long, and clear it."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    event.clear()
