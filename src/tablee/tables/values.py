"""The values that a table is made of: who sits, what was played, asked and answered, how it ended, and the match it belongs to."""

from dataclasses import dataclass

from tablee.core.state import State
from tablee.tables.events import Json

NOBODY, PERSON, BOT, PROGRAM = "nobody", "person", "bot", "program"
PEOPLE = (PERSON, BOT)
WAITING, PLAYING, OVER = "waiting", "playing", "over"


@dataclass(frozen=True)
class Seat:
    """A place at the table and who is in it: nobody, a person, a bot from elsewhere, or a program of the house.

    `before` is the token hash of the person who left it to nobody or to a program, and may come back.
    """

    player: str = NOBODY
    name: str = ""
    level: str = ""
    token_hash: str = ""
    contributed: bool = False
    writes: bool = False
    left: bool = False
    before: str = ""


@dataclass(frozen=True)
class Step:
    """A state of the game, and the event that led to it (`started`, `acted` or `threw`) with its token."""

    seq: int
    kind: str
    seat: int | None
    state: State
    token: str = ""


@dataclass(frozen=True)
class Ask:
    """Something asked of the others: who has said yes, and for a take-back the action that would go."""

    what: str
    seat: int | None
    seq: int
    to_seq: int = 0
    yes: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Result:
    """How it ended: scores and winners by seat; `reason` is a paragraph, or resigned, draw, abandoned, time, expired."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str


@dataclass(frozen=True)
class Answered:
    """The answer to a request, the same however often it is sent: the event that carries its `move_id`."""

    seq: int
    hash: str
    digest: str


@dataclass(frozen=True)
class Match:
    """Games played one after the other by the same players: what each seat has won, shared and scored before this one."""

    id: str
    number: int = 1
    previous: str = ""
    won: tuple[int, ...] = ()
    shared: tuple[int, ...] = ()
    points: tuple[int, ...] = ()

    @property
    def payload(self) -> dict[str, Json]:
        """What `opened` keeps of it."""
        return {
            "id": self.id,
            "number": self.number,
            "previous": self.previous,
            "won": list(self.won),
            "shared": list(self.shared),
            "points": list(self.points),
        }
