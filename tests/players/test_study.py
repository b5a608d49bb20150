"""Learning with the luck taken out, on a game whose exact values are known."""

from typing import cast

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.network import Network
from tablee.core.position import Position
from tablee.players.practice import practise
from tablee.players.steps import Steps
from tablee.players.study import FEATURE, KEPT, ROOM, SHARED, Lessons, Student
from tests.players.ferry import FEATURES, FIRST_THROW, SAIL, WAIT, Ferry, Pilot, before_throws, exact


def student(network: Network, steady: Network, seed: int = 1) -> Student:
    """Return one that plays by a steady network and teaches another."""
    return Student(Pilot(steady), network, Ferry(), 8, seed)


def practised(games: int) -> tuple[Student, Network]:
    """Return one that has played, and the network it plays by."""
    network, steady = Network(FEATURES, 16), Network(FEATURES, 16)
    network.scatter(1)
    steady.scatter(1)
    learner = student(network, steady)
    starts = before_throws()
    for number in range(games):
        learner.game(starts[number % len(starts)], 0.004 * 0.05 ** (number / games), 0.7, 0.1)
        steady.follow(network, 0.05)
        learner.forget()
    return learner, steady


def test_the_learned_value_comes_near_the_exact_one() -> None:
    _, steady = practised(5000)
    assert len(before_throws()) > 10
    assert 0.5 < exact(0, 4) < 0.9
    for ferry in before_throws():
        assert Pilot(steady).value(ferry, 0) == pytest.approx(exact(ferry.place, ferry.left), abs=0.06), (ferry.place, ferry.left)


def test_nothing_is_taught_of_luck() -> None:
    """Where the network is right already every lesson is what it says, whatever was thrown and however the game ended."""
    learner, steady = practised(5000)
    learner.lessons.count = 0
    before = steady.weights()
    results = [learner.game(Ferry(), 0.0, 1.0, 0.0) for _ in range(60)]
    assert steady.weights() == before
    assert 20 < sum(results) < 58
    shown = vec[i64]([0] * 400)
    errors = []
    for place in range(int(learner.lessons.count)):
        n = learner.lessons.read(place, shown)
        errors.append(abs(learner.lessons.targets[place] - steady.value(shown, n)))
    assert len(errors) > 100
    assert max(errors) < 0.1


class Chart(Pilot):
    """A judgement that thinks waiting at 2 a little better than being at 3, and knows nothing else."""

    def value(self, position: Position, seat: i64) -> float:
        """Return a little over one half, or one half."""
        return 0.51 if (cast(Ferry, position).place, cast(Ferry, position).left) == (2, 1) else 0.5


def two_throws(explore: float) -> list[float]:
    """Play the last two throws from 2, a 1 and a 3; return what was taught, in the order in which it was."""
    network = Network(FEATURES, 8)
    learner = Student(Chart(network), network, Ferry(), 8, 1)
    ferry = Ferry()
    ferry.place, ferry.left = 2, 2
    learner.note(ferry)
    ferry.play(FIRST_THROW)
    assert explore or learner.decide(ferry, 0, 0.0, 0.0) == SAIL
    if explore:
        learner.decide(ferry, 0, 0.0, explore)
    ferry.play(SAIL)
    learner.note(ferry)
    ferry.play(FIRST_THROW + 2)
    assert learner.decide(ferry, 1, 0.0, 0.0) == SAIL
    learner.review(1.0, 0.0, 1.0)
    return [learner.lessons.targets[place] for place in range(int(learner.lessons.count))]


def test_close_actions_are_looked_at_one_throw_further_and_all_of_them_are_taught() -> None:
    """At 2 with one throw left nothing can be won; at 3 a 3 is needed. The last throw was lucky, which is not taught."""
    assert two_throws(explore=0.0) == pytest.approx([0.0, 1 / 3, 1 / 3, 1 / 3])


class Doubter(Pilot):
    """A judgement that thinks so much less of sailing from 2 with two throws left than of waiting there."""

    def __init__(self, network: Network, less: float) -> None:
        """Think so much less of it."""
        super().__init__(network)
        self.less = less

    def value(self, position: Position, seat: i64) -> float:
        """Return one half, or what is left of it."""
        return 0.5 - self.less if (cast(Ferry, position).place, cast(Ferry, position).left) == (3, 1) else 0.5


