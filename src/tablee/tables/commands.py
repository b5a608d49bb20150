"""The commands of a table: one tagged union of small structs, decoded straight from a frame, a request or a form.

To add a command: its struct here, its handler in `seating`, `playing`, `asking`, `talking` or `timing` with its line in `door.py`,
its sentences in `locale`, its test. `seat` counts from 0. `move_id` is made by the client before sending: a resend with the
same one gives the same answer.
"""

import hashlib
import json
import re
from functools import cache
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from tablee.core.errors import TableeError, shown
from tablee.tables.events import canonical, single_names
from tablee.tables.tokens import Actor
from tablee.tables.values import Ask

MOST_TOKENS = 64
MOVE_ID = "[A-Za-z0-9_-]{1,64}"
MoveId = Annotated[str, Meta(pattern=f"^{MOVE_ID}$", description="made by the client: a resend gives the same answer")]
SeatNumber = Annotated[int, Meta(ge=0, le=63, description="seats count from 0")]
Seq = Annotated[int, Meta(ge=-1, le=2**53 - 1)]
Short = Annotated[str, Meta(max_length=64)]
LevelName = Annotated[str, Meta(pattern="^[a-z0-9_-]{0,40}$", description="a level of the game; empty for the middle one")]
Contribution = Annotated[str, Meta(max_length=128, description="random bytes for the dice in hex, 16 to 64 of them")]
Tokens = Annotated[tuple[Short, ...], Meta(min_length=1, max_length=MOST_TOKENS)]


@cache
def tag_of(name: str) -> str:
    """Return the tag of a struct: its name in lower case, words apart.

    >>> tag_of("TakeBack")
    'take_back'
    """
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


class Command(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="t", tag=tag_of):
    """A command to a table."""

    move_id: MoveId | None = None


class Sit(Command, frozen=True):
    """Take a seat, or the first empty one, under a name; the first token shown will hold it. A program from elsewhere is a `bot`."""

    seat: SeatNumber | None = None
    name: Annotated[str, Meta(max_length=100)] = ""
    invitation: Short = ""
    contribution: Contribution = ""
    player: Literal["person", "bot"] = "person"

    def __repr__(self) -> str:
        """Return the command without its secret."""
        return f"Sit(seat={self.seat}, name={self.name!r}, player={self.player!r}, move_id={self.move_id!r})"


class Leave(Command, frozen=True):
    """Give up a seat."""

    seat: SeatNumber


class Replace(Command, frozen=True):
    """Let a program of the house play a seat: an empty one, the sender's own, or one that a program plays already."""

    seat: SeatNumber
    level: LevelName = ""


class Fill(Command, frozen=True):
    """Let programs of the house play every empty seat."""

    level: LevelName = ""


class Invite(Command, frozen=True):
    """Make an invitation that one person can use once, for a seat or for any; its token follows from the inviter's own."""

    seat: SeatNumber | None = None


class Contribute(Command, frozen=True):
    """Add random bytes to the dice, once for each player, before the start."""

    seat: SeatNumber
    contribution: Contribution


class Start(Command, frozen=True):
    """Begin, all seats being taken; a table begins by itself once everybody has contributed."""


class Play(Command, frozen=True):
    """Play tokens one after the other, all or none; `seq` is the last event the player has seen."""

    seat: SeatNumber
    tokens: Tokens
    seq: Seq | None = None


class TakeBack(Command, frozen=True):
    """Ask to take back the seat's last action and what followed it; never across a throw."""

    seat: SeatNumber


class Draw(Command, frozen=True):
    """Offer a draw."""

    seat: SeatNumber


class Abandon(Command, frozen=True):
    """Ask to stop the game without a result; before the start, whoever opened the table may do so without a seat."""

    seat: SeatNumber | None = None


class Stop(Command, frozen=True):
    """Ask to stop the game and count the scores as they stand; only where the rules let the players agree on it."""

    seat: SeatNumber


class Text(Command, frozen=True):
    """Ask that everybody may write freely instead of choosing phrases."""

    seat: SeatNumber


class Rematch(Command, frozen=True):
    """Ask for another game, or agree to it."""

    seat: SeatNumber


