"""The chain of events: what was edited, deleted, cut off, doubled or moved is found, and at the right place."""

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablee.core.errors import TableeError
from tablee.tables.events import ChainError, Event, Json, canonical, chain, digest, read_log, verify, write_log
from tablee.tables.table import Table
from tests.tables.company import Company


@cache
def log() -> list[Event]:
    """Return a log with every sort of payload."""
    company = Company("tablan", chat="text").seated("Ana", "Ben")
    return company.wander(1).table.events[:60]


quick = settings(deadline=None, max_examples=60)
SOME = st.deferred(lambda: st.sampled_from(log()))


def test_a_log_written_as_lines_reads_back() -> None:
    assert read_log(write_log(log())) == log()
    assert verify(log()) == log()[-1].hash


@quick
@given(SOME, st.sampled_from(["payload", "kind", "seat", "move_id", "at", "previous", "table"]))
def test_an_edited_event_is_found(event: Event, field: str) -> None:
    other: dict[str, object] = {
        "payload": {**event.payload, "token": "a1a2"},
        "kind": "said" if event.kind != "said" else "left",
        "seat": (event.seat or 0) + 1,
        "move_id": "another",
        "at": event.at + 0.001,
        "previous": "0" * 64,
        "table": "another",
    }
    edited = [replace(one, **{field: other[field]}) if one is event else one for one in log()]  # type: ignore[arg-type]
    with pytest.raises(ChainError) as found:
        verify(edited)
    assert found.value.seq in (event.seq, event.seq + 1)


@quick
@given(SOME)
def test_an_edited_event_with_a_new_hash_breaks_the_next(event: Event) -> None:
    edited = replace(event, payload={**event.payload, "more": 1})
    edited = replace(edited, hash=digest(edited))
    if event is log()[-1]:
        return
    with pytest.raises(ChainError) as found:
        verify([edited if one is event else one for one in log()])
    assert found.value.seq == event.seq + 1


@quick
@given(SOME)
def test_a_deleted_doubled_or_moved_event_is_found(event: Event) -> None:
    at = event.seq
    for broken in (
        [one for one in log() if one is not event],
        [*log()[: at + 1], *log()[at:]],
        [*log()[at:], *log()[:at]] if at else [],
    ):
        if broken and broken != log()[:-1]:
            with pytest.raises(ChainError):
                verify(broken)


def test_words_beside_the_chain_cannot_be_exchanged_but_can_be_erased() -> None:
    named = next(event for event in log() if event.aside)
    exchanged = replace(named, aside={**named.aside, "text": "Zoé"})
    with pytest.raises(ChainError, match="sealed"):
        verify([exchanged if one is named else one for one in log()])
    erased = [replace(one, aside={}) for one in log()]
    assert verify(erased) == log()[-1].hash
    assert {seat.name for seat in Table.from_events(erased).seats} == {""}


def test_two_equal_names_have_different_seals() -> None:
    seals = {event.payload["seal"] for event in Company().seated("Ana", "Ana").table.events if event.kind == "seated"}
    assert len(seals) == 2


@pytest.mark.parametrize("value", [0.5, float("nan"), 2**53, "\ud800", {"é": 1}, {1: 2}, [[[[[[[[[[1]]]]]]]]]], b"x"])
def test_what_two_languages_would_write_differently_stands_in_no_log(value: object) -> None:
    with pytest.raises(TableeError):
        canonical({"a": value})  # type: ignore[dict-item]


def test_the_canonical_form_is_this() -> None:
    assert canonical({"b": [1, True, None, 'é\n"\\\x7f'], "a": {}}) == '{"a":{},"b":[1,true,null,"é\\n\\"\\\\\x7f"]}'.encode()


def test_the_first_hash_is_this() -> None:
    """The vector of docs/protocol.md."""
    event = chain("table-1", 0, "opened", {"game": "tablan"}, 1700000000.1234, "")
    assert event.at == 1700000000.123
    assert event.hash == "7a8e71d5dfa9725c4a495aa2b4bc2cd2a89f7c4c29b4e3fa238dc403ac9dd3dd"


@quick
@given(st.text(max_size=200) | st.binary(max_size=100).map(lambda data: data.decode("latin-1")))
def test_no_text_is_read_as_a_log_by_accident(text: str) -> None:
    if text.strip():
        with pytest.raises(TableeError):
            read_log(text)


@quick
@given(SOME, st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3)))
def test_a_payload_of_nonsense_breaks_the_fold_with_one_sentence(event: Event, value: object) -> None:
    """Even when its hash is right: a log from elsewhere may hold anything."""
    for name in event.payload:
        payload: dict[str, Json] = {**event.payload, name: value}  # type: ignore[dict-item]
        try:
            chained = chain(event.table, event.seq, event.kind, payload, event.at, event.previous, seat=event.seat)
        except TableeError:
            continue
        try:
            Table.from_events([*log()[: event.seq], chained])
        except TableeError:
            continue
