"""What a table keeps of a move that nobody looks at any more: little, and all that somebody may ask for again."""

import tracemalloc

import pytest

from tablee.catalog import OURS
from tablee.core.position import after
from tablee.tables.events import canonical
from tests.tables.company import Company

MOST_BYTES = 950


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
    company = Company("tablan", seats=2).seated("Ana", "Ben").wander(3, most=20)
    tracemalloc.start()
    try:
        before, first = tracemalloc.get_traced_memory()[0], company.table.seq
        company.wander(4, most=60)
        for event in company.table.events:
            event.forget_text()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < MOST_BYTES * (company.table.seq - first)
