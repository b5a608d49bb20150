"""Where the rows of a local log are kept: in the database of the browser, or in memory if the browser stores nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol


class Taken(Exception):
    """A row that must be new already exists: somebody else has written it."""


@dataclass(frozen=True)
class Batch:
    """One atomic write: rows that must be `new`, rows that may replace others, and keys to delete."""

    new: Mapping[str, str] = field(default_factory=dict)
    put: Mapping[str, str] = field(default_factory=dict)
    gone: Sequence[str] = ()


class Disk(Protocol):
    """Rows of text by their key."""

    async def read(self) -> dict[str, str]:
        """Return every row."""

    async def write(self, batch: Batch, *, strict: bool = True) -> None:
        """Write a batch and return once it is on disk (`strict`) or with the browser; `Taken` or OSError if nothing was written."""


class NoDisk:
    """Keeps rows in memory only, for a browser that stores nothing."""

    def __init__(self) -> None:
        """Begin empty."""
        self.rows: dict[str, str] = {}

    async def read(self) -> dict[str, str]:
        """Return every row."""
        return dict(self.rows)

    async def write(self, batch: Batch, *, strict: bool = True) -> None:
        """Keep a batch."""
        if batch.new.keys() & self.rows.keys():
            raise Taken(", ".join(sorted(batch.new.keys() & self.rows.keys())))
        self.rows |= {**batch.new, **batch.put}
        for key in batch.gone:
            self.rows.pop(key, None)
