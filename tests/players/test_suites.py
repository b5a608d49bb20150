"""Positions of games with throws whose best action an exhaustive search has found: the player finds it too."""

from pathlib import Path

import pytest

from tests.players.suites import Problem, read_problems, solves, spread

SUITES = {slug: read_problems(Path(__file__).parent / slug / "suite.txt", slug) for slug in ("tabaijana", "tablan")}
EVERY = [problem for problems in SUITES.values() for problem in problems]
SOME = [problem for problems in SUITES.values() for problem in spread(problems)]


def name(problem: Problem) -> str:
    """Return what a test of a problem is called."""
    return f"{problem.game.slug} {problem.line}"


@pytest.mark.parametrize("slug", SUITES)
def test_the_suite_is_large_and_fair(slug: str) -> None:
    assert len({problem.line for problem in SUITES[slug]}) >= 20
    assert all(problem.legal() > len(problem.best) for problem in SUITES[slug])


@pytest.mark.parametrize("problem", EVERY, ids=name)
def test_the_player_finds_the_best_action(problem: Problem) -> None:
    assert solves(problem)


@pytest.mark.parametrize("problem", SOME, ids=name)
def test_the_suite_is_right(problem: Problem) -> None:
    assert problem.reckoned() == pytest.approx((problem.value, problem.other), abs=1e-6)
