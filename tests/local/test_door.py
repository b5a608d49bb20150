"""The house of a browser tab, without the browser: its door, its cookies, its log and its players in this process."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from html import unescape
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

import pytest

import tablee
from tablee import catalog, game
from tablee.catalog import OURS
from tablee.local.disk import Batch, NoDisk
from tablee.local.door import JAR, Door
from tablee.local.log import LocalLog
from tablee.local.players import LocalPlayers
from tablee.local.thinking import Player
from tablee.players.levels import level as named_level
from tablee.tables.events import EventKind
from tablee.tables.levels import levels, player_name
from tablee.tables.payloads import Seated, payload_as
from tablee.web.engine_pool import MoveRequest
from tablee.web.levels import PLAIN_NODES

ADDRESS = "https://example.org/games/app"
ROOT = "/games/app"
FORM = [("content-type", "application/x-www-form-urlencoded")]
T = TypeVar("T")


class FullDisk(NoDisk):
    """A disk that has no room from some moment on."""

    full = False

    async def write(self, batch: Batch, *, strict: bool = True) -> None:
        """Write, while there is room."""
        if self.full:
            raise OSError("QuotaExceededError")
        await super().write(batch, strict=strict)


def visited(disk: NoDisk, work: Callable[[Door], Awaitable[T]], *, silent: bool = False, plain: bool = False, elsewhere: str = "") -> T:
    """Open a house over a disk, do something at its door, close it."""

    async def whole() -> T:
        player = Player()

        async def ask(line: str, seconds: float) -> str:
            return "" if silent else player.answer(line)

        door = await Door.open(ADDRESS, "fr,en", disk, LocalPlayers(ask, compiled=not plain), plain=plain, elsewhere=elsewhere)
        await asyncio.sleep(0)  # the house begins what it does by itself
        try:
            return await work(door)
        finally:
            await door.close()

    return asyncio.run(whole())


async def opened(door: Door, game: str = "traboulet") -> str:
    """Open a table against the computer and return its path."""
    status, headers, _ = await door.request("POST", f"{ROOT}/g/{game}/now", "", FORM, b"")
    assert status == 303
    return dict(headers)["location"]


async def seen(door: Door, path: str) -> str:
    """Return a page."""
    status, _, body = await door.request("GET", path, "", [], b"")
    assert status == 200, path
    return body.decode()


class Page:
    """A page that listens at a table."""

    def __init__(self, door: Door, path: str) -> None:
        self.heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.closed: list[int] = []
        table = path.removeprefix(f"{ROOT}/t/")
        self.line = door.socket(f"{ROOT}/ws/{table}", lambda text: self.heard.put_nowait(json.loads(text)), self.closed.append)
        self.say(t="hello", seq=-1, language="en")

    def say(self, **message: object) -> None:
        """Send a message."""
        self.line.receive(json.dumps(message))

    async def until(self, found: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Return the first message that is wanted."""
        while True:
            message = await self.heard.get()
            if found(message):
                return message


def test_a_game_is_played_and_goes_on_after_a_restart() -> None:
    disk = NoDisk()

    async def first(door: Door) -> tuple[str, str]:
        path = await opened(door)
        page = Page(door, path)
        view = (await page.until(lambda message: message["t"] == "view"))["view"]
        page.say(t="start", seat=0, move_id="s")
        act = {"t": "play", "seat": 0, "tokens": ["a7b7"], "move_id": "m1"}
        if view["phase"] != "playing":
            await page.until(lambda message: message.get("phase") == "playing" or message.get("view", {}).get("phase") == "playing")
        page.say(**act)
        answer = await page.until(lambda message: message.get("move_id") == "m1")
        assert answer["t"] == "ok"
        await page.until(lambda message: any(turn["seat"] == 1 for turn in message.get("turns", [])))
        page.line.leave()
        return path, answer["hash"]

    path, digest = visited(disk, first)

    async def second(door: Door) -> None:
        assert 'lang="fr"' in await seen(door, path)
        log: LocalLog = door.log
        events = await log.events(path.rpartition("/")[2])
        assert [event.hash for event in events if event.move_id == "m1"] == [digest]
        assert [event.seat for event in events if event.kind == EventKind.ACTED][:2] == [0, 1]
        assert path in await seen(door, f"{ROOT}/")
        assert (await log.check()).wrong == ()

    visited(disk, second)


