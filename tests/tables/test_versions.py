"""A table that was opened under an older version of the rules: it is read, goes on and is proved under the rules it was begun with."""

import pytest

import tablee
from tablee.core.errors import TableeError
from tablee.core.state import State
from tablee.tables.commands import Answer, Rematch
from tablee.tables.dice import unhex
from tablee.tables.events import Event, chain, read_log
from tablee.tables.opening import Opening
from tablee.tables.record import verify_log, verify_record, write_table_record
from tablee.tables.values import Ask, Phase
from tests.golden.make import HERE
from tests.tables.company import Company, plain_view

# A game of Tablan 1 as version 1 of the rules wrote its log: White's last man could stay now, and could not then.
LOG = HERE / "tablan" / "logs-1" / "00.jsonl"
SECRET = unhex(0, "52535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f7071")


def old_table() -> Company:
    """Return the company at the table of version 1, loaded from its log."""
    events = read_log(LOG.read_text(encoding="utf-8"))
    tokens = {name: name.ljust(43, "-") for name in ("Olga", "Ana", "Ben")}
    return Company(opening=Opening(events[0].table, events, SECRET), tokens=tokens)


def state_of(company: Company) -> State:
    """Return the state of the table."""
    assert company.table.state is not None
    return company.table.state


def legal(state: State) -> set[str]:
    """Return the tokens that may be played."""
    return {state.game.notate(action) for action in state.legal()}


def test_an_old_table_is_played_by_its_own_rules() -> None:
    company = old_table()
    assert (company.table.game.rules, company.table.game.option("last_man")) == (1, "must_move")
    state = state_of(company)
    assert legal(state) == {"R>N"}
    assert legal(tablee.game("tablan").load(state.game.dump(state))) == {"R>N", "."}
    assert plain_view(company.table, company.who("Ben"))["terms"]["rules"] == 1


def test_an_old_table_goes_on_to_its_end_and_is_proved() -> None:
    company = old_table().wander(1)
    assert company.table.phase == Phase.OVER
    assert "\nrules: 1\n" in write_table_record(company.table)
    assert verify_record(write_table_record(company.table)) == verify_log(company.table.events) > 50
    company.reload()
    assert company.table.phase == Phase.OVER


def test_a_rematch_of_an_old_table_takes_the_current_rules() -> None:
    company = old_table().wander(1)
    company.do("Ana", Rematch(0))
    company.do("Ben", Answer(1, Ask.REMATCH, True))
    rematch = company.rematch().table
    assert (rematch.game.rules, rematch.game.option("last_man")) == (2, "may_stay")
    assert rematch.events[0].payload["rules"] == 2


def test_a_new_table_keeps_the_current_version() -> None:
    payload = Company("tablan").table.events[0].payload
    assert payload["rules"] == 2
    assert dict(payload["options"])["last_man"] == "may_stay"  # type: ignore[arg-type]


def test_a_table_of_rules_that_nobody_knows_is_refused() -> None:
    first = old_table().table.events[0]
    forged: Event = chain(first.table, 0, first.kind, {**first.payload, "rules": 3}, first.at, "")
    with pytest.raises(TableeError, match="rules version '3' is not known: expected 1 or 2"):
        Company(opening=Opening(first.table, [forged], SECRET), tokens={"Olga": "x"})
