"""The time of the house: wall time, or that of a shared database, when it started, plus a clock that never jumps."""

import time


class HouseClock:
    """Seconds since 1970 that only go forward: a change of the wall clock ends no player's time."""

    def __init__(self, now: float | None = None) -> None:
        """Set the clock by the time given, or by the wall."""
        self.started = time.time() if now is None else now
        self.begun = time.monotonic()

    def __call__(self) -> float:
        """Return what time it is."""
        return self.started + (time.monotonic() - self.begun)
