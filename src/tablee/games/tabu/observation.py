"""The parts of an observation of Tabu; seats are counted from one's own on."""

from tablee.core.game import Game
from tablee.core.observation import Observation, Part
from tablee.games.tabu.observer import TabuObserver
from tablee.games.tabu.position import MOST_TURNS


def observation(game: Game) -> Observation:
    """Return what a seat sees: everybody's money and stakes, who is banker, who still stakes, and the last throw."""
    seats = game.seats
    money = seats * int(game.option("money"))
    parts = (
        Part("hand", (seats,), most=money),
        Part("stakes", (seats, 6), most=money),
        Part("held", (seats,), most=MOST_TURNS),
        Part("banker", (seats,)),
        Part("staking", (seats,)),
        Part("inside", (seats,)),
        Part("last_throw", (6,), most=3),
        Part("turns", (1,), most=MOST_TURNS),
        Part("seat", (seats,)),
    )
    return Observation(parts, TabuObserver(sum(part.size for part in parts)))
