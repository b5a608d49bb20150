"""A turn is thought through once: a player follows the turn that it chose as long as play does."""

from itertools import pairwise
from random import Random

import pytest

from tablee import Player, catalog
from tablee.arena.match import play_sitting
from tablee.arena.plan import make_plan
from tablee.core.position import Position
from tablee.core.state import Decision, Over, State
from tablee.players.stop import Stop
from tablee.terminal.plain import Console, PlainTable

GAME = catalog.game("tabale")


def start(actions: int = 0) -> State:
    """Return a state of Tabale after so many actions at random, and as many more as end the turn."""
    random = Random(7)
    state = GAME.start(random.randrange)
    played = 0
    while played < actions or (state.previous and state.turn == state.previous.turn):
        state = state.play(random.choice(state.legal()))
        played += 1
    return state


@pytest.mark.parametrize("name", ["level4", "level6", "max:nodes=2000"])
def test_only_the_first_action_of_a_turn_is_thought_about(name: str) -> None:
    player = Player(GAME, name, 3)
    state = start(8)
    seat = state.turn
    nodes = []
    while state.turn == seat and not isinstance(state.node, Over):
        choice = player.decide(state, seat)
        nodes.append(choice.nodes)
        state = state.play(choice.action)
    assert len(nodes) > 2
    assert nodes[0] > 0
    assert not any(nodes[1:])


def test_the_turn_is_the_one_that_the_search_found_for_its_first_action() -> None:
    """Also at a temperature that takes another first action than the best."""
    others = 0
    for seed in range(12):
        player = Player(GAME, "level4:temperature=0.2", seed)
        state = start(8)
        seat = state.turn
        turn = []
        while state.turn == seat:
            turn.append(player.choose(state, seat))
            state = state.play(turn[-1])
        assert player.search is not None
        assert turn == player.search.line_from(turn[0])
        others += turn[0] != player.search.ranking()[0][0]
    assert others


def test_whoever_is_asked_elsewhere_thinks_anew() -> None:
    player = Player(GAME, "max:nodes=2000")
    state = start(8)
    seat = state.turn
    planned = player.choose(state, seat)
    assert player.decide(state, seat).nodes > 0  # asked the same again
    other = next(action for action in state.legal(seat) if action != planned and state.play(action).turn == seat)
    assert player.decide(state.play(other), seat).nodes > 0  # another action was played


def test_a_player_in_both_seats_follows_no_plan_of_the_other() -> None:
    player = Player(GAME, "max:nodes=500")
    state = start()
    thoughts = turns = 0
    while turns < 6:
        before = state
        choice = player.decide(state)
        thoughts += choice.nodes > 0
        state = state.play(choice.action)
        turns += state.turn != before.turn
    assert thoughts == turns


def test_a_stake_of_tabu_is_searched_once() -> None:
    game = catalog.game("tabu")
    player = Player(game, "level3", 1)
    state = game.start(lambda n: 0)
    while not isinstance(state.node, Decision):
        state = state.play(state.legal()[0])
    seat = state.node.seats[0]
    nodes = []
    while isinstance(state.node, Decision) and seat in state.node.seats:
        choice = player.decide(state, seat)
        nodes.append(choice.nodes)
        state = state.play(choice.action)
    assert len(nodes) > 2
    assert nodes[0] > 0
    assert not any(nodes[1:])


# Whoever plays a whole game keeps its players, and so their plans. The house: tests/web/test_engine_pool.py.


@pytest.fixture
def thoughts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that grows by a seat each time a player searches."""
    seats: list[int] = []
    think = Player.think

    def counted(self: Player, position: Position, seat: int, stop: Stop) -> int:
        seats.append(seat)
        return think(self, position, seat, stop)

    monkeypatch.setattr(Player, "think", counted)
    return seats


def test_the_arena_keeps_the_plan_of_a_turn(thoughts: list[int]) -> None:
    plan = make_plan(GAME, ("max:nodes=300", "max:nodes=400"), 2)
    played = play_sitting(plan, next(iter(plan.sittings())))
    assert 10 < len(thoughts) < int(str(played["actions"])) / 2
    assert not any(one == other for one, other in pairwise(thoughts))


def test_the_terminal_keeps_the_plan_of_a_turn(thoughts: list[int]) -> None:
    last = PlainTable(GAME, ["max:nodes=300"], Console(input, lambda sentence: None, "en"), 1).run()
    actions = 0
    state: State | None = last
    while state is not None:
        actions += 1
        state = state.previous
    assert 10 < len(thoughts) < actions / 2
    assert not any(one == other for one, other in pairwise(thoughts))
