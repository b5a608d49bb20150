"""The description of a game: its rules as functions, its options, its files."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Generic

from tablee.core.deal import AS_DRAWN, Deal
from tablee.core.draws import Draw as Draw
from tablee.core.errors import UnknownName, shown, unknown
from tablee.core.generic import P
from tablee.core.goal import Goal
from tablee.core.mind import Mind
from tablee.core.observation import Observation
from tablee.core.position import Position
from tablee.core.ruling import Message, Ruling
from tablee.core.scene import Scene
from tablee.core.setup_choice import SetupChoice
from tablee.core.words import Words, load_words

if TYPE_CHECKING:
    from tablee.core.game import Game

Setup = Mapping[str, str]


@dataclass(frozen=True)
class Option:
    """A choice of the table: one of some values, a whole number of a range, or either; the sentences that explain it are in the words of the game.

    Keys: `option NAME` for the option, `option NAME VALUE` for each value (`option NAME` alone for a number).
    """

    name: str
    default: str
    values: tuple[str, ...] = ()
    least: int = 0
    most: int = -1

    def check(self, value: str) -> str:
        """Return the value as it is written, or raise the error that lists the known ones."""
        if value in self.values:
            return value
        if not self.ranged:
            raise unknown(f"value of option {self.name}", value, self.values)
        if not (value.isascii() and value.isdigit() and len(value) < 10 and self.least <= int(value) <= self.most):
            words = "".join(f", or {word}" for word in self.values)
            wrong = f"unknown value of option {self.name} {shown(value)}: expected a whole number from {self.least} to {self.most}{words}"
            raise UnknownName(wrong).with_key("choice range", option=self.name, least=self.least, most=self.most)
        return str(int(value))

    @property
    def ranged(self) -> bool:
        """Whether a number may be given."""
        return self.least <= self.most

    @property
    def listed(self) -> tuple[str, ...]:
        """The ends of the range, if there is one, and the values."""
        return (*((str(self.least), str(self.most)) if self.ranged else ()), *self.values)


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
    return found_cells(scene.cell_names, token) if scene.cells else ()


@lru_cache(16384)
def found_cells(names: re.Pattern[str], token: str) -> tuple[str, ...]:
    """Return the names that a token holds."""
    return tuple(names.findall(token))


def plain_goal(game: "Game", position: Position, seat: int) -> Goal:
    """Return the score of a seat: what counts where a game does not say."""
    return Goal(int(position.score(seat)))


def no_reason(game: "Game", before: Position, action: int, after: Position) -> Message | None:
    """Return no reason: a hint then gives none."""
    return None


Place = tuple[str, float, float]
Passes = Callable[[Place, Place], Sequence[tuple[float, float]]]


def straight(was: Place, now: Place) -> Sequence[tuple[float, float]]:
    """Return no point between two places: a piece moves in a straight line where a game does not say."""
    return ()


def no_throw_scenes(game: "Game", before: Position, action: int, after: Position, words: Words) -> Sequence[Scene]:
    """Return no boards of its own for a throw: the board after it shows the throw."""
    return ()


def plain_seat_key(game: "Game", position: Position, seat: int) -> str:
    """Return the words that name a seat by its number."""
    return f"seat {seat + 1}"


@dataclass(frozen=True)
class Kind(Generic[P]):
    """Describes one game: the rules as functions on its own class of position, and the names of its files.

    The functions take the `Game`, which knows seats and options.
    """

    slug: str
    title: str
    version: int
    """Counts the changes of the rules."""
    package: str
    """The package that holds the files of the game."""
    seats: tuple[int, ...]
    options: tuple[Option, ...]
    action_count: int
    refusing: tuple[str, ...]
    """The paragraphs that can refuse an action."""
    start: Callable[["Game", Setup], P]
    notate: Callable[["Game", int], str]
    parse: Callable[["Game", str, int], int]
    dump: Callable[["Game", P], str]
    load: Callable[["Game", str], P]
    rulings: Callable[["Game", P, int, int], list[Ruling]]
    """Judges an action of a seat slowly and lists every broken paragraph; an empty list means legal."""
    scene: Callable[["Game", P, Words], Scene]
    ask: Callable[["Game", P], Message]
    tell: Callable[["Game", P, int, P], list[Message]]
    conserved: Callable[["Game", P], Mapping[str, int]]
    """What no action changes, counted."""
    setup: Callable[["Game", Draw, Setup], Setup] = lambda game, draw, chosen: {}
    """Gives every set-up item: those of `choices` that the table has chosen as they are, which it must not draw, the others drawn or as usual."""
    choices: tuple[SetupChoice, ...] = ()
    check: Callable[["Game"], None] = lambda game: None
    preset: Callable[[Mapping[str, str]], Mapping[str, str]] = lambda chosen: {}
    symmetries: tuple[Symmetry, ...] = ()
    touches: Callable[["Game", Scene, str], tuple[str, ...]] = named_cells
    """The cells that an action names, as one would touch them."""
    glue: str = ""
    """Begins the tokens that a record writes without a space before."""
    forgets: bool = False
    """The rules look at earlier positions, which a position line does not contain."""
    together: bool = False
    """All seats win or lose together."""
    loser_first: bool = False
    """In a match the loser takes the first seat of the next game."""
    counted_by: str = ""
    """The paragraph that lets the players agree to stop before the end and count the scores as they are ("": none does)."""
    minutes: int = 0
    """The usual length of a game between people (0: unknown)."""
    dice: bool = True
    """Something is thrown or drawn."""
    whole_turns: bool = False
    """What a player lays in a row is shown as a whole."""
    age: int = 0
    """From which age people play it (0: unknown)."""
    mind: Mind[P, Any] = field(default_factory=Mind)
    """How its computer players think."""
    goal: Callable[["Game", P, int], Goal] = plain_goal
    """What a seat has reached and aims for, as a person counts it."""
    reason: Callable[["Game", P, int, P], Message | None] = no_reason
    """Says why an action is good, for hints."""
    warning: Callable[["Game", P, int, P], Message | None] = no_reason
    """Says what an action gives away for good, before it is played."""
    throw_scenes: Callable[["Game", P, int, P, Words], Sequence[Scene]] = no_throw_scenes
    """Boards from the moment of a throw on, where the board after it does not show the throw any more."""
    seat_key: Callable[["Game", P, int], str] = plain_seat_key
    """The words that name a seat, where its number does not (chosen colours)."""
    passes: Passes = straight
    """The points that a piece passes between two places (cell, x, y), where its way is not straight."""
    observation: Callable[["Game"], Observation] | None = None
    """The numbers that learning programs see (None: made from the scene, slowly)."""
    deal: Deal = AS_DRAWN
    """How the set-up is drawn step by step."""
    older: Mapping[int, Mapping[str, str]] = field(default_factory=dict, hash=False)
    """For each earlier version the options that it did not have, each with the value that plays as that version did."""

    @property
    def versions(self) -> tuple[int, ...]:
        """The versions of the rules that can be played, the current one last."""
        return *sorted(self.older), self.version

    def text(self, name: str) -> str:
        """Return a text file of the game's folder."""
        return files(self.package).joinpath(name).read_text(encoding="utf-8")

    def brings(self, name: str) -> bool:
        """Return whether the game's folder has a file that a game may leave out."""
        return files(self.package).joinpath(name).is_file()

    def words(self, language: str) -> Words:
        """Return the game's sentences in a language."""
        return load_words(self.package, "", "words.", language)
