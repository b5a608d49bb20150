"""The HTTP API: bots open tables, sit down and play to the end; what is wrong is told in words."""

import asyncio
import json
import random
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from tablee import catalog
from tablee.store.log import StoreError
from tablee.tables.events import read_log, verify
from tablee.tables.proofs import verify as verify_dice
from tablee.tables.tokens import new_token
from tests.web.serving import WAIT, Serving, serving, view, wait_for

ROOT = Path(__file__).parents[2]
RANDOM = random.Random(4)


def open_two(house: Serving, slug: str, **more: Any) -> tuple[str, list[httpx.Client]]:
    """Return a table with a bot in each of its seats."""
    with house.bot() as opener:
        opened = opener.post("/tables", json={"game": slug, **more}).json()
    bots = []
    for seat, invitation in enumerate(opened["invitations"]):
        bot = house.bot()
        answer = bot.post(
            f"/tables/{opened['table']}/seats", json={"seat": seat, "name": f"Bot {seat}", "invitation": invitation, "contribution": "ab" * 16}
        )
        assert answer.status_code == 201, answer.text
        bot.headers["authorization"] = f"Bearer {answer.json()['token']}"
        bots.append(bot)
    return opened["table"], bots


def test_a_table_is_opened_once_however_often_it_is_asked_for(data: Path) -> None:
    asked = {"game": "tabu", "seats": 3, "clock": {"kind": "real", "base": 1000}, "move_id": "once"}
    tokens = [new_token(), new_token()]
    with serving(data) as house:
        bot, other = (house.bot(token) for token in tokens)
        first = bot.post("/tables", json=asked)
        assert first.status_code == 201
        assert bot.post("/tables", json=asked).json() == first.json()
        assert other.post("/tables", json=asked).json()["table"] != first.json()["table"]
        assert bot.post("/tables", json={**asked, "move_id": "twice"}).json()["table"] != first.json()["table"]
        refused = bot.post("/tables", json={**asked, "seats": 4})
        assert (refused.status_code, refused.json()["error"]["code"]) == (422, "again")
        assert house.bot().post("/tables", json=asked).status_code == 422
        assert bot.post("/tables", json={**asked, "move_id": "a b"}).status_code == 422
    with serving(data) as house:  # also after a restart
        assert house.bot(tokens[0]).post("/tables", json=asked).json() == first.json()


def test_a_table_whose_opening_was_written_though_the_answer_was_lost_is_not_opened_again(data: Path) -> None:
    with serving(data) as house:
        running, bot = house.guard.app.state.house, house.bot(new_token())  # type: ignore[attr-defined]
        create = running.store.create

        async def lossy(*given: Any) -> None:
            await create(*given)
            raise StoreError("the answer was lost")

        running.store.create = lossy
        assert bot.post("/tables", json={"game": "tabu", "move_id": "once"}).status_code == 503
        running.store.create = create
        answer = bot.post("/tables", json={"game": "tabu", "move_id": "once"})
        assert answer.status_code == 201
        assert asyncio.run(running.store.tables()) == [answer.json()["table"]]


def test_whoever_sits_down_is_told_that_seat_also_when_he_asks_again(house: Serving) -> None:
    with house.bot(new_token()) as bot:
        table = bot.post("/tables", json={"game": "tabu", "seats": 3, "sitting": "open"}).json()["table"]
        for seat in (2, 0):
            first, again = (bot.post(f"/tables/{table}/seats", json={"seat": seat, "move_id": f"sit{seat}"}).json() for _ in range(2))
            assert first["seat"] == again["seat"] == seat
        assert bot.post(f"/tables/{table}/seats", json={"move_id": "any"}).json()["seat"] == 1
        assert bot.post(f"/tables/{table}/seats", json={"move_id": "any"}).json()["seat"] == 1
        for seat in range(3):
            assert bot.post(f"/tables/{table}/commands", json={"t": "leave", "seat": seat}).status_code == 200
        assert bot.post(f"/tables/{table}/seats", json={"move_id": "any"}).status_code == 403
        assert house.bot().post(f"/tables/{table}/seats", json={"move_id": "any"}).status_code == 422
        assert house.bot().post(f"/tables/{table}/seats", json={}).status_code == 201


def test_a_form_that_is_sent_twice_opens_one_table(data: Path) -> None:
    with serving(data) as house, house.person() as person:
        person.post("/g/traboulet/now")
        where = {str(person.post("/g/traboulet/now", data={"move_id": "once"}).url) for _ in range(2)}
        assert len(where) == 1
        assert str(person.post("/g/traboulet/now", data={"move_id": "twice"}).url) not in where
        assert person.post("/g/traboulet/now", data={"move_id": "a b"}).status_code == 422


def play(bot: httpx.Client, table: str, seat: int, token: str, **more: Any) -> httpx.Response:
    return bot.post(f"/tables/{table}/commands", json={"t": "play", "seat": seat, "tokens": [token], "move_id": uuid4().hex, **more})


