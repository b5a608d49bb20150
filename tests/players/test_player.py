"""Players by name: never an illegal action, the same answer to the same question, in time, and no gifts."""

from itertools import count, pairwise
from random import Random

import pytest

import tablee
from tablee import Player, catalog
from tablee.catalog import OURS
from tablee.core.errors import TableeError, UnknownName
from tablee.core.mind import LEVEL_NAMES
from tablee.core.state import Chance, Decision, Over
from tablee.players.levels import ANY_GAME, levels
from tablee.players.name import read_name
from tablee.testing import variants
from tests.material import step, wander
from tests.players.legality import check_legal
from tests.players.states import deciding
from tests.players.toys import heap

games = pytest.mark.parametrize("slug", OURS)
# How often the clock is read before and after the search itself.
LOOKS_BESIDE = 10


@games
def test_no_action_is_ever_illegal(slug: str) -> None:
    assert check_legal(slug, moves=700, seed=1) >= 700


@games
def test_a_state_is_left_as_it_was(slug: str) -> None:
    state = deciding(catalog.game(slug), 3)
    line = state.game.dump(state)
    Player(state.game, 2, 1).choose(state)
    tablee.analyse(state, tablee.Stop(50))
    assert state.game.dump(state) == line


@games
@pytest.mark.parametrize("name", ["level1", "level3", "max:nodes=80", "mcts:nodes=80", "uniform", "greedy"])
def test_the_same_seed_gives_the_same_game(slug: str, name: str) -> None:
    def played(seed: int) -> str:
        random = Random(5)
        game = catalog.game(slug)
        players = [Player(game, name, seed + seat) for seat in range(game.seats)]
        state = game.start(random.randrange)
        chosen = 0
        while chosen < 8 and not isinstance(state.node, Over):
            if isinstance(state.node, Decision):
                seat = state.node.seats[0]
                state = state.play(players[seat].choose(state, seat))
                chosen += 1
            else:
                state = step(state, random)
        return tablee.record(state)

    assert played(1) == played(1)
    if name == "uniform":
        assert len({played(seed) for seed in range(5)}) > 1


