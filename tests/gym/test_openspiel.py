"""Our games in OpenSpiel's hands: the same rules, the same odds, the same ends."""

import pickle
from fractions import Fraction
from random import Random

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is an extra: pip install tablee[gym]")
pytestmark = pytest.mark.filterwarnings("ignore")

from tablee import catalog  # noqa: E402
from tablee.arena.match import Chooser, play_game  # noqa: E402
from tablee.catalog import OURS  # noqa: E402
from tablee.core.errors import TableeError  # noqa: E402
from tablee.core.state import Chance, Decision, Over  # noqa: E402
from tablee.games.tabaijana.deal import stacks  # noqa: E402
from tablee.gym.openspiel import register, wrap  # noqa: E402
from tablee.gym.openspiel_bot import SpielPlayer  # noqa: E402
from tablee.gym.sight import Sight  # noqa: E402
from tablee.players.player import Player  # noqa: E402
from tests.players.states import deciding  # noqa: E402

games = pytest.mark.parametrize("slug", OURS)


@games
def test_a_game_goes_the_same_way_there_and_here(slug: str) -> None:
    for seats in catalog.kind(slug).seats:
        random = Random(seats)
        state = catalog.game(slug, seats).start(random.randrange)
        _, there = wrap(state)
        for _ in range(400):
            match state.node:
                case Over(_, _, winners):
                    assert there.is_terminal()
                    best = max(there.returns())
                    assert {seat for seat, won in enumerate(there.returns()) if won == best and winners} == set(winners)
                    break
                case Chance(outcomes):
                    assert there.is_chance_node()
                    assert there.chance_outcomes() == [(action, float(odds)) for action, odds in outcomes]
                    action = random.choice(outcomes)[0]
                case Decision(acting, _):
                    assert there.current_player() == acting[0]
                    assert there.legal_actions() == sorted(state.legal(acting[0]))
                    action = random.choice(state.legal(acting[0]))
                    assert there.action_to_string(acting[0], action) == state.game.notate(action)
            twin = there.clone()
            there.apply_action(action)
            assert str(twin) == state.game.dump(state)
            state = state.play(action)
            assert str(there) == state.game.dump(state)


@games
def test_a_registered_game_is_loaded_by_name_with_its_parameters(slug: str) -> None:
    name = register(slug)
    assert register(slug) == name
    seats = catalog.kind(slug).seats[-1]
    game = pyspiel.load_game(f"{name}(seats={seats})")
    assert game.num_players() == seats
    assert game.num_distinct_actions() == catalog.kind(slug).action_count
    state = game.new_initial_state()
    assert not state.is_terminal()


def test_options_are_parameters() -> None:
    register("traboulet")
    assert pyspiel.load_game("tablee_traboulet(bonus=red)").ours.option("bonus") == "red"


@games
def test_their_bot_plays_legal_actions_within_its_budget(slug: str) -> None:
    state = deciding(catalog.game(slug))
    for theirs in (False, True):
        bot = SpielPlayer(state.game, 1, 1.4, theirs=theirs)
        assert bot.choose(state, nodes=12) in state.legal()
        assert bot.simulations == 12 or len(state.legal()) == 1
    bot = SpielPlayer(state.game, 1, 1.4)
    assert bot.choose(state, seconds=0.05) in state.legal()
    assert bot.simulations >= 1
    with pytest.raises(TableeError, match="never stop"):
        bot.choose(state)


def test_their_bot_sits_at_our_table_and_beats_chance() -> None:
    game = catalog.game("traboulet")
    won = 0.0
    for number in range(4):
        players: list[Chooser] = [SpielPlayer(game, number, 1.0), Player(game, "uniform", number)]
        seat = number % 2
        won += play_game(game, players if seat == 0 else players[::-1], f"{number}", nodes=60).shares[seat]
    assert won >= 3


@games
@pytest.mark.parametrize("serialize", [False, True])
def test_every_game_passes_their_own_test(slug: str, serialize: bool) -> None:
    kind = catalog.kind(slug)
    for seats in {kind.seats[0], kind.seats[-1]}:
        pyspiel.random_sim_test(pyspiel.load_game(f"tablee_{slug}(seats={seats})"), num_sims=1, serialize=serialize, verbose=False)


def test_every_stack_is_dealt_crate_by_crate_with_the_same_odds() -> None:
    game = catalog.game("tabaijana", order="on")
    deal, random = game.kind.deal, Random(1)
    for _ in range(5):
        drawn: tuple[int, ...] = ()
        chance = Fraction(1)
        while outcomes := deal.outcomes(game, drawn):
            assert sum(odds for _, odds in outcomes) == 1
            number, odds = random.choice(outcomes)
            drawn, chance = (*drawn, number), chance * odds
        assert len(drawn) == 25
        assert chance == Fraction(1, stacks((4,) * 5) * 120)
        assert game.dump(game.start_from(deal.setup(game, drawn))).count(deal.setup(game, drawn)["stack"]) == 1


def test_the_first_banker_is_dealt_by_lot() -> None:
    state = pyspiel.load_game("tablee_tabu(seats=4)").new_initial_state()
    assert state.chance_outcomes() == [(number, 0.25) for number in range(4)]
    state.apply_action(2)
    assert state.now.position.turn() == 2


@games
def test_tensors_hold_the_parts_of_the_observation(slug: str) -> None:
    game = pyspiel.load_game(f"tablee_{slug}")
    state = game.new_initial_state()
    random = Random(2)
    for _ in range(60):
        legal = state.legal_actions()
        state.apply_action(random.choice(legal))
        if state.is_terminal():
            break
        for player in range(game.num_players()):
            tensor = state.observation_tensor(player)
            assert tensor == state.information_state_tensor(player)
            assert len(tensor) == game.observation_tensor_size()
            if state.now.ready:
                seen = Sight(catalog.game(slug)).look(state.now.position, player)["observation"]
                assert tensor[: len(seen)] == seen.tolist()
    assert state.information_state_string(0) != state.information_state_string(1)


@games
def test_utilities_are_what_is_declared(slug: str) -> None:
    game = pyspiel.load_game(f"tablee_{slug}")
    together = catalog.kind(slug).together
    assert game.get_type().utility == (pyspiel.GameType.Utility.IDENTICAL if together else pyspiel.GameType.Utility.ZERO_SUM)
    random = Random(3)
    for _ in range(3):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
        won = state.returns()
        assert len(set(won)) == 1 if together else sum(won) == pytest.approx(0)
        assert all(game.min_utility() <= one <= game.max_utility() for one in won)


def test_a_game_and_a_state_are_pickled() -> None:
    game = pyspiel.load_game("tablee_tablan(throw=sticks)")
    assert pickle.loads(pickle.dumps(game)).ours == game.ours
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    assert str(pickle.loads(pickle.dumps(state))) == str(state)
