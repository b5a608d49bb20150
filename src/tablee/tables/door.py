"""The one door of a table: what follows from a command, or why it is refused."""

import re
from dataclasses import dataclass

from tablee.core.errors import TableeError
from tablee.tables import asking, playing, seating, talking, timing
from tablee.tables import commands as c
from tablee.tables.events import Event
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.tokens import Actor
from tablee.tables.visit import Visit

MOVE_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True)
class Outcome:
    """What follows from a command: the new events, and the table after them."""

    events: list[Event]
    table: Table


def handle(table: Table, command: c.Command, actor: Actor, now: float) -> Outcome:
    """Return what follows from a command, throws and end included; the table given does not change.

    Raises `Refused` if it is not to be done. A resend (same `move_id`, same command, same actor) gives no events, and `answer_of` the first answer.
    """
    move_id = command.move_id
    if move_id is not None and not MOVE_ID.fullmatch(move_id):
        raise Refused("unreadable", "no move id")
    digest = digest_of(command, actor)
    known = table.answers.get(move_id) if move_id is not None else None
    if known:
        if known.digest != digest:
            raise Refused("again", "no again")
        return Outcome([], table)
    visit = Visit(table, actor, max(now, table.events[-1].at), move_id, digest)
    if not isinstance(command, c.Resume):
        timing.wake(visit)
    do(visit, command)
    visit.table.awake = visit.table.awake or bool(visit.events)
    return Outcome(visit.events, visit.table)


def do(visit: Visit, command: c.Command) -> None:
    """Do what is asked, or raise `Refused`."""
    match command:
        case c.Sit():
            seating.sit(visit, command)
        case c.Leave():
            seating.leave(visit, command)
        case c.Replace():
            seating.replace(visit, command)
        case c.Invite():
            seating.invite(visit, command)
        case c.Contribute():
            seating.contribute(visit, command)
        case c.Play():
            playing.play(visit, command)
        case c.AskTakeBack():
            asking.ask_take_back(visit, command)
        case c.AskDraw():
            asking.ask_draw(visit, command)
        case c.AskAbandon():
            asking.ask_abandon(visit, command)
        case c.AskText():
            asking.ask_text(visit, command)
        case c.Rematch():
            asking.rematch(visit, command)
        case c.Answer():
            asking.answer(visit, command)
        case c.Resign():
            playing.resign(visit, command)
        case c.Hint():
            playing.hint(visit, command)
        case c.Say():
            talking.say(visit, command)
        case c.Resume():
            timing.resume(visit, command)
        case c.Start():
            playing.start(visit)
        case c.Tick():
            timing.tick(visit)
        case c.Expire():
            timing.expire(visit)
        case _:
            raise Refused("unreadable", "no such command")


def digest_of(command: c.Command, actor: Actor) -> str:
    """Return what tells a resend from another request; what cannot even be written down is refused."""
    try:
        return c.command_digest(command, actor)
    except TableeError as error:
        raise Refused("unreadable", "no such command") from error
