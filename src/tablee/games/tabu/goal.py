"""What counts at Tabu: money."""

from tablee.core.game import Game
from tablee.core.goal import Goal
from tablee.core.ruling import Message
from tablee.games.tabu.look import doing, stake
from tablee.games.tabu.position import TabuPosition


def goal(game: Game, position: TabuPosition, seat: int) -> Goal:
    """Return the money of a seat, in hand and on the table, and what it does now."""
    money = int(position.hand[seat]) + sum(stake(position, seat, box) for box in range(6))
    rounds = game.option("rounds")
    aim = Message("aim one" if rounds == "1" else "aim", {"rounds": rounds}) if rounds.isdecimal() else Message("aim free")
    return Goal(money, aim, state=Message(f"state {doing(position, seat)}", {"held": int(position.held[seat]), "rounds": rounds}))
