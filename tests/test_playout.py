"""Random play takes the action it says it takes."""

from collections.abc import Iterator
from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from tablee.catalog import OURS, kind
from tablee.core.position import CHANCE, OVER, Position
from tablee.players.playout import Draw
from tablee.testing import variants


def positions(slug: str) -> Iterator[Position]:
    """Give positions where a seat acts, along a random game of every seat count and option value."""
    for game in variants(kind(slug)):
        random = Random(1)
        here = game.start(random.randrange).position.copy()
        buffer = vec[i64]([0] * game.action_count)
        for _ in range(150):
            actor = here.actor()
            if actor == OVER:
                break
            if actor == CHANCE:
                here.play(here.throw(random.randrange(int(here.chances()))))
            else:
                yield here
                here.play(buffer[random.randrange(int(here.actions(actor, buffer)))])


@pytest.mark.parametrize("slug", OURS)
def test_pick_takes_from_the_list_of_actions(slug: str) -> None:
    random = Random(2)
    listed, other = vec[i64]([0] * kind(slug).action_count), vec[i64]([0] * kind(slug).action_count)
    for here in positions(slug):
        n = int(here.actions(here.actor(), listed))
        for word in (0, random.randrange(1 << 32), (1 << 32) - 1):
            assert here.pick(here.actor(), word, other) == listed[n * word >> 32]


def test_a_draw_is_below_its_limit_and_fair() -> None:
    draw = Draw(1)
    seen = [0] * 6
    for _ in range(6000):
        seen[int(draw.below(6))] += 1
    assert all(900 < times < 1100 for times in seen)


def test_the_same_seed_draws_the_same_numbers() -> None:
    one, same, other = Draw(5), Draw(5), Draw(6)
    numbers = [one.word() for _ in range(20)]
    assert numbers == [same.word() for _ in range(20)]
    assert numbers != [other.word() for _ in range(20)]
    assert all(0 <= number < 1 << 32 for number in numbers)
