"""The set-up of a game as draws one after the other, each with its exact odds: what a search over chance needs."""

from fractions import Fraction
from typing import TYPE_CHECKING

from tablee.core.node import Outcomes

if TYPE_CHECKING:
    from tablee.core.game import Game
    from tablee.core.kind import Setup

MOST_CASES = 100_000


class Deal:
    """How a set-up is drawn; `drawn` is what has been drawn so far, each draw a small number."""

    def outcomes(self, game: "Game", drawn: tuple[int, ...]) -> Outcomes:
        """Return what may be drawn next with its odds, nothing once all is drawn."""
        raise NotImplementedError

    def setup(self, game: "Game", drawn: tuple[int, ...]) -> "Setup":
        """Return the set-up once all is drawn."""
        raise NotImplementedError

    def tell(self, game: "Game", number: int) -> str:
        """Return a word for what was drawn."""
        return f"draw {number}"


class Unfinished(Exception):
    """A set-up needs one more draw; holds the number of equally likely cases."""


class DrawnDeal(Deal):
    """The draws that the game's own `setup` asks for, each of equally likely cases."""

    def outcomes(self, game: "Game", drawn: tuple[int, ...]) -> Outcomes:
        """Return the cases of the next draw."""
        try:
            self.setup(game, drawn)
        except Unfinished as wanted:
            cases = wanted.args[0]
            if cases > MOST_CASES:
                raise ValueError(f"{game.slug} draws its set-up from {cases} cases at once: expected a `deal` with smaller steps") from None
            return tuple((case, Fraction(1, cases)) for case in range(cases))
        return ()

    def setup(self, game: "Game", drawn: tuple[int, ...]) -> "Setup":
        """Return the set-up of these draws."""
        left = iter(drawn)

        def draw(cases: int) -> int:
            """Give the next number drawn, or say that it is missing."""
            for number in left:
                return number
            raise Unfinished(cases)

        return game.kind.setup(game, draw, {})


AS_DRAWN = DrawnDeal()
