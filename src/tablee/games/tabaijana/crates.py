# compiled unchecked
"""Features of single crates at Tabaijana: the owner, the distance from the boat and what lies on top; the load from its top down.

The other features summarise stacks, colours and seats, so that similar stacks look the same to the network. These features
need a wider network.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import DE_BRUIJN
from tablee.games.tabaijana.position import CELL, HARBOUR, LAST_CELL, TabaijanaPosition

SEATS: Final[i64] = 5
# From 13 cells ahead of the boat to 22 behind it.
DISTANCES: Final[i64] = 36
FARTHEST_AHEAD: Final[i64] = 13
# Off the boat: each crate by owner, distance and number of crates on it (0, 1, more); each pair of neighbours in a stack, by both owners and
# distance; and the owners in each stack, by distance.
PAIRS: Final[i64] = 540
COMPANY: Final[i64] = 1440
# The load: its two topmost owners, the number of crates above its topmost and its lowest pair of one colour, the third and the fourth owner.
TOP: Final[i64] = 2592
TOPMOST_PAIR: Final[i64] = 2628
LOWEST_PAIR: Final[i64] = 2649
THIRD: Final[i64] = 2670
FOURTH: Final[i64] = 2675
# By the cell of the boat: the number of crates aboard, in total and of each seat.
ABOARD: Final[i64] = 2680
EACH_ABOARD: Final[i64] = 2974
SIZE: Final = 3324
NOTHING: Final[i64] = 35
CRATES_AND_NONE: Final[i64] = 21


class Crates:
    """Writes the features of single crates, as the seat to throw sees them."""

    def __init__(self) -> None:
        """Make the buffer: for each seat, the number of its crates aboard."""
        self.aboard: vec[i64] = vec[i64]([0] * 8)

    def write(self, position: TabaijanaPosition, owner: vec[i64], into: vec[i64], n: i64, first: i64) -> i64:
        """Write the features, numbered from `first`, after the first n; `owner` gives the owner of each colour."""
        n = self.stacks(position, owner, into, n, first)
        return self.load(position, owner, into, n, first)

    def stacks(self, position: TabaijanaPosition, owner: vec[i64], into: vec[i64], n: i64, first: i64) -> i64:
        """Write the crates of each stack off the boat, from its top."""
        boat = position.boat
        one: i64 = 1
        places = position.occupied
        while places:
            low = places & -places
            places ^= low
            cell = CELL[(low * DE_BRUIJN >> 58) & 63]
            if cell == boat:
                continue
            distance = boat - cell + FARTHEST_AHEAD
            if distance < 0:
                distance = 0
            elif distance >= DISTANCES:
                distance = DISTANCES - 1
            stack = position.cells[cell]
            company: i64 = 0
            above: i64 = -1
            depth: i64 = 0
            while stack:
                seat = owner[stack & 7]
                company |= one << seat
                into[n] = first + 3 * (DISTANCES * seat + distance) + (depth if depth < 2 else 2)
                n += 1
                if depth:
                    into[n] = first + PAIRS + SEATS * (SEATS * distance + above) + seat
                    n += 1
                above = seat
                depth += 1
                stack >>= 3
            into[n] = first + COMPANY + DISTANCES * company + distance
            n += 1
        return n

    def load(self, position: TabaijanaPosition, owner: vec[i64], into: vec[i64], n: i64, first: i64) -> i64:
        """Write the load from its top, and the number of crates of each seat in it."""
        aboard = self.aboard
        seat: i64 = 0
        while seat < SEATS:
            aboard[seat] = 0
            seat += 1
        stack = position.cells[position.boat]
        top: i64 = NOTHING
        topmost: i64 = -1
        lowest: i64 = -1
        above: i64 = -1
        height: i64 = 0
        while stack:
            seat = owner[stack & 7]
            aboard[seat] += 1
            if height == 0:
                top = 6 * seat + SEATS
            elif height == 1:
                top += seat - SEATS
            elif height == 2:
                into[n] = first + THIRD + seat
                n += 1
            elif height == 3:
                into[n] = first + FOURTH + seat
                n += 1
            if seat == above:
                lowest = height - 1
                if topmost < 0:
                    topmost = lowest
            above = seat
            height += 1
            stack >>= 3
        into[n] = first + TOP + top
        n += 1
        if topmost >= 0:
            into[n] = first + TOPMOST_PAIR + topmost
            into[n + 1] = first + LOWEST_PAIR + lowest
            n += 2
        boat = position.boat
        sailed = (boat if boat < LAST_CELL else LAST_CELL - 1) - HARBOUR
        into[n] = first + ABOARD + CRATES_AND_NONE * sailed + height
        n += 1
        seat = 0
        while seat < SEATS:
            into[n] = first + EACH_ABOARD + SEATS * (SEATS * sailed + seat) + aboard[seat]
            n += 1
            seat += 1
        return n
