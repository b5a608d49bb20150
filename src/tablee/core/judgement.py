# compiled
"""The evaluation of positions: what a computer player adds to the rules of a game."""

from math import log
from typing import Final, Generic

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from tablee.core.bits import count
from tablee.core.generic import P
from tablee.core.position import OVER, Position

SURE: Final[i64] = 20000


@mypyc_attr(allow_interpreted_subclasses=True)
class Judgement(Generic[P]):
    """Evaluates the positions of one game and orders its actions for a search."""

    def value(self, position: P, seat: i64) -> float:
        """Return the expected share of the win of a seat, from 0 to 1, in an unfinished position; by default equal shares."""
        return float(count(position.friends(seat))) / float(position.seats)

    def urgency(self, position: P, action: i64) -> i64:
        """Return the move ordering score of a legal action; above 0, the position is not quiet and a search must not stop before it."""
        return 0

    def weigh(self, position: P, seat: i64) -> i64:
        """Return the same value as an integer in thousandths of log odds, 0 for even and at most SURE; integers compare faster."""
        value = self.value(position, seat)
        if value <= 0.0:
            return -SURE
        if value >= 1.0:
            return SURE
        return max(-SURE, min(SURE, i64(1000.0 * log(value / (1.0 - value)))))

    def urgent(self, position: P, seat: i64, into: vec[i64]) -> i64:
        """Write the legal actions whose urgency is above 0, in the order of `actions`; return how many."""
        n = position.actions(seat, into)
        written: i64 = 0
        k: i64 = 0
        while k < n:
            action = into[k]
            if self.urgency(position, action) > 0:
                into[written] = action
                written += 1
            k += 1
        return written

    def alike(self, position: P, throw: i64) -> i64:
        """Return the representative of all throws that allow the same actions, so that a search looks at only one of them."""
        return throw

    def doublets(self, position: P, into: vec[i64]) -> i64:
        """Write the throws of two equal dice where any throw offers the choice between its two dice; return how many, 0 elsewhere."""
        return 0

    def merit(self, position: P) -> float:
        """Return how close a lost cooperative game came to a win, from 0 to 1: a learning signal while wins are rare."""
        return 0.0

    def candidates(self, position: P, seat: i64, into: vec[i64]) -> i64:
        """Write the legal actions that a search should consider, in a fixed order; return how many, at least one."""
        return position.actions(seat, into)

    def features(self, position: P, seat: i64, into: vec[i64]) -> i64:
        """Write the indices of the active features of a position, seen from a seat; return how many."""
        return 0


def share(position: Position, seat: i64) -> float:
    """Return a seat's share of the win in a finished game; several winning sides share it equally."""
    winners = position.winners()
    if position.actor() != OVER or not (winners >> seat) & 1:
        return 0.0
    return float(count(position.friends(seat))) / float(count(winners))


def doubt(value: float) -> float:
    """Return the variance v (1 - v) of an expected share of the win: a quarter at even chances, 0 when the result is certain.

    The error of a learned value is proportional to this variance.
    """
    return value * (1.0 - value)


def bounded(number: float) -> float:
    """Return the number clamped to a range in which its exponential neither overflows nor underflows."""
    if number > 30.0:
        return 30.0
    return number if number > -30.0 else -30.0
