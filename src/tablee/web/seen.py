"""What a screen is sent: the table's own view, with the orders that the viewer can give and the invitations he can send."""

import msgspec

from tablee.tables.tokens import Actor
from tablee.tables.view import View, view
from tablee.web.house import Live
from tablee.web.orders import possible
from tablee.web.visitors import invitations_left

MOST_KEPT = 16


def seen(live: Live, actor: Actor, language: str, now: float) -> View:
    """Return the table as one viewer sees it; `Refused` if he may not."""
    table = live.table
    found = view(table, actor, language, now)
    found["commands"] = possible(table, actor, language)
    token = actor.tokens[-1] if actor.tokens else ""
    left = invitations_left(table, token) if token and table.phase != "over" and (found["you"] or found["opener"]) else []
    found["invitations"] = [{"path": f"/t/{table.id}/join/{one}", "seat": seat} for one, seat in left]
    return found


def seen_bytes(live: Live, actor: Actor, language: str, now: float) -> bytes:
    """Return the table as one viewer sees it, as JSON; kept until something changes, unless a clock runs. All who only watch see the same."""
    table = live.table
    if table.clock:
        return msgspec.json.encode(seen(live, actor, language, now))
    alike = table.terms.watching == "all" and not table.held_by(actor) and not table.opened_by(actor)
    key = (table.hash, language, () if alike else actor.tokens)
    if key not in live.views:
        if len(live.views) >= MOST_KEPT:
            live.views.clear()
        live.views[key] = msgspec.json.encode(seen(live, actor, language, now))
    return live.views[key]


def seen_frame(live: Live, actor: Actor, language: str, now: float) -> bytes:
    """Return the frame that tells a viewer how the table stands."""
    return b'{"t":"view","view":' + seen_bytes(live, actor, language, now) + b"}"
