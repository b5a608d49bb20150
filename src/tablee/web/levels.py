"""The levels of a game's computer players as a table names them: "1" to "8" and "max", fewer where luck leaves no room."""

from tablee.core.kind import Kind
from tablee.players.levels import MOST
from tablee.players.levels import levels as known
from tablee.tables.refused import Refused
from tablee.web.words import page_words


def levels(kind: Kind) -> list[str]:
    """Return the levels of a game, the weakest first."""
    return [one.name.removeprefix("level") for one in known(kind)]


def middle(kind: Kind) -> str:
    """Return the level that somebody meets who has not chosen one."""
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


def level_choices(kind: Kind, language: str) -> list[dict[str, str]]:
    """Return the levels of a game with the words of a list to choose from."""
    say = page_words(language)
    labels = {level: say("player level", level=level) for level in levels(kind)} | {MOST: say("player strongest")}
    return [{"key": f"level-{level}", "label": label} for level, label in labels.items()]
