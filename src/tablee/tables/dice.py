"""Dice that can be checked: fixed by a sealed secret before play, mixed with what each seat contributes, bound to their place in the game.

`docs/protocol.md` gives every byte. Version 1 bound a throw to the number of its event, which whoever knows the secret can shift; version 2
binds it to its ordinal among the throws of its table. Another implementation runs in the visitor's browser, a third one in the tests.
"""

import hashlib
import hmac
from collections.abc import Iterable

from tablee.core.errors import TableeError, shown
from tablee.tables.events import Event, Json, packed

SECRET_BYTES = 32
VERSION = 2
VERSIONS = (1, 2)
LEAST_CONTRIBUTION, MOST_CONTRIBUTION = 16, 64
MOST_CASES = 2**48
Contribution = tuple[int, bytes]


class DiceError(TableeError):
    """Dice that are not those that were sealed before play; `seq` is the event where it shows."""

    def __init__(self, seq: int, wrong: str) -> None:
        """Keep where it shows."""
        super().__init__(f"event {seq}: {wrong}")
        self.seq = seq


def commitment(table: str, secret: bytes, version: int = VERSION) -> str:
    """Return the seal of a table's secret that stands in its event 0."""
    return hashlib.sha256(packed(f"tablee dice v{version}".encode(), table.encode(), secret)).hexdigest()


def mixture(contributions: Iterable[Contribution]) -> bytes:
    """Return the hash of what the seats contributed, in the order of the log."""
    parts = [part for seat, data in contributions for part in (seat.to_bytes(4, "big"), data)]
    return hashlib.sha256(packed(b"tablee contributions v1", *parts)).digest()


class Dice:
    """The fair numbers of one event: `draw(n)` gives the next one below n and keeps what was drawn in `drawn`."""

    def __init__(self, secret: bytes, table: str, number: int, contributions: Iterable[Contribution], label: bytes = b"throw") -> None:
        """Bind the numbers to a table, a throw (or the start, by its label) and everybody's contributions."""
        self.secret = secret
        self.table = table
        self.number = number
        self.label = label
        self.mixed = mixture(contributions)
        self.block = 0
        self.bytes = b""
        self.drawn: list[tuple[int, int]] = []

    def draw(self, n: int) -> int:
        """Return the next fair number below n.

        It takes as many bytes as n needs; values beyond the last full multiple of n are rejected, so that all numbers are equally likely.
        """
        if not 1 <= n <= MOST_CASES:
            raise TableeError(f"{shown(str(n))} cases cannot be drawn: expected 1 to {MOST_CASES}")
        width = (max(n - 1, 1).bit_length() + 7) // 8
        fair = 256**width - 256**width % n
        while (word := int.from_bytes(self.take(width), "big")) >= fair:
            continue
        self.drawn.append((n, word % n))
        return word % n

    def take(self, count: int) -> bytes:
        """Return the next bytes of the stream."""
        while len(self.bytes) < count:
            self.bytes += hmac.new(self.secret, self.message(), hashlib.sha256).digest()
            self.block += 1
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def message(self) -> bytes:
        """Return what is mixed with the secret for the next block of 32 bytes."""
        return packed(self.label, self.table.encode(), self.number.to_bytes(8, "big"), self.mixed, self.block.to_bytes(4, "big"))


def bound_dice(version: int, secret: bytes, table: str, seq: int, throw: int | None, contributions: Iterable[Contribution]) -> Dice:
    """Return the dice of an event: of a throw by its ordinal, of the start where `throw` is None; version 1 looks at `seq` alone."""
    if version == 1:
        return Dice(secret, table, seq, contributions)
    return Dice(secret, table, 0, contributions, b"start") if throw is None else Dice(secret, table, throw, contributions)


def check_program(seq: int, data: bytes, people: Iterable[Contribution]) -> None:
    """Raise unless a program contributed the hash of what people did: it has no choice of its own."""
    if data != mixture(people):
        raise DiceError(seq, "a program contributed something else than the hash of what people contributed")


def drawn(event: Event) -> tuple[tuple[int, int], ...]:
    """Return the draws that an event names."""
    draws = event.payload.get("draws")
    if not isinstance(draws, list | tuple):
        raise DiceError(event.seq, "the draws are missing")
    return tuple(pair(event.seq, written) for written in draws)


def pair(seq: int, written: Json) -> tuple[int, int]:
    """Return one draw as (cases, drawn)."""
    match written:
        case [int(n), int(value)] if not isinstance(n, bool) and not isinstance(value, bool):
            return n, value
    raise DiceError(seq, f"{shown(str(written))} is no draw: expected two numbers")


def unhex(seq: int, text: Json) -> bytes:
    """Return bytes written in hex."""
    try:
        return bytes.fromhex(text) if isinstance(text, str) else bytes.fromhex("no")
    except ValueError as error:
        raise DiceError(seq, f"{shown(str(text))} is no hex") from error
