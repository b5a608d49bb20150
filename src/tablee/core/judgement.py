# compiled
"""What a position is worth: the one thing a player adds to the rules of a game."""

from math import log
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from tablee.core.bits import count
from tablee.core.position import OVER, Position

SURE: Final[i64] = 20000


@mypyc_attr(allow_interpreted_subclasses=True)
class Judgement:
    """The worth of positions of one game under its options, and what is worth trying first."""

    def value(self, position: Position, seat: i64) -> float:
        """Return what a seat may expect of the win, from 0 to 1, in a position that goes on."""
        raise NotImplementedError

    def urgency(self, position: Position, action: i64) -> i64:
        """Return how early a search should try a legal action; above 0, it changes the position too much to stop before it."""
        return 0

    def weigh(self, position: Position, seat: i64) -> i64:
        """Return the same value as whole thousandths of log odds, 0 for even, for a search that compares much; SURE at most."""
        value = self.value(position, seat)
        if value <= 0.0:
            return -SURE
        if value >= 1.0:
            return SURE
        return max(-SURE, min(SURE, i64(1000.0 * log(value / (1.0 - value)))))

    def urgent(self, position: Position, seat: i64, into: vec[i64]) -> i64:
        """Write the legal actions whose urgency is above 0, in the order of `actions`; return how many."""
        n = position.actions(seat, into)
        found: i64 = 0
        k: i64 = 0
        while k < n:
            action = into[k]
            if self.urgency(position, action) > 0:
                into[found] = action
                found += 1
            k += 1
        return found

    def alike(self, position: Position, throw: i64) -> i64:
        """Return the throw that stands for all throws after which the same can be done, so that a search looks at one of them."""
        return throw

    def doublets(self, position: Position, into: vec[i64]) -> i64:
        """Write the throws of two equal dice where any throw offers the choice between its two dice; return how many, 0 elsewhere."""
        return 0

    def merit(self, position: Position) -> float:
        """Return how near to a win a finished game came that nobody has won, from 0 to 1: what a beginner can learn from."""
        return 0.0

    def candidates(self, position: Position, seat: i64, into: vec[i64]) -> i64:
        """Write the legal actions that a search should try at all, in a fixed order; return how many, at least one."""
        return position.actions(seat, into)

    def features(self, position: Position, seat: i64, into: vec[i64]) -> i64:
        """Write the numbers of the features that a learned value sees, from the side of a seat; return how many."""
        return 0


def share(position: Position, seat: i64) -> float:
    """Return a seat's part of the win in a finished game: the whole for it and its friends, or an equal part among several sides."""
    winners = position.winners()
    if position.actor() != OVER or not (winners >> seat) & 1:
        return 0.0
    return float(count(position.friends(seat))) / float(count(winners))


def doubt(value: float) -> float:
    """Return how open a game is of which a part of the win may be expected: a quarter at even chances, nothing where all is sure.

    A learned chance is a guess at the odds, so that it is off by so much of this, and not by so much of a win.
    """
    return value * (1.0 - value)
