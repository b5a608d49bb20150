"""Time at a table: the house counts no time while it was down, and ends games that are out of time or forgotten."""

from tablee.tables import commands as c
from tablee.tables.payloads import Resumed, Seated
from tablee.tables.playing import duel, end
from tablee.tables.values import Phase, Reason, Sitter
from tablee.tables.visit import Visit


def wake(visit: Visit) -> None:
    """Count no time while the house was down, if the house has not said how long that was."""
    table = visit.table
    if not table.awake and table.clock and table.clock.since and table.phase == Phase.PLAYING:
        visit.emit(Resumed(spent={}, outage=round((visit.now - table.events[-1].at) * 1000)))


def tick(visit: Visit, command: c.Tick) -> None:
    """End the game of somebody whose time is up; where more than two play, a program takes the seat."""
    visit.house()
    if visit.table.clock is None or visit.table.phase != Phase.PLAYING:
        return
    for seat in visit.table.clock.out(visit.now):
        if duel(visit):
            end(visit, (1 - seat,), Reason.TIME)
            return
        visit.emit(Seated(player=Sitter.PROGRAM, level=visit.table.terms.substitute, because=Reason.TIME), seat)


def resume(visit: Visit, command: c.Resume) -> None:
    """Count what was spent while the house could still answer, and nothing of the time after."""
    visit.house()
    clock = visit.table.clock
    if clock is None or not clock.since or visit.table.phase != Phase.PLAYING:
        return
    until = min(command.alive_until, visit.now)
    spent = {str(seat): min(clock.spent(seat, until), max(clock.left[seat], 0)) for seat in sorted(clock.since)}
    visit.emit(Resumed(spent=spent, outage=max(0, round((visit.now - max(until, visit.table.events[-1].at)) * 1000))))


def expire(visit: Visit, command: c.Expire) -> None:
    """Close a table that everybody has forgotten; its dice are revealed as always."""
    visit.house()
    visit.during(Phase.WAITING, Phase.PLAYING)
    end(visit, (), Reason.EXPIRED)
