# compiled
"""When a search must stop: after so many nodes, at a deadline, or when somebody says so."""

from collections.abc import Callable
from time import monotonic

from mypy_extensions import i64


class Stop:
    """A budget of nodes, of seconds, or both (0 means without end); `cancelled` is asked now and then."""

    def __init__(self, nodes: i64 = 0, seconds: float = 0.0, cancelled: Callable[[], bool] | None = None) -> None:
        """Start the clock."""
        self.most: i64 = nodes
        self.begun: float = monotonic()
        self.deadline: float = self.begun + seconds if seconds > 0.0 else 0.0
        self.cancelled = cancelled
        self.nodes: i64 = 0
        self.next_look: i64 = 0
        self.ended: bool = False

    def hit(self, nodes: i64) -> bool:
        """Count nodes and return whether the search must stop; the clock is read every few hundred of them."""
        self.nodes += nodes
        if self.ended:
            return True
        if self.most and self.nodes >= self.most:
            self.ended = True
        elif self.nodes >= self.next_look:
            self.next_look = self.nodes + 256
            if self.deadline > 0.0 and monotonic() >= self.deadline:
                self.ended = True
            elif self.cancelled is not None and self.cancelled():
                self.ended = True
        return self.ended

    def spent(self) -> float:
        """Return how many seconds have passed."""
        return monotonic() - self.begun
