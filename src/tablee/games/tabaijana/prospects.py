# compiled unchecked
"""Features of the next throw of each seat at Tabaijana with five: how many numbers of the die help it, and how many force it to do harm.

With five seats no crates are neutral: a seat that can only pass the boat, or separate equal crates, loses the game for all. A
network learns this slowly from the places of the crates, so these features state it. What helps depends on the game: equal
crates must lie on each other in the family game, and never in the children's game.
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
# One word for each seat, six bits each: the numbers that improve, load well, do no harm, are possible. During collection two seats share a word.
LOADS: Final[i64] = 6
HARMLESS: Final[i64] = 12
POSSIBLE: Final[i64] = 18
ALL_POSSIBLE: Final[i64] = 0xFC0000
SEAT: Final[i64] = 24
SERVED: Final[i64] = 0xFFFFFF
# The features of each seat in turn: by one die or two, how many numbers (0 to 6) improve, load well, do no harm, do harm; then how often its crates
# lie under others, the sum of their distances to the boat, and how many lie ahead of it.
KINDS: Final[i64] = 28
BURIED: Final[i64] = 280
WAY: Final[i64] = 300
AHEAD: Final[i64] = 360
SIZE: Final = 385
HOW_MANY: Final = vec[i64]([i64(numbers.bit_count()) for numbers in range(64)])


class Prospects:
    """Counts the numbers that help each seat, from the seat to throw on."""

    def __init__(self) -> None:
        """Make the buffers: the cells with each colour on top; for each seat, how its crates lie and the numbers that help it."""
        self.tops: vec[i64] = vec[i64]([0] * 8)
        self.buried: vec[i64] = vec[i64]([0] * 8)
        self.way: vec[i64] = vec[i64]([0] * 8)
        self.ahead: vec[i64] = vec[i64]([0] * 8)
        self.served: vec[i64] = vec[i64]([0] * 8)

    def write(self, position: TabaijanaPosition, owner: vec[i64], into: vec[i64], n: i64, first: i64) -> i64:
        """Write the features, numbered from `first`, after the first n; `owner` gives the owner of each colour."""
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
        """Collect the top of each stack and, off the boat, for each seat: crates under others, distances behind the boat, crates ahead of it."""
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
        """Collect for each seat the numbers by which it may move part of a stack, and those by which such a move helps."""
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
                # Multiplying by the bits of the seats that may move copies the word to the place of each.
                seats_0_1 |= served * ((may & 1) | (may & 2) << (SEAT - 1))
                seats_2_3 |= served * ((may >> 2 & 1) | (may >> 2 & 2) << (SEAT - 1))
                seat_4 |= served * (may >> 4)
        self.served[0], self.served[1] = seats_0_1 & SERVED, seats_0_1 >> SEAT
        self.served[2], self.served[3] = seats_2_3 & SERVED, seats_2_3 >> SEAT
        self.served[4] = seat_4

    def boat(self, position: TabaijanaPosition, owner: vec[i64]) -> None:
        """Add for the seats that may sail: every number is possible, and one that brings the boat to a fitting stack loads well."""
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
    seats: i64 = 0
    colour: i64 = 1
    while colour <= COLOURS:
        seats |= ((position.four >> colour) & 1) << owner[colour]
        colour += 1
    return seats


def fits(position: TabaijanaPosition) -> i64:
    """Return the colours, a bit each, that fit on the load: its top colour, or any if it is empty or ends in four alike; for children any other."""
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
