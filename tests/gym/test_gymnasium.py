"""Gymnasium's own check on all games, and one seat against chosen players, alone and in a vector."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import tablee.gym
from tablee.catalog import OURS
from tablee.core.errors import TableeError
from tablee.core.state import State
from tablee.gym.batch import Batch
from tablee.gym.one_seat import SeatEnv
from tablee.gym.registration import gym_name
from tablee.gym.vector_env import BatchEnv

games = pytest.mark.parametrize("slug", OURS)


@games
def test_every_game_passes_their_check(slug: str) -> None:
    env = gymnasium.make(gym_name(slug), opponents="greedy", render_mode="rgb_array")
    check_env(env.unwrapped)


def play_out(env: SeatEnv, seed: int) -> list[float]:
    """Return the rewards of one game of random actions."""
    seen, _ = env.reset(seed=seed)
    env.action_space.seed(seed)
    rewards = []
    while True:
        seen, reward, ended, cut, _ = env.step(env.action_space.sample(seen["action_mask"]))
        rewards.append(reward)
        if ended or cut:
            return rewards


@games
def test_a_seed_decides_the_whole_game(slug: str) -> None:
    first, second = (SeatEnv(slug, opponents="greedy", seat=1) for _ in range(2))
    assert play_out(first, 3) == play_out(second, 3)
    assert first.play.position == second.play.position


def test_a_level_beats_chance_and_each_seat_may_have_its_own_player() -> None:
    env = gymnasium.make("tablee/Traboulet-v1", opponents="level3").unwrapped
    assert isinstance(env, SeatEnv)
    assert play_out(env, 1)[-1] == -1.0
    three = SeatEnv("tabale", 3, opponents=["greedy", "uniform"], seat=1)
    assert list(three.named.values()) == ["greedy", "uniform"]
    with pytest.raises(TableeError, match="expected 2"):
        SeatEnv("tabale", 3, opponents=["greedy"])
    with pytest.raises(TableeError, match="unknown player"):
        SeatEnv("tabale", opponents="gredy")


def test_a_player_of_ones_own_may_be_the_opponent() -> None:
    class First:
        """Plays the first legal action."""

        def choose(self, state: State, seat: int | None = None) -> int:
            """Return it."""
            return state.legal(seat)[0]

    assert play_out(SeatEnv("traboulet", opponents=First()), 1)[-1] in (-1.0, 0.0, 1.0)
    with pytest.raises(TableeError, match="is no player"):
        SeatEnv("traboulet", opponents=object())  # type: ignore[arg-type]


def test_an_illegal_action_loses_or_is_refused() -> None:
    env = SeatEnv("traboulet")
    env.reset(seed=1)
    _, reward, ended, _, info = env.step(0)
    assert (reward, ended) == (-1.0, True)
    assert "Traboulet" in info["illegal"]
    strict = SeatEnv("traboulet", illegal="raise")
    strict.reset(seed=1)
    before = strict.play.position.copy()
    with pytest.raises(TableeError, match="Traboulet"):
        strict.step(0)
    assert strict.play.position == before
    with pytest.raises(TableeError, match="is no action"):
        env.step(1000)


@games
def test_a_vector_of_games_keeps_to_its_spaces(slug: str) -> None:
    env = tablee.gym.vector(slug, 6, opponents="uniform")
    seen, _ = env.reset(seed=5)
    ends = 0
    for _ in range(300):
        assert env.observation_space.contains(seen)
        seen, rewards, ended, cut, info = env.step(env.batch.sample())
        assert rewards.shape == ended.shape == cut.shape == (6,)
        assert ("final_obs" in info) == bool((ended | cut).any())
        for lane in np.flatnonzero(ended):
            ends += 1
            assert env.single_observation_space.contains(info["final_obs"][lane])
    assert ends
    env.close()


def test_a_vector_without_opponents_is_refused() -> None:
    with pytest.raises(TableeError, match="expected opponents"):
        BatchEnv(Batch("traboulet", 2))


def test_gymnasium_makes_a_vector_by_name() -> None:
    env = gymnasium.make_vec("tablee/Tablan-v1", num_envs=4, opponents="greedy", throw="sticks")
    seen, _ = env.reset(seed=1)
    assert seen["action_mask"].shape == (4, 891)
    env.close()
