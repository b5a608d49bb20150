"""A state is a value: equal, hashed, pickled and copied by what it is."""

import copy
import pickle
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from fractions import Fraction
from multiprocessing import get_context
from random import Random

import pytest

import tablee
from tablee.core.errors import TableeError
from tablee.core.game import Game
from tablee.core.ruling import Message
from tablee.core.state import DICE, State
from tablee.testing import variants
from tests.players.race import Race

GAMES = tuple(tablee.kinds())


def walk(game: Game, seed: int, steps: int = 60) -> list[State]:
    """Return the states of a random game."""
    random = Random(seed)
    states = [game.start(seed=seed)]
    while len(states) < steps and not states[-1].over:
        state = states[-1]
        states.append(state.throw(random.randrange) if isinstance(state.node, tablee.Chance) else state.play(random.choice(state.legal())))
    return states


@pytest.mark.parametrize("slug", GAMES)
def test_the_same_game_played_twice_gives_equal_states(slug: str) -> None:
    for game in variants(tablee.kind(slug)):
        for one, other in zip(walk(game, 3), walk(game, 3), strict=True):
            assert one == other
            assert one.position == other.position
            assert hash(one) == hash(other)


@pytest.mark.parametrize("slug", GAMES)
def test_states_are_equal_only_if_their_lines_are(slug: str) -> None:
    game = tablee.game(slug)
    states = walk(game, 1, 40) + walk(game, 2, 40)
    for one in states:
        for other in states:
            if game.dump(one) != game.dump(other):
                assert one != other
                assert one.position != other.position


@pytest.mark.parametrize("slug", GAMES)
def test_a_position_that_reads_back_is_equal(slug: str) -> None:
    for game in variants(tablee.kind(slug)):
        if not game.kind.forgets:
            for state in walk(game, 4):
                assert game.load(game.dump(state)) == state


@pytest.mark.parametrize("slug", GAMES)
def test_a_state_is_pickled_with_its_whole_game(slug: str) -> None:
    for game in variants(tablee.kind(slug)):
        state = walk(game, 5)[-1]
        again = pickle.loads(pickle.dumps(state))
        assert again == state
        assert hash(again) == hash(state)
        assert tablee.record(again) == tablee.record(state)
        assert again.node == state.node
        assert again.game is not None
        assert again.game == game


@pytest.mark.parametrize("slug", GAMES)
def test_a_position_is_pickled_and_copied(slug: str) -> None:
    for state in walk(tablee.game(slug), 6):
        for position in (pickle.loads(pickle.dumps(state.position)), copy.copy(state.position), copy.deepcopy(state.position)):
            assert position == state.position
            assert position is not state.position
            if state.legal():
                position.play(state.legal()[0])
                assert position != state.position


def test_a_position_is_not_equal_to_one_of_another_game() -> None:
    assert tablee.game("traboulet").start().position != tablee.game("tabale").start().position
    assert tablee.game("traboulet").start() != tablee.game("traboulet", bonus="red").start()
    assert tablee.game("traboulet").start() != "traboulet"


def test_equal_positions_of_different_games_are_different_states() -> None:
    letter = tablee.game("tablan", preset="lettre")
    rules = {name: value for name, value in letter.options.items() if name != "preset"}
    sheet = tablee.game("tablan", 2, preset="fiche", **rules)
    assert letter.start().position == sheet.start().position
    assert letter != sheet
    assert letter.start() != sheet.start()


def test_history_counts_where_a_rule_looks_at_it() -> None:
    tokens = ["a6b6", "g6f6", "b6a6", "f6g6"]
    for repetition, equal in (("draw", False), ("forbid", False), ("play_on", True)):
        game = tablee.game("traboulet", repetition=repetition)
        first = game.load("7/w5b/7/3r3/7/7/7 w 0 0 - -")
        state = first
        for token in tokens:
            if repetition == "forbid" and token == "f6g6":
                break
            state = state.play(token)
        else:
            assert game.dump(state) == game.dump(first)
            assert (state == first) is equal


def test_a_pickled_history_still_ends_the_game() -> None:
    game = tablee.game("traboulet")
    state = game.load("7/w5b/7/3r3/7/7/7 w 0 0 - -")
    for _ in range(2):
        for token in ["a6b6", "g6f6", "b6a6", "f6g6"]:
            assert not state.over
            state = pickle.loads(pickle.dumps(state)).play(token)
    assert state.node == tablee.Over((0, 0), "5.3", (0, 1))


def test_deep_copies_of_games_and_states_are_equal() -> None:
    state = walk(tablee.game("tablan", throw="sticks"), 1)[-1]
    assert copy.deepcopy({"state": state, "game": state.game}) == {"state": state, "game": state.game}
    assert {state.game: 1}[tablee.game("tablan", throw="sticks")] == 1


