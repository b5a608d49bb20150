"""What alpha-beta remembers: the deeper of two, nothing of what was thought before, and no more room than a budget can fill."""

import pytest

import tablee
from tablee.players import memory
from tablee.players.alphabeta import AT_ONCE, SLOTS, AlphaBeta
from tablee.players.memory import EXACT, FARTHEST, LEAST, MOST, NOTHING, Memory, make_fact
from tablee.players.stop import Stop

PLACE = 6
ELSEWHERE = 8
LAST = -1


def empty() -> Memory:
    """Return a memory of 64 positions that knows nothing."""
    known = Memory(64)
    known.make_room(32)
    return known


@pytest.mark.parametrize("bound", [EXACT, LEAST, MOST])
@pytest.mark.parametrize(("value", "action", "depth"), [(0, -1, 0), (FARTHEST, 16000, 63), (-FARTHEST, 0, 1), (-1, 7, 12)])
def test_a_fact_says_what_it_was_told(value: int, action: int, depth: int, bound: int) -> None:
    fact = make_fact(5, value, action, depth, bound)
    assert (memory.value(fact), memory.action(fact), memory.depth(fact), memory.bound(fact)) == (value, action, depth, bound)
    assert fact != NOTHING


def test_what_was_not_kept_is_not_known() -> None:
    known = empty()
    known.keep(PLACE, 1, make_fact(1, 10, 3, 4, EXACT))
    assert known.find(PLACE, 1) == make_fact(1, 10, 3, 4, EXACT)
    assert known.find(PLACE, 2) == NOTHING
    assert known.find(ELSEWHERE, 1) == NOTHING
    assert memory.action(NOTHING) == -1


@pytest.mark.parametrize("place", [PLACE, LAST])
def test_the_deeper_of_two_stays_and_the_last_stands_beside_it(place: int) -> None:
    known = empty()
    deep, shallow, last = (make_fact(1, 0, action, depth, EXACT) for action, depth in ((1, 9), (2, 3), (3, 2)))
    for key, fact in ((1, deep), (2, shallow), (3, last)):
        known.keep(place, key, fact)
    assert (known.find(place, 1), known.find(place, 2), known.find(place, 3)) == (deep, NOTHING, last)


def test_what_was_thought_before_gives_way_however_deep_it_is() -> None:
    known = empty()
    known.keep(PLACE, 1, make_fact(1, 0, 1, 9, EXACT))
    known.keep(PLACE, 2, make_fact(2, 0, 2, 1, EXACT))
    assert known.find(PLACE, 1) == NOTHING


def test_the_same_position_is_known_by_what_was_found_last() -> None:
    known = empty()
    known.keep(PLACE, 1, make_fact(1, 0, 1, 9, LEAST))
    known.keep(PLACE, 1, make_fact(1, 5, 2, 4, EXACT))
    assert known.find(PLACE, 1) == make_fact(1, 5, 2, 4, EXACT)


def test_room_is_made_once_and_no_more_than_allowed() -> None:
    known = Memory(16384)
    known.make_room(3000)
    assert known.slots == len(known.keys) == len(known.facts) == 8192
    known.keep(PLACE, 1, make_fact(1, 0, 1, 9, EXACT))
    known.make_room(10)
    assert (known.slots, known.find(PLACE, 1)) == (8192, make_fact(1, 0, 1, 9, EXACT))
    known.make_room(1_000_000)
    assert known.slots == 16384


@pytest.mark.parametrize(
    ("stop", "slots"),
    [
        (Stop(AT_ONCE), 16384),
        (Stop(100), 16384),
        (Stop(0, 0.02, lambda: True), 262144),
        (Stop(AT_ONCE, 3.0), 16384),
        (Stop(0, 1e12, lambda: True), SLOTS),
        (Stop(0, 0.0, lambda: True), SLOTS),
    ],
)
def test_a_short_budget_is_not_spent_on_a_large_table(stop: Stop, slots: int) -> None:
    game = tablee.game("traboulet")
    state = game.start(lambda n: 0)
    search = AlphaBeta(game.kind.mind.judgement(game), state.position, game.action_count, 60, 0, SLOTS)
    search.think(state.position, 0, stop)
    assert search.memory.slots == slots
