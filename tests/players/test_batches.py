"""Exact lessons in batches: what Adam does with a gradient, how lessons travel, and that a known game is learned."""

from collections.abc import Callable, Sequence
from itertools import count
from math import log

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.network import Network
from tablee.players import batch_training
from tablee.players.adam import Adam
from tablee.players.batch_training import Collected, Schedule, collect, keep, learn_in_batches, pack_weights, unpack_weights
from tablee.players.lessons import Lessons, give_batch
from tablee.players.playout import Draw
from tablee.players.study import Student
from tests.players.ferry import FEATURES, Ferry, Pilot, before_throws, exact

HIDDEN = 16


def features(*numbers: int) -> vec[i64]:
    """Return features as the network takes them."""
    return vec[i64]([i64(number) for number in numbers])


def scattered(size: int = 4, hidden: int = 8, seed: int = 5) -> Network:
    """Return a network with small random weights."""
    network = Network(size, hidden)
    network.scatter(seed)
    return network


def test_the_gradient_of_a_batch_is_the_sum_of_the_slopes_of_its_lessons() -> None:
    network = scattered()
    batch = [(features(0, 3), 2, 0.9), (features(1, 3), 2, 0.2)]
    adam = Adam(network)
    for seen, n, target in batch:
        adam.add(seen, n, target)
    weights, small = network.weights(), 1e-5

    def error(at: int, change: float) -> float:
        """Return the cross entropy of the batch with one weight changed."""
        twin = Network(4, 8)
        twin.take([weight + change * (n == at) for n, weight in enumerate(weights)])
        values = [(twin.value(seen, n), target) for seen, n, target in batch]
        return -sum(target * log(value) + (1 - target) * log(1 - value) for value, target in values)

    slopes = [(error(at, small) - error(at, -small)) / (2 * small) for at in range(len(weights))]
    tables = (adam.last.gradient, adam.bias.gradient, adam.outer.gradient, adam.inner.gradient)
    gradient = [float(table[k]) for table in tables for k in range(len(table))]
    assert gradient == pytest.approx([-slope for slope in slopes], abs=1e-8)
    assert any(gradient[17:])


def test_the_first_step_moves_each_weight_by_the_rate_and_what_does_not_occur_stays() -> None:
    network = scattered()
    before = network.weights()
    adam = Adam(network)
    adam.add(features(0, 3), 2, 1.0)
    adam.step(0.01)
    moved = [abs(after - old) for old, after in zip(before, network.weights(), strict=True)]
    assert set(moved[25:41]) == {0.0}
    assert any(moved[17:25])
    assert all(step == pytest.approx(0.01, rel=1e-3) for step in moved if step)
    assert adam.lessons == adam.count == 0
    assert not any(table[k] for table in (adam.outer.gradient, adam.inner.gradient) for k in range(len(table)))


def test_a_step_without_lessons_changes_nothing() -> None:
    network = scattered()
    before = network.weights()
    Adam(network).step(0.01)
    assert network.weights() == before


def test_a_feature_that_the_network_does_not_have_is_refused() -> None:
    with pytest.raises(IndexError):
        Adam(scattered()).add(features(4), 1, 1.0)


def student(network: Network, seed: int) -> Student:
    """Return one that plays the ferry by a network."""
    return Student(Pilot(network), network, Ferry(), 8, seed)


def collect_ferries(weights: bytes, seconds: float, seed: int, part: float) -> Collected:
    """Collect lessons of the ferry from all of its positions."""
    starts = before_throws()
    return collect(student(unpack_weights(weights, FEATURES, HIDDEN), seed), lambda n: starts[n % len(starts)], seconds, 0.7, 0.05)


def run_here(work: Callable[..., Collected], jobs: Sequence[tuple[object, ...]]) -> list[Collected]:
    """Run jobs one after the other."""
    return [work(*job) for job in jobs]


def test_a_student_keeps_lessons_and_changes_no_weight() -> None:
    network = scattered(FEATURES, HIDDEN)
    before = network.weights()
    player = student(network, 1)
    for _ in range(20):
        player.play_game(Ferry(), 0.7, 0.0)
    assert network.weights() == before
    assert player.lessons.count > 20


def test_lessons_travel_between_processes_as_they_are() -> None:
    lessons, stored = Lessons(4), Lessons(4)
    player = student(scattered(FEATURES, HIDDEN), 1)
    player.lessons = lessons
    lessons.keep(features(1, 2, 30000, 4, 5), 5, 0.25)
    lessons.keep(features(7), 1, 0.75)
    assert keep(stored, collect(player, lambda n: Ferry(), 0.0, 0.7, 0.0)) == 2
    seen = vec[i64]([0] * 320)
    assert [int(seen[k]) for k in range(stored.features(0, seen))] == [1, 2, 30000, 4, 5]
    assert [int(seen[k]) for k in range(stored.features(1, seen))] == [7]
    assert [float(stored.targets[k]) for k in range(2)] == [0.25, 0.75]


def test_weights_travel_between_processes_as_they_are() -> None:
    network = scattered(40, 16)
    assert unpack_weights(pack_weights(network), 40, 16).weights() == network.weights()


def test_a_batch_is_drawn_from_what_is_stored() -> None:
    lessons = Lessons(8)
    lessons.keep(features(0), 1, 0.75)
    adam = Adam(Network(2, 8))
    assert give_batch(adam, lessons, Draw(1), 10) == pytest.approx(0.25)
    assert (adam.lessons, adam.count) == (10, 1)


@pytest.mark.parametrize("cores", [1, 2])
def test_a_known_game_is_learned(cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is a count, so that every machine learns the same."""
    clock = count()
    monkeypatch.setattr(batch_training, "process_time", lambda: next(clock) / 1000)
    monkeypatch.setattr(batch_training, "KEPT", 3000)
    pupils = scattered(FEATURES, HIDDEN), scattered(FEATURES, HIDDEN)
    said: list[str] = []
    lessons = learn_in_batches(pupils, collect_ferries, Schedule(40.0, cores, 1, (0.01, 0.0005)), run_here, said.append)
    assert lessons > 10000
    assert said[0].startswith("round 1: ")
    for ferry in before_throws():
        assert Pilot(pupils[1]).value(ferry, 0) == pytest.approx(exact(ferry.place, ferry.left), abs=0.06), (ferry.place, ferry.left)
