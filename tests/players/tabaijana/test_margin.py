"""The benchmark of the margin at the root: what it counts as lost, as spent and as changed."""

from random import Random

import pytest

import tablee
from bench.margin import Choice, changes, cost, shipped, voyage
from tablee.players.expectimax import LITTLE, Expectimax
from tablee.players.searches import make_search

# The second action looks a little worse one throw ahead and is the better one from two throws on.
CHOICE = Choice([[0.5, 0.5, 0.5], [0.49, 0.52, 0.53]], [10, 100, 1000])


@pytest.mark.parametrize(
    ("margin", "lost", "nodes"),
    [(0.005, 0.03, 20), (0.015, 0.0, 220), (0.5, 0.0, 2220), (0.0, 0.03, 20)],
)
def test_a_rule_pays_for_what_it_searches_and_loses_what_it_left_too_early(margin: float, lost: float, nodes: int) -> None:
    assert cost([CHOICE], lambda value, depth: margin) == f"{lost:.6f} | {nodes}"


def test_changes_are_told_in_parts_of_the_doubt() -> None:
    """From one throw to three the difference goes from -0.01 to +0.03, at a doubt of a quarter; one that is far behind does not count."""
    assert changes([CHOICE], 1) == pytest.approx([0.04 / 0.25])
    assert changes([Choice([[0.5, 0.5, 0.5], [0.3, 0.3, 0.6]], [10, 100, 1000])], 1) == []


def test_every_choice_of_a_voyage_is_searched_to_every_depth() -> None:
    random = Random(1)
    found = voyage(tablee.game("tabaijana", seats=2, game="enfants").start(random.randrange), 2, random)
    assert len(found) > 10
    assert all(len(one.nodes) == 2 and len(one.values) <= 8 and all(len(values) == 2 for values in one.values) for one in found)


def test_the_rule_in_use_is_that_of_the_search() -> None:
    state = tablee.game("tabaijana", seats=2).start(Random(1).randrange)
    search = make_search(state.game, state.position, 4, seed=1)
    assert isinstance(search, Expectimax)
    for value in (0.3, 0.9, 0.96, 0.999):
        search.root_values = [(0, value), (1, 0.0)]
        for depth in (1, 2, 3):
            room = search.room(depth + 1)
            assert shipped(value, depth) == pytest.approx(room if room >= LITTLE else 0.0)
