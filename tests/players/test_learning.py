"""Learning by self-play, on a game whose exact values are known."""

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.errors import TableeError
from tablee.core.judgement import Judgement
from tablee.core.network import Network
from tablee.core.position import OVER, Position
from tablee.core.weights import pack
from tablee.players.learning import Learner
from tablee.players.practice import Course, learned, practise
from tests.players.race import Race, exact

SIZE = 32


class Pupil(Judgement):
    """A judgement that sees the places of both runners, each pair as a feature."""

    def __init__(self, network: Network) -> None:
        """Judge by a network."""
        self.network = network
        self.seen = vec[i64]([0] * 4)

    def value(self, position: Position, seat: i64) -> float:
        """Return the chance of a seat."""
        turn = position.turn()
        value = self.network.value(self.seen, self.features(position, turn, self.seen))
        return value if position.friends(turn) >> seat & 1 else 1.0 - value

    def features(self, position: Position, seat: i64, into: vec[i64]) -> i64:
        """Write the one feature; playing together it matters which seat is to throw."""
        own, other = int(position.score(seat)), int(position.score(1 - seat))
        into[0] = 4 * own + other + (16 * int(seat) if position.friends(0) == 3 else 0)
        return 1


@pytest.mark.parametrize("together", [False, True])
def test_the_learned_value_comes_near_the_exact_one(together: bool) -> None:
    race = Race(together)
    network = Network(SIZE, 16)
    network.scatter(1)
    pupil = Pupil(network)
    learner = Learner(pupil, network, race, 8, 1)
    for number in range(3000):
        learner.game(race, 0.1 if number < 1500 else 0.02, 0.7, 0.1)
    for places in ([0, 0], [2, 1], [3, 3]):
        race.places = places
        assert pupil.value(race, 0) == pytest.approx(exact(race, 0, 9), abs=0.12)


def test_the_same_seed_learns_the_same() -> None:
    weights = []
    for _ in range(2):
        network = Network(SIZE, 8)
        network.scatter(3)
        learner = Learner(Pupil(network), network, Race(), 8, 3)
        for _ in range(50):
            learner.game(Race(), 0.05, 0.5, 0.1)
        weights.append(network.weights())
    assert weights[0] == weights[1]


def test_practice_ends_in_time_reports_and_keeps_the_steady_network() -> None:
    network, steady = Network(SIZE, 8), Network(SIZE, 8)
    network.scatter(3)
    steady.scatter(3)
    told: list[str] = []
    learner = Learner(Pupil(steady), network, Race(), 8, 3)
    before = steady.weights()
    assert practise(learner, steady, lambda number, part: Race(), Course(0.2, (0.1, 0.01), 0.5), told.append) > 0
    assert told
    way = [abs(kept - old) for kept, old in zip(steady.weights(), before, strict=True)]
    rest = [abs(last - kept) for last, kept in zip(network.weights(), steady.weights(), strict=True)]
    assert 0 < sum(rest) < sum(way)


def test_a_late_game_begins_where_one_was_still_open() -> None:
    network = Network(SIZE, 8)
    network.scatter(3)
    learner = Learner(Pupil(network), network, Race(), 8, 3)
    assert learner.late() is None
    learner.game(Race(), 0.0, 0.5, 0.0)
    found = [learner.late() for _ in range(20)]
    assert all(late is not None and late.actor() != OVER for late in found)
    assert any(late is not None and max(late.score(0), late.score(1)) > 0 for late in found)
    network.take([100.0, *network.weights()[1:]])
    sure = Learner(Pupil(network), network, Race(), 8, 3)
    sure.game(Race(), 0.0, 0.5, 0.0)
    assert sure.late() is None


def test_practice_counts_whole_games_and_plays_more_that_begin_late() -> None:
    network, steady = Network(SIZE, 8), Network(SIZE, 8)
    begun: list[int] = []

    def start(number: int, part: float) -> Race:
        """Note which game begins."""
        begun.append(number)
        return Race()

    played = practise(Learner(Pupil(steady), network, Race(), 8, 3), steady, start, Course(0.2, (0.1, 0.01), 0.5), lambda told: None)
    assert begun == list(range(len(begun)))
    assert played > 1.5 * len(begun)


def test_features_that_were_not_known_begin_at_nothing_and_can_be_learned() -> None:
    network = Network(4, 8)
    network.scatter(1)
    text = pack("known", network)
    pupil, steady = learned(text, "known", 6, 8)
    seen = vec[i64]([1, 5])
    assert pupil.value(seen, 2) == pupil.value(seen, 1) == steady.value(seen, 2)
    assert pupil.value(seen, 1) == pytest.approx(network.value(seen, 1), abs=0.01)
    pupil.learn(seen, 2, 1.0, 0.5)
    assert pupil.value(seen, 2) > pupil.value(seen, 1)
    with pytest.raises(TableeError, match="'known' is for 4 features and 8 hidden units: expected 3 and 8 at most"):
        learned(text, "known", 3, 8)


def test_hidden_units_that_were_not_there_count_for_nothing_at_first_and_can_be_learned() -> None:
    network = Network(4, 16)
    network.scatter(1)
    text = pack("known", network)
    pupil, steady = learned(text, "known", 5, 32)
    seen = vec[i64]([0, 3])
    assert pupil.hidden == steady.hidden == 32
    assert pupil.value(seen, 2) == steady.value(seen, 2) == pytest.approx(network.value(seen, 2), abs=0.01)
    assert pupil.weights() == steady.weights()
    for _ in range(20):
        pupil.learn(seen, 2, 1.0, 0.5)
    outer = pupil.weights()[33:65]
    assert any(outer[16:])
    with pytest.raises(TableeError, match="'known' is for 4 features and 16 hidden units: expected 4 and 8 at most"):
        learned(text, "known", 4, 8)
