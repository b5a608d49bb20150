"""Observations: named parts within their ranges, the same compiled and through every adapter, in the words of docs/gym.md."""

import re
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tablee import catalog
from tablee.catalog import OURS
from tablee.core.game import Game
from tablee.core.position import CHANCE, OVER, Position
from tablee.gym.scene_observer import scene_observation
from tablee.gym.sight import Sight, limits, observation_of, split
from tablee.testing import variants
from tests.golden.make import HERE, actions_text

games = pytest.mark.parametrize("slug", OURS)
PAGE = (Path(__file__).parents[2] / "docs" / "gym.md").read_text(encoding="utf-8")


def random_game(game: Game, seed: int, most: int = 150) -> list[Position]:
    """Return the positions of a random game, throws included."""
    random = Random(seed)
    position = game.start(random.randrange).position.copy()
    positions: list[Position] = []
    eye = Sight(game).eye
    while position.actor() != OVER and len(positions) < most:
        positions.append(position.copy())
        actor = int(position.actor())
        position.play(position.throw(random.randrange(position.chances())) if actor == CHANCE else random.choice(eye.legal(position, actor)))
    return [*positions, position]


@games
def test_every_number_is_within_its_range_in_every_variant(slug: str) -> None:
    for number, game in enumerate(variants(catalog.kind(slug))):
        sight = Sight(game)
        least, most = limits(sight.observation)
        assert sight.observation.width == len(least) == int(sight.observation.observer.width)
        for position in random_game(game, number, 60):
            for seat in range(game.seats):
                row = sight.look(position, seat)["observation"]
                assert (row >= least).all(), game
                assert (row <= most).all(), game


@games
def test_the_mask_holds_the_legal_actions_of_the_seats_that_may_act(slug: str) -> None:
    game = catalog.game(slug)
    sight = Sight(game)
    for position in random_game(game, 3):
        for seat in range(game.seats):
            may = (int(position.actors()) >> seat) & 1
            legal = sight.eye.legal(position, seat)
            assert bool(legal) == bool(may)
            assert np.flatnonzero(sight.look(position, seat)["action_mask"]).tolist() == legal
            assert all(sight.eye.may(position, seat, action) for action in legal)
            assert not sight.eye.may(position, seat, next(action for action in range(game.action_count) if action not in legal))
            assert not any(sight.eye.may(position, seat, number) for number in (-1, game.action_count, 1 << 40))


@games
def test_positions_that_differ_look_different(slug: str) -> None:
    game = catalog.game(slug)
    sight = Sight(game)
    seen: dict[bytes, Position] = {}
    for seed in range(4):
        for position in random_game(game, seed):
            if position.actor() >= 0:
                row = sight.look(position, int(position.actor()))["observation"].tobytes()
                assert seen.setdefault(row, position).hash() == position.hash()
    assert len(seen) > 60


@games
def test_every_part_is_in_the_page_with_its_shape(slug: str) -> None:
    section = re.search(rf"^### {catalog.kind(slug).title.split()[0]}\n(.*?)(?=^##)", PAGE, re.MULTILINE | re.DOTALL)
    assert section is not None
    rows = re.findall(r"^\| `(\w+)` \| \((.*?),?\) \|", section[1], re.MULTILINE)
    for game in variants(catalog.kind(slug)):
        told = [(name, tuple(game.seats if size.strip() == "n" else int(size) for size in shape.split(","))) for name, shape in rows]
        assert told == [(part.name, part.shape) for part in observation_of(game).parts], game


@games
def test_a_number_means_the_same_action_in_every_variant_and_as_ever(slug: str) -> None:
    kept = (HERE / slug / "actions.txt").read_text(encoding="utf-8")
    for game in variants(catalog.kind(slug)):
        assert actions_text(game) == kept, game


def test_traboulet_is_seen_from_ones_own_side() -> None:
    game = catalog.game("traboulet")
    observation = observation_of(game)
    sight = Sight(game)
    state = game.start().play("a6b6")
    white, black = (split(observation, sight.look(state.position, seat)["observation"]) for seat in (0, 1))
    assert (white["own"] == black["other"]).all()
    assert (white["own"][5] == [0, 1, 1, 0, 0, 0, 0]).all()
    assert (white["own"].sum(), white["other"].sum(), white["red"].sum()) == (8, 8, 13)
    assert (white["to_move"].tolist(), black["to_move"].tolist()) == ([0], [1])
    assert (white["seat"].tolist(), black["seat"].tolist()) == ([1, 0], [0, 1])


def test_traboulet_counts_how_often_a_turn_began_like_this() -> None:
    game = catalog.game("traboulet")
    observation = observation_of(game)
    sight = Sight(game)
    state = game.start()
    times = []
    for token in ["a7b7", "a1b1", "c7b7", "c1b1"] * 2:
        times.append(int(split(observation, sight.look(state.position, state.turn)["observation"])["repeated"][0]))
        state = state.play(token)
    assert times == [0] * 4 + [1] * 4
    assert state.over


@games
def test_any_game_has_an_observation_of_its_scene(slug: str) -> None:
    game = catalog.game(slug)
    observation = scene_observation(game)
    sight = Sight(game)
    positions = random_game(game, 5)
    rows = set()
    for position in positions:
        vector = type(sight.eye)(observation.observer, game.action_count)
        vector.look(position, 0)
        rows.add(bytes(memoryview(vector.row)))
    assert len(rows) > len(positions) // 3
    assert observation.width == int(observation.observer.width)
