"""Takes tables and cards over into a store: each table in one transaction, sealed anew at once if it comes from a backup.

After a crash, the same command continues and takes over what is missing.
"""

from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

from tablee.core.errors import TableeError
from tablee.store.dump import Item
from tablee.store.log import CarteKept, Log
from tablee.tables.events import Event, verify
from tablee.tables.resealing import reseal
from tablee.tables.table import Table


class Taken(NamedTuple):
    """How many tables and cards a store has taken over, and how many of the tables had their dice sealed anew."""

    tables: int
    cartes: int
    sealed: int


async def items_of(log: Log) -> AsyncIterator[Item]:
    """Give every table with its secret and its log, oldest first, then every card."""
    for name in await log.tables():
        yield name, await log.secret(name), await log.events(name)
    for carte in await log.cartes():
        yield carte


async def take_over(items: Callable[[], AsyncIterator[Item]], target: Log, now: float | None = None) -> Taken:
    """Write what `items` gives into an empty store; with `now` the dice of the games that go on are sealed anew.

    The input is read twice, so that an error anywhere is reported before anything is written.
    """
    there = set(await target.tables())
    cards = {carte.id for carte in await target.cartes()}
    missing, known = 0, 0
    async for item in items():
        if isinstance(item, CarteKept):
            missing, known = missing + (item.id not in cards), known + (item.id in cards)
        else:
            name, _, events = item
            verify(events)
            if name in there and (await target.events(name))[: len(events)] != events:
                raise TableeError("the store is not empty: take over into a new one")
            missing, known = missing + (name not in there), known + (name in there)
    if known != len(there) + len(cards) or (known and not missing):
        raise TableeError("the store is not empty: take over into a new one")
    tables = cartes = sealed = 0
    async for item in items():
        if isinstance(item, CarteKept):
            cartes += 1
            if item.id not in cards:
                await target.adopt(item)
        else:
            tables += 1
            if item[0] not in there:
                sealed += await take_table(*item, target, now)
    return Taken(tables, cartes, sealed)


async def take_table(name: str, secret: bytes, events: list[Event], target: Log, now: float | None) -> bool:
    """Write one table, and return whether its dice were sealed anew in the same transaction."""
    made = None if now is None else reseal(Table.from_events(events, secret), now)
    if made is None:
        await target.create(name, events, secret)
    else:
        await target.create(name, [*events, made.event], secret + made.secret)
    return made is not None
