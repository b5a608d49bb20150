"""A small game of dice for two who win together, whose exact values a few lines can work out: a ferry that must land just so."""

from functools import cache
from typing import cast

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.judgement import Judgement
from tablee.core.network import Network
from tablee.core.position import CHANCE, OVER, Position

QUAY = 6
THROWS = 4
WAIT, SAIL = 0, 1
FIRST_THROW = 2
FEATURES = (QUAY + 1) * (THROWS + 1)


class Ferry(Position):
    """By turns each throws 1, 2 or 3 and lets the ferry sail that far or wait; saved if it is at the quay, not beyond it, within four throws."""

    def __init__(self) -> None:
        """Begin at 0."""
        super().__init__(2)
        self.place, self.left, self.thrown = 0, THROWS, 0

    def actor(self) -> i64:
        """Return who must use the throw."""
        if self.thrown:
            return (THROWS - self.left) % 2
        return OVER if self.place >= QUAY or not self.left else CHANCE

    def turn(self) -> i64:
        """Return whose turn it is."""
        return (THROWS - self.left) % 2

    def actions(self, seat: i64, into: vec[i64]) -> i64:
        """List both."""
        into[0], into[1] = WAIT, SAIL
        return 2

    def play(self, action: i64) -> None:
        """Throw, or use the throw."""
        if action >= FIRST_THROW:
            self.thrown = int(action) - FIRST_THROW + 1
            return
        self.place += self.thrown if action == SAIL else 0
        self.left, self.thrown = self.left - 1, 0

    def chances(self) -> i64:
        """Return the sides of the die."""
        return 3

    def throw(self, case: i64) -> i64:
        """Return 1, 2 or 3."""
        return FIRST_THROW + case

    def copy(self) -> Position:
        """Return an equal ferry."""
        twin = Ferry()
        twin.copy_from(self)
        return twin

    def copy_from(self, other: Position) -> None:
        """Become equal."""
        ferry = cast(Ferry, other)
        self.place, self.left, self.thrown = ferry.place, ferry.left, ferry.thrown

    def winners(self) -> i64:
        """Return both if it lies at the quay."""
        return 3 if self.place == QUAY else 0

    def friends(self, seat: i64) -> i64:
        """Return both."""
        return 3

    def hash(self) -> i64:
        """Return a number for everything."""
        return self.place + 10 * self.left + 100 * self.thrown


class Pilot(Judgement):
    """A judgement that sees where the ferry is and how many throws are left, each pair as a feature."""

    def __init__(self, network: Network) -> None:
        """Judge by a network."""
        self.network = network
        self.seen = vec[i64]([0])

    def value(self, position: Position, seat: i64) -> float:
        """Return the chance of both."""
        return self.network.value(self.seen, self.features(position, seat, self.seen))

    def features(self, position: Position, seat: i64, into: vec[i64]) -> i64:
        """Write the one feature."""
        ferry = cast(Ferry, position)
        into[0] = ferry.place * (THROWS + 1) + ferry.left
        return 1


@cache
def exact(place: int, left: int) -> float:
    """Return the chance to be saved, played as well as can be: slow and plain."""
    if place == QUAY:
        return 1.0
    if place > QUAY or not left:
        return 0.0
    return sum(max(exact(place, left - 1), exact(place + number, left - 1)) for number in (1, 2, 3)) / 3


def before_throws() -> list[Ferry]:
    """Return every position in which a throw is due and all is open."""
    positions = []
    for left in range(1, THROWS + 1):
        for place in range(min(QUAY, 3 * (THROWS - left) + 1)):
            if 0.0 < exact(place, left) < 1.0:
                ferry = Ferry()
                ferry.place, ferry.left = place, left
                positions.append(ferry)
    return positions
