# compiled
"""Tabu as numbers, seen from one seat."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i32, i64

from tablee.core.observer import Observer
from tablee.games.tabu.position import SHOWN, TabuPosition

BOXES: Final[i64] = 6


class TabuObserver(Observer[TabuPosition]):
    """Writes money, stakes and state of every seat from one's own on, then the last throw."""

    def write(self, position: TabuPosition, seat: i64, into: vec[i32], at: i64) -> None:
        """Write the row of a seat."""
        self.clear(into, at)
        seats = position.seats
        stakes = at + seats
        held = stakes + BOXES * seats
        k: i64 = 0
        while k < seats:
            other = seat + k
            if other >= seats:
                other -= seats
            into[at + k] = i32(position.hand[other])
            if (position.staked >> other) & 1:
                box: i64 = 0
                while box < BOXES:
                    into[stakes + k * BOXES + box] = i32(position.stakes[other * BOXES + box])
                    box += 1
            into[held + k] = i32(position.held[other])
            if other == position.banker:
                into[held + seats + k] = 1
            into[held + 2 * seats + k] = i32((position.waiting >> other) & 1)
            into[held + 3 * seats + k] = i32((position.inside >> other) & 1)
            k += 1
        at = held + 4 * seats
        if position.last >= 0:
            shown: i64 = 0
            while shown < BOXES:
                into[at + shown] = i32(SHOWN[position.last * BOXES + shown])
                shown += 1
        into[at + BOXES] = i32(position.turns)
        into[at + BOXES + 1 + seat] = 1
