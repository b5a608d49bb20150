# compiled unchecked
"""The owner of each colour at Tabaijana, counted from the seat to throw: 0 is that seat, 1 the next, and so on; neutral colours come last.

If the load has a required order, colours are ranked in that order, and their owners are kept beside.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import DE_BRUIJN
from tablee.games.tabaijana.position import CELL, COLOURS, CRATES, TabaijanaPosition

NOBODY: Final[i64] = 5


class Ranks:
    """The rank and the owner of each colour."""

    def __init__(self, levels: bool) -> None:
        """Make the tables, by colour from 1; with `levels`, seats that may move everything are interchangeable."""
        self.levels = levels
        self.rank: vec[i64] = vec[i64]([0] * 8)
        self.owner: vec[i64] = vec[i64]([0] * 8)

    def meet(self, position: TabaijanaPosition, seat: i64) -> None:
        """Rank the colours as a seat sees them."""
        rank, owner = self.rank, self.owner
        colour: i64 = 1
        while colour <= COLOURS:
            owner[colour] = NOBODY
            colour += 1
        seats = position.seats
        k: i64 = 0
        while k < seats:
            other = seat + k
            if other >= seats:
                other -= seats
            owner[position.colours[other]] = k
            k += 1
        neutral: i64 = 0
        colour = 1
        while colour <= COLOURS:
            rank[colour] = owner[colour]
            if owner[colour] == NOBODY:
                rank[colour] += neutral
                neutral += 1
            colour += 1
        if position.goal:
            k = 0
            while k < COLOURS:
                rank[(position.goal >> (3 * (CRATES - 1 - 4 * k))) & 7] = k
                k += 1
        elif self.levels:
            self.level(position)

    def level(self, position: TabaijanaPosition) -> None:
        """Rank the colours of seats that may move everything (4.2) by their places: the load from its top, then the stacks.

        The order of these seats does not matter. Late in a game nearly all are such, so that many boards get the same features.
        """
        owner, rank = self.owner, self.rank
        free = position.four
        load = position.cells[position.boat]
        one: i64 = 1
        if not position.children:
            # A seat without a crate aboard may not sail (4.4).
            aboard: i64 = 0
            stack = load
            while stack:
                aboard |= one << (stack & 7)
                stack >>= 3
            free &= aboard
        ranks: i64 = 0
        colour: i64 = 1
        while colour <= COLOURS:
            ranks |= ((free >> colour) & 1) << owner[colour]
            colour += 1
        places = position.occupied
        stack = load
        while free:
            while stack and free:
                colour = stack & 7
                stack >>= 3
                if (free >> colour) & 1:
                    free ^= one << colour
                    low = ranks & -ranks
                    ranks ^= low
                    owner[colour] = CELL[(low * DE_BRUIJN >> 58) & 63]
                    rank[colour] = owner[colour]
            if not places:
                break
            low = places & -places
            places ^= low
            stack = position.cells[CELL[(low * DE_BRUIJN >> 58) & 63]]
