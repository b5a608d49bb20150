"""Why a stake is good, in facts that can be counted: for hints."""

from tablee.core.game import Game
from tablee.core.ruling import Message
from tablee.games.tabu.position import EACH, READY, TabuPosition

# Of the 6 × 6 × 6 cases of three dice, those that show a box at least once: all but 5 × 5 × 5.
CASES = 216
SHOWN = 91


def reason(game: Game, before: TabuPosition, action: int, after: TabuPosition) -> Message | None:
    """Return how often a box wins; of being ready, what stays in hand."""
    seat = action // EACH
    if action % EACH == READY:
        return Message("why ready", {"money": int(after.hand[seat])})
    return Message("why box", {"cases": SHOWN, "of": CASES})
