"""Tablan's learned players under options that they have not learned: they choose what is legal, and `.` where it is best."""

from math import isfinite
from pathlib import Path
from random import Random

import pytest

import tablee
from tablee.core.game import Game
from tablee.core.judgement import Judgement
from tablee.core.state import Decision
from tablee.games.tablan.judgement import judge
from tablee.players.levels import levels
from tablee.players.player import Player
from tests.players.suites import Problem, read_problems

KIND = tablee.kind("tablan")


def offers_to_stay(problem: Problem) -> bool:
    """Return whether the last man may stay."""
    state = problem.game.load(problem.line)
    return problem.game.parse(".") in state.legal()


PROBLEMS = [problem for problem in read_problems(Path(__file__).parent / "suite.txt", "tablan") if offers_to_stay(problem)]
NEW_OPTIONS = [
    tablee.game("tablan", first_move="each_player"),
    tablee.game("tablan", throw="sticks", first_move="each_player", throw_again="yes"),
    tablee.game("tablan", filling="any_square"),
    tablee.game("tablan", rules=1),
]


def test_the_problems_ask_both_to_stay_and_to_move() -> None:
    """The suite of positions with an exact solution holds both."""
    stays = [problem.best == (".",) for problem in PROBLEMS]
    assert stays.count(True) >= 5
    assert stays.count(False) >= 3


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.line)
def test_a_strong_player_stays_just_where_that_is_best(problem: Problem) -> None:
    state = problem.game.load(problem.line)
    assert problem.game.notate(Player(problem.game, "max", 1).choose(state, nodes=2000)) in problem.best


def test_the_learned_judgement_alone_finds_nearly_all() -> None:
    """Level 8 does not search: it takes what the network values most."""
    found = [problem.game.notate(Player(problem.game, "level8", 1).choose(problem.game.load(problem.line))) for problem in PROBLEMS]
    assert sum(token in problem.best for token, problem in zip(found, PROBLEMS, strict=True)) >= len(PROBLEMS) - 1


@pytest.mark.parametrize("level", [level.name for level in levels(KIND)])
def test_every_level_chooses_what_is_legal_where_the_last_man_may_stay(level: str) -> None:
    for problem in PROBLEMS:
        state = problem.game.load(problem.line)
        assert Player(problem.game, level, 2).choose(state, nodes=20) in state.legal()


@pytest.mark.parametrize("game", NEW_OPTIONS, ids=repr)
def test_a_game_is_played_to_its_end_and_every_position_is_judged(game: Game) -> None:
    random = Random(3)
    judgement: Judgement = judge(game, KIND.text("weights.txt"))
    state = game.start()
    players = [Player(game, "level3", 1), Player(game, "level7", 2)]
    for _ in range(6000):
        if state.over:
            break
        if isinstance(state.node, Decision):
            action = players[state.turn].choose(state)
            assert action in state.legal()
            state = state.play(action)
        else:
            state = state.throw(random.randrange)
        values = [judgement.value(state.position, seat) for seat in (0, 1)]
        assert all(isfinite(value) and 0.0 <= value <= 1.0 for value in values)
    assert state.over
