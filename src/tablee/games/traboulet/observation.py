"""The parts of an observation of Traboulet; boards are rows 1 to 7 of columns a to g."""

from tablee.core.game import Game
from tablee.core.observation import Observation, Part
from tablee.games.traboulet.observer import WIDTH, TrabouletObserver

BOARD = (7, 7)


def observation(game: Game) -> Observation:
    """Return what a seat sees: both sides and the reds, the push that 3.1 forbids, the captures and the moment."""
    parts = (
        Part("own", BOARD),
        Part("other", BOARD),
        Part("red", BOARD),
        Part("banned", BOARD, most=4),
        Part("taken", (2,), most=7),
        Part("seat", (2,)),
        Part("to_move", (1,)),
        Part("bonus", (1,)),
        Part("repeated", (1,), most=2),
    )
    return Observation(parts, TrabouletObserver(WIDTH))
