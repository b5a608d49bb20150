# compiled
"""What a position is worth: the one thing a player adds to the rules of a game."""

from librt.vecs import vec
from mypy_extensions import i64, mypyc_attr

from tablee.core.bits import count
from tablee.core.position import OVER, Position


@mypyc_attr(allow_interpreted_subclasses=True)
class Judgement:
    """The worth of positions of one game under its options, and what is worth trying first."""

    def value(self, position: Position, seat: i64) -> float:
        """Return what a seat may expect of the win, from 0 to 1, in a position that goes on."""
        raise NotImplementedError

    def urgency(self, position: Position, action: i64) -> i64:
        """Return how early a search should try a legal action; above 0, it changes the position too much to stop before it."""
        return 0

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
