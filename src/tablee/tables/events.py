"""The events of a table as a hash chain: each event holds the hash of the event before, so that every change is detected.

What people may erase later (a name, a free text) is kept beside the chain, in `aside`; the chain holds only its seal.
"""

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeAlias

import msgspec

from tablee.core.errors import TableeError, shown

Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json] | None"
Fields: TypeAlias = Mapping[str, Json]

NO_ASIDE: Mapping[str, str] = {}
LARGEST = 2**53 - 1
DEEPEST = 8
FIELDS = ("table", "seq", "kind", "payload", "seat", "move_id", "at", "previous", "hash")


class EventKind(StrEnum):
    """What can happen at a table."""

    OPENED = "opened"
    SEATED = "seated"
    LEFT = "left"
    INVITED = "invited"
    CONTRIBUTED = "contributed"
    STARTED = "started"
    ACTED = "acted"
    THREW = "threw"
    ASKED = "asked"
    ANSWERED = "answered"
    TOOK_BACK = "took_back"
    HINTED = "hinted"
    SAID = "said"
    RESIGNED = "resigned"
    RESUMED = "resumed"
    ENDED = "ended"
    RESEALED = "resealed"
    REVEALED = "revealed"
    REMATCH = "rematch"


class ChainError(TableeError):
    """A log with an edited, lost, doubled or misplaced line; `seq` is the first wrong event."""

    def __init__(self, seq: int, wrong: str) -> None:
        """Keep where the chain breaks."""
        super().__init__(f"event {seq}: {wrong}")
        self.seq = seq


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened at a table; `at` is in seconds, kept to the millisecond.

    `aside` is not covered by the hash: `text`, its `salt` and its `owner` (the token hash of who wrote it), as long as they are not erased.
    `written` is the payload as text, kept from the hash of a new event until the store has it; a copy with another payload does not inherit it.
    """

    table: str
    seq: int
    kind: str
    payload: Fields
    seat: int | None
    move_id: str | None
    at: float
    previous: str
    hash: str
    aside: Mapping[str, str] = field(default_factory=lambda: NO_ASIDE)
    written: str = field(default="", init=False, repr=False, compare=False)

    @property
    def payload_text(self) -> str:
        """The payload as canonical JSON."""
        return self.written or canonical(self.payload).decode()

    def forget_text(self) -> None:
        """Keep the payload as text no longer: the store has it."""
        object.__setattr__(self, "written", "")


def chain(
    table: str,
    seq: int,
    kind: str,
    payload: Fields,
    at: float,
    previous: str,
    *,
    seat: int | None = None,
    move_id: str | None = None,
) -> Event:
    """Return an event with its hash; `previous` is the hash of the event before, "" for the first."""
    event = Event(table, seq, kind, payload, seat, move_id, round(at * 1000) / 1000, previous, "")
    object.__setattr__(event, "written", event.payload_text)  # nobody has seen the event yet
    object.__setattr__(event, "hash", digest(event))
    return event


def with_aside(event: Event, aside: Mapping[str, str]) -> Event:
    """Return an event with words beside it, which its hash does not cover."""
    if not aside:
        return event
    twin = replace(event, aside=aside)
    object.__setattr__(twin, "written", event.written)  # the payload is the same
    return twin


def digest(event: Event) -> str:
    """Return the hash that an event must have: SHA-256, in hex, of the canonical JSON of all its other fields."""
    text = (
        f'{{"at":{round(event.at * 1000)},"kind":{quoted(event.kind)},"move_id":{quoted(event.move_id)},"payload":{event.payload_text},'
        f'"previous":{quoted(event.previous)},"seat":{quoted(event.seat)},"seq":{event.seq},"table":{quoted(event.table)}}}'
    )
    return hashlib.sha256(text.encode()).hexdigest()


def quoted(value: str | int | None) -> str:
    """Return a simple value as canonical JSON; no number here can be too large."""
    return encoded(value).decode()


def hashed(event: Event) -> dict[str, Json]:
    """Return the fields of an event that its hash covers; the aside is not among them, so that it may be erased."""
    return {
        "table": event.table,
        "seq": event.seq,
        "kind": event.kind,
        "payload": event.payload,
        "seat": event.seat,
        "move_id": event.move_id,
        "at": round(event.at * 1000),
        "previous": event.previous,
    }


def canonical(value: Json) -> bytes:
    r"""Return the canonical JSON of a value: keys sorted, no spaces, UTF-8, integers only.

    >>> canonical({"b": [1, None], "a": "é"})
    b'{"a":"\xc3\xa9","b":[1,null]}'
    """
    check_json(value)
    return encoded(value)


def encoded(value: Json) -> bytes:
    """Return a value that was checked as JSON."""
    try:
        return msgspec.json.encode(value, order="deterministic")
    except UnicodeEncodeError as error:
        raise TableeError("half of a character stands alone") from error


def check_json(value: object, depth: int = 0) -> None:
    """Raise for values that other languages may write differently: fractions, large numbers, deep nesting; lone surrogates fail when encoded."""
    if depth > DEEPEST:
        raise TableeError(f"a value is nested deeper than {DEEPEST}")
    match value:
        case None | bool():
            return
        case int():
            if abs(value) > LARGEST:
                raise TableeError(f"{shown(str(value))} is too large: expected at most {LARGEST}")
        case str():
            return
        case dict():
            for name, item in value.items():
                if not (isinstance(name, str) and name.isascii()):
                    raise TableeError(f"{shown(str(name))} is no name of a field")
                check_json(item, depth + 1)
        case list() | tuple():
            for item in value:
                check_json(item, depth + 1)
        case _:
            raise TableeError(f"{shown(str(value))} cannot stand in a log: expected whole numbers, text, lists and fields")


def verify(events: Iterable[Event]) -> str:
    """Return the hash of the last event of a complete chain, or raise `ChainError` at the first event that does not follow."""
    previous, table, seq, at = "", None, -1, 0.0
    for seq, event in enumerate(events):
        if event.seq != seq:
            raise ChainError(seq, f"expected number {seq}, found {event.seq}")
        if table not in (None, event.table):
            raise ChainError(seq, f"belongs to table {shown(event.table)}, not to {shown(str(table))}")
        check_link(event, previous)
        if event.at < at:
            raise ChainError(seq, "happened before the one before it")
        previous, table, at = event.hash, event.table, event.at
    if seq < 0:
        raise ChainError(0, "the log is empty")
    return previous


def check_link(event: Event, previous: str) -> None:
    """Raise if an event does not follow the hash given, is not what its hash says, or its aside is not what was sealed."""
    if event.kind not in list(EventKind):
        raise ChainError(event.seq, f"unknown kind {shown(event.kind)}")
    if (event.seq == 0) != (event.kind == EventKind.OPENED):
        raise ChainError(event.seq, "a log begins with `opened`, and only there")
    if event.previous != previous:
        raise ChainError(event.seq, "does not follow the event before it: a line is missing or was changed")
    if event.hash != digest(event):
        raise ChainError(event.seq, "was changed: its hash does not fit")
    if event.aside and event.payload.get("seal") != seal(event.aside.get("salt", ""), event.aside.get("text", "")):
        raise ChainError(event.seq, "the words beside it are not those that were sealed")


def packed(*parts: bytes) -> bytes:
    """Return byte strings one after the other, each after its length in 4 bytes, so that different lists give different bytes."""
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def seal(salt: str, text: str) -> str:
    """Return the seal of a text that may be erased later; without the salt nobody can guess the text from it."""
    return hashlib.sha256(packed(b"tablee seal v1", salt.encode(), text.encode())).hexdigest()


def same(first: str, second: str) -> bool:
    """Return whether two hashes are equal, in a time that does not depend on where they differ."""
    return hmac.compare_digest(first.encode(), second.encode())


def write_line(event: Event) -> str:
    """Return an event as one line of JSON."""
    fields = hashed(event) | {"hash": event.hash}
    if event.aside:
        fields["aside"] = event.aside
    return canonical(fields).decode()


def write_log(events: Iterable[Event]) -> str:
    """Return a log as JSON lines."""
    return "".join(write_line(event) + "\n" for event in events)


def read_log(text: str) -> list[Event]:
    """Return the events of JSON lines, each well formed; `verify` checks the chain."""
    return [read_line(number, line) for number, line in enumerate(text.splitlines()) if line.strip()]


def single_names(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """Return an object of JSON whose names are all different: otherwise two readers might each believe another one."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a name stands twice in an object")
    return fields


