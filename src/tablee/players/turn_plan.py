"""The rest of a turn that a search has chosen: it is followed as long as play goes as planned."""

from tablee.core.position import Position


class TurnPlan:
    """The planned actions of one seat and the position in which the next of them is due."""

    def __init__(self, position: Position, seat: int, actions: list[int]) -> None:
        """Plan the actions that a seat plays from a position on."""
        self.seat = seat
        self.actions = list(actions)
        self.expected = position.copy()

    def due(self, position: Position, seat: int) -> bool:
        """Return whether the next planned action is due in this position."""
        return bool(self.actions) and seat == self.seat and position.hash() == self.expected.hash()

    def next_action(self, position: Position, seat: int) -> int | None:
        """Return the next planned action and move on, or None if the plan is at its end or play has left it."""
        if not self.due(position, seat):
            return None
        action = self.actions.pop(0)
        self.expected.play(action)
        return action
