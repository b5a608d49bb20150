# compiled
"""Tablan as numbers, seen from one side."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i32, i64

from tablee.core.bits import INDEX
from tablee.core.observer import Observer, mark
from tablee.games.tablan.position import BOTH, TablanPosition

LINE: Final[i64] = 48
THROW: Final[i64] = 192
WORTH: Final[i64] = 218
WIDTH: Final = 226


class TablanObserver(Observer[TablanPosition]):
    """Writes both sides' men, the fresh ones, the man who took the first half, and the throw."""

    def write(self, position: TablanPosition, seat: i64, into: vec[i32], at: i64) -> None:
        """Write the row of a side."""
        self.clear(into, at)
        mark(position.black, INDEX, into, at + seat * LINE)
        mark(position.white, INDEX, into, at + (1 - seat) * LINE)
        mark(position.fresh, INDEX, into, at + 2 * LINE)
        mark(position.mover, INDEX, into, at + 3 * LINE)
        if position.thrown >= 0:
            into[at + THROW + position.thrown] = 1
        at += WORTH
        into[at] = i32(position.worth)
        if position.waits(seat):
            into[at + 1] = 1
        if position.waits(1 - seat):
            into[at + 2] = 1
        if position.first == seat or position.first == BOTH:
            into[at + 3] = 1
        if position.first == 1 - seat or position.first == BOTH:
            into[at + 4] = 1
        into[at + 5 + seat] = 1
        if position.actor() == seat:
            into[at + 7] = 1
