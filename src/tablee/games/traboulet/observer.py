# compiled
"""Traboulet as numbers, seen from one side."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i32, i64

from tablee.core.bits import by_slot, slot
from tablee.core.observer import Observer, mark
from tablee.games.traboulet.position import DIRECTION, MARBLE, TrabouletPosition

CELLS: Final[i64] = 49
REST: Final[i64] = 196
WIDTH: Final = 203
PLACE: Final = by_slot([i64(7 * (cell // 8) + min(cell % 8, 6)) for cell in range(55)])


class TrabouletObserver(Observer[TrabouletPosition]):
    """Writes own, other and red marbles, the forbidden push, and the moment."""

    def write(self, position: TrabouletPosition, seat: i64, into: vec[i32], at: i64) -> None:
        """Write the row of a side."""
        self.clear(into, at)
        white, black = at, at + CELLS
        if seat:
            white, black = at + CELLS, at
        mark(position.white, PLACE, into, white)
        mark(position.black, PLACE, into, black)
        mark(position.red, PLACE, into, at + 2 * CELLS)
        banned = position.banned
        if banned >= 0:
            into[at + 3 * CELLS + PLACE[slot(MARBLE[banned])]] = i32(DIRECTION[banned] + 1)
        at += REST
        into[at + seat] = i32(position.white_taken)
        into[at + 1 - seat] = i32(position.black_taken)
        into[at + 2 + seat] = 1
        if position.actor() == seat:
            into[at + 4] = 1
        if position.bonus:
            into[at + 5] = 1
        n = position.remembered - 2
        if n >= 0 and not position.over:
            into[at + 6] = i32(min(2, position.times(position.history[n], position.history[n + 1], n) - 1))
