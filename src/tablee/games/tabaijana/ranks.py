# compiled
"""Whose each colour is at Tabaijana, as the seat sees it that is to throw: its own, the next seat's, and so on; then those of nobody.

Where an order is set, colours are ranked in that order, and whose each is comes beside.
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
        """Make room, by colour from 1; where it `levels`, all who may move everything count as one."""
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
        """Rank the colours of those who may move everything (4.2) by how they lie, the load first, from its top.

        It is all the same which of them throws when. Late in a game, where games are lost, nearly all may, so that one board stands for many.
        """
        owner, rank = self.owner, self.rank
        free = position.four
        load = position.cells[position.boat]
        one: i64 = 1
        if not position.children:
            # Who has no crate aboard may not sail (4.4).
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
