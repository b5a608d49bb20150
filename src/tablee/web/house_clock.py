"""The time of the house: wall time, or that of a shared database, when it started, plus a clock that never jumps."""

import time

# How much faster or slower than the machine's clock the house goes at most, to come to the time of its database: nobody's flag moves by a jump.
MOST_SLEW = 0.05


class HouseClock:
    """Seconds since 1970 that only go forward: a change of the wall clock ends no player's time."""

    def __init__(self, now: float | None = None, least: float = 0.0) -> None:
        """Set the clock by the time given, or by the wall; but to no time before `least`, until which somebody's time was counted already."""
        now = time.time() if now is None else now
        self.started = max(now, least)
        self.begun = time.monotonic()
        self.error = now - self.started

    def __call__(self) -> float:
        """Return what time it is."""
        passed = time.monotonic() - self.begun
        most = passed * MOST_SLEW
        return self.started + passed + min(max(self.error, -most), most)

    def follow(self, now: float) -> None:
        """Come to another clock, which all houses share, little by little and never backwards."""
        self.started, self.begun = self(), time.monotonic()
        self.error = now - self.started
