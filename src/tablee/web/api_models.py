"""What the HTTP API takes and gives besides commands, which are `tables.commands`; anything else is refused with what was expected."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from tablee.tables.commands import MOVE_ID
from tablee.tables.values import Chat, Sitting, Starts, Watching

TABLE = r"^[A-Za-z0-9_-]{16}$"


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
    sitting: Sitting = "invited"
    watching: Watching = "all"
    chat: Chat = "phrases"
    hints: bool = True
    starts: Starts = "seats"
    position: Annotated[str, Field(max_length=2000)] = ""
    setup: Annotated[dict[str, Annotated[str, Field(max_length=100)]], Field(max_length=8)] = {}
    move_id: Annotated[str, Field(pattern=f"^{MOVE_ID}$", description="made by the client: a resend gives the same table")] | None = None


class Opened(Shape):
    """A new table: its opener's token, and an invitation for each seat; where watching needs a link, the token of `/t/TABLE/watch/TOKEN`."""

    table: str
    token: str
    invitations: list[str]
    commitment: str
    watch: str = ""


class Seated(Shape):
    """A seat taken; a request with the token in `Authorization: Bearer …` plays it."""

    seat: int
    token: str | None
    seq: int


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
