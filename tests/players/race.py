"""A small game of dice whose exact values a few lines can work out: two runners, a die of three sides, forward or push back."""

from functools import cache
from typing import cast

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.judgement import Judgement
from tablee.core.position import CHANCE, OVER, Position

GOAL = 4
FORWARD, BACK = 0, 1
FIRST_THROW = 2


class Race(Position):
    """Who is on square 4 first wins; a throw of n takes one's runner n forward, or the other's n back; together, seat 0's arrival saves both."""

    def __init__(self, together: bool = False) -> None:
        """Begin on square 0."""
        super().__init__(2)
        self.together = together
        self.places = [0, 0]
        self.now = 0
        self.thrown = 0

    def actor(self) -> i64:
        """Return who must use his throw."""
        if max(self.places) >= GOAL:
            return OVER
        return self.now if self.thrown else CHANCE

    def turn(self) -> i64:
        """Return whose turn it is."""
        return self.now

    def actions(self, seat: i64, into: vec[i64]) -> i64:
        """List both ways."""
        into[0], into[1] = FORWARD, BACK
        return 2

    def play(self, action: i64) -> None:
        """Throw, or use the throw."""
        if action >= FIRST_THROW:
            self.thrown = int(action) - FIRST_THROW + 1
            return
        if action == FORWARD:
            self.places[self.now] += self.thrown
        else:
            self.places[1 - self.now] = max(0, self.places[1 - self.now] - self.thrown)
        self.now, self.thrown = 1 - self.now, 0

    def chances(self) -> i64:
        """Return the sides of the die; 3 is on two of four."""
        return 4

    def throw(self, case: i64) -> i64:
        """Return 1, 2, 3 or 3."""
        return FIRST_THROW + min(2, int(case))

    def copy(self) -> Position:
        """Return an equal race."""
        twin = Race(self.together)
        twin.copy_from(self)
        return twin

    def copy_from(self, other: Position) -> None:
        """Become equal."""
        race = cast(Race, other)
        self.places, self.now, self.thrown = list(race.places), race.now, race.thrown

    def score(self, seat: i64) -> i64:
        """Return how far a runner is."""
        return self.places[seat]

    def winners(self) -> i64:
        """Return who has arrived."""
        if self.together:
            return 3 if self.places[0] >= GOAL else 0
        return 1 if self.places[0] >= GOAL else 2

    def friends(self, seat: i64) -> i64:
        """Return who wins with a seat."""
        return 3 if self.together else seat + 1

    def hash(self) -> i64:
        """Return a number for everything."""
        return self.places[0] + 10 * self.places[1] + 100 * self.now + 1000 * self.thrown


class Shrug(Judgement):
    """A judgement that knows nothing, and counts how often it is asked."""

    def __init__(self) -> None:
        """Begin to count."""
        self.asked = 0

    def value(self, position: Position, seat: i64) -> float:
        """Return one half."""
        self.asked += 1
        return 0.5


def exact(race: Race, seat: int, depth: int) -> float:
    """Return what a seat may expect, looking through so many throws and shrugging at the end: slow and plain."""
    return reckoned(race.places[0], race.places[1], race.now, race.thrown, race.together, seat, depth)


@cache
def reckoned(first: int, second: int, now: int, thrown: int, together: bool, seat: int, depth: int) -> float:
    """Return the same from the parts of a race."""
    race = Race(together)
    race.places, race.now, race.thrown = [first, second], now, thrown
    actor = race.actor()
    if actor == OVER:
        return 1.0 if race.winners() >> seat & 1 else 0.0
    if actor == CHANCE:
        if depth == 0:
            return 0.5
        return sum(exact(after(race, int(race.throw(case))), seat, depth - 1) for case in range(4)) / 4
    values = [exact(after(race, action), seat, depth) for action in (FORWARD, BACK)]
    return max(values) if race.friends(seat) >> int(actor) & 1 else min(values)


def after(race: Race, action: int) -> Race:
    """Return the race after an action."""
    twin = cast(Race, race.copy())
    twin.play(action)
    return twin
