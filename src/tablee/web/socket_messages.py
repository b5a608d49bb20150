"""Messages from a client over the socket, as JSON: a greeting, a ping, or a command of the table."""

from typing import Annotated, Literal

import msgspec

from tablee.tables.commands import PublicCommand, Seq, Short, Unreadable, refuse_double_names

FRAME_LIMIT = 16 * 1024


class Hello(msgspec.Struct, tag_field="t", tag="hello", forbid_unknown_fields=True, kw_only=True):
    """The first message: the last event seen, if any; a program without cookies shows the tokens of its seats here.

    A page tells the language it is written in: a browser may send other languages with a socket than with the page.
    """

    seq: Seq = -1
    hash: Short = ""
    language: Literal["", "fr", "en"] = ""
    tokens: Annotated[tuple[Short, ...], msgspec.Meta(max_length=8)] = ()


class Ping(msgspec.Struct, tag_field="t", tag="ping", forbid_unknown_fields=True):
    """A sign of life, which is answered."""


Message = Hello | Ping | PublicCommand
decoder: msgspec.json.Decoder[Message] = msgspec.json.Decoder(Message)


def read_frame(frame: str | bytes) -> Message:
    """Return the message of a frame."""
    if len(frame) > FRAME_LIMIT:
        raise Unreadable(f"expected at most {FRAME_LIMIT} bytes")
    try:
        message = decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Unreadable(str(error)) from error
    refuse_double_names(frame)
    return message
