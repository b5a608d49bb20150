"""A real house on a loopback port, in this process or in one that can be killed."""

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from tablee.web.app import make_app
from tablee.web.connections import Connections
from tablee.web.guard import Guard
from tablee.web.serve import configured, listen
from tablee.web.settings import Settings

# How long to wait for what must come: far longer than any machine needs.
WAIT = 60.0
HOUSE = ("-c", "from tablee.cli import main; main()")
PATIENT_HOUSE = ("-m", "tests.web.patient_house")
LOADED_HOUSE = ("-m", "tests.web.loaded_house")


class Serving:
    """A house that runs in a thread of this process."""

    def __init__(self, settings: Settings, connections: Connections | None = None) -> None:
        """Start, and wait until it answers."""
        self.clients: list[httpx.Client] = []
        self.guard: Guard = make_app(settings)
        self.listener = listen("127.0.0.1", 0, tries=1)
        self.port: int = self.listener.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        connections = connections or Connections(most=10_000)
        connections.share(self.guard.allowances)
        config = configured(self.guard, uvicorn.Config, connections=connections)
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()
        until = time.monotonic() + WAIT
        while not self.server.started and time.monotonic() < until and self.thread.is_alive():
            time.sleep(0.01)
        assert self.server.started

    def run(self) -> None:
        """Serve until told to stop."""
        asyncio.run(self.server.serve([self.listener]))

    def stop(self) -> None:
        """Stop and wait."""
        self.send_home()
        self.server.should_exit = True
        self.thread.join(WAIT)

    def person(self, language: str = "en") -> httpx.Client:
        """Return a browser of its own: cookies, one origin, one language."""
        headers = {"accept-language": language, "origin": self.base}
        return self.kept(httpx.Client(base_url=self.base, headers=headers, follow_redirects=True, timeout=WAIT))

    def bot(self, token: str = "") -> httpx.Client:
        """Return a program: no cookies, no origin, perhaps a token."""
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return self.kept(httpx.Client(base_url=f"{self.base}/api/v1", headers=headers, timeout=WAIT))

    def kept(self, client: httpx.Client) -> httpx.Client:
        """Remember a client, to be closed after the test."""
        self.clients.append(client)
        return client

    def send_home(self) -> None:
        """Close every client."""
        while self.clients:
            self.clients.pop().close()


def quick(data: Path, **more: Any) -> Settings:
    """Return settings for tests: generous limits, quick players."""
    return Settings(**{"data": data, "allowance": 1000, "engines": 1, "think_seconds": 0.05, "grace_seconds": 0.1, **more})


@contextmanager
def serving(data: Path, connections: Connections | None = None, **more: Any) -> Iterator[Serving]:
    """Give a house for a while."""
    house = Serving(quick(data, **more), connections)
    try:
        yield house
    finally:
        house.stop()


def command(data: Path, port: int = 0, log: str = "warning", house: tuple[str, ...] = HOUSE, more: tuple[str, ...] = ()) -> list[str]:
    """Return `tablee serve` as a command line."""
    words = ["serve", "--data", str(data), "--port", str(port), "--allowance", "10000", "--log", log, "--lang", "en"]
    return [sys.executable, *house, *words, *more]


def environment() -> dict[str, str]:
    """Return an environment in which the package under test is found."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


class Process:
    """`tablee serve` as it is really run, in a process of its own."""

    def __init__(self, data: Path, port: int = 0, *, log: str = "warning", house: tuple[str, ...] = HOUSE, more: tuple[str, ...] = ()) -> None:
        """Start, and wait for the address it prints."""
        self.log_path = data / "serve.log"
        data.mkdir(parents=True, exist_ok=True)
        with self.log_path.open("ab") as errors:
            self.popen = subprocess.Popen(command(data, port, log, house, more), stdout=subprocess.PIPE, stderr=errors, env=environment())
        assert self.popen.stdout is not None
        line = self.popen.stdout.readline().decode()
        self.base = line.split()[-1].rstrip("/")
        assert self.base.startswith("http://"), self.log_path.read_text()
        self.port = int(self.base.rpartition(":")[2])

    def ready(self) -> None:
        """Wait until it answers."""
        until = time.monotonic() + WAIT
        while time.monotonic() < until and self.popen.poll() is None:
            with suppress(httpx.TransportError):
                if httpx.get(f"{self.base}/readyz").status_code == 200:
                    return
            time.sleep(0.02)
        raise AssertionError("the house does not answer")

    def kill(self) -> None:
        """Kill it without a word."""
        self.popen.kill()
        self.end()

    def terminate(self) -> int:
        """Ask it to stop, and return how it ended."""
        self.popen.terminate()
        return self.end()

    def end(self) -> int:
        """Wait for its end."""
        code = self.popen.wait(WAIT)
        assert self.popen.stdout is not None
        self.popen.stdout.close()
        return code


def now(client: httpx.Client, slug: str) -> str:
    """Start a game against the computer at once, and return the table."""
    answer = client.post(f"/g/{slug}/now")
    assert answer.status_code == 200, answer.text
    return answer.url.path.removeprefix("/t/")


def view(client: httpx.Client, table: str) -> dict[str, Any]:
    """Return the table as a client sees it."""
    path = f"/tables/{table}/state" if str(client.base_url).endswith("/api/v1/") else f"/api/v1/tables/{table}/state"
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    shown: dict[str, Any] = answer.json()["view"]
    return shown


def wait_for(client: httpx.Client, table: str, what: str) -> dict[str, Any]:
    """Wait until a view has something legal (`legal`), or is in a phase, and return it."""
    until = time.monotonic() + WAIT
    while time.monotonic() < until:
        shown = view(client, table)
        if shown["phase"] == what or (what == "legal" and shown["legal"]):
            return shown
        time.sleep(0.02)
    raise AssertionError(f"never {what}: {json.dumps(shown)[:500]}")
