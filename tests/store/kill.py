"""Kill a house that writes with kill -9 at random instants, again and again: `python -m tests.store.kill --kills 200 [--fault early]`.

Every confirmed event must be there, none doubled, and the dice must be those that were sealed. With `--fault early` the house
confirms before it commits: then confirmed events must be seen to be lost.
"""

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Timer

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

TABLES = 4
# After so many kills the whole store is read and checked; after each, the tables that were written.
WHOLE = 10
# A kill comes at a random instant: after so many seconds at most, of which a commit takes the greater part.
LONGEST_DELAY = 0.05
ROOT = Path(__file__).parents[2]


@dataclass
class Count:
    """What a run has found."""

    kills: int = 0
    confirmed: int = 0
    last: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def begun() -> Opening:
    """Return a table at which two programs play, with dice, for a long time."""
    token = new_token()
    opening = open_table(Terms("tablan"), token, NOON)
    table = Table.from_events(opening.events, opening.secret)
    for seat in (0, 1):
        outcome = handle(table, Replace(seat, "1"), Actor((token,)), NOON)
        table = outcome.table
        opening.events.extend(outcome.events)
    return opening


async def create(path: Path, openings: list[Opening]) -> None:
    """Write the tables."""
    log = SqliteLog(path)
    for opening in openings:
        await log.create(opening.table, opening.events, opening.secret)
    await log.close()


async def read_store(path: Path, written: set[str] | None = None) -> dict[str, tuple[list[Event], bytes]]:
    """Return the logs that were written, or every log: then the whole store must hang together."""
    log = SqliteLog(path)
    if written is None:
        assert (await log.check()).wrong == ()
    found = {name: (await log.events(name), await log.secret(name)) for name in await log.tables() if written is None or name in written}
    await log.close()
    return found


def until_killed(path: Path, unanswered: list[str], lines: int, delay: float, fault: str = "") -> list[str]:
    """Let a house play until it has said so many lines, kill it after a delay, whatever it is doing, and return all that it said."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    words = [sys.executable, "-m", "tests.store.appender", str(path), fault]
    child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, cwd=ROOT)
    assert child.stdin is not None
    assert child.stdout is not None
    child.stdin.write("".join(line + "\n" for line in unanswered))
    child.stdin.close()
    said = []
    for line in child.stdout:
        said.append(line.strip())
        if len(said) == lines:
            Timer(delay, child.kill).start()  # meanwhile it is read on: it never waits for us
    if said and not line.endswith("\n"):
        said.pop()  # it was killed in the middle of a word
    child.stdout.close()
    assert child.wait() == -signal.SIGKILL
    return said


def check_dice(events: list[Event], secret: bytes) -> None:
    """Check that every throw of a game that goes on is the one that was sealed."""
    table = Table.laid(events[0], secret)
    for event in events[1:]:
        check_event(table, event)
        table.fold(event)


def run(path: Path, kills: int, seed: int, fault: str = "", lines: tuple[int, int] = (4, 40)) -> Count:
    """Kill so many times, and compare what was confirmed with what is there each time."""
    random, count = Random(seed), Count()
    asyncio.run(create(path, [begun() for _ in range(TABLES)]))
    confirmed: dict[tuple[str, str], tuple[int, str]] = {}
    sent: dict[str, str] = {}
    for _ in range(kills):
        new: set[tuple[str, str]] = set()
        said = until_killed(path, list(sent.values()), random.randrange(*lines), random.uniform(0, LONGEST_DELAY), fault)
        count.last[said[-1].split()[0]] += 1
        for line in said:
            match line.split():
                case ["sent", _, move_id, _, _]:
                    sent[move_id] = line
                case ["confirmed", table, seq, digest, move_id]:
                    if confirmed.setdefault((table, move_id), (int(seq), digest)) != (int(seq), digest):
                        count.wrong.append(f"{move_id}: a resend was answered otherwise")
                    new.add((table, move_id))
                    sent.pop(move_id, None)
        count.kills += 1
        whole = count.kills % WHOLE == 0 or count.kills == kills
        logs = asyncio.run(read_store(path, None if whole else {name for name, _ in new}))
        for name, number in confirmed if whole else new:
            at, answered = confirmed[name, number]
            events = logs[name][0]
            if len(events) <= at or (events[at].hash, events[at].move_id) != (answered, number):
                count.wrong.append(f"{name}: event {at}, which was confirmed, is lost")
        if count.wrong:
            break
        if not asyncio.run(still_going(path)):  # all games are over: begin new ones
            asyncio.run(create(path, [begun() for _ in range(TABLES)]))
    count.confirmed = len(confirmed)
    for name, (events, secret) in logs.items():
        verify(events)
        move_ids = [event.move_id for event in events if event.move_id]
        if len(set(move_ids)) != len(move_ids):
            count.wrong.append(f"{name}: something was done twice")
        check_dice(events, secret)
    return count


async def still_going(path: Path) -> bool:
    """Return whether a game goes on."""
    log = SqliteLog(path)
    try:
        return bool(await log.tables(True))
    finally:
        await log.close()


def main() -> None:
    """Run and say what was found; exit status 1 if anything confirmed was lost."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--kills", type=int, default=200)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--lines", type=int, default=1000, help="the most lines a house says before it is killed")
    words.add_argument("--confirmed", type=int, default=0, help="how many confirmed events are asked for at least")
    words.add_argument("--fault", choices=["", "early"], default="")
    chosen = words.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        count = run(Path(folder) / "tables.db", chosen.kills, chosen.seed, chosen.fault, (4, max(5, chosen.lines)))
    if count.kills < chosen.kills or count.confirmed < chosen.confirmed:
        count.wrong.append(f"{count.kills} kills and {count.confirmed} confirmed: {chosen.kills} and {chosen.confirmed} were asked for")
    last = ", ".join(f"{n} after a line `{word}`" for word, n in sorted(count.last.items()))
    print(f"{count.kills} kills ({last}), {count.confirmed} confirmed, {len(count.wrong)} wrong")
    for line in count.wrong[:20]:
        print(line)
    raise SystemExit(1 if count.wrong else 0)


if __name__ == "__main__":
    main()
