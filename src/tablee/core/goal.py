"""What a person wants to know of a seat: the number that counts, and the aim."""

from dataclasses import dataclass

from tablee.core.ruling import Message


@dataclass(frozen=True)
class Goal:
    """What one seat has reached, of how many (0: no limit), the sentence of the aim, and a few words on its state."""

    count: int
    aim: Message | None = None
    of: int = 0
    state: Message | None = None
