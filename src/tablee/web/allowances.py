"""How much one sender may ask of the house: requests, changes, new tables, places to listen; the same on every door, at all houses together."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.types import Scope

from tablee.web.windows import Places, Window

REQUESTS_A_MINUTE = 1200
CHANGES_A_MINUTE = 300
CHANGES_A_DAY = 100_000
TABLES_A_MINUTE = 30
TABLES_A_DAY = 1000
LISTENERS_AN_ADDRESS = 20
MINUTE, DAY = 60.0, 86400.0
LISTENING, CONNECTED = "listening", "connected"


class TooMany(Exception):
    """A sender listens at too many tables already."""


class Allowances:
    """What each sender has used of the allowance: by address, and by carte or token whatever its address."""

    def __init__(self, allowance: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with nothing used; `allowance` multiplies every limit. The windows of houses that share a clock begin together."""
        self.clock = clock
        self.requests = Window("requests", REQUESTS_A_MINUTE * allowance, MINUTE)
        self.changes = Window("changes", CHANGES_A_MINUTE * allowance, MINUTE)
        self.changes_a_day = Window("changes a day", CHANGES_A_DAY * allowance, DAY)
        self.tables = Window("tables", TABLES_A_MINUTE * allowance, MINUTE)
        self.tables_a_day = Window("tables a day", TABLES_A_DAY * allowance, DAY)
        self.places = Places(LISTENERS_AN_ADDRESS * allowance)
        self.connections = Places(0)  # the server counts them, and says where

    @property
    def windows(self) -> tuple[Window, ...]:
        """Everything that is counted in a window of time."""
        return (self.requests, self.changes, self.changes_a_day, self.tables, self.tables_a_day)

    @property
    def held(self) -> dict[str, Places]:
        """Everything of which a sender holds some for as long as he likes."""
        return {LISTENING: self.places, CONNECTED: self.connections}

    async def request(self, scope: Scope) -> bool:
        """Count a request, and return whether its sender may send it."""
        return self.requests.hit(sender(scope), self.clock())

    async def change(self, *senders: str) -> bool:
        """Count a change against each of its senders: an address, a carte."""
        return self.hit((self.changes, self.changes_a_day), senders)

    async def table(self, *senders: str) -> bool:
        """Count a new table against each of its senders."""
        return self.hit((self.tables, self.tables_a_day), senders)

    def hit(self, windows: Iterable[Window], senders: tuple[str, ...]) -> bool:
        """Count once in every window for every sender, and return whether all have room."""
        now = self.clock()
        return all(window.hit(who, now) for window in windows for who in senders if who)

    @contextmanager
    def listening(self, scope: Scope) -> Iterator[None]:
        """Keep a place to listen, at a socket or an event stream; `TooMany` if the address has no more."""
        who = sender(scope)
        self.enter(who)
        try:
            yield
        finally:
            self.leave(who)

    def enter(self, who: str) -> None:
        """Take a place to listen, or raise `TooMany`."""
        if not self.places.take(who):
            raise TooMany

    def leave(self, who: str) -> None:
        """Free a place to listen."""
        self.places.leave(who)

    def news(self, everything: bool = False) -> list[tuple[str, int, str, int]]:
        """Return what other houses should know, as (what, number of the window, sender, count)."""
        places = [(what, 0, who, count) for what, held in self.held.items() for who, count in held.news(everything)]
        return [*places, *(use for window in self.windows for use in window.news())]

    def hear(self, uses: Sequence[tuple[str, int, str, str, int]], awake: Iterable[str]) -> None:
        """Take over what others have counted, as (what, number, sender, house, count); places at a house that has stopped no longer count."""
        self.places.awake = self.connections.awake = frozenset(awake)
        held = self.held
        windows = {window.name: window for window in self.windows}
        for what, number, who, house, count in uses:
            if what in held:
                held[what].hear(who, house, count)
            elif what in windows:
                windows[what].hear(number, who, house, count)


class Unlimited:
    """No limits, for a visitor who is alone with a house."""

    async def request(self, scope: Scope) -> bool:
        """Let every request in."""
        return True

    async def change(self, *senders: str) -> bool:
        """Let every change happen."""
        return True

    async def table(self, *senders: str) -> bool:
        """Let every table be opened."""
        return True

    @contextmanager
    def listening(self, scope: Scope) -> Iterator[None]:
        """Keep a place to listen: there is always one more."""
        yield

    def enter(self, who: str) -> None:
        """Take a place to listen: there is always one more."""

    def leave(self, who: str) -> None:
        """Free a place to listen."""


def sender(scope: Scope) -> str:
    """Return the sender of a request: an IPv4 address (also one written as IPv6), or the /64 network of an IPv6 address."""
    client = scope.get("client")
    return address_of(str(client[0]) if client else "unknown")


def address_of(host: str) -> str:
    """Return the address, or the network, that a host counts as."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped) if address.ipv4_mapped else str(ip_network((address, 64), strict=False))


def holder(headers: Headers) -> str:
    """Return the second sender of a request beside its address: its carte or token, hashed, or ""."""
    cookies = cookie_parser(headers.get("cookie", ""))
    scheme, _, token = headers.get("authorization", "").partition(" ")
    bearer = token.strip() if scheme.lower() == "bearer" else scheme
    return holder_of(bearer or cookies.get("__Host-carte", "") or cookies.get("carte", ""))


def holder_of(shown: str) -> str:
    """Return the name under which a carte or a token is counted: the same on every door, and not secret."""
    return "holder " + sha256(shown.encode()).hexdigest() if shown else ""


def senders(scope: Scope) -> tuple[str, ...]:
    """Return all senders that a request counts against."""
    return tuple(who for who in (sender(scope), holder(Headers(scope=scope))) if who)
