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


def seen_frame(live: Live, actor: Actor, language: str, now: float) -> bytes:
    """Return the frame that tells a viewer how the table stands; all who only watch get the same bytes."""
    if live.table.clock or live.table.held_by(actor) or live.table.opened_by(actor):
        return msgspec.json.encode({"t": "view", "view": seen(live, actor, language, now)})
    key = (live.table.hash, language)
    if live.table.terms.watching == "all" and key in live.views:
        return live.views[key]
    frame = msgspec.json.encode({"t": "view", "view": seen(live, actor, language, now)})
    if live.table.terms.watching == "all":
        live.views[key] = frame
    return frame
