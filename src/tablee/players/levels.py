"""The levels of a game: level 1 to at most level 8, and `max`.

A level is weaker by its horizon (fewer nodes, less depth) and by its temperature (it may take an action nearly as good as
the best), never by deliberate blunders. A game's `Mind` may hold its own levels; a game without them has those below, made for Monte Carlo search.
"""

from tablee.core.errors import unknown
from tablee.core.kind import Kind
from tablee.core.mind import MOST, Level, make_levels

__all__ = ["ANY_GAME", "MOST", "level", "levels"]

ANY_GAME = make_levels(
    (30, 1, 0.12),
    (60, 1, 0.08),
    (120, 2, 0.06),
    (250, 2, 0.04),
    (600, 3, 0.03),
    (1500, 3, 0.02),
    (4000, 4, 0.01),
    (10000, 4, 0.0),
)


def levels(kind: Kind) -> tuple[Level, ...]:
    """Return the levels of a game, the weakest first, `max` last; a game with much luck may have fewer than eight."""
    return kind.mind.levels or ANY_GAME


def level(kind: Kind, name: str) -> Level:
    """Return a level of a game by its name, or raise the error that lists them."""
    by_name = {entry.name: entry for entry in levels(kind)}
    if name not in by_name:
        raise unknown(f"level of {kind.slug}", name, by_name)
    return by_name[name]
