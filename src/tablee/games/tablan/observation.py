"""The parts of an observation of Tablan; the line is Black's path from A to l, which White runs backwards."""

from tablee.core.game import Game
from tablee.core.observation import Observation, Part
from tablee.games.tablan.observer import WIDTH, TablanObserver

LINE = (48,)


def observation(game: Game) -> Observation:
    """Return what a side sees: the men, those who have not moved, the throw in hand, and the moment."""
    parts = (
        Part("own", LINE),
        Part("other", LINE),
        Part("fresh", LINE),
        Part("moved", LINE),
        Part("throw", (26,)),
        Part("worth", (1,), most=12),
        Part("waiting", (2,)),
        Part("finished_first", (2,)),
        Part("seat", (2,)),
        Part("to_move", (1,)),
    )
    return Observation(parts, TablanObserver(WIDTH))
