"""The house is killed with kill -9 again and again: every confirmed event is there, none doubled, and the dice are those that were sealed."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

from tablee.store.sqlite import SqliteLog
from tablee.tables.commands import Replace
from tablee.tables.door import handle
from tablee.tables.events import Event, verify
from tablee.tables.opening import Opening, open_table
from tablee.tables.record import check_event
from tablee.tables.table import Table
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, new_token
from tests.tables.company import NOON

KILLS = 10
TABLES = 4
ROOT = Path(__file__).parents[2]


def begun() -> Opening:
    """Return a table at which two programs play, with dice, for a long time."""
    token = new_token()
    opening = open_table(Terms("tablan"), token, NOON)
    table = Table.from_events(opening.events, opening.secret)
    for seat in (0, 1):
        outcome = handle(table, Replace(seat, "easy"), Actor((token,)), NOON)
        table = outcome.table
        opening.events.extend(outcome.events)
    return opening


async def create(path: Path, openings: list[Opening]) -> None:
    """Write the tables."""
    log = SqliteLog(path)
    for opening in openings:
        await log.create(opening.table, opening.events, opening.secret)
    await log.close()


async def read(path: Path) -> dict[str, tuple[list[Event], bytes]]:
    """Return every log after a kill; the whole store must hang together."""
    log = SqliteLog(path)
    assert (await log.check()).wrong == ()
    found = {name: (await log.events(name), await log.secret(name)) for name in await log.tables()}
    await log.close()
    return found


def until_killed(path: Path, unanswered: list[str], lines: int) -> list[str]:
    """Let a house play until it has said so many lines, kill it at once, and return all that it said."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.store.appender", str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT
    )
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write("".join(line + "\n" for line in unanswered))
    child.stdin.close()
    said = []
    for line in child.stdout:
        said.append(line.strip())
        if len(said) >= lines and said[-1].startswith("confirmed"):
            os.kill(child.pid, signal.SIGKILL)
            break
    said += [line.strip() for line in child.stdout if line.endswith("\n")]
    child.stdout.close()
    assert child.wait() == -signal.SIGKILL
    return said


def test_killed_again_and_again_it_loses_and_doubles_nothing(tmp_path: Path) -> None:
    path = tmp_path / "tables.db"
    random = Random(7)
    asyncio.run(create(path, [begun() for _ in range(TABLES)]))
    confirmed: dict[tuple[str, str], tuple[int, str]] = {}
    sent: dict[str, str] = {}
    for _ in range(KILLS):
        for line in until_killed(path, list(sent.values()), random.randrange(4, 40)):
            match line.split():
                case ["sent", _, move_id, _, _]:
                    sent[move_id] = line
                case ["confirmed", table, seq, digest, move_id]:
                    before = confirmed.setdefault((table, move_id), (int(seq), digest))
                    assert before == (int(seq), digest), "a resend was answered otherwise"
                    sent.pop(move_id, None)
        logs = asyncio.run(read(path))
        for (name, number), (at, answered) in confirmed.items():
            events = logs[name][0]
            assert len(events) > at, f"event {at}, which was confirmed, is lost"
            assert (events[at].hash, events[at].move_id) == (answered, number)
    assert len(confirmed) > KILLS
    for events, secret in logs.values():
        verify(events)
        move_ids = [event.move_id for event in events if event.move_id]
        assert len(set(move_ids)) == len(move_ids)
        check_dice(events, secret)


def check_dice(events: list[Event], secret: bytes) -> None:
    """Check that every throw of a game that goes on is the one that was sealed."""
    table = Table.laid(events[0], secret)
    for event in events[1:]:
        check_event(table, event)
        table.fold(event)
