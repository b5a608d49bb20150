"""Why touches lead nowhere: the reason that explains best what a person touched in vain."""

from collections import Counter
from collections.abc import Sequence

from tablee.core.ruling import Refusal
from tablee.core.state import State
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.values import Phase


def why_not(table: Table, seat: int, touches: Sequence[str], language: str = "fr") -> Refused | None:
    """Return why a seat cannot begin an action with these touches; None if it can, or if no reason is known.

    Of all actions that begin with these touches, those that break the fewest rules were most likely meant. A reason that is rare among
    them says more than one that holds for all: "this target is taken" says more than "eleven other targets are too far".
    """
    state = table.state
    if state is None or table.phase != Phase.PLAYING or seat not in table.asked:
        return None
    meant, later = actions_that_begin(state, tuple(touches), language)
    if "touch first" in state.game.kind.words(language).sentences and comes_later(state, seat, tuple(touches), language):
        return Refused("rules", "touch first", kind=state.game.kind)
    refusals = [state.refusal(seat, action) for action in meant]
    broken = [refusal for refusal in refusals if refusal is not None]
    if len(broken) < len(refusals):
        return None
    if not broken:
        return Refused("rules", "touch first", kind=state.game.kind) if later else None
    fewest = min(len(refusal.rulings) for refusal in broken)
    likely = [refusal for refusal in broken if len(refusal.rulings) == fewest]
    often = Counter(first_reason(refusal) for refusal in likely)
    best = min(likely, key=lambda refusal: often[first_reason(refusal)])
    return Refused("rules", "refused", kind=state.game.kind, refusal=Refusal(best.rulings[:1]))


def actions_that_begin(state: State, touches: tuple[str, ...], language: str) -> tuple[list[int], bool]:
    """Return every action of the game that begins with these touches, and whether others come to the last of them later."""
    game, scene = state.game, state.scene(language)
    begun, later = [], False
    for action in range(game.action_count):
        path = game.kind.touches(game, scene, game.notate(action))
        if path[: len(touches)] == touches:
            begun.append(action)
        elif touches and touches[-1] in path[1:]:
            later = True
    return begun, later


def comes_later(state: State, seat: int, touches: tuple[str, ...], language: str) -> bool:
    """Return whether a legal action comes to a cell that was touched too early."""
    game, scene = state.game, state.scene(language)
    paths = (game.kind.touches(game, scene, game.notate(action)) for action in state.legal(seat))
    return len(touches) == 1 and any(touches[0] in path[1:] for path in paths)


def first_reason(refusal: Refusal) -> tuple[str, str]:
    """Return what is said first of a refusal: the paragraph, and the way of breaking it."""
    return refusal.rulings[0].paragraph, refusal.rulings[0].case
