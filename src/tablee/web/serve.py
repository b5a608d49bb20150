"""`tablee serve`: one process, one data folder, one address to open."""

import os
import socket
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path
from threading import Timer

import segno
import uvicorn

from tablee.core.errors import TableeError
from tablee.locale import words as door_words
from tablee.store.sqlite import SqliteLog
from tablee.web.app import FILE, make_app
from tablee.web.guard import Guard
from tablee.web.logs import set_up_logs
from tablee.web.messages import FRAME_LIMIT
from tablee.web.settings import Settings

STOP_SECONDS = 5
BACKLOG = 2048
PORTS_TO_TRY = 20


def serve(host: str, port: int, settings: Settings, *, lan: bool, language: str, log_level: str, proxy: str = "", browse: bool = False) -> None:
    """Run the house until it is told to stop."""
    set_up_logs(log_level)
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    SqliteLog(settings.data / FILE).shut()  # what is wrong with the data folder is said before anybody is invited
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
    uvicorn.Server(configured(make_app(settings), proxy)).run([listener])


def configured(app: Guard, proxy: str = "") -> uvicorn.Config:
    """Return how the server is run: short frames, no compression, forwarding headers believed from a named proxy alone."""
    return uvicorn.Config(
        app,
        ws="websockets-sansio",
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
    """Return a socket that listens; the next ports are tried where one need not have this very port."""
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


def settings_from(data: Path | None, names: list[str], allowance: int) -> Settings:
    """Return the settings of the command line."""
    usual = Settings()
    return replace(usual, data=data or usual.data, names=tuple(names), allowance=max(1, allowance))
