"""What the numbers of an observation mean: named parts, each with its shape and range."""

from dataclasses import dataclass
from math import prod

from tablee.core.observer import Observer


@dataclass(frozen=True)
class Part:
    """Some numbers of an observation that belong together: planes of a board, counts, a one-hot choice."""

    name: str
    shape: tuple[int, ...]
    most: int = 1
    least: int = 0

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)


@dataclass(frozen=True)
class Observation:
    """The parts of an observation, in the order in which the observer writes them."""

    parts: tuple[Part, ...]
    observer: Observer

    @property
    def width(self) -> int:
        """How many numbers an observation has."""
        return sum(part.size for part in self.parts)

    @property
    def places(self) -> dict[str, tuple[int, int]]:
        """Where each part begins and ends."""
        places, at = {}, 0
        for part in self.parts:
            places[part.name] = (at, at + part.size)
            at += part.size
        return places
