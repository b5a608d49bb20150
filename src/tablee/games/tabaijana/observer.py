# compiled
"""Tabaijana as numbers, seen from one seat."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i32, i64

from tablee.core.bits import DE_BRUIJN
from tablee.core.observer import Observer
from tablee.games.tabaijana.position import CELL, COLOURS, TabaijanaPosition

DEEPEST: Final[i64] = 20
PLANE: Final[i64] = 600
BOAT: Final[i64] = 3000
DICE: Final[i64] = 3030
TWO_DICE: Final[i64] = 3042
ORDER: Final[i64] = 3057
TURN: Final[i64] = 3082
WIDTH: Final = 3092


class TabaijanaObserver(Observer[TabaijanaPosition]):
    """Writes the crates by colour, cell and depth from the top; the own colour first, then those of the next seats."""

    def __init__(self, width: i64) -> None:
        """Make the table of the rank of each colour, as a seat sees it."""
        super().__init__(width)
        self.rank: vec[i64] = vec[i64]([0] * 8)

    def write(self, position: TabaijanaPosition, seat: i64, into: vec[i32], at: i64) -> None:
        """Write the row of a seat."""
        self.clear(into, at)
        self.rank_colours(position, seat)
        rank = self.rank
        places = position.occupied
        while places:
            low = places & -places
            places ^= low
            cell = CELL[(low * DE_BRUIJN >> 58) & 63]
            stack = position.cells[cell]
            place = at + DEEPEST * cell
            while stack:
                into[place + PLANE * rank[stack & 7]] = 1
                place += 1
                stack >>= 3
        into[at + BOAT + position.boat] = 1
        if position.small:
            into[at + DICE + position.small - 1] = 1
        if position.large:
            into[at + DICE + 5 + position.large] = 1
        colour: i64 = 1
        while colour <= COLOURS:
            place = at + TWO_DICE + rank[colour]
            into[place] = i32((position.three >> colour) & 1)
            into[place + COLOURS] = i32((position.four >> colour) & 1)
            into[place + 2 * COLOURS] = i32((position.owned >> colour) & 1)
            colour += 1
        goal = position.goal
        place = at + ORDER
        while goal:
            into[place + rank[goal & 7]] = 1
            place += COLOURS
            goal >>= 12
        turn = position.side - seat
        if turn < 0:
            turn += position.seats
        into[at + TURN + turn] = 1
        into[at + TURN + COLOURS + seat] = 1

    def rank_colours(self, position: TabaijanaPosition, seat: i64) -> None:
        """Rank the colours: the seat's own, those of the seats after it, then the others in their fixed order."""
        rank = self.rank
        k: i64 = 0
        while k < position.seats:
            other = seat + k
            if other >= position.seats:
                other -= position.seats
            rank[position.colours[other]] = k
            k += 1
        colour: i64 = 1
        while colour <= COLOURS:
            if not (position.owned >> colour) & 1:
                rank[colour] = k
                k += 1
            colour += 1
