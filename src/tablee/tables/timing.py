"""What the house does as time goes by: it counts nothing while it was away, and ends what is out of time or forgotten."""

from tablee.tables import commands as c
from tablee.tables.events import Json
from tablee.tables.playing import duel, end
from tablee.tables.visit import Visit


def wake(visit: Visit) -> None:
    """Count nothing of the time in which the house was not there, if it has not said how long that was."""
    table = visit.table
    if not table.awake and table.clock and table.clock.since and table.phase == "playing":
        visit.emit("resumed", {"spent": {}, "outage": round((visit.now - table.events[-1].at) * 1000)})


def tick(visit: Visit) -> None:
    """End the game of somebody whose time is up; where more than two play, a program takes the seat."""
    visit.house()
    if visit.table.clock is None or visit.table.phase != "playing":
        return
    for seat in visit.table.clock.out(visit.now):
        if duel(visit):
            end(visit, (1 - seat,), "time")
            return
        visit.emit("seated", {"player": "program", "level": visit.table.terms.substitute, "because": "time"}, seat)


def resume(visit: Visit, command: c.Resume) -> None:
    """Count what was spent while the house could still answer, and nothing of the time after."""
    visit.house()
    clock = visit.table.clock
    if clock is None or not clock.since or visit.table.phase != "playing":
        return
    until = min(command.alive_until, visit.now)
    spent: dict[str, Json] = {str(seat): min(clock.spent(seat, until), max(clock.left[seat], 0)) for seat in sorted(clock.since)}
    visit.emit("resumed", {"spent": spent, "outage": max(0, round((visit.now - max(until, visit.table.events[-1].at)) * 1000))})


def expire(visit: Visit) -> None:
    """Close a table that everybody has forgotten; its dice are opened all the same."""
    visit.house()
    visit.during("waiting", "playing")
    end(visit, (), "expired")
