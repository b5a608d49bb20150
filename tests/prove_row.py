"""One row of what `make prove` prints."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One promise: what was asked, what was reached, and whether that is enough; a figure says itself whether it was reached."""

    promise: str
    asked: str
    reached: str
    kept: bool | None = None
    verdict: str = ""
