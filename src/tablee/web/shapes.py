"""The shapes of the HTTP API: what a program may send and what it gets; anything else is refused with what was expected."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from tablee.web.orders import NAMES

TABLE = r"^[A-Za-z0-9_-]{16}$"
ID = r"^[A-Za-z0-9_-]{1,64}$"
SecretToken = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{43}$")]
SeatNumber = Annotated[int, Field(ge=0, le=63, description="seats count from 0")]
Short = Annotated[str, Field(max_length=64)]
MoveId = Annotated[str, Field(pattern=ID, description="made by the client before sending: a resend with the same one gives the same answer")]


class Shape(BaseModel):
    """Strict: no unknown field, no number given as text."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ClockShape(Shape):
    """`real`: `base` milliseconds for the game and `add` more each turn; `days`: `base` for each move."""

    kind: Literal["real", "days"]
    base: Annotated[int, Field(gt=0, le=5_184_000_000)]
    add: Annotated[int, Field(ge=0, le=5_184_000_000)] = 0


class NewTable(Shape):
    """A table to be opened; nobody sits at it yet."""

    game: Annotated[str, Field(max_length=64, examples=["traboulet"])]
    seats: Annotated[int, Field(ge=1, le=64)] | None = None
    options: Annotated[dict[str, Annotated[str, Field(max_length=100)]], Field(max_length=32)] = {}
    clock: ClockShape | None = None
    sitting: Literal["invited", "open"] = "invited"
    watching: Literal["all", "link"] = "all"
    chat: Literal["phrases", "none", "text"] = "phrases"
    hints: bool = True
    starts: Literal["seats", "lot"] = "seats"
    position: Annotated[str, Field(max_length=2000)] = ""


class Opened(Shape):
    """A new table: its opener's token, and an invitation for each seat."""

    table: str
    token: str
    invitations: list[str]
    commitment: str


class SitDown(Shape):
    """Somebody to sit down: oneself (`bot` or `person`), or a program of the house (`program`, with a level)."""

    seat: SeatNumber | None = None
    name: Annotated[str, Field(max_length=40)] = ""
    player: Literal["bot", "person", "program"] = "bot"
    level: Annotated[str, Field(pattern=r"^[a-z0-9_-]{1,40}$")] | None = None
    invitation: SecretToken | None = None
    contribution: Annotated[str, Field(pattern=r"^([0-9a-f]{2}){16,64}$", description="random bytes in hex for the dice")] | None = None
    move_id: MoveId | None = None


class Seated(Shape):
    """A seat taken; whoever shows the token in `Authorization: Bearer …` plays it."""

    seat: int
    token: str | None
    seq: int


class Act(Shape):
    """Tokens to be played one after the other, all or none; `seq` is the last event the player has seen."""

    seat: SeatNumber
    tokens: Annotated[list[Annotated[str, Field(max_length=40)]], Field(min_length=1, max_length=64)]
    move_id: MoveId
    seq: Annotated[int, Field(ge=-1, le=2**53 - 1)] | None = None


class OrderShape(Shape):
    """Any other command by its name."""

    what: Annotated[str, Field(json_schema_extra={"enum": list(NAMES)}, max_length=64)]
    move_id: MoveId
    seat: SeatNumber | None = None
    ask: Short = ""
    yes: bool = False
    phrase: Short = ""
    text: Annotated[str, Field(max_length=300)] = ""
    level: Short = ""
    contribution: Annotated[str, Field(max_length=128)] = ""


class Done(Shape):
    """Written and committed: the event that carries the answer."""

    seq: int
    hash: str


class EventShape(Shape):
    """One event of the log; `at` is in milliseconds."""

    table: str
    seq: int
    kind: str
    payload: dict[str, JsonValue]
    seat: int | None
    move_id: str | None
    at: int
    previous: str
    hash: str
    aside: dict[str, str] = {}


class TableState(Shape):
    """A table as the sender sees it, and the events from `since` on."""

    view: dict[str, JsonValue]
    events: list[EventShape]


class GameShape(Shape):
    """A game of the shelf."""

    slug: str
    title: str
    line: str
    seats: list[int]
    options: dict[str, list[str]]


class WaitingTable(Shape):
    """A table where anybody may sit down."""

    table: str
    game: str
    seats: int
    free: list[int]


class Problem(Shape):
    """What is wrong: a code, a sentence, and where the rules refuse, their paragraphs and cells."""

    code: str
    text: str
    expected: str = ""
    given: str = ""
    paragraphs: list[str] = []
    cells: list[str] = []
    seq: int | None = None


class Wrong(Shape):
    """An error."""

    error: Problem
