"""The line of a socket in uvicorn without a waiting task: once the socket is accepted, each message and each change is a function call.

The application accepts or refuses a socket as usual, then hands it over (`hand_over`) and returns. From then on no task, no queue
and no stack of calls is kept for it: that takes a fifth of the memory, and less time from a message to its answer.
"""

import asyncio
from typing import Any, cast

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import OPEN

from tablee.web.line import EXTENSION, SEND_SECONDS, Listening


class Unheard:
    """Replaces the queue and the event of a socket after its hand-over, when nothing waits for them any more."""

    def put_nowait(self, message: object) -> None:
        """Leave a message."""

    def set(self) -> None:
        """Wake the reader."""


UNHEARD = Unheard()


class SocketProtocol(WebSocketsSansIOProtocol):
    """A socket of uvicorn that can be handed over."""

    listening: Listening | None = None
    full = False
    slow_timer: asyncio.TimerHandle | None = None

    def handle_connect(self, event: Request) -> None:
        """Let the application find this object beside the request."""
        super().handle_connect(event)
        if not self.close_sent:
            cast(dict[str, Any], self.scope["extensions"])[EXTENSION] = self

    async def run_asgi(self) -> None:
        """Run the application, which accepts or refuses; a socket that it hands over stays open after it returns."""
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except Exception:
            self.logger.exception("Exception in ASGI application\n")
            self.send_500_response()
        if self.listening is None and self.close_timer is None:
            self.transport.close()
        self.scope.clear()  # type: ignore[attr-defined]  # it is large, and nobody looks at it any more
        del self.request, self.response

    def hand_over(self, listening: Listening) -> None:
        """Call this listener from now on, first with the messages that have arrived meanwhile."""
        queue, self.queue = self.queue, UNHEARD  # type: ignore[assignment]
        self.listening = listening
        self.writable = UNHEARD  # type: ignore[assignment]
        while not queue.empty():
            message = cast(dict[str, Any], queue.get_nowait())
            if message["type"] == "websocket.receive":
                text = message.get("text")
                listening.heard(text.encode() if isinstance(text, str) else bytes(message.get("bytes") or b""))
        if self.disconnected:
            listening.gone()
        elif self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    def send_receive_event_to_app(self) -> None:
        """Pass a message on."""
        if self.listening is None:
            super().send_receive_event_to_app()
            return
        frames, self.frames = self.frames, []
        if not self.close_sent:
            self.listening.heard(bytes(frames[0]) if len(frames) == 1 else b"".join(frames))

    def write(self, messages: list[bytes]) -> None:
        """Send messages as text, together."""
        if self.conn.state is OPEN and not self.transport.is_closing():
            self.transport.write(b"".join(part for message in messages for part in (text_head(len(message)), message)))

    def close(self, code: int) -> None:
        """Close with a reason; a client that does not answer is dropped after a while."""
        if self.close_sent or self.transport.is_closing():
            return
        self.conn.send_close(code)
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.close_timer = self.loop.call_later(self.close_timeout, self.transport.close)

    def hang_up(self) -> None:
        """Close the connection without a message."""
        self.transport.close()

    def pause_writing(self) -> None:
        """The other end reads slowly: wait, for a while."""
        if self.listening is None:
            super().pause_writing()
            return
        self.full = True
        self.slow_timer = self.loop.call_later(SEND_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Continue to write."""
        if self.listening is None:
            super().resume_writing()
            return
        self.stop_slow_timer()
        self.full = False
        self.listening.drained()

    def stop_slow_timer(self) -> None:
        """Stop the timer that would close the connection."""
        if self.slow_timer is not None:
            self.slow_timer.cancel()
            self.slow_timer = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Report that the other end has gone."""
        super().connection_lost(exc)
        self.stop_slow_timer()
        if self.listening is not None:
            self.listening.gone()


def text_head(length: int) -> bytes:
    """Return what stands before a message of text on the line (RFC 6455, 5.2)."""
    if length < 126:
        return bytes((0x81, length))
    if length < 65536:
        return b"\x81\x7e" + length.to_bytes(2, "big")
    return b"\x81\x7f" + length.to_bytes(8, "big")
