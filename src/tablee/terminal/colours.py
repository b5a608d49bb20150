"""Boards in sixteen colours: a piece has the colour of its drawing, and what was just touched is bold."""

import colorsys
import os
import re
import sys
from functools import cache

from tablee import catalog
from tablee.core.scene import Scene
from tablee.core.text import Glyph, drawn
from tablee.core.text import lines as plain_lines

NAMED = {"white": "bright_white", "black": "bright_black", "red": "red", "green": "green", "blue": "blue", "yellow": "yellow"}
HUES = ((20, "red"), (75, "yellow"), (165, "green"), (200, "cyan"), (260, "blue"), (335, "magenta"), (360, "red"))
CODES = {"red": 31, "green": 32, "yellow": 33, "blue": 34, "magenta": 35, "cyan": 36, "bright_black": 90, "bright_white": 97}
PALE, DARK = 0.25, 0.35
# A fill of its own, or an element used; shadows and glosses have an opacity, and lines are no faces.
FILL = re.compile(r'(?:fill="(?:(?P<plain>#[0-9a-fA-F]{3,6})|url\(#(?P<gradient>[\w-]+)\))"(?![^<>]*opacity)|<use href="#(?P<used>[\w-]+)")')


def wanted() -> bool:
    """Return whether colours are wanted: on a terminal, unless NO_COLOR is set or it is a dumb one."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@cache
def colour_of(slug: str, symbol: str) -> str:
    """Return the colour of a symbol: named by it, or that of the first face of its drawing or of what it uses; empty if it has none."""
    if symbol in NAMED:
        return NAMED[symbol]
    art = catalog.kind(slug).text("art.svg")
    start = art.find(f'id="{slug}-{symbol}"')
    if start < 0:
        return ""
    end = art.find(f'id="{slug}-', start + 1)
    for fill in FILL.finditer(art, start, end if end >= 0 else len(art)):
        used = (fill["used"] or "").removeprefix(f"{slug}-")
        if colour := colour_of(slug, used) if used else shade(art, fill):
            return colour
    return ""


def shade(art: str, fill: re.Match[str]) -> str:
    """Return the colour of a fill: its own, or that in the middle of its gradient."""
    if fill["plain"]:
        return nearest(fill["plain"])
    gradient = re.search(rf'id="{re.escape(fill["gradient"])}".*?</', art, re.DOTALL)
    stops = re.findall(r'stop-color="(#[0-9a-fA-F]{3,6})"', gradient[0]) if gradient else []
    return nearest(stops[len(stops) // 2]) if stops else ""


def nearest(code: str) -> str:
    """Return the terminal's colour for one of the web, by its hue.

    >>> nearest("#c32c2c"), nearest("#2a5fc2"), nearest("#f4ecd9")
    ('red', 'blue', 'bright_white')
    """
    figures = code.removeprefix("#")
    figures = "".join(figure * 2 for figure in figures) if len(figures) == 3 else figures
    red, green, blue = (int(figures[at : at + 2], 16) / 255 for at in (0, 2, 4))
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    if saturation < PALE or value < DARK:
        return "bright_black" if value < 0.5 else "bright_white"
    return next(name for most, name in HUES if hue * 360 <= most)


def style_of(slug: str, glyph: Glyph) -> tuple[str, bool]:
    """Return the colour of a character, and whether it is bold."""
    if glyph.shows == "mark":
        return "", True
    if glyph.shows == "label":
        return "bright_black", False
    return (colour_of(slug, glyph.symbol) if glyph.shows == "piece" else ""), glyph.shows == "piece"


def coloured(scene: Scene) -> str:
    """Return the text drawing of a scene with colours for a terminal."""
    ink = drawn(scene)
    rows = []
    for line, text in enumerate(plain_lines(ink)):
        rows.append("".join(painted(scene.game, ink.get((line, column)), character) for column, character in enumerate(text)))
    return "\n".join([*rows, *(counter.text for counter in scene.counters if counter.text)]) + "\n"


def painted(slug: str, glyph: Glyph | None, character: str) -> str:
    """Return a character with its colour, if it has one."""
    colour, bold = style_of(slug, glyph) if glyph else ("", False)
    codes = [str(code) for code in (1 if bold else None, CODES.get(colour)) if code]
    return f"\x1b[{';'.join(codes)}m{character}\x1b[0m" if codes else character