def test_a_kind_that_its_package_does_not_hold_is_not_pickled() -> None:
    game = Game(replace(tablee.kind("traboulet"), title="Other"), 2, tablee.game("traboulet").chosen, 1)
    with pytest.raises(pickle.PicklingError, match="holds no such kind"):
        pickle.dumps(game)


def finish(state: State) -> State:
    """Play a random game to its end, in another process."""
    random = Random(1)
    while not state.over:
        state = state.throw(random.randrange) if isinstance(state.node, tablee.Chance) else state.play(random.choice(state.legal()))
    return state


def test_a_process_pool_works_on_states() -> None:
    states = [tablee.game(slug).start(seed=7) for slug in GAMES]
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        assert list(pool.map(finish, states)) == [finish(state) for state in states]


def refuse(state: State) -> State:
    """Play what is refused, in another process."""
    return state.play("f6e6", seat=0)


def test_an_error_comes_back_from_a_process_pool() -> None:
    state = tablee.game("traboulet").start()
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        error = pool.submit(refuse, state).exception()
        assert isinstance(error, tablee.IllegalAction)
        assert error.refusal == state.refusal(0, "f6e6")
        assert "is refused by Traboulet 2.1, Traboulet 2.2" in str(error)
        assert pool.submit(finish, state).result().over


@pytest.mark.parametrize(
    "error",
    [
        tablee.NotationError("zz", "a token", "2.1"),
        tablee.PositionError("zz", "expected a board", "1.1"),
        tablee.RecordError(3, "zz", "this is no action", ("2.1",)),
        tablee.UnknownName("unknown game 'zz'"),
    ],
)
def test_errors_are_pickled_and_copied_with_what_they_know(error: TableeError) -> None:
    for again in (pickle.loads(pickle.dumps(error)), copy.deepcopy(error)):
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


@pytest.mark.parametrize("slug", GAMES)
def test_nodes_and_messages_are_pickled(slug: str) -> None:
    for state in walk(tablee.game(slug), 2):
        assert pickle.loads(pickle.dumps(state.node)) == state.node
    assert pickle.loads(pickle.dumps(Message("a"))) == Message("a")


def test_a_seed_repeats_the_start_and_the_throws() -> None:
    game = tablee.game("tabaijana")
    assert game.start(seed=7) == game.start(seed=7)
    assert len({game.start(seed=seed) for seed in range(20)}) == 20
    state = game.start(seed=7)
    assert state.throw(7) == state.throw(7)
    assert len({state.throw(seed) for seed in range(100)}) > 1


def test_one_seed_gives_other_throws_as_the_game_goes_on() -> None:
    state, thrown = tablee.game("tablan").start(), set()
    for _ in range(60):
        if isinstance(state.node, tablee.Chance):
            state = state.throw(1)
            thrown.add(state.action)
        else:
            state = state.play(state.legal()[0])
    assert len(thrown) > 5


@pytest.mark.parametrize("slug", ["tablan", "tabu", "tabaijana"])
def test_throws_come_by_their_odds(slug: str) -> None:
    state = next(state for state in walk(tablee.game(slug), 1) if isinstance(state.node, tablee.Chance))
    assert isinstance(state.node, tablee.Chance)
    cases = int(state.position.chances())
    thrown = Counter(state.throw({cases: case}.__getitem__).action for case in range(cases))
    assert tuple((action, Fraction(count, cases)) for action, count in sorted(thrown.items())) == state.node.outcomes


def test_a_start_without_a_draw_says_what_it_needs() -> None:
    assert tablee.game("traboulet").start() == tablee.game("traboulet").start(lambda n: 0)
    with pytest.raises(TableeError, match=r"tabaijana draws its set-up: expected start\(seed=…\) or start\(draw\)"):
        tablee.game("tabaijana").start()
    with pytest.raises(TableeError, match="'7' is no draw: expected a function, or seed=7"):
        tablee.game("tabaijana").start(7)  # type: ignore[arg-type]
    with pytest.raises(TableeError, match="both a draw and a seed"):
        tablee.game("tabaijana").start(lambda n: 0, seed=1)
    with pytest.raises(TableeError, match="is no seed"):
        tablee.game("tabaijana").start(seed="x")  # type: ignore[arg-type]


def test_a_token_is_played_like_its_number() -> None:
    state = tablee.game("traboulet").start()
    assert state.play("a6b6") == state.play(state.game.parse("a6b6"))
    assert state.play("a6b6", seat=0) == state.play("a6b6")
    with pytest.raises(tablee.IllegalAction):
        state.play("a6b6", seat=1)
    with pytest.raises(tablee.NotationError):
        state.play("zz")


