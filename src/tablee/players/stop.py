# compiled
"""When a search must stop: after a number of nodes, at a deadline, or when it is cancelled."""

from collections.abc import Callable
from time import monotonic, sleep
from typing import Final

from mypy_extensions import i64

from tablee.core.search import FARTHEST, Budget

SOON: Final = 0.001
LATE: Final = 0.004


class Stop(Budget):
    """A budget of nodes, of seconds, or both (0 means no limit); `cancelled` is asked now and then.

    About every millisecond, however long a node takes, the search looks at the clock and lets other threads run.
    """

    def __init__(self, nodes: i64 = 0, seconds: float = 0.0, cancelled: Callable[[], bool] | None = None, choosing: bool = False) -> None:
        """Start the clock."""
        super().__init__(nodes, choosing)
        self.begun: float = monotonic()
        self.deadline: float = self.begun + seconds if seconds > 0.0 else 0.0
        self.cancelled = cancelled
        self.looked: float = self.begun
        self.stride: i64 = 1

    def look(self) -> bool:
        """Return whether the budget is used up or somebody cancelled; let other threads run, and set when to look again."""
        if self.ended:
            return True
        if self.most and self.nodes >= self.most:
            return self.end()
        if self.cancelled is not None and self.cancelled():
            return self.end()
        sleep(0.0)  # compiled code holds the interpreter's lock; this hands it to a thread that waits for it
        if self.ended:
            return True
        now = monotonic()
        if self.deadline > 0.0 and now >= self.deadline:
            return self.end()
        passed = now - self.looked
        self.looked = now
        if passed < SOON and self.stride < FARTHEST:
            self.stride *= 2
        elif passed > LATE and self.stride > 1:
            self.stride >>= 1
        self.next_look = self.nodes + self.stride
        if self.most and self.most < self.next_look:
            self.next_look = self.most
        return False

    def allowed_seconds(self) -> float:
        """Return how many seconds were given in all; 0 means no limit."""
        return self.deadline - self.begun if self.deadline > 0.0 else 0.0

    def spent(self) -> float:
        """Return how many seconds have passed."""
        return monotonic() - self.begun
