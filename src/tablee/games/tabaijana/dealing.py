"""The stack of 1.2 dealt crate by crate from the bottom, then the order of 5.1 colour by colour, with exact odds."""

from fractions import Fraction
from functools import lru_cache

from tablee.core.deal import Deal
from tablee.core.game import Game
from tablee.core.kind import Setup
from tablee.core.node import Outcomes
from tablee.games.tabaijana.deal import EACH, FAMILY, GAME, NAMES, stacks_on
from tablee.games.tabaijana.position import LETTERS


class CrateByCrate(Deal):
    """A colour is as likely as the part of all allowed stacks that go on with it: the whole stack is drawn evenly."""

    def outcomes(self, game: Game, drawn: tuple[int, ...]) -> Outcomes:
        """Return the colours that may come next."""
        stack, order = self.parted(game, drawn)
        if game.option(GAME) == FAMILY and len(stack) < EACH * len(LETTERS):
            left = tuple(EACH - stack.count(colour) for colour in range(len(LETTERS)))
            return next_crate(left, stack[-1] if stack else -1)
        if game.option("order") == "on" and len(order) < len(LETTERS):
            waiting = [colour for colour in range(len(LETTERS)) if colour not in order]
            return tuple((colour, Fraction(1, len(waiting))) for colour in waiting)
        return ()

    def setup(self, game: Game, drawn: tuple[int, ...]) -> Setup:
        """Return the set-up: usual colours, seat 1 first, the stack and the order that were drawn."""
        stack, order = self.parted(game, drawn)
        setup = {"colours": LETTERS[: game.seats], "first": "1"}
        if stack:
            setup["stack"] = "".join(LETTERS[colour] for colour in stack)
        if order:
            setup["order"] = "".join(LETTERS[colour] for colour in order)
        return setup

    def parted(self, game: Game, drawn: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return what was drawn of the stack, and of the order."""
        crates = EACH * len(LETTERS) if game.option(GAME) == FAMILY else 0
        return drawn[:crates], drawn[crates:]

    def tell(self, game: Game, number: int) -> str:
        """Return the colour of a crate."""
        return NAMES[LETTERS[number]]


@lru_cache(20_000)
def next_crate(left: tuple[int, ...], last: int) -> Outcomes:
    """Return the colours of the next crate, by the number of stacks that each leaves possible."""
    ways = [(colour, stacks_on(left, colour)) for colour in range(len(LETTERS)) if colour != last]
    total = sum(number for _, number in ways)
    return tuple((colour, Fraction(number, total)) for colour, number in ways if number)
