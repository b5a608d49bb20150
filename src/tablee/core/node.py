"""Who acts next, as a value to match on: a decision, a throw, or the end."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from tablee.core.ruling import Message

Outcomes = tuple[tuple[int, Fraction], ...]


class Decision:
    """These seats may act, in any order where they are several; `ask` is what is asked of them, computed on first use."""

    __match_args__ = ("seats", "ask")
    __slots__ = ("_ask", "seats")

    def __init__(self, seats: tuple[int, ...], ask: Message | Callable[[], Message]) -> None:
        """Keep the seats, and what is asked or the way to find it."""
        self.seats = seats
        self._ask = ask

    @property
    def ask(self) -> Message:
        """What is asked of the seats."""
        if not isinstance(self._ask, Message):
            self._ask = self._ask()
        return self._ask

    def __eq__(self, other: object) -> bool:
        """Return whether the same seats are asked the same."""
        return self.seats == other.seats and self.ask == other.ask if isinstance(other, Decision) else NotImplemented

    def __hash__(self) -> int:
        """Return a number that is equal for equal decisions."""
        return hash((Decision, self.seats, self.ask.key))

    def __reduce__(self) -> tuple[object, ...]:
        """Return how pickle makes it again."""
        return Decision, (self.seats, self.ask)

    def __repr__(self) -> str:
        """Return Python code that makes an equal value."""
        return f"Decision(seats={self.seats!r}, ask={self.ask!r})"


class Chance:
    """A throw is due: every outcome, as an action, with its exact odds, computed on first use."""

    __match_args__ = ("outcomes",)
    __slots__ = ("_outcomes",)

    def __init__(self, outcomes: Outcomes | Callable[[], Outcomes]) -> None:
        """Keep the outcomes, or the way to find them."""
        self._outcomes = outcomes

    @property
    def outcomes(self) -> Outcomes:
        """Every throw with its odds, in the order of their numbers."""
        if not isinstance(self._outcomes, tuple):
            self._outcomes = self._outcomes()
        return self._outcomes

    def __eq__(self, other: object) -> bool:
        """Return whether the outcomes and their odds are the same."""
        return self.outcomes == other.outcomes if isinstance(other, Chance) else NotImplemented

    def __hash__(self) -> int:
        """Return a number that is equal for equal throws."""
        return hash((Chance, self.outcomes))

    def __reduce__(self) -> tuple[object, ...]:
        """Return how pickle makes it again."""
        return Chance, (self.outcomes,)

    def __repr__(self) -> str:
        """Return Python code that makes an equal value."""
        return f"Chance(outcomes={self.outcomes!r})"


@dataclass(frozen=True)
class Over:
    """The game has ended: the scores by seat, the paragraph that ended it, and the seats that won or share the win."""

    scores: tuple[int, ...]
    reason: str
    winners: tuple[int, ...]


Node = Decision | Chance | Over