def test_the_card_and_the_settings_of_the_browser_are_kept_here() -> None:
    disk = NoDisk()

    async def choose(door: Door) -> None:
        await opened(door)
        await door.request("POST", f"{ROOT}/settings", "", FORM, b"language=en&theme=dark")

    async def look(door: Door) -> None:
        home = await seen(door, f"{ROOT}/")
        assert '<html lang="en" data-theme="dark"' in home
        assert 'class="going-on"' in home
        await door.request("POST", f"{ROOT}/settings", "", FORM, b"language=")
        assert '<html lang="fr"' in await seen(door, f"{ROOT}/")

    visited(disk, choose)
    assert set(json.loads(disk.rows[JAR])) == {"__Host-carte", "language", "theme"}
    visited(disk, look)


def test_no_cookie_reaches_a_page_and_no_page_may_be_framed_by_others() -> None:
    async def look(door: Door) -> None:
        _, headers, _ = await door.request("POST", f"{ROOT}/g/tabu/now", "", FORM, b"")
        names = {name.lower() for name, _ in headers}
        assert "set-cookie" not in names
        policy = dict(headers)["content-security-policy"]
        assert "frame-ancestors 'self'" in policy
        assert "script-src 'self';" in policy
        assert "trusted-types 'none'" in policy

    visited(NoDisk(), look)


class SlowDisk(NoDisk):
    """A disk that takes its time."""

    async def write(self, batch: Batch, *, strict: bool = True) -> None:
        """Write after others had their turn."""
        await asyncio.sleep(0)
        await super().write(batch, strict=strict)


def test_two_requests_at_once_lose_no_cookie() -> None:
    disk = SlowDisk()

    async def both(door: Door) -> None:
        await asyncio.gather(door.keep_cookies(["one=1"]), door.keep_cookies(["two=2"]))
        assert {"one", "two"} <= door.jar.keys()
        assert json.loads(disk.rows[JAR]) == door.jar

    visited(disk, both)


def test_what_has_no_room_is_refused_and_comes_nowhere() -> None:
    disk = FullDisk()

    async def work(door: Door) -> None:
        path = await opened(door)
        page = Page(door, path)
        await page.until(lambda message: "playing" in json.dumps(message))
        before = dict(disk.rows)
        disk.full = True
        page.say(t="play", seat=0, tokens=["a7b7"], move_id="m1")
        answer = await page.until(lambda message: message.get("move_id") == "m1")
        assert (answer["t"], answer["code"]) == ("no", "store")
        assert disk.rows == before
        disk.full = False
        page.say(t="play", seat=0, tokens=["a7b7"], move_id="m1")
        assert (await page.until(lambda message: message.get("move_id") == "m1"))["t"] == "ok"
        page.line.leave()

    visited(disk, work)


def test_a_player_that_does_not_answer_keeps_nobody_waiting() -> None:
    async def work(door: Door) -> None:
        page = Page(door, await opened(door))
        await page.until(lambda message: "playing" in json.dumps(message))
        page.say(t="play", seat=0, tokens=["a7b7"], move_id="m1")
        await page.until(lambda message: any(turn["seat"] == 1 for turn in message.get("turns", [])))
        page.line.leave()

    visited(NoDisk(), work, silent=True)


@pytest.mark.parametrize("game", ["traboulet", "tabale", "tabaijana", "tablan", "tabu"])
def test_every_page_of_a_game_opens_below_its_path(game: str) -> None:
    async def look(door: Door) -> None:
        path = await opened(door, game)
        for page in (
            f"{ROOT}/g/{game}",
            f"{ROOT}/r/{game}",
            f"{ROOT}/first/{game}",
            path,
            f"{path}/replay",
            f"{ROOT}/me",
            f"{ROOT}/settings",
            f"{ROOT}/verify",
        ):
            html = await seen(door, page)
            assert f'src="{ROOT}/static/socket.js"' in html
            assert [link for link in re.findall(r'\b(?:href|src|action)="(/[^"]*)"', html) if not link.startswith(ROOT)] == []

    visited(NoDisk(), look)


def links(html: str, path: str) -> set[str]:
    """Return what a page leads to, loads or draws; a link that is a query alone stays on its page."""
    found = {unescape(link) for link in re.findall(r'\b(?:href|src|data-essentials)="([^"#]+)', html)}
    return {path + link if link.startswith("?") else link for link in found}


