"""A table of a real house from afar: play, watch and stream, sync and async; a player that fails hands its seat over."""

import asyncio
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tablee
from tablee.players.bot import Fault
from tablee.room.line import RoomError, split_url
from tablee.tables.values import Sitter
from tablee.terminal.seats import room_of, seats_file, take_seat
from tests.doors.bots import Cheating, Crashing, Greedy, Hanging, Raising
from tests.web.serving import Serving, environment, serving

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Give a real house on a loopback port."""
    with serving(tmp_path_factory.mktemp("house")) as running:
        yield running


def opened(house: Serving, slug: str = "traboulet", **options: Any) -> tuple[tablee.Room, list[str]]:
    """Return a table of the house, and its invitations."""
    room = tablee.Room(house.base)
    return room, room.open(slug, **options)


def test_a_bot_opens_a_table_plays_it_against_the_house_and_sees_the_end(house: Serving) -> None:
    room, _ = opened(house, bonus="red")
    assert room.sit("Greedy") == 0
    room.do("fill", level="1")
    table = room.play(Greedy())
    assert table.result is not None
    assert table.seats[0].player == Sitter.BOT
    assert table.state is not None
    assert table.state.game.option("bonus") == "red"


def test_two_bots_meet_by_invitations_and_a_watcher_sees_every_action(house: Serving) -> None:
    room, invitations = opened(house, "tablan")
    watcher = tablee.Room(room.url)
    seen: list[tablee.State] = []
    watching = threading.Thread(target=lambda: seen.extend(watcher.watch()))
    watching.start()
    second = threading.Thread(target=lambda: tablee.Room(invitations[1]).play(Greedy()))
    second.start()
    table = tablee.Room(invitations[0]).play(Greedy())
    second.join()
    watching.join()
    assert table.state is not None
    assert seen[-1] == table.state
    assert {state.steps for state in seen} == set(range(table.state.steps + 1)) - set(range(seen[0].steps))
    assert [event.seq for event in tablee.Room(room.url).stream(5)] == list(range(5, len(watcher.table.events)))


def test_the_same_for_asyncio_with_a_choose_that_is_a_coroutine(house: Serving) -> None:
    class Later(tablee.Bot):
        """Thinks while others run."""

        async def choose(self, state: tablee.State, seat: int, *, seconds: float | None = None, nodes: int | None = None) -> int:  # type: ignore[override]
            """Return the first action."""
            await asyncio.sleep(0)
            return state.legal(seat)[0]

    async def evening() -> tuple[int, int]:
        room = tablee.AsyncRoom(house.base)
        first, second = await room.open("traboulet")

        async def watched() -> int:
            return len([state async for state in tablee.AsyncRoom(room.room.url).watch()])

        watcher = asyncio.create_task(watched())
        table, _ = await asyncio.gather(tablee.AsyncRoom(first).play(Later()), tablee.AsyncRoom(second).play(Greedy()))
        events = [event.seq async for event in tablee.AsyncRoom(room.room.url).stream()]
        assert events == list(range(len(table.events)))
        return await watcher, table.state.steps if table.state else 0

    seen, steps = asyncio.run(evening())
    assert 0 < seen <= steps + 1


@pytest.mark.parametrize(
    ("bot", "sentence", "patience"),
    [
        (Crashing(), "ZeroDivisionError", 60.0),
        (Hanging(), "it does not answer: expected an action within 0.2 s", 0.2),
        (Cheating(), "is refused by Traboulet", 60.0),
        (Raising(), "it ended by SystemExit", 60.0),
    ],
    ids=lambda given: type(given).__name__ if isinstance(given, tablee.Bot) else "",
)
def test_a_bot_that_fails_hands_its_seat_to_the_house_and_the_game_goes_on(house: Serving, bot: tablee.Bot, sentence: str, patience: float) -> None:
    room, invitations = opened(house)
    other = threading.Thread(target=lambda: tablee.Room(invitations[1]).play(Greedy()))
    other.start()
    mine = tablee.Room(invitations[0])
    with pytest.raises(Fault, match=f"took its seat: .*{sentence}"):
        mine.play(bot, patience=patience)
    other.join()
    table = room.refresh()
    assert sorted(seat.player for seat in table.seats) == [Sitter.BOT, Sitter.PROGRAM]
    assert table.result is not None
    assert mine.refresh().state == table.state  # what the bot did to its board stays with the bot


def test_a_coroutine_that_never_answers_is_replaced_too(house: Serving) -> None:
    class Never(tablee.Bot):
        """Waits for what does not come."""

        async def choose(self, state: tablee.State, seat: int, *, seconds: float | None = None, nodes: int | None = None) -> int:  # type: ignore[override]
            """Wait."""
            await asyncio.Event().wait()
            return 0

    async def evening() -> None:
        room = tablee.AsyncRoom(house.base)
        first, second = await room.open("traboulet")
        other = asyncio.create_task(tablee.AsyncRoom(second).play(Greedy()))
        with pytest.raises(Fault, match="it does not answer: expected an action within"):
            await tablee.AsyncRoom(first).play(Never(), patience=0.2)
        assert (await other).result is not None

    asyncio.run(evening())


@pytest.mark.parametrize(
    ("bot", "sentence"),
    [
        ("Crashing", "choose raised ZeroDivisionError"),
        ("Hanging", "it does not answer: expected play"),
        ("Cheating", "is refused by Traboulet"),
        ("Leaving", "(status 7)"),
    ],
)
def test_join_replaces_a_bot_of_a_module_that_fails_and_says_why(house: Serving, bot: str, sentence: str) -> None:
    room, invitations = opened(house)
    other = threading.Thread(target=lambda: tablee.Room(invitations[1]).play(Greedy()))
    other.start()
    command = [sys.executable, "-c", "from tablee.cli import main; main()", "join", "--lang", "en", invitations[0]]
    options = ["--player", f"tests.doors.bots:{bot}", "--patience", "0.2" if bot == "Hanging" else "60"]
    done = subprocess.run([*command, *options], cwd=ROOT, env=environment(), capture_output=True, text=True, check=False)
    other.join()
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert room.refresh().result is not None


def test_join_plays_with_a_bot_of_a_module_and_with_a_program(house: Serving) -> None:
    room, invitations = opened(house, "tablan")
    engine = f"cmd:{sys.executable} -m tablee.terminal.engine greedy"
    command = [sys.executable, "-c", "from tablee.cli import main; main()", "join", "--lang", "en"]
    with (
        subprocess.Popen(
            [*command, invitations[0], "--player", "tests.doors.bots:Greedy"], cwd=ROOT, env=environment(), stdout=subprocess.PIPE
        ) as one,
        subprocess.Popen([*command, invitations[1], "--player", engine], cwd=ROOT, env=environment(), stdout=subprocess.PIPE) as other,
        subprocess.Popen([*command, room.url, "--watch"], cwd=ROOT, env=environment(), stdout=subprocess.PIPE) as watcher,
    ):
        told = [process.communicate()[0].decode() for process in (one, other, watcher)]
    assert [process.returncode for process in (one, other, watcher)] == [0, 0, 0]
    assert all(re.search("wins|won|draw", each) for each in told), told
    assert len(told[2]) > len(told[0])


def test_the_same_command_leads_back_to_a_seat_and_its_key_is_the_user_s_alone(
    house: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    _, (one, other) = opened(house)
    first = room_of(one, "en")
    take_seat(first, "Anne", "", "person")
    assert first.seats == (0,)
    again = room_of(one, "en")
    take_seat(again, "Anne", "", "person")
    assert again.seats == (0,)
    assert seats_file().stat().st_mode & 0o077 == 0
    second = room_of(other, "en")
    take_seat(second, "Berta", "", "person")
    assert second.seats == (1,)
    assert room_of(first.url, "en").seats == ()
    seats_file().write_text("[")
    with pytest.raises(RoomError):
        take_seat(room_of(one, "en"), "Anne", "", "person")


@pytest.mark.parametrize("url", ["ftp://house/t/x", "http://house/g/tabu", "http://house/t/a/sit/b", "http://"])
def test_an_address_that_is_no_table_is_refused(url: str) -> None:
    with pytest.raises(RoomError, match="expected http://HOUSE/t/TABLE"):
        tablee.Room(url)


def test_addresses_are_read() -> None:
    assert split_url("house:8080/t/abc/join/def") == ("http://house:8080", "abc", "def")
    assert split_url("https://house/") == ("https://house", "", "")


def test_what_the_house_refuses_is_an_error_with_its_sentence(house: Serving) -> None:
    room, _ = opened(house)
    with pytest.raises(RoomError, match=r".+") as refused:
        tablee.Room(room.url).sit()
    assert refused.value.code == "token"
    with pytest.raises(RoomError) as missing:
        tablee.Room(f"{house.base}/t/0123456789abcdef").refresh()
    assert missing.value.code == "no_table"
    with pytest.raises(RoomError, match="names no table"):
        tablee.Room(house.base).refresh()


def test_a_house_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(RoomError, match="does not answer"):
        tablee.Room("http://127.0.0.1:9/t/0123456789abcdef").refresh()
