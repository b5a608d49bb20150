"""What a table has agreed on before anybody sits down."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import get_args

from tablee import catalog
from tablee.core.errors import TableeError, unknown
from tablee.core.game import Game, choose
from tablee.core.setup_choice import check_chosen
from tablee.tables.clock import ClockTerms
from tablee.tables.payloads import Opened
from tablee.tables.values import Chat, Sitting, Starts, Watching

SUBSTITUTE = "max"


@dataclass(frozen=True)
class Terms:
    """The game with its seats and options, and how the table is kept.

    `sitting`: `invited` (by a link, or by whoever opened the table) or `open` (anybody). `watching`: `all` or by `link` only.
    `chat`: `phrases`, `none`, or `text` (sitting down means agreeing to free text). `hints`: whether they may be asked for.
    `starts`: `seats` as they sit, or by `lot` drawn with the table's dice. `position`: a line to play on from, instead of the set-up.
    `setup`: what the table has chosen of the set-up, not to be drawn; what is by seat is given as the players sit down.
    `substitute`: the level of the program that takes the seat of somebody whose time is up, where more than two play.
    `rules`: the version of the game's rules that the table was begun with, or None for the current one.
    """

    game: str
    seats: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    clock: ClockTerms | None = None
    sitting: Sitting = "invited"
    watching: Watching = "all"
    chat: Chat = "phrases"
    hints: bool = True
    starts: Starts = "seats"
    position: str = ""
    substitute: str = SUBSTITUTE
    rules: int | None = None
    setup: Mapping[str, str] = field(default_factory=dict)

    def agreed(self) -> Game:
        """Return the game, or raise the error that says which of the terms is not possible."""
        for what, value, known in (
            ("sitting", self.sitting, get_args(Sitting)),
            ("watching", self.watching, get_args(Watching)),
            ("chat", self.chat, get_args(Chat)),
            ("starts", self.starts, get_args(Starts)),
        ):
            if value not in known:
                raise unknown(f"value of {what}", value, known)
        game = choose(catalog.kind(self.game), self.seats, self.options, self.rules)
        check_chosen(game, self.setup)
        if self.position:
            if self.setup:
                raise TableeError("expected either a set-up or a position")
            game.load(self.position)
        return game


def read_opened(opened: Opened) -> Terms:
    """Return the terms that `opened` keeps, the version of the rules among them."""
    return Terms(**{field.name: getattr(opened, field.name) for field in fields(Terms)})
