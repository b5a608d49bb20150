"""The levels of a game's computer players as a table names them: "1" to "8" and "max", fewer in games with much luck."""

from tablee.core.kind import Kind
from tablee.players.levels import MOST
from tablee.players.levels import levels as known_levels
from tablee.tables.refused import Refused


def levels(kind: Kind) -> list[str]:
    """Return the levels of a game, the weakest first."""
    return [level.name.removeprefix("level") for level in known_levels(kind)]


def middle(kind: Kind) -> str:
    """Return the default level."""
    numbered = levels(kind)[:-1]
    return numbered[(len(numbered) - 1) // 2]


def checked(kind: Kind, level: str) -> str:
    """Return a level that was asked for, or the middle one where none was; `Refused` if the game has no such level."""
    if level and level not in levels(kind):
        raise Refused("unreadable", "no level of game", {"levels": ", ".join(levels(kind))})
    return level or middle(kind)


def player_name(kind: Kind, level: str) -> str:
    """Return the name by which the players know a level; one that a game no longer has is played at the middle."""
    if level not in levels(kind):
        level = middle(kind)
    return level if level == MOST else f"level{level}"
