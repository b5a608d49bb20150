"""Why a move is good, in facts that can be counted: for hints."""

from tablee.core.game import Game
from tablee.core.ruling import Message
from tablee.games.tabaijana.look import stranded
from tablee.games.tabaijana.notation import MOVES, THROW_TOKENS, has, seat_colours
from tablee.games.tabaijana.position import TabaijanaPosition

LAST_CELL = 24


def reason(game: Game, before: TabaijanaPosition, action: int, after: TabaijanaPosition) -> Message | None:
    """Return the first of these that holds: all is saved, crates come aboard, a privilege, crates that stand better than before."""
    seat = int(before.turn())
    letter = seat_colours(before)[seat]
    if after.winners():
        return Message("why win")
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
    move = MOVES[action - len(THROW_TOKENS)]
    return Message("why boat") if not move.count else None


def warning(game: Game, before: TabaijanaPosition, action: int, after: TabaijanaPosition) -> Message | None:
    """Warn before the first crate goes where no boat can load it any more (5.4)."""
    return Message("warn stranded") if stranded(after) and not stranded(before) and not after.winners() else None


def neighbours(position: TabaijanaPosition) -> int:
    """Return how many crates stand directly on one of their own colour."""
    stacks = [position.stack(cell) for cell in range(1, LAST_CELL + 1)]
    return sum(stack[at] == stack[at + 1] for stack in stacks for at in range(len(stack) - 1))
