"""What comes up the socket, as JSON; unknown fields and anything that does not fit are refused with a sentence."""

from typing import Annotated, Literal

import msgspec

MOST_TOKENS = 64
FRAME_LIMIT = 16 * 1024
MoveId = Annotated[str, msgspec.Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Seat = Annotated[int, msgspec.Meta(ge=0, le=63)]
Seq = Annotated[int, msgspec.Meta(ge=-1, le=2**53 - 1)]
Short = Annotated[str, msgspec.Meta(max_length=64)]
Text = Annotated[str, msgspec.Meta(max_length=300)]
Tokens = Annotated[tuple[Short, ...], msgspec.Meta(min_length=1, max_length=MOST_TOKENS)]


class Up(msgspec.Struct, tag_field="t", forbid_unknown_fields=True, kw_only=True):
    """Something a page or a program sends."""


class HelloUp(Up, tag="hello"):
    """The first message: the last event seen, if any; a program without cookies shows the tokens of its seats here.

    A page tells the language it is written in: what a browser says of languages with a socket need not be what it said for the page.
    """

    seq: Seq = -1
    hash: Short = ""
    language: Literal["", "fr", "en"] = ""
    tokens: Annotated[tuple[Short, ...], msgspec.Meta(max_length=8)] = ()


class PlayUp(Up, tag="play"):
    """Play tokens from a seat; `seq` is the last event seen."""

    move_id: MoveId
    seat: Seat
    tokens: Tokens
    seq: Seq | None = None


class DoUp(Up, tag="do"):
    """Any other command by its name, see `commands.COMMANDS`."""

    move_id: MoveId
    what: Short
    seat: Seat | None = None
    ask: Short = ""
    yes: bool = False
    phrase: Short = ""
    text: Text = ""
    level: Short = ""
    contribution: Annotated[str, msgspec.Meta(max_length=128)] = ""


class PingUp(Up, tag="ping"):
    """A sign of life, to be answered."""


AnyUp = HelloUp | PlayUp | DoUp | PingUp
decoder: msgspec.json.Decoder[AnyUp] = msgspec.json.Decoder(AnyUp)


class Unreadable(ValueError):
    """A frame that is no message; its text says what was expected."""


def read_frame(frame: str | bytes) -> AnyUp:
    """Return the message of a frame."""
    if len(frame) > FRAME_LIMIT:
        raise Unreadable(f"expected at most {FRAME_LIMIT} bytes")
    try:
        return decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Unreadable(str(error)) from error
