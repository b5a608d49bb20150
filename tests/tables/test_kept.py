"""What a table keeps of a move that nobody looks at any more: little, and all that somebody may ask for again."""

import tracemalloc
from dataclasses import replace

import pytest

from tablee.catalog import OURS
from tablee.core.position import after
from tablee.tables.commands import Play
from tablee.tables.events import canonical, verify, write_log
from tablee.tables.kept_events import KINDS, MARK_BYTES, mark_of, packed_play
from tests.tables.company import Company

MOST_BYTES = 512


@pytest.mark.parametrize("slug", OURS)
def test_a_position_that_was_let_go_is_played_again(slug: str) -> None:
    company = Company(slug, seats=2).seated("Ana", "Ben").wander(3, most=60)
    states = [step.state for step in company.table.steps]
    position = states[0].position
    for state in states[1:]:
        position = after(position, state.action)
        assert state.position == position


@pytest.mark.parametrize("slug", OURS)
def test_a_long_game_holds_few_positions(slug: str) -> None:
    company = Company(slug, seats=2).seated("Ana", "Ben").wander(3, most=60)
    held = [step.state for step in company.table.steps if step.state._position is not None]
    assert len(held) < len(company.table.steps) / 2


def test_the_text_of_a_payload_is_written_again_where_it_was_forgotten() -> None:
    company = Company().seated("Ana", "Ben")
    (event,) = company.play("Ana", 0, "a7b7")
    written = event.payload_text
    event.forget_text()
    assert event.written == ""
    assert event.payload_text == written == canonical(event.payload).decode()


def test_a_move_takes_little_memory() -> None:
    company = Company("traboulet", seats=2).seated("Ana", "Ben").wander(3, most=20)
    tracemalloc.start()
    try:
        for number in range(80):
            if number == 20:  # what is kept of the last plays is in memory
                before, first = tracemalloc.get_traced_memory()[0], company.table.seq
            seat = company.table.asked[0]
            holder = "Ana" if company.table.holds(company.who("Ana"), seat) else "Ben"
            company.do(holder, play_of(company, number, seat))
        for event in company.table.events.kept:
            if not isinstance(event, bytes):
                event.forget_text()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert company.table.seq == first + 60
    assert grown < MOST_BYTES * 60, grown / 60


@pytest.mark.parametrize("slug", OURS)
def test_packed_plays_are_the_events_they_were(slug: str) -> None:
    company = Company(slug, seats=2).seated("Ana", "Ben")
    made = list(company.table.events)
    for number in range(40):
        state = company.table.state
        if state is None or not company.table.asked:
            break
        seat = company.table.asked[0]
        made += company.do("Ana" if company.table.holds(company.who("Ana"), seat) else "Ben", play_of(company, number, seat))
    events = company.table.events
    assert sum(isinstance(kept, bytes) for kept in events.kept) > 10
    assert list(events) == made == events[:] == [events[number] for number in range(-len(made), 0)]
    assert verify(events) == company.table.hash
    assert write_log(events) == write_log(made)
    assert [event for event in reversed(made) if event.kind not in KINDS] == list(events.other_than_plays())
    for event in made:
        if event.move_id is not None:
            assert events.answer(event.move_id) == event
    assert events.answer("never") is None


def play_of(company: Company, number: int, seat: int) -> Play:
    """Return a play of a seat under a `move_id`."""
    state = company.table.state
    assert state is not None
    legal = state.legal(seat)
    return Play(seat, (company.table.game.notate(legal[number % len(legal)]),), move_id=f"{number:032x}")


def test_a_play_that_would_not_come_back_the_same_is_not_packed() -> None:
    company = Company(seats=2).seated("Ana", "Ben").wander(3, most=1)
    event = company.table.events[-1]
    assert packed_play(event) is not None
    assert packed_play(replace(event, payload={**event.payload, "digest": "AB" * 32})) is None
    assert packed_play(replace(event, payload={**event.payload, "digest": "short"})) is None
    assert packed_play(replace(event, aside={"text": "words"})) is None
    assert packed_play(company.table.events[0]) is None


def test_equal_marks_are_told_apart_by_the_event() -> None:
    company = Company(seats=2).seated("Ana", "Ben")
    company.do("Ana", play_of(company, 1, company.table.asked[0]))
    events = company.table.events.copy()
    found = events.answer(f"{1:032x}")
    assert found is not None
    before = MARK_BYTES * (found.seq - 1)
    events.marks[before : before + MARK_BYTES] = mark_of(f"{1:032x}")  # an event without that `move_id` has the same mark
    assert events.answer(f"{1:032x}") == found


def test_what_is_added_to_a_copy_is_not_added_to_the_events() -> None:
    company = Company(seats=2).seated("Ana", "Ben")
    before = company.table.events
    company.do("Ana" if company.table.holds(company.who("Ana"), company.table.asked[0]) else "Ben", play_of(company, 1, company.table.asked[0]))
    assert company.table.events.answer(f"{1:032x}") is not None
    assert before.answer(f"{1:032x}") is None
    assert len(before.marks) == MARK_BYTES * len(before)
