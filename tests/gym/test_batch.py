"""A batch plays the games that states play: the same rules, masks and results, on one core or two, and refuses what is illegal."""

from random import Random
from typing import Any

import numpy as np
import pytest

import tablee
from tablee import Batch, catalog
from tablee.catalog import OURS
from tablee.core.errors import TableeError
from tablee.core.state import DICE, State
from tablee.gym.opponents import Greedy
from tablee.gym.sight import Sight, limits
from tablee.gym.utility import utility
from tablee.testing import variants

games = pytest.mark.parametrize("slug", OURS)


@games
def test_masks_observations_and_seats_are_those_of_the_states(slug: str) -> None:
    for game in variants(catalog.kind(slug)):
        chosen: dict[str, Any] = dict(game.options)
        batch = Batch(slug, 3, seed=7, seats=game.seats, **chosen)
        assert batch.game == game
        sight = Sight(game)
        least, most = limits(batch.observation)
        for _ in range(25):
            for lane in range(3):
                state, seat = batch.state(lane), int(batch.seats[lane])
                seen = sight.look(state.position, seat)
                assert (batch.observations[lane] == seen["observation"]).all()
                assert (batch.masks[lane] == seen["action_mask"].astype(bool)).all()
                assert seat == state.position.actor()
            assert ((batch.observations >= least) & (batch.observations <= most)).all()
            actions = batch.sample()
            assert batch.masks[np.arange(3), actions].all()
            batch.step(actions)


@games
def test_a_lane_ends_with_the_result_of_its_game_and_begins_again(slug: str) -> None:
    batch = Batch(slug, 8, seed=1)
    ends = 0
    for _ in range(400):
        before = [batch.state(lane) for lane in range(8)]
        actions = batch.sample().copy()
        batch.step(actions)
        for lane in range(8):
            if not batch.ended[lane]:
                assert (batch.rewards[lane] == 0).all()
                continue
            after = before[lane].play(int(actions[lane]), seat=int(before[lane].position.actor()))
            if after.over:  # not after a throw that ended it
                ends += 1
                assert batch.rewards[lane].tolist() == [utility(after.position, seat) for seat in range(batch.game.seats)]
            assert batch.state(lane).position.actor() != DICE
        if ends > 5:
            break
    assert ends or slug == "tabu"  # there a throw ends every game


def test_the_same_seed_gives_the_same_games_and_another_one_others() -> None:
    def moves(seed: int) -> list[int]:
        batch = Batch("tablan", 16, seed=seed)
        played: list[int] = []
        for _ in range(50):
            played += batch.sample().tolist()
            batch.step(batch.choices)
        return played

    assert moves(1) == moves(1) != moves(2)


@games
def test_two_processes_play_the_same_games_as_one(slug: str) -> None:
    alone = Batch(slug, 9, seed=3, opponents="greedy")
    with Batch(slug, 9, seed=3, opponents="greedy", cores=2) as shared:
        for _ in range(40):
            assert (alone.sample() == shared.sample()).all()
            alone.step(alone.choices)
            shared.step(shared.choices)
            for name in ("masks", "observations", "seats", "rewards", "ended", "cut"):
                assert (getattr(alone, name) == getattr(shared, name)).all(), name
        assert shared.state(8) == alone.state(8)


@pytest.mark.parametrize("cores", [1, 2])
def test_an_illegal_action_is_refused_and_nothing_is_played(cores: int) -> None:
    with Batch("traboulet", 4, cores=cores) as batch:
        wrong = batch.sample().copy()
        wrong[2] = batch.game.parse("b1c1")
        before = [batch.state(lane) for lane in range(4)]
        with pytest.raises(TableeError, match=r"lane 2: .*Traboulet 2\.1"):
            batch.step(wrong)
        wrong[2] = -1
        with pytest.raises(TableeError, match="-1 in lane 2 is no action"):
            batch.step(wrong)
        for given in (wrong[:3], wrong.astype(float), ["a", "b", "c", "d"]):
            with pytest.raises(TableeError, match="expected 4 whole numbers"):
                batch.step(given)  # type: ignore[arg-type]
        assert [batch.state(lane) for lane in range(4)] == before


