"""The socket: views down, commands up, and nothing that anybody sends can change more than he may."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tablee.tables.commands import TAGS
from tablee.tables.dice import mixture
from tablee.tables.values import Ask
from tablee.tables.view_applied import Follower
from tablee.web.socket import BURST
from tests.web.serving import WAIT, Serving, now, serving, view, wait_for
from tests.web.test_guard import variants


class Wire:
    """One end of a socket."""

    def __init__(self, socket: ClientConnection) -> None:
        """Greet."""
        self.socket = socket
        self.follower = Follower()
        self.passed_over: list[dict[str, Any]] = []

    def say(self, **fields: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps(fields))

    def hear(self, *kinds: str) -> dict[str, Any]:
        """Return the next message of one of these kinds; views that come before it are kept for `view_with_legal`.

        A change is told as the view that it makes.
        """
        until = time.monotonic() + WAIT
        while time.monotonic() < until:
            frame = self.socket.recv(timeout=WAIT)
            message: dict[str, Any] = json.loads(frame)
            if message["t"] in ("view", "change"):
                message = {"t": "view", "view": json.loads(msgspec.json.encode(self.follower.take(frame)))}
            if message["t"] in kinds:
                return message
            if message["t"] == "view":
                self.passed_over.append(message["view"])
        raise AssertionError(f"no {kinds}")

    def closing_code(self) -> int:
        """Read on until the other end closes, and return its reason."""
        try:
            while True:
                self.socket.recv(timeout=WAIT)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006

    def view_with_legal(self, after: int = -1) -> dict[str, Any]:
        """Return the first view later than an event that has something legal; the computer may have answered before a confirmation came."""
        while True:
            found: dict[str, Any] = self.passed_over.pop(0) if self.passed_over else self.hear("view")["view"]
            if found["seq"] > after and found["legal"]:
                return found


@contextmanager
def wire(house: Serving, table: str, carte: str = "", *, hello: bool = True, **fields: Any) -> Iterator[Wire]:
    """Give a connection, as a page with a carte or as a program without."""
    headers = {"cookie": f"carte={carte}"} if carte else {}
    origin = Origin(house.base) if carte else None
    with connect(f"ws://127.0.0.1:{house.port}/ws/{table}", additional_headers=headers, origin=origin, compression=None) as socket:
        one = Wire(socket)
        if hello:
            one.say(t="hello", seq=-1, **fields)
        yield one


def test_a_game_is_played_over_the_socket(data: Path) -> None:
    with serving(data, grace_seconds=10 * WAIT) as house, house.person() as person:
        play_over_the_socket(house, person)


def play_over_the_socket(house: Serving, person: httpx.Client) -> None:
    table = now(person, "traboulet")
    with wire(house, table, person.cookies["carte"]) as page, wire(house, table) as watcher:
        first = page.hear("view")["view"]
        assert first["you"] == [0]
        page.say(t="contribute", move_id=uuid4().hex, seat=0, contribution="cd" * 16)
        page.hear("ok")
        found = page.view_with_legal()
        person_gave, program_gave = found["dice"]["contributions"]
        assert person_gave == {"seat": 0, "bytes": "cd" * 16}
        assert program_gave == {"seat": 1, "bytes": mixture([(0, b"\xcd" * 16)]).hex()}
        move = {"t": "play", "move_id": uuid4().hex, "seat": 0, "tokens": [found["legal"][0]["token"]], "seq": found["seq"]}
        page.say(**move)
        confirmed = page.hear("ok")
        assert confirmed["move_id"] == move["move_id"]
        page.say(**move)
        assert page.hear("ok") == confirmed
        after = page.view_with_legal(confirmed["seq"])
        assert [line["seat"] for line in after["record"]] == [0, 1]
        seen = watcher.hear("view")["view"]
        while seen["seq"] < after["seq"]:
            seen = watcher.hear("view")["view"]
        assert seen["hash"] == after["hash"]
        assert seen["legal"] == []
        assert seen["you"] == []


def test_a_refusal_is_told_to_the_player_alone(house: Serving, person: httpx.Client) -> None:
    table = now(person, "traboulet")
    wait_for(person, table, "legal")
    with wire(house, table, person.cookies["carte"]) as page, wire(house, table) as watcher:
        page.hear("view")
        watcher.hear("view")
        page.say(t="play", move_id=uuid4().hex, seat=0, tokens=["d4d5"])
        refused = page.hear("no")
        assert refused["code"] == "rules"
        assert "2.1" in refused["paragraphs"]
        assert "d4" in refused["cells"]
        assert refused["text"]
        watcher.say(t="ping")
        assert json.loads(watcher.socket.recv(timeout=WAIT))["t"] == "pong"


@pytest.mark.parametrize("token", [[], ["A" * 43], ["short"], ["A" * 43] * 8])
def test_a_wrong_token_moves_nothing(house: Serving, person: httpx.Client, token: list[str]) -> None:
    table = now(person, "traboulet")
    found = wait_for(person, table, "legal")
    with wire(house, table, tokens=token) as stranger:
        assert stranger.hear("view")["view"]["you"] == []
        stranger.say(t="play", move_id=uuid4().hex, seat=0, tokens=[found["legal"][0]["token"]])
        assert stranger.hear("no")["code"] == "token"
        for name in ("resign", "take_back", "draw", "leave", "hint", "abandon", "stop", "say", "rematch", "invite", "text"):
            stranger.say(t=name, move_id=uuid4().hex, seat=0)
            assert stranger.hear("no", "ok")["code"] == "token", name
        for name in ("fill", "start"):
            stranger.say(t=name, move_id=uuid4().hex)
            assert stranger.hear("no", "ok")["code"] == "token", name
    assert view(person, table)["seq"] == found["seq"]


def test_a_program_shows_its_token_in_the_greeting(house: Serving) -> None:
    with house.bot() as bot:
        opened = bot.post("/tables", json={"game": "traboulet", "sitting": "open"}).json()
        table = opened["table"]
        seats = [bot.post(f"/tables/{table}/seats", json={"seat": seat, "contribution": "ab" * 16}).json() for seat in (0, 1)]
    with wire(house, table, tokens=[seats[0]["token"]]) as one:
        found = one.view_with_legal()
        one.say(t="play", move_id=uuid4().hex, seat=0, tokens=[found["legal"][0]["token"]])
        assert one.hear("ok")["seq"] == found["seq"] + 1


@pytest.mark.parametrize(("language", "said"), [("fr", "bille blanche"), ("en", "white marble"), ("", "bille blanche")])
def test_the_views_are_in_the_language_of_the_greeting(house: Serving, person: httpx.Client, language: str, said: str) -> None:
    """A browser need not ask for the same language with the socket as it did for the page."""
    table = now(person, "traboulet")
    with wire(house, table, language=language) as page:
        assert said in json.dumps(page.hear("view")["view"], ensure_ascii=False).lower()


def test_a_language_that_is_not_ours_is_refused(house: Serving, person: httpx.Client) -> None:
    with wire(house, now(person, "traboulet"), language="de") as page:
        assert page.hear("no")["code"] == "unreadable"


def test_whoever_comes_back_sees_the_table_as_it_is(house: Serving, person: httpx.Client) -> None:
    table = now(person, "traboulet")
    found = wait_for(person, table, "legal")
    carte = person.cookies["carte"]
    with wire(house, table, carte) as page:
        page.hear("view")
    person.post(f"/t/{table}/do", data={"t": "play", "tokens": found["legal"][0]["token"], "seat": "0"})
    with wire(house, table, carte) as again:
        assert again.hear("view")["view"]["seq"] > found["seq"]


def test_a_socket_opens_only_from_the_origin_of_the_house(house: Serving, person: httpx.Client) -> None:
    table = now(person, "traboulet")
    address = f"ws://127.0.0.1:{house.port}/ws/{table}"
    cookie = {"cookie": f"carte={person.cookies['carte']}"}
    for origin in [*variants(house.base), None]:
        with pytest.raises(InvalidStatus) as refused:
            connect(address, origin=Origin(origin) if origin is not None else None, additional_headers=cookie)
        assert refused.value.response.status_code == 403, origin
    with connect(address, origin=Origin(house.base), additional_headers=cookie) as socket:
        socket.send('{"t":"hello"}')
        assert json.loads(socket.recv(timeout=WAIT))["t"] == "view"


def test_a_table_that_is_not_there_closes_the_socket(house: Serving) -> None:
    with wire(house, "A" * 16, hello=False) as nobody:
        assert nobody.closing_code() == 4404


def test_a_frame_over_16_kilobytes_closes_the_socket(house: Serving, person: httpx.Client) -> None:
    table = now(person, "traboulet")
    with wire(house, table) as one:
        one.hear("view")
        one.socket.send("x" * 17000)
        assert one.closing_code() == 1009


def test_a_flood_of_frames_closes_the_socket(house: Serving, person: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock stands still: on a slow machine the flood would be none."""
    sockets = house.guard.app.state.sockets  # type: ignore[attr-defined]
    monkeypatch.setattr(sockets, "clock", lambda: 0.0)
    table = now(person, "traboulet")
    with wire(house, table) as one:
        with suppress(ConnectionClosed):
            for _ in range(int(BURST) + 1):
                one.say(t="ping")
        assert one.closing_code() == 4429


