"""One visit to a table: the events that are made there, and who may do what."""

import secrets
from collections.abc import Mapping

from msgspec import structs

from tablee.core.ruling import Fact
from tablee.tables.events import Event, EventKind, chain, seal, with_aside
from tablee.tables.payloads import Payload, fields_of
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.tokens import Actor
from tablee.tables.values import Phase, Seat, Sitter

MOST_EVENTS = 20_000
# Invitations, phrases, hints, requests, comings and goings: all that is not the game itself.
MOST_BESIDE = 2_000


class Allowed(Exception):
    """A command on trial has reached its first event, so it is not refused."""


class Visit:
    """One visit: events are made one after the other and added to a fork of the table; the table itself stays as it is.

    On `trial` nothing is made: the first event that would be raises `Allowed`.
    """

    def __init__(self, table: Table, actor: Actor, now: float, move_id: str | None = None, digest: str = "", *, trial: bool = False) -> None:
        """Begin with the table as it stands."""
        self.table = table if trial else table.fork()
        self.trial = trial
        self.actor = actor
        self.now = now
        self.move_id = move_id
        self.digest = digest
        self.events: list[Event] = []

    def emit(self, payload: Payload, seat: int | None = None, text: str | None = None, owner: str = "") -> None:
        """Add the next event; the first carries the `move_id`, and a text is sealed and kept in the aside."""
        if self.trial:
            raise Allowed
        table = self.table
        aside: dict[str, str] = {}
        if text is not None:
            aside = {"text": text, "salt": secrets.token_hex(16), "owner": owner}
            payload = structs.replace(payload, seal=seal(aside["salt"], text))
        move_id, self.move_id = (self.move_id, None) if payload.kind != EventKind.RESUMED else (None, self.move_id)
        if move_id is not None:
            payload = structs.replace(payload, digest=self.digest)
        fields = fields_of(payload)
        event = with_aside(chain(table.id, table.seq + 1, payload.kind, fields, self.now, table.hash, seat=seat, move_id=move_id), aside)
        table.add(event, payload)
        self.events.append(event)

    def seat(self, seat: int) -> Seat:
        """Return a seat of the table."""
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < self.table.game.seats:
            raise Refused("unreadable", "no such seat", {"most": self.table.game.seats})
        return self.table.seats[seat]

    def holder(self, seat: int) -> Seat:
        """Return the seat that the actor holds."""
        place = self.seat(seat)
        if not self.table.holds(self.actor, seat):
            raise Refused("token", "no token", self.seat_fact(seat))
        return place

    def player(self, seat: int) -> Seat:
        """Return the seat that the actor plays: one that is held, or for the house one of its programs."""
        place = self.seat(seat)
        if place.player == Sitter.PROGRAM:
            if not self.actor.host:
                raise Refused("token", "no token program", self.seat_fact(seat))
            return place
        return self.holder(seat)

    def member(self) -> None:
        """Raise unless the actor holds a seat, opened the table, or is the house."""
        if not (self.actor.host or self.table.held_by(self.actor) or self.table.opened_by(self.actor)):
            raise Refused("token", "no token table")

    def house(self) -> None:
        """Raise unless the house itself gives the command."""
        if not self.actor.host:
            raise Refused("token", "no token house")

    def during(self, *phases: Phase) -> None:
        """Raise unless the table is in one of these phases."""
        if self.table.phase not in phases:
            raise Refused("phase", f"no {self.table.phase}")

    def room(self) -> None:
        """Raise if the log is so long that only the game itself may continue."""
        if self.table.seq >= MOST_EVENTS or self.table.seq - len(self.table.steps) >= MOST_BESIDE:
            raise Refused("limit", "no room")

    def seat_fact(self, seat: int) -> Mapping[str, Fact]:
        """Return the number of a seat as people count."""
        return {"seat": seat + 1}
