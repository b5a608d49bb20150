"""The first position of every game of a batch, by the seed, the lane and the number of the game in it."""

from functools import lru_cache

from tablee.core.bits import mix
from tablee.core.draws import seeded
from tablee.core.game import Game
from tablee.core.position import Position

KEPT = 64


class Starts:
    """Draws the set-up of each game; where nothing is drawn, all games begin alike."""

    def __init__(self, game: Game) -> None:
        """Remember the game; `seed` may change before a reset."""
        self.game = game
        self.seed = 0
        self.make = lru_cache(KEPT)(self.position_of)

    def position_of(self, setup: tuple[tuple[str, str], ...]) -> Position:
        """Return the first position of a set-up, which nobody changes."""
        return self.game.start_from(dict(setup)).position

    def __call__(self, lane: int, number: int) -> Position:
        """Return the first position of a game of a lane."""
        setup = self.game.kind.setup(self.game, seeded(int(mix(self.seed, lane)), number), {})
        return self.make(tuple(setup.items()))

    @property
    def fixed(self) -> Position | None:
        """The first position of all games, or None if something is drawn."""
        return self(0, 0) if not self.game.kind.deal.outcomes(self.game, ()) else None