def test_every_link_of_every_page_leads_somewhere() -> None:
    below = {path.name for folder in ("web", "local") for path in (Path(tablee.__file__).parent / folder / "static").iterdir()}
    prints = {f"print/{language}/{slug}.pdf" for language in ("fr", "en") for slug in OURS}

    async def walk(door: Door) -> int:
        path = await opened(door, "tablan")
        await Page(door, path).until(lambda message: "playing" in json.dumps(message))
        waiting, walked = {f"{ROOT}/"}, set[str]()
        while waiting - walked:
            link = (waiting - walked).pop()
            walked.add(link)
            file = link.removeprefix(f"{ROOT}/static/")
            if file != link or link == f"{ROOT}/../docs/fr/index.html":
                assert file == link or file in below | prints, link
                continue
            assert link.startswith(f"{ROOT}/"), link
            where, _, query = link.partition("?")
            status, headers, body = await door.request("GET", where, query, [], b"")
            assert status in (200, 303), link
            waiting |= {dict(headers)["location"]} if status == 303 else set()
            waiting |= links(body.decode(), where) if "html" in dict(headers).get("content-type", "") else set()
        return len(walked)

    assert visited(NoDisk(), walk) > 60  # how many more depends on how far the program plays meanwhile


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_game_to_print_is_a_file_of_the_site(language: str) -> None:
    async def look(door: Door) -> None:
        await door.request("POST", f"{ROOT}/settings", "", FORM, f"language={language}".encode())
        for page in ("g", "r"):
            assert f'href="{ROOT}/r/tablan/print.pdf" download' in await seen(door, f"{ROOT}/{page}/tablan")
        status, headers, _ = await door.request("GET", f"{ROOT}/r/tablan/print.pdf", "", [], b"")
        assert (status, dict(headers)["location"]) == (303, f"{ROOT}/static/print/{language}/tablan.pdf")
        assert (await door.request("GET", f"{ROOT}/r/chess/print.pdf", "", [], b""))[0] == 404

    visited(NoDisk(), look)


def test_nothing_is_shared_by_a_link_and_nobody_is_waited_for() -> None:
    """A link to a table of this browser leads nowhere for anybody else."""

    async def look(door: Door) -> None:
        path = await opened(door)
        record = tablee.record(game("traboulet").start().play("a7b7"))
        for page in (path, f"{path}/replay", f"{ROOT}/take", f"{ROOT}/me"):
            html = await seen(door, page)
            assert "data-share" not in html, page
            assert 'value="friends"' not in html, page
        for others, status in (("friends", 422), ("here", 303)):
            sent = urlencode({"record": record, "others": others}).encode()
            assert (await door.request("POST", f"{ROOT}/take", "", FORM, sent))[0] == status
        newest = (await door.log.tables())[-1]
        seated = [payload_as(event, Seated).player for event in await door.log.events(newest) if event.kind == EventKind.SEATED]
        assert seated == ["person", "person"]

    visited(NoDisk(), look)


def test_a_socket_at_no_table_is_closed_with_the_reason() -> None:
    async def work(door: Door) -> None:
        page = Page(door, f"{ROOT}/t/{'A' * 16}")
        while not page.closed:
            await asyncio.sleep(0.01)
        assert page.closed == [4404]

    visited(NoDisk(), work)


def test_all_games_go_to_another_browser_in_one_file_and_go_on_there() -> None:
    async def leave(door: Door) -> tuple[str, bytes]:
        path = await opened(door)
        status, headers, file = await door.request("GET", f"{ROOT}/local/export", "", [], b"")
        assert status == 200
        assert "attachment" in dict(headers)["content-disposition"]
        return path, file

    path, file = visited(NoDisk(), leave)

    async def arrive(door: Door) -> None:
        assert json.loads((await door.request("POST", f"{ROOT}/local/import", "", [], file))[2]) == {"tables": 1, "known": 0}
        assert json.loads((await door.request("POST", f"{ROOT}/local/import", "", [], file))[2]) == {"tables": 0, "known": 1}
        page = Page(door, path)
        await page.until(lambda message: "playing" in json.dumps(message))
        page.say(t="play", seat=0, tokens=["a7b7"], move_id="m1")
        assert (await page.until(lambda message: message.get("move_id") == "m1"))["t"] == "ok"
        page.line.leave()

    visited(NoDisk(), arrive)


