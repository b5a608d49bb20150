"""Invitations: the token of each follows from the inviter's own, so that the house need not keep it to show it again."""

import hashlib
import hmac
from base64 import urlsafe_b64encode

from tablee.tables.events import packed
from tablee.tables.payloads import Invited, Opened, payload_as
from tablee.tables.table import Table
from tablee.tables.tokens import Actor, hash_token, new_token
from tablee.tables.values import Phase

MOST_INVITATIONS = 32


def invitation(token: str, match: str, number: int) -> str:
    """Return the n-th invitation that the holder of a token can give."""
    mixed = hmac.new(token.encode(), packed(b"tablee invitation v1", match.encode(), number.to_bytes(4, "big")), hashlib.sha256)
    return urlsafe_b64encode(mixed.digest()).rstrip(b"=").decode()


def invitations_left(table: Table, actor: Actor) -> list[tuple[str, int | None]]:
    """Return the invitations of a player or the opener that nobody has used yet, each with its seat; none after the end."""
    if table.phase == Phase.OVER or not actor.tokens or not (table.held_by(actor) or table.opened_by(actor)):
        return []
    token = actor.tokens[-1]
    made = [invitation(token, table.match.id, number) for number in range(MOST_INVITATIONS)] if token and table.invitations else []
    return [(made_token, table.invitations[kept]) for made_token in made if (kept := hash_token(table.match.id, made_token)) in table.invitations]


def next_invitation(table: Table, token: str) -> str:
    """Return an invitation of a visitor that was never given before."""
    given = {payload_as(event, Invited).hash for event in table.events.other_than_plays() if event.kind == Invited.kind}
    given |= {kept.hash for kept in payload_as(table.events[0], Opened).invitations}
    for number in range(MOST_INVITATIONS):
        candidate = invitation(token, table.match.id, number)
        if hash_token(table.match.id, candidate) not in given:
            return candidate
    return new_token()
