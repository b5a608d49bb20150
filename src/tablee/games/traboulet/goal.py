"""What counts at Traboulet: red marbles."""

from functools import cache

from tablee.core.game import Game
from tablee.core.goal import Goal
from tablee.core.ruling import Message
from tablee.games.traboulet.look import enemies, reds
from tablee.games.traboulet.position import GOAL, TrabouletPosition


def goal(game: Game, position: TrabouletPosition, seat: int) -> Goal:
    """Return how many reds a seat has taken of the seven that win (5.1)."""
    return goal_of(reds(position, seat), enemies(position, seat), seat)


@cache
def goal_of(count: int, taken: int, seat: int) -> Goal:
    """Return the goal of a seat that has taken so many reds and enemy marbles."""
    aim = Message("aim", {"other": f"=seat {2 - seat}", "count": count, "of": GOAL})
    return Goal(count, aim, GOAL, Message("state taken", {"count": taken}) if taken else None)
