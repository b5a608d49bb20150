"""The guard before the application: it checks every HTTP request and every socket, and adds headers to every HTTP answer.

It checks the host name and the rate of every request (health checks have no limit), the origin of sockets and of requests that change
something, and the length of their bodies. What it refuses never reaches the application.
"""

import asyncio
import json
import logging
import re
import time
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Protocol

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tablee.tables.events import single_names
from tablee.web.allowances import Allowances, Unlimited, senders
from tablee.web.metrics import Metrics
from tablee.web.routing import path_in_house

BODY_LIMIT = 16 * 1024
BODY_SECONDS = 10.0
SAFE = ("GET", "HEAD", "OPTIONS")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
# Not `no-referrer`: under it a browser posts a form with `Origin: null`, and the check of the origin would refuse people without JavaScript.
HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
# A house in a browser tab shows its pages in a frame of its own shell.
FRAMED_HEADERS = {
    **HEADERS,
    "content-security-policy": POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
    "x-frame-options": "SAMEORIGIN",
}
SECRET_PATHS = re.compile(r"(/join/|/carry/|/watch/)[^/?#]+")

log = logging.getLogger("tablee.web")


class Complaint(Protocol):
    """Makes the answer to a refused request: a page, or JSON under /api."""

    def __call__(self, request: Request, status: int, detail: str) -> Response:
        """Return the answer."""


class Guard:
    """The ASGI application around the house."""

    def __init__(
        self,
        app: ASGIApp,
        complain: Complaint,
        metrics: Metrics,
        names: tuple[str, ...],
        allowances: Allowances | Unlimited,
        headers: Mapping[str, str] = HEADERS,
    ) -> None:
        """Guard `app`; `complain` makes the answers to refused requests, `headers` go with every answer."""
        self.app = app
        self.complain = complain
        self.metrics = metrics
        self.names = frozenset(name.lower() for name in names)
        self.allowances = allowances
        self.headers = headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, pass on, add the headers, write one line in the log."""
        if scope["type"] == "websocket":
            await self.socket(scope, receive, send)
        elif scope["type"] == "http":
            await self.http(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def http(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        begun = time.perf_counter()
        status = 0

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
                root_redirection(headers, scope)
                if "cache-control" not in headers:
                    headers["cache-control"] = "no-cache" if path_in_house(scope).startswith("/static/") else "no-store"
            await send(message)

        request = Request(scope)
        try:
            answer = await self.refuse(request)
            if answer is not None:
                await answer(scope, receive, send_with_headers)
                return
            body = b"" if scope["method"] in SAFE else await read_body(receive)
            if body is None:
                await self.complain(request, 413, f"expected at most {BODY_LIMIT} bytes")(scope, receive, send_with_headers)
                return
            programs = path_in_house(scope).startswith("/api/")  # their bodies are JSON, whatever type they name
            if body and (programs or "json" in request.headers.get("content-type", "")) and (wrong := doubled(body)):
                await self.complain(request, 422, wrong)(scope, receive, send_with_headers)
                return
            await self.app(scope, replayed(body, receive), send_with_headers)
        except Exception:  # the last resort: the visitor gets a page, the log gets the error
            log.exception("request failed", extra={"facts": {"method": scope["method"], "path": masked(scope["path"])}})
            if not status:
                await self.complain(request, 500, "")(scope, receive, send_with_headers)
        finally:
            seconds = time.perf_counter() - begun
            self.metrics.request(scope["method"], status, seconds)
            facts = {"method": scope["method"], "path": masked(scope["path"]), "status": status, "ms": round(seconds * 1000, 1)}
            log.info("request", extra={"facts": facts})

    async def refuse(self, request: Request) -> Response | None:
        """Return the answer to a request that is refused, or None."""
        headers = request.headers
        if not self.known(headers.get("host", "")):
            return self.complain(request, 421, "this house does not answer to that name")
        if not await self.allowed(request.scope):
            return self.slow_down(request)
        if request.method in SAFE:
            return None
        if foreign(headers, request.url.scheme, api=path_in_house(request.scope).startswith("/api/")):
            return self.complain(request, 403, "the request does not come from a page of this house (Origin)")
        return None

    async def allowed(self, scope: Scope) -> bool:
        """Count a request against its sender's allowance."""
        if path_in_house(scope) in ("/livez", "/readyz", "/metrics"):
            return True
        if not await self.allowances.request(scope):
            return False
        if scope["type"] == "websocket" or scope["method"] in SAFE:
            return True
        return await self.allowances.change(*senders(scope))

    def slow_down(self, request: Request) -> Response:
        """Return the answer to a sender of too many requests."""
        answer = self.complain(request, 429, "too many requests: wait a minute")
        answer.headers["retry-after"] = "20"
        return answer

    def known(self, host: str) -> bool:
        """Return whether the house answers to this name: an address, localhost, or a name it was given (against rebinding)."""
        name = re.sub(r":\d{1,5}$", "", host.lower())
        if name in self.names or name == "localhost" or name.endswith(".localhost"):
            return True
        try:
            ip_address(name.strip("[]"))
        except ValueError:
            return False
        return True

    async def socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a socket in only from a page of the house, or from a program that brings no cookies."""
        headers = Headers(scope=scope)
        scheme = "https" if scope["scheme"] == "wss" else "http"
        if not self.known(headers.get("host", "")) or foreign(headers, scheme, api=True) or not await self.allowed(scope):
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        await self.app(scope, receive, send)


def root_redirection(headers: MutableHeaders, scope: Scope) -> None:
    """Let a redirection to a path of the house lead to the house where it stands, under a path of its own too."""
    if headers.get("location", "").startswith("/"):
        headers["location"] = str(scope.get("root_path", "")).rstrip("/") + headers["location"]


def foreign(headers: Headers, scheme: str, *, api: bool) -> bool:
    """Return whether a change comes from another origin, or from none unless it is a program without cookies."""
    site = headers.get("sec-fetch-site")
    if site is not None and site != "same-origin":
        return True
    origin = headers.get("origin")
    if origin is None:
        return not api or "cookie" in headers
    return origin.lower() != f"{scheme}://{headers.get('host', '').lower()}"


def masked(path: str) -> str:
    """Return a path as the log may keep it: without invitations, links to watch, cartes and control characters."""
    hidden = SECRET_PATHS.sub(r"\1…", path)
    return "".join(letter if letter.isprintable() else "�" for letter in hidden[:200])


async def read_body(receive: Receive) -> bytes | None:
    """Return the body of a request, or None if it is too long or too slow."""
    chunks: list[bytes] = []
    length = 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return None
                length += len(message.get("body", b""))
                if length > BODY_LIMIT:
                    return None
                chunks.append(message.get("body", b""))
                if not message.get("more_body"):
                    return b"".join(chunks)
    except TimeoutError:
        return None


def doubled(body: bytes) -> str:
    """Return what is wrong if an object of a JSON body has a name twice; what is no JSON is refused elsewhere."""
    try:
        json.loads(body, object_pairs_hook=single_names)
    except (UnicodeError, RecursionError, json.JSONDecodeError):
        return ""
    except ValueError as error:
        return str(error)
    return ""


def replayed(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives a body already read, then what comes after it."""
    given = False

    async def again() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again
