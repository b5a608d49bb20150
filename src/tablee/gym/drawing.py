"""A position as a person sees it: text, SVG, or an array of red, green and blue."""

from io import BytesIO
from typing import Any

from tablee.core.errors import needing, unknown
from tablee.core.game import Game
from tablee.core.position import Position
from tablee.core.state import State

MODES = ("ansi", "svg", "rgb_array")
WIDTH = 512


def check_mode(mode: str | None) -> str | None:
    """Return a way to render, or raise the error that lists them."""
    if mode is not None and mode not in MODES:
        raise unknown("render mode", mode, MODES)
    return mode


def draw(game: Game, position: Position, mode: str | None) -> Any:
    """Return a position drawn in a mode; None without one."""
    if mode is None:
        return None
    state = State(game, position.copy(), None)
    if mode == "ansi":
        return str(state)
    return state.svg("en") if mode == "svg" else pixels(state.svg("en"))


def pixels(svg: str) -> Any:
    """Return an SVG as an array of rows of red, green and blue."""
    with needing("rendering as an array", "gym"):
        import numpy as np
        from PIL import Image
        from resvg_py import svg_to_bytes
    png = svg_to_bytes(svg_string=svg, width=WIDTH, background="#ffffff")
    return np.asarray(Image.open(BytesIO(bytes(png))).convert("RGB"))
