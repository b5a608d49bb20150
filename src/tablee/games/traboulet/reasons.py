"""Why a push is good, in facts that can be counted: for hints."""

from tablee.core.children import children
from tablee.core.game import Game
from tablee.core.ruling import Message
from tablee.games.traboulet.look import enemies, reds
from tablee.games.traboulet.position import ACTION_COUNT, STOP, TrabouletPosition


def reason(game: Game, before: TrabouletPosition, action: int, after: TrabouletPosition) -> Message | None:
    """Return the first of these that holds: it wins, it takes a marble, it leaves fewer captures than other pushes would."""
    side = int(before.side)
    if after.over and int(after.winners()) == 1 << side:
        return Message("why win")
    again = " again" if after.bonus else ""
    if reds(after, side) > reds(before, side):
        return Message("why red" + again)
    if enemies(after, side) > enemies(before, side):
        return Message("why enemy" + again)
    if action == STOP or after.over:
        return None
    left, most = captures(after), max(captures(other) for other in quiet(before))
    key = "why safe none" if not left else "why safe one" if left == 1 else "why safe"
    return Message(key, {"count": left, "most": most}) if left < most else None


def quiet(position: TrabouletPosition) -> list[TrabouletPosition]:
    """Return the positions after every push that ends the turn."""
    return [after for after in children(position, ACTION_COUNT) if after.side != position.side]


def captures(position: TrabouletPosition) -> int:
    """Return how many pushes of the side to move take a marble."""
    side = int(position.side)
    held = reds(position, side) + enemies(position, side)
    return sum(reds(after, side) + enemies(after, side) > held for after in children(position, ACTION_COUNT))
