"""A game that was begun elsewhere goes on at a house."""

import re

import httpx
import pytest

import tablee
from tests.golden.make import HERE
from tests.web.serving import Serving, wait_for

STATE = tablee.game("traboulet").start().play("a7b7")
RECORD = tablee.record(STATE)


def test_a_record_goes_on_against_the_computer(house: Serving) -> None:
    page = house.person().post("/take", data={"record": RECORD, "others": "computer"})
    assert page.status_code == 200
    view = page.text
    assert re.search(r"/t/[\w-]{16}$", str(page.url))
    assert 'data-table="' in view


def test_a_record_goes_on_with_friends_who_get_a_link(house: Serving) -> None:
    assert "/join/" in house.person().post("/take", data={"record": RECORD, "others": "friends"}).text


@pytest.mark.parametrize("record", ["", "nonsense", "game: traboulet\n\n1: z9z8\n"])
def test_what_is_no_record_is_shown_again_with_the_reason(house: Serving, record: str) -> None:
    page = house.person().post("/take", data={"record": record})
    assert page.status_code == 422
    assert 'role="alert"' in page.text
    assert f">{record}" in page.text


def test_a_game_that_is_over_has_nothing_to_go_on_with(house: Serving) -> None:
    state = tablee.game("tabu", rounds="1").start(seed=1)
    while not isinstance(state.node, tablee.Over):
        if isinstance(state.node, tablee.Chance):
            state = state.throw(1)
        else:
            seat = state.node.seats[0]
            state = state.play(state.legal(seat)[0], seat)
    page = house.person().post("/take", data={"record": tablee.record(state)})
    assert page.status_code == 422
    assert "This game is over" in page.text


def rules_of(person: httpx.Client, table: str) -> str:
    """Return the lines of a table's record that say the rules it is played by."""
    wait_for(person, table, "playing")
    lines = person.get(f"/t/{table}/record").text.splitlines()
    return "; ".join(line for line in lines if line.startswith(("rules:", "options:")))


def test_an_older_game_goes_on_by_its_own_rules_and_the_next_is_played_by_the_current_ones(house: Serving) -> None:
    written = (HERE / "tablan" / "records-1" / "00.tablee").read_text(encoding="utf-8")
    lines = [line for line in written.splitlines(keepends=True) if not line.startswith(("#", "result:"))]
    with house.person() as person:
        taken = person.post("/take", data={"record": "".join(lines[: len(lines) // 2])}).url.path.removeprefix("/t/")
        older = rules_of(person, taken)
        assert older.startswith("rules: 1; ")
        assert "last_man" not in older
        resumed = person.post(f"/t/{taken}/from", data={"at": "0"}).url.path.removeprefix("/t/")
        assert rules_of(person, resumed) == older
        seat = wait_for(person, taken, "playing")["you"][0]
        person.post(f"/t/{taken}/do", data={"t": "resign", "seat": str(seat), "move_id": "resign-now"})
        above = person.post(f"/t/{taken}/harder").url.path.removeprefix("/t/")
        assert rules_of(person, above).startswith("rules: 2; ")
        assert "last_man=may_stay" in rules_of(person, above)


def test_a_record_goes_on_with_somebody_at_the_same_screen(house: Serving) -> None:
    page = house.person().post("/take", data={"record": RECORD, "others": "here"})
    assert page.text.count('data-kind="person"') == 2
    assert "/join/" not in page.text
