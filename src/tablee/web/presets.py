"""Presets: the option `preset` of a game sets other options."""

from collections.abc import Mapping

from tablee.core.kind import Kind

PRESET = "preset"
OWN = "own"


def presets(kind: Kind) -> dict[str, dict[str, str]]:
    """Return the options that each ready game sets; nothing where a game has none.

    >>> from tablee import catalog
    >>> presets(catalog.kind("tablan"))["mysore"]["throw"]
    'sticks'
    """
    values = next((option.values for option in kind.options if option.name == PRESET), ())
    return {value: dict(kind.preset({PRESET: value})) for value in values}


def preset_of(kind: Kind, options: Mapping[str, str]) -> str:
    """Return the ready game that options describe: the one they name if it fits, else another that fits, else `own`; "" where a game has none."""
    known = presets(kind)
    named = options.get(PRESET, "")
    fitting = [value for value, settings in known.items() if settings.items() <= options.items()]
    return named if named in fitting else next(iter(fitting), OWN if known else "")
