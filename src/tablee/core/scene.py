"""A board as data: what there is to see and to touch, without a word on how it is painted.

Coordinates are in units of the drawing (a board is about 100 to 200 wide), y grows downwards. `symbol` names a `<symbol>`
of the game's own `art.svg`, drawn around its origin. `place` is the line and column of the text drawing.
"""

from dataclasses import dataclass, field


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
    """A way that pieces follow, as points to be joined."""

    points: tuple[tuple[float, float], ...]
    width: float = 0.6
    colour: str = "#0003"


@dataclass(frozen=True)
class Label:
    """Words or a figure printed on the board; with a place, in the text drawing too."""

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
class Scene:
    """Everything one sees."""

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
