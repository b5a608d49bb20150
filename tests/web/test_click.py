"""The drawing of a click in `docs/architecture.md` names every file that a real click crosses, from the bytes of the socket to the answer."""

import json
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

import tablee
from tablee.web import deadlines
from tablee.web import house as house_module
from tests.web.serving import WAIT, Serving, serving, view

SOURCE = Path(tablee.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
NAMED = re.compile(r"\b[a-z_]+/[a-z_/]+\.py\b")
# Folders that the drawing names as a whole: what a game brings, and the sentences of the doors.
GROUPS = {"games/<game>/": "games/tablan/", "locale/": "locale/"}
HOUR = 3600.0
# What every module may import beside: the package itself, and the list of games.
EVERYWHERE = {"__init__.py"}


class Crossed:
    """Notes the files of the package whose functions are called while it is `on`, in every thread that is started meanwhile."""

    def __init__(self) -> None:
        self.on = False
        self.files: set[str] = set()

    def note(self, frame: FrameType, event: str, argument: object) -> None:
        """Note one call."""
        path = Path(frame.f_code.co_filename)
        if self.on and event == "call" and path.is_relative_to(SOURCE):
            self.files.add(path.relative_to(SOURCE).as_posix())


@contextmanager
def noting() -> Iterator[Crossed]:
    """Look at every call for a while."""
    crossed, before = Crossed(), sys.getprofile()
    threading.setprofile(crossed.note)
    sys.setprofile(crossed.note)
    try:
        yield crossed
    finally:
        sys.setprofile(before)
        threading.setprofile(before)


def two_seats(bot: httpx.Client) -> str:
    """Open a table of a game with dice, and sit on both of its seats."""
    opened = bot.post("/tables", json={"game": "tablan"}).json()
    bot.headers["authorization"] = f"Bearer {opened['token']}"
    for seat, invitation in enumerate(opened["invitations"]):
        sit = {"seat": seat, "invitation": invitation, "contribution": "ab" * 16}
        assert bot.post(f"/tables/{opened['table']}/seats", json=sit).status_code == 201
    return str(opened["table"])


def hear(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """Return the next message of a kind."""
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=WAIT))
        if message["t"] == kind:
            return message


def click(house: Serving, crossed: Crossed) -> None:
    """Open a socket, send one action over it, and hear the answer and what changed; note what that crosses."""
    with house.bot() as bot:
        table = two_seats(bot)
        shown = view(bot, table)
        token = bot.headers["authorization"]
        crossed.on = True
        with connect(f"ws://127.0.0.1:{house.port}/ws/{table}", additional_headers={"authorization": token}, proxy=None) as socket:
            socket.send('{"t":"hello"}')
            hear(socket, "view")
            act = shown["legal"][0]
            socket.send(json.dumps({"t": "play", "seat": act["seat"], "tokens": [act["token"]], "move_id": "m"}))
            hear(socket, "ok")
            hear(socket, "change")
            crossed.on = False


def grouped(name: str) -> str:
    """Return how the drawing names a file: by itself, or by its folder."""
    return next((group for group, folder in GROUPS.items() if name.startswith(folder)), name)


def test_the_drawing_names_every_file_that_a_click_crosses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # What the house does by itself every few seconds is no part of a click, however long that takes on a busy machine.
    monkeypatch.setattr(deadlines, "LOOK_SECONDS", HOUR)
    for pause in ("SWEEP_SECONDS", "LOOK_SECONDS", "CHECK_SECONDS", "TIME_SECONDS"):
        monkeypatch.setattr(house_module, pause, HOUR)
    drawing = PAGE.read_text(encoding="utf-8").split("## The path of a click")[1].split("\n## ")[0]
    with noting() as crossed, serving(tmp_path / "house") as house:
        click(house, crossed)
    files = {grouped(name) for name in crossed.files} - EVERYWHERE
    assert {"web/socket_protocol.py", "web/socket.py", "tables/playing.py", "tables/dice.py", "store/sqlite.py", "games/<game>/"} <= files
    named = set(NAMED.findall(drawing)) | {group for group in GROUPS if group in drawing}
    assert "\n".join(sorted(files - named)) == ""
