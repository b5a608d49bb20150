# compiled
"""Tabale as numbers, seen from one seat."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i32, i64

from tablee.core.bits import by_slot
from tablee.core.observer import Observer, mark
from tablee.games.tabale.board import PLACE
from tablee.games.tabale.position import DONE, TabalePosition
from tablee.games.tabale.sets import FROM_RIGHT, FROM_UP_LEFT, FROM_UP_RIGHT

CELLS: Final[i64] = 81
STOCK: Final[i64] = 5
PARTS: Final[i64] = 5
IN_PLANE: Final = by_slot([i64(9 * PLACE[cell][0] + PLACE[cell][1] - 1) for cell in range(61)])


class TabaleObserver(Observer[TabalePosition]):
    """Writes fools, pawns and stocks seat by seat from one's own on, then the woods and the moment."""

    def write(self, position: TabalePosition, seat: i64, into: vec[i32], at: i64) -> None:
        """Write the row of a seat."""
        self.clear(into, at)
        seats = position.seats
        planes = at + 2 * seats * CELLS
        stocks = planes + 6 * CELLS
        k: i64 = 0
        while k < seats:
            other = seat + k
            if other >= seats:
                other -= seats
            mark(position.fools[other], IN_PLANE, into, at + k * CELLS)
            mark(position.pawns[other], IN_PLANE, into, at + (seats + k) * CELLS)
            stock = stocks + k * STOCK
            into[stock] = i32(position.hand[other])
            into[stock + 1] = i32(position.woods[other])
            into[stock + 2] = i32(position.doubles[other])
            into[stock + 3] = i32(position.singles_taken[other])
            into[stock + 4] = i32(position.doubles_taken[other])
            if other == position.seat:
                into[stocks + seats * STOCK + k] = 1
            k += 1
        mark(position.doubled, IN_PLANE, into, planes)
        mark(FROM_RIGHT & ~position.pass_right, IN_PLANE, into, planes + CELLS)
        mark(FROM_UP_RIGHT & ~position.pass_up_right, IN_PLANE, into, planes + 2 * CELLS)
        mark(FROM_UP_LEFT & ~position.pass_up_left, IN_PLANE, into, planes + 3 * CELLS)
        mark(position.start, IN_PLANE, into, planes + 4 * CELLS)
        mark(position.laid, IN_PLANE, into, planes + 5 * CELLS)
        moment = stocks + seats * (STOCK + 1)
        if position.part != DONE:
            into[moment + position.part] = 1
        into[moment + PARTS + seat] = 1
