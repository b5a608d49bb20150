"""`tablee serve`: one process, one data folder, one address to open."""

import asyncio
import gc
import os
import socket
import sys
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Timer
from typing import TypeVar, cast

import segno
import uvicorn
from uvicorn.supervisors import Multiprocess

from tablee.core.errors import TableeError, needing
from tablee.locale import words as door_words
from tablee.store.opening import FILE, open_store
from tablee.web.app import make_app
from tablee.web.connections import CONNECTIONS_AN_ADDRESS, Connections, raise_file_limit
from tablee.web.file_watch import FileWatch
from tablee.web.guard import Guard
from tablee.web.logs import set_up_logs
from tablee.web.settings import Settings
from tablee.web.socket_messages import FRAME_LIMIT
from tablee.web.socket_protocol import SocketProtocol

STOP_SECONDS = 5
BACKLOG = 2048
PORTS_TO_TRY = 20
WORKER_SECONDS = 30
GC_THRESHOLDS = (20_000, 20, 20)

C = TypeVar("C", bound=uvicorn.Config)


def serve(host: str, port: int, settings: Settings, *, lan: bool, language: str, log_level: str, proxy: str = "", browse: bool = False) -> None:
    """Run the house until it is stopped."""
    set_up_logs(log_level)
    raise_file_limit()
    if settings.workers > 1 and not settings.database:
        raise TableeError(f"{settings.workers} workers cannot share a file: give them a database with --database postgresql://…")
    check_data(settings)
    listener = listen("0.0.0.0" if lan else host, port, tries=PORTS_TO_TRY if browse else 1)
    chosen = listener.getsockname()[1]
    words = door_words(language)
    near = f"http://{'127.0.0.1' if lan or host in ('0.0.0.0', '') else bracketed(host)}:{chosen}/"
    print(words("serve here", address=near), flush=True)
    if lan:
        far = f"http://{lan_address()}:{chosen}"
        settings = replace(settings, address=far)
        print(words("serve lan", address=far + "/"), flush=True)
        segno.make(far + "/", micro=False).terminal(compact=True)
        sys.stdout.flush()
    if browse and may_browse():
        Timer(1.0, lambda: webbrowser.open(near)).start()
    if settings.workers > 1:
        Multiprocess(for_workers(settings, log_level, proxy), [listener]).run()
        return
    connections = Connections(CONNECTIONS_AN_ADDRESS * settings.allowance, proxy=proxy)
    collect_rarely()
    app = make_app(settings)
    connections.share(app.allowances)
    uvicorn.Server(configured(app, uvicorn.Config, proxy, connections)).run([listener])


def collect_rarely() -> None:
    """Let Python look for cycles less often, and never among what was loaded at the start: a house makes many values and few cycles."""
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def check_data(settings: Settings) -> None:
    """Raise, in one sentence, if the store cannot be used: before anybody is invited."""
    try:
        if not settings.database and (settings.data / FILE).exists():
            FileWatch(settings.data / FILE)
        asyncio.run(try_store(settings))
    except OSError as error:
        raise TableeError(f"the data folder {str(settings.data)!r} cannot be written: {error.strerror}; choose another with --data") from error


async def try_store(settings: Settings) -> None:
    """Open the store and close it again."""
    store = await open_store(settings.database, settings.data)
    await store.close()


def worker_app(settings: Settings, log_level: str) -> Guard:
    """Return the application of one of several processes."""
    set_up_logs(log_level)
    raise_file_limit()
    collect_rarely()
    return make_app(settings)


class WorkerConfig(uvicorn.Config):
    """How one of several processes is run; it makes the application and the protocol that counts connections itself, which cannot be sent to it."""

    connections = (CONNECTIONS_AN_ADDRESS, "")

    def load(self) -> None:
        """Load the application, in the process that runs it."""
        make = cast("Callable[[], Guard]", self.app)
        app = make()
        self.app, self.factory = app, False
        super().load()
        most, proxy = self.connections
        connections = Connections(most, proxy=proxy)
        connections.share(app.allowances)
        self.http_protocol_class = connections.protocol()


def for_workers(settings: Settings, log_level: str, proxy: str) -> WorkerConfig:
    """Return how several processes are run; one that does not answer for a while is replaced."""
    config = configured(partial(worker_app, settings, log_level), WorkerConfig, proxy)
    config.connections = (CONNECTIONS_AN_ADDRESS * settings.allowance, proxy)
    config.factory, config.workers, config.timeout_worker_healthcheck = True, settings.workers, WORKER_SECONDS
    return config


def configured(app: Guard | Callable[[], Guard], kind: type[C], proxy: str = "", connections: Connections | None = None) -> C:
    """Return how the server is run: short frames, no compression; forwarding headers count only from a named proxy."""
    return kind(
        app,
        http="h11" if kind is WorkerConfig else (connections or Connections(proxy=proxy)).protocol(),
        ws=SocketProtocol,
        ws_max_size=FRAME_LIMIT,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=STOP_SECONDS,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=FRAME_LIMIT,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=bool(proxy),
        forwarded_allow_ips=proxy or None,
    )


def listen(host: str, port: int, tries: int) -> socket.socket:
    """Return a socket that listens; with `tries`, the next ports are tried too."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in range(port, port + tries):
        # The protocol by its name: asyncio sends at once (TCP_NODELAY) only on sockets that say they are TCP, and an answer is two small writes.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
            listener.listen(BACKLOG)
        except OSError as error:
            listener.close()
            last = error
            continue
        listener.set_inheritable(True)
        return listener
    raise TableeError(f"cannot listen at {host}:{port}: {last.strerror}; choose another with --port")


def bracketed(host: str) -> str:
    """Return a host as it stands in an address."""
    return f"[{host}]" if ":" in host else host


def lan_address() -> str:
    """Return this machine's address in its own network; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def may_browse() -> bool:
    """Return whether there is a screen to open a browser on."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def settings_from(
    data: Path | None, names: list[str], allowance: int, database: str = "", redis: str = "", workers: int = 1, engines: int | None = None
) -> Settings:
    """Return the settings of the command line."""
    usual = Settings()
    if engines == 0 and not database:
        raise TableeError("without --database nobody else can think for the house: expected at least one engine")
    if redis:  # the task that needs it runs in the background, where nobody would hear of it
        with needing("--redis", "redis"):
            import_module("redis.asyncio")
    kept = replace(usual, data=data or usual.data, names=tuple(names), allowance=max(1, allowance))
    return replace(kept, database=database, redis=redis, workers=workers, engines=usual.engines if engines is None else engines)
