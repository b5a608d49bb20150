# compiled
"""Random play to the end, as fast as the engine goes: for benchmarks, for tests, and for Monte Carlo search."""

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.position import CHANCE, OVER, Position


class Draw:
    """A small random generator, the same compiled and not: numbers below n from a seed."""

    def __init__(self, seed: i64) -> None:
        """Start from a seed."""
        self.state: i64 = (seed * 0x5851F42D4C957F2D + 0x14057B7EF767814F) & 0x7FFFFFFFFFFFFFFF
        self.below(2)

    def below(self, n: i64) -> i64:
        """Return the next number from 0 to n - 1."""
        self.state = (self.state * 0x5851F42D4C957F2D + 0x14057B7EF767814F) & 0x7FFFFFFFFFFFFFFF
        return ((self.state >> 31) * n) >> 32


def playout(position: Position, draw: Draw, buffer: vec[i64], limit: i64) -> i64:
    """Play random actions to the end, or to the limit; return how many (throws count)."""
    n: i64 = 0
    while n < limit:
        actor = position.actor()
        if actor == OVER:
            break
        if actor == CHANCE:
            position.play(position.throw(draw.below(position.chances())))
        else:
            position.play(buffer[draw.below(position.actions(actor, buffer))])
        n += 1
    return n


def playouts(start: Position, games: i64, seed: i64, size: i64) -> tuple[i64, i64]:
    """Play that many random games from a position; return all actions played and a checksum of the ends."""
    draw = Draw(seed)
    buffer = vec[i64]([0] * size)
    position = start.copy()
    total: i64 = 0
    check: i64 = 0
    k: i64 = 0
    while k < games:
        position.copy_from(start)
        total += playout(position, draw, buffer, 1000000)
        check = (check * 31 + position.hash() + position.winners()) & 0xFFFFFFFFFFFF
        k += 1
    return total, check
