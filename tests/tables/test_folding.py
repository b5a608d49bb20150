"""A log from elsewhere: chained by somebody who can compute hashes, and still refused where it tells of what cannot be."""

import pickle
from copy import copy
from dataclasses import replace
from types import ModuleType

import pytest

from tablee.core import position
from tablee.core.errors import TableeError
from tablee.store.rows import rows_of
from tablee.tables import events as tablee_events
from tablee.tables.clock import Clock, ClockTerms
from tablee.tables.commands import Answer, Contribute, Draw, Invite, Play, Resign, Say, ShowHint, Sit, Text
from tablee.tables.door import handle
from tablee.tables.events import ChainError, Event, Fields, chain, read_log, verify, write_log
from tablee.tables.table import Table
from tablee.tables.terms import Terms
from tablee.tables.texts import clean
from tablee.tables.values import Ask
from tests.tables.company import MINUTE, NOON, Company


def next_event(table: Table, kind: str, payload: Fields, *, seat: int | None = None, at: float = NOON, name: str = "", later: int = 1) -> Event:
    """Return an event that hangs on the last one of a table."""
    return chain(name or table.id, table.seq + later, kind, payload, at, table.hash, seat=seat)


def assert_not_folded(table: Table, event: Event, wrong: str) -> None:
    """Check that a table does not take an event in, and says why."""
    with pytest.raises(ChainError, match=wrong):
        table.fork().fold(event)


# The chain.


def test_an_event_of_another_table_or_number_is_not_folded() -> None:
    table = Company().table
    assert_not_folded(table, next_event(table, "left", {"absent": False}, seat=0, name="elsewhere"), "expected number 1 of table")
    assert_not_folded(table, next_event(table, "left", {"absent": False}, seat=0, later=2), "expected number 1 of table")


def test_an_edited_event_is_not_folded_be_it_the_first_or_a_later_one() -> None:
    events = Company().seated("Ana", "Ben").table.events
    for seq in (0, 1, len(events) - 1):
        edited = [replace(event, at=event.at + 1) if event.seq == seq else event for event in events]
        with pytest.raises(ChainError, match="was changed"):
            Table.from_events(edited)


def test_a_log_begins_with_its_opening_and_only_there() -> None:
    table = Company().table
    again = next_event(table, "opened", table.events[0].payload)
    for events in ([*table.events, again], [chain("t", 0, "left", {}, NOON, "")]):
        with pytest.raises(ChainError, match="begins with `opened`"):
            verify(events)
    with pytest.raises(ChainError, match="empty"):
        verify([])


def test_a_log_knows_its_kinds_and_never_goes_back_in_time() -> None:
    table = Company().table
    with pytest.raises(ChainError, match="unknown kind"):
        verify([*table.events, next_event(table, "danced", {})])
    with pytest.raises(ChainError, match="happened before"):
        verify([*table.events, next_event(table, "left", {"absent": False}, seat=0, at=NOON - 1)])


@pytest.mark.parametrize(
    ("old", "new"),
    [('"seq":1', '"seq":true'), ('"seq":1', '"more":1,"seq":1'), ('"seat":0', '"seat":true'), ('"at":', '"at":"now","then":'), ('"seq":1,', "")],
)
def test_a_line_that_is_no_event_is_not_read(old: str, new: str) -> None:
    company = Company()
    company.do("Ana", Sit(0, "Ana"))
    opened, seated = write_log(company.table.events).splitlines()
    assert old in seated
    with pytest.raises(ChainError) as found:
        read_log(f"{opened}\n{seated.replace(old, new)}\n")
    assert found.value.seq == 1


# What cannot have happened.


def test_nobody_sits_down_without_a_token() -> None:
    table = Company().table
    assert_not_folded(table, next_event(table, "seated", {"player": "person"}, seat=0), "without a token")


def test_an_order_of_the_seats_names_each_once() -> None:
    company = Company()
    table = company.table
    for order in ([0, 0], [0], [0, 2]):
        assert_not_folded(table, next_event(table, "started", {"order": order, "setup": {}, "draws": []}), "no order of the seats")


def test_nothing_is_played_after_the_end() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ana", Resign(0))
    assert_not_folded(company.table, next_event(company.table, "acted", {"token": "a7b7"}, seat=0), "nothing can be played")


def test_no_throw_is_taken_back_and_nothing_that_is_no_action() -> None:
    company = Company("tablan").seated("Ana", "Ana")
    while company.table.steps[-1].kind != "threw" or company.table.steps[-2].kind != "acted":
        company.wander(company.table.seq, 1)
    table = company.table
    acted = table.steps[-2].seq
    assert_not_folded(table, next_event(table, "took_back", {"to_seq": acted}), "a throw lies between")
    company = Company().seated("Ana", "Ben")
    company.do("Ana", Say(0, "hello"))
    company.play("Ana", 0, "a7b7")
    table = company.table
    for to_seq in (table.seq - 1, table.seq + 1, 0):
        assert_not_folded(table, next_event(table, "took_back", {"to_seq": to_seq}), "nothing can be taken back")


