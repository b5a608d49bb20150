"""Nothing is held on to once a game is over: a house that is open day and night plays a great many of them."""

import gc
import os
from collections.abc import Callable
from ctypes import CDLL
from pathlib import Path
from random import Random
from statistics import median

import pytest

from tablee import Player, catalog
from tablee.catalog import OURS
from tablee.core.position import Position, listed
from tests.material import wander
from tests.players.race import Race
from tests.players.states import deciding

BEFORE, GAMES = 5, 60
STRETCHES = 3
MOST_KILOBYTES = 25


def kilobytes() -> float:
    """Return how much memory this process has, by what Linux says, once what it set aside is given back."""
    gc.collect()
    CDLL(None).malloc_trim(0)
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1024


def kept(play: Callable[[int], object]) -> float:
    """Return the kilobytes that each game keeps.

    A leak grows in every stretch; an allocator grows in one of them, so the median counts.
    """
    for number in range(BEFORE):
        play(number)
    growths = []
    for stretch in range(STRETCHES):
        held = kilobytes()
        for number in range(GAMES):
            play(BEFORE + stretch * GAMES + number)
        growths.append((kilobytes() - held) / GAMES)
    return median(growths)


@pytest.mark.parametrize("slug", OURS)
def test_a_finished_game_leaves_nothing_behind(slug: str) -> None:
    game = catalog.game(slug)
    assert kept(lambda n: wander(game.start(Random(n).randrange), Random(n), 100_000)) < MOST_KILOBYTES


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("name", ["level1", "mcts:nodes=30"])
def test_a_player_that_has_left_leaves_nothing_behind(slug: str, name: str) -> None:
    state = deciding(catalog.game(slug))
    assert kept(lambda n: Player(state.game, name, n).choose(state)) < MOST_KILOBYTES


def test_a_game_in_plain_python_leaves_nothing_behind() -> None:
    """Its lists of actions cross from compiled code to plain code: each of these would be 80 kilobytes."""
    race: Position = Race()
    race.play(race.throw(0))
    assert kept(lambda _: listed(race, 0, 10_000)) < MOST_KILOBYTES
    assert listed(race, 0, 10_000) == [0, 1]


def test_a_leak_is_seen() -> None:
    attic: list[bytes] = []
    assert kept(lambda _: attic.append(os.urandom(200 * 1024))) > MOST_KILOBYTES
