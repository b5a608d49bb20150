"""A house of its own process, to be killed: plays at some tables, and says each request before it is sent and each answer after.

Lines: `sent TABLE MOVE_ID SEAT TOKEN`, `confirmed TABLE SEQ HASH MOVE_ID`. Requests that were sent and never answered come in by standard input.
"""

import asyncio
import sys
import time

from tablee.store.sqlite import SqliteLog
from tablee.tables.commands import Play
from tablee.tables.door import handle
from tablee.tables.table import Table
from tablee.tables.tokens import HOST
from tests.store.kill import begun

SLOW_COMMIT = 0.004
# The planted fault: confirm, then commit.
EARLY = sys.argv[2:] == ["early"]


def say(*words: object) -> None:
    """Say a line at once."""
    print(*words, flush=True)


async def request(log: SqliteLog, table: Table, move_id: str, seat: int, token: str) -> Table:
    """Do one request as a host does: judge, write, commit, confirm; return the table after it."""
    outcome = handle(table, Play(seat, (token,), move_id=move_id), HOST, time.time())
    if not EARLY:
        await log.append(table.id, outcome.events)
    table = outcome.table
    answer = table.answer_of(move_id)
    if answer is not None:
        say("confirmed", table.id, answer.seq, answer.hash, move_id)
    if EARLY:
        await log.append(table.id, outcome.events)
    return table


async def play_on(log: SqliteLog, name: str, again: list[list[str]]) -> None:
    """Send again what was not answered, then play on, one game after the other."""
    table = Table.from_events(await log.events(name), await log.secret(name))
    for _, _, old_id, old_seat, old_token in again:
        table = await request(log, table, old_id, int(old_seat), old_token)
    while table.asked and table.state is not None:
        seat = table.asked[0]
        legal = table.state.legal(seat)
        token, move_id = table.game.notate(legal[table.seq % len(legal)]), f"m{table.seq}-{time.monotonic_ns()}"
        say("sent", name, move_id, seat, token)
        table = await request(log, table, move_id, seat, token)
    say("finished", name)
    opening = begun()
    await log.create(opening.table, opening.events, opening.secret)
    await play_on(log, opening.table, [])


def slowly() -> bool:
    """Take some time before each commit, so that a confirmation that comes too early is seen to be lost."""
    time.sleep(SLOW_COMMIT)
    return False


async def main(path: str) -> None:
    """Play at every live table of a file."""
    unanswered = [line.split() for line in sys.stdin.read().splitlines()]
    log = SqliteLog(path)
    log.writer.set_commit_hook(slowly)
    await asyncio.gather(*(play_on(log, name, [one for one in unanswered if one[1] == name]) for name in await log.tables(True)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
