"""States in which somebody has a choice."""

from random import Random

from tablee.core.game import Game
from tablee.core.state import Decision, State
from tests.material import step


def deciding(game: Game, seed: int = 1) -> State:
    """Return the first state of a game in which somebody decides."""
    random = Random(seed)
    state = game.start(random.randrange)
    while not isinstance(state.node, Decision):
        state = step(state, random)
    return state
