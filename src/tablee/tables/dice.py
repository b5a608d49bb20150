"""Dice that can be checked: fixed by a sealed secret before play, mixed with what each seat contributes, bound to the number of their event.

`docs/protocol.md` gives every byte. This is the first of two implementations; the other runs in the visitor's browser.
"""

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tablee.core.errors import TableeError, shown
from tablee.tables.events import Event, Json, packed

SECRET_BYTES = 32
LEAST_CONTRIBUTION, MOST_CONTRIBUTION = 16, 64
MOST_CASES = 2**48
Contribution = tuple[int, bytes]


class DiceError(TableeError):
    """Dice that are not those that were sealed before play; `seq` is the event where it shows."""

    def __init__(self, seq: int, wrong: str) -> None:
        """Keep where it shows."""
        super().__init__(f"event {seq}: {wrong}")
        self.seq = seq


def commitment(table: str, secret: bytes) -> str:
    """Return the seal of a table's secret that stands in its event 0."""
    return hashlib.sha256(packed(b"tablee dice v1", table.encode(), secret)).hexdigest()


def mixture(contributions: Iterable[Contribution]) -> bytes:
    """Return the hash of what the seats contributed, in the order of the log."""
    parts = [part for seat, data in contributions for part in (seat.to_bytes(4, "big"), data)]
    return hashlib.sha256(packed(b"tablee contributions v1", *parts)).digest()


class Dice:
    """The fair numbers of one event: `draw(n)` gives the next one below n and keeps what was drawn in `drawn`."""

    def __init__(self, secret: bytes, table: str, seq: int, contributions: Iterable[Contribution]) -> None:
        """Bind the numbers to a table, an event and everybody's contributions."""
        self.secret = secret
        self.table = table
        self.seq = seq
        self.mixed = mixture(contributions)
        self.block = 0
        self.bytes = b""
        self.drawn: list[tuple[int, int]] = []

    def draw(self, n: int) -> int:
        """Return the next fair number below n.

        As many whole bytes as n needs; those beyond the last full multiple of n are thrown away, so that no number comes more often.
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
        return packed(b"throw", self.table.encode(), self.seq.to_bytes(8, "big"), self.mixed, self.block.to_bytes(4, "big"))


@dataclass(frozen=True)
class Proof:
    """All that is needed to check the dice of a table, and nothing of its rules: each draw as (event, ((cases, drawn), …))."""

    table: str
    commitment: str
    contributions: tuple[Contribution, ...]
    secret: bytes
    draws: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]

    def dice(self, seq: int) -> Dice:
        """Return the dice of the event with that number."""
        return Dice(self.secret, self.table, seq, self.contributions)

    def check(self) -> int:
        """Return how many numbers were recomputed, or raise `DiceError` at the first that differs."""
        if commitment(self.table, self.secret) != self.commitment:
            raise DiceError(0, "the secret is not the one that was sealed before play")
        count = 0
        for seq, drawn in self.draws:
            dice = self.dice(seq)
            for n, value in drawn:
                found = dice.draw(n)
                if found != value:
                    raise DiceError(seq, f"{value} was drawn of {n}, and the sealed dice give {found}")
                count += 1
        return count


def proof(events: Sequence[Event]) -> Proof:
    """Return what the log of a finished table proves; the dice of one that still goes on cannot be checked yet."""
    contributions: list[Contribution] = []
    draws: list[tuple[int, tuple[tuple[int, int], ...]]] = []
    started, secret = False, b""
    for event in events:
        match event.kind:
            case "contributed":
                if started:
                    raise DiceError(event.seq, "something was contributed after the start")
                contributions.append((event.seat or 0, unhex(event.seq, event.payload.get("bytes"))))
            case "started" | "threw":
                started = True
                draws.append((event.seq, drawn(event)))
            case "revealed":
                secret = unhex(event.seq, event.payload.get("secret"))
    if not secret:
        raise DiceError(len(events), "the secret is not revealed: the game still goes on, or the end of the log is missing")
    return Proof(events[0].table, str(events[0].payload.get("commitment")), tuple(contributions), secret, tuple(draws))


def verify(events: Sequence[Event]) -> int:
    """Return how many numbers of a finished table's log were recomputed, or raise `DiceError`; what they mean on the board is not looked at."""
    return proof(events).check()


def drawn(event: Event) -> tuple[tuple[int, int], ...]:
    """Return the draws that an event names."""
    draws = event.payload.get("draws")
    if not isinstance(draws, list | tuple):
        raise DiceError(event.seq, "the draws are missing")
    return tuple(pair(event.seq, one) for one in draws)


def pair(seq: int, one: Json) -> tuple[int, int]:
    """Return one draw as (cases, drawn)."""
    match one:
        case [int(n), int(value)] if not isinstance(n, bool) and not isinstance(value, bool):
            return n, value
    raise DiceError(seq, f"{shown(str(one))} is no draw: expected two numbers")


def unhex(seq: int, text: Json) -> bytes:
    """Return bytes written in hex."""
    try:
        return bytes.fromhex(text) if isinstance(text, str) else bytes.fromhex("no")
    except ValueError as error:
        raise DiceError(seq, f"{shown(str(text))} is no hex") from error
