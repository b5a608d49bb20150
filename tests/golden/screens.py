"""Pictures of the full screen as golden files: text with the colours of a terminal, so that `cat` shows what a player sees."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.color import ColorSystem
from textual.app import App
from textual.pilot import Pilot

import tablee
from tablee.catalog import OURS
from tablee.terminal.choosing import ChooseScreen
from tablee.terminal.screen import TableScreen
from tablee.terminal.sitting import OwnTable

HERE = Path(__file__).parent / "screens"
SIZES = ((60, 24), (100, 30))
CHOOSE = "choose"
LANGUAGES = {60: "fr", 100: "en"}
# What is typed before the picture is taken: an action, and one that the rules refuse.
TYPED = {"traboulet": ("a6b6", "f6e6"), "tabale": ("@a2", "@a1"), "tabaijana": ("2:1>6",), "tablan": ("A>X",), "tabu": ("c5", "z")}


def picture(app: App[Any]) -> str:
    """Return what the screen shows, a line for each row, with ANSI colours."""
    rows = app.screen._compositor.render_strips()
    return "".join(
        "".join(segment.style.render(segment.text, color_system=ColorSystem.STANDARD) if segment.style else segment.text for segment in row) + "\n"
        for row in rows
    )


async def taken(app: App[Any], size: tuple[int, int], typed: tuple[str, ...] = ()) -> str:
    """Return the picture of a screen after some lines were typed."""
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for line in typed:
            app.action_typed(line)  # type: ignore[attr-defined]
            await pilot.pause()
        return await still(app, pilot)


async def still(app: App[Any], pilot: Pilot[Any]) -> str:
    """Return the picture once it stays the same: a slow machine scrolls and lays out in several steps."""
    seen = [""]
    while len(set(seen[-3:])) > 1 or len(seen) < 4:
        await pilot.pause(0.02)
        seen.append(picture(app))
    return seen[-1]


def picture_names() -> Iterator[str]:
    """Give the name of every picture: five games and the screen before them, in two sizes."""
    for width, _ in SIZES:
        yield from (f"{name}-{width}.ansi" for name in (*OURS, CHOOSE))


def picture_of(name: str) -> str:
    """Take a picture by its name."""
    what, _, width = name.removesuffix(".ansi").partition("-")
    size = next(size for size in SIZES if size[0] == int(width))
    language = LANGUAGES[size[0]]
    if what == CHOOSE:
        return asyncio.run(taken(ChooseScreen(language, "tabu"), size))
    return asyncio.run(taken(TableScreen(OwnTable(tablee.game(what), ["human"], language, 1)), size, TYPED[what]))
