"""The search over throws: right, the same again, and done when it must be."""

from itertools import product

import pytest
from mypy_extensions import i64

from tablee.core.judgement import Judgement, doubt
from tablee.core.position import Position
from tablee.players.expectimax import Expectimax
from tablee.players.stop import Stop
from tests.players.race import Race, Shrug, after, exact

RACES = [(first, second, now, thrown) for first, second, now, thrown in product(range(4), range(4), range(2), range(1, 4))]


class Knowing(Judgement):
    """A judgement that knows what is to be expected, as far as some throws tell."""

    def value(self, position: Position, seat: i64) -> float:
        """Return what plain reckoning gives."""
        assert isinstance(position, Race)
        return exact(position, int(seat), 25)


def race(first: int, second: int, now: int, thrown: int, together: bool = False) -> Race:
    """Return a race with a throw in hand."""
    position = Race(together)
    position.places, position.now, position.thrown = [first, second], now, thrown
    return position


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_the_best_action_has_the_value_that_plain_reckoning_gives(depth: int, together: bool) -> None:
    for places in RACES:
        position = race(*places, together)
        search = Expectimax(Shrug(), position, 8, depth)
        search.margin = search.root_margin = 1.0  # a judgement that knows nothing must not narrow the search
        search.think(position, position.now, Stop())
        found = dict(search.ranking())
        wanted = {action: exact(after(position, action), position.now, depth) for action in (0, 1)}
        assert max(found.values()) == pytest.approx(max(wanted.values()), abs=1e-12)
        best = search.ranking()[0][0]
        assert wanted[best] == pytest.approx(max(wanted.values()), abs=1e-12)


def test_where_all_play_together_one_action_is_followed_and_less_is_looked_at() -> None:
    """A judgement that knows the truth loses nothing against two actions followed."""
    asked = [0, 0]
    for places in RACES:
        position = race(*places, together=True)
        found = []
        for width in (1, 2):
            search = Expectimax(Knowing(), position, 8, 3)
            search.narrow()
            if width == 2:
                search.few = search.more = width
            stop = Stop()
            search.think(position, position.now, stop)
            asked[width - 1] += stop.nodes
            found.append(max(dict(search.ranking()).values()))
        assert found[0] == pytest.approx(found[1], abs=1e-3)
    assert asked[0] < 0.9 * asked[1]


def test_who_only_chooses_stops_where_the_choice_is_clear_and_who_wants_to_know_goes_on() -> None:
    """In each race the same action is chosen as by the whole search, and where the other one is far behind nothing more is looked at."""
    early = 0
    for places in RACES:
        position = race(*places, together=True)
        found, nodes = [], []
        for choosing in (True, False):
            search = Expectimax(Knowing(), position, 8, 6)
            search.narrow()
            stop = Stop(choosing=choosing)
            search.think(position, position.now, stop)
            found.append(search.ranking())
            nodes.append(int(stop.nodes))
        (best, value), (_, second) = found[1]
        if value - second > 0.001:
            assert found[0][0][0] == best
        assert nodes[0] <= nodes[1]
        if value < 1.0 and value - second > search.root_margin * doubt(value):
            assert nodes[0] < nodes[1]
            early += 1
    assert early > 20


def test_at_the_root_the_margin_grows_with_the_doubt_and_falls_with_the_depth_where_all_play_together() -> None:
    """A difference that is large where the game is as good as won is small where it is in trouble."""
    position = race(0, 0, 0, 1)
    search = Expectimax(Knowing(), position, 8, 6)
    search.root_values = [(0, 0.5), (1, 0.4)]
    assert [search.room(depth) for depth in (1, 2, 3, 4)] == [search.root_margin] * 4
    search.narrow()
    for best, open_still in ((0.5, 0.25), (0.95, 0.0475), (1.0, 0.0)):
        search.root_values = [(0, best), (1, 0.4)]
        wanted = [search.root_margin * open_still / part for part in (1.0, 1.0, 2.0**1.5, 3.0**1.5, 8.0)]
        assert [search.room(depth) for depth in (1, 2, 3, 4, 5)] == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("best", "second", "depths"),
    [(0.5, 0.46, [False, True, True]), (0.5, 0.499, [False, False, False]), (0.99, 0.99, [False, False, True]), (0.998, 0.998, [True] * 3)],
)
def test_a_choice_is_clear_where_the_next_action_is_out_of_reach_or_all_within_it_are_worth_the_same(
    best: float, second: float, depths: list[bool]
) -> None:
    search = Expectimax(Knowing(), race(0, 0, 0, 1), 8, 6)
    search.narrow()
    search.root_values = [(0, best), (1, second)]
    assert [search.clear(depth) for depth in (2, 3, 4)] == depths


def test_the_other_side_expects_what_is_left_and_friends_expect_the_same() -> None:
    for together in (False, True):
        position = race(1, 2, 0, 3, together)
        search = Expectimax(Shrug(), position, 8, 2)
        search.think(position, 0, Stop())
        mine, theirs = search.expectation(0), search.expectation(1)
        assert theirs == pytest.approx(mine if together else 1 - mine)


def test_a_winning_action_ends_the_search() -> None:
    position = race(3, 3, 0, 1)
    judgement = Shrug()
    search = Expectimax(judgement, position, 8, 60)
    search.think(position, 0, Stop())
    assert search.ranking()[0] == (0, 1.0)
    assert judgement.asked == 1


def test_there_is_an_answer_even_without_a_budget() -> None:
    position = race(3, 3, 0, 1)
    search = Expectimax(Shrug(), position, 8, 60)
    search.think(position, 0, Stop(1))
    assert search.ranking()[0][0] == 0


@pytest.mark.parametrize("nodes", [10, 100, 1000, 5000])
def test_the_same_nodes_give_the_same_answer_whatever_was_thought_before(nodes: int) -> None:
    position, other = race(0, 1, 0, 2), race(2, 0, 1, 1)
    fresh, used = (Expectimax(Shrug(), position, 8, 60) for _ in range(2))
    used.think(other, 1, Stop(3000))
    counts = []
    for search in (fresh, used):
        stop = Stop(nodes)
        search.think(position, 0, stop)
        counts.append(int(stop.nodes))
    assert fresh.ranking() == used.ranking()
    assert counts[0] == counts[1]


def test_it_stops_at_its_deadline() -> None:
    position = race(0, 0, 0, 1)
    search = Expectimax(Shrug(), position, 8, 60)
    stop = Stop(0, 0.1)
    search.think(position, 0, stop)
    assert stop.ended


def test_it_stops_when_somebody_says_so() -> None:
    position = race(0, 0, 0, 1)
    search = Expectimax(Shrug(), position, 8, 60)
    stop = Stop(0, 0.0, lambda: True)
    search.think(position, 0, stop)
    assert stop.ended
    assert len(search.ranking()) == 2
