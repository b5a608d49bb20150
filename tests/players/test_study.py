"""Exact lessons from self-play, on a game whose exact values are known."""

from math import log
from typing import cast

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.network import Network
from tablee.core.position import Position
from tablee.players.lessons import FEATURE, ROOM, SHARED, Lessons
from tablee.players.study import KEPT, Student
from tests.players.ferry import FEATURES, FIRST_THROW, SAIL, THROWS, WAIT, Ferry, Pilot, exact


def exact_network() -> Network:
    """Return a network whose values are exact, wherever the ferry lies."""
    network = Network(FEATURES, 8)
    weights = [0.0, *[0.0] * 8, 1.0, -1.0, *[0.0] * 6, *[0.0] * (8 * FEATURES)]
    for feature in range(FEATURES):
        value = min(0.999999, max(0.000001, exact(*divmod(feature, THROWS + 1))))
        odds = log(value / (1.0 - value))
        weights[17 + 8 * feature : 19 + 8 * feature] = max(0.0, odds), max(0.0, -odds)
    network.take(weights)
    return network


def test_no_luck_is_in_a_lesson() -> None:
    """Where the network is right already every lesson is what it says, whatever was thrown and however the game ended."""
    network = exact_network()
    student = Student(Pilot(network), network, Ferry(), 8, 1)
    results = [student.play_game(Ferry(), 1.0, 0.0) for _ in range(60)]
    assert 20 < sum(results) < 58
    shown = vec[i64]([0] * 400)
    errors = []
    for place in range(int(student.lessons.count)):
        n = student.lessons.features(place, shown)
        errors.append(abs(student.lessons.targets[place] - network.value(shown, n)))
    assert len(errors) > 100
    assert max(errors) < 0.0001


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
    assert explore or learner.decide(ferry, 0, 0.0) == SAIL
    if explore:
        learner.decide(ferry, 0, explore)
    ferry.play(SAIL)
    learner.note(ferry)
    ferry.play(FIRST_THROW + 2)
    assert learner.decide(ferry, 1, 0.0) == SAIL
    learner.review(1.0, 1.0)
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
        assert learner.decide(thrown, 0, 0.0) == WAIT
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


def test_the_same_seed_plays_the_same() -> None:
    lessons = []
    for seed in (3, 3, 4):
        network = Network(FEATURES, 8)
        network.scatter(3)
        student = Student(Pilot(network), network, Ferry(), 8, seed)
        for _ in range(100):
            student.play_game(Ferry(), 0.5, 0.1)
        lessons.append([float(student.lessons.targets[place]) for place in range(int(student.lessons.count))])
    assert lessons[0] == lessons[1] != lessons[2]


def test_lessons_come_back_and_the_oldest_make_room() -> None:
    lessons = Lessons(KEPT)
    back = vec[i64]([0] * 400)
    most = int(SHARED * ROOM)
    first = [(k * 977) % int(FEATURE + 1) for k in range(most)]
    lessons.keep(vec[i64]([i64(feature) for feature in first]), most, 0.25)
    lessons.keep(vec[i64]([FEATURE]), 1, 0.75)
    assert [int(back[k]) for k in range(lessons.features(0, back))] == first
    assert [int(back[k]) for k in range(lessons.features(1, back))] == [FEATURE]
    assert (lessons.targets[0], lessons.targets[1]) == (0.25, 0.75)
    lessons.count = KEPT
    lessons.keep(vec[i64]([5, 6]), 2, 0.5)
    assert [int(back[k]) for k in range(lessons.features(0, back))] == [5, 6]
    with pytest.raises(ValueError, match=f"{most + 1} features: expected {most} at most"):
        lessons.keep(vec[i64]([0] * (most + 1)), most + 1, 0.5)
