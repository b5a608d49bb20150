"""The pictures that a messenger shows beside a link to a page: one for each game, one for the house. `make previews` draws them."""

from functools import cache
from importlib.resources import files

HOME = "home"


@cache
def preview(name: str) -> str:
    """Return the path of the picture of a game; that of the house for a game without one."""
    file = f"preview-{name}.png"
    return f"/static/{file}" if files("tablee.web").joinpath("static", file).is_file() else f"/static/preview-{HOME}.png"
