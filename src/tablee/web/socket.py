"""The socket of a table: views down, commands up. A view is whole, so nothing can be missed, and a slow reader skips what is old."""

import asyncio
import logging
import time
from collections import Counter, deque
from dataclasses import replace

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from tablee.core.errors import TableeError
from tablee.core.record import split
from tablee.tables.commands import Play
from tablee.tables.refused import Refused
from tablee.tables.tokens import TOKEN, Actor
from tablee.web.doing import carry_out
from tablee.web.guard import sender
from tablee.web.house import House, Live, NoTable
from tablee.web.messages import AnyUp, DoUp, HelloUp, PingUp, PlayUp, Unreadable, read_frame
from tablee.web.orders import Order
from tablee.web.seen import seen_frame
from tablee.web.visitors import Visitor, read_visitor

HELLO_SECONDS = 10.0
SEND_SECONDS = 20.0
MOST_REPLIES = 64
MOST_BAD = 20
FRAMES_A_SECOND, BURST = 20.0, 60.0
NO_TABLE, TOO_MANY, TOO_SLOW, BAD_FRAMES, FLOOD = 4404, 4429, 4408, 4400, 4429

log = logging.getLogger("tablee.socket")


class Hall:
    """Everybody who listens at a socket; so many an address, and no more."""

    def __init__(self, house: House, most: int) -> None:
        """Begin empty."""
        self.house = house
        self.most = most
        self.guests: Counter[str] = Counter()

    async def serve(self, websocket: WebSocket, table_id: str) -> None:
        """Talk with one page or program until it goes."""
        who = sender(websocket.scope)
        await websocket.accept()
        if self.guests[who] >= self.most:
            await websocket.close(TOO_MANY)
            return
        self.guests[who] += 1
        try:
            live = await self.house.live(table_id)
            await Talk(self.house, live, websocket).run()
        except NoTable:
            await websocket.close(NO_TABLE)
        except (WebSocketDisconnect, OSError, RuntimeError):
            pass  # gone: the page comes back by itself
        finally:
            self.guests[who] -= 1
            if not self.guests[who]:
                del self.guests[who]


