"""The house: every table in play, and the only way to change one.

A command is checked by the table, written to the log and committed, then applied, then confirmed, and only then sent to the
listeners: one command at a time for each table. The log is the truth; what is in memory can be dropped at any moment.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Protocol

from tablee.core.errors import TableeError
from tablee.core.state import State
from tablee.players.levels import MOST
from tablee.store.log import Log, Stale, StoreError, UnknownTable
from tablee.tables.commands import Answer, Command, Expire, Hint, Play, ShowHint, Start, Tick
from tablee.tables.door import Outcome, handle
from tablee.tables.events import Event
from tablee.tables.opening import Opening, open_rematch
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.tokens import HOST, Actor
from tablee.tables.values import Ask, Phase, Sitter
from tablee.web.allowances import holder_of
from tablee.web.deadlines import AHEAD_SECONDS, awaken, postpone, watch_deadlines
from tablee.web.engine_pool import MoveRequest, Players
from tablee.web.house_clock import HouseClock
from tablee.web.live import UNKNOWN, Live
from tablee.web.metrics import Metrics

if TYPE_CHECKING:
    from tablee.web.file_watch import FileWatch

BEAT_SECONDS = 2.0
STAND_IN_SECONDS = 3.0
FORGOTTEN_SECONDS = 90 * 86400.0
# A table that nobody listens to, and for which the house has nothing to do, is dropped from memory after a while; the log keeps it.
IDLE_SECONDS = 120.0
SWEEP_SECONDS = 30.0
LOOK_SECONDS = 3600.0
CHECK_SECONDS = 300.0
TIME_SECONDS = 60.0
# What the house does by itself and the store refuses is tried again: after this long, then twice as long, up to the last.
RETRY_SECONDS, LONGEST_RETRY_SECONDS = 0.2, 10.0

log = logging.getLogger("tablee.house")


class Following(Protocol):
    """What brings the tables of this house up to the log, where other houses write it too."""

    def owns(self, table_id: str) -> bool:
        """Return whether this house looks after a table: its programs and its clock."""

    async def say_due(self, live: Live) -> None:
        """Say when a table is due, if what was said is not so."""


class NoTable(TableeError):
    """There is no table of that name."""


class House:
    """All tables, one log, and the computer players."""

    def __init__(
        self,
        store: Log,
        engines: Players,
        metrics: Metrics,
        grace: float = 2.0,
        clock: Callable[[], float] | None = None,
        watch: "FileWatch | None" = None,
    ) -> None:
        """Open the doors over a log; `watch` looks after its file."""
        self.store = store
        self.watch = watch
        self.trouble = ""
        self.engines = engines
        self.metrics = metrics
        self.grace = grace
        self.clock = clock or HouseClock()
        self.lives: dict[str, Live] = {}
        self.loading: dict[str, asyncio.Task[Live]] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.advising: dict[tuple[str, int, int], asyncio.Future[str | None]] = {}
        self.closing = False
        self.lag = 0.0
        self.alive_until: float | None = None
        self.away = self.woken = 0.0
        self.follow: Following | None = None
        self.may_open: Callable[..., Awaitable[bool]] = unlimited
        metrics.gauges["tables"] = lambda: len(self.lives)
        metrics.gauges["listeners"] = lambda: sum(len(live.listeners) for live in self.lives.values())

    async def wake(self) -> None:
        """After a restart: do not count the outage, and load the tables that need the house; others are loaded on request."""
        self.alive_until = await self.store.last_beat()
        await postpone(self)
        self.spawn(self.beat())
        self.spawn(watch_deadlines(self))
        self.spawn(self.look_after())
        self.spawn(self.sweep())
        if isinstance(self.clock, HouseClock):
            self.spawn(self.keep_time(self.clock))
        if self.watch is not None:
            self.spawn(self.check_pages(self.watch))

    async def look_after(self) -> None:
        """Load the tables that need the house by themselves, while it already answers requests; close those without any activity for long."""
        failures = 0
        while not self.closing:
            try:
                complete = await self.look_once()
            except StoreError as error:
                log.error("the tables cannot be listed", extra={"facts": {"error": str(error)[:300]}})
                complete = False
            failures = 0 if complete else failures + 1
            await asyncio.sleep(LOOK_SECONDS if complete else retry_after(failures))

    async def look_once(self) -> bool:
        """Look after the tables that need the house, and return whether the store gave all of them."""
        complete = True
        for table_id in await self.store.pending(self.clock() - FORGOTTEN_SECONDS):
            try:
                live = await self.live(table_id)
                if self.clock() - live.table.events[-1].at > FORGOTTEN_SECONDS:
                    await self.do(live, Expire(), HOST)
            except Refused:  # another house, or a player, was faster
                continue
            except TableeError as error:  # one table that cannot be read must not keep the others waiting
                complete = complete and not isinstance(error, StoreError)
                self.metrics.count("tables_unreadable")
                log.error("a table cannot be read", extra={"facts": {"table": table_id, "error": str(error)[:300]}})
            await asyncio.sleep(0)
        return complete

    async def sweep(self) -> None:
        """Drop idle tables from memory, again and again."""
        while not self.closing:
            await asyncio.sleep(SWEEP_SECONDS)
            self.drop_idle(IDLE_SECONDS)

    def drop_idle(self, seconds: float) -> None:
        """Drop the tables that have been idle for so long; the log keeps them, and they come back when somebody does."""
        now = time.monotonic()
        for name, live in list(self.lives.items()):
            if now - live.used >= seconds and live.idle:
                del self.lives[name]

    async def beat(self) -> None:
        """Record every few seconds that the house can answer, and its delay; a write that fails is logged and tried again."""
        loop = asyncio.get_running_loop()
        while not self.closing:
            trouble = self.damage
            try:
                await self.store.beat(self.clock())
            except StoreError as error:
                trouble = trouble or f"no row can be written: {error}"
            if trouble and trouble != self.trouble:
                self.metrics.count("troubles")
                log.error("the house is in trouble", extra={"facts": {"error": trouble[:300]}})
            self.trouble = trouble
            due = loop.time() + BEAT_SECONDS
            await asyncio.sleep(BEAT_SECONDS)
            self.lag = max(0.0, loop.time() - due)

    async def open(self, opening: Opening, commands: list[tuple[Command, Actor]], senders: Sequence[str] = ()) -> Live:
        """Create a table together with what its opener does at once, in one transaction; it counts against its `senders`."""
        await self.count_table(senders)
        return await self.lay(opening, commands, senders[0] if senders else "")

    async def open_once(self, opening: Opening, commands: list[tuple[Command, Actor]], senders: Sequence[str] = ()) -> Live:
        """Create a table whose name follows from a `move_id`, or return that of an earlier request; raise `Refused` if its terms were different."""
        try:
            live = await self.live(opening.table)
        except NoTable:
            try:
                return await self.open(opening, commands, senders)
            except Stale:  # the earlier request was faster
                live = await self.live(opening.table)
        asked, there = (dict(events[0].payload) | {"commitment": ""} for events in (opening.events, live.table.events))
        if asked != there:
            raise Refused("again", "no again")
        return live

    async def count_table(self, senders: Sequence[str]) -> None:
        """Count a new table, whichever way it is opened; raise `Refused` if one of its senders has opened too many."""
        if senders and not await self.may_open(*senders):
            raise Refused("limit", "no more tables")

    async def lay(self, opening: Opening, commands: list[tuple[Command, Actor]], sender: str) -> Live:
        """Create a table that has been counted."""
        table = Table.from_events(opening.events, opening.secret)
        events = list(opening.events)
        for command, actor in commands:
            outcome = handle(table, command, actor, self.clock())
            table = outcome.table
            events += outcome.events
        self.check_file()
        try:
            await self.store.create(opening.table, events, opening.secret, table.deadline())
        except StoreError as error:
            self.failed(opening.table, error)
            raise
        self.metrics.count("tables_opened")
        live = self.lives.get(opening.table)  # a follower of the ledger may have been faster
        if live is None:
            live = self.lives[opening.table] = Live(table, sender=sender)
            self.care(live)
        live.sender = live.sender or sender
        return live

    async def keep_time(self, clock: HouseClock) -> None:
        """Follow the clock of the database, where there is one: otherwise the clocks of several houses would drift apart."""
        while not self.closing:
            await asyncio.sleep(TIME_SECONDS)
            asked = time.monotonic()
            try:
                now = await self.store.time()
            except StoreError:
                continue
            if now is not None:
                clock.follow(now + (time.monotonic() - asked) / 2)

    @property
    def damage(self) -> str:
        """What is wrong with the file of the house, or ""."""
        return self.watch.trouble() if self.watch else ""

    async def check_pages(self, watch: "FileWatch") -> None:
        """Read all pages of the file, now and then."""
        while not self.closing:
            await asyncio.to_thread(watch.check)
            await asyncio.sleep(CHECK_SECONDS)

    def check_file(self) -> None:
        """Raise if the file was moved or deleted, so that a write would be lost."""
        if self.damage:
            raise StoreError(self.damage)

    def failed(self, table_id: str, error: StoreError) -> None:
        """Log a commit that failed; `Stale` (somebody else was faster) is no failure."""
        if not isinstance(error, Stale):
            self.metrics.count("commits_failed")
            log.error("a commit failed", extra={"facts": {"table": table_id, "error": str(error)[:300]}})

    async def live(self, table_id: str, sender: str = "") -> Live:
        """Return a table, from memory or from the log; `sender` is the visitor who asks for it."""
        live = self.lives.get(table_id)
        if live is None:
            live = await self.loaded(table_id)
        elif self.follow is not None:
            await self.catch_up(live)
        live.used = time.monotonic()
        if sender and not live.sender:
            live.sender = sender
            self.engines.regroup(table_id, UNKNOWN, sender)
        return live

    async def loaded(self, table_id: str) -> Live:
        """Load a table once, however many ask for it."""
        task = self.loading.get(table_id)
        if task is None:
            task = self.loading[table_id] = asyncio.ensure_future(self.load(table_id))
            task.add_done_callback(lambda _: self.loading.pop(table_id, None))
        return await asyncio.shield(task)

    async def load(self, table_id: str) -> Live:
        """Load a table from its log."""
        try:
            table = Table.from_events(await self.store.events(table_id), await self.store.secret(table_id))
        except UnknownTable as error:
            raise NoTable(str(error)) from error
        live = Live(table, ledger_seq=table.seq)
        await awaken(self, live)
        if table_id in self.lives:  # it was opened here meanwhile
            return self.lives[table_id]
        self.lives[table_id] = live
        self.care(live)
        return live

    async def read_anew(self, live: Live) -> None:
        """Load a table from its log again: an aside was erased, or the outcome of a write is unknown."""
        live.table = Table.from_events(await self.store.events(live.table.id), await self.store.secret(live.table.id))
        live.table.awake = True
        live.news.forget()

    async def catch_up(self, live: Live) -> bool:
        """Take in what other houses have written to a table, tell its listeners, and return whether there was anything."""
        async with live.lock:
            events = await self.store.events(live.table.id, live.table.seq + 1)
            if events:
                table = live.table.fork()
                for event in events:
                    table.fold(event)
                table.awake = True
                live.table = table
        if events:
            live.tell()
            self.care(live)
        return bool(events)

    async def refresh(self, live: Live) -> None:
        """Load a table again after an aside was erased, and wake its listeners."""
        async with live.lock:
            await self.read_anew(live)
        live.tell()

    async def do(self, live: Live, command: Command, actor: Actor) -> list[Event]:
        """Carry out a command; it is completed even if the sender disconnects before."""
        return await asyncio.shield(asyncio.ensure_future(self.carry_out(live, command, actor)))

    async def carry_out(self, live: Live, command: Command, actor: Actor) -> list[Event]:
        """Carry out a command, in a task that is never cancelled."""
        if isinstance(command, Hint):
            return await self.hint(live, command, actor)
        return await self.commit_on_the_log(live, command, actor)

    async def commit_on_the_log(self, live: Live, command: Command, actor: Actor) -> list[Event]:
        """Commit; where other houses write too, a command is refused only by the table as the log has it."""
        before = live.table.seq
        try:
            return await self.commit(live, command, actor)
        except Refused:
            if self.follow is None:
                raise
            await self.catch_up(live)
            if live.table.seq == before:
                raise
            return await self.commit(live, command, actor)

    async def commit(self, live: Live, command: Command, actor: Actor) -> list[Event]:
        """Check a command, write its events, apply them, then wake the listeners."""
        before = live.table.seq
        try:
            async with live.lock:
                before = live.table.seq
                outcome = handle(live.table, command, actor, self.clock())
                if outcome.events:
                    await self.write(live, command, actor, outcome)
        finally:
            if live.table.seq != before:  # also after an error: the log was read, and had more than was known
                live.failures = 0
                live.tell()
                self.care(live)
        if outcome.events:
            self.metrics.count("commits")
        return outcome.events

    async def write(self, live: Live, command: Command, actor: Actor, outcome: Outcome) -> None:
        """Write what follows from a command, and apply it."""
        if outcome.table.next and not live.table.next:
            await self.count_table([who for who in (live.sender, *map(holder_of, actor.tokens)) if who])
        self.check_file()
        try:
            await self.store.append(live.table.id, outcome.events, outcome.table.deadline())
        except StoreError as error:  # the outcome is unknown, or somebody else wrote: read the log
            self.failed(live.table.id, error)
            await self.read_anew(live)
            if not isinstance(error, Stale) and (command.move_id is None or live.table.answer_of(command.move_id) is None):
                raise
            outcome = handle(live.table, command, actor, self.clock())
            await self.store.append(live.table.id, outcome.events, outcome.table.deadline())
        live.table = outcome.table
        for event in outcome.events:
            event.forget_text()
        if live.table.next and live.table.next not in self.lives:
            await self.watched(self.lay_next(live), live)  # before anybody is sent there

    # What the house does by itself.

    def care(self, live: Live) -> None:
        """Do what follows from the table as it stands: let programs play and answer, start, watch the clock, lay the next table."""
        if self.closing:
            return
        for timer in (live.timer, live.retry):
            if timer:
                timer.cancel()
        live.timer = live.retry = None
        if self.owns(live):
            self.attend(live)
        else:  # another house does; if nothing has happened after a while, this one does
            self.later(live, STAND_IN_SECONDS, self.stand_in)

    def owns(self, live: Live) -> bool:
        """Return whether this house is the one that looks after a table."""
        return self.follow is None or self.follow.owns(live.table.id)

    async def stand_in(self, live: Live) -> None:
        """Look after a table that belongs to another house, because that house does not act."""
        live.timer = None
        self.attend(live)

    def attend(self, live: Live) -> None:
        """Let programs play and answer, start, watch the clock, lay the next table."""
        table = live.table
        if table.phase == Phase.WAITING and all(seat.player != Sitter.NOBODY for seat in table.seats):
            self.later(live, self.grace, self.start)
        elif table.phase == Phase.PLAYING:
            if program_to_act(table) is not None and (live.thinking is None or live.thinking.done()):
                live.thinking = self.spawn(self.think(live), live)
            if Ask.DRAW in table.asks:
                self.spawn(self.answer_draw(live), live)
            deadline = table.deadline()
            if deadline is not None and (left := deadline - self.clock()) < AHEAD_SECONDS:  # later ones are in the index of deadlines
                self.later(live, max(0.0, left) + 0.02, self.tick)
        elif table.next and table.next not in self.lives:
            self.spawn(self.lay_next(live), live)

    def spawn(self, work: Coroutine[object, object, None], live: Live | None = None) -> asyncio.Task[None]:
        """Start work that nobody waits for; its errors are logged, and what a table needs is tried again."""
        task = asyncio.ensure_future(self.watched(work, live))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    async def watched(self, work: Coroutine[object, object, None], live: Live | None = None) -> None:
        """Log the errors of work that nobody waits for; after an error the house looks after the table again."""
        try:
            await work
        except Refused as error:
            log.info("refused", extra={"facts": {"code": error.code}})
        except Exception as error:
            if live is not None:
                self.try_again(live)
            if isinstance(error, StoreError):
                log.warning("the store failed the house", extra={"facts": {"table": live.table.id if live else "", "error": str(error)[:300]}})
                return
            self.metrics.count("failures")
            log.exception("the house stumbled")

    def try_again(self, live: Live) -> None:
        """Look after a table again in a while, longer after each failure in a row: nothing else might ever do it."""
        if self.closing or live.retry is not None:
            return
        live.failures += 1
        live.retry = asyncio.get_running_loop().call_later(retry_after(live.failures), self.care, live)

    def later(self, live: Live, seconds: float, what: Callable[[Live], Coroutine[object, object, None]]) -> None:
        """Do something for a table after a while, unless it changes before."""
        live.timer = asyncio.get_running_loop().call_later(min(seconds, 86400.0), lambda: self.spawn(what(live), live))

    async def start(self, live: Live) -> None:
        """Begin the game, although a browser has not contributed to the dice."""
        if live.table.phase == Phase.WAITING:
            await self.do(live, Start(), HOST)

    async def tick(self, live: Live) -> None:
        """Check whether a seat's time is up."""
        if not await self.do(live, Tick(), HOST):
            self.care(live)

    async def think(self, live: Live) -> None:
        """Let the programs of a table play as long as it is theirs to act."""
        while (seat := program_to_act(live.table)) is not None and not self.closing:
            state = live.table.state
            assert state is not None
            token = await self.engines.answer(MoveRequest(live.table.id, state, seat, live.table.seats[seat].level, live.group))
            if live.table.state is not state or live.table.seats[seat].player != Sitter.PROGRAM:
                continue
            try:
                await self.do(live, Play(seat, tuple((token or first_legal(state, seat)).split()), seq=live.table.seq), HOST)
            except Refused as error:
                if live.table.state is not state:
                    continue
                log.warning("a program's action was refused", extra={"facts": {"game": live.table.game.slug, "token": token, "error": str(error)}})
                self.metrics.count("engines_refused")
                with suppress(Refused):
                    await self.do(live, Play(seat, (first_legal(state, seat),), seq=live.table.seq), HOST)
            if not self.owns(live):
                return  # one action, to help out; the house whose business it is has heard of the table by now

    async def answer_draw(self, live: Live) -> None:
        """Let each program accept a draw unless it stands better than the others."""
        state, ask = live.table.state, live.table.asks.get(Ask.DRAW)
        if state is None or ask is None:
            return
        standings = [int(state.position.standing(seat)) for seat in range(live.table.game.seats)]
        for seat, place in enumerate(live.table.seats):
            if place.player == Sitter.PROGRAM and seat not in ask.yes and Ask.DRAW in live.table.asks:
                await self.do(live, Answer(seat, Ask.DRAW, standings[seat] < max(standings)), HOST)

    async def lay_next(self, live: Live) -> None:
        """Create the table of a rematch that everybody agreed to; after a crash it may be there already."""
        try:
            await self.live(live.table.next)
        except NoTable:
            with suppress(Stale):  # somebody else has just laid it
                await self.lay(open_rematch(live.table, self.clock()), [], live.sender)

    async def hint(self, live: Live, command: Hint, actor: Actor) -> list[Event]:
        """Ask a program for its choice, and write the hint to the log, which shows it."""
        await self.commit_on_the_log(live, command, actor)  # raises if the table refuses it
        state = live.table.state
        if state is None or (command.move_id is not None and live.table.answer_of(command.move_id)):
            return []
        token = await self.advice(live, state, command.seat)
        advised = (token or first_legal(state, command.seat)).split()[0]
        return await self.commit_on_the_log(live, ShowHint(command.seat, (advised,), move_id=command.move_id), actor)

    async def advice(self, live: Live, state: State, seat: int) -> str | None:
        """Return what a program would play; equal questions that are asked at the same time share one search."""
        key = (live.table.id, live.table.seq, seat)
        task = self.advising.get(key)
        if task is None:
            asked = self.engines.answer(MoveRequest(live.table.id, state, seat, MOST, live.group))
            task = self.advising[key] = asyncio.ensure_future(asked)
            task.add_done_callback(lambda _: self.advising.pop(key, None))
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Stop background work, finish pending writes, and disconnect the listeners."""
        self.closing = True
        if self.watch is not None:
            self.watch.close()
        for live in self.lives.values():
            for timer in (live.timer, live.retry, live.counting):
                if timer:
                    timer.cancel()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)
        for live in list(self.lives.values()):
            async with live.lock:
                live.tell()
        await self.engines.close()


async def unlimited(*senders: str) -> bool:
    """Let anybody open tables: where nobody counts them."""
    return True


def retry_after(failures: int) -> float:
    """Return how long to wait after this number of failures in a row."""
    return min(LONGEST_RETRY_SECONDS, RETRY_SECONDS * 2.0 ** min(failures - 1, 30))


def program_to_act(table: Table) -> int | None:
    """Return a seat that a program plays and that may act now."""
    return next((seat for seat in table.asked if table.seats[seat].player == Sitter.PROGRAM), None)


def first_legal(state: State, seat: int) -> str:
    """Return the first legal action of a seat as a token: what is played when a program has no answer."""
    return state.game.notate(state.legal(seat)[0])
