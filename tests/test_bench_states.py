"""The benchmark of States plays whole games, ours and the peers'."""

from random import Random

import pytest

from bench.states import players
from tablee.catalog import OURS

PLAYERS = players()


def test_every_game_is_measured_both_ways() -> None:
    assert {f"{slug}, {way}" for slug in OURS for way in ("State", "Position")} <= set(PLAYERS)


@pytest.mark.parametrize("name", PLAYERS)
def test_a_game_is_played_to_its_end(name: str) -> None:
    assert PLAYERS[name](Random(1)) >= 5


@pytest.mark.parametrize("slug", OURS)
def test_states_and_positions_play_the_same_game(slug: str) -> None:
    assert PLAYERS[f"{slug}, State"](Random(2)) == PLAYERS[f"{slug}, Position"](Random(2))
