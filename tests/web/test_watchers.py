"""How many watch a table: counted without seats, each person once, told in one small frame."""

import json

import httpx
import pytest

from tablee.web import house as house_module
from tests.web.serving import WAIT, Serving, now, view, wait_for
from tests.web.test_socket import Wire, wire


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count after a moment."""
    monkeypatch.setattr(house_module, "COUNT_SECONDS", 0.05)


def counted(listening: Wire, count: int) -> str:
    """Wait until a listener is told a number of watchers, and return the frame."""
    while True:
        frame = str(listening.socket.recv(timeout=WAIT))
        listening.follower.take(frame.encode())
        if json.loads(frame).get("watchers", json.loads(frame).get("view", {}).get("watchers")) == count:
            return frame


def test_those_without_a_seat_are_counted_and_only_the_number_is_sent(house: Serving, person: httpx.Client) -> None:
    table = now(person, "traboulet")
    before = wait_for(person, table, "legal")
    with wire(house, table, person.cookies["carte"]) as player:
        with wire(house, table) as first, wire(house, table):
            frame = counted(player, 2)
            assert json.loads(frame) == {"t": "change", "from": before["seq"], "to": before["seq"], "hash": before["hash"], "watchers": 2}
            counted(first, 2)
            assert view(person, table)["watchers"] == 2
        counted(player, 0)


def test_a_person_with_two_pages_is_one_watcher(house: Serving, person: httpx.Client) -> None:
    table = now(person, "traboulet")
    wait_for(person, table, "legal")
    with house.person() as friend:
        now(friend, "tabu")
        carte = friend.cookies["carte"]
    with wire(house, table, carte) as first, wire(house, table, carte), wire(house, table):
        counted(first, 2)


def test_the_page_says_how_many_watch(house: Serving, person: httpx.Client) -> None:
    table = now(person, "traboulet")
    assert '<p class="watchers" id="watchers" hidden>' in person.get(f"/t/{table}").text
    with wire(house, table) as watcher:
        counted(watcher, 1)
        assert ">1 person watches</p>" in person.get(f"/t/{table}").text
