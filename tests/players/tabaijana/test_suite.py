"""Positions of Tabaijana whose best action an exhaustive search has found: the player finds it too."""

from pathlib import Path

import pytest

from tests.players.suites import Problem, read, solves, spread

PROBLEMS = read(Path(__file__).parent / "suite.txt", "tabaijana")


def test_the_suite_is_large_and_fair() -> None:
    assert len({problem.line for problem in PROBLEMS}) >= 20
    assert all(problem.legal() > len(problem.best) for problem in PROBLEMS)


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.line)
def test_the_player_finds_the_best_action(problem: Problem) -> None:
    assert solves(problem)


@pytest.mark.parametrize("problem", spread(PROBLEMS), ids=lambda problem: problem.line)
def test_the_suite_is_right(problem: Problem) -> None:
    assert problem.reckoned() == pytest.approx((problem.value, problem.other), abs=1e-6)
