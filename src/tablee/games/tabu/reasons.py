"""Why a stake is good, in facts that can be counted: for hints."""

from tablee.core.game import Game
from tablee.core.ruling import Message
from tablee.games.tabu.notation import BOX_NAMES, TOKENS
from tablee.games.tabu.position import EACH, READY, SIGNS, TabuPosition

# Of the 6 × 6 × 6 cases of three dice, those that show a box never, once, twice and three times.
CASES = (125, 75, 15, 1)


def reason(game: Game, before: TabuPosition, action: int, after: TabuPosition) -> Message | None:
    """Return what a sign costs less than a symbol on average; of being ready, what stays in hand."""
    seat, step = action // EACH, action % EACH
    if step == READY:
        return Message("why ready", {"money": int(after.hand[seat])})
    sign, symbol = (mean_loss(before, one) for one in (0, 1))
    if BOX_NAMES.index(TOKENS[step][0]) < SIGNS and sign < symbol:
        return Message("why sign", {"sign": sign, "symbol": symbol})
    return None


def mean_loss(position: TabuPosition, symbol: int) -> int:
    """Return what a stake of 100 on a sign (0) or a symbol (1) loses on average."""
    none = -2 if position.doubling + symbol >= 2 else -1
    gains = (none, *(shown + symbol - position.stake_included for shown in (1, 2, 3)))
    return round(-100 * sum(cases * gain for cases, gain in zip(CASES, gains, strict=True)) / sum(CASES))
