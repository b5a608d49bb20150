# compiled unchecked
"""Features of the end of a game of Tabaijana: the exact cells of the last one or two stacks off the boat.

Most lost games are lost here. Whether the last crates reach the boat depends on exact throws; ranges of distance are too coarse.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import DE_BRUIJN
from tablee.games.tabaijana.position import CELL, HARBOUR, LAST_CELL, TabaijanaPosition
from tablee.games.tabaijana.prospects import fits, lowest

# One stack left: the cells of boat and stack, whether it fits the load, and its height (1 to 4, more). Two left: the cells of all three.
HEIGHTS: Final[i64] = 5
TWO: Final[i64] = 3360
PAIRS: Final[i64] = 276
SIZE: Final = 7224


def write_ending(position: TabaijanaPosition, into: vec[i64], n: i64, first: i64) -> i64:
    """Write the feature of the last one or two stacks, numbered from `first`, after the first n; return how many there are now."""
    boat = position.boat
    one: i64 = 1
    places = position.occupied & ~(one << boat)
    if not places or boat >= LAST_CELL:
        return n
    low = places & -places
    rest = places ^ low
    if rest & (rest - 1):
        return n
    cell = CELL[(low * DE_BRUIJN >> 58) & 63]
    sailed = boat - HARBOUR
    if rest:
        other = CELL[(rest * DE_BRUIJN >> 58) & 63]
        into[n] = first + TWO + PAIRS * sailed + ((other - 1) * (other - 2) >> 1) + cell - 1
        return n + 1
    stack = position.cells[cell]
    fitting = (fits(position) >> lowest(stack)) & 1
    height: i64 = 0
    while stack and height < HEIGHTS:
        height += 1
        stack >>= 3
    into[n] = first + HEIGHTS * (2 * (LAST_CELL * sailed + cell - 1) + fitting) + height - 1
    return n + 1
