# compiled
"""Sets of cells as bits of one 63-bit word; every shift of a constant goes through `bit`."""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

DE_BRUIJN: Final[i64] = 0x03F79D71B4CB0A89


def bit(n: i64) -> i64:
    """Return the set that contains only n (mypyc miscompiles a shifted constant, so a variable is shifted)."""
    word: i64 = 1
    word <<= n
    return word


# Every literal stays below 2 ** 62: mypyc keeps a larger one as an object and unpacks it each time it is used.
MASK_63: Final[i64] = bit(62) | 0x3FFFFFFFFFFFFFFF


def slot(low: i64) -> i64:
    """Return the index in a 64-entry table of a set with one bit."""
    return (low * DE_BRUIJN >> 58) & 63


def by_slot(values: list[i64]) -> vec[i64]:
    """Return a table such that table[slot(bit(n))] = values[n]."""
    table: vec[i64] = vec[i64]([0] * 64)
    for n, value in enumerate(values):
        table[slot(bit(n))] = value
    return table


INDEX: Final = by_slot([i64(n) for n in range(63)])


def index(low: i64) -> i64:
    """Return n for the set that contains only n."""
    return INDEX[(low * DE_BRUIJN >> 58) & 63]


def count(word: i64) -> i64:
    """Return how many bits are set in a non-negative word."""
    word -= (word >> 1) & 0x1555555555555555
    word = (word & 0x3333333333333333) + ((word >> 2) & 0x3333333333333333)
    word = (word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (word * 0x0101010101010101 >> 56) & 127


def mix(seed: i64, word: i64) -> i64:
    """Return a 63-bit number that depends on every bit of both, for hashes; the same compiled and not."""
    mixed = ((seed ^ (seed >> 29)) * 0x2545F4914F6CDD1D + word * 0x1B873593CC9E2D51) & MASK_63
    return mixed ^ (mixed >> 32)


def members(word: i64) -> list[int]:
    """Return the elements of a set, smallest first."""
    numbers: list[int] = []
    while word:
        low = word & -word
        numbers.append(index(low))
        word ^= low
    return numbers