@pytest.mark.parametrize("field", ["seed", "secret"])
def test_nobody_chooses_the_dice_of_a_table(house: Serving, field: str) -> None:
    """Only a table in the terminal derives its secret from a seed."""
    with house.bot() as bot:
        answer = bot.post("/tables", json={"game": "tablan", field: "00" * 32})
        assert answer.status_code == 422
        assert answer.json()["error"]["text"].startswith(f"body.{field}: ")
        assert bot.post("/tables", json={"game": "tablan"}).status_code == 201


@pytest.mark.parametrize("slug", catalog.OURS)
def test_two_bots_play_every_game_to_the_end(house: Serving, slug: str) -> None:
    table, bots = open_two(house, slug)
    now, seat = view(bots[0], table), 0
    while now["phase"] != "over":
        if seat not in now["node"]["seats"]:
            seat = now["node"]["seats"][0]
            now = view(bots[seat], table)
        answer = play(bots[seat], table, seat, RANDOM.choice(now["legal"])["token"], seq=now["seq"])
        assert answer.status_code == 200, answer.text
        now = view(bots[seat], table)
    result = now["result"]
    assert result["reason"] in catalog.kind(slug).words("en").sentences or result["reason"][0].isdigit()
    with house.person() as person:
        events = read_log(person.get(f"/t/{table}/log").text)
        state = catalog.read(person.get(f"/t/{table}/record").text)
    verify(events)
    verify_dice(events)
    assert list(result["scores"]) == [int(state.position.score(seat)) for seat in range(state.game.seats)]
    for bot in bots:
        bot.close()


def test_the_example_bot_sits_down_and_plays(house: Serving) -> None:
    run = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "bot.py"), house.base, "tabu"], capture_output=True, text=True, timeout=10 * WAIT, check=False
    )
    assert run.returncode == 0, run.stderr
    assert "Tabu 4" in run.stdout
    assert sum(1 for line in (ROOT / "docs" / "bot.py").read_text().splitlines() if line.strip()) <= 40


def test_the_example_bot_joins_a_friend(house: Serving) -> None:
    with house.bot() as opener:
        opened = opener.post("/tables", json={"game": "tabu"}).json()
        opener.headers["authorization"] = f"Bearer {opened['token']}"
        opener.post(f"/tables/{opened['table']}/commands", json={"t": "replace", "seat": 0, "level": "1"}).raise_for_status()
        command = [sys.executable, str(ROOT / "docs" / "bot.py"), house.base, opened["table"], opened["invitations"][1]]
        assert subprocess.run(command, capture_output=True, timeout=10 * WAIT, check=False).returncode == 0
        assert view(opener, opened["table"])["phase"] == "over"


def test_a_resend_gives_the_same_answer_and_happens_once(house: Serving) -> None:
    table, bots = open_two(house, "traboulet")
    token = wait_for(bots[0], table, "legal")["legal"][0]["token"]
    body = {"t": "play", "seat": 0, "tokens": [token], "move_id": "the-same-number"}
    answers = [bots[0].post(f"/tables/{table}/commands", json=body) for _ in range(3)]
    assert [one.status_code for one in answers] == [200, 200, 200]
    assert len({one.text for one in answers}) == 1
    other = bots[0].post(f"/tables/{table}/commands", json={**body, "tokens": ["a1a2"]})
    assert other.status_code == 422
    assert other.json()["error"]["code"] == "again"
    assert len(view(bots[0], table)["record"]) == 1


def test_only_the_holder_of_a_seat_moves_it(house: Serving) -> None:
    table, bots = open_two(house, "traboulet")
    now = wait_for(bots[0], table, "legal")
    token = now["legal"][0]["token"]
    names = ["take_back", "draw", "abandon", "stop", "text", "rematch", "resign", "leave", "replace", "hint"]
    commands: list[dict[str, object]] = [{"t": name} for name in names]
    commands += [{"t": "answer", "what": "draw", "yes": True}, {"t": "say", "phrase": "hello"}, {"t": "contribute", "contribution": "ab" * 16}]
    with house.bot() as nobody, house.bot("A" * 43) as guesser:
        for wrong in (nobody, guesser, bots[1]):
            assert play(wrong, table, 0, token).status_code == 403
            for command in commands:
                answer = wrong.post(f"/tables/{table}/commands", json={**command, "seat": 0, "move_id": uuid4().hex})
                assert answer.status_code == 403, (command, answer.text)
    assert view(bots[0], table)["seq"] == now["seq"]


