"""Plays by tokens, and asks both statements of the rules about them."""

from tablee.core.state import DICE, Chance, State


def after(state: State, *tokens: str) -> State:
    """Return the state after these tokens."""
    for token in tokens:
        state = state.play(state.game.parse(token))
    return state


def broken(state: State, token: str, seat: int | None = None) -> tuple[str, ...]:
    """Return the paragraphs that refuse a token; the fast statement of the rules must agree."""
    asked, action = state.turn if seat is None else seat, state.game.parse(token)
    refusal = state.refusal(asked, action)
    thrown = asked == DICE and isinstance(state.node, Chance)
    assert (refusal is None) == (action in state.legal(None if thrown else asked))
    return refusal.paragraphs if refusal else ()
