"""The socket of a table: a whole view down, then what changes; commands up. A slow reader gets one change for all it missed, or a whole view."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from tablee.core.errors import TableeError
from tablee.locale import words as door_words
from tablee.locale.errors import in_language
from tablee.store.log import StoreError
from tablee.tables.commands import Command, Unreadable
from tablee.tables.refused import Refused
from tablee.tables.tokens import TOKEN
from tablee.web.allowances import Allowances, TooMany, Unlimited, holder_of, sender, senders
from tablee.web.house import House, NoTable
from tablee.web.line import EXTENSION, Line, PlainLine
from tablee.web.live import Live
from tablee.web.socket_messages import Hello, Ping, read_frame
from tablee.web.table_view import Listener
from tablee.web.visitors import read_visitor

HELLO_SECONDS = 10.0
MOST_REPLIES = 64
MOST_WAITING = 32
MOST_BAD = 20
PING_BYTES = 64
FRAMES_A_SECOND, BURST = 20.0, 60.0
NO_TABLE, NOT_ALLOWED, TOO_MANY, TOO_SLOW, BAD_FRAMES, FLOOD, TRY_LATER = 4404, 4403, 4429, 4408, 4400, 4429, 1013

log = logging.getLogger("tablee.socket")


class Sockets:
    """All listeners at sockets, with a limit for each address."""

    def __init__(self, house: House, allowances: Allowances | Unlimited, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin empty; `clock` measures how fast each connection sends."""
        self.house = house
        self.allowances = allowances
        self.clock = clock

    async def serve(self, websocket: WebSocket, table_id: str) -> None:
        """Let a page or a program in, and hand its line over to a `Connection`."""
        who = sender(websocket.scope)
        held = websocket.scope.get("extensions", {}).get(EXTENSION)
        await websocket.accept()
        try:
            self.allowances.enter(who)
            try:
                line = held or PlainLine(websocket)
                connection = await self.connect(websocket, table_id, line)
            except BaseException:
                self.allowances.leave(who)
                raise
            if held is None:
                await line.run(connection)
            else:
                held.hand_over(connection)
        except TooMany:
            await websocket.close(TOO_MANY)
        except NoTable:
            await websocket.close(NO_TABLE)
        except StoreError:
            await websocket.close(TRY_LATER)
        except (WebSocketDisconnect, OSError, RuntimeError):
            pass  # gone: the page comes back by itself

    async def connect(self, websocket: WebSocket, table_id: str, line: Line) -> "Connection":
        """Return the connection of a visitor to a table."""
        live = await self.house.live(table_id, sender(websocket.scope))
        visitor = read_visitor(websocket)
        listener = Listener(visitor.actor(live.table.match.id), visitor.language)
        return Connection(self, live, line, listener, senders(websocket.scope))


