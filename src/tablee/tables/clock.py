"""The optional clock of a table: time for the whole game, or for each move; it is computed from the log alone.

It runs for every seat that must act and is not played by a program of the house, and never while the house is down.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from tablee.core.errors import TableeError, shown

ClockKind = Literal["real", "days"]
REAL: ClockKind = "real"
DAYS: ClockKind = "days"
LONGEST = 1000 * 60 * 60 * 24 * 60


@dataclass(frozen=True)
class ClockTerms:
    """`real`: `base` milliseconds for the whole game and `add` more after each turn; `days`: `base` for each move."""

    kind: ClockKind
    base: int
    add: int = 0

    def __post_init__(self) -> None:
        """Check what was agreed."""
        if self.kind not in (REAL, DAYS):
            raise TableeError(f"unknown clock {shown(self.kind)}: known are {REAL}, {DAYS}")
        if not (0 < self.base <= LONGEST and 0 <= self.add <= LONGEST):
            raise TableeError(f"a clock of {self.base} and {self.add} more is not possible: expected at most {LONGEST} milliseconds")


class Clock:
    """The time left of each seat, in milliseconds, and since when it must act."""

    def __init__(self, terms: ClockTerms, seats: int) -> None:
        """Give every seat the same time."""
        self.terms = terms
        self.left = [terms.base] * seats
        self.since: dict[int, float] = {}

    def copy(self) -> "Clock":
        """Return an equal clock."""
        twin = Clock(self.terms, len(self.left))
        twin.left, twin.since = list(self.left), dict(self.since)
        return twin

    def spent(self, seat: int, now: float) -> int:
        """Return the thinking time of a seat since it was asked or last acted."""
        return max(0, round((now - self.since[seat]) * 1000)) if seat in self.since else 0

    def left_at(self, seat: int, now: float) -> int:
        """Return the time left of a seat."""
        return self.left[seat] - self.spent(seat, now)

    def out(self, now: float) -> list[int]:
        """Return the seats whose time is up."""
        return [seat for seat in sorted(self.since) if self.left_at(seat, now) <= 0]

    def deadline(self) -> float | None:
        """Return when the first seat's time will be up."""
        return min((since + self.left[seat] / 1000 for seat, since in self.since.items()), default=None)

    def charge(self, seat: int, spent: int, at: float) -> None:
        """Take what a seat has spent with an action."""
        self.left[seat] = self.terms.base if self.terms.kind == DAYS else self.left[seat] - spent
        if seat in self.since:
            self.since[seat] = at

    def ask(self, seats: Iterable[int], at: float) -> None:
        """Run the clock for exactly these seats from now on; a seat whose clock runs already continues."""
        asked = set(seats)
        for seat in self.since.keys() - asked:
            del self.since[seat]
            if self.terms.kind == REAL:
                self.left[seat] += self.terms.add
        for seat in asked - self.since.keys():
            self.since[seat] = at
            if self.terms.kind == DAYS:
                self.left[seat] = self.terms.base

    def stop(self, seat: int) -> None:
        """Stop the clock of a seat that a program plays from now on."""
        self.since.pop(seat, None)

    def resume(self, spent: Mapping[int, int], at: float) -> None:
        """Continue after a pause: charge the time spent before it, and count again from now."""
        for seat in self.since:
            self.left[seat] -= spent.get(seat, 0)
            self.since[seat] = at
