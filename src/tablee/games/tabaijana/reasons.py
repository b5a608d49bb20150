"""Why a move is good, in facts that can be counted: for hints."""

from tablee.core.game import Game
from tablee.core.ruling import Message
from tablee.games.tabaijana.look import stranded
from tablee.games.tabaijana.notation import has, seat_colours
from tablee.games.tabaijana.position import LAST_CELL, TabaijanaPosition


def reason(game: Game, before: TabaijanaPosition, action: int, after: TabaijanaPosition) -> Message | None:
    """Return the first of these that holds: all is saved, a privilege, crates come aboard, crates that stand better than before.

    There is no good reason for an action that loses the game (5.2, 5.3) or after which it cannot be won (5.4).
    """
    seat = int(before.turn())
    letter = seat_colours(before)[seat]
    if after.winners():
        return Message("why win")
    if after.ended_by or stranded(after):
        return None
    for name in ("four", "three"):
        if has(getattr(after, name), letter) and not has(getattr(before, name), letter):
            return Message(f"why {name}")
    aboard = len(after.stack(after.boat)) - len(before.stack(before.boat))
    if aboard > 0:
        return Message("why aboard" if aboard > 1 else "why aboard one", {"count": aboard})
    children = game.option("game") == "enfants"
    better = neighbours(before) - neighbours(after) if children else neighbours(after) - neighbours(before)
    if better > 0:
        return Message(("why apart" if children else "why together") + (" one" if better == 1 else ""), {"count": better})
    return None


def warning(game: Game, before: TabaijanaPosition, action: int, after: TabaijanaPosition) -> Message | None:
    """Warn before the first crate goes where no boat can load it any more (5.4)."""
    return Message("warn stranded") if stranded(after) and not stranded(before) and not after.winners() else None


def neighbours(position: TabaijanaPosition) -> int:
    """Return how many crates stand directly on one of their own colour."""
    stacks = [position.stack(cell) for cell in range(1, LAST_CELL + 1)]
    return sum(stack[at] == stack[at + 1] for stack in stacks for at in range(len(stack) - 1))
