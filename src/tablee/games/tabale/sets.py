# compiled
"""Sets of Tabale's cells as words of 61 bits, in which every direction is a rotation: rays, jumps, values, and the tables behind them."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import bit, count
from tablee.games.tabale.board import CORNERS, NEXT, RIM, SIDES, VALUE, in_line, marked

BOARD: Final[i64] = 0x1FFFFFFFFFFFFFFF
RIGHT: Final[i64] = 1
UP_RIGHT: Final[i64] = 14
UP_LEFT: Final[i64] = 13
LEFT: Final[i64] = 60
DOWN_LEFT: Final[i64] = 47
DOWN_RIGHT: Final[i64] = 48


def cells_from(direction: int) -> i64:
    """Return the set of cells with a neighbour in that direction."""
    return cells_of([cell for cell in NEXT if NEXT[cell][direction] >= 0])


def cells_of(cells: list[int]) -> i64:
    """Return cells as a set."""
    word: i64 = 0
    for cell in cells:
        word |= bit(cell)
    return word


def worth(least: int) -> i64:
    """Return the set of cells with at least that value."""
    return cells_of([cell for cell in VALUE if VALUE[cell] >= least])


def marked_from(edges: int, direction: int) -> i64:
    """Return the cells whose side in that direction is marked."""
    return cells_of([SIDES[side][0] for side in marked(str(edges)) if SIDES[side][1] == direction])


FROM_RIGHT: Final[i64] = cells_from(0)
FROM_UP_RIGHT: Final[i64] = cells_from(1)
FROM_UP_LEFT: Final[i64] = cells_from(2)
FROM_LEFT: Final[i64] = cells_from(3)
FROM_DOWN_LEFT: Final[i64] = cells_from(4)
FROM_DOWN_RIGHT: Final[i64] = cells_from(5)
WORTH_3: Final[i64] = worth(3)
WORTH_6: Final[i64] = worth(6)
WORTH_10: Final[i64] = worth(10)
WORTH_15: Final[i64] = worth(15)
MARKED: Final = {edges: (marked_from(edges, 0), marked_from(edges, 1), marked_from(edges, 2)) for edges in (66, 84, 114, 156)}
OPENING: Final[i64] = cells_of([cell for cell in RIM if cell not in CORNERS])

SIDE_CELL: Final = vec[i64]([bit(cell) for cell, _ in SIDES])
SIDE_WAY: Final = vec[i64]([i64(way) for _, way in SIDES])
HEADING: Final = vec[i64]([i64(in_line(start, end)) for start in range(61) for end in range(61)])
TURN_BY: Final = vec[i64]([RIGHT, UP_RIGHT, UP_LEFT, LEFT, DOWN_LEFT, DOWN_RIGHT])


def rotate(cells: i64, by: i64) -> i64:
    """Return the cells one step further in the direction of that rotation."""
    return ((cells << by) | (cells >> (61 - by))) & BOARD


def ray(cell: i64, passing: i64, free: i64, by: i64) -> i64:
    """Return the free cells that a straight run from a cell reaches in one direction."""
    reached: i64 = 0
    step = rotate(cell & passing, by) & free
    while step:
        reached |= step
        step = rotate(step & passing, by) & free
    return reached


def hop(cell: i64, passing: i64, enemy: i64, free: i64, by: i64) -> i64:
    """Return the cell behind an enemy in one direction, if a pawn may jump there."""
    over = rotate(cell & passing, by) & enemy & passing
    return rotate(over, by) & free if over else 0


def nth(cells: i64, n: i64) -> i64:
    """Return the n-th cell of a set, the lowest being 0, as a set of its own."""
    low = cells & 0x3FFFFFFF
    below = count(low)
    if n >= below:
        n -= below
        low = cells ^ low
    while n:
        low &= low - 1
        n -= 1
    return low & -low


def points(pawns: i64) -> i64:
    """Return the sum of the values of some cells."""
    total = count(pawns)
    pawns &= WORTH_3
    if pawns:
        total += 2 * count(pawns) + 3 * count(pawns & WORTH_6) + 4 * count(pawns & WORTH_10) + 5 * count(pawns & WORTH_15)
    return total
