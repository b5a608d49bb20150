"""The door of a house in a browser tab: requests and sockets come as messages, and cookies are kept here, since a service worker can set none."""

import asyncio
import json
from collections.abc import Callable
from contextlib import AsyncExitStack
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tablee.core.errors import TableeError
from tablee.core.words import LANGUAGES
from tablee.local.disk import Batch, Disk
from tablee.local.games import NAME, counted, export_games, holder_of, import_games
from tablee.local.log import LocalLog
from tablee.locale.errors import in_language
from tablee.store.log import StoreError
from tablee.web.app import make_app
from tablee.web.engine_pool import Players
from tablee.web.guard import Guard
from tablee.web.settings import Settings
from tablee.web.visitors import cookie_name
from tablee.web.words import wanted_language

JAR = "jar"
EXPORT, IMPORT = "/local/export", "/local/import"
JSON = [("content-type", "application/json")]
# What a visitor's browser says of itself to a server, and a service worker may pass on.
PASSED = ("accept", "content-type", "if-none-match")
GONE = 1001
Answer = tuple[int, list[tuple[str, str]], bytes]


class Door:
    """The application behind its guard, and the cookies of the one browser that it knows."""

    def __init__(self, guard: Guard, disk: Disk, log: LocalLog, address: str, languages: str, jar: dict[str, str]) -> None:
        """Stand at an address; `languages` is what the browser prefers, as it tells a server."""
        parts = urlsplit(address)
        self.guard = guard
        self.disk = disk
        self.log = log
        self.scheme, self.host, self.root = parts.scheme, parts.netloc, parts.path.rstrip("/")
        self.languages = languages
        self.jar = jar
        self.rest = AsyncExitStack()
        self.keeping = asyncio.Lock()

    @classmethod
    async def open(cls, address: str, languages: str, disk: Disk, players: Players, *, plain: bool = False, elsewhere: str = "") -> "Door":
        """Read everything that the browser keeps, and open the house; `elsewhere` is a house with a server to point to."""
        rows = await disk.read()
        jar = json.loads(rows.pop(JAR, "{}"))
        log = LocalLog(disk, rows)
        name = (urlsplit(address).hostname or "").lower()
        guard = make_app(Settings(names=(name,), grace_seconds=0.5, alone=True, plain=plain, elsewhere=elsewhere), log, players)
        door = cls(guard, disk, log, address, languages, jar)
        application: Any = guard.app
        await door.rest.enter_async_context(application.router.lifespan_context(application))
        return door

    @property
    def language(self) -> str:
        """The language that the visitor has chosen, or else the browser prefers."""
        chosen = self.jar.get("language", "")
        return chosen if chosen in LANGUAGES else wanted_language(self.languages)

    async def close(self) -> None:
        """Close the house."""
        await self.rest.aclose()

    def scope(self, kind: str, path: str, query: str, headers: list[tuple[str, str]]) -> dict[str, Any]:
        """Return the ASGI scope of a request."""
        own = {"host": self.host, "origin": f"{self.scheme}://{self.host}", "sec-fetch-site": "same-origin", "accept-language": self.languages}
        passed = {name.lower(): value for name, value in headers if name.lower() in PASSED}
        cookies = {"cookie": "; ".join(f"{name}={value}" for name, value in self.jar.items())} if self.jar else {}
        return {
            "type": kind,
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "scheme": self.scheme if kind == "http" else self.scheme.replace("http", "ws"),
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": self.root,
            "headers": [(name.encode(), value.encode("latin-1", "replace")) for name, value in {**passed, **own, **cookies}.items()],
            "client": ("127.0.0.1", 0),
            "server": (self.host, None),
        }

    async def request(self, method: str, path: str, query: str, headers: list[tuple[str, str]], body: bytes) -> Answer:
        """Return the answer to a request; its cookies are kept before it goes out."""
        sent: list[dict[str, Any]] = []
        waiting = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if waiting:
                return waiting.pop()
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: Any) -> None:
            sent.append(message)

        if path in (self.root + EXPORT, self.root + IMPORT):
            return await self.games(method, path, query, body)
        await self.guard(self.scope("http", path, query, headers) | {"method": method}, receive, send)
        shown = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in sent[0]["headers"]]
        await self.keep_cookies([value for name, value in shown if name.lower() == "set-cookie"])
        content = b"".join(message.get("body", b"") for message in sent[1:])
        return int(sent[0]["status"]), [(name, value) for name, value in shown if name.lower() != "set-cookie"], content

    async def games(self, method: str, path: str, query: str, body: bytes) -> Answer:
        """Give all games as one file, or take such a file back; errors call the file by the name that the visitor gave it."""
        name = cookie_name(self.scheme == "https")
        if path == self.root + EXPORT:
            headers = [("content-type", "application/jsonl"), ("content-disposition", f'attachment; filename="{NAME}"')]
            return 200, headers, await export_games(self.log, self.jar.get(name, ""))
        if method != "POST":
            return 405, [], b""
        try:
            empty = not await self.log.tables()
            made = counted(*await import_games(self.log, body, (parse_qs(query).get("name") or [NAME])[0]))
        except (TableeError, UnicodeError) as error:
            return 422, JSON, json.dumps({"error": {"text": in_language(str(error), self.language)}}).encode()
        if empty and holder_of(body):  # the seats are held by the card of the file
            await self.keep_cookies([f"{name}={holder_of(body)}"])
        return 200, JSON, made

    async def keep_cookies(self, lines: list[str]) -> None:
        """Keep the cookies of an answer, and drop expired ones. A lock keeps requests at the same time apart."""
        async with self.keeping:
            await self.keep_lines(lines)

    async def keep_lines(self, lines: list[str]) -> None:
        """Write what `Set-Cookie` lines change, then hold it as true."""
        jar = dict(self.jar)
        for line in lines:
            for name, morsel in SimpleCookie(line).items():
                if morsel["max-age"] == "0" or not morsel.value:
                    jar.pop(name, None)
                else:
                    jar[name] = morsel.value
        if jar != self.jar:
            try:
                await self.disk.write(Batch(put={JAR: json.dumps(jar)}))
            except OSError as error:
                raise StoreError(f"the browser has not written it: {error}") from error
            self.jar = jar

    def socket(self, path: str, say: Callable[[str], None], ended: Callable[[int], None]) -> "Socket":
        """Open a socket: `say` takes each frame of the house, `ended` the code with which it closes."""
        return Socket(self, path, say, ended)


