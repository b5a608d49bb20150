"""Frames that break the rules of WebSockets (RFC 6455), written byte by byte: fragments, wrong opcodes, frames that are too long.

Each carries a command that would be granted in a good frame: in a bad one it must not be done, and the house must close as the protocol
demands. Fragments of a good message are whole again when they have come: that one must be answered.
"""

import asyncio
import base64
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from tablee.web.socket_messages import FRAME_LIMIT

TEXT, CLOSE, PING = 1, 8, 9
WRONG, NOT_UTF8, TOO_LONG = 1002, 1007, 1009
GRANTED = b'{"t":"invite","seat":null}'


@dataclass(frozen=True)
class Sent:
    """What is sent, and the codes with which the house may close; without any it must answer."""

    name: str
    raw: bytes
    codes: tuple[int, ...] = ()
    or_answer: bool = False


def frame(opcode: int, payload: bytes, *, fin: bool = True, reserved: int = 0, masked: bool = True, length: int | None = None) -> bytes:
    """Return a frame as bytes; `length` is what it says of itself."""
    size = len(payload) if length is None else length
    head = bytes(((0x80 if fin else 0) | reserved << 4 | opcode,))
    mask = 0x80 if masked else 0
    if size < 126:
        head += bytes((mask | size,))
    elif size < 65536:
        head += bytes((mask | 126,)) + size.to_bytes(2, "big")
    else:
        head += bytes((mask | 127,)) + size.to_bytes(8, "big")
    key = b"\x5a\x01\xc3\x7e"
    return head + (key + bytes(byte ^ key[at % 4] for at, byte in enumerate(payload)) if masked else payload)


def in_fragments(payload: bytes, random: Random) -> bytes:
    """Return a message in pieces, some of them empty, with a ping between."""
    cuts = sorted(random.randrange(len(payload) + 1) for _ in range(random.randrange(1, 5)))
    pieces = [payload[start:end] for start, end in zip([0, *cuts], [*cuts, len(payload)], strict=True)]
    raw = frame(TEXT, pieces[0], fin=False)
    for piece in pieces[1:-1]:
        raw += frame(0, piece, fin=False) + frame(PING, b"between")
    return raw + frame(0, pieces[-1])


KINDS: tuple[Callable[[Random], Sent], ...] = (
    lambda random: Sent("fragments", in_fragments(GRANTED, random)),
    lambda random: Sent("a continuation of nothing", frame(0, GRANTED), (WRONG,)),
    lambda random: Sent("a message within another", frame(TEXT, b"{", fin=False) + frame(TEXT, GRANTED), (WRONG,)),
    lambda random: Sent("an opcode that is not", frame(random.choice((3, 4, 5, 6, 7, 11, 12, 13, 14, 15)), GRANTED), (WRONG,)),
    lambda random: Sent("a reserved bit", frame(TEXT, GRANTED, reserved=random.choice((1, 2, 4))), (WRONG,)),
    lambda random: Sent("a frame without a mask", frame(TEXT, GRANTED, masked=False), (WRONG,)),
    lambda random: Sent("a frame that is too long", frame(TEXT, GRANTED.ljust(FRAME_LIMIT + random.randrange(1, 5000))), (TOO_LONG,)),
    lambda random: Sent("a length that nobody has", frame(TEXT, GRANTED, length=random.choice((2**40, 2**63, 2**64 - 1))), (WRONG, TOO_LONG)),
    lambda random: Sent(
        "fragments that are too long together", frame(TEXT, GRANTED.ljust(FRAME_LIMIT - 10), fin=False) + frame(0, b" " * 100), (TOO_LONG,)
    ),
    lambda random: Sent("a ping that is too long", frame(PING, b"x" * 126), (WRONG,)),
    lambda random: Sent("a ping in fragments", frame(PING, b"x", fin=False), (WRONG,)),
    lambda random: Sent("letters that are none", frame(TEXT, GRANTED[:-1] + b"\xff\xfe"), (NOT_UTF8,), or_answer=True),
    lambda random: Sent("a close of one byte", frame(CLOSE, b"\x03"), (WRONG,)),
    lambda random: Sent("a close with a code that is not", frame(CLOSE, random.choice((999, 1005, 1006, 5000)).to_bytes(2, "big")), (WRONG,)),
)


class RawLine:
    """A socket to a table, byte by byte."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Keep the connection."""
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port: int, table: str, token: str) -> "RawLine":
        """Connect, greet, and wait for the first view."""
        line = cls(*await asyncio.open_connection("127.0.0.1", port))
        key = base64.b64encode(b"0123456789abcdef").decode()
        upgrade = f"GET /ws/{table} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        line.writer.write(f"{upgrade}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
        head = await line.reader.readuntil(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 101"):
            raise ConnectionError(f"no socket: {head[:60]!r}")
        line.writer.write(frame(TEXT, json.dumps({"t": "hello", "seq": -1, "tokens": [token]}).encode()))
        await line.said("view")
        return line

    async def hear(self) -> tuple[int, bytes]:
        """Return the opcode and the payload of the next frame of the house."""
        first, second = await self.reader.readexactly(2)
        size = second & 0x7F
        if size > 125:
            size = int.from_bytes(await self.reader.readexactly(2 if size == 126 else 8), "big")
        return first & 0x0F, await self.reader.readexactly(size)

    async def said(self, *kinds: str) -> int:
        """Read until a message of one of these kinds has come, and return 0; or the code with which the house closes."""
        while True:
            opcode, payload = await self.hear()
            if opcode == CLOSE:
                return int.from_bytes(payload[:2], "big")
            if opcode == TEXT and json.loads(payload)["t"] in kinds:
                return 0

    async def close(self) -> None:
        """Hang up."""
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()


async def send_malformed(port: int, table: str, token: str, sent: Sent, seconds: float) -> str:
    """Send one of them at a socket of its own; return what is wrong with how the house takes it, or nothing."""
    code = -1
    try:
        async with asyncio.timeout(seconds):
            line = await RawLine.open(port, table, token)
            try:
                line.writer.write(sent.raw)
                code = await line.said("ok", "no")
                if code:
                    while await line.reader.read(1000):
                        pass  # it closes the connection too
            finally:
                await line.close()
    except TimeoutError:
        return f"{sent.name}: " + ("nothing came within" if code < 0 else "the connection stays open for") + f" {seconds:.0f} s"
    except (OSError, EOFError) as error:
        if code < 0:
            return f"{sent.name}: the house hangs up without a word: {error!r}"
    expected = sent.codes if sent.codes and not sent.or_answer else (*sent.codes, 0)
    return "" if code in expected else f"{sent.name}: {code}, expected one of {expected}"
