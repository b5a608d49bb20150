"""The record and the log prove their dice: `tablee verify` finds every forgery."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tablee
from tablee.cli import app
from tablee.core.errors import TableeError
from tablee.tables.commands import Hint, Resign
from tablee.tables.dice import DiceError
from tablee.tables.events import Event, Payload, chain, read_log, write_log
from tablee.tables.record import verify_log, verify_record, write_table_record
from tests.tables.company import Company

GAMES = ["traboulet", "tabale", "tabaijana", "tablan", "tabu"]


def finished(slug: str, seed: int = 1) -> Company:
    """Return a finished game."""
    return Company(slug, starts="lot").seated("Ana", "easy").wander(seed)


@pytest.mark.parametrize("slug", GAMES)
def test_record_and_log_of_every_game_are_proved(slug: str) -> None:
    table = finished(slug).table
    text = write_table_record(table)
    assert tablee.read(text).node == (table.state.node if table.state else None)
    assert verify_record(text) == verify_log(read_log(write_log(table.events))) > 0


def test_a_resigned_game_is_proved_too() -> None:
    company = Company("tablan").seated("Ana", "easy").wander(2, 20)
    company.do("Ana", Resign(0))
    text = write_table_record(company.table)
    assert "# ended: resigned, winners: 2" in text
    assert verify_record(text) == verify_log(company.table.events)


def test_hints_and_names_stand_in_the_record() -> None:
    company = Company().seated("Ana", "easy")
    company.do("Ana", Hint(0, ("a7b7",)))
    text = write_table_record(company.table)
    assert "# hint: 1 a7b7" in text
    assert "# player 1: Ana" in text
    assert "# player 2: easy" in text
    assert "secret" not in text


def test_a_game_that_goes_on_proves_nothing_yet() -> None:
    company = Company("tablan").seated("Ana", "easy")
    with pytest.raises(TableeError, match="goes on"):
        verify_record(write_table_record(company.table))
    with pytest.raises(DiceError, match="goes on"):
        verify_log(company.table.events)


def test_a_forged_throw_in_the_record_is_found() -> None:
    """The record tells of another throw than the proof."""
    text = write_table_record(finished("tabu").table)
    thrown = re.findall(r"[a-z]-[a-z]-[a-z]", text)
    with pytest.raises(TableeError):
        verify_record(text.replace(thrown[-1], "a-a-a" if thrown[-1] != "a-a-a" else "c-c-c", 1))


def test_a_forged_set_up_in_the_record_is_found() -> None:
    text = write_table_record(finished("tabaijana").table)
    stack = re.findall(r"stack=(\w+)", text)[0]
    start = text.index("\n\n")
    head, turns, proof = text[:start], "\nresult: *\n", text[text.index("# player") :]
    proof = re.sub(r"# thrown: .*\n", "", proof)
    assert verify_record(head + turns + proof) > 0
    with pytest.raises(DiceError, match="set-up"):
        verify_record(head.replace(stack, stack[::-1]) + turns + proof)


@pytest.mark.parametrize("line", ["table", "commitment", "contribution", "drawn", "thrown", "secret"])
def test_a_proof_with_a_line_less_or_another_proves_nothing(line: str) -> None:
    text = write_table_record(finished("tablan").table)
    with pytest.raises(TableeError):
        verify_record(re.sub(rf"# {line}: .*\n", "", text, count=1))
    changed = re.sub(rf"(# {line}: .*?)(\w)\n", lambda found: f"{found[1]}{'1' if found[2] != '1' else '2'}\n", text, count=1)
    with pytest.raises(TableeError):
        verify_record(changed)


def rechained(events: list[Event], seq: int, payload: Payload) -> list[Event]:
    """Return a log forged by somebody who can compute hashes: one payload changed, every later hash made anew."""
    forged: list[Event] = []
    for event in events:
        fields = payload if event.seq == seq else event.payload
        previous = forged[-1].hash if forged else ""
        forged.append(
            chain(event.table, event.seq, event.kind, fields, event.at, previous, seat=event.seat, move_id=event.move_id, aside=event.aside)
        )
    return forged


def test_a_log_forged_by_the_house_itself_is_found() -> None:
    """Whoever runs the house can make the chain anew, but not the dice that were sealed."""
    events = finished("tablan").table.events
    throws = [one for one in events if one.kind == "threw"]
    for event in throws[:5]:
        other = next(one for one in throws if one.payload["token"] != event.payload["token"])
        for payload in ({**event.payload, "token": other.payload["token"]}, {**other.payload}):
            with pytest.raises(DiceError) as found:
                verify_log(rechained(events, event.seq, payload))
            assert found.value.seq == event.seq
    started = next(one for one in events if one.kind == "started")
    order = {**started.payload, "order": [1, 0] if started.payload["order"] == [0, 1] else [0, 1]}
    with pytest.raises(DiceError):
        verify_log(rechained(events, started.seq, order))


def test_the_command_verifies_both(tmp_path: Path) -> None:
    table = finished("tablan").table
    run = CliRunner()
    (tmp_path / "game.tablee").write_text(write_table_record(table))
    (tmp_path / "game.log").write_text(write_log(table.events))
    for name in ("game.tablee", "game.log"):
        answer = run.invoke(app, ["verify", str(tmp_path / name), "--lang", "en"])
        assert answer.exit_code == 0, answer.output
        assert "sealed before the game" in answer.output
    (tmp_path / "game.log").write_text(write_log([*table.events[:5], *table.events[6:]]))
    answer = run.invoke(app, ["verify", str(tmp_path / "game.log")])
    assert isinstance(answer.exception, TableeError)