def taught_by_lot(less: float) -> list[list[float]]:
    """Decide forty times at 2 with a 1 thrown; return what was taught each time."""
    network = Network(FEATURES, 8)
    learner = Student(Doubter(network, less), network, Ferry(), 8, 1)
    ferry = Ferry()
    ferry.place, ferry.left = 2, 2
    taught = []
    for _ in range(40):
        learner.begin(ferry)
        learner.note(ferry)
        thrown = ferry.copy()
        thrown.play(FIRST_THROW)
        learner.lessons.count = 0
        assert learner.decide(thrown, 0, 0.0, 0.0) == WAIT
        taught.append([learner.lessons.targets[place] for place in range(int(learner.lessons.count))])
    return taught


def test_what_looks_a_good_deal_worse_is_taught_now_and_then() -> None:
    """From 3 a 3 wins, whatever is thought of it; what looks hopeless is left alone."""
    some = [one for taught in taught_by_lot(0.05) for one in taught]
    assert 5 < len(some) < 35
    assert some == pytest.approx([1 / 3] * len(some))
    assert taught_by_lot(0.2) == [[]] * 40


def test_what_follows_an_action_by_lot_says_nothing_of_what_came_before() -> None:
    assert two_throws(explore=1.0) == pytest.approx([1 / 3, 0.51])


def test_the_same_seed_learns_the_same() -> None:
    weights = []
    for _ in range(2):
        network, steady = Network(FEATURES, 8), Network(FEATURES, 8)
        network.scatter(3)
        steady.scatter(3)
        learner = student(network, steady, 3)
        for _ in range(700):
            learner.game(Ferry(), 0.01, 0.5, 0.1)
        weights.append(network.weights())
    assert weights[0] == weights[1]
    fresh = Network(FEATURES, 8)
    fresh.scatter(3)
    assert weights[0] != fresh.weights()


def test_practice_lets_the_student_forget_when_the_steady_network_follows() -> None:
    network, steady = Network(FEATURES, 8), Network(FEATURES, 8)
    network.scatter(3)
    steady.scatter(3)
    learner = student(network, steady)
    practise(learner, steady, lambda number, part: Ferry(), 0.5, (0.01, 0.001), 0.5, 0.0, 0.0, lambda told: None)
    learner.search.side_with(Ferry(), 0)
    assert learner.search.judge(Ferry()) == Pilot(steady).value(Ferry(), 0)


def test_lessons_come_back_and_the_oldest_make_room() -> None:
    lessons = Lessons()
    back = vec[i64]([0] * 400)
    most = int(SHARED * ROOM)
    first = [(k * 977) % int(FEATURE + 1) for k in range(most)]
    lessons.keep(vec[i64]([i64(feature) for feature in first]), most, 0.25)
    lessons.keep(vec[i64]([FEATURE]), 1, 0.75)
    assert [int(back[k]) for k in range(lessons.read(0, back))] == first
    assert [int(back[k]) for k in range(lessons.read(1, back))] == [FEATURE]
    assert (lessons.targets[0], lessons.targets[1]) == (0.25, 0.75)
    lessons.count = KEPT
    lessons.keep(vec[i64]([5, 6]), 2, 0.5)
    assert [int(back[k]) for k in range(lessons.read(0, back))] == [5, 6]
    with pytest.raises(ValueError, match=f"{most + 1} features: expected {most} at most"):
        lessons.keep(vec[i64]([0] * (most + 1)), most + 1, 0.5)


def test_what_is_seldom_seen_moves_as_far_as_what_is_always_seen() -> None:
    network = Network(3, 8)
    network.scatter(2)
    steps = Steps(network)
    often, seldom = vec[i64]([0]), vec[i64]([1])
    start = [network.value(one, 1) for one in (often, seldom)]
    for _ in range(200):
        steps.learn(often, 1, 0.9, 0.01)
    assert network.value(often, 1) > start[0] + 0.2
    for _ in range(200):
        steps.learn(seldom, 1, 0.1, 0.01)
    assert network.value(seldom, 1) < start[1] - 0.2
    for _ in range(2000):
        steps.learn(often, 1, 0.9, 0.003)
        steps.learn(seldom, 1, 0.1, 0.003)
    assert network.value(often, 1) == pytest.approx(0.9, abs=0.03)
    assert network.value(seldom, 1) == pytest.approx(0.1, abs=0.03)
    untouched = network.weights()[1 + 16 + 16 :]
    fresh = Network(3, 8)
    fresh.scatter(2)
    assert untouched == fresh.weights()[1 + 16 + 16 :]
