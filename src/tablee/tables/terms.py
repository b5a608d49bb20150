"""What a table has agreed on before anybody sits down."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from tablee import catalog
from tablee.core.errors import TableeError, unknown
from tablee.core.game import Game, choose
from tablee.tables.clock import ClockTerms, read_terms
from tablee.tables.events import Json, Payload

SITTING = ("invited", "open")
WATCHING = ("all", "link")
CHAT = ("phrases", "none", "text")
STARTS = ("seats", "lot")
SUBSTITUTE = "max"


@dataclass(frozen=True)
class Terms:
    """The game with its seats and options, and how the table is kept.

    `sitting`: `invited` (by a link, or by whoever opened the table) or `open` (anybody). `watching`: `all` or by `link` only.
    `chat`: `phrases`, `none`, or `text` (who sits down agrees to free text). `hints`: whether they may be asked for.
    `starts`: `seats` as they sit, or by `lot` drawn with the table's dice. `position`: a line to play on from, instead of the set-up.
    `substitute`: the level of the program that takes the seat of somebody whose time is up, where more than two play.
    """

    game: str
    seats: int | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    clock: ClockTerms | None = None
    sitting: str = "invited"
    watching: str = "all"
    chat: str = "phrases"
    hints: bool = True
    starts: str = "seats"
    position: str = ""
    substitute: str = SUBSTITUTE

    def agreed(self) -> Game:
        """Return the game, or raise the error that says which of the terms is not possible."""
        for what, value, known in (
            ("sitting", self.sitting, SITTING),
            ("watching", self.watching, WATCHING),
            ("chat", self.chat, CHAT),
            ("starts", self.starts, STARTS),
        ):
            if value not in known:
                raise unknown(f"value of {what}", value, known)
        game = choose(catalog.kind(self.game), self.seats, self.options)
        if self.position:
            game.load(self.position)
        return game

    def payload(self, game: Game) -> dict[str, Json]:
        """Return what `opened` keeps of the terms."""
        return {
            "game": game.slug,
            "rules": game.kind.version,
            "seats": game.seats,
            "options": game.options,
            "clock": self.clock.payload if self.clock else None,
            "sitting": self.sitting,
            "watching": self.watching,
            "chat": self.chat,
            "hints": self.hints,
            "starts": self.starts,
            "position": self.position,
            "substitute": self.substitute,
        }


def read_opened(payload: Payload) -> Terms:
    """Return the terms that `opened` keeps, or raise if they are not of this version of the rules."""
    match payload:
        case {
            "game": str(slug),
            "rules": int(version),
            "seats": int(seats),
            "options": dict(options),
            "sitting": str(sitting),
            "watching": str(watching),
            "chat": str(chat),
            "hints": bool(hints),
            "starts": str(starts),
            "position": str(position),
            "substitute": str(substitute),
            "clock": clock,
        }:
            if catalog.kind(slug).version != version:
                raise TableeError(f"the table plays version {version} of the rules of {slug}: known is {catalog.kind(slug).version}")
            chosen = {name: str(value) for name, value in options.items()}
            return Terms(slug, seats, chosen, read_terms(clock), sitting, watching, chat, hints, starts, position, substitute)
    raise TableeError("the first event does not say what the table has agreed on")