class Connection:
    """One connection. Nothing of it waits: the line calls it when a message comes, the table when something has changed."""

    __slots__ = (
        "allowance",
        "bad",
        "busy",
        "counted",
        "greeting",
        "house",
        "line",
        "listener",
        "live",
        "loop",
        "miscounted",
        "replies",
        "senders",
        "shut_out",
        "sockets",
        "stale",
        "waiting",
        "woken",
    )

    def __init__(self, sockets: Sockets, live: Live, line: Line, listener: Listener, senders: tuple[str, ...]) -> None:
        """Wait for the greeting; `senders` are the address and the holders that changes count against."""
        self.sockets = sockets
        self.house = sockets.house
        self.live = live
        self.line = line
        self.listener = listener
        self.senders = senders
        self.loop = line.loop
        self.replies: list[bytes] = []
        self.waiting: deque[bytes] | None = None
        self.stale = self.miscounted = self.busy = self.woken = self.shut_out = False
        self.bad = 0
        self.allowance, self.counted = BURST, self.sockets.clock()
        self.greeting: asyncio.TimerHandle | None = self.loop.call_later(HELLO_SECONDS, line.hang_up)

    # What the line tells.

    def heard(self, frame: bytes) -> None:
        """Take a message; each is answered before the next is read."""
        if not self.in_measure():
            self.line.close(FLOOD)
        elif self.busy and not is_ping(frame):
            self.waiting = self.waiting or deque()
            self.waiting.append(frame)
            if len(self.waiting) > MOST_WAITING:
                self.line.close(FLOOD)
        else:
            self.take(frame)

    def drained(self) -> None:
        """Continue to write."""
        self.wake()

    def gone(self) -> None:
        """Listen no more."""
        self.sockets.allowances.leave(self.senders[0])
        if self.greeting is not None:
            self.greeting.cancel()
        elif self.changed in self.live.listeners:
            self.live.listeners.discard(self.changed)
            del self.live.sockets[self.recounted]
            self.live.count_soon()

    # What the table tells.

    def changed(self) -> None:
        """Remember that the table has changed; the change is sent when the line is free."""
        self.stale = True
        self.wake()

    def recounted(self) -> None:
        """Remember that another number of people watch."""
        self.miscounted = True
        self.wake()

    # Messages.

    def take(self, frame: bytes) -> None:
        """Handle a message, or begin to."""
        try:
            message = read_frame(frame)
        except Unreadable as error:
            self.spoiled(str(error))
            return
        match message:
            case Ping():
                self.reply({"t": "pong"})
            case Hello():
                self.greet(message)
            case _ if self.greeting is not None:
                self.spoiled("expected hello first")
            case _:
                self.busy = True  # the answer first, then the view that follows from it
                self.loop.create_task(self.obey(message))  # what it waits for holds it

    def spoiled(self, wrong: str) -> None:
        """Say why a message cannot be read; close the connection after too many of them."""
        self.bad += 1
        seq = None if self.greeting is not None else self.live.table.seq
        self.reply({"t": "no", "move_id": None, "code": "unreadable", "text": wrong} | ({} if seq is None else {"seq": seq}))
        if self.bad > MOST_BAD:
            self.line.close(BAD_FRAMES)

    def greet(self, hello: Hello) -> None:
        """Begin to listen, or ask for a whole view."""
        if self.greeting is None:
            self.listener.forget()
            self.changed()
            return
        self.greeting.cancel()
        self.greeting = None
        if hello.language:
            self.listener.language = hello.language
        if hello.tokens:
            shown = tuple(token for token in hello.tokens if TOKEN.fullmatch(token))
            self.listener.actor = replace(self.listener.actor, tokens=(*shown, *self.listener.actor.tokens))
            self.senders = tuple(dict.fromkeys((*self.senders, *map(holder_of, shown))))
        if self.live.table.may_watch(self.listener.actor):
            self.live.listeners.add(self.changed)
            self.live.sockets[self.recounted] = self.listener.actor
            self.live.count_soon()
        self.changed()

    async def obey(self, command: Command) -> None:
        """Carry out a command and confirm or refuse it to this connection alone; then take the messages that arrived meanwhile."""
        try:
            self.reply(await self.answer(command))
        except Exception:
            log.exception("a command failed")
            self.line.close(TRY_LATER)
        self.busy = False
        self.wake()
        while self.waiting and not self.busy:
            self.take(self.waiting.popleft())

    async def answer(self, command: Command) -> dict[str, object]:
        """Carry out a command and return the answer."""
        language, seq, move_id = self.listener.language, self.live.table.seq, command.move_id
        if not await self.sockets.allowances.change(*self.senders):
            return refusal_fields(Refused("limit", "no more changes"), move_id, language, seq)
        try:
            await self.house.carry_out(self.live, command, self.listener.actor)
        except StoreError:
            return {"t": "no", "move_id": move_id, "code": "store", "text": door_words(language)("no store"), "seq": seq}
        except Refused as error:
            return refusal_fields(error, move_id, language, self.live.table.seq)
        except TableeError as error:
            return {"t": "no", "move_id": move_id, "code": "unreadable", "text": in_language(str(error), language), "seq": self.live.table.seq}
        answered = self.live.table.answer_of(move_id) if move_id else None
        seq, digest = (answered.seq, answered.hash) if answered else (self.live.table.seq, self.live.table.hash)
        return {"t": "ok", "move_id": move_id, "seq": seq, "hash": digest}

    def in_measure(self) -> bool:
        """Return whether this connection keeps its limit of messages."""
        now = self.sockets.clock()
        self.allowance = min(BURST, self.allowance + (now - self.counted) * FRAMES_A_SECOND) - 1
        self.counted = now
        return self.allowance >= 0

    # Writing.

    def reply(self, fields: dict[str, object]) -> None:
        """Send a message to this connection alone, before the next view; disconnect a client that reads too slowly."""
        self.replies.append(msgspec.json.encode(fields))
        if len(self.replies) > MOST_REPLIES:
            self.line.close(TOO_SLOW)
        self.wake()

    def wake(self) -> None:
        """Write soon, so that messages made together are sent together."""
        if not self.woken:
            self.woken = True
            self.loop.call_soon(self.write)

    def write(self) -> None:
        """Send the replies, and what changed if the table has, once the line is free."""
        self.woken = False
        if self.line.full:
            return
        frames, self.replies = self.replies, []
        if not self.busy and (frame := self.news()):
            frames.append(frame)
        if frames:
            self.line.write(frames)
        if self.shut_out:
            self.line.close(NOT_ALLOWED)

    def news(self) -> bytes | None:
        """Return what changed since the last time, or None."""
        if self.stale:
            self.stale = self.miscounted = False
            try:
                return self.listener.frame(self.live, self.house.clock())
            except Refused as error:
                self.shut_out = True
                return msgspec.json.encode(refusal_fields(error, None, self.listener.language, self.live.table.seq))
        if self.miscounted and self.listener.seq == self.live.table.seq:
            self.miscounted = False
            return self.listener.count_frame(self.live)
        return None


def is_ping(frame: bytes) -> bool:
    """Return whether a message is a sign of life (`ping`), which is answered at once, also while a hint is awaited."""
    try:
        return len(frame) <= PING_BYTES and isinstance(read_frame(frame), Ping)
    except Unreadable:
        return False


def refusal_fields(error: Refused, move_id: str | None, language: str, seq: int) -> dict[str, object]:
    """Return a refusal as a message."""
    return {
        "t": "no",
        "move_id": move_id,
        "code": error.code,
        "text": error.plainly(language),
        "paragraphs": list(error.paragraphs),
        "cells": list(error.cells),
        "seq": seq,
    }
