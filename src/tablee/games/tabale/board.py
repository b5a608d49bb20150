"""The board of Tabale as tables: 61 cells, their names, values and neighbours, the 156 sides and which of them are marked.

A cell is the number (13 * row + diagonal) mod 61, row a being 0 and the first diagonal 1. No two cells share a number, and
each of the six directions always adds the same number: `position.py` relies on this.
"""

from typing import Final

ROWS: Final = "abcdefghi"
# Right, up to the right, up to the left, left, down to the left, down to the right: (rows up, diagonals on).
STEPS: Final = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))
VALUES: Final = (15, 10, 6, 3, 1)
PAWNS: Final = {2: 30, 3: 20, 4: 15}
WOODS: Final = {2: 12, 3: 8, 4: 6}
DOUBLES: Final = {2: 6, 3: 4, 4: 3}

Place = tuple[int, int]


def distance(place: Place) -> int:
    """Return how many steps a place is from the centre; more than 4 is off the board."""
    row, diagonal = place[0] - 4, place[1] - 5
    return max(abs(row), abs(diagonal), abs(row - diagonal))


def number(place: Place) -> int:
    """Return the number of a cell given as (row, diagonal)."""
    return (13 * place[0] + place[1]) % 61


def toward(place: Place, direction: int) -> Place:
    """Return the place next to this one in a direction, on the board or off it."""
    return place[0] + STEPS[direction][0], place[1] + STEPS[direction][1]


# In the order of their names: a1, a2 ... i9.
PLACES: Final = tuple((row, diagonal) for row in range(9) for diagonal in range(1, 10) if distance((row, diagonal)) < 5)
PLACE: Final = {number(place): place for place in PLACES}
NAME: Final = {cell: f"{ROWS[row]}{diagonal}" for cell, (row, diagonal) in PLACE.items()}
CELL: Final = {name: cell for cell, name in NAME.items()}
VALUE: Final = {cell: VALUES[distance(place)] for cell, place in PLACE.items()}
CORNERS: Final = frozenset(CELL[name] for name in ("a1", "a5", "e1", "e9", "i5", "i9"))
RIM: Final = frozenset(cell for cell in PLACE if VALUE[cell] == 1)
NEXT: Final = {
    cell: tuple(number(toward(place, way)) if distance(toward(place, way)) < 5 else -1 for way in range(6)) for cell, place in PLACE.items()
}


def in_line(start: int, end: int) -> int:
    """Return the direction that leads straight from one cell to another, through sides only, or -1."""
    (row, diagonal), (to_row, to_diagonal) = PLACE[start], PLACE[end]
    up, on = to_row - row, to_diagonal - diagonal
    if not (up or on) or (up and on and up != on):
        return -1
    return STEPS.index(((up > 0) - (up < 0), (on > 0) - (on < 0)))


# A side is (cell, direction 0, 1 or 2), which names its smaller cell first; sides are numbered in this order.
SIDES: Final = tuple((cell, way) for way in range(3) for cell in sorted(PLACE) if NEXT[cell][way] >= 0)
ENDS: Final = tuple((cell, NEXT[cell][way]) for cell, way in SIDES)
SIDE_NAME: Final = tuple(NAME[cell] + NAME[neighbour] for cell, neighbour in ENDS)
SIDE: Final = {name: side for side, name in enumerate(SIDE_NAME)}
BETWEEN: Final = {pair: side for side, ends in enumerate(ENDS) for pair in (ends, ends[::-1])}


def marked(edges: str) -> tuple[int, ...]:
    """Return the sides that may take a wood (1.3) under a value of the option `edges`."""
    values = [sorted((VALUE[cell], VALUE[neighbour])) for cell, neighbour in ENDS]
    kept = {
        "66": [low == 1 for low, _ in values],
        "84": [high <= 3 for _, high in values],
        "114": [low <= 3 for low, _ in values],
        "156": [True for _ in values],
    }[edges]
    return tuple(side for side, keep in enumerate(kept) if keep)
