# compiled
"""The one thing a search knows of a game: a mutable position that lists, plays and scores."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from tablee.core.bits import bit

CHANCE: Final[i64] = -1
OVER: Final[i64] = -2


@mypyc_attr(allow_interpreted_subclasses=True)
class Position:
    """A position to be played on in place; seats count from 0.

    Nothing here checks an action: `State` asks the rulings first, a search only plays what `actions` listed.
    """

    def __init__(self, seats: i64) -> None:
        """Set up for that many seats."""
        self.seats: i64 = seats

    def actor(self) -> i64:
        """Return the lowest seat that may act now, or CHANCE, or OVER."""
        raise NotImplementedError

    def actors(self) -> i64:
        """Return the set of seats that may act now, bit s for seat s; 0 at chance and at the end."""
        actor = self.actor()
        if actor < 0:
            return 0
        return bit(actor)

    def turn(self) -> i64:
        """Return the seat whose turn it is, who also throws the dice."""
        raise NotImplementedError

    def actions(self, seat: i64, into: vec[i64]) -> i64:
        """Write the legal actions of a seat that may act into the buffer, in a fixed order; return how many."""
        raise NotImplementedError

    def pick(self, seat: i64, word: i64, into: vec[i64]) -> i64:
        """Return the legal action of a seat that a random number of 32 bits falls on; a game that need not list them all says how."""
        return into[self.actions(seat, into) * word >> 32]

    def play(self, action: i64) -> None:
        """Play a legal action or a throw."""
        raise NotImplementedError

    def chances(self) -> i64:
        """Return how many equally likely cases the throw has (36 for two dice)."""
        return 0

    def throw(self, case: i64) -> i64:
        """Return the throw, as an action, in that case of `chances`; several cases may give the same."""
        raise NotImplementedError

    def copy(self) -> "Position":
        """Return a new equal position."""
        raise NotImplementedError

    def copy_from(self, other: "Position") -> None:
        """Become equal to a position of the same game, without allocating where possible."""
        raise NotImplementedError

    def score(self, seat: i64) -> i64:
        """Return what the seat has scored, by the rules' own count; final once the game is over."""
        raise NotImplementedError

    def winners(self) -> i64:
        """Return the set of seats that have won or share the win, once the game is over."""
        raise NotImplementedError

    def friends(self, seat: i64) -> i64:
        """Return the set of seats that win and lose with a seat, itself included."""
        return bit(seat)

    def reason(self) -> str:
        """Return the paragraph that ended the game."""
        raise NotImplementedError

    def standing(self, seat: i64) -> i64:
        """Return how well the seat stands at a glance; what a greedy player maximises."""
        return self.score(seat)

    def hash(self) -> i64:
        """Return a number that is equal for equal positions and nearly always differs otherwise."""
        raise NotImplementedError


def listed(position: Position, seat: i64, size: i64) -> list[int]:
    """Return the legal actions of a seat; `size` is the action count of the game.

    The buffer lives here, in compiled code: one made by interpreted code and handed to a compiled method is never let go of.
    """
    buffer = vec[i64]([0] * size)
    n = position.actions(seat, buffer)
    found: list[int] = []
    k: i64 = 0
    while k < n:
        found.append(buffer[k])
        k += 1
    return found
