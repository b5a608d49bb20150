"""A house with a planted fault: it tells what happened before it is written."""

import asyncio

from tablee.cli import main
from tablee.tables.commands import Command
from tablee.tables.door import handle
from tablee.tables.events import Event
from tablee.tables.tokens import Actor
from tablee.web.house import House
from tablee.web.live import Live

EARLY_SECONDS = 1.0


async def commit(house: House, live: Live, command: Command, actor: Actor) -> list[Event]:
    """Apply, tell, and only then write."""
    async with live.lock:
        outcome = handle(live.table, command, actor, house.clock())
        if outcome.events:
            live.table = outcome.table
            live.tell()
            await asyncio.sleep(EARLY_SECONDS)
            await house.store.append(live.table.id, outcome.events)
    if outcome.events:
        house.care(live)
    return outcome.events


if __name__ == "__main__":
    House.commit = commit  # type: ignore[method-assign, assignment]
    main()