@pytest.mark.parametrize("milliseconds", [20, 100, 300])
@games
def test_deadlines_are_kept(slug: str, milliseconds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock that goes on by two milliseconds each time somebody looks: nobody thinks on after the look that finds the time over."""
    game = catalog.game(slug, catalog.kind(slug).seats[-1])
    state, ticks = deciding(game), count()
    player = Player(game, "max")
    monkeypatch.setattr("tablee.players.stop.monotonic", lambda: next(ticks) / 500)
    choice = player.decide(state, seconds=milliseconds / 1000)
    assert choice.action in state.legal()
    assert next(ticks) <= milliseconds // 2 + LOOKS_BESIDE


def test_max_does_not_think_on_where_its_choice_is_clear_but_analysis_does() -> None:
    """The choice is the one that the whole budget gives; what it is worth is for who asks for that."""
    game = catalog.game("tabaijana", 5, game="enfants")
    nodes = 20000
    player = Player(game, f"max:nodes={nodes}")
    clear = 0
    random = Random(1)
    state = game.start(random.randrange)
    while clear < 3 and not isinstance(state.node, Over):
        if isinstance(state.node, Decision) and len(state.legal()) > 1:
            choice = player.decide(state)
            if choice.nodes < nodes // 2:
                thought = tablee.analyse(state, tablee.Stop(nodes))
                assert thought.nodes >= nodes
                assert thought.best == choice.action
                clear += 1
            state = state.play(choice.action)
        else:
            state = step(state, random)
    assert clear == 3


def test_who_may_take_another_action_than_the_best_weighs_them_all() -> None:
    game = catalog.game("tabaijana")
    assert Player(game, "max").stop(None, None).choosing
    assert not Player(game, "max:temperature=0.01").stop(None, None).choosing
    assert not Player(game, "level1").stop(None, None).choosing


def test_a_deadline_cuts_a_level_short() -> None:
    game = catalog.game("traboulet")
    choice = Player(game, "level8:nodes=100000000").decide(game.start(lambda n: 0), seconds=0.05)
    assert choice.nodes < 100_000_000


@pytest.mark.parametrize(
    "name", ["level0", "level9", "easy", "", "max:fast=1", "max:seconds", "max:seconds=-1", "max:nodes=x", "greedy:nodes=3", "9"]
)
def test_an_unknown_player_is_told_what_there_is(name: str) -> None:
    with pytest.raises(TableeError, match=r"known are|expected|does not think"):
        Player(catalog.game("traboulet"), name)


def test_an_unknown_level_lists_the_levels() -> None:
    with pytest.raises(UnknownName, match=r"did you mean 'level4'.*level8, max"):
        Player(catalog.game("traboulet"), "levle4")
    with pytest.raises(UnknownName, match="level8, max"):
        Player(catalog.game("traboulet"), 9)


@games
def test_a_finished_game_and_a_due_throw_are_refused(slug: str) -> None:
    random = Random(1)
    state = wander(catalog.game(slug).start(random.randrange), random, 100_000)
    with pytest.raises(TableeError, match="the game is over"):
        Player(state.game, 1).choose(state)
    for earlier in state.path():
        if isinstance(earlier.node, Chance):
            with pytest.raises(TableeError, match="a throw is due"):
                Player(state.game, 1).choose(earlier)
            break


def test_a_seat_out_of_turn_is_refused() -> None:
    game = catalog.game("traboulet")
    with pytest.raises(TableeError, match="seat '1' may not act now: expected one of 0"):
        Player(game, 1).choose(game.start(lambda n: 0), 1)


def test_temperature_takes_from_the_near_and_never_from_the_far() -> None:
    player = Player(catalog.game("traboulet"), "level1", 1)
    ranking = [(7, 0.60), (8, 0.58), (9, 0.51), (10, 0.39), (11, 0.05)]
    warm = [player.pick(ranking, 0.04) for _ in range(500)]
    assert set(warm) == {7, 8, 9}
    assert warm.count(7) > warm.count(8) > warm.count(9)
    assert {player.pick(ranking, 0.2) for _ in range(500)} == {7, 8, 9}
    assert {player.pick(ranking, 0.4) for _ in range(500)} == {7, 8, 9, 10}
    assert {player.pick(ranking, 0.0) for _ in range(50)} == {7}


def test_a_certain_win_is_taken_however_warm_the_player() -> None:
    player = Player(catalog.game("traboulet"), "level1", 1)
    assert {player.pick([(7, 1.0), (8, 0.99), (9, 0.95)], 1.0) for _ in range(50)} == {7}


@pytest.mark.parametrize("level", range(1, 9))
def test_no_level_gives_a_won_heap_away_when_two_are_left(level: int) -> None:
    for seed in range(10):
        game = heap(2)
        assert Player(game, level, seed).choose(game.start(lambda n: 0)) == 1


def test_an_interpreted_plug_in_game_is_played_at_every_level() -> None:
    game = heap(9)
    for name in (*LEVEL_NAMES[:-1], "max:nodes=500", "mcts:nodes=500", "greedy", "uniform"):
        assert 0 <= Player(game, name, 1).choose(game.start(lambda n: 0)) < 3
    assert Player(game, "max:nodes=2000", 1).choose(game.start(lambda n: 0)) == 0
    assert levels(game.kind) == ANY_GAME


@games
def test_every_game_has_levels_that_look_farther_and_choose_more_coolly(slug: str) -> None:
    table = levels(catalog.kind(slug))
    assert table[-1].name == "max"
    for lower, higher in pairwise(table[:-1]):
        assert (lower.nodes, lower.depth) <= (higher.nodes, higher.depth) or lower.depth < higher.depth
        # A level that sees single actions chooses among them, one that sees turns among whole turns: their temperatures do not compare.
        assert lower.temperature >= higher.temperature or lower.depth == 0 < higher.depth


def test_names_say_what_is_changed() -> None:
    name = read_name("mcts:uct_c=1.4:nodes=2000")
    assert (name.base, name.uct_c, name.nodes, name.seconds) == ("mcts", 1.4, 2000, None)
    game = catalog.game("traboulet")
    assert Player(game, "mcts:nodes=300").decide(game.start(lambda n: 0)).nodes == 300
    assert Player(game, "max").decide(game.start(lambda n: 0), nodes=123).nodes == 123


def test_every_variant_is_played_by_a_low_and_a_high_level() -> None:
    for slug in OURS:
        for game in variants(catalog.kind(slug)):
            state = deciding(game)
            for name in ("level1", "max"):
                assert Player(game, name, 1).choose(state, nodes=20) in state.legal()
