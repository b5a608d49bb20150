"""The search for turns of several parts, at Tabale: whole turns, within its budget, for any number of seats and sides."""

from random import Random

import pytest

from tablee import catalog
from tablee.core.game import Game, choose
from tablee.core.judgement import Judgement
from tablee.core.position import OVER, Position
from tablee.core.state import Over, State
from tablee.players.stop import Stop
from tablee.players.turn_beam import TurnBeam, make_search
from tests.material import step

TABLES = [(2, {}), (3, {}), (4, {}), (4, {"teams": "on"}), (2, {"reversal": "yes", "edges": "156"})]


def table(seats: int, options: dict[str, str]) -> Game:
    """Return a game of Tabale."""
    return choose(catalog.kind("tabale"), seats, options)


def judgement(game: Game) -> Judgement:
    """Return its judgement."""
    found: Judgement = game.kind.mind.judgement(game)
    return found


def somewhere(game: Game, seed: int, steps: int = 60) -> State:
    """Return a state in the middle of a random game, in any part of a turn."""
    random = Random(seed)
    state = game.start(random.randrange)
    for _ in range(steps + seed % 5):
        after = step(state, random)
        if isinstance(after.node, Over):
            break
        state = after
    return state


def search(game: Game, state: State, depth: int, nodes: int) -> TurnBeam:
    """Return a search that has thought about a state."""
    found = make_search(game, judgement(game), state.position, depth, 1)
    assert isinstance(found, TurnBeam)
    found.think(state.position, state.turn, Stop(nodes))
    return found


@pytest.mark.parametrize(("seats", "options"), TABLES)
@pytest.mark.parametrize("depth", [0, 1, 2, 5])
def test_it_finds_legal_actions_and_a_line_that_can_be_played(seats: int, options: dict[str, str], depth: int) -> None:
    game = table(seats, options)
    for seed in range(6):
        state = somewhere(game, seed)
        found = search(game, state, depth, 3000)
        assert {action for action, _ in found.ranking()} <= set(state.legal())
        assert [value for _, value in found.ranking()] == sorted((value for _, value in found.ranking()), reverse=True)
        assert found.line()[0] == found.ranking()[0][0]
        seat = state.turn
        for action in found.line():
            assert state.turn == seat
            state = state.play(action)
        assert depth == 0 or state.position.actor() != seat


@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_all_expectations_make_a_whole_and_partners_expect_the_same(seats: int, options: dict[str, str]) -> None:
    game = table(seats, options)
    for depth in (0, 1, 3):
        found = search(game, somewhere(game, 2), depth, 4000)
        expected = [found.expectation(seat) for seat in range(seats)]
        assert all(0.0 <= part <= 1.0 for part in expected)
        if options.get("teams") == "on":
            assert expected[0] == expected[2]
            assert expected[1] == expected[3]
            assert expected[0] + expected[1] == pytest.approx(1.0)
        else:
            assert sum(expected) == pytest.approx(1.0)


def test_at_depth_0_each_action_is_judged_by_itself() -> None:
    game = table(2, {})
    state = somewhere(game, 3)
    judge = judgement(game)
    found = search(game, state, 0, 100)
    for action, value in found.ranking():
        child: Position = state.position.copy()
        child.play(action)
        assert child.actor() == OVER or value == pytest.approx(judge.value(child, state.turn))


@pytest.mark.parametrize("nodes", [1, 300, 2000, 20000])
def test_a_budget_of_nodes_is_kept_and_repeated(nodes: int) -> None:
    """One turn is looked at whatever the budget; after that no more is begun than the actions of one part."""
    game = table(2, {})
    state = somewhere(game, 4)
    answers = []
    for _ in range(2):
        stop = Stop(nodes)
        found = TurnBeam(judgement(game), state.position, game.action_count, 12)
        found.think(state.position, state.turn, stop)
        assert stop.nodes <= nodes + 600
        answers.append((found.ranking(), found.line(), int(stop.nodes)))
    assert answers[0] == answers[1]


def test_one_search_thinks_about_many_positions_as_a_new_one_would() -> None:
    game = table(2, {})
    states = [somewhere(game, seed) for seed in range(5)]
    old = TurnBeam(judgement(game), states[0].position, game.action_count, 4)
    for state in states:
        old.think(state.position, state.turn, Stop(5000))
        assert old.ranking() == search(game, state, 4, 5000).ranking()


def test_looking_deeper_beats_looking_at_one_action() -> None:
    """A whole game of each seating: who plans turns ends with the higher score."""
    game = table(2, {})
    for planner in (0, 1):
        state = game.start(lambda n: 0)
        searches = [TurnBeam(judgement(game), state.position, game.action_count, 2 if seat == planner else 0) for seat in (0, 1)]
        while not isinstance(state.node, Over):
            seat = state.turn
            searches[seat].think(state.position, seat, Stop(4000))
            state = state.play(searches[seat].ranking()[0][0])
        assert state.node.winners == (planner,)
