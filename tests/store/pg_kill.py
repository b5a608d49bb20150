"""Kill PostgreSQL under a house that writes, and start it again: `python -m tests.store.pg_kill --kills 20 [--fault async]`.

A house that does not know the outcome of a commit reads the log and looks for the `move_id`. Every confirmed event must be there,
none doubled. With `--fault async` the server may answer before it has written (`synchronous_commit=off`): then events must be seen to be lost.
"""

import argparse
import asyncio
import logging
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from unittest import mock

from tablee.store import postgres_server
from tablee.store.log import StoreError, UnknownTable
from tablee.store.postgres import PostgresLog
from tablee.tables.commands import Play
from tablee.tables.door import handle
from tablee.tables.events import Event
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.tokens import HOST
from tests.store.kill import begun, check_dice
from tests.store.pg import PgServer
from tests.tables.company import NOON

TABLES = 8


@dataclass
class Count:
    """What a run has found."""

    kills: int = 0
    confirmed: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    unknown: int = 0
    wrong: list[str] = field(default_factory=list)


class Lost(Exception):
    """Something that was confirmed is gone."""


async def run(server: PgServer, kills: int, seed: int, fault: str = "", between: tuple[int, int] = (20, 200)) -> Count:
    """Write, kill the server so many times, and compare what was confirmed with what is there."""
    count, chance, over = Count(), Random(seed), asyncio.Event()
    settings = postgres_server.SETTINGS | ({"synchronous_commit": "off"} if fault == "async" else {})
    with mock.patch.dict(postgres_server.SETTINGS, settings), mock.patch.object(postgres_server, "check_durable"):
        log = await open_unchecked(server.new_database()) if fault else await PostgresLog.open(server.new_database())
        players = [asyncio.ensure_future(play_on(log, number, count, over)) for number in range(TABLES)]
        for _ in range(kills):
            wanted = len(count.confirmed) + chance.randint(*between)
            while len(count.confirmed) < wanted and not count.wrong:
                await asyncio.sleep(0.001)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            count.kills += 1
            if count.wrong:
                break
        over.set()
        await asyncio.gather(*players)
        count.wrong += await missing(log, count) + await judge(log)
        await log.close()
    return count


async def open_unchecked(url: str) -> PostgresLog:
    """Open a log that does not look at the settings of the server."""

    async def content(connection: object) -> None:
        """See nothing."""

    with mock.patch("tablee.store.postgres.check_durable", content):
        return await PostgresLog.open(url)


async def play_on(log: PostgresLog, number: int, count: Count, over: asyncio.Event) -> None:
    """Play one game after the other; whatever the store says, the same request is sent until it is answered."""
    try:
        await play_games(log, number, count, over)
    except Lost as error:
        count.wrong.append(str(error))


async def play_games(log: PostgresLog, number: int, count: Count, over: asyncio.Event) -> None:
    """Play one game after the other until it is over."""
    sent = 0
    while not over.is_set():
        opening = begun()
        await surely(lambda opening=opening: log.create(opening.table, opening.events, opening.secret), count)
        table = Table.from_events(opening.events, opening.secret)
        while table.asked and table.state is not None and not over.is_set():
            seat = table.asked[0]
            legal = table.state.legal(seat)
            sent += 1
            command = Play(seat, (table.game.notate(legal[table.seq % len(legal)]),), move_id=f"{number}-{sent}")
            table = await answered(log, table, command, count)


async def answered(log: PostgresLog, table: Table, command: Play, count: Count) -> Table:
    """Send a command as the house does, until its outcome is known, and keep the confirmation."""
    while True:
        try:
            outcome = handle(table, command, HOST, NOON)
        except Refused as error:
            raise Lost(f"{table.id}: the board is not the one that was confirmed") from error
        try:
            await log.append(table.id, outcome.events)
        except StoreError:
            count.unknown += 1
            table = await read_again(log, table)
            continue
        table = outcome.table
        done = table.answer_of(command.move_id or "")
        assert done is not None
        count.confirmed[table.id, command.move_id or ""] = (done.seq, done.hash)
        return table


async def read_again(log: PostgresLog, table: Table) -> Table:
    """Read a log, once the server answers."""
    while True:
        try:
            return Table.from_events(await log.events(table.id), await log.secret(table.id))
        except UnknownTable as error:
            raise Lost(f"{table.id}: the whole table is lost") from error
        except StoreError:
            await asyncio.sleep(0.02)


async def surely(work: object, count: Count) -> None:
    """Create a table, also where the first try was done and not answered."""
    while True:
        try:
            await work()  # type: ignore[operator]
            return
        except StoreError as error:
            if "already written" in str(error):
                return
            count.unknown += 1
            await asyncio.sleep(0.02)


async def missing(log: PostgresLog, count: Count) -> list[str]:
    """Return the confirmed events that are not there."""
    wrong = []
    logs: dict[str, dict[str | None, tuple[int, str]]] = {}
    for (name, move_id), answer in list(count.confirmed.items()):
        if name not in logs:
            events: list[Event] = []
            while not events:
                try:
                    events = await log.events(name)
                except StoreError as error:
                    if "no table" in str(error):
                        break
                    await asyncio.sleep(0.02)
            logs[name] = {event.move_id: (event.seq, event.hash) for event in events}
        if logs[name].get(move_id) != answer:
            wrong.append(f"{name}: event {answer[0]}, which was confirmed, is lost")
    return wrong


async def judge(log: PostgresLog) -> list[str]:
    """Return what does not hang together, or was done twice."""
    wrong = list((await log.check()).wrong)
    for name in await log.tables():
        events = await log.events(name)
        ids = Counter(event.move_id for event in events if event.move_id)
        wrong += [f"{name}: {move_id} was done {n} times" for move_id, n in ids.items() if n > 1]
        check_dice(events, await log.secret(name))
    return wrong


def main() -> None:
    """Run and say what was found; exit status 1 if anything confirmed was lost."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--kills", type=int, default=20)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--fault", choices=["", "async"], default="")
    chosen = words.parse_args()
    logging.getLogger("psycopg").setLevel(logging.CRITICAL)  # every connection that breaks, and every one that is refused
    server = PgServer()
    try:
        count = asyncio.run(run(server, chosen.kills, chosen.seed, chosen.fault))
    finally:
        server.stop()
    print(f"{count.kills} kills, {len(count.confirmed)} confirmed, {count.unknown} outcomes read again, {len(count.wrong)} wrong")
    for line in count.wrong[:20]:
        print(line)
    raise SystemExit(1 if count.wrong else 0)


if __name__ == "__main__":
    main()
