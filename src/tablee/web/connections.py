"""The connections of the house: a limit for each address, and a deadline for each request.

Without this, one client with half-sent requests could hold every connection that the house may open.
"""

import asyncio
from collections import Counter

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from tablee.web.allowances import Allowances, Unlimited, address_of
from tablee.web.windows import Places

HEADER_SECONDS = 10.0
# A client that does not read its answers within this time is disconnected.
READ_SECONDS = 60.0
CONNECTIONS_AN_ADDRESS = 100
MOST_FILES = 65_536


class Connections:
    """How many connections each address has open, here and in the other processes of the house; connections from the proxy have no limit."""

    def __init__(
        self, most: int = CONNECTIONS_AN_ADDRESS, header_seconds: float = HEADER_SECONDS, proxy: str = "", read_seconds: float = READ_SECONDS
    ) -> None:
        """Begin with none."""
        self.places = Places(most, told_from=max(1, most // 10))
        self.header_seconds = header_seconds
        self.read_seconds = read_seconds
        self.unlimited = frozenset(address_of(one.strip()) for one in proxy.split(",") if one.strip())

    @property
    def open(self) -> Counter[str]:
        """How many connections each address has open at this process."""
        return self.places.held

    def share(self, allowances: Allowances | Unlimited) -> None:
        """Count together with other processes: what visitors use of their allowances is told to them."""
        if isinstance(allowances, Allowances):
            allowances.connections = self.places

    def enter(self, who: str) -> bool:
        """Count a connection, and return whether its address may have it."""
        return who in self.unlimited or self.places.take(who)

    def leave(self, who: str) -> None:
        """Count a connection that ended."""
        if who not in self.unlimited:
            self.places.leave(who)

    def protocol(self) -> type[H11Protocol]:
        """Return the protocol for these connections."""
        return type("HouseProtocol", (TimelyProtocol,), {"counted": self})


class TimelyProtocol(H11Protocol):
    """HTTP for one connection, which is closed unless the headers of each request come in time and the answers are read in time."""

    counted: Connections
    who = ""
    timer: asyncio.TimerHandle | None = None
    unread: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, and wait for its first request."""
        super().connection_made(transport)
        who = address_of(self.client[0] if self.client else "unknown")
        if self.counted.enter(who):
            self.who = who
            self.wait()
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        super().connection_lost(exc)
        self.release()

    def data_received(self, data: bytes) -> None:
        """Read on: a request that has begun must come to the end of its headers in time."""
        super().data_received(data)
        if not self.waiting:
            self.stop_waiting()
        elif self.conn.trailing_data[0]:
            self.wait()

    def pause_writing(self) -> None:
        """The other end reads slowly: wait, for a while."""
        super().pause_writing()
        self.unread = self.loop.call_later(self.counted.read_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on writing."""
        super().resume_writing()
        self.stop_unread()

    def stop_unread(self) -> None:
        """Stop the timer that would close the connection."""
        if self.unread is not None:
            self.unread.cancel()
            self.unread = None

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Leave the connection to the socket, which is counted elsewhere."""
        self.release()
        super().handle_websocket_upgrade(event)

    @property
    def waiting(self) -> bool:
        """Whether no request is being answered."""
        return self.who != "" and (self.cycle is None or self.cycle.response_complete)

    def wait(self) -> None:
        """Close the connection unless a request comes in time; more bytes of the same one give no more time."""
        if self.timer is None:
            self.timer = self.loop.call_later(self.counted.header_seconds, self.too_late)

    def stop_waiting(self) -> None:
        """Leave the connection alone while a request is answered."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def too_late(self) -> None:
        """Close a connection whose request did not arrive in time."""
        self.timer = None
        if self.waiting and not self.transport.is_closing():
            self.transport.abort()

    def release(self) -> None:
        """Stop counting the connection, once."""
        self.stop_waiting()
        self.stop_unread()
        who, self.who = self.who, ""
        if who:
            self.counted.leave(who)


def raise_file_limit() -> int:
    """Let the process open as many files and connections as the system lets it, and return how many; 0 where there is no such limit."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return soft