def test_the_lot_sends_each_of_three_to_the_seat_that_its_order_names() -> None:
    company = Company("tabu", 3)
    for seat, name in enumerate(("Ana", "Ben", "Cleo")):
        company.do(name, Sit(seat, name))
    table = company.table
    setup = table.game.kind.setup(table.game, lambda n: 0, {})
    table.fold(next_event(table, "started", {"order": [1, 2, 0], "setup": dict(setup), "draws": []}))
    assert [seat.name for seat in table.seats] == ["Cleo", "Ana", "Ben"]


def test_a_table_of_other_rules_or_terms_is_not_played() -> None:
    first = Company().table.events[0]
    for field, value in (("rules", 99), ("sitting", "on the floor"), ("chat", "shouting"), ("position", "nonsense")):
        with pytest.raises(TableeError):
            Table.from_events([chain(first.table, 0, "opened", {**first.payload, field: value}, NOON, "")])


@pytest.mark.parametrize("terms", [{"sitting": "x"}, {"watching": "x"}, {"chat": "x"}, {"starts": "x"}, {"position": "x"}])
def test_terms_that_cannot_be_are_not_agreed_on(terms: dict[str, str]) -> None:
    with pytest.raises(TableeError):
        Terms("traboulet", **terms).agreed()  # type: ignore[arg-type]


@pytest.mark.parametrize("letter", ["\u202e", "\u200b", "\u115f", "\u2800", "\ufe0f"])
def test_a_name_has_no_letter_that_nobody_sees(letter: str) -> None:
    assert clean(f"A{letter}na", 40) == "Ana"
    assert clean(letter, 40) == ""


def test_a_letter_carries_at_most_three_accents() -> None:
    assert clean("e" + "\u0323" * 9, 40) == "\u1eb9" + "\u0323" * 3
    assert clean("x" * 9, 4) == "xxxx"


# What follows from a command is apart from the table that it was given to.


def contents(table: Table) -> dict[str, object]:
    """Return all that a table holds, apart from it."""
    held = {name: copy(value) for name, value in vars(table).items()}
    if isinstance(table.clock, Clock):
        held["clock"] = (list(table.clock.left), dict(table.clock.since))
    return held


def test_a_command_leaves_the_table_that_it_was_given_to_in_every_part() -> None:
    waiting = Company(sitting="invited")
    invitation = waiting.invitation("Olga", 0)
    company = Company(clock=ClockTerms("real", 5 * MINUTE), chat="phrases").seated("Ana", "Ben")
    company.now += 7
    seated = Company()
    seated.do("Ana", Sit(0, "Ana"))
    for one, name, command in (
        (waiting, "Olga", Invite()),
        (waiting, "Ana", Sit(0, "Ana", invitation)),
        (seated, "Ana", Contribute(0, "00" * 16)),
        (company, "Ana", Play(0, ("a7b7",), move_id="m")),
        (company, "Ana", ShowHint(0, ("a7b7",))),
        (company, "Ana", Say(0, "hello")),
        (company, "Ana", Text(0)),
        (company, "Ana", Resign(0)),
    ):
        before = contents(one.table)
        assert handle(one.table, command, one.who(name), one.now).events
        assert contents(one.table) == before, command


def test_a_refused_offer_is_noted_in_the_table_after_it_alone() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ana", Draw(0))
    before = contents(company.table)
    assert handle(company.table, Answer(1, Ask.DRAW, False), company.who("Ben"), company.now).table.declined
    assert contents(company.table) == before


# Nothing is played or written twice.


def counted(monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> list[object]:
    """Return a list that grows by one with each call of a function."""
    calls: list[object] = []
    really = getattr(module, name)

    def counting(*given: object) -> object:
        calls.append(given)
        return really(*given)

    monkeypatch.setattr(module, name, counting)
    return calls


@pytest.mark.parametrize("game", ["tablan", "tabaijana", "tabu"])
def test_each_action_and_throw_is_played_once_and_each_event_written_once(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the command to the rows of the store: a throw is drawn without playing it, and the text that was hashed is the text that is kept."""
    company = Company(game).seated("Ana", "Ben")
    played, written = counted(monkeypatch, position, "after"), counted(monkeypatch, tablee_events, "canonical")
    throws = 0
    while throws < 5 and company.table.asked:
        state, seat = company.table.state, company.table.asked[0]
        assert state
        token = company.table.game.notate(state.legal(seat)[0])
        name = next(person for person in company.tokens if company.table.holds(company.who(person), seat))
        played.clear()
        written.clear()
        events = company.play(name, seat, token)
        rows_of(company.table.id, events)
        moves = [event for event in events if event.kind in ("acted", "threw")]
        assert (len(played), len(written)) == (len(moves), len(events)), [event.kind for event in events]
        throws += len(moves) - 1
    assert throws


def test_the_text_of_a_payload_goes_with_it_and_with_nothing_else() -> None:
    company = Company(chat="text").seated("Ana", "Ben")
    (event,) = company.do("Ana", Say(0, text="hello"))
    assert event.written
    assert event.aside
    other = replace(event, payload={"phrase": "hello"})
    assert other.payload_text == '{"phrase":"hello"}'
    assert pickle.loads(pickle.dumps(event)) == event == read_log(write_log([event]))[0]
    assert "written" not in repr(event)
