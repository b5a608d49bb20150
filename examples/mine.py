"""A player of your own in Python: it takes the action after which it stands best, and breaks ties by chance.

tablee arena tablan level1 mine:Mine --games 20      (from this folder)
tablee join http://127.0.0.1:8080/t/TABLE/join/INVITATION --player mine:Mine
"""

from random import Random

import tablee


class Mine(tablee.Bot):
    """Looks one action ahead."""

    def begin(self, game: tablee.Game, seed: int) -> None:
        """Repeat the same game for the same seed."""
        self.random = Random(seed)

    def choose(self, state: tablee.State, seat: int, *, seconds: float | None = None, nodes: int | None = None) -> int:
        """Return an action with the best standing right after it."""
        return self.random.choice(state.best_at_once(seat))
