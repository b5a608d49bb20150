"""The levels of a game, to choose from."""

from dataclasses import dataclass

from tablee.core.kind import Kind
from tablee.players.levels import MOST
from tablee.players.levels import level as named_level
from tablee.tables.levels import levels, player_name
from tablee.web.words import page_words

# What plain Python in a browser looks at in the time of an answer, at the slowest game.
PLAIN_NODES = 6000


@dataclass(frozen=True)
class LevelChoice:
    """A level: its place on the slider, the value of a form field, its name, and one word that says how it plays.

    It is `slow` where it looks at fewer nodes than elsewhere, because the engine is not compiled.
    """

    number: int
    key: str
    label: str
    word: str
    slow: bool = False


def level_choices(kind: Kind, language: str, *, plain: bool = False) -> list[LevelChoice]:
    """Return the levels of a game, the weakest first."""
    say = page_words(language)
    # Luck can beat even the strongest, and a partner is nobody to beat.
    strongest = "level strongest" if kind.dice else "level unbeatable"
    choices = []
    for number, level in enumerate(levels(kind), start=1):
        label = say("player strongest") if level == MOST else say("player level", level=level)
        word = say(strongest if level == MOST else f"level {level}")
        choices.append(LevelChoice(number, f"level-{level}", label, word, plain and slow_when_plain(kind, player_name(kind, level))))
    return choices


def slow_when_plain(kind: Kind, name: str) -> bool:
    """Return whether plain Python in a browser cannot look at all nodes of a level in the time it has; `max` looks as far as its time allows."""
    nodes = named_level(kind, name).nodes
    return nodes == 0 or nodes > PLAIN_NODES