def test_a_token_needs_a_seat_where_several_may_act() -> None:
    state = tablee.game("tabu", 3).start_from({"banker": "1"})
    with pytest.raises(TableeError, match="name one, seat=1 or seat=2"):
        state.play("c5")
    assert state.play("c5", seat=1).mover == 1
    assert state.play("c5", seat=2).mover == 2
    with pytest.raises(TableeError, match="seat '7' is not at this table"):
        state.play("c5", seat=7)


@pytest.mark.parametrize("wrong", [None, 1.5, True, b"a6b6", [3], object()])
def test_an_action_of_a_wrong_type_is_a_clear_error(wrong: object) -> None:
    state = tablee.game("traboulet").start()
    with pytest.raises(TableeError, match="is no action: expected a number or a token"):
        state.play(wrong)  # type: ignore[arg-type]
    with pytest.raises(TableeError, match="is no action: expected a number or a token"):
        state.refusal(0, wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [-1, 169, 10**30])
def test_a_number_that_is_no_action_is_a_clear_error(number: int) -> None:
    with pytest.raises(TableeError, match="is no action: expected a number from 0 to 168"):
        tablee.game("traboulet").start().play(number)


@pytest.mark.parametrize("seat", [-2, 2, 10**30, "1", None, True])
def test_a_refusal_of_no_seat_is_a_clear_error(seat: object) -> None:
    with pytest.raises(TableeError, match=r"is not at this table|is no seat"):
        tablee.game("traboulet").start().refusal(seat, 0)  # type: ignore[arg-type]


def test_the_dice_are_refused_where_no_throw_is_due() -> None:
    state = tablee.game("tablan").start()
    assert state.refusal(DICE, state.legal()[0]) is None
    with pytest.raises(TableeError, match="no throw is due: seat 0 may act"):
        tablee.game("traboulet").start().throw(1)
    with pytest.raises(TableeError, match="is no seed"):
        state.throw("x")  # type: ignore[arg-type]
    end = finish(state)
    assert end.legal() == []
    with pytest.raises(TableeError, match="the game is over"):
        end.throw(1)


def test_a_state_says_whether_it_is_over_and_who_won() -> None:
    state = tablee.game("traboulet").start()
    assert (state.over, state.winners) == (False, ())
    end = finish(state)
    assert isinstance(end.node, tablee.Over)
    assert (end.over, end.winners) == (True, end.node.winners)


def test_a_state_tells_its_last_action() -> None:
    first = tablee.game("traboulet").start()
    assert first.told("en") == []
    state = first.play("a6b6")
    words = state.game.kind.words("en")
    assert state.told("en") == [words.say(message) for message in state.game.kind.tell(state.game, first.position, state.action, state.position)]
    assert state.told("fr") != state.told("en")
    with pytest.raises(TableeError, match="unknown language"):
        state.told("de")


def test_odds_and_questions_are_found_when_read(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    kind = tablee.kind("traboulet")
    game = Game(replace(kind, ask=lambda game, position: asked.append(1) or kind.ask(game, position)), 2, tablee.game("traboulet").chosen, 1)  # type: ignore[func-returns-value]
    state = game.start()
    assert isinstance(state.node, tablee.Decision)
    assert (state.node.seats, asked) == ((0,), [])
    assert state.node.ask == kind.ask(game, state.position)
    assert state.node.ask
    assert asked == [1]
    monkeypatch.setattr("tablee.core.state.odds", lambda position: pytest.fail("odds were computed"))
    assert isinstance(tablee.game("tablan").start().node, tablee.Chance)


def test_players_are_equal_by_their_settings() -> None:
    game = tablee.game("traboulet")
    player = tablee.Player(game, 2, seed=3)
    assert player == tablee.Player(tablee.game("traboulet"), "level2", seed=3)
    assert len({player, tablee.Player(game, 3, seed=3), tablee.Player(game, 2, seed=4), tablee.Player(tablee.game("tabale"), 2, seed=3)}) == 4
    assert player != tablee.Player(game, 2, seed=4)
    assert player != tablee.Player(game, 3, seed=3)
    again = pickle.loads(pickle.dumps(player))
    assert again == player == copy.deepcopy(player)
    assert again.choose(game.start(), nodes=50) == player.choose(game.start(), nodes=50)


def test_a_plain_position_is_a_value_too() -> None:
    one, other = Race(), Race()
    assert one == other
    assert copy.deepcopy(one) == pickle.loads(pickle.dumps(one)) == one
    other.play(other.throw(2))
    assert one != other
    ahead = Race()
    ahead.places = [0, 1]
    assert one != ahead