def read_line(number: int, line: str) -> Event:
    """Return the event of one line of JSON."""
    try:
        fields = json.loads(line, object_pairs_hook=single_names)
    except (ValueError, RecursionError) as error:
        raise ChainError(number, f"{shown(line)} is no JSON") from error
    if not isinstance(fields, dict) or set(fields) - {"aside"} != set(FIELDS):
        raise ChainError(number, f"expected the fields {', '.join(FIELDS)}")
    for name, expected in (("table", str), ("seq", int), ("kind", str), ("payload", dict), ("at", int), ("previous", str), ("hash", str)):
        if not isinstance(fields[name], expected) or isinstance(fields[name], bool):
            raise ChainError(number, f"{name} is {shown(str(fields[name]))}: expected {expected.__name__}")
    seat, move_id, aside = fields["seat"], fields["move_id"], fields.get("aside", {})
    if not (seat is None or (isinstance(seat, int) and not isinstance(seat, bool))) or not (move_id is None or isinstance(move_id, str)):
        raise ChainError(number, "expected a number or null as seat, and text or null as move_id")
    if not isinstance(aside, dict) or not all(isinstance(text, str) for text in aside.values()):
        raise ChainError(number, "expected texts in the aside")
    try:
        canonical(fields)
    except TableeError as error:
        raise ChainError(number, str(error)) from error
    at = fields["at"] / 1000
    return Event(fields["table"], fields["seq"], fields["kind"], fields["payload"], seat, move_id, at, fields["previous"], fields["hash"], aside)
