# compiled
"""When a search must stop: after so many nodes, at a deadline, or when somebody says so."""

from collections.abc import Callable
from time import monotonic
from typing import Final

from mypy_extensions import i64

SOON: Final = 0.001
LATE: Final = 0.004
FARTHEST: Final[i64] = 65536


class Stop:
    """A budget of nodes, of seconds, or both (0 means without end); `cancelled` is asked now and then.

    Who is `choosing` wants the best action and not what it is worth: a search may stop as soon as that action is clear.
    How often the clock is read follows from how long nodes take: about every thousandth of a second, whether a node is a
    step of a compiled search or a whole playout of an interpreted game.
    """

    def __init__(self, nodes: i64 = 0, seconds: float = 0.0, cancelled: Callable[[], bool] | None = None, choosing: bool = False) -> None:
        """Start the clock."""
        self.most: i64 = nodes
        self.begun: float = monotonic()
        self.deadline: float = self.begun + seconds if seconds > 0.0 else 0.0
        self.cancelled = cancelled
        self.choosing: bool = choosing
        self.nodes: i64 = 0
        self.looked: float = self.begun
        self.stride: i64 = 1
        self.next_look: i64 = 1
        self.ended: bool = False

    def hit(self, nodes: i64) -> bool:
        """Count nodes and return whether the search must stop."""
        self.nodes += nodes
        if self.nodes < self.next_look:
            return False
        return self.look()

    def look(self) -> bool:
        """Look whether the nodes are used up, at the clock, and whether somebody cancels; say when to look again."""
        if self.ended:
            return True
        if self.most and self.nodes >= self.most:
            return self.end()
        if self.cancelled is not None and self.cancelled():
            return self.end()
        if self.deadline > 0.0 or self.cancelled is not None:
            now = monotonic()
            if self.deadline > 0.0 and now >= self.deadline:
                return self.end()
            passed = now - self.looked
            self.looked = now
            if passed < SOON and self.stride < FARTHEST:
                self.stride *= 2
            elif passed > LATE and self.stride > 1:
                self.stride >>= 1
        elif self.stride < FARTHEST:
            self.stride = FARTHEST
        self.next_look = self.nodes + self.stride
        if self.most and self.most < self.next_look:
            self.next_look = self.most
        return False

    def end(self) -> bool:
        """Stop now."""
        self.ended = True
        self.next_look = 0
        return True

    def spent(self) -> float:
        """Return how many seconds have passed."""
        return monotonic() - self.begun