def test_a_refusal_of_the_rules_names_paragraph_and_cells(house: Serving) -> None:
    table, bots = open_two(house, "traboulet")
    wait_for(bots[0], table, "legal")
    answer = play(bots[0], table, 0, "d4d5")
    assert answer.status_code == 422
    error = answer.json()["error"]
    assert error["code"] == "rules"
    assert error["paragraphs"][0] == "2.1"
    assert "d4" in error["cells"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "game"),
        ({"game": "chess"}, "traboulet"),
        ({"game": "tabu", "seats": 99}, "seats"),
        ({"game": "tabu", "unknown": 1}, "unknown"),
        ({"game": "tabu", "options": {"x": "y"}}, "money"),
        ({"game": "tabu", "seats": "2"}, "integer"),
        ({"game": "tabu", "position": "nonsense"}, "position"),
        ({"game": "tabu", "clock": {"kind": "real", "base": 0}}, "greater"),
        ([], "dictionary"),
    ],
)
def test_what_does_not_fit_is_told_with_what_was_expected(house: Serving, fields: object, said: str) -> None:
    with house.bot() as bot:
        answer = bot.post("/tables", json=fields)
    assert answer.status_code == 422
    assert said in answer.json()["error"]["text"]


def test_json_sent_as_something_else_is_refused(house: Serving) -> None:
    with house.bot() as bot:
        assert bot.post("/tables", content=json.dumps({"game": "tabu"}), headers={"content-type": "text/plain"}).status_code == 422
        assert bot.post("/tables", content=b"{", headers={"content-type": "application/json"}).status_code == 422


def test_a_table_that_is_not_there_is_a_404(house: Serving) -> None:
    with house.bot() as bot:
        answer = bot.get(f"/tables/{'A' * 16}/state")
        assert answer.status_code == 404
        assert answer.json()["error"]["code"] == "no_table"
        assert bot.get("/tables/short/state").status_code == 422


def test_state_since_a_number_gives_the_events_from_there(house: Serving) -> None:
    table, bots = open_two(house, "traboulet")
    wait_for(bots[0], table, "legal")
    whole = bots[0].get(f"/tables/{table}/state").json()
    part = bots[0].get(f"/tables/{table}/state", params={"since": 3}).json()
    assert part["events"] == whole["events"][3:]
    assert part["view"]["hash"] == whole["events"][-1]["hash"]


def test_events_are_streamed_as_they_happen(house: Serving) -> None:
    table, bots = open_two(house, "traboulet")
    token = wait_for(bots[0], table, "legal")["legal"][0]["token"]
    seen: list[dict[str, Any]] = []

    def listen() -> None:
        with bots[1].stream("GET", f"/tables/{table}/events", params={"since": 1}) as answer:
            for line in answer.iter_lines():
                if line.startswith("data: "):
                    seen.append(json.loads(line[6:]))
                    if seen[-1]["kind"] == "acted":
                        return

    listener = threading.Thread(target=listen)
    listener.start()
    time.sleep(0.1)
    assert play(bots[0], table, 0, token).status_code == 200
    listener.join(WAIT)
    assert not listener.is_alive()
    assert [one["seq"] for one in seen] == list(range(1, len(seen) + 1))
    assert seen[-1]["payload"]["token"] == token


def test_a_table_watched_by_link_is_closed_to_others(house: Serving) -> None:
    table, bots = open_two(house, "traboulet", watching="link")
    with house.bot() as nobody, house.person() as stranger:
        assert nobody.get(f"/tables/{table}/state").status_code == 403
        assert nobody.get(f"/tables/{table}/events").status_code == 403
        for path in ("", "/replay", "/record", "/log", "/board.svg"):
            assert stranger.get(f"/t/{table}{path}").status_code == 403
    assert bots[0].get(f"/tables/{table}/state").status_code == 200


def test_a_hundred_try_for_the_last_seat_and_one_gets_it(house: Serving) -> None:
    with house.bot() as opener:
        table = opener.post("/tables", json={"game": "traboulet", "sitting": "open"}).json()["table"]
        opener.post(f"/tables/{table}/seats", json={"seat": 0})
    answers: list[int] = []

    def try_it() -> None:
        with house.bot() as bot:
            answers.append(bot.post(f"/tables/{table}/seats", json={"seat": 1}).status_code)

    threads = [threading.Thread(target=try_it) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [201] + [409] * 19


def test_a_table_may_choose_of_its_set_up(house: Serving) -> None:
    table, bots = open_two(house, "tabaijana", setup={"colours": "yb"})
    assert " colours=yb " in view(bots[0], table)["position"]
    with house.bot() as opener:
        answer = opener.post("/tables", json={"game": "tabaijana", "setup": {"stack": "rwgby"}})
        assert answer.status_code == 422
        assert "to choose 'stack'" in answer.text


def test_the_list_of_games_names_ranges_and_values(house: Serving) -> None:
    with house.bot() as bot:
        shelf = {game["slug"]: game for game in bot.get("/games").json()}
    assert shelf["tabu"]["options"]["rounds"] == ["1", "20", "free"]
