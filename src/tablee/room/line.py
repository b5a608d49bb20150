"""The line to a house: requests with their answers, and the stream of events, with the standard library alone."""

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from tablee.core.errors import TableeError, shown
from tablee.tables.events import Event, read_line

SECONDS = 60.0
TRIES = 8
LONGEST_WAIT = 20.0


class RoomError(TableeError):
    """What the house refuses, or cannot answer; `code` is its code, such as `rules`, `token` or `no_table`."""

    def __init__(self, text: str, code: str = "") -> None:
        """Keep the sentence and the code."""
        super().__init__(text)
        self.code = code


class Line:
    """Requests to one house, in one language, with the token of a seat once there is one."""

    def __init__(self, base: str, language: str) -> None:
        """Talk with the house at an address such as http://127.0.0.1:8080."""
        self.base = base
        self.headers = {"Accept-Language": language, "Content-Type": "application/json"}

    def show(self, token: str) -> None:
        """Show a token from now on."""
        self.headers["Authorization"] = f"Bearer {token}"

    def ask(self, path: str, body: dict[str, object] | None = None) -> dict[str, Any]:
        """Return the answer to a request; a busy house is asked again, and a refusal is an error with its sentence."""
        data = None if body is None else json.dumps(body).encode()
        for tried in range(TRIES):
            request = urllib.request.Request(f"{self.base}/api/v1/{path}", data, self.headers)
            try:
                with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                    return read_object(answer.read())
            except urllib.error.HTTPError as error:
                with error:
                    if error.code not in (429, 503) or tried == TRIES - 1:
                        raise refused(error) from error
                    time.sleep(min(LONGEST_WAIT, float(error.headers.get("retry-after") or 2**tried / 4)))
            except (urllib.error.URLError, OSError, http.client.HTTPException) as error:
                if tried == TRIES - 1 or isinstance(getattr(error, "reason", error), ConnectionRefusedError):
                    raise RoomError(f"the house at {shown(self.base)} does not answer: {why(error)}", "line") from error
                time.sleep(min(LONGEST_WAIT, 2**tried / 4))
        raise AssertionError("every try returns or raises")

    def events(self, table: str, since: int) -> Iterator[Event]:
        """Give the events of a table from a number on as they happen, until it is over; a line that breaks is taken up again."""
        failures = 0
        while True:
            request = urllib.request.Request(f"{self.base}/api/v1/tables/{table}/events?since={since}", headers=self.headers)
            try:
                with urllib.request.urlopen(request, timeout=SECONDS) as stream:
                    for raw in stream:
                        if raw.startswith(b"data:"):
                            event = read_line(since, raw.removeprefix(b"data:").decode().strip())
                            since, failures = event.seq + 1, 0
                            yield event
                    return
            except urllib.error.HTTPError as error:
                with error:
                    if error.code not in (429, 503):
                        raise refused(error) from error
            except (urllib.error.URLError, OSError, http.client.HTTPException) as error:
                if failures >= TRIES:
                    raise RoomError(f"the house at {shown(self.base)} does not answer: {why(error)}", "line") from error
            failures += 1
            time.sleep(min(LONGEST_WAIT, 2**failures / 4))


def why(error: Exception) -> str:
    """Return why nothing came over the line, in the words of the operating system where it was asked."""
    reason = getattr(error, "reason", error)
    return getattr(reason, "strerror", None) or str(reason)


def read_object(data: bytes) -> dict[str, Any]:
    """Return the fields of an answer."""
    try:
        fields = json.loads(data)
    except ValueError as error:
        raise RoomError(f"the answer {shown(data[:60].decode(errors='replace'))} is no JSON: is this a house of Tablée?", "line") from error
    if not isinstance(fields, dict):
        raise RoomError(f"the answer {shown(str(fields))} has no fields: is this a house of Tablée?", "line")
    return fields


def refused(error: urllib.error.HTTPError) -> RoomError:
    """Return the error of a refusal, with the sentence of the house."""
    try:
        wrong = json.loads(error.read())["error"]
        return RoomError(str(wrong["text"]), str(wrong["code"]))
    except (ValueError, LookupError, TypeError):
        return RoomError(f"the house answers {error.code} {error.reason}", str(error.code))


def split_url(url: str) -> tuple[str, str, str]:
    """Return the address of the house, the table and the invitation of a URL such as a friend sends it; what is missing is empty."""
    parts = urlsplit(url if "://" in url else f"http://{url}")
    words = parts.path.strip("/").split("/") if parts.path.strip("/") else []
    if parts.scheme not in ("http", "https") or not parts.hostname or (words and (words[0] != "t" or len(words) not in (2, 4))):
        raise RoomError(f"{shown(url)} is no table: expected http://HOUSE/t/TABLE, or with /join/INVITATION after it", "url")
    if len(words) == 4 and words[2] != "join":
        raise RoomError(f"{shown(url)} is no invitation: expected http://HOUSE/t/TABLE/join/INVITATION", "url")
    table, invitation = (*words[1::2], "", "")[:2]
    return f"{parts.scheme}://{parts.netloc}", table, invitation
