"""The values that a table is made of: who sits, what was played, asked and answered, and how it ended."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from msgspec import Struct

from tablee.core.state import State
from tablee.tables.events import EventKind

# How a table is kept: who may sit down and watch, what may be said, and who gets which seat.
Sitting = Literal["invited", "open"]
Watching = Literal["all", "link"]
Chat = Literal["phrases", "none", "text"]
Starts = Literal["seats", "lot"]
AS_CHOSEN: Starts = "seats"
LOT: Starts = "lot"


class Sitter(StrEnum):
    """Who can be in a seat: nobody, a person, a bot from elsewhere, or a program of the house."""

    NOBODY = "nobody"
    PERSON = "person"
    BOT = "bot"
    PROGRAM = "program"


PEOPLE = (Sitter.PERSON, Sitter.BOT)


class Phase(StrEnum):
    """How far a table is."""

    WAITING = "waiting"
    PLAYING = "playing"
    OVER = "over"


class Ask(StrEnum):
    """What one player asks of the others."""

    TAKE_BACK = "take_back"
    DRAW = "draw"
    ABANDON = "abandon"
    STOP = "stop"
    TEXT = "text"
    REMATCH = "rematch"


class Reason(StrEnum):
    """How a game ends when no paragraph of its rules ends it."""

    RESIGNED = "resigned"
    DRAW = "draw"
    ABANDONED = "abandoned"
    TIME = "time"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Seat:
    """A place at the table and who is in it: nobody, a person, a bot from elsewhere, or a program of the house.

    `free_text` says that a person agreed to write freely.
    `before` is the token hash of the person who left it to nobody or to a program, and may come back.
    """

    player: Sitter = Sitter.NOBODY
    name: str = ""
    level: str = ""
    token_hash: str = ""
    contributed: bool = False
    free_text: bool = False
    left: bool = False
    before: str = ""


class Step(Struct, frozen=True, gc=False):
    """A state of the game, and the event that led to it (`started`, `acted` or `threw`) with its token.

    A table has one for each play: as a struct that Python need not search for cycles, which it is never part of, it takes a quarter less memory.
    """

    seq: int
    kind: EventKind
    seat: int | None
    state: State
    token: str = ""


@dataclass(frozen=True, slots=True)
class PendingAsk:
    """Something asked of the others: who has said yes, and for a take-back the action that would go."""

    what: Ask
    seat: int | None
    seq: int
    to_seq: int = 0
    yes: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Result:
    """How it ended: scores and winners by seat; `reason` is a paragraph, with `agreed` where the players stopped by it, or one of `Reason`."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer to a request, the same however often it is sent: the event that carries its `move_id`."""

    seq: int
    hash: str
    digest: str
