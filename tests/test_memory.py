"""Nothing is held on to once a game is over: a house that is open day and night plays a great many of them."""

import gc
import os
from pathlib import Path
from random import Random

import pytest

from tablee import Player, catalog
from tablee.catalog import OURS
from tablee.core.position import Position, listed
from tests.material import wander
from tests.players.race import Race
from tests.players.states import deciding

BEFORE, GAMES = 5, 60
MOST_KILOBYTES = 25


def kilobytes() -> float:
    """Return how much memory this process has, by what Linux says."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1024


@pytest.mark.parametrize("slug", OURS)
def test_a_finished_game_leaves_nothing_behind(slug: str) -> None:
    game = catalog.game(slug)
    held = 0.0
    for number in range(BEFORE + GAMES):
        if number == BEFORE:
            held = kilobytes()
        wander(game.start(Random(number).randrange), Random(number), 100_000)
    assert (kilobytes() - held) / GAMES < MOST_KILOBYTES


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("name", ["level1", "mcts:nodes=30"])
def test_a_player_that_has_left_leaves_nothing_behind(slug: str, name: str) -> None:
    state = deciding(catalog.game(slug))
    held = 0.0
    for number in range(BEFORE + GAMES):
        if number == BEFORE:
            held = kilobytes()
        Player(state.game, name, number).choose(state)
    assert (kilobytes() - held) / GAMES < MOST_KILOBYTES


def test_a_game_in_plain_python_leaves_nothing_behind() -> None:
    """Its lists of actions cross from compiled code to plain code: each of these would be 80 kilobytes."""
    race: Position = Race()
    race.play(race.throw(0))
    for _ in range(BEFORE):
        listed(race, 0, 10_000)
    held = kilobytes()
    for _ in range(GAMES):
        assert listed(race, 0, 10_000) == [0, 1]
    assert (kilobytes() - held) / GAMES < MOST_KILOBYTES
