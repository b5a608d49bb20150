"""The name of a player as typed by a user: its kind, then the settings it changes.

`level4`, `max:seconds=0.5`, `mcts:uct_c=1.4:nodes=2000`, `max:weights=new.txt`; `uniform` (also `random`) and `greedy`
do not think at all.
"""

from dataclasses import dataclass

from tablee.core.errors import TableeError, shown, unknown
from tablee.core.mind import LEVEL_NAMES

UNIFORM, RANDOM, GREEDY, MCTS = "uniform", "random", "greedy", "mcts"
NAMES = (*LEVEL_NAMES, UNIFORM, RANDOM, GREEDY, MCTS)
NUMBERS = ("seconds", "nodes", "depth", "temperature", "uct_c")
CHANGES = (*NUMBERS, "weights")


@dataclass(frozen=True)
class Name:
    """A parsed player name; a setting that is not given is None."""

    text: str
    base: str
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    temperature: float | None = None
    uct_c: float | None = None
    weights: str | None = None


def read_name(text: str) -> Name:
    """Return the player that a text names, or raise the error that lists the known names."""
    base, *parts = text.strip().split(":")
    if base not in NAMES:
        raise unknown("player", base, NAMES)
    if parts and base in (UNIFORM, RANDOM, GREEDY):
        raise TableeError(f"{shown(text)} is no player: {base} does not think, so nothing can be changed on it")
    changes: dict[str, str] = {}
    for part in parts:
        key, equals, value = part.partition("=")
        if key not in CHANGES:
            raise unknown("change to a player", key, CHANGES)
        if not equals or key in changes:
            raise TableeError(f"{shown(text)} is no player: expected {key}=VALUE once")
        changes[key] = value
    if "uct_c" in changes and base != MCTS:
        raise TableeError(f"{shown(text)} is no player: only {MCTS} has uct_c")
    if "weights" in changes and base == MCTS:
        raise TableeError(f"{shown(text)} is no player: {MCTS} knows no weights")
    return Name(
        text.strip(),
        base,
        seconds=number(changes, "seconds", 3600.0),
        nodes=whole_number(changes, "nodes", 10**12),
        depth=whole_number(changes, "depth", 1000),
        temperature=number(changes, "temperature", 1.0),
        uct_c=number(changes, "uct_c", 100.0),
        weights=changes.get("weights"),
    )


def number(changes: dict[str, str], key: str, most: float) -> float | None:
    """Return a setting as a number from 0 up, or None if it is not given."""
    if key not in changes:
        return None
    text = changes[key]
    if not (text.isascii() and text.replace(".", "", 1).isdigit() and len(text) < 20 and float(text) <= most):
        raise TableeError(f"{shown(f'{key}={text}')} does not fit a player: expected a number from 0 to {most:g}")
    return float(text)


def whole_number(changes: dict[str, str], key: str, most: int) -> int | None:
    """Return a setting as a whole number from 0 up, or None if it is not given."""
    if key not in changes:
        return None
    text = changes[key]
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= most):
        raise TableeError(f"{shown(f'{key}={text}')} does not fit a player: expected a whole number from 0 to {most}")
    return int(text)
