"""How many watch a table: counted without seats, each person once, told in one small frame."""

import json
import re
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from tablee.tables.tokens import new_token
from tablee.web import live as live_module
from tablee.web.live import Live
from tests.web.serving import WAIT, Serving, now, view, wait_for
from tests.web.test_pages import form_fields
from tests.web.test_socket import Wire, wire


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count after a moment."""
    monkeypatch.setattr(live_module, "COUNT_SECONDS", 0.05)


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


# Watching by a link.


def private(house: Serving) -> tuple[dict[str, Any], httpx.Client]:
    """Open a table that is watched by link, and return it with its opener."""
    opener = house.bot()
    made = opener.post("/tables", json={"game": "traboulet", "watching": "link"}).json()
    opener.headers["authorization"] = f"Bearer {made['token']}"
    return made, opener


def test_a_program_that_opens_a_table_gets_the_token_to_watch(house: Serving) -> None:
    made, opener = private(house)
    with house.bot(made["watch"]) as watcher, house.bot(new_token()) as stranger:
        assert watcher.get(f"/tables/{made['table']}/state").status_code == 200
        assert stranger.get(f"/tables/{made['table']}/state").status_code == 403
        assert view(watcher, made["table"])["commands"] == []
    assert opener.post("/tables", json={"game": "traboulet"}).json()["watch"] == ""


def test_the_link_to_watch_lets_in_and_is_shown_to_whoever_may_give_it(house: Serving, person: httpx.Client) -> None:
    made, _ = private(house)
    table = f"/t/{made['table']}"
    link = f"{table}/watch/{made['watch']}"
    with house.person() as guest, house.person("fr") as stranger:
        assert person.get(link).url.path == table
        assert f'value="{house.base}{link}"' in person.get(table).text
        for path in ("/replay", "/board.svg", "/view", "/log"):
            assert person.get(table + path).status_code == 200
        guest.post(f"{table}/sit", data=form_fields(guest.get(f"{table}/join/{made['invitations'][0]}").text, f"{table}/sit"))
        seated = guest.get(table).text
        assert 'data-seat="0"' in seated
        assert 'id="watch-link"' not in seated  # no link that would be refused
        for path in (table, f"{table}/watch/{made['invitations'][1]}", f"{table}/watch/nothing"):
            refused = stranger.get(path)
            assert refused.status_code == 403
            assert "Il faut le lien de la table pour la regarder." in refused.text
        assert person.post(f"{table}/do", data={"t": "start", "move_id": "start-now"}).status_code == 403  # it lets look, and nothing else


def test_whoever_sits_down_by_an_invitation_can_give_on_the_link_to_watch(house: Serving, person: httpx.Client) -> None:
    now(person, "tabu")
    made = person.post("/api/v1/tables", json={"game": "traboulet", "watching": "link"}).json()
    links = re.findall(r'id="invite-link-\d" type="text" readonly value="([^"]+)"', person.get(f"/t/{made['table']}").text)
    assert links == [f"{house.base}/t/{made['table']}/join/{one}?watch={made['watch']}" for one in made["invitations"]]
    with house.person() as friend, house.person() as late, house.person() as stranger:
        form = form_fields(friend.get(links[0]).text, f"/t/{made['table']}/sit")
        assert f"/t/{made['table']}/watch/{made['watch']}" in friend.post(f"/t/{made['table']}/sit", data=form).text
        assert late.get(links[0]).status_code == 200  # the seat is taken, and he may watch
        assert late.get(f"/t/{made['table']}").status_code == 200
        assert stranger.get(links[0].replace("?watch=", "?watch=x")).status_code == 403


def test_a_game_that_goes_on_from_a_private_one_stays_private_and_shows_its_link(house: Serving, person: httpx.Client) -> None:
    made, opener = private(house)
    for invitation in made["invitations"]:
        with house.bot() as bot:
            bot.post(f"/tables/{made['table']}/seats", json={"invitation": invitation})
    wait_for(opener, made["table"], "playing")
    person.get(f"/t/{made['table']}/watch/{made['watch']}")
    played_on = person.post(f"/t/{made['table']}/from", data={"at": "0"})
    link = re.findall(r'id="watch-link" type="text" readonly value="([^"]+)"', played_on.text)
    assert played_on.url.path in link[0]
    with house.person() as stranger:
        assert stranger.get(played_on.url.path).status_code == 403
        assert stranger.get(link[0]).url.path == played_on.url.path


def test_a_socket_without_the_right_is_told_and_closed(house: Serving, person: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    made, opener = private(house)
    with monkeypatch.context() as patch, wire(house, made["table"]) as stranger:
        patch.setattr(Live, "count_soon", lambda live: pytest.fail("a stranger is counted"))
        assert stranger.hear("no", "view")["code"] == "token"
        assert stranger.closing_code() == 4403
    person.get(f"/t/{made['table']}/watch/{made['watch']}")
    with wire(house, made["table"], tokens=[made["watch"]]) as watcher:
        counted(watcher, 1)
    kept = {"cookie": f"watch-{made['table']}={made['watch']}"}
    with connect(f"ws://127.0.0.1:{house.port}/ws/{made['table']}", additional_headers=kept, origin=Origin(house.base)) as socket:
        by_cookie = Wire(socket)
        by_cookie.say(t="hello", seq=-1)
        assert by_cookie.hear("no", "view")["t"] == "view"
    assert opener.get(f"/tables/{made['table']}/state").status_code == 200


def test_whoever_gets_up_from_a_private_table_is_let_go(house: Serving) -> None:
    made, _ = private(house)
    with house.bot() as bot:
        seated = bot.post(f"/tables/{made['table']}/seats", json={"invitation": made["invitations"][0]}).json()
    with wire(house, made["table"], tokens=[seated["token"]]) as player:
        player.hear("view")
        player.say(t="leave", seat=0, move_id="up-and-away")
        assert player.hear("ok", "no")["t"] == "ok"
        assert player.hear("view", "no")["code"] == "token"
        assert player.closing_code() == 4403
