"""A board as data: what can be seen and touched, independent of how it is drawn.

Coordinates are in units of the drawing (a board is about 100 to 200 wide), y grows downwards. `symbol` names a `<symbol>`
of the game's own `art.svg`, drawn around its origin. `place` is the line and column of the text drawing.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import TypeVar

T = TypeVar("T")
# The pattern of each row of cells, by its identity: most games draw every board on the same row, and to compare rows takes longer than to find.
PATTERNS: "dict[int, tuple[tuple[Cell, ...], re.Pattern[str]]]" = {}
MOST_PATTERNS = 64


@dataclass(frozen=True)
class Cell:
    """A place that can be named, and so touched."""

    name: str
    x: float
    y: float
    symbol: str
    place: tuple[int, int]
    glyph: str = "."
    label: str = ""
    turn: float = 0


@dataclass(frozen=True)
class Piece:
    """A thing on a cell or beside the board; its id stays the same while it lives, so that screens can slide it.

    `level` counts from 0 for what stands on what: higher pieces are painted later, and one line higher in text.
    """

    id: str
    symbol: str
    x: float
    y: float
    glyph: str
    label: str
    cell: str = ""
    place: tuple[int, int] | None = None
    level: int = 0
    turn: float = 0
    scale: float = 1


@dataclass(frozen=True)
class Track:
    """A path that pieces follow, as points to be joined."""

    points: tuple[tuple[float, float], ...]
    width: float = 0.6
    colour: str = "#0003"


@dataclass(frozen=True)
class Label:
    """Words or a figure printed on the board; with a place, in the text drawing too; of size 0, there alone."""

    text: str
    x: float
    y: float
    size: float = 3
    colour: str = "#0008"
    place: tuple[int, int] | None = None


@dataclass(frozen=True)
class Counter:
    """A number that belongs to a seat or, with seat -1, to the table: marbles taken, money, woods left."""

    name: str
    value: int
    seat: int = -1
    text: str = ""


@dataclass(frozen=True)
class Arrow:
    """A way to show on a board: from cell to cell, with the pieces `lifted` from the top of the first stack, or `beyond` the last cell."""

    cells: tuple[str, ...]
    lifted: int = 0
    beyond: bool = False


@dataclass(frozen=True)
class Scene:
    """Everything that is visible: cells, pieces, tracks, labels and counters."""

    game: str
    width: float
    height: float
    title: str
    backdrop: str
    cells: tuple[Cell, ...]
    pieces: tuple[Piece, ...]
    tracks: tuple[Track, ...] = ()
    labels: tuple[Label, ...] = ()
    counters: tuple[Counter, ...] = ()
    marks: tuple[str, ...] = field(default=())
    arrows: tuple[Arrow, ...] = ()

    @cached_property
    def cell_names(self) -> re.Pattern[str]:
        """The pattern that finds the name of any cell, the longest first."""
        kept = PATTERNS.get(id(self.cells))
        if kept is not None and kept[0] is self.cells:
            return kept[1]
        if len(PATTERNS) >= MOST_PATTERNS:
            PATTERNS.clear()
        pattern = any_of(tuple(map(attrgetter("name"), self.cells)))
        PATTERNS[id(self.cells)] = self.cells, pattern
        return pattern

    def marked(self, marks: tuple[str, ...]) -> "Scene":
        """Return the same board with other marks; quicker than `replace`, and it keeps what was computed of the cells."""
        twin = object.__new__(Scene)
        twin.__dict__.update(self.__dict__, marks=marks)
        return twin


def unlike(before: tuple[T, ...], after: tuple[T, ...]) -> tuple[list[T], list[T]]:
    """Return what of two rows is not the very same object on both sides.

    Most things of a board are the same ones in the same places as on the board before, and a walk along both rows passes over them quickest.
    """
    if before is after:
        return [], []
    pairs = [(old, new) for old, new in zip(before, after, strict=False) if old is not new]
    left, come = [old for old, _ in pairs], [new for _, new in pairs]
    left += before[len(after) :]
    come += after[len(before) :]
    moved = set(map(id, left)).intersection(map(id, come))
    if moved:
        left, come = [thing for thing in left if id(thing) not in moved], [thing for thing in come if id(thing) not in moved]
    return left, come


@lru_cache(64)
def any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern that finds any of these names, the longest first."""
    return re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))
