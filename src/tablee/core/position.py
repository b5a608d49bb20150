# compiled
"""The interface between a game and a search: a mutable position that lists and plays actions and keeps the score."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from tablee.core.bits import bit
from tablee.core.fields import fields, restore, values

CHANCE: Final[i64] = -1
OVER: Final[i64] = -2
NOBODY: Final[i64] = -3


@mypyc_attr(allow_interpreted_subclasses=True)
class Position:
    """A position to be played on in place; seats count from 0.

    Nothing here checks an action: `State` plays only what `actions` lists, and a search does the same.
    Two positions are equal if no rule can tell them apart. Do not play on a position that is a key of a dict or set.
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
        """Return the legal action that a random number of 32 bits selects; a game may override it to avoid listing all actions."""
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
        """Return the set of seats that have won, once the game is over: in a draw all that share it, 0 only if all have lost together."""
        raise NotImplementedError

    def friends(self, seat: i64) -> i64:
        """Return the set of seats that win and lose with a seat, itself included."""
        return bit(seat)

    def reason(self) -> str:
        """Return the paragraph that ended the game."""
        raise NotImplementedError

    def standing(self, seat: i64) -> i64:
        """Return a simple static score of the seat, which a greedy player maximises."""
        return self.score(seat)

    def hash(self) -> i64:
        """Return a number that is equal for equal positions and nearly always differs otherwise."""
        raise NotImplementedError

    def facts(self) -> tuple[object, ...]:
        """Return all that a rule looks at: equal for equal positions only. By default every field."""
        return values(self)

    def __eq__(self, other: object) -> bool:
        """Return whether no rule can tell the two positions apart."""
        if not isinstance(other, Position):
            return NotImplemented
        return type(self) is type(other) and self.facts() == other.facts()

    def __hash__(self) -> int:
        """Return `hash()`."""
        return int(self.hash())

    def __reduce__(self) -> tuple[object, ...]:
        """Return how pickle makes the position again: its class and its fields."""
        return restore, (type(self), fields(self))

    def __copy__(self) -> "Position":
        """Return a new equal position."""
        return self.copy()

    def __deepcopy__(self, memo: object) -> "Position":
        """Return a new equal position."""
        return self.copy()


def legal_actions(position: Position, size: i64) -> list[int]:
    """Return the legal actions of every seat that may act, or the throws in the order of their numbers."""
    actor = position.actor()
    if actor == CHANCE:
        return throws(position)
    actions: list[int] = []
    seats = position.actors()
    seat: i64 = 0
    while seats:
        if seats & 1:
            actions += listed(position, seat, size)
        seats >>= 1
        seat += 1
    return actions


def throws(position: Position) -> list[int]:
    """Return every throw, as an action, once, in the order of their numbers."""
    return sorted({position.throw(case) for case in range(position.chances())})


def mover(position: Position, action: i64, size: i64) -> i64:
    """Return the seat that may play an action or throws it now, or NOBODY."""
    actor = position.actor()
    if actor == OVER:
        return NOBODY
    n: i64 = 0
    if actor == CHANCE:
        cases = position.chances()
        while n < cases:
            if position.throw(n) == action:
                return position.turn()
            n += 1
        return NOBODY
    buffer = vec[i64]([0] * size)
    seats = position.actors()
    seat: i64 = 0
    while seats:
        if seats & 1:
            n = position.actions(seat, buffer)
            while n:
                n -= 1
                if buffer[n] == action:
                    return seat
        seats >>= 1
        seat += 1
    return NOBODY


def after(position: Position, action: i64) -> Position:
    """Return a new position after a legal action or a throw."""
    child = position.copy()
    child.play(action)
    return child


def listed(position: Position, seat: i64, size: i64) -> list[int]:
    """Return the legal actions of a seat; `size` is the action count of the game.

    The buffer lives here, in compiled code: one made by interpreted code and handed to a compiled method is never freed.
    """
    buffer = vec[i64]([0] * size)
    n = position.actions(seat, buffer)
    actions: list[int] = []
    k: i64 = 0
    while k < n:
        actions.append(buffer[k])
        k += 1
    return actions
