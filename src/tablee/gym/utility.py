# compiled
"""What a finished game is worth to a seat, as learning programs count it."""

from mypy_extensions import i64

from tablee.core.bits import count
from tablee.core.judgement import share
from tablee.core.position import OVER, Position


def utility(position: Position, seat: i64) -> float:
    """Return what a seat has won: 0 before the end, 1 for a win alone; all seats together sum to 0.

    Where all seats win or lose together, it is 1 for a win and 0 for a loss.
    """
    winners = position.winners()
    if position.actor() != OVER or not winners:
        return 0.0
    sides = position.seats // count(position.friends(seat))
    if sides == 1:
        return 1.0
    return (float(sides) * share(position, seat) - 1.0) / float(sides - 1)
