"""Positions of Tabu whose best stake was found by trying every stake: `max` lays one that is worth as much."""

from pathlib import Path

import pytest

from tablee import Player
from tablee.core.state import Decision
from tablee.games.tabu.position import TabuPosition
from tests.players.tabu.make_suite import Exercise, read_exercises, staked, stakes, worth

EXERCISES = read_exercises((Path(__file__).parent / "suite.txt").read_text(encoding="utf-8"))
NODES = 20_000


def position(exercise: Exercise) -> TabuPosition:
    """Return the position of an exercise."""
    found = exercise.game.load(exercise.line).position
    assert isinstance(found, TabuPosition)
    return found


def test_there_are_enough_of_every_sort() -> None:
    assert len(EXERCISES) >= 20
    assert {exercise.sort for exercise in EXERCISES} == {"last", "two"}
    assert len({(exercise.game, exercise.line) for exercise in EXERCISES}) == len(EXERCISES)


@pytest.mark.parametrize("exercise", EXERCISES, ids=[f"{one.sort} {number}" for number, one in enumerate(EXERCISES)])
def test_max_lays_a_stake_that_is_worth_the_most(exercise: Exercise) -> None:
    state = exercise.game.load(exercise.line)
    player = Player(exercise.game, "max", seed=1)
    while isinstance(state.node, Decision) and exercise.seat in state.node.seats:
        state = state.play(player.choose(state, exercise.seat, nodes=NODES))
    assert isinstance(state.position, TabuPosition)
    if exercise.sort == "last":
        assert worth(state.position, exercise.seat) == exercise.worth
    else:
        laid = tuple(int(state.position.stakes[exercise.seat * 6 + box]) for box in range(6))
        assert (sorted(laid[:4]), sorted(laid[4:])) == (sorted(exercise.stake[:4]), sorted(exercise.stake[4:]))


@pytest.mark.parametrize("exercise", [one for one in EXERCISES if one.sort == "last" and one.game.seats == 2])
def test_the_suite_tells_the_truth(exercise: Exercise) -> None:
    """Every stake is tried anew for the exercises of two seats."""
    start = position(exercise)
    found = {stake: worth(staked(start, exercise.seat, stake), exercise.seat) for stake in stakes(start, exercise.seat, alone=True)}
    assert max(found.values()) == exercise.worth
    assert worth(staked(start, exercise.seat, exercise.stake), exercise.seat) == exercise.worth
