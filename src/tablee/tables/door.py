"""The entry point of a table: `handle` returns the events of a command, or raises why it is refused."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import structs

from tablee.core.errors import TableeError
from tablee.core.record import split
from tablee.tables import asking, levels, playing, seating, talking, timing
from tablee.tables import commands as c
from tablee.tables.events import Event
from tablee.tables.payloads import Hinted, payload_as
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.tokens import Actor
from tablee.tables.values import Answered
from tablee.tables.visit import Visit

HANDLERS: Mapping[type[c.Command], Callable[[Visit, Any], None]] = {
    c.Sit: seating.sit,
    c.Leave: seating.leave,
    c.Dismiss: seating.dismiss,
    c.Replace: seating.replace,
    c.Fill: seating.fill,
    c.Invite: seating.invite,
    c.Contribute: seating.contribute,
    c.Start: playing.start,
    c.Play: playing.play,
    c.Resign: playing.resign,
    c.Hint: playing.hint,
    c.ShowHint: playing.show_hint,
    c.TakeBack: asking.ask_take_back,
    c.Draw: asking.ask_draw,
    c.Abandon: asking.ask_abandon,
    c.Stop: asking.ask_stop,
    c.Text: asking.ask_text,
    c.Rematch: asking.rematch,
    c.Answer: asking.answer,
    c.Say: talking.say,
    c.Tick: timing.tick,
    c.Resume: timing.resume,
    c.Expire: timing.expire,
}


@dataclass(frozen=True)
class Outcome:
    """What follows from a command: the new events, and the table after them."""

    events: list[Event]
    table: Table


def handle(table: Table, command: c.Command, actor: Actor, now: float) -> Outcome:
    """Return what follows from a command, throws and end included; the table given does not change.

    Raises `Refused` if the table does not carry it out. A resend (same `move_id`, command and actor) gives no events; `answer_of` has its answer.
    """
    move_id = command.move_id
    if move_id is not None and not re.fullmatch(c.MOVE_ID, move_id):
        raise Refused("unreadable", "no move id")
    if type(command) not in HANDLERS:
        raise Refused("unreadable", "no such command")
    known = table.answer_of(move_id) if move_id is not None else None
    command = settled(table, command, known)
    digest = digest_of(command, actor)
    if known:
        if known.digest != digest:
            raise Refused("again", "no again")
        return Outcome([], table)
    visit = Visit(table, actor, max(now, table.events[-1].at), move_id, digest)
    if not isinstance(command, c.Resume):
        timing.wake(visit)
    HANDLERS[type(command)](visit, command)
    visit.table.awake = visit.table.awake or bool(visit.events)
    return Outcome(visit.events, visit.table)


def settled(table: Table, command: c.Command, known: Answered | None) -> c.Command:
    """Return a command with its open fields filled in; a resend, which is `known`, gets the values of the first request."""
    match command:
        case c.Play():
            return structs.replace(command, tokens=tuple(split(table.game, " ".join(command.tokens))))
        case c.Sit(seat=None):
            return structs.replace(command, seat=table.events[known.seq].seat if known else seating.free_seat(table))
        case c.Replace(level="") | c.Fill(level=""):
            return structs.replace(command, level=levels.middle(table.game.kind))
        case c.Hint() if known and table.events[known.seq].kind == Hinted.kind:
            return c.ShowHint(command.seat, payload_as(table.events[known.seq], Hinted).tokens, move_id=command.move_id)
    return command


def digest_of(command: c.Command, actor: Actor) -> str:
    """Return the digest that identifies a resend; raise `Refused` for a command that cannot be encoded."""
    try:
        return c.command_digest(command, actor)
    except TableeError as error:
        raise Refused("unreadable", "no such command") from error