def test_what_cannot_be_made_is_refused() -> None:
    for wrong, said in (
        ({"n": 0}, "expected 1 to"),
        ({"n": 4, "cores": 5}, "expected 1 to 4"),
        ({"n": 4, "seat": 1}, "needs opponents"),
        ({"n": 4, "opponents": "gredy"}, "unknown player"),
        ({"n": 4, "seed": -1}, "'-1' is no seed: expected 0 to"),
        ({"n": 4, "cores": 0}, "'0' is no number of cores: expected 1 to 4"),
        ({"n": 4, "bonnus": "red"}, "unknown option"),
    ):
        with pytest.raises(TableeError, match=said):
            Batch("traboulet", **wrong)
    with Batch("traboulet", 2) as batch, pytest.raises(TableeError, match="'2' is no lane: expected 0 to 1"):
        batch.state(2)


def test_a_batch_of_processes_may_be_closed_twice() -> None:
    with Batch("traboulet", 2, cores=2) as batch:
        batch.close()
    batch.close()


def test_arrays_are_read_only_and_show_the_buffers_themselves() -> None:
    batch = Batch("traboulet", 4)
    masks = batch.masks
    with pytest.raises(ValueError, match="read-only"):
        masks[0, 0] = True
    before = masks.copy()
    batch.step(batch.sample())
    assert batch.masks is masks
    assert (masks != before).any()


def test_a_long_game_is_cut_off() -> None:
    batch = Batch("traboulet", 2, longest=3)
    for _ in range(3):
        batch.step(batch.sample())
    assert batch.ended.tolist() == batch.cut.tolist() == [True, True]
    assert (batch.rewards == 0).all()
    batch.step(batch.sample())
    assert not batch.ended.any()


@games
def test_with_opponents_one_seat_is_mine(slug: str) -> None:
    for name in ("uniform", "greedy", "level1"):
        batch = Batch(slug, 4, seed=2, opponents=name)
        assert batch.learners.tolist() == [lane % batch.game.seats for lane in range(4)]
        for _ in range(4 if name == "level1" else 30):
            assert (batch.seats == batch.learners).all()
            batch.step(batch.sample())
    assert (Batch(slug, 3, opponents="uniform", seat=1).learners == 1).all()


@games
def test_the_compiled_greedy_player_is_the_greedy_player(slug: str) -> None:
    game = catalog.game(slug)
    random = Random(1)
    state = game.start(random.randrange)
    greedy = Greedy(state.position, game.action_count)
    chosen = set()
    for _ in range(80):
        if state.over:
            break
        actor = int(state.position.actor())
        if actor < 0:
            state = state.play(int(state.position.throw(random.randrange(state.position.chances()))))
            continue
        best = state.best_at_once(actor)
        action = int(greedy.choose(state.position, actor, 0, random.getrandbits(32)))
        assert action in best
        chosen.add(best.index(action))
        state = state.play(random.choice(state.legal(actor)), seat=actor)
    assert len(chosen) > 1


def test_every_set_up_is_drawn() -> None:
    bankers = {batch_state.position.turn() for batch_state in states(Batch("tabu", 40, seats=3))}
    assert bankers == {0, 1, 2}
    stacks = {state.position.stack(1) for state in states(Batch("tabaijana", 12))}  # type: ignore[attr-defined]
    assert len(stacks) == 12


def states(batch: Batch) -> list[State]:
    """Return the games of a batch."""
    return [batch.state(lane) for lane in range(batch.n)]


def test_the_name_is_public_but_imported_late() -> None:
    assert tablee.Batch is Batch
    with pytest.raises(AttributeError):
        _ = tablee.Batches
