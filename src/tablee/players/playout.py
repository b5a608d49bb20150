# compiled
"""Random play to the end, as fast as the engine goes: for benchmarks, for tests, and for Monte Carlo search."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import MASK_63
from tablee.core.position import CHANCE, OVER, Position

MULTIPLIER: Final[i64] = 2862933555777941757
INCREMENT: Final[i64] = 1442695040888963407


class Draw:
    """A small random generator, the same compiled and not: numbers below n from a seed."""

    def __init__(self, seed: i64) -> None:
        """Start from a seed."""
        self.state: i64 = (seed * MULTIPLIER + INCREMENT) & MASK_63
        self.below(2)

    def word(self) -> i64:
        """Return the next number of 32 bits."""
        state = (self.state * MULTIPLIER + INCREMENT) & MASK_63
        self.state = state
        return state >> 31

    def below(self, n: i64) -> i64:
        """Return the next number from 0 to n - 1."""
        return self.word() * n >> 32


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
            position.play(position.pick(actor, draw.word(), buffer))
        n += 1
    return n


class Rollouts:
    """Random games to the end, one at a time, from positions like a given one."""

    def __init__(self, like: Position, size: i64, seed: i64) -> None:
        """Prepare; `size` is the action count of the game."""
        self.position = like.copy()
        self.draw = Draw(seed)
        self.buffer: vec[i64] = vec[i64]([0] * size)

    def end(self, start: Position, limit: i64) -> Position:
        """Return the position in which one random game from a start ends; it is overwritten by the next."""
        self.position.copy_from(start)
        playout(self.position, self.draw, self.buffer, limit)
        return self.position


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
