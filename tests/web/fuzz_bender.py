"""Makes nonsense from good requests and commands."""

import json
from random import Random
from typing import Any
from urllib.parse import quote

from msgspec.structs import fields

from tablee.tables import commands

ODD = "0123456789 /-+.:;=!#*>%&?\t\0\x1c\u2028²٣é\U0001f3b2_,|()[]{}'\"\\<script>"
NUMBERS = (-1, 0, 1, 2, 7, 99, 2**31, 2**53, 2**63, -(2**70), 1.5, 1e308)
VALUES: tuple[Any, ...] = (None, True, "", "x" * 3000, "\u202eabc", [], {}, [[]], {"t": "play"}, "a7b7", "level-3", *NUMBERS)
PLAUSIBLE: dict[str, tuple[Any, ...]] = {
    "seat": (0, 1),
    "tokens": (["a6b6"], ["a7b7"], ["g7f7"], ["g6f6"]),
    "seq": (3, 4, 5, 6),
    "contribution": ("ab" * 16,),
    "name": ("Ana",),
    "level": ("1", "2"),
    "what": ("draw", "abandon", "take_back"),
    "yes": (True, False),
    "phrase": ("hello", "thanks"),
    "invitation": ("i" * 43,),
}
ROUTES = (
    "/",
    "/settings",
    "/me",
    "/me/carry",
    "/me/export",
    "/me/delete",
    "/verify",
    "/docs",
    "/docs/bots",
    "/livez",
    "/readyz",
    "/metrics",
    "/static/table.js",
    "/first/tablan",
    "/g/traboulet",
    "/g/traboulet/now",
    "/g/tablan/from",
    "/r/tabu",
    "/picture/tabu.svg",
    "/play/tabale",
    "/api/v1/games",
    "/api/v1/tables",
    "/api/v1/openapi.json",
    "/t/TABLE",
    "/t/TABLE/do",
    "/t/TABLE/why",
    "/t/TABLE/harder",
    "/t/TABLE/advice",
    "/t/TABLE/record",
    "/t/TABLE/replay",
    "/t/TABLE/join/KEY",
    "/me/carry/KEY",
    "/api/v1/tables/TABLE/seats",
    "/api/v1/tables/TABLE/commands",
    "/api/v1/tables/TABLE/state",
    "/verify?table=TABLE",
)
TYPES = (
    "application/json",
    "application/x-www-form-urlencoded",
    "text/plain",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-7",
    "",
)
# The share of requests that go to these doors with the right token and the right type.
AIMED = 0.3
CHANGING = ("/t/TABLE/do", "/api/v1/tables/TABLE/commands", "/api/v1/tables/TABLE/commands", "/api/v1/tables/TABLE/seats")


class Bender:
    """Makes nonsense from good requests."""

    def __init__(self, seed: int, table: str) -> None:
        """Begin with a seed; `table` is where the good ones would go."""
        self.random, self.table = Random(seed), table

    def command(self) -> dict[str, Any]:
        """Return a command of the union, with plausible values for the fields that it has; sometimes with others too."""
        kind = self.random.choice(commands.PUBLIC)
        known = {field.name for field in fields(kind)}
        if self.random.random() < 0.1:
            known |= {self.random.choice(list(PLAUSIBLE))}
        values = {name: self.random.choice(PLAUSIBLE[name]) for name in PLAUSIBLE if name in known and self.random.random() < 0.7}
        return {"t": commands.tag_of(kind.__name__), **values, "move_id": f"{self.random.getrandbits(64):x}"}

    def body(self) -> bytes:
        """Return a command, or something that was one."""
        made = self.command()
        for _ in range(self.random.randrange(4)):
            name = self.random.choice([*made, "x", "t", "seats", "game", "options"])
            if self.random.random() < 0.3:
                made.pop(name, None)
            else:
                made[name] = self.random.choice(VALUES)
        text = json.dumps(made)
        if self.random.random() < 0.3:
            text = self.bent(text)
        if self.random.random() < 0.02:
            text = "[" * 5000
        raw = text.encode(errors="replace")
        return raw[: self.random.randrange(len(raw) + 1)] + b"\xff\xfe" if self.random.random() < 0.05 else raw

    def bent(self, text: str) -> str:
        """Return a text with a few letters changed."""
        for _ in range(self.random.randrange(1, 4)):
            at = self.random.randrange(len(text) + 1)
            text = text[:at] + self.random.choice(ODD) + text[at + self.random.randrange(3) :]
        return text

    def form(self) -> bytes:
        """Return a form, good or bad."""
        given = self.command()
        given |= {"tokens": " ".join(given["tokens"])} if "tokens" in given else {}
        return "&".join(f"{name}={quote(str(value))}" for name, value in given.items()).encode()

    def request(self, token: str) -> bytes:
        """Return a request as bytes, for a connection that is kept; some of them are aimed at the doors that change something."""
        if self.random.random() < AIMED:
            path = self.random.choice(CHANGING).replace("TABLE", self.table)
            kind, body = (TYPES[1], self.form()) if path.startswith("/t/") else (TYPES[0], self.body())
            return self.written("POST", path, kind, body, [f"Authorization: Bearer {token}", "Origin: http://127.0.0.1"])
        path = self.random.choice(ROUTES).replace("TABLE", self.random.choice((self.table, self.table, "x" * 16, "%00"))).replace("KEY", "k" * 43)
        if self.random.random() < 0.3:
            path = "/" + quote(self.bent(path[1:]), safe="/?=&%#")
        method = self.random.choice(("GET", "GET", "POST", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"))
        kind = self.random.choice(TYPES)
        body = b"" if method == "GET" else self.random.choice((self.body, self.body, self.form, lambda: b""))()
        return self.written(method, path, kind, body, self.headers(token))

    def written(self, method: str, path: str, kind: str, body: bytes, headers: list[str]) -> bytes:
        """Return a request as it is sent."""
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}", *headers]
        if kind:
            lines.append(f"Content-Type: {kind}")
        return "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n" + body

    def headers(self, token: str) -> list[str]:
        """Return some headers, true or not."""
        shown = [f"Authorization: Bearer {token if self.random.random() < 0.7 else 'x' * 43}"] if self.random.random() < 0.8 else []
        if self.random.random() < 0.8:
            shown.append("Origin: http://127.0.0.1")
        offered = {
            "Origin": self.random.choice(("http://127.0.0.1", "null", "https://evil.example")),
            "Cookie": self.random.choice(("carte=" + "c" * 43, "carte=", "language=xx; theme=\x7f", "a" * 500)),
            "Accept-Language": self.random.choice(("fr", "xx;q=9", "," * 300)),
            "Range": "bytes=0-1,5-2",
            "Last-Event-ID": self.random.choice(("-1", "9" * 30, "x")),
            "Sec-Fetch-Site": self.random.choice(("same-origin", "cross-site")),
        }
        return shown + [f"{name}: {value}" for name, value in offered.items() if self.random.random() < 0.08]
