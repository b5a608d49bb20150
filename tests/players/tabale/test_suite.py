"""Positions of Tabale whose winning turns were found by trying every turn: `max` finds one within a small budget."""

from pathlib import Path

import pytest

from tablee import Player, catalog
from tablee.core.game import Game, choose
from tablee.core.position import OVER
from tablee.core.state import State
from tablee.games.tabale.position import TabalePosition
from tests.players.tabale.make_suite import Exercise, read_exercises, whole_turns, wins

EXERCISES = read_exercises((Path(__file__).parent / "suite.txt").read_text(encoding="utf-8"))
NODES = 60_000


def known(exercise: Exercise) -> tuple[Game, State]:
    """Return the game and the state of an exercise."""
    game = choose(catalog.kind("tabale"), exercise.seats)
    return game, game.load(exercise.line)


def played(game: Game, state: State, seat: int) -> State:
    """Return the state after a whole turn of `max`."""
    player = Player(game, "max", seed=1)
    while state.position.actor() == seat:
        state = state.play(player.choose(state, seat, nodes=NODES))
    return state


def test_there_are_enough_of_every_sort() -> None:
    assert len(EXERCISES) >= 20
    assert {exercise.sort for exercise in EXERCISES} == {"end", "last", "answer"}
    assert len({exercise.line for exercise in EXERCISES}) == len(EXERCISES)


@pytest.mark.parametrize("exercise", EXERCISES, ids=[f"{one.sort} {number}" for number, one in enumerate(EXERCISES)])
def test_max_finds_a_turn_that_wins(exercise: Exercise) -> None:
    game, state = known(exercise)
    seat = state.turn
    after = played(game, state, seat).position
    assert isinstance(after, TabalePosition)
    assert wins(game, exercise.sort, seat, after)


@pytest.mark.parametrize("exercise", EXERCISES[::5], ids=[one.sort for one in EXERCISES[::5]])
def test_the_suite_tells_the_truth(exercise: Exercise) -> None:
    """Every turn is tried anew for some of the exercises: as many win as the suite says, and its own solution does."""
    game, state = known(exercise)
    start = state.position
    assert isinstance(start, TabalePosition)
    found = [(steps, wins(game, exercise.sort, state.turn, end)) for steps, end in whole_turns(game, start)]
    assert len(found) == exercise.turns
    assert sum(won for _, won in found) == exercise.winning
    solution = tuple(game.parse(token) for token in exercise.solution.split(" "))
    assert (solution, True) in found
    if exercise.sort == "end":
        assert any(end.actor() != OVER for _, end in whole_turns(game, start))
