"""Which commands a viewer may give now. The handlers themselves decide: each is tried up to its first event."""

from collections.abc import Iterator

from tablee.tables import commands as c
from tablee.tables.door import HANDLERS
from tablee.tables.payloads import Threw
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.tokens import Actor
from tablee.tables.values import Phase, Sitter
from tablee.tables.visit import MOST_EVENTS, Allowed, Visit


def allowed(table: Table, viewer: Actor) -> list[c.Command]:
    """Return the commands that a viewer can give now with a button: allowed, and of some use."""
    seats = table.held_by(viewer)
    if not seats and not table.opened_by(viewer):
        return []
    trial = Visit(table, viewer, table.events[-1].at, trial=True)
    return [command for command in candidates(table, seats) if succeeds(trial, command)]


def depends_on(table: Table, seats: tuple[int, ...]) -> tuple[object, ...]:
    """Return what the commands of these seats depend on: as long as it is the same, `allowed` gives the same.

    Of what a play changes, the handlers look at no more than this; whatever else happens changes `beside`.
    """
    throws = 0
    last = None
    for step in reversed(table.steps):
        throws += step.kind == Threw.kind
        if step.seat in seats:
            last = step.seat
            break
    stops = table.state is not None and table.state.may_stop
    waits = bool(table.asks), len(table.steps) in table.declined.values()
    return table.beside, table.asked, last, throws > 0, stops, *waits, table.seq >= MOST_EVENTS


def is_allowed(table: Table, command: c.Command, actor: Actor) -> bool:
    """Return whether the table would carry a command out now."""
    return succeeds(Visit(table, actor, table.events[-1].at, trial=True), command)


def empty_seats(table: Table) -> list[int]:
    """Return the seats that somebody may still take: none when the game is over."""
    return [] if table.phase == Phase.OVER else [seat for seat, place in enumerate(table.seats) if place.player == Sitter.NOBODY]


def waits_for_all(table: Table) -> bool:
    """Return whether a table waits, and anybody may sit down."""
    return table.phase == Phase.WAITING and table.terms.sitting == "open" and bool(empty_seats(table))


def may_advise(table: Table, actor: Actor) -> bool:
    """Return whether a viewer may have an adviser: hints are allowed, and every other seat is a program's."""
    held = table.held_by(actor)
    others = [seat for number, seat in enumerate(table.seats) if number not in held]
    return table.terms.hints and table.phase != Phase.OVER and len(held) == 1 and all(seat.player == Sitter.PROGRAM for seat in others)


def succeeds(trial: Visit, command: c.Command) -> bool:
    """Return whether a command reaches its first event; a visit on trial does not change, so it can try one command after the other."""
    try:
        HANDLERS[type(command)](trial, command)
    except Allowed:
        return True
    except Refused:
        return False
    return True


def candidates(table: Table, seats: tuple[int, ...]) -> Iterator[c.Command]:
    """Give the commands that may be useful to the holder of these seats, allowed or not."""
    others = [place.player for seat, place in enumerate(table.seats) if seat not in seats]
    if Sitter.NOBODY in others:
        yield c.Invite()
        yield c.Fill()
    if table.phase == Phase.WAITING:
        yield c.Start()
    if not seats:
        return
    asked = table.asked
    mine = next((seat for seat in seats if seat in asked), seats[0])
    if table.phase == Phase.PLAYING:
        yield from in_play(table, seats, mine, alone=not others)
    yield c.Abandon(mine)
    if others and table.phase == Phase.PLAYING:
        yield c.Resign(mine)
    if any(player != Sitter.NOBODY for player in others):
        yield c.Leave(mine)
    if table.phase == Phase.OVER:
        yield c.Rematch(mine)
    if table.others(mine):
        yield c.Text(mine)


def in_play(table: Table, seats: tuple[int, ...], mine: int, *, alone: bool) -> Iterator[c.Command]:
    """Give the commands that may be useful while the game goes on."""
    last = next((step.seat for step in reversed(table.steps) if step.seat in seats), None)
    if last is not None:
        yield c.TakeBack(last)
    if mine in table.asked:
        yield c.Hint(mine)
    if not alone:
        yield c.Draw(mine)
    if table.state is not None and table.state.may_stop:
        yield c.Stop(mine)
