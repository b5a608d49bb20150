"""The positions one action away."""

from tablee.core.generic import P
from tablee.core.position import after, legal_actions


def children(position: P, action_count: int) -> list[P]:
    """Return the positions after every legal action."""
    return [after(position, action) for action in legal_actions(position, action_count)]  # type: ignore[misc]
