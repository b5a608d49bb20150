"""The drawing of a click in `docs/architecture.md` names every file that a real click crosses."""

import asyncio
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import tablee
from tablee.store.sqlite import SqliteLog
from tablee.tables.commands import Command, Sit
from tablee.tables.opening import open_table
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, new_token
from tablee.web.engine_pool import EnginePool
from tablee.web.house import House
from tablee.web.metrics import Metrics
from tablee.web.socket_messages import read_frame
from tablee.web.table_view import Listener

SOURCE = Path(tablee.__file__).parent
PAGE = Path(__file__).parents[2] / "docs" / "architecture.md"
NAMED = re.compile(r"\b(?:web|tables|store)/[a-z_]+\.py\b")


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


async def click(path: Path, crossed: Crossed) -> None:
    """Send one action of a game with dice through the house, and make the frame that shows it; note what that crosses."""
    store = SqliteLog(path)
    house = House(store, EnginePool(1, 0.1, Metrics()), Metrics())
    actor = Actor((new_token(),))
    sit: list[tuple[Command, Actor]] = [(Sit(seat, "", contribution="ab" * 16), actor) for seat in range(2)]
    live = await house.open(open_table(Terms("tablan"), actor.tokens[0]), sit)
    listener = Listener(actor, "fr")
    listener.frame(live, 0)
    state = live.table.state
    assert state is not None
    seat = live.table.asked[0]
    crossed.on = True
    command = read_frame(f'{{"t":"play","seat":{seat},"tokens":["{state.game.notate(state.legal(seat)[0])}"],"move_id":"m"}}')
    assert isinstance(command, Command)
    assert await house.do(live, command, actor)
    assert listener.frame(live, 0).startswith(b'{"t":"change"')
    crossed.on = False
    await house.close()
    await store.close()


def test_the_drawing_names_every_file_that_a_click_crosses(tmp_path: Path) -> None:
    drawing = PAGE.read_text(encoding="utf-8").split("## The path of a click")[1].split("\n## ")[0]
    with noting() as crossed:
        asyncio.run(click(tmp_path / "house.sqlite", crossed))
    files = {name for name in crossed.files if name.startswith(("web/", "tables/", "store/"))}
    assert {"tables/playing.py", "tables/dice.py", "store/sqlite.py"} <= files
    assert files - set(NAMED.findall(drawing)) == set()
