"""The record and the log prove their dice: `tablee verify` finds every forgery."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tablee
from tablee.cli import app
from tablee.core.errors import TableeError
from tablee.tables.commands import Rematch, Resign, ShowHint, Stop
from tablee.tables.dice import DiceError, bound_dice
from tablee.tables.events import ChainError, Event, Fields, chain, read_log, with_aside, write_log
from tablee.tables.record import verify_log, verify_record, write_table_record
from tests.tables.company import Company

GAMES = ["traboulet", "tabale", "tabaijana", "tablan", "tabu"]


def finished(slug: str, seed: int = 1) -> Company:
    """Return a finished game."""
    return Company(slug, starts="lot").seated("Ana", "1").wander(seed)


@pytest.mark.parametrize("slug", GAMES)
def test_record_and_log_of_every_game_are_proved(slug: str) -> None:
    table = finished(slug).table
    text = write_table_record(table)
    assert tablee.read(text).node == (table.state.node if table.state else None)
    assert verify_record(text) == verify_log(read_log(write_log(table.events))) > 0


def test_a_resigned_game_is_proved_too() -> None:
    company = Company("tablan").seated("Ana", "1").wander(2, 20)
    company.do("Ana", Resign(0))
    text = write_table_record(company.table)
    assert "# ended: resigned, winners: 2" in text
    assert verify_record(text) == verify_log(company.table.events)


def test_a_game_that_was_stopped_ends_its_record_with_the_count() -> None:
    company = Company("tabu", options={"money": "1000"}).seated("Ana", "1").wander(2, 30)
    company.do("Ana", Stop(0))
    text, state = write_table_record(company.table), company.table.state
    assert state is not None
    money = [int(state.position.score(seat)) for seat in (0, 1)]
    assert f"\nresult: {money[0]} {money[1]} (4.2 agreed)\n" in text
    again = tablee.read(text)
    assert again == state.stop()
    assert text.startswith(tablee.record(again))
    assert verify_record(text) == verify_log(company.table.events) > 0


def test_a_log_that_counts_an_agreed_stop_wrongly_is_found() -> None:
    company = Company("tabu", options={"money": "1000"}).seated("Ana", "1").wander(2, 30)
    company.do("Ana", Stop(0))
    ended = next(event for event in company.table.events if event.kind == "ended")
    scores = ended.payload["scores"]
    assert isinstance(scores, list)
    for wrong in ({"scores": [scores[0] + 1, scores[1] - 1]}, {"winners": [0, 1]}, {"reason": "4.1 agreed"}):
        with pytest.raises(TableeError, match="agreed to stop"):
            verify_log(rechained(company.table.events, ended.seq, {**ended.payload, **wrong}))


CHOSEN = {"colours": "bgr", "order": "ygwrb"}


def test_a_log_with_an_agreed_stop_where_no_rule_allows_it_is_found() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ana", Resign(0))
    ended = next(event for event in company.table.events if event.kind == "ended")
    with pytest.raises(ChainError, match="agreed to stop") as refused:
        verify_log(rechained(company.table.events, ended.seq, {**ended.payload, "reason": "4.2 agreed"}))
    assert refused.value.seq == ended.seq


def chosen_game(starts: str, seed: int = 1) -> Company:
    """Return a finished game of Tabaijana whose players have chosen their colours, and the order of the load."""
    return Company("tabaijana", 3, {"order": "on"}, setup=CHOSEN, starts=starts).seated("Ana", "1", "Ben").wander(seed)


@pytest.mark.parametrize("starts", ["seats", "lot"])
def test_what_was_chosen_of_the_set_up_is_proved_and_not_drawn(starts: str) -> None:
    table = chosen_game(starts).table
    started = next(event for event in table.events if event.kind == "started")
    assert table.events[0].payload["setup"] == CHOSEN
    assert table.events[0].payload["setup_by_seat"] == ["colours"]
    draws = started.payload["draws"]
    assert isinstance(draws, list)
    assert [n for n, _ in draws] == [*([3, 2] if starts == "lot" else []), 11804626080]
    text = write_table_record(table)
    assert "# chosen: colours=bgr order=ygwrb\n" in text
    assert " order=ygwrb\n" in text.partition("\n\n")[0] + "\n"
    assert verify_record(text) == verify_log(read_log(write_log(table.events))) > 0


def test_colours_go_with_their_players_through_the_lot() -> None:
    orders = set()
    for seed in range(12):
        company = Company("tabaijana", 3, setup={"colours": "bgr"}, starts="lot").seated("Ana", "Cleo", "Ben")
        table, state = company.table, company.table.state
        assert state is not None
        assert state.setup is not None
        orders.add(table.lot)
        colours = {table.seats[seat].name: state.setup["colours"][seat] for seat in range(3)}
        assert colours == {"Ana": "b", "Cleo": "g", "Ben": "r"}, seed
    assert len(orders) > 1


def test_a_rematch_keeps_everybodys_colour() -> None:
    company = chosen_game("lot")
    before, state = company.table, company.table.state
    assert state is not None
    assert state.setup is not None
    kept = {before.seats[seat].name: state.setup["colours"][seat] for seat in range(3)}
    for name in ("Ana", "Ben"):
        company.do(name, Rematch(before.held_by(company.who(name))[0]))
    after = company.rematch()
    names = [seat.name for seat in after.table.seats]
    assert names != [seat.name for seat in before.seats]
    assert dict(zip(names, after.table.terms.setup["colours"], strict=True)) == kept
    assert after.table.terms.setup["order"] == CHOSEN["order"]


def test_a_forged_choice_is_found_in_log_and_record() -> None:
    table = chosen_game("lot").table
    started = next(event for event in table.events if event.kind == "started")
    setup = started.payload["setup"]
    assert isinstance(setup, dict)
    forged = {**started.payload, "setup": {**setup, "order": "rwgby"}}
    with pytest.raises(TableeError):
        verify_log(rechained(table.events, started.seq, forged))
    for seq_0 in ({"colours": "rgb", "order": "ygwrb"}, {"colours": "bgr"}, {"colours": "bgr", "order": "rwgby"}):
        with pytest.raises(TableeError):
            verify_log(rechained(table.events, 0, {**table.events[0].payload, "setup": seq_0}))
    text = write_table_record(table)
    for wrong in ("", "# chosen: colours=bgr\n", "# chosen: colours=rgb order=ygwrb\n", "# chosen: colours=bgr order=ygwrb stack=r\n"):
        with pytest.raises(TableeError):
            verify_record(text.replace("# chosen: colours=bgr order=ygwrb\n", wrong))


def test_a_log_without_chosen_items_is_proved_as_before() -> None:
    """Logs of older houses do not name them at all."""
    table = finished("tabaijana").table
    assert "setup_by_seat" not in table.events[0].payload
    old = {name: value for name, value in table.events[0].payload.items() if name != "setup"}
    events = rechained(table.events, 0, old)
    assert verify_log(events) == verify_log(table.events) > 0


def test_hints_and_names_stand_in_the_record() -> None:
    company = Company().seated("Ana", "1")
    company.do("Ana", ShowHint(0, ("a7b7",)))
    text = write_table_record(company.table)
    assert "# hint: 1 a7b7" in text
    assert "# player 1: Ana" in text
    assert "# player 2: 1" in text
    assert "secret" not in text


def test_a_game_that_goes_on_proves_nothing_yet() -> None:
    company = Company("tablan").seated("Ana", "1")
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


def test_the_last_throw_cannot_be_forged_or_left_unproved() -> None:
    """Nothing is played after it that would betray the forgery; at Tablan the first throw that counts is a 2."""
    company = Company("tablan").seated("Ana", "1")
    company.do("Ana", Resign(0))
    text = write_table_record(company.table)
    assert verify_record(text) > 0
    assert "1-1\nresult" in text
    with pytest.raises(DiceError, match="the sealed dice throw"):
        verify_record(text.replace("1-1\nresult", "2-3\nresult"))
    proved = re.findall(r"# thrown: .*\n", text)
    with pytest.raises(DiceError, match="throws are proved"):
        verify_record(text.replace(proved[-1], ""))


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


def test_a_line_of_the_proof_stands_once() -> None:
    text = write_table_record(finished("tablan").table)
    for line in re.findall(r"# (?:table|commitment|secret): .*\n", text):
        with pytest.raises(TableeError, match="twice"):
            verify_record(text + line)


def test_a_game_from_a_position_has_no_set_up_to_draw() -> None:
    """Not even with the numbers that the sealed dice give: they would be thrown and thrown away."""
    company = Company(position="6b/7/7/3r3/7/7/w5w b 0 0 - -").seated("Ana", "Ben")
    company.do("Ana", Resign(0))
    text = write_table_record(company.table)
    assert verify_record(text) == 0
    seq = next(event.seq for event in company.table.events if event.kind == "started")
    drawn = f"# drawn: {seq} position"
    with pytest.raises(DiceError, match="draws no set-up"):
        verify_record(
            text.replace(
                drawn, f"{drawn} 36/{bound_dice(2, company.opening.secret, company.table.id, seq, None, company.table.contributions).draw(36)}"
            )
        )


def rechained(events: Sequence[Event], seq: int, payload: Fields) -> list[Event]:
    """Return a log forged by somebody who can compute hashes: one payload changed, every later hash made anew."""
    forged: list[Event] = []
    for event in events:
        fields = payload if event.seq == seq else event.payload
        previous = forged[-1].hash if forged else ""
        link = chain(event.table, event.seq, event.kind, fields, event.at, previous, seat=event.seat, move_id=event.move_id)
        forged.append(with_aside(link, event.aside))
    return forged


def test_a_log_forged_by_the_house_itself_is_found() -> None:
    """Whoever runs the house can make the chain anew, but not the dice that were sealed."""
    events = finished("tablan").table.events
    throws = [one for one in events if one.kind == "threw"]
    for event in throws[:5]:
        other = next(one for one in throws if one.payload["token"] != event.payload["token"])
        forgeries = ({**event.payload, "token": other.payload["token"]}, {**event.payload, "draws": other.payload["draws"]}, {**other.payload})
        for payload in forgeries:
            with pytest.raises(DiceError) as found:
                verify_log(rechained(events, event.seq, payload))
            assert found.value.seq == event.seq
    started = next(one for one in events if one.kind == "started")
    order = {**started.payload, "order": [1, 0] if started.payload["order"] == [0, 1] else [0, 1]}
    with pytest.raises(DiceError):
        verify_log(rechained(events, started.seq, order))


def test_a_log_that_reveals_another_secret_is_found_even_without_a_throw() -> None:
    company = Company().seated("Ana", "Ben")
    company.do("Ana", Resign(0))
    with pytest.raises(DiceError, match="sealed before play"):
        verify_log(rechained(company.table.events, company.table.seq, {"secret": "00" * 32}))


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
