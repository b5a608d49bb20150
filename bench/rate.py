"""What is measured: moves and games in seconds of one processor, and the best of several short runs."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """Random games of one kind, played for a while; a move is an action of a seat or a throw of the dice."""

    name: str
    games: float
    moves: float
    seconds: float

    @property
    def games_per_second(self) -> float:
        """Complete games in a second."""
        return self.games / self.seconds

    @property
    def moves_per_second(self) -> float:
        """Moves in a second."""
        return self.moves / self.seconds

    def __add__(self, other: "Rate") -> "Rate":
        """Return both runs together."""
        return Rate(self.name, self.games + other.games, self.moves + other.moves, self.seconds + other.seconds)


def best(rates: Iterable[Rate]) -> dict[str, Rate]:
    """Return the fastest run of each name, in the order of the names: a busy machine only ever slows a run down."""
    fastest: dict[str, Rate] = {}
    for rate in rates:
        if rate.name not in fastest or rate.moves_per_second > fastest[rate.name].moves_per_second:
            fastest[rate.name] = rate
    return fastest
