"""Our games in OpenSpiel's hands: the same rules, the same odds, the same ends."""

from random import Random

import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is an extra: pip install tablee[bench]")
pytestmark = pytest.mark.filterwarnings("ignore")

from tablee import catalog  # noqa: E402
from tablee.arena.match import Chooser, play_game  # noqa: E402
from tablee.catalog import OURS  # noqa: E402
from tablee.core.errors import TableeError  # noqa: E402
from tablee.core.state import Chance, Decision, Over  # noqa: E402
from tablee.gym.openspiel import SpielPlayer, register, wrap  # noqa: E402
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
