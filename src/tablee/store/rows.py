"""How events and cards are written in rows: the same in every database."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tablee.store.log import Carte, StoreError
from tablee.tables.events import Event, EventKind, packed
from tablee.tables.payloads import Seated, payload_as

EVENT_COLUMNS = ("table_id", "seq", "kind", "payload", "seat", "move_id", "at", "previous", "hash")
Row = tuple[Any, ...]


@dataclass(frozen=True)
class Rows:
    """What some events of one table are in the database."""

    events: list[Row]
    asides: list[Row]
    sitters: list[Row]
    finished: bool


def rows_of(table_id: str, events: Sequence[Event]) -> Rows:
    """Return the rows of events, of the words beside them and of who sat down; refuse an event of another table."""
    rows = Rows([], [], [], any(event.kind == EventKind.ENDED for event in events))
    for event in events:
        if event.table != table_id:
            raise StoreError(f"event {event.seq} belongs to table {event.table!r}, not to {table_id!r}")
        at = round(event.at * 1000)
        rows.events.append((table_id, event.seq, event.kind, event.payload_text, event.seat, event.move_id, at, event.previous, event.hash))
        if event.aside:
            rows.asides.append((table_id, event.seq, event.aside["owner"], event.aside["salt"], event.aside["text"]))
        if event.kind == EventKind.SEATED and (holder := payload_as(event, Seated).token_hash):
            rows.sitters.append((holder, table_id))
    return rows


def event_of(table_id: str, row: Sequence[Any]) -> Event:
    """Return the event of a row of seq, kind, payload, seat, move_id, at, previous, hash, and text, salt, owner of its aside."""
    seq, kind, payload, seat, move_id, at, previous, digest, text, salt, owner = row
    aside = {} if text is None else {"text": text, "salt": salt, "owner": owner}
    return Event(table_id, seq, kind, json.loads(payload), seat, move_id, at / 1000, previous, digest, aside)


def carte_of(row: Sequence[Any]) -> Carte:
    """Return the card of a row of id, name, settings and made."""
    return Carte(row[0], row[1], json.loads(row[2]), row[3] / 1000)


def settings_text(settings: Mapping[str, str]) -> str:
    """Return the settings of a card as they are written."""
    return json.dumps(dict(settings))


def hash_carte(secret: str) -> str:
    """Return what is kept of the secret of a card."""
    return hashlib.sha256(packed(b"tablee carte v1", secret.encode())).hexdigest()
