"""Computer players: in processes of their own, with a deadline, and nobody waits for them."""

import asyncio
import os
import time
from pathlib import Path

import pytest

from tablee import catalog, game
from tablee.core.record import write_record
from tablee.tables.refused import Refused
from tablee.web.levels import checked, levels, middle
from tablee.web.metrics import Metrics
from tablee.web.thinkers import Question, Room, Thinkers
from tablee.web.thinking import NICENESS, answer, think
from tests.web.serving import Serving, now, serving, view, wait_for


def question(slug: str, level: str = "2") -> Question:
    state = game(slug).start(lambda n: 0)
    while (legal := state.legal()) and not state.position.actors():
        state = state.play(legal[0])
    return Question(write_record(state), int(state.position.actor()), level)


@pytest.mark.parametrize("slug", catalog.OURS)
@pytest.mark.parametrize("level", ["1", "2", "max", "no more"])
def test_every_level_answers_with_a_legal_token(slug: str, level: str) -> None:
    asked = question(slug, level)
    token = answer({"record": asked.record, "seat": asked.seat, "level": level, "seconds": 0.05, "seed": 1})["token"]
    state = catalog.read(asked.record)
    assert state.game.parse(str(token), asked.seat) in state.legal(asked.seat)


@pytest.mark.parametrize("slug", catalog.OURS)
def test_a_table_offers_the_levels_that_the_game_has(slug: str) -> None:
    kind = catalog.kind(slug)
    assert levels(kind)[0] == "1"
    assert levels(kind)[-1] == "max"
    assert checked(kind, "") == middle(kind) != "max"
    assert checked(kind, "max") == "max"
    with pytest.raises(Refused) as caught:
        checked(kind, "9")
    assert "max" in caught.value.say("en")


def test_a_player_takes_no_longer_than_it_is_given() -> None:
    state = catalog.read(question("tabale").record)
    begun = time.monotonic()
    think(state, 0, "max", 0.2, 1)
    assert time.monotonic() - begun < 5


def test_the_same_seed_gives_the_same_answer() -> None:
    state = catalog.read(question("traboulet").record)
    assert think(state, 0, "3", 60, 9) == think(state, 0, "3", 60, 9)


def test_a_room_is_niced_knows_no_secret_and_ends_with_its_house() -> None:
    async def look() -> None:
        os.environ["TABLEE_TEST_SECRET"] = "hidden"
        room = Room()
        assert await room.ask(question("tabu"), 0.1)
        process = room.process
        assert process is not None
        stat = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        assert int(stat[16]) == NICENESS
        assert b"hidden" not in Path(f"/proc/{process.pid}/environ").read_bytes()
        files = [os.readlink(one) for one in Path(f"/proc/{process.pid}/fd").iterdir()]
        assert not [one for one in files if "sqlite" in one or one.startswith("socket:")]
        assert process.stdin is not None
        process.stdin.close()
        assert await asyncio.wait_for(process.wait(), 10) == 0

    asyncio.run(look())


def test_a_room_that_dies_or_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async def look() -> None:
        metrics = Metrics()
        thinkers = Thinkers(1, 0.1, metrics)
        assert await thinkers.answer(question("tabu"), "x")
        room = thinkers.free[-1]
        assert room.process is not None
        first = room.process.pid
        os.kill(first, 9)
        await thinkers.answer(question("tabu"), "x")
        assert await thinkers.answer(question("tabu"), "x")
        assert room.process.pid != first
        monkeypatch.setattr("tablee.web.thinkers.MARGIN_SECONDS", 0.2)
        os.kill(room.process.pid, 19)  # stopped: it will never answer
        assert await thinkers.answer(question("tabu"), "x") is None
        assert metrics.counts["thinkers_failed"] >= 1
        monkeypatch.undo()
        assert await thinkers.answer(question("tabu"), "x")
        await thinkers.close()

    asyncio.run(look())


