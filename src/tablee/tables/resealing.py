"""Seals the dice of a live table anew, after its house came back from a backup.

Whoever saw throws after the backup knows what the old secret gives next; so the next throw comes from a new secret. Both are revealed at the end.
"""

import secrets
from dataclasses import dataclass, field

from tablee.core.errors import TableeError
from tablee.tables.dice import SECRET_BYTES, commitment
from tablee.tables.events import Event, chain
from tablee.tables.payloads import Resealed, fields_of
from tablee.tables.table import Table
from tablee.tables.values import Phase


@dataclass(frozen=True)
class Resealing:
    """The event to append, and the new secret, to keep behind those before: both in one transaction."""

    event: Event
    secret: bytes = field(repr=False)


def reseal(table: Table, now: float, secret: bytes | None = None) -> Resealing | None:
    """Return what seals the dice of a table anew, or None if its game is over; the new secret is drawn, unless it is given."""
    if table.phase == Phase.OVER:
        return None
    new = secret or secrets.token_bytes(SECRET_BYTES)
    if len(new) != SECRET_BYTES:
        raise TableeError(f"a secret has {len(new)} bytes: expected {SECRET_BYTES}")
    payload = Resealed(commitment=commitment(table.id, new, table.dice_version))
    event = chain(table.id, table.seq + 1, payload.kind, fields_of(payload), max(now, table.events[-1].at), table.hash)
    return Resealing(event, new)
