# compiled
"""What every seat may hope of its next throw at Tabaijana with five: with how many numbers it does well, and with how many it must do harm.

Five seats have no crates of nobody to move: a seat that can only pass the boat, or part what belongs together, loses the game for
all. A network that sees no more than where the crates lie learns that slowly, so it is told. What is well done differs: in the
family game like lies on like, in the children's game never.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import DE_BRUIJN
from tablee.games.tabaijana.position import CELL, COLOURS, LAST_CELL, TabaijanaPosition

SEATS: Final[i64] = 5
NUMBERS: Final[i64] = 63  # the numbers of a die, a bit each
FOUR: Final[i64] = 0xFFF  # the top four crates of a stack
ALIKE: Final[i64] = 0x249  # times a colour: four crates of it
# What serves a seat is one word: the numbers that better, load well, do no harm, are possible; two seats share a word while it is gathered.
LOADS: Final[i64] = 6
HARMLESS: Final[i64] = 12
POSSIBLE: Final[i64] = 18
ALL_POSSIBLE: Final[i64] = 0xFC0000
SEAT: Final[i64] = 24
SERVED: Final[i64] = 0xFFFFFF
# The features: by seat in turn, by one die or two, how many numbers (0 to 6) better, load, do no harm, do harm; then how often its crates are buried,
# how far they have to go to the boat all together, and how many lie ahead of it.
KINDS: Final[i64] = 28
BURIED: Final[i64] = 280
WAY: Final[i64] = 300
AHEAD: Final[i64] = 360
SIZE: Final = 385
HOW_MANY: Final = vec[i64]([i64(numbers.bit_count()) for numbers in range(64)])


class Prospects:
    """Counts the numbers that serve each seat, from the one to throw."""

    def __init__(self) -> None:
        """Make room: by colour the cells with it on top, by seat how its crates lie and the numbers that serve it."""
        self.tops: vec[i64] = vec[i64]([0] * 8)
        self.buried: vec[i64] = vec[i64]([0] * 8)
        self.way: vec[i64] = vec[i64]([0] * 8)
        self.ahead: vec[i64] = vec[i64]([0] * 8)
        self.served: vec[i64] = vec[i64]([0] * 8)

    def write(self, position: TabaijanaPosition, owner: vec[i64], into: vec[i64], n: i64, first: i64) -> i64:
        """Write the features, numbered from `first`, after the first n; by colour, `owner` tells its place among the five."""
        self.look(position, owner)
        self.stacks(position, owner)
        self.boat(position, owner)
        colour: i64 = 1
        while colour <= COLOURS:
            k = owner[colour]
            at = first + 2 * KINDS * k
            if (position.three >> colour) & 1:
                at += KINDS
            served = self.served[k]
            harmless = (served >> HARMLESS) & NUMBERS
            into[n] = at + HOW_MANY[served & NUMBERS]
            into[n + 1] = at + 7 + HOW_MANY[(served >> LOADS) & NUMBERS]
            into[n + 2] = at + 14 + HOW_MANY[harmless]
            into[n + 3] = at + 21 + HOW_MANY[(served >> POSSIBLE) & ~harmless & NUMBERS]
            into[n + 4] = first + BURIED + 4 * k + (self.buried[k] if self.buried[k] < 3 else 3)
            way = (self.way[k] + 3) >> 2
            into[n + 5] = first + WAY + 12 * k + (way if way < 11 else 11)
            into[n + 6] = first + AHEAD + 5 * k + self.ahead[k]
            n += 7
            colour += 1
        return n

    def look(self, position: TabaijanaPosition, owner: vec[i64]) -> None:
        """Note what lies on top of each stack and, off the boat, how often each seat's crates lie under others, how far behind it, how many ahead."""
        tops, buried, way, ahead = self.tops, self.buried, self.way, self.ahead
        boat = position.boat
        k: i64 = 0
        while k < SEATS:
            tops[k + 1] = 0
            buried[k] = 0
            way[k] = 0
            ahead[k] = 0
            k += 1
        places = position.occupied
        while places:
            low = places & -places
            places ^= low
            cell = CELL[(low * DE_BRUIJN >> 58) & 63]
            stack = position.cells[cell]
            last = stack & 7
            tops[last] |= low
            if cell == boat:
                continue
            while stack:
                colour = stack & 7
                k = owner[colour]
                if colour != last:
                    buried[k] += 1
                    last = colour
                if cell < boat:
                    way[k] += boat - cell
                else:
                    ahead[k] += 1
                stack >>= 3

    def stacks(self, position: TabaijanaPosition, owner: vec[i64]) -> None:
        """Note by seat the numbers by which it may move some part of a stack, and those by which that is well done."""
        children, boat, occupied = position.children, position.boat, position.occupied
        one: i64 = 1
        here = one << boat
        behind = here - 1
        afloat = (one << LAST_CELL) - 1
        land = (one << position.far_end) - 1
        free = privileged(position, owner)
        fitting = fits(position)
        seats_0_1: i64 = 0
        seats_2_3: i64 = 0
        seat_4: i64 = 0
        places = occupied
        while places:
            low = places & -places
            places ^= low
            cell = CELL[(low * DE_BRUIJN >> 58) & 63]
            stack = position.cells[cell]
            ahead = cell + 1
            room = (behind & ~occupied) >> ahead
            boats = here >> ahead
            reach = (land >> cell) & NUMBERS
            able = free
            while stack:
                colour = stack & 7
                stack >>= 3
                under = stack & 7
                able |= one << owner[colour]
                may = able
                if under and not children:
                    may |= one << owner[under]
                like = self.tops[colour]
                good: i64 = 0
                better: i64 = 0
                calm: i64 = 0
                if (fitting >> colour) & 1:
                    good = boats
                if children:
                    calm = room | good | (occupied & ~like & behind) >> ahead
                    if under == colour:
                        better = calm
                elif under != colour:
                    better = (like & afloat) >> ahead
                    calm = room | good | better
                served = (better & NUMBERS) | (good & NUMBERS) << LOADS | (calm & NUMBERS) << HARMLESS | reach << POSSIBLE
                # A seat that may has its bit: times that, the word goes to its place.
                seats_0_1 |= served * ((may & 1) | (may & 2) << (SEAT - 1))
                seats_2_3 |= served * ((may >> 2 & 1) | (may >> 2 & 2) << (SEAT - 1))
                seat_4 |= served * (may >> 4)
        self.served[0], self.served[1] = seats_0_1 & SERVED, seats_0_1 >> SEAT
        self.served[2], self.served[3] = seats_2_3 & SERVED, seats_2_3 >> SEAT
        self.served[4] = seat_4

    def boat(self, position: TabaijanaPosition, owner: vec[i64]) -> None:
        """Note for the seats that may sail every number as possible, and well done where the boat fetches a stack that fits."""
        fitting = fits(position)
        fetched: i64 = 0
        one: i64 = 1
        ahead = position.boat + 1
        places = ((position.occupied & ((one << LAST_CELL) - 1)) >> ahead) & NUMBERS
        while places:
            low = places & -places
            places ^= low
            if (fitting >> lowest(position.cells[ahead + CELL[(low * DE_BRUIJN >> 58) & 63]])) & 1:
                fetched |= low
        served = fetched << LOADS | fetched << HARMLESS | ALL_POSSIBLE
        seat: i64 = 0
        while seat < SEATS:
            colour = position.colours[seat]
            free = (position.four >> colour) & 1
            if position.may_sail(position.cells[position.boat], position.patterns[seat], free):
                self.served[owner[colour]] |= served
            seat += 1


def privileged(position: TabaijanaPosition, owner: vec[i64]) -> i64:
    """Return the seats, from the one to throw, that may move any part of a stack (4.2)."""
    found: i64 = 0
    colour: i64 = 1
    while colour <= COLOURS:
        found |= ((position.four >> colour) & 1) << owner[colour]
        colour += 1
    return found


def fits(position: TabaijanaPosition) -> i64:
    """Return the colours, a bit each, that lie well on the load: its like or, on nothing and on four of a kind, all; for children any other."""
    load = position.cells[position.boat]
    top = load & 7
    every: i64 = 62
    if not load or (not position.children and load & FOUR == top * ALIKE):
        return every
    one: i64 = 1
    return every & ~(one << top) if position.children else one << top


def lowest(stack: i64) -> i64:
    """Return the colour of the lowest crate of a stack."""
    colour: i64 = 0
    while stack:
        colour = stack & 7
        stack >>= 3
    return colour