def test_no_more_think_at_once_than_there_are_rooms_and_first_come_is_first_served(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[int] = []
    at_once: list[int] = []

    async def look() -> None:
        thinkers = Thinkers(2, 0.1, Metrics())

        async def ask(self: Room, asked: Question, seconds: float) -> str:
            order.append(asked.seat)
            at_once.append(thinkers.thinking)
            await asyncio.sleep(0.01)
            return "."

        monkeypatch.setattr(Room, "ask", ask)
        await asyncio.gather(*(thinkers.answer(Question("", seat, "1"), "same") for seat in range(8)))

    asyncio.run(look())
    assert order == list(range(8))
    assert max(at_once) == 2


def test_whoever_opens_many_tables_gets_no_more_than_his_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[int] = []

    async def ask(self: Room, asked: Question, seconds: float) -> str:
        order.append(asked.seat)
        await asyncio.sleep(0)
        return "."

    async def look() -> None:
        thinkers = Thinkers(1, 0.1, Metrics())
        greedy = [thinkers.answer(Question("", seat, "1"), "greedy") for seat in range(50)]
        modest = [thinkers.answer(Question("", 100 + seat, "1"), "modest") for seat in range(2)]
        await asyncio.gather(*greedy, *modest)
        assert len(thinkers.free) == 1

    monkeypatch.setattr(Room, "ask", ask)
    asyncio.run(look())
    assert order.index(100) <= 3
    assert order.index(101) <= 5


def test_whoever_gives_up_waiting_keeps_no_room(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ask(self: Room, asked: Question, seconds: float) -> str:
        await asyncio.sleep(0.01)
        return "."

    async def look() -> None:
        thinkers = Thinkers(1, 0.1, Metrics())
        tasks = [asyncio.ensure_future(thinkers.answer(Question("", seat, "1"), str(seat))) for seat in range(6)]
        await asyncio.sleep(0.005)
        for task in tasks[1::2]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert len(thinkers.free) == 1
        assert not thinkers.lines

    monkeypatch.setattr(Room, "ask", ask)
    asyncio.run(look())


def test_when_no_player_answers_the_first_legal_action_is_played_and_play_goes_on(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def silent(self: Thinkers, asked: Question, group: str) -> None:
        return None

    monkeypatch.setattr(Thinkers, "answer", silent)
    with serving(data) as house, house.person() as person:
        table = now(person, "traboulet")
        found = wait_for(person, table, "legal")
        person.post(f"/t/{table}/act", data={"tokens": found["legal"][0]["token"], "seat": "0"})
        assert [line["seat"] for line in wait_for(person, table, "legal")["record"]] == [0, 1]


def test_when_a_player_answers_nonsense_the_first_legal_action_is_played(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def mad(self: Thinkers, asked: Question, group: str) -> str:
        return "z9z9"

    monkeypatch.setattr(Thinkers, "answer", mad)
    with serving(data) as house, house.person() as person:
        table = now(person, "traboulet")
        found = wait_for(person, table, "legal")
        person.post(f"/t/{table}/act", data={"tokens": found["legal"][0]["token"], "seat": "0"})
        wait_for(person, table, "legal")
        assert view(person, table)["record"][1]["seat"] == 1


def test_people_are_answered_while_a_player_thinks(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The structure, not the figure: an answer that never comes holds up nobody, at this table or another."""
    waiting = asyncio.Event

    async def for_ever(self: Thinkers, asked: Question, group: str) -> str:
        await waiting().wait()
        return ""

    monkeypatch.setattr(Thinkers, "answer", for_ever)
    with serving(data) as house, house.person() as person:
        table = now(person, "traboulet")
        found = wait_for(person, table, "legal")
        person.post(f"/t/{table}/act", data={"tokens": found["legal"][0]["token"], "seat": "0"})
        assert view(person, table)["node"]["seats"] == [1]
        assert person.post(f"/t/{table}/do", data={"what": "take_back", "seat": "0", "move_id": "take-it-back"}).status_code == 200
        assert view(person, table)["legal"]
        other = now(person, "tabu")
        assert wait_for(person, other, "playing")


def test_a_seat_left_by_its_person_is_taken_by_a_program(house: Serving) -> None:
    with house.person() as person, house.person() as friend:
        answer = person.post("/g/traboulet", data={"seats": "2", "seat-0": "me", "seat-1": "open", "who": "open"})
        table = answer.url.path.removeprefix("/t/")
        friend.post(f"/t/{table}/sit")
        wait_for(person, table, "legal")
        friend.post(f"/t/{table}/do", data={"what": "leave", "seat": "1", "move_id": "leave-now-1"})
        person.post(f"/t/{table}/do", data={"what": "fill", "move_id": "fill-now-1"})
        assert view(person, table)["seats"][1]["kind"] == "program"
        token = view(person, table)["legal"][0]["token"]
        person.post(f"/t/{table}/act", data={"tokens": token, "seat": "0"})
        assert len(wait_for(person, table, "legal")["record"]) == 2
