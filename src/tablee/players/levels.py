"""How strong a player is asked to be: level 1 to level 8, and `max`.

A level is weaker by its horizon (fewer nodes, less depth) and by its temperature (it may take an action nearly as good as
the best), never by gifts. Each game has a table of its own, as `LEVELS` in its judgement: a triple (nodes, depth,
temperature) for each level from 1 on and, if it likes, a last one without a limit of nodes (0) for `max`. A game without
one has the table below, made for the search that knows nothing of the game.
"""

from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from tablee.core.errors import TableeError, unknown
from tablee.core.kind import Kind

MOST = "max"
NUMBERED = tuple(f"level{number}" for number in range(1, 9))
NAMES = (*NUMBERED, MOST)
DEEPEST = 60


@dataclass(frozen=True)
class Level:
    """A level by its name: how many nodes to look at (0: as many as there is time for), how deep, and how freely to choose."""

    name: str
    nodes: int
    depth: int
    temperature: float


UNBOUND = Level(MOST, 0, DEEPEST, 0.0)
ANY_GAME = (
    Level("level1", 30, 1, 0.12),
    Level("level2", 60, 1, 0.08),
    Level("level3", 120, 2, 0.06),
    Level("level4", 250, 2, 0.04),
    Level("level5", 600, 3, 0.03),
    Level("level6", 1500, 3, 0.02),
    Level("level7", 4000, 4, 0.01),
    Level("level8", 10000, 4, 0.0),
    UNBOUND,
)


def levels(kind: Kind) -> tuple[Level, ...]:
    """Return the levels of a game, the weakest first, `max` last; a game that luck rules may have fewer than eight."""
    return _levels(kind.package)


def level(kind: Kind, name: str) -> Level:
    """Return a level of a game by its name, or raise the error that lists them."""
    found = {one.name: one for one in levels(kind)}
    if name not in found:
        raise unknown(f"level of {kind.slug}", name, found)
    return found[name]


def easy(name: str) -> Level:
    """Return the level of that name where nothing is known of the game."""
    return dict(zip(NAMES, ANY_GAME, strict=True))[name]


@cache
def _levels(package: str) -> tuple[Level, ...]:
    """Return the table that the package of a game gives, or the one for any game."""
    module = f"{package}.judgement"
    given = getattr(import_module(module), "LEVELS", None) if find_spec(module) else None
    if given is None:
        return ANY_GAME
    numbered = [row for row in given if row[0]]
    if not 1 <= len(numbered) <= len(NUMBERED) or list(given[: len(numbered)]) != numbered or len(given) > len(numbered) + 1:
        raise TableeError(f"{module}.LEVELS has {len(given)} rows: expected 1 to {len(NUMBERED)} with nodes, then at most one without")
    found = [Level(name, int(nodes), int(depth), float(temperature)) for name, (nodes, depth, temperature) in zip(NUMBERED, numbered, strict=False)]
    last = [Level(MOST, 0, int(depth), float(temperature)) for _, depth, temperature in given[len(numbered) :]]
    return (*found, *(last or [UNBOUND]))