class Answer(Command, frozen=True):
    """Answer what is asked."""

    seat: SeatNumber
    what: Ask
    yes: bool


class Resign(Command, frozen=True):
    """Give the game up; only where two play against each other."""

    seat: SeatNumber


class Hint(Command, frozen=True):
    """Ask for a hint; the house finds it and writes it down (`ShowHint`) before it is shown."""

    seat: SeatNumber


class Say(Command, frozen=True):
    """Say a ready-made phrase or reaction by its key, or a free text where everybody agreed."""

    seat: SeatNumber
    phrase: Short = ""
    text: Annotated[str, Meta(max_length=300)] = ""


# What the house alone does; no door decodes these.


class ShowHint(Command, frozen=True):
    """Write down the hint that a seat has asked for."""

    seat: SeatNumber
    tokens: Tokens


class Dismiss(Command, frozen=True):
    """Free a seat whose player has gone."""

    seat: SeatNumber


class Tick(Command, frozen=True):
    """Check whether a seat's time is up (see `Table.deadline`)."""


class Resume(Command, frozen=True):
    """After a restart: the house could answer until `alive_until`; the time since then is not counted."""

    alive_until: float


class Expire(Command, frozen=True):
    """Close a table without activity for long."""


PublicCommand: TypeAlias = (
    Sit
    | Leave
    | Replace
    | Fill
    | Invite
    | Contribute
    | Start
    | Play
    | TakeBack
    | Draw
    | Abandon
    | Stop
    | Text
    | Rematch
    | Answer
    | Resign
    | Hint
    | Say
)
PUBLIC: tuple[type[Command], ...] = PublicCommand.__args__
TAGS = tuple(tag_of(command.__name__) for command in PUBLIC)
decoder: msgspec.json.Decoder[PublicCommand] = msgspec.json.Decoder(PublicCommand)


def refuse_double_names(body: bytes | str) -> None:
    """Raise `Unreadable` if an object of a JSON text has the same name twice: two readers might each believe another one."""
    try:
        json.loads(body, object_pairs_hook=single_names)
    except (ValueError, RecursionError) as error:
        raise Unreadable(str(error)) from error


class Unreadable(TableeError):
    """Input that is no command; the text says what was expected."""


def read_command(body: bytes | str) -> PublicCommand:
    """Return the command of a frame or of the body of a request."""
    try:
        command = decoder.decode(body)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Unreadable(str(error)) from error
    refuse_double_names(body)
    return command


def read_sit(body: bytes) -> Sit:
    """Return the `Sit` of the body of a request to `/seats`, where the tag may be left out."""
    try:
        command = msgspec.json.decode(body, type=Sit)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Unreadable(str(error)) from error
    refuse_double_names(body)
    return command


def command_of_form(fields: dict[str, str]) -> PublicCommand:
    """Return the command of a form, whose values are all text; empty ones are left out, and `tokens` stand apart by spaces."""
    given: dict[str, object] = {name: value for name, value in fields.items() if value}
    if "tokens" in given:
        given["tokens"] = fields["tokens"].split()
    try:
        return msgspec.convert(given, PublicCommand, strict=False)  # type: ignore[no-any-return]
    except msgspec.ValidationError as error:
        raise Unreadable(f"the form cannot be read: {error}; given {shown(str(given.get('t', '')))}") from error


# Digests on disk were made under the names that some commands once had.
DIGEST_NAMES: dict[type[Command], str] = {TakeBack: "AskTakeBack", Draw: "AskDraw", Abandon: "AskAbandon", Text: "AskText", ShowHint: "Hint"}


def command_digest(command: Command, actor: Actor) -> str:
    """Return the digest of a command and its sender: a resend has the same one, another request under the same `move_id` does not."""
    fields = {name: value for name, value in msgspec.structs.asdict(command).items() if not isinstance(value, float)}
    if isinstance(command, Leave):
        fields["absent"] = False
    who = [hashlib.sha256(token.encode()).hexdigest() for token in actor.tokens[:1]]
    name = DIGEST_NAMES.get(type(command), type(command).__name__)
    return hashlib.sha256(canonical([name, fields, who, actor.host])).hexdigest()
