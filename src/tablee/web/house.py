"""The house: every table that is being played at, and the one way anything happens at one.

A command is judged by the table, written to the log and committed, then applied, then confirmed, and only then told to those
who listen: one command at a time a table. The log is the truth; what is in memory can be thrown away at any moment.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field

from tablee.core.errors import TableeError
from tablee.core.record import write_record
from tablee.core.state import State
from tablee.store.log import Log, Stale, StoreError, UnknownTable
from tablee.tables.commands import Answer, Command, Expire, Hint, Play, Resume, Start, Tick
from tablee.tables.door import handle
from tablee.tables.events import Event
from tablee.tables.opening import Opening, open_rematch
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.tokens import HOST, Actor
from tablee.tables.values import OVER, PLAYING, PROGRAM, WAITING
from tablee.web.metrics import Metrics
from tablee.web.thinkers import Question, Thinkers

BEAT_SECONDS = 2.0
FORGOTTEN_SECONDS = 90 * 86400.0
MOST_TABLES = 2000

log = logging.getLogger("tablee.house")


class NoTable(TableeError):
    """There is no table of that name."""


@dataclass(eq=False)
class Live:
    """A table in memory, with those who listen to it and what is under way for it."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    listeners: set[Callable[[], None]] = field(default_factory=set)
    thinking: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None
    views: dict[tuple[object, ...], bytes] = field(default_factory=dict)
    sender: str = ""

    @property
    def group(self) -> str:
        """Who waits in line for a computer player: whoever opened the table, if that is known, so that many tables are one turn."""
        return self.sender or self.table.id

    def tell(self) -> None:
        """Wake everybody who listens; each then looks at the table with his own eyes."""
        self.views.clear()
        for wake in list(self.listeners):
            wake()


