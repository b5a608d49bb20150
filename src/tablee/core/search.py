# compiled
"""The interface of every search: it thinks within a budget, then reports its result."""

from typing import Final, Generic

from mypy_extensions import i64, mypyc_attr

from tablee.core.generic import P

FARTHEST: Final[i64] = 65536


class Budget:
    """A number of nodes (0 means no limit); `tablee.players.stop.Stop` adds seconds and a way to cancel.

    A caller that is `choosing` wants the best action and not its value: a search may stop as soon as that action is clear.
    """

    def __init__(self, nodes: i64 = 0, choosing: bool = False) -> None:
        """Begin with no node counted."""
        self.most: i64 = nodes
        self.choosing: bool = choosing
        self.nodes: i64 = 0
        self.next_look: i64 = 1
        self.ended: bool = False

    def hit(self, nodes: i64) -> bool:
        """Count nodes and return whether the search must stop."""
        self.nodes += nodes
        if self.nodes < self.next_look:
            return False
        return self.look()

    def look(self) -> bool:
        """Return whether the search must stop, and set when to look again."""
        if self.ended:
            return True
        if self.most and self.nodes >= self.most:
            return self.end()
        self.next_look = self.nodes + FARTHEST
        if self.most and self.most < self.next_look:
            self.next_look = self.most
        return False

    def end(self) -> bool:
        """Stop now."""
        self.ended = True
        self.next_look = 0
        return True

    def allowed_seconds(self) -> float:
        """Return how many seconds were given in all; 0 means no limit."""
        return 0.0


@mypyc_attr(allow_interpreted_subclasses=True)
class Search(Generic[P]):
    """A search for one game; the same search may think about many positions in turn."""

    def think(self, position: P, seat: i64, stop: Budget) -> None:
        """Search the best action of a seat until the budget ends or the result is certain; there is always an answer."""
        raise NotImplementedError

    def ranking(self) -> list[tuple[int, float]]:
        """Return actions with the expected share of the win after each (0 to 1), the best first; some may be left out."""
        raise NotImplementedError

    def expectation(self, seat: i64) -> float:
        """Return the expected share of the win of any seat."""
        raise NotImplementedError

    def line(self) -> list[int]:
        """Return the principal variation up to the next throw."""
        return [self.ranking()[0][0]]

    def settled(self, position: P, seat: i64) -> bool:
        """Return whether the next action of a seat is known without a search, as part of what was found before."""
        return False

    def line_from(self, action: int) -> list[int]:
        """Return the turn that an action of the ranking begins, as far as the search has settled it: at least the action."""
        return [action]
