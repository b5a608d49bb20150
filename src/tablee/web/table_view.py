"""What a screen is sent: the view of the table, with the viewer's own commands and invitations."""

from dataclasses import dataclass, field
from functools import lru_cache

import msgspec
from msgspec import structs

from tablee.core.scene import Scene
from tablee.tables.allowed import allowed, depends_on
from tablee.tables.commands import Command, tag_of
from tablee.tables.invitations import invitations_left
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.telling import shown_state
from tablee.tables.tokens import Actor
from tablee.tables.view import aim, asks, harder, legal, verdict, view
from tablee.tables.view_types import Change, CommandView, InvitationView, View
from tablee.web.live import Live
from tablee.web.words import page_words

MOST_KEPT = 16
OWN_BESIDE = ("you", "opener", "verdict", "harder", "invitations")


def table_view(live: Live, actor: Actor, language: str, now: float) -> View:
    """Return the table as one viewer sees it; raise `Refused` if the viewer may not watch."""
    table = live.table
    shown, links = view(table, actor, language, now), invitations(table, actor)
    return structs.replace(shown, commands=commands(table, actor, language), invitations=links, watchers=live.watchers)


def commands(table: Table, actor: Actor, language: str) -> list[CommandView]:
    """Return the commands that a viewer can give now, as buttons."""
    return [button(type(command), getattr(command, "seat", None), language) for command in allowed(table, actor)]


@lru_cache(1024)
def button(kind: type[Command], seat: int | None, language: str) -> CommandView:
    """Return a command as a button: its tag, its seat and its words."""
    tag = tag_of(kind.__name__)
    return CommandView(tag, seat, page_words(language)(f"do {tag}"))


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
    """What was sent to one listener: the number of the last event, and the parts of the view that belong to this listener alone.

    `buttons` caches the listener's commands, one list for each state that they depend on.
    """

    actor: Actor
    language: str
    seq: int = -1
    own: dict[str, object] = field(default_factory=dict)
    buttons: dict[object, list[CommandView]] = field(default_factory=dict)

    def forget(self) -> None:
        """Send a whole view next time: the listener asks for it."""
        self.seq = -1

    def frame(self, live: Live, now: float) -> bytes:
        """Return the next frame for this listener: the changes since the last one, or a whole view. Raise `Refused` if the listener may not watch."""
        table = live.table
        if not table.may_watch(self.actor):
            raise Refused("token", "no watching")
        changed = live.news.since(table, self.seq, self.language, now) if 0 <= self.seq < table.seq else None
        before, self.own = self.own, self.look(live, live.news.look(table, self.language, now).bare)
        self.seq = table.seq
        if changed is None:
            return b'{"t":"view","view":' + view_bytes(live, self.actor, self.language, now) + b"}"
        own = {name: part for name, part in self.own.items() if part != before.get(name)}
        return b"".join((changed, b",", msgspec.json.encode(own)[1:])) if own else changed + b"}"

    def count_frame(self, live: Live) -> bytes:
        """Return the change that says how many watch now, from and to the event that the listener knows."""
        self.own["watchers"] = live.watchers
        return msgspec.json.encode(Change(since=self.seq, to=self.seq, hash=live.table.hash, watchers=live.watchers))

    def look(self, live: Live, bare: Scene) -> dict[str, object]:
        """Return the parts of a view that are this listener's own; `bare` is the board without marks."""
        table, actor, language = live.table, self.actor, self.language
        you, state = table.held_by(actor), table.state
        actions = legal(table, state, bare, you, language) if state and you else []
        parts = {
            "aim": aim(table, shown_state(table), you, language),
            "legal": msgspec.Raw(msgspec.json.encode(actions)),  # it takes less memory so
            "asks": asks(table, you, language),
            "commands": self.commands(table, you),
            "watchers": live.watchers,
        }
        known = "you" in self.own and self.seq >= table.beside
        return parts | ({name: self.own[name] for name in OWN_BESIDE} if known else own_beside(table, you, actor))

    def commands(self, table: Table, you: tuple[int, ...]) -> list[CommandView]:
        """Return the commands of this listener as buttons."""
        depends = (depends_on(table, you), self.actor, self.language)
        if depends not in self.buttons:
            if len(self.buttons) >= MOST_KEPT:
                self.buttons.clear()
            self.buttons[depends] = commands(table, self.actor, self.language)
        return self.buttons[depends]


def own_beside(table: Table, you: tuple[int, ...], actor: Actor) -> dict[str, object]:
    """Return the parts of a view that are a viewer's own, and that no action and no throw changes."""
    return {
        "you": you,
        "opener": table.opened_by(actor),
        "verdict": verdict(table, you),
        "harder": harder(table, you),
        "invitations": invitations(table, actor),
    }
