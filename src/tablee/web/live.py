"""A table in the memory of a house: its listeners, its watchers, and the work that is under way for it."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tablee.tables.allowed import waits_for_all
from tablee.tables.table import Table
from tablee.tables.tokens import Actor
from tablee.tables.view_changes import News

COUNT_SECONDS = 2.0
# The group of all tables in the queue for computer players whose visitor is not known yet, after a restart.
UNKNOWN = ""


@dataclass(eq=False)
class Live:
    """A table in memory, with its listeners and its pending work.

    `sockets` says how to tell each connection the number of `watchers`. `ledger_seq` is the last event that a line of the
    ledger has named; if a line names it again, words were erased.
    """

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    listeners: set[Callable[[], None]] = field(default_factory=set)
    thinking: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None
    retry: asyncio.TimerHandle | None = None
    failures: int = 0
    ledger_seq: int = -1
    views: dict[tuple[object, ...], bytes] = field(default_factory=dict)
    news: News = field(default_factory=News)
    sender: str = ""
    sockets: dict[Callable[[], None], Actor] = field(default_factory=dict)
    watchers: int = 0
    counting: asyncio.TimerHandle | None = None
    used: float = field(default_factory=time.monotonic)

    @property
    def group(self) -> str:
        """The group of this table in the queue for computer players: the sender who opened it or, after a restart, the first visitor."""
        return self.sender or UNKNOWN

    @property
    def idle(self) -> bool:
        """Whether nobody listens and nothing is going on or due here."""
        thinks = self.thinking is not None and not self.thinking.done()
        due = self.timer is not None or self.retry is not None or self.counting is not None
        return not (self.listeners or self.lock.locked() or thinks or due or waits_for_all(self.table))

    def tell(self) -> None:
        """Wake every listener; each then makes its own view of the table."""
        self.views.clear()
        for wake in list(self.listeners):
            wake()

    def count_soon(self) -> None:
        """Count the watchers after a short delay, so that many arrivals at once change the number once."""
        if self.counting is None:
            self.counting = asyncio.get_running_loop().call_later(COUNT_SECONDS, self.count_watchers)

    def count_watchers(self) -> None:
        """Count the people at sockets who hold no seat, each person once, and tell every socket if the number changed."""
        self.counting = None
        count = len({actor.tokens or id(notify) for notify, actor in self.sockets.items() if not self.table.held_by(actor)})
        if count != self.watchers:
            self.watchers = count
            for notify in list(self.sockets):
                notify()
