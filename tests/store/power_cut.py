"""Cut the power of a house that writes, again and again: `python -m tests.store.power_cut --images 3000 [--fault normal]`.

Every image that a power cut could leave must open, hang together, and hold each event that was confirmed before the cut.
With `--fault normal` SQLite syncs less often (`synchronous=NORMAL`): then confirmed events must be seen to be lost.
"""

import argparse
import asyncio
import random
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

import apsw

from tablee.core.errors import TableeError
from tablee.store import checkpointing, sqlite, sqlite_file
from tablee.store.sqlite import SqliteLog
from tablee.tables.commands import Play
from tablee.tables.door import handle
from tablee.tables.table import Table
from tablee.tables.tokens import HOST
from tests.store.kill import begun
from tests.store.unsafe_disk import Image, UnsafeDisk
from tests.tables.company import NOON

FILE = "tables.db"
TABLES = 4
A_ROUND = 25
OFTEN = 0.08
# Few pages: the log is copied into the file often, by its own thread and by the writer, and that is cut short too.
CHECKPOINT_PAGES = 12
Confirmed = tuple[str, int, str]


@dataclass
class Cuts:
    """Images of one round, each with how many confirmations came before it."""

    confirmed: list[Confirmed] = field(default_factory=list)
    images: list[tuple[int, Image]] = field(default_factory=list)


@dataclass
class Count:
    """What a run has found."""

    images: int = 0
    confirmed: int = 0
    lost: int = 0
    broken: list[str] = field(default_factory=list)


def run(images: int, seed: int, fault: str = "") -> Count:
    """Cut the power so many times, and judge what is left each time."""
    chance, count = random.Random(seed), Count()
    while count.images < images:
        with tempfile.TemporaryDirectory() as folder:
            cuts = a_round(Path(folder), chance, min(A_ROUND, images - count.images), fault)
            count.confirmed += len(cuts.confirmed)
            for number, (known, image) in enumerate(cuts.images):
                count.images += 1
                judge(Path(folder) / f"image{number}", cuts.confirmed[:known], image, count)
    return count


def a_round(folder: Path, chance: random.Random, wanted: int, fault: str) -> Cuts:
    """Let a house write until there are so many images."""
    cuts = Cuts()

    def observe(disk: UnsafeDisk) -> None:
        if len(cuts.images) < wanted and len(cuts.confirmed) > TABLES and chance.random() < OFTEN:
            known = len(cuts.confirmed)  # before the image: what is confirmed meanwhile need not be in it
            cuts.images.append((known, disk.image(chance)))

    disk = UnsafeDisk(observe)
    try:
        with (
            mock.patch.object(sqlite, "connect", connecting(fault)),
            mock.patch.multiple(checkpointing, SOON_PAGES=CHECKPOINT_PAGES, MOST_PAGES=3 * CHECKPOINT_PAGES),
        ):
            asyncio.run(write_until(folder / FILE, cuts, lambda: len(cuts.images) >= wanted))
    finally:
        disk.unregister()
    return cuts


def connecting(fault: str) -> Callable[[str], apsw.Connection]:
    """Return how the file is opened: as always, or with the planted fault."""

    def connect(path: str) -> apsw.Connection:
        connection = sqlite_file.connect(path)
        if fault == "normal":
            connection.pragma("synchronous", "NORMAL")
        return connection

    return connect


async def write_until(path: Path, cuts: Cuts, enough: Callable[[], bool]) -> None:
    """Play at some tables at once, and keep each confirmation when it comes."""
    log = SqliteLog(path)
    await asyncio.gather(*(play_on(log, cuts, enough) for _ in range(TABLES)))
    await log.close()


async def play_on(log: SqliteLog, cuts: Cuts, enough: Callable[[], bool]) -> None:
    """Play one game after the other at random."""
    while not enough():
        opening = begun()
        await log.create(opening.table, opening.events, opening.secret)
        table = Table.from_events(opening.events, opening.secret)
        cuts.confirmed.append((table.id, table.seq, table.hash))
        while table.asked and table.state is not None and not enough():
            seat = table.asked[0]
            legal = table.state.legal(seat)
            outcome = handle(table, Play(seat, (table.game.notate(legal[table.seq % len(legal)]),)), HOST, NOON)
            await log.append(table.id, outcome.events)
            table = outcome.table
            cuts.confirmed.append((table.id, table.seq, table.hash))


def judge(folder: Path, confirmed: list[Confirmed], image: Image, count: Count) -> None:
    """Open an image as a house does after the power is back, and look for all that was confirmed."""
    folder.mkdir()
    for name, data in image.items():
        (folder / name).write_bytes(data)
    try:
        lost, wrong = asyncio.run(look(folder / FILE, confirmed))
    except TableeError as error:
        count.broken.append(str(error))
        return
    count.lost += lost
    count.broken += wrong


async def look(path: Path, confirmed: list[Confirmed]) -> tuple[int, tuple[str, ...]]:
    """Return how many confirmed events are not there, and what does not hang together."""
    log = SqliteLog(path)
    try:
        names = await log.tables()
        logs = {name: [event.hash for event in await log.events(name)] for name in names}
        lost = sum(logs.get(name, [])[seq : seq + 1] != [digest] for name, seq, digest in confirmed)
        return lost, (await log.check()).wrong
    finally:
        await log.close()


def main() -> None:
    """Run and say what was found; exit status 1 if anything confirmed was lost."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--images", type=int, default=3000)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--fault", choices=["", "normal"], default="")
    chosen = words.parse_args()
    count = run(chosen.images, chosen.seed, chosen.fault)
    print(f"{count.images} power cuts, {count.confirmed} confirmed, {count.lost} lost, {len(count.broken)} broken")
    for line in count.broken[:20]:
        print(line)
    raise SystemExit(1 if count.lost or count.broken else 0)


if __name__ == "__main__":
    main()
