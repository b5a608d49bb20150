"""The parts of an observation of Tabaijana; colours are counted from one's own on, those that nobody owns last."""

from tablee.core.game import Game
from tablee.core.observation import Observation, Part
from tablee.games.tabaijana.observer import WIDTH, TabaijanaObserver


def observation(game: Game) -> Observation:
    """Return what a seat sees: the crates of each colour by cell and depth, the boat, the dice, the privileges and the wanted order."""
    parts = (
        Part("crates", (5, 30, 20)),
        Part("boat", (30,)),
        Part("dice", (2, 6)),
        Part("two_dice", (5,)),
        Part("any_stack", (5,)),
        Part("owned", (5,)),
        Part("order", (5, 5)),
        Part("turn", (5,)),
        Part("seat", (5,)),
    )
    return Observation(parts, TabaijanaObserver(WIDTH))
