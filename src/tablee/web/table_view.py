"""What a screen is sent: the table's own view, with the commands that the viewer can give and the invitations he can send."""

from dataclasses import dataclass, field

import msgspec
from msgspec import structs

from tablee.core.scene import Scene
from tablee.tables.allowed import allowed
from tablee.tables.commands import Command, tag_of
from tablee.tables.invitations import invitations_left
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.telling import shown_state
from tablee.tables.tokens import Actor
from tablee.tables.view import aim, asks, harder, legal, verdict, view
from tablee.tables.view_types import Change, CommandView, InvitationView, View
from tablee.web.house import Live
from tablee.web.words import page_words

MOST_KEPT = 16


def table_view(live: Live, actor: Actor, language: str, now: float) -> View:
    """Return the table as one viewer sees it; `Refused` if he may not."""
    table = live.table
    shown, links = view(table, actor, language, now), invitations(table, actor)
    return structs.replace(shown, commands=commands(table, actor, language), invitations=links, watchers=live.watchers)


def commands(table: Table, actor: Actor, language: str) -> list[CommandView]:
    """Return the commands that a viewer can give now, as buttons."""
    return [button(command, language) for command in allowed(table, actor)]


def button(command: Command, language: str) -> CommandView:
    """Return a command as a button: its tag, its seat and its words."""
    tag = tag_of(type(command).__name__)
    return CommandView(tag, getattr(command, "seat", None), page_words(language)(f"do {tag}"))


def invitations(table: Table, actor: Actor) -> list[InvitationView]:
    """Return the invitations of a viewer that nobody has used yet."""
    return [InvitationView(f"/t/{table.id}/join/{token}", seat) for token, seat in invitations_left(table, actor)]


def view_bytes(live: Live, actor: Actor, language: str, now: float) -> bytes:
    """Return the table as one viewer sees it, as JSON; kept until something changes, unless a clock runs. All who only watch see the same."""
    table = live.table
    if table.clock:
        return msgspec.json.encode(table_view(live, actor, language, now))
    only_watches = table.terms.watching == "all" and not table.held_by(actor) and not table.opened_by(actor)
    key = (table.hash, live.watchers, language, Actor() if only_watches else actor)
    if key not in live.views:
        if len(live.views) >= MOST_KEPT:
            live.views.clear()
        live.views[key] = msgspec.json.encode(table_view(live, actor, language, now))
    return live.views[key]


@dataclass
class Listener:
    """What one listener has been told: up to which event, and what is his own, as JSON."""

    actor: Actor
    language: str
    seq: int = -1
    own: dict[str, bytes] = field(default_factory=dict)

    def forget(self) -> None:
        """Send a whole view next time: the listener asks for it."""
        self.seq = -1

    def frame(self, live: Live, now: float) -> bytes:
        """Return the next frame for this listener: what changed since the last one, or a whole view. `Refused` if he may not watch."""
        table = live.table
        if not table.may_watch(self.actor):
            raise Refused("token", "no watching")
        changed = live.news.since(table, self.seq, self.language, now) if 0 <= self.seq < table.seq else None
        before, self.own = self.own, own_parts(table, live.news.look(table, self.language, now).bare, self.actor, self.language)
        self.own["watchers"] = b"%d" % live.watchers
        self.seq = table.seq
        if changed is None:
            return b'{"t":"view","view":' + view_bytes(live, self.actor, self.language, now) + b"}"
        own = (b',"%s":%s' % (name.encode(), part) for name, part in self.own.items() if part != before.get(name))
        return b"".join((changed, *own, b"}"))

    def count_frame(self, live: Live) -> bytes:
        """Return the change that says how many watch now, from and to the event that the listener knows."""
        self.own["watchers"] = b"%d" % live.watchers
        return msgspec.json.encode(Change(since=self.seq, to=self.seq, hash=live.table.hash, watchers=live.watchers))


def own_parts(table: Table, bare: Scene, actor: Actor, language: str) -> dict[str, bytes]:
    """Return the parts of a view that are a viewer's own, as JSON; `bare` is the board without marks."""
    you, state = table.held_by(actor), table.state
    parts: dict[str, object] = {
        "you": you,
        "opener": table.opened_by(actor),
        "aim": aim(table, shown_state(table), you, language),
        "verdict": verdict(table, you),
        "harder": harder(table, you),
        "legal": legal(table, state, bare, you, language) if state and you else [],
        "asks": asks(table, you, language),
        "commands": commands(table, actor, language),
        "invitations": invitations(table, actor),
    }
    return {name: msgspec.json.encode(part) for name, part in parts.items()}
