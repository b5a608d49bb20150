"""A board as data: what can be seen and touched, independent of how it is drawn.

Coordinates are in units of the drawing (a board is about 100 to 200 wide), y grows downwards. `symbol` names a `<symbol>`
of the game's own `art.svg`, drawn around its origin. `place` is the line and column of the text drawing.
"""

import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from operator import attrgetter


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
        return any_of(tuple(map(attrgetter("name"), self.cells)))

    def marked(self, marks: tuple[str, ...]) -> "Scene":
        """Return the same board with other marks; quicker than `replace`, and it keeps what was computed of the cells."""
        twin = object.__new__(Scene)
        twin.__dict__.update(self.__dict__, marks=marks)
        return twin


@lru_cache(64)
def any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern that finds any of these names, the longest first."""
    return re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))
