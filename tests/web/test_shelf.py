"""The boards on the shelf come from play by the rules, throws included."""

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

import tablee
from tablee.core.state import Chance
from tablee.web.shelf import greedy_step, middle


class Case(Random):
    """Always draws the same case."""

    def __init__(self, case: int) -> None:
        """Keep the case."""
        super().__init__(0)
        self.case = case

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """Return the case."""
        return self.case


@pytest.mark.parametrize("slug", ["tablan", "tabaijana"])
def test_throws_have_their_odds(slug: str) -> None:
    state = tablee.game(slug).start(seed=1)
    while not isinstance(state.node, Chance):
        state = state.play(state.legal()[0])
    cases = int(state.position.chances())
    thrown = Counter(after.action for case in range(cases) if (after := greedy_step(state, Case(case))))
    assert tuple((action, Fraction(count, cases)) for action, count in sorted(thrown.items())) == state.node.outcomes


def test_the_card_of_tabu_shows_stakes_on_the_boxes() -> None:
    """The moment is not that of a throw, when all boxes are empty."""
    assert sum(piece.id.startswith("stake") for piece in middle("tabu").scene().pieces) >= 3
