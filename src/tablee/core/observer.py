# compiled unchecked
"""Writes a position as numbers for learning programs: one row of a buffer for one seat."""

from typing import Generic

from librt.vecs import vec
from mypy_extensions import i32, i64, mypyc_attr

from tablee.core.bits import DE_BRUIJN
from tablee.core.generic import P


@mypyc_attr(allow_interpreted_subclasses=True)
class Observer(Generic[P]):
    """Writes what a seat sees of positions of one game; `width` numbers, all written each time."""

    def __init__(self, width: i64) -> None:
        """Remember how many numbers a row has."""
        self.width: i64 = width

    def write(self, position: P, seat: i64, into: vec[i32], at: i64) -> None:
        """Write the row of a seat, from that place of the buffer on."""
        raise NotImplementedError

    def clear(self, into: vec[i32], at: i64) -> None:
        """Fill a row with zeros."""
        end = at + self.width
        while at < end:
            into[at] = 0
            at += 1


def mark(cells: i64, places: vec[i64], into: vec[i32], at: i64) -> None:
    """Write 1 for each cell of a set; `places` gives the place of a cell in its plane, by its slot."""
    while cells:
        low = cells & -cells
        into[at + places[(low * DE_BRUIJN >> 58) & 63]] = 1
        cells ^= low