class Socket:
    """One socket of a page, over a port instead of a network."""

    def __init__(self, door: Door, path: str, say: Callable[[str], None], ended: Callable[[int], None]) -> None:
        """Connect."""
        self.say = say
        self.ended = ended
        self.frames: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.frames.put_nowait({"type": "websocket.connect"})
        self.over = False
        self.work = asyncio.ensure_future(self.serve(door, door.scope("websocket", path, "", []) | {"subprotocols": []}))

    async def serve(self, door: Door, scope: dict[str, Any]) -> None:
        """Run the application until the house or the page ends the socket."""
        try:
            await door.guard(scope, self.frames.get, self.send)
        finally:
            self.end(1000)

    async def send(self, message: Any) -> None:
        """Pass on what the house sends."""
        match message["type"]:
            case "websocket.send":
                self.say(message.get("text") or message["bytes"].decode())
            case "websocket.close":
                self.end(int(message.get("code", 1000)))

    def receive(self, text: str) -> None:
        """Take a frame of the page."""
        self.frames.put_nowait({"type": "websocket.receive", "text": text})

    def leave(self) -> None:
        """The page has gone."""
        self.over = True
        self.frames.put_nowait({"type": "websocket.disconnect", "code": GONE})

    def end(self, code: int) -> None:
        """Notify the page, once, that the house has ended it."""
        if not self.over:
            self.over = True
            self.ended(code)
