# compiled
"""The transposition table of alpha-beta: depth, value and best action of searched positions.

A fact is one word: from the top the number of its search, the value, the action, the depth, and whether the value is exact or a bound.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

NOTHING: Final[i64] = 0
EXACT: Final[i64] = 1
LEAST: Final[i64] = 2
MOST: Final[i64] = 3

# Values lie between these.
FARTHEST: Final[i64] = 200000
THOUGHTS: Final[i64] = 0x7FFFF


class Memory:
    """Remembers at most `most` positions, a power of two, 16 bytes each."""

    def __init__(self, most: i64) -> None:
        """Begin small: a large table takes longer to make than the shortest of budgets."""
        self.most: i64 = most
        self.slots: i64 = 0
        self.keys: vec[i64] = vec[i64]()
        self.facts: vec[i64] = vec[i64]()
        self.make_room(1)

    def make_room(self, wanted: i64) -> None:
        """Make room for twice that many positions, up to the limit; a table that grows loses its content."""
        slots: i64 = 2
        while slots < self.most and slots < 2 * wanted:
            slots *= 2
        if slots > self.slots:
            self.slots = slots
            self.keys = vec[i64]([0] * slots)
            self.facts = vec[i64]([NOTHING] * slots)

    def find(self, place: i64, key: i64) -> i64:
        """Return the stored fact of a position, or NOTHING."""
        at = place & (self.slots - 2)
        if self.keys[at] != key:
            at += 1
            if self.keys[at] != key:
                return NOTHING
        return self.facts[at]

    def keep(self, place: i64, key: i64, fact: i64) -> None:
        """Store a fact: the first slot of a place keeps the deeper fact, the second takes any; facts of old searches are always replaced."""
        at = place & (self.slots - 2)
        if self.keys[at] != key:
            other = self.facts[at]
            if other >> 44 == fact >> 44 and depth(other) > depth(fact):
                at += 1
        self.keys[at] = key
        self.facts[at] = fact


def make_fact(thought: i64, value: i64, action: i64, depth: i64, bound: i64) -> i64:
    """Return a fact packed into one word; action -1 means none."""
    return ((thought & THOUGHTS) << 44) | ((value + FARTHEST) << 24) | ((action + 1) << 10) | (depth << 4) | (bound << 2)


def value(fact: i64) -> i64:
    """Return the value of a position, or a bound of it."""
    return ((fact >> 24) & 0xFFFFF) - FARTHEST


def action(fact: i64) -> i64:
    """Return the best action, or -1."""
    return ((fact >> 10) & 0x3FFF) - 1


def depth(fact: i64) -> i64:
    """Return how deep a position was searched."""
    return (fact >> 4) & 0x3F


def bound(fact: i64) -> i64:
    """Return whether the value is EXACT, the LEAST or the MOST that the position is worth."""
    return (fact >> 2) & 3