class Talk:
    """One connection."""

    def __init__(self, house: House, live: Live, websocket: WebSocket) -> None:
        """Know who it is by his cookie; a program says so in its first message."""
        self.house = house
        self.live = live
        self.websocket = websocket
        self.visitor: Visitor = read_visitor(websocket)
        self.actor: Actor = self.visitor.actor(live.table.match.id)
        self.replies: deque[bytes] = deque()
        self.wake = asyncio.Event()
        self.stale = False
        self.busy = False
        self.bad = 0
        self.allowance, self.counted = BURST, time.monotonic()

    async def run(self) -> None:
        """Read and write until one of both ends."""
        async with asyncio.timeout(HELLO_SECONDS):
            hello = await self.first()
        if hello is None:
            return
        if hello.language:
            self.visitor = replace(self.visitor, language=hello.language)
        if hello.tokens:
            self.actor = Actor((*(token for token in hello.tokens if TOKEN.fullmatch(token)), *self.actor.tokens))
        self.live.listeners.add(self.changed)
        self.changed()
        writer = asyncio.ensure_future(self.write())
        reader = asyncio.ensure_future(self.read())
        try:
            await asyncio.wait((writer, reader), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.live.listeners.discard(self.changed)
            for task in (writer, reader):
                task.cancel()
            await asyncio.gather(writer, reader, return_exceptions=True)

    def changed(self) -> None:
        """Remember that the table has changed; the writer sends the view when the line is free."""
        self.stale = True
        self.wake.set()

    async def first(self) -> HelloUp | None:
        """Return the greeting that a connection begins with."""
        while True:
            match self.understood(await self.frame()):
                case HelloUp() as hello:
                    return hello
                case PingUp():
                    await self.websocket.send_text('{"t":"pong"}')
                case _:
                    await self.websocket.send_text('{"t":"no","move_id":null,"code":"unreadable","text":"expected hello first"}')
                    self.bad += 1
                    if self.bad > MOST_BAD:
                        await self.websocket.close(BAD_FRAMES)
                        return None

    async def frame(self) -> str | bytes:
        """Return the next frame."""
        message = await self.websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code") or 1006)
        text = message.get("text")
        return text if isinstance(text, str) else bytes(message.get("bytes") or b"")

    def understood(self, frame: str | bytes) -> AnyUp | Unreadable:
        """Return the message of a frame, or why there is none."""
        try:
            return read_frame(frame)
        except Unreadable as error:
            return error

    async def read(self) -> None:
        """Take one message after the other; each is answered before the next is read."""
        while True:
            message = self.understood(await self.frame())
            if not self.in_measure():
                await self.websocket.close(FLOOD)
                return
            match message:
                case Unreadable():
                    self.bad += 1
                    self.reply({"t": "no", "move_id": None, "code": "unreadable", "text": str(message), "seq": self.live.table.seq})
                    if self.bad > MOST_BAD:
                        await self.websocket.close(BAD_FRAMES)
                        return
                case PingUp():
                    self.reply({"t": "pong"})
                case HelloUp():
                    self.changed()
                case PlayUp() | DoUp():
                    self.busy = True  # the answer first, then the view that follows from it
                    await self.obey(message)
                    self.busy = False
                    self.wake.set()

    async def obey(self, message: PlayUp | DoUp) -> None:
        """Do what is asked, then confirm it or say why not, to this one alone."""
        try:
            if isinstance(message, PlayUp):
                tokens = tuple(split(self.live.table.game, " ".join(message.tokens)))
                await self.house.do(self.live, Play(message.seat, tokens, message.seq, move_id=message.move_id), self.actor)
            else:
                await carry_out(self.house, self.live, self.order(message), self.actor)
        except Refused as error:
            self.reply(refusal_fields(error, message.move_id, self.visitor.language, self.live.table.seq))
            return
        except TableeError as error:
            self.reply({"t": "no", "move_id": message.move_id, "code": "unreadable", "text": str(error), "seq": self.live.table.seq})
            return
        answered = self.live.table.answer_of(message.move_id)
        seq, digest = (answered.seq, answered.hash) if answered else (self.live.table.seq, self.live.table.hash)
        self.reply({"t": "ok", "move_id": message.move_id, "seq": seq, "hash": digest})

    def order(self, message: DoUp) -> Order:
        """Return the order of a message."""
        return Order(
            message.what,
            message.move_id,
            message.seat,
            ask=message.ask,
            yes=message.yes,
            phrase=message.phrase,
            text=message.text,
            level=message.level,
            contribution=message.contribution,
        )

    def in_measure(self) -> bool:
        """Return whether this connection sends no more than it may."""
        now = time.monotonic()
        self.allowance = min(BURST, self.allowance + (now - self.counted) * FRAMES_A_SECOND) - 1
        self.counted = now
        return self.allowance >= 0

    def reply(self, fields: dict[str, object]) -> None:
        """Send something to this one alone, before the next view."""
        self.replies.append(msgspec.json.encode(fields))
        self.wake.set()

    async def write(self) -> None:
        """Send replies as they come, and a fresh view whenever the table has changed; who reads too slowly is let go, and comes back."""
        while True:
            await self.wake.wait()
            self.wake.clear()
            if len(self.replies) > MOST_REPLIES:
                await self.websocket.close(TOO_SLOW)
                return
            while self.replies:
                await self.send(self.replies.popleft())
            if self.stale and not self.busy:
                self.stale = False
                try:
                    frame = seen_frame(self.live, self.actor, self.visitor.language, self.house.clock())
                except Refused as error:
                    frame = msgspec.json.encode(refusal_fields(error, None, self.visitor.language, self.live.table.seq))
                await self.send(frame)

    async def send(self, frame: bytes) -> None:
        """Send a frame, or give the connection up."""
        async with asyncio.timeout(SEND_SECONDS):
            await self.websocket.send_text(frame.decode())


def refusal_fields(error: Refused, move_id: str | None, language: str, seq: int) -> dict[str, object]:
    """Return a refusal as a message."""
    return {
        "t": "no",
        "move_id": move_id,
        "code": error.code,
        "text": error.say(language),
        "paragraphs": list(error.paragraphs),
        "cells": list(error.cells),
        "seq": seq,
    }
