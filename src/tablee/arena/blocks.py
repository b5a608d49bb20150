"""The file of learned weights that ships with a game: a block for each configuration, in their order.

A block begins with two comments: when and by which command it was trained, and the measured gain; then comes
the section of the configuration, as its training module wrote it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tablee.core.errors import TableeError

ORIGIN = re.compile(r"^# \d{4}-\d\d-\d\d: ", re.MULTILINE)
MARK = "# "


@dataclass(frozen=True)
class Block:
    """How one configuration was learned, what it has gained, and its section."""

    origin: str
    gain: str
    section: str

    def __str__(self) -> str:
        """Return it as it stands in the file."""
        return f"{MARK}{self.origin}\n{MARK}{self.gain}\n{self.section.rstrip()}\n"


def read_blocks(text: str, expected: int) -> list[Block]:
    """Return the blocks of a file, or raise the error for another number of them than a game has configurations."""
    begins = [match.start() for match in ORIGIN.finditer(text)]
    if len(begins) != expected:
        raise TableeError(
            f"the file of weights has {len(begins)} dated blocks: expected {expected}, one for each configuration; train them all at once"
        )
    return [read_block(text[begin:end]) for begin, end in zip(begins, [*begins[1:], len(text)], strict=True)]


def read_block(text: str) -> Block:
    """Return one block."""
    origin, gain, *rest = text.splitlines()
    if not gain.startswith(MARK) or not rest:
        raise TableeError(f"after {origin!r} comes {gain!r}: expected a comment that tells the gain, then the weights")
    return Block(origin.removeprefix(MARK), gain.removeprefix(MARK), "\n".join(rest))


def write_blocks(blocks: Iterable[Block]) -> str:
    """Return the text of a file."""
    return "".join(map(str, blocks))
