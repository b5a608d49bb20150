"""The parts of an observation of Tabale; boards are rows a to i of diagonals 1 to 9, with zeros off the hexagon."""

from tablee.core.game import Game
from tablee.core.observation import Observation, Part
from tablee.games.tabale.observer import TabaleObserver

BOARD = (9, 9)


def observation(game: Game) -> Observation:
    """Return what a seat sees: fools, pawns and stocks of every seat from its own on, the woods, and the moment."""
    seats = game.seats
    parts = (
        Part("fools", (seats, *BOARD)),
        Part("pawns", (seats, *BOARD)),
        Part("doubled", BOARD),
        Part("woods", (3, *BOARD)),
        Part("start", BOARD),
        Part("laid", BOARD),
        Part("stocks", (seats, 5), most=90),
        Part("turn", (seats,)),
        Part("part", (5,)),
        Part("seat", (seats,)),
    )
    return Observation(parts, TabaleObserver(sum(part.size for part in parts)))
