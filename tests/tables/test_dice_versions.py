"""Version 2 of the dice cannot be steered by events between throws; version 1 still verifies as it was; a restored table is sealed anew."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tablee.cli import app
from tablee.core.errors import TableeError
from tablee.tables.commands import Contribute, Invite, Replace, Resign, Say, Sit, Start
from tablee.tables.dice import DiceError, commitment
from tablee.tables.events import ChainError, Event, read_log, verify, write_log
from tablee.tables.opening import Opening, open_table
from tablee.tables.record import verify_log, verify_record, write_table_record
from tablee.tables.resealing import reseal
from tablee.tables.table import Table
from tablee.tables.terms import Terms
from tests.tables.company import NOON, Company
from tests.tables.test_record import rechained
from tests.tables.verifier import Wrong, verified

V1_LOGS = sorted((Path(__file__).parent / "dice_v1").glob("*.jsonl"))
SECRET = bytes(range(32))
ACTS = 12


def at_fixed_dice(name: str) -> Company:
    """Return a company at a table whose secret and name are known, as they are to whoever runs the house."""
    tokens = {person: person.ljust(43, "-") for person in ("Olga", "Ana", "Ben", "watcher")}
    opening = open_table(Terms("tablan", sitting="open"), tokens["Olga"], NOON, table=name, secret=SECRET)
    return Company(opening=opening, tokens=tokens).seated("Ana", "Ben")


def thrown(events: Sequence[Event]) -> list[object]:
    """Return all throws of a log."""
    return [event.payload["draws"] for event in events if event.kind == "threw"]


def first_legal_play(company: Company) -> None:
    """Let whoever is asked play the first legal action."""
    table = company.table
    assert table.state is not None
    seat = table.asked[0]
    name = next(person for person in ("Ana", "Ben") if table.holds(company.who(person), seat))
    company.play(name, seat, table.game.notate(table.state.legal(seat)[0]))


def test_invitations_and_phrases_between_throws_change_no_throw() -> None:
    """The defect of version 1: whoever knew the secret invited until the next event had a throw of his liking."""
    quiet, steered = at_fixed_dice("table-1"), at_fixed_dice("table-1")
    for number in range(ACTS):
        for company in (quiet, steered):
            if company is steered:
                for _ in range(number % 3 + 1):
                    company.do("Ana", Invite())
                company.now += 60
                company.do("Ana", Say(0, "hello"))
            first_legal_play(company)
    assert len(thrown(quiet.table.events)) > 4
    assert thrown(steered.table.events) == thrown(quiet.table.events)


def test_the_start_and_the_first_throw_have_streams_of_their_own() -> None:
    company = at_fixed_dice("table-1")
    table = company.table
    assert table.throws == len(thrown(table.events)) > 0
    assert table.dice().label == b"throw"
    waiting = Company("tablan").table
    assert (waiting.dice().label, waiting.dice().number) == (b"start", 0)


def test_version_2_stands_in_event_0_and_in_the_record() -> None:
    table = Company("tablan").seated("Ana", "Ben").wander(1).table
    assert table.events[0].payload["dice"] == 2
    assert "# dice: 2\n" in write_table_record(table)


@pytest.mark.parametrize("path", V1_LOGS, ids=lambda path: path.stem)
def test_a_game_of_version_1_verifies_as_version_1_in_both_verifiers(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    events = read_log(text)
    assert "dice" not in events[0].payload
    assert verified(text) == verify_log(events) > 0
    record = write_table_record(Table.from_events(events))
    assert "# dice:" not in record
    assert verify_record(record) == verify_log(events)


@pytest.mark.parametrize("slug", ["traboulet", "tabale", "tabaijana", "tablan", "tabu"])
def test_the_second_verifier_agrees_on_every_game(slug: str) -> None:
    table = Company(slug, starts="lot").seated("Ana", "1").wander(1).table
    assert verified(write_log(table.events)) == verify_log(table.events) > 0


def test_a_log_that_claims_another_version_is_found() -> None:
    events = Company("tablan").seated("Ana", "1").wander(1).table.events
    for payload in ({**events[0].payload, "dice": 1}, {name: value for name, value in events[0].payload.items() if name != "dice"}):
        forged = rechained(events, 0, payload)
        with pytest.raises(TableeError):
            verify_log(forged)
        with pytest.raises(Wrong):
            verified(write_log(forged))


def test_dice_of_a_version_to_come_are_refused_in_words() -> None:
    events = Company("tablan").seated("Ana", "1").wander(1).table.events
    with pytest.raises(ChainError, match="version 3 are not known here: expected 1 or 2"):
        Table.from_events(rechained(events, 0, {**events[0].payload, "dice": 3}))
    record = write_table_record(Table.from_events(events)).replace("# dice: 2", "# dice: 3")
    with pytest.raises(DiceError, match="version 3"):
        verify_record(record)


def test_people_who_brought_nothing_are_named_in_log_and_record() -> None:
    company = Company("tablan")
    company.do("Ana", Sit(0, "Ana"))
    company.do("Olga", Replace(1, "1"))
    company.do("Ana", Start())
    company.wander(2)
    started = next(event for event in company.table.events if event.kind == "started")
    assert started.payload["silent"] == [0]
    assert "# silent: 1\n" in write_table_record(company.table)
    honest = {name: value for name, value in started.payload.items() if name != "silent"}
    with pytest.raises(DiceError):
        verify_log(rechained(company.table.events, started.seq, honest))


def resealed(company: Company) -> Company:
    """Return the company after its house came back from a backup."""
    made = reseal(company.table, company.now)
    assert made is not None
    return Company(
        opening=Opening(company.table.id, [*company.table.events, made.event], company.opening.secret + made.secret), tokens=company.tokens
    )


@pytest.mark.parametrize("before", [4, 0])
def test_a_restored_table_is_sealed_anew_and_both_secrets_are_proved(before: int) -> None:
    company = Company("tablan", starts="lot").seated("Ana", "1").wander(5, before)
    first = company.table.commitment
    throws = company.table.throws
    company = resealed(company)
    assert company.table.commitment != first
    company.wander(6)
    table = company.table
    assert table.throws > throws + 3
    revealed = table.events[-1].payload
    assert revealed["secret"] == company.opening.secret[:32].hex()
    assert revealed["resealed"] == [company.opening.secret[32:].hex()]
    assert verified(write_log(table.events)) == verify_log(table.events) == verify_record(write_table_record(table))
    sealed = next(event for event in table.events if event.kind == "resealed")
    for payload in ({"commitment": first}, {"commitment": commitment(table.id, b"x" * 32)}):
        forged = rechained(table.events, sealed.seq, payload)
        with pytest.raises(DiceError, match="sealed before play"):
            verify_log(forged)
        with pytest.raises(Wrong):
            verified(write_log(forged))


def test_the_throw_after_the_restore_is_not_the_one_that_players_have_seen() -> None:
    company = at_fixed_dice("table-1")
    twin = resealed(company)
    seen = [company.table.dice().draw(2**40), twin.table.dice().draw(2**40)]
    assert seen[0] != seen[1]
    assert twin.table.dice().number == company.table.dice().number


def test_before_the_start_everybody_contributes_anew_to_the_new_seal() -> None:
    company = Company("tablan")
    company.do("Ana", Sit(0, "Ana"))
    company.do("Ana", Contribute(0, "00" * 16))
    company = resealed(company)
    assert company.table.contributions == []
    assert not company.table.seats[0].contributed
    company.do("Ana", Contribute(0, "11" * 16))
    company.do("Ben", Sit(1, "Ben"))
    company.do("Ben", Contribute(1, "22" * 16))
    company.wander(3)
    assert verified(write_log(company.table.events)) == verify_log(company.table.events) > 0


def test_a_table_that_is_sealed_anew_on_a_machine_whose_clock_is_behind_does_not_go_back_in_time() -> None:
    company = Company("tablan").seated("Ana", "Ben")
    made = reseal(company.table, NOON - 1000)
    assert made is not None
    assert made.event.at == company.table.events[-1].at
    assert verify([*company.table.events, made.event]) == made.event.hash


def test_a_finished_table_is_not_sealed_anew() -> None:
    company = Company("tablan").seated("Ana", "Ben")
    company.do("Ana", Resign(0))
    assert reseal(company.table, NOON) is None


def test_the_command_verify_says_what_version_1_promises(tmp_path: Path) -> None:
    old = CliRunner().invoke(app, ["verify", str(V1_LOGS[0]), "--lang", "en"])
    assert old.exit_code == 0
    assert "version 1" in old.output
    path = tmp_path / "log.jsonl"
    path.write_text(write_log(Company("tablan").seated("Ana", "1").wander(1).table.events), encoding="utf-8")
    assert "version 1" not in CliRunner().invoke(app, ["verify", str(path), "--lang", "en"]).output


def test_the_second_verifier_finds_a_broken_chain() -> None:
    lines = write_log(Company("tablan").seated("Ana", "1").wander(1).table.events).splitlines()
    event = json.loads(lines[3])
    event["at"] += 1
    with pytest.raises(Wrong, match="chain"):
        verified("\n".join([*lines[:3], json.dumps(event), *lines[4:]]))
