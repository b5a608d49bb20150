"""What the folder of a game gives: its rules as functions, its options, its files."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from tablee.core.errors import UnknownName, shown, unknown
from tablee.core.judgement import Judgement
from tablee.core.position import Position
from tablee.core.ruling import Message, Ruling
from tablee.core.scene import Scene
from tablee.core.words import LANGUAGES, Words, read_words

if TYPE_CHECKING:
    from tablee.core.game import Game

Draw = Callable[[int], int]
Setup = Mapping[str, str]


@dataclass(frozen=True)
class Option:
    """A choice of the table; the sentences that explain it are in the words of the game.

    Keys: `option NAME` for the option, `option NAME VALUE` for each value (`option NAME` alone for a range).
    """

    name: str
    default: str
    values: tuple[str, ...] = ()
    least: int = 0
    most: int = -1

    def check(self, value: str) -> str:
        """Return the value as it is written, or raise the error that lists the known ones."""
        if self.values:
            if value not in self.values:
                raise unknown(f"value of option {self.name}", value, self.values)
            return value
        if not (value.isascii() and value.isdigit() and len(value) < 10 and self.least <= int(value) <= self.most):
            raise UnknownName(f"unknown value of option {self.name} {shown(value)}: expected a whole number from {self.least} to {self.most}")
        return str(int(value))


@dataclass(frozen=True)
class Symmetry:
    """A way to turn the board or change the colours after which the same actions are legal.

    `line` maps the text of a position, `token` the text of an action, `seat` the number of a seat.
    """

    name: str
    line: Callable[["Game", str], str]
    token: Callable[["Game", str], str]
    seat: Callable[["Game", int], int]
    holds: Callable[["Game"], bool] = lambda game: True


def named_cells(game: "Game", scene: Scene, token: str) -> tuple[str, ...]:
    """Return the cells that a token names, in the order it names them."""
    names = sorted((cell.name for cell in scene.cells), key=len, reverse=True)
    return tuple(re.findall("|".join(map(re.escape, names)), token)) if names else ()


@dataclass(frozen=True)
class Kind:
    """What one folder of `games` gives: the rules as functions, and the names of its files.

    The functions take the `Game`, which knows seats and options. `rulings` judges an action of a seat slowly and lists
    every broken paragraph; an empty list means legal. `refusing` names the paragraphs that can refuse an action.
    `touches` gives the cells that an action names, as one would touch them; `glue` begins the tokens that a record
    writes without a space before; `forgets` says that the rules look at earlier positions, which a line does not hold;
    `together`, that all win or lose as one; `loser_first`, that in a match the loser takes the first seat of the next game;
    `minutes` is about how long people take over a game (0: nobody knows);
    `judgement` gives what a position is worth, `search` names the way of thinking that its players use.
    """

    slug: str
    title: str
    version: int
    package: str
    seats: tuple[int, ...]
    options: tuple[Option, ...]
    action_count: int
    refusing: tuple[str, ...]
    start: Callable[["Game", Setup], Position]
    notate: Callable[["Game", int], str]
    parse: Callable[["Game", str, int], int]
    dump: Callable[["Game", Position], str]
    load: Callable[["Game", str], Position]
    rulings: Callable[["Game", Position, int, int], list[Ruling]]
    scene: Callable[["Game", Position, Words], Scene]
    ask: Callable[["Game", Position], Message]
    tell: Callable[["Game", Position, int, Position], list[Message]]
    conserved: Callable[["Game", Position], Mapping[str, int]]
    setup: Callable[["Game", Draw], Setup] = lambda game, draw: {}
    check: Callable[["Game"], None] = lambda game: None
    preset: Callable[[Mapping[str, str]], Mapping[str, str]] = lambda chosen: {}
    symmetries: tuple[Symmetry, ...] = ()
    touches: Callable[["Game", Scene, str], tuple[str, ...]] = named_cells
    glue: str = ""
    forgets: bool = False
    together: bool = False
    loser_first: bool = False
    minutes: int = 0
    judgement: Callable[["Game"], Judgement] | None = None
    search: str = "mcts"

    def text(self, name: str) -> str:
        """Return a text file of the game's folder."""
        return files(self.package).joinpath(name).read_text(encoding="utf-8")

    def words(self, language: str) -> Words:
        """Return the game's sentences in a language."""
        if language not in LANGUAGES:
            raise unknown("language", language, LANGUAGES)
        return _words(self.package, language)


@cache
def _words(package: str, language: str) -> Words:
    """Return a game's sentences, read once."""
    return read_words(language, files(package).joinpath(f"words.{language}.po").read_text(encoding="utf-8"))