@pytest.mark.parametrize("file", [b"", b"nonsense", b'{"tablee":"dump","version":1}\n', b"\xff\xfe"])
def test_what_is_no_file_of_games_changes_nothing(file: bytes) -> None:
    async def work(door: Door) -> None:
        before = dict(door.disk.rows)  # type: ignore[attr-defined]
        status, _, body = await door.request("POST", f"{ROOT}/local/import", "name=my%20games", [], file)
        assert status == 422
        said = json.loads(body)["error"]["text"]
        assert "« my games »" in said or said.startswith("ligne 1 : ")
        assert "/tmp" not in said
        assert {name: row for name, row in door.disk.rows.items() if name != "beat"} == {name: row for name, row in before.items() if name != "beat"}  # type: ignore[attr-defined]

    visited(NoDisk(), work)


def test_an_exported_file_is_taken_by_a_house(tmp_path: Any) -> None:
    from tablee.store.backup import bring_in

    async def leave(door: Door) -> bytes:
        await opened(door)
        return (await door.request("GET", f"{ROOT}/local/export", "", [], b""))[2]

    path = tmp_path / "games"
    path.write_bytes(visited(NoDisk(), leave))
    assert asyncio.run(bring_in(path, "", tmp_path / "house"))[:2] == (1, 1)


@pytest.mark.parametrize(("plain", "sentence"), [(False, "est compilé en WebAssembly"), (True, "est ici en Python ordinaire")])
def test_the_settings_say_which_engine_plays(plain: bool, sentence: str) -> None:
    async def look(door: Door) -> None:
        page = await seen(door, f"{ROOT}/settings")
        assert f"Tablée {tablee.__version__}. Le moteur {sentence}" in page

    visited(NoDisk(), look, plain=plain)


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("plain", [False, True])
def test_a_plain_engine_says_from_which_level_on_it_looks_at_fewer_nodes(slug: str, plain: bool) -> None:
    kind = catalog.kind(slug)
    slow = [number for number, one in enumerate(levels(kind), 1) if not 0 < named_level(kind, player_name(kind, one)).nodes <= PLAIN_NODES]
    assert slow[-1] == len(levels(kind))  # max looks as far as its time allows

    async def look(door: Door) -> None:
        said = re.findall(r"à partir du niveau (\d+)", await seen(door, f"{ROOT}/g/{slug}"))
        assert said == ([str(slow[0])] if plain else [])

    visited(NoDisk(), look, plain=plain)


@pytest.mark.parametrize(("compiled", "seconds"), [(True, 1.0), (False, 2.5)])
def test_a_plain_player_has_more_time(compiled: bool, seconds: float) -> None:
    asked: list[tuple[float, float]] = []

    async def ask(line: str, wait: float) -> str:
        asked.append((json.loads(line)["seconds"], wait))
        return "a7b7"

    state = game("traboulet").start()
    request = MoveRequest(table="t", state=state, seat=0, level="8", group="g")
    assert asyncio.run(LocalPlayers(ask, compiled=compiled).answer(request)) == "a7b7"
    assert asked == [(seconds, seconds + 4)]


@pytest.mark.parametrize("house", ["", "/house", "https://tablee.example"])
def test_what_needs_other_people_is_said_with_the_way_to_a_house(house: str) -> None:
    async def look(door: Door) -> None:
        path = await opened(door)
        for page in (f"{ROOT}/", f"{ROOT}/g/tablan"):
            html = await seen(door, page)
            assert "il faut un site Tablée en ligne" in html
            assert (f'<a href="{house}" target="_top" data-house="{house}">' in html) == bool(house)
            assert ("static/elsewhere.js" in html) == bool(house)
            assert 'value="link"' not in html
            assert 'value="open"' not in html
            assert '<p class="lead">' not in html or "par un lien" not in html.partition('<p class="lead">')[2].partition("</p>")[0]
        table = await seen(door, path)
        assert (f'href="{house}/take" data-hand-over' in table) == bool(house)
        assert ("static/handover.js" in table) == bool(house)

    visited(NoDisk(), look, elsewhere=house)