@pytest.fixture(scope="module")
def target(running_house: Serving) -> Iterator[tuple[Serving, str, str]]:
    """Give a table where it is a person's turn, and the person's carte."""
    with running_house.person() as client:
        table = now(client, "traboulet")
        wait_for(client, table, "legal")
        yield running_house, table, client.cookies["carte"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(["t", "move_id", "seat", "tokens", "seq", "what", "yes", "phrase", "text", "level", "contribution", "hash", "extra"])
KINDS = st.sampled_from(["hello", "ping", "view", "ok", "do", "", *TAGS])
MESSAGES = st.fixed_dictionaries(
    {"t": KINDS},
    optional={
        "move_id": st.text(max_size=70) | st.just("a-fine-number-1"),
        "seat": st.integers(-2, 70) | JSON,
        "tokens": st.lists(st.text(max_size=45), max_size=3) | JSON,
        "seq": st.integers() | JSON,
        "what": st.sampled_from(Ask) | JSON,
        "extra": JSON,
    },
)
FRAMES = (
    MESSAGES.map(lambda fields: json.dumps(fields).encode())
    | st.dictionaries(NAMES, JSON).map(lambda fields: json.dumps(fields).encode())
    | st.binary(max_size=300)
    | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace"))
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(frames=st.lists(st.tuples(FRAMES, st.booleans()), min_size=1, max_size=8))
def test_no_frame_of_a_stranger_breaks_anything(target: tuple[Serving, str, str], frames: list[tuple[bytes, bool]]) -> None:
    house, table, _ = target
    before = commit_count(house, table)
    with wire(house, table) as one:
        one.hear("view")
        for frame, as_text in frames:
            one.socket.send(frame.decode("utf-8", "replace") if as_text else frame)
        one.say(t="ping")
        one.hear("pong")
    assert commit_count(house, table) == before


def commit_count(house: Serving, table: str) -> int:
    """Return the number of the last event."""
    state = httpx.get(f"{house.base}/api/v1/tables/{table}/state", params={"since": 10**6})
    assert state.status_code == 200
    return int(state.json()["view"]["seq"])


def test_a_greeting_must_come_first_and_a_bad_one_is_told(house: Serving, person: httpx.Client) -> None:
    table = now(person, "traboulet")
    with wire(house, table, hello=False) as one:
        one.say(t="play", move_id=uuid4().hex, seat=0, tokens=["a1a2"])
        assert one.hear("no")["code"] == "unreadable"
        one.say(t="hello", seq=-1, surprise=1)
        assert one.hear("no")["code"] == "unreadable"
        one.say(t="hello")
        assert one.hear("view")
