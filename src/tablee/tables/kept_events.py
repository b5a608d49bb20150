"""The events of a table in memory: the last ones as they are, the plays before them packed, for a long game is made of plays that nobody reads again.

A play as an object takes some 700 bytes: a dict, and its hash, its digest and its `move_id` as text. Packed it takes 170.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias, overload

import msgspec

from tablee.tables.events import Event, EventKind, Fields

# So many events stay as they are: what a change tells of is among them.
RECENT = 4
HASH_BYTES, MARK_BYTES = 32, 8
KINDS = (EventKind.ACTED, EventKind.THREW)
NO_MARK = bytes(MARK_BYTES)
# What is packed behind the hash: whether it is a throw, its payload without the digest, that, the seat, the `move_id`, the time in milliseconds.
Rest: TypeAlias = tuple[bool, Fields, bytes | None, int | None, str | None, int]
encode = msgspec.msgpack.Encoder().encode
decoder: msgspec.msgpack.Decoder[Rest] = msgspec.msgpack.Decoder(tuple[bool, dict, bytes | None, int | None, str | None, int])  # type: ignore[type-arg]


class Events(Sequence[Event]):
    """All events of one table, in order and without a gap; an event that was packed is made again each time that it is read."""

    __slots__ = ("kept", "last", "marks")

    def __init__(self, first: Event) -> None:
        """Begin with the first event."""
        self.kept: list[Event | bytes] = []
        self.marks = bytearray()
        self.last = first
        self.append(first)

    def copy(self) -> "Events":
        """Return equal events, to which others can be added."""
        twin = object.__new__(Events)
        twin.kept, twin.last, twin.marks = self.kept.copy(), self.last, self.marks.copy()
        return twin

    def append(self, event: Event) -> None:
        """Add the next event, and pack the one that is recent no more."""
        self.kept.append(event)
        self.last = event
        self.marks += NO_MARK if event.move_id is None else mark_of(event.move_id)
        at = len(self.kept) - 1 - RECENT
        if at > 0 and isinstance(old := self.kept[at], Event):
            self.kept[at] = packed_play(old) or old

    def answer(self, move_id: str) -> Event | None:
        """Return the event that carries a `move_id`: by its mark, eight bytes for each event, then by the event itself."""
        mark, at = mark_of(move_id), -1
        while (at := self.marks.find(mark, at + 1)) >= 0:
            seq, into = divmod(at, MARK_BYTES)
            if not into and (event := self[seq]).move_id == move_id:
                return event
        return None

    def other_than_plays(self) -> Iterator[Event]:
        """Give all events but the plays (actions and throws), the last first."""
        return (event for event in reversed(self.kept) if isinstance(event, Event) and event.kind not in KINDS)

    def hash_at(self, seq: int) -> str:
        """Return the hash of an event."""
        kept = self.kept[seq]
        return kept[:HASH_BYTES].hex() if isinstance(kept, bytes) else kept.hash

    def at(self, seq: int) -> Event:
        """Return an event by its number."""
        kept = self.kept[seq]
        if isinstance(kept, Event):
            return kept
        first = self.kept[0]
        assert isinstance(first, Event)  # it is no play
        kind, payload, digest, seat, move_id, time = decoder.decode(memoryview(kept)[HASH_BYTES:])
        fields = payload if digest is None else {"digest": digest.hex(), **payload}
        return Event(first.table, seq, KINDS[kind], fields, seat, move_id, time / 1000, self.hash_at(seq - 1), self.hash_at(seq))

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.kept)

    @overload
    def __getitem__(self, index: int) -> Event: ...

    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...

    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        """Return an event, or several; the last ones are found quickest."""
        if isinstance(index, slice):
            return [self.at(seq) for seq in range(*index.indices(len(self.kept)))]
        kept = self.kept[index]
        return kept if isinstance(kept, Event) else self.at(index if index >= 0 else len(self.kept) + index)

    def __iter__(self) -> Iterator[Event]:
        """Give every event, the first first."""
        return map(self.at, range(len(self.kept)))

    def __eq__(self, other: object) -> bool:
        """Return whether the events are equal."""
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # others can be added


def packed_play(event: Event) -> bytes | None:
    """Return a play packed, or None for anything that could not be made again as it was."""
    if event.kind not in KINDS or event.aside:
        return None
    payload, digest = event.payload, None
    if "digest" in payload:
        payload = dict(payload)
        digest = raw(payload.pop("digest"))
        if digest is None:
            return None
    rest: Rest = event.kind == EventKind.THREW, payload, digest, event.seat, event.move_id, round(event.at * 1000)
    return bytes.fromhex(event.hash) + encode(rest)


def raw(text: object) -> bytes | None:
    """Return the bytes of a hash in hex, or None if it is not written as we do."""
    if not isinstance(text, str) or len(text) != 2 * HASH_BYTES:
        return None
    try:
        octets = bytes.fromhex(text)
    except ValueError:
        return None
    return octets if octets.hex() == text else None


def mark_of(move_id: str) -> bytes:
    """Return the mark of a `move_id`, the same as long as this process runs; it has few equals, and none that somebody could choose."""
    return hash(move_id).to_bytes(MARK_BYTES, "big", signed=True)
