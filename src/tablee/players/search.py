# compiled
"""What every search has in common: it thinks until it must stop, then tells what it found."""

from mypy_extensions import i64

from tablee.core.position import Position
from tablee.players.stop import Stop


class Search:
    """A way of thinking about one game; the same one may think about many positions in turn."""

    def think(self, position: Position, seat: i64, stop: Stop) -> None:
        """Think about what a seat should do, until stopped or until nothing is left to find; there is always an answer."""
        raise NotImplementedError

    def ranking(self) -> list[tuple[int, float]]:
        """Return the actions with what the seat may expect of each (0 to 1), the best first."""
        raise NotImplementedError

    def expectation(self, seat: i64) -> float:
        """Return what any seat may expect of the win."""
        raise NotImplementedError

    def line(self) -> list[int]:
        """Return the expected actions, as far as the search sees them; throws are not foretold."""
        return [self.ranking()[0][0]]
