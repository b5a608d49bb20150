"""Clocks of tables that are not in memory: the store has an index of when each is out, and the house loads those that are due soon."""

import asyncio
import logging
from typing import TYPE_CHECKING

from tablee.core.errors import TableeError
from tablee.store.log import StoreError
from tablee.tables.commands import Resume
from tablee.tables.tokens import HOST

if TYPE_CHECKING:
    from tablee.web.house import House
    from tablee.web.live import Live

# The index is looked at every ten seconds; what is due within thirty is watched by a timer of its own.
LOOK_SECONDS, AHEAD_SECONDS = 10.0, 30.0
# Times are kept in milliseconds.
ROUNDING = 0.002

log = logging.getLogger("tablee.house")


async def postpone(house: "House") -> None:
    """After a restart: move all deadlines by the time in which no house could answer; what cannot be written yet is counted here."""
    if house.alive_until is None:
        return
    now = house.woken = max(house.clock(), house.alive_until)  # a wall clock that was put back brings no deadline nearer
    try:
        await house.store.postpone(house.alive_until, now)
    except StoreError as error:
        house.away = now - house.alive_until
        log.error("the deadlines cannot be moved", extra={"facts": {"error": str(error)[:300]}})


async def watch_deadlines(house: "House") -> None:
    """Load what is due soon, again and again."""
    while not house.closing:
        try:
            await look(house)
        except StoreError as error:
            log.error("the deadlines cannot be read", extra={"facts": {"error": str(error)[:300]}})
        await asyncio.sleep(LOOK_SECONDS)


async def look(house: "House") -> None:
    """Load the tables that are due soon and belong to this house."""
    for table_id in await house.store.due(house.clock() + AHEAD_SECONDS):
        if house.follow is not None and not house.follow.owns(table_id):
            continue
        try:
            live = await house.live(table_id)
            house.care(live)
            if house.follow is not None:
                await house.follow.say_due(live)
        except TableeError as error:  # one table that cannot be read must not keep the others waiting
            house.metrics.count("tables_unreadable")
            log.error("a table cannot be read", extra={"facts": {"table": table_id, "error": str(error)[:300]}})


async def awaken(house: "House", live: "Live") -> None:
    """After loading a table, do not charge its players for the time in which no house could answer."""
    table = live.table
    deadline = table.clock.deadline() if table.clock else None
    due = None if deadline is None else await house.store.due_of(table.id)
    if house.follow is not None and due is not None and due < table.events[-1].at:  # an older program wrote the last event, and did not say it
        due = None
    if deadline is not None and due is not None:  # it is due later than its log says by the time that everybody was away
        away = due + house.away - deadline
        if away > ROUNDING:
            await house.commit(live, Resume(house.clock() - away), HOST)
        live.table.awake = True
    elif house.follow is not None and (house.alive_until is None or table.events[-1].at >= house.woken or not house.follow.owns(table.id)):
        table.awake = True  # other houses answered meanwhile: nobody's clock stood still
    elif table.clock and house.alive_until is not None:
        await house.commit(live, Resume(house.alive_until), HOST)
