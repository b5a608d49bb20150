"""What counts at Tablan: squares held in the other side's home row."""

from tablee.core.game import Game
from tablee.core.goal import Goal
from tablee.core.ruling import Message
from tablee.games.tablan.notation import EACH
from tablee.games.tablan.position import TablanPosition


def goal(game: Game, position: TablanPosition, seat: int) -> Goal:
    """Return how many squares a side holds in the enemy's home row (5.3), and how many men it has taken."""
    held, other = int(position.score(seat)), int(position.score(1 - seat))
    taken = EACH - int(position.black if seat else position.white).bit_count()
    aim = Message("aim", {"other": f"=seat {2 - seat}", "count": held, "theirs": other})
    return Goal(held, aim, EACH, Message("state taken", {"count": taken}) if taken else None)
