"""The line to one listener: the interface that a connection uses, whatever server is behind it."""

import asyncio
from typing import Protocol

from starlette.websockets import WebSocket

# Where a server that can hand a socket over puts it in the scope of a request.
EXTENSION = "tablee.socket"
SEND_SECONDS = 20.0


class Listening(Protocol):
    """The receiver of what comes over a line."""

    def heard(self, frame: bytes) -> None:
        """Take a message."""

    def drained(self) -> None:
        """Continue to write: the line is free again."""

    def gone(self) -> None:
        """The other end has gone."""


class Line(Protocol):
    """What a connection writes on; `full` says that the other end reads too slowly to be sent more."""

    loop: asyncio.AbstractEventLoop
    full: bool

    def write(self, messages: list[bytes]) -> None:
        """Send messages as text, together."""

    def close(self, code: int) -> None:
        """Close with a reason."""

    def hang_up(self) -> None:
        """Close the connection without a message."""


class PlainLine:
    """A line over the plain messages of any ASGI server: a task writes while another reads."""

    def __init__(self, websocket: WebSocket) -> None:
        """Keep the socket, which has been accepted."""
        self.websocket = websocket
        self.loop = asyncio.get_running_loop()
        self.full = False
        self.out: asyncio.Queue[bytes | int] = asyncio.Queue()

    def write(self, messages: list[bytes]) -> None:
        """Send messages soon; no more until these are on their way."""
        self.full = True
        for message in messages:
            self.out.put_nowait(message)

    def close(self, code: int) -> None:
        """Close with a reason, after what was written."""
        self.out.put_nowait(code)

    def hang_up(self) -> None:
        """Close the connection without a message."""
        self.close(1000)

    async def run(self, listening: Listening) -> None:
        """Read and write until either of them ends."""
        work = [asyncio.ensure_future(self.read(listening)), asyncio.ensure_future(self.send(listening))]
        try:
            await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        finally:
            listening.gone()
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)

    async def read(self, listening: Listening) -> None:
        """Pass every message on."""
        while (message := await self.websocket.receive())["type"] == "websocket.receive":
            text = message.get("text")
            listening.heard(text.encode() if isinstance(text, str) else bytes(message.get("bytes") or b""))

    async def send(self, listening: Listening) -> None:
        """Send what is written; disconnect a client that reads too slowly."""
        while True:
            item = await self.out.get()
            if isinstance(item, int):
                await self.websocket.close(item)
                return
            async with asyncio.timeout(SEND_SECONDS):
                await self.websocket.send_text(item.decode())
            if self.out.empty():
                self.full = False
                listening.drained()
