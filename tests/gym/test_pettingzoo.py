"""PettingZoo's own tests on all games, seats and options, and what it cannot know: refusals, rewards, drawings."""

import warnings

import numpy as np
import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # PettingZoo's tests use its own deprecated names
    from pettingzoo.test import api_test, parallel_api_test, seed_test

import tablee.gym
from tablee import catalog
from tablee.catalog import OURS
from tablee.core.errors import TableeError
from tablee.core.ruling import IllegalAction
from tablee.gym.pettingzoo_aec import TurnsEnv
from tablee.gym.pettingzoo_parallel import TogetherEnv
from tablee.testing import variants

games = pytest.mark.parametrize("slug", OURS)
# It warns of any observation that has a mask beside it, as its own connect four has.
masked = pytest.mark.filterwarnings("ignore:Observation:UserWarning")


@masked
@games
def test_every_variant_passes_their_test(slug: str) -> None:
    for game in variants(catalog.kind(slug)):
        api_test(TurnsEnv(game), num_cycles=60, verbose_progress=False)


@masked
@games
def test_the_same_seed_gives_the_same_game(slug: str) -> None:
    for seats in catalog.kind(slug).seats:
        seed_test(lambda seats=seats: tablee.gym.aec(slug, seats), num_cycles=80)


@masked
@games
def test_every_variant_passes_their_parallel_test(slug: str) -> None:
    for game in variants(catalog.kind(slug)):
        parallel_api_test(TogetherEnv(game), num_cycles=60)


def test_seats_and_options_are_those_of_the_game() -> None:
    assert tablee.gym.aec("traboulet", bonus="red").game.option("bonus") == "red"
    assert tablee.gym.parallel("tabu", seats=3).possible_agents == ["seat_0", "seat_1", "seat_2"]
    with pytest.raises(TableeError, match="unknown option"):
        tablee.gym.aec("traboulet", bonnus="red")


@games
def test_a_random_game_ends_with_what_each_seat_won(slug: str) -> None:
    env = tablee.gym.aec(slug)
    env.reset(seed=4)
    env.action_space("seat_0").seed(4)
    won = {}
    for agent in env.agent_iter():
        seen, reward, ended, cut, _ = env.last()
        if ended or cut:
            won[agent] = reward
        env.step(None if ended or cut else env.action_space("seat_0").sample(seen["action_mask"]))
    assert won.keys() == set(env.possible_agents)
    assert env.agents == []
    assert list(won.values()) == env.play.utilities()
    if not catalog.kind(slug).together:
        assert sum(won.values()) == pytest.approx(0)


def test_an_illegal_action_is_refused_and_nothing_changes() -> None:
    env = tablee.gym.aec("traboulet")
    env.reset(seed=1)
    before = env.play.position.copy()
    with pytest.raises(IllegalAction, match=r"Traboulet 2\.1"):
        env.step(env.game.parse("b1c1"))
    with pytest.raises(TableeError, match="is no action"):
        env.step(9999)
    with pytest.raises(TableeError, match="is no action"):
        env.step(None)
    assert env.play.position == before
    assert env.agent_selection == "seat_0"


def test_a_game_that_lasts_too_long_is_cut_off() -> None:
    env = tablee.gym.aec("traboulet", longest=2)
    env.reset(seed=1)
    for token in ("a7b7", "a2b2"):
        env.step(env.game.parse(token))
    assert env.truncations == {"seat_0": True, "seat_1": True}
    assert env.terminations == {"seat_0": False, "seat_1": False}
    assert env.rewards == {"seat_0": 0.0, "seat_1": 0.0}


def test_where_all_act_at_once_all_actions_are_checked_before_any_is_played() -> None:
    env = tablee.gym.parallel("tabu", seats=3)
    seen, _ = env.reset(seed=2)
    staking = [agent for agent in env.agents if not seen[agent]["action_mask"][env.wait]]
    assert len(staking) == 2
    chips = {agent: int(np.argmax(seen[agent]["action_mask"])) for agent in env.agents}
    before = env.play.position.copy()
    for wrong, said in (
        ({**chips, staking[1]: chips[staking[0]]}, "refused by Tabu"),
        ({agent: chips[agent] for agent in staking[:1]}, "no action of"),
        ({**chips, "seat_9": 0}, "is not playing"),
        (dict.fromkeys(env.agents, chips[staking[0]]), "may not act now|refused"),
    ):
        with pytest.raises(TableeError, match=said):
            env.step(wrong)
        assert env.play.position == before
    env.step(chips)
    assert env.play.steps == 2


@games
def test_the_board_is_drawn_as_text_svg_and_pixels(slug: str) -> None:
    for mode, check in (("ansi", "\n"), ("svg", "<svg")):
        env = tablee.gym.aec(slug, render_mode=mode)
        env.reset(seed=1)
        assert check in env.render()
    env = tablee.gym.aec(slug, render_mode="rgb_array")
    env.reset(seed=1)
    pixels = env.render()
    assert pixels.dtype == np.uint8
    assert pixels.shape[1:] == (512, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20
    with pytest.raises(TableeError, match="unknown render mode"):
        tablee.gym.aec(slug, render_mode="human")
