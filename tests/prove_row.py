"""One promise of `make prove`, how it is tried, and the row that is printed of it."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.mutation.faults import Fault


@dataclass(frozen=True)
class Found:
    """What a trial has reached, and whether that is enough (None: it could not be tried); a figure says itself whether it was reached."""

    reached: str
    kept: bool | None = None
    verdict: str = ""


@dataclass(frozen=True)
class Proof:
    """One promise: what is asked, and how it is tried, in the large or the small form.

    The trial is told whether it is the `small` form, and how many seconds it has. `alone` says that nothing else may run beside it:
    it looks at the clock, or needs what there is once. `fault` is what is planted in the source, if anything is.
    """

    promise: str
    asked: str
    trial: Callable[[bool, float], Found]
    in_small: bool = False
    alone: bool = False
    fault: Fault | None = None


@dataclass(frozen=True)
class Row:
    """What is printed of one promise."""

    proof: Proof
    found: Found
    seconds: float

    @property
    def verdict(self) -> str:
        """Whether the promise was kept, in a word."""
        return self.found.verdict or {True: "kept", False: "BROKEN", None: "NOT PROVED"}[self.found.kept]

    def __str__(self) -> str:
        """Return the row of the table."""
        return f"| {self.proof.promise} | {self.proof.asked} | {self.found.reached} | {self.verdict}, {self.seconds:.0f} s |"