class House:
    """All tables, one log, and the computer players."""

    def __init__(self, store: Log, thinkers: Thinkers, metrics: Metrics, grace: float = 2.0, clock: Callable[[], float] = time.time) -> None:
        """Open the doors over a log."""
        self.store = store
        self.thinkers = thinkers
        self.metrics = metrics
        self.grace = grace
        self.clock = clock
        self.lives: dict[str, Live] = {}
        self.loading: dict[str, asyncio.Task[Live]] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.closing = False
        self.lag = 0.0
        self.alive_until: float | None = None
        metrics.gauges["tables"] = lambda: len(self.lives)
        metrics.gauges["listeners"] = lambda: sum(len(live.listeners) for live in self.lives.values())

    async def wake(self) -> None:
        """After a restart: load every game that is not over, count no time while the house was away, and let programs go on."""
        self.alive_until = await self.store.last_beat()
        self.spawn(self.beat())
        self.spawn(self.wake_tables())

    async def wake_tables(self) -> None:
        """Load what is not over, one after the other, while the house answers already; whoever comes first is served first."""
        for table_id in await self.store.tables(live=True):
            try:
                live = await self.live(table_id)
                if self.clock() - live.table.events[-1].at > FORGOTTEN_SECONDS:
                    await self.do(live, Expire(), HOST)
            except TableeError as error:  # one table that cannot be read must not keep the others waiting
                self.metrics.count("tables_unreadable")
                log.error("a table cannot be read", extra={"facts": {"table": table_id, "error": str(error)[:300]}})
            await asyncio.sleep(0)

    async def beat(self) -> None:
        """Note every few seconds that the house can answer, and how late it is in doing so."""
        loop = asyncio.get_running_loop()
        while not self.closing:
            await self.store.beat(self.clock())
            due = loop.time() + BEAT_SECONDS
            await asyncio.sleep(BEAT_SECONDS)
            self.lag = max(0.0, loop.time() - due)

    async def open(self, opening: Opening, commands: list[tuple[Command, Actor]], sender: str = "") -> Live:
        """Create a table together with what its opener does at once, in one transaction."""
        table = Table.from_events(opening.events, opening.secret)
        events = list(opening.events)
        for command, actor in commands:
            outcome = handle(table, command, actor, self.clock())
            table = outcome.table
            events += outcome.events
        await self.store.create(opening.table, events, opening.secret)
        self.metrics.count("tables_opened")
        live = self.lives[opening.table] = Live(table, sender=sender)
        self.care(live)
        return live

    async def live(self, table_id: str) -> Live:
        """Return a table, from memory or from the log."""
        found = self.lives.get(table_id)
        if found is not None:
            return found
        task = self.loading.get(table_id)
        if task is None:
            task = self.loading[table_id] = asyncio.ensure_future(self.load(table_id))
            task.add_done_callback(lambda _: self.loading.pop(table_id, None))
        return await asyncio.shield(task)

    async def load(self, table_id: str) -> Live:
        """Fold a table out of its log."""
        try:
            table = Table.from_events(await self.store.events(table_id), await self.store.secret(table_id))
        except UnknownTable as error:
            raise NoTable(str(error)) from error
        self.make_room()
        live = Live(table)
        if table.clock and self.alive_until is not None:
            await self.commit(live, Resume(self.alive_until), HOST)
        self.lives[table_id] = live
        self.care(live)
        return live

    async def read_anew(self, live: Live) -> None:
        """Fold a table out of its log again: something was erased beside it, or the outcome of a write is not known."""
        live.table = Table.from_events(await self.store.events(live.table.id), await self.store.secret(live.table.id))
        live.table.awake = True

    def make_room(self) -> None:
        """Forget finished tables that nobody looks at, once there are very many; the log keeps them."""
        if len(self.lives) < MOST_TABLES:
            return
        for name, live in list(self.lives.items()):
            if live.table.phase == OVER and not live.listeners and not live.lock.locked():
                del self.lives[name]

    async def refresh(self, live: Live) -> None:
        """Read a table anew after something beside its log was erased, and tell those who listen."""
        async with live.lock:
            await self.read_anew(live)
        live.tell()

    async def do(self, live: Live, command: Command, actor: Actor) -> list[Event]:
        """Let a command happen; whoever asked may be gone before it is done, and it is done all the same."""
        task = asyncio.ensure_future(self.commit(live, command, actor))
        return await asyncio.shield(task)

    async def commit(self, live: Live, command: Command, actor: Actor) -> list[Event]:
        """Judge, write, take over what was written, then tell."""
        async with live.lock:
            outcome = handle(live.table, command, actor, self.clock())
            if outcome.events:
                try:
                    await self.store.append(live.table.id, outcome.events)
                except StoreError as error:  # the outcome is not known, or somebody else wrote: only the log can tell
                    await self.read_anew(live)
                    if not isinstance(error, Stale) and (command.move_id is None or live.table.answer_of(command.move_id) is None):
                        raise
                    outcome = handle(live.table, command, actor, self.clock())
                    await self.store.append(live.table.id, outcome.events)
                live.table = outcome.table
                if live.table.next and live.table.next not in self.lives:
                    await self.watched(self.lay_next(live))  # before anybody is told to go there
        if outcome.events:
            self.metrics.count("commits")
            live.tell()
            self.care(live)
        return outcome.events

    # What the house does by itself.

    def care(self, live: Live) -> None:
        """Do what follows from the table as it stands: let programs play and answer, start, watch the clock, lay the next table."""
        if self.closing:
            return
        table = live.table
        if live.timer:
            live.timer.cancel()
            live.timer = None
        if table.phase == WAITING and all(seat.player != "nobody" for seat in table.seats):
            self.later(live, self.grace, self.start)
        elif table.phase == PLAYING:
            if program_to_act(table) is not None and (live.thinking is None or live.thinking.done()):
                live.thinking = self.spawn(self.think(live))
            if "draw" in table.asks:
                self.spawn(self.answer_draw(live))
            deadline = table.deadline()
            if deadline is not None:
                self.later(live, max(0.0, deadline - self.clock()) + 0.02, self.tick)
        elif table.next and table.next not in self.lives:
            self.spawn(self.lay_next(live))

    def spawn(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        """Start work that nobody waits for; what it stumbles over is logged."""
        task = asyncio.ensure_future(self.watched(work))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def watched(self, work: Coroutine[object, object, None]) -> None:
        """Log what goes wrong in work that nobody waits for."""
        try:
            await work
        except Refused as error:
            log.info("refused", extra={"facts": {"code": error.code}})
        except Exception:
            self.metrics.count("failures")
            log.exception("the house stumbled")

    def later(self, live: Live, seconds: float, what: Callable[[Live], Coroutine[object, object, None]]) -> None:
        """Do something for a table after a while, unless it changes before."""
        live.timer = asyncio.get_running_loop().call_later(min(seconds, 86400.0), lambda: self.spawn(what(live)))

    async def start(self, live: Live) -> None:
        """Begin although somebody's browser has not contributed to the dice."""
        if live.table.phase == WAITING:
            await self.do(live, Start(), HOST)

    async def tick(self, live: Live) -> None:
        """Look whether somebody's time is up."""
        if not await self.do(live, Tick(), HOST):
            self.care(live)

    async def think(self, live: Live) -> None:
        """Let the programs of a table play as long as it is theirs to act."""
        while (seat := program_to_act(live.table)) is not None and not self.closing:
            state = live.table.state
            assert state is not None
            token = await self.thinkers.answer(Question(write_record(state), seat, live.table.seats[seat].level), live.group)
            if live.table.state is not state or live.table.seats[seat].player != PROGRAM:
                continue
            try:
                await self.do(live, Play(seat, (token or first_legal(state, seat),)), HOST)
            except Refused as error:
                if live.table.state is not state:
                    continue
                log.warning("a program's action was refused", extra={"facts": {"game": live.table.game.slug, "token": token, "error": str(error)}})
                self.metrics.count("thinkers_refused")
                with suppress(Refused):
                    await self.do(live, Play(seat, (first_legal(state, seat),)), HOST)

    async def answer_draw(self, live: Live) -> None:
        """Let each program take a draw where it does not stand better than the others."""
        state, ask = live.table.state, live.table.asks.get("draw")
        if state is None or ask is None:
            return
        standings = [int(state.position.standing(seat)) for seat in range(live.table.game.seats)]
        for seat, one in enumerate(live.table.seats):
            if one.player == PROGRAM and seat not in ask.yes and "draw" in live.table.asks:
                await self.do(live, Answer(seat, "draw", standings[seat] < max(standings)), HOST)

    async def lay_next(self, live: Live) -> None:
        """Create the table of a rematch that everybody agreed to; after a crash it may be there already."""
        try:
            await self.live(live.table.next)
        except NoTable:
            with suppress(Stale):  # somebody else has just laid it
                await self.open(open_rematch(live.table, self.clock()), [], live.sender)

    async def hint(self, live: Live, command: Hint, actor: Actor, level: str) -> list[Event]:
        """Ask a program what it would do, write down that it was asked, and so show it."""
        state = live.table.state
        if state is None or command.seat not in live.table.asked or not live.table.holds(actor, command.seat):
            return await self.do(live, command, actor)  # the table says why not
        token = await self.thinkers.answer(Question(write_record(state), command.seat, level), live.group)
        return await self.do(live, Hint(command.seat, (token or first_legal(state, command.seat),), move_id=command.move_id), actor)

    async def close(self) -> None:
        """Stop what the house does by itself, finish what is being written, and let everybody who listens go."""
        self.closing = True
        for live in self.lives.values():
            if live.timer:
                live.timer.cancel()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for live in list(self.lives.values()):
            async with live.lock:
                live.tell()
        await self.thinkers.close()


def program_to_act(table: Table) -> int | None:
    """Return a seat that a program plays and that may act now."""
    return next((seat for seat in table.asked if table.seats[seat].player == PROGRAM), None)


def first_legal(state: State, seat: int) -> str:
    """Return the first legal action of a seat as a token: what is played when a program has no answer."""
    return state.game.notate(state.legal(seat)[0])
