"""A crowd at many tables of one house, on loopback and bounded: `python -m bench.crowd`.

Both seats of every table listen at sockets of their own and play traboulet; every move is on disk before it is confirmed. Measured are
moves a second, processor time of the server for a move and how that grows with the tables, how long a mover waits at a move a second,
the memory of an idle socket and of a move, the return of a table that had left memory, and the start over many live tables. Where Node
is present, boardgame.io does the same in the same run, in memory.
"""

import argparse
import asyncio
import gc
import os
import resource
import shutil
import statistics
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
from websockets.asyncio.client import connect

from bench.house import BOARDGAME, percentile
from bench.listeners import Table, processor_time
from bench.seating import seated
from tablee.store.sqlite import SqliteLog
from tablee.tables.clock import ClockTerms
from tablee.tables.commands import Command, Play, Sit
from tablee.tables.door import handle
from tablee.tables.opening import open_table
from tablee.tables.table import Table as Laid
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, new_token
from tablee.web.engine_pool import EnginePool
from tablee.web.house import House
from tablee.web.metrics import Metrics
from tests.web.serving import LOADED_HOUSE, Process

LONGEST = 20.0
EVICTED_MOVES = 100
PAGE = os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Measure what the words ask for, and print."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--tables", default="10,50", help="numbers of tables for the closed loop, in a row")
    words.add_argument("--paced", default="50", help="numbers of tables for a move a second")
    words.add_argument("--seconds", type=float, default=8.0, help=f"how long each is measured, at most {LONGEST:.0f}")
    words.add_argument("--sockets", type=int, default=200, help="idle sockets, for their memory")
    words.add_argument("--live", type=int, default=1000, help="live tables that a house starts over")
    chosen = words.parse_args()
    seconds = min(chosen.seconds, LONGEST)
    raise_limit()
    print(f"load of the machine, of its {os.cpu_count()} cores: {' '.join(f'{load:.1f}' for load in os.getloadavg())}\n")
    print("| closed loop | durable moves a second | processor ms a move | a move's memory |\n|---|--:|--:|--:|")
    costs = {count: closed_row(count, seconds) for count in numbers(chosen.tables)}
    fewest, most = min(costs), max(costs)
    print(f"\n- a move at {most} tables costs {costs[most] / costs[fewest]:.2f} times that at {fewest}")
    print("\n| a move a second | moves | median | 99 of 100 within |\n|---|--:|--:|--:|")
    for count in numbers(chosen.paced):
        waits = asyncio.run(paced(count, seconds))
        print(f"| {count} tables | {len(waits)} | {statistics.median(waits) * 1000:.1f} ms | {percentile(waits, 99) * 1000:.1f} ms |")
    print(f"\n- an idle socket: {asyncio.run(idle_socket(chosen.sockets)) / 1024:.1f} kB of the server's memory ({chosen.sockets} sockets)")
    print(f"- a table of {EVICTED_MOVES} moves that had left memory is back in {asyncio.run(back()):.1f} ms of processor time")
    for live in (1, chosen.live):
        took, spent = start_over(live)
        print(f"- ready over {live} live tables: {took:.1f} s from the command to the first answer of /readyz, {spent:.2f} s of processor time")
    for count in numbers(chosen.tables):
        print(boardgame_row(count, seconds))


def raise_limit() -> None:
    """Let this process open as many sockets as the system lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if hard != resource.RLIM_INFINITY else max(soft, 65_536), hard))


def numbers(text: str) -> list[int]:
    """Return the numbers of a list."""
    return [int(part) for part in text.split(",") if part]


def closed_row(count: int, seconds: float) -> float:
    """Print a line of the table of the closed loop, and return the processor time of a move."""
    moves, spent, took, memory = asyncio.run(closed(count, seconds))
    print(f"| {count} tables | {moves / took:.0f} | {spent / moves * 1000:.2f} | {memory:.2f} kB |", flush=True)
    return spent / moves


async def opened(house: Process, count: int) -> list[Table]:
    """Return tables at which both seats listen."""
    with httpx.Client(base_url=f"{house.base}/api/v1", timeout=60) as client:
        tables = [Table(house.base, *seated(client, "traboulet")) for _ in range(count)]
    for start in range(0, count, 50):
        await asyncio.gather(*(table.open() for table in tables[start : start + 50]))
    gc.collect()
    gc.freeze()  # to look for cycles in two thousand views takes this generator a fifth of a second, for which no mover waits at the house
    return tables


async def closed(count: int, seconds: float) -> tuple[int, float, float, float]:
    """Let everybody move as soon as it is theirs; return moves, processor seconds of the server, seconds, and the kB that a move takes.

    The memory is that of the second half: in the first, whatever is kept once for all tables comes into memory too.
    """
    with TemporaryDirectory() as directory:
        house = Process(Path(directory), house=LOADED_HOUSE)
        try:
            house.ready()
            tables = await opened(house, count)
            spent, begun = processor_time(house.popen.pid), time.monotonic()
            playing = asyncio.gather(*(one.play_until(begun + seconds) for one in map(Timed, tables)))
            await asyncio.sleep(seconds / 2)
            memory, before = resident(house.popen.pid), sum(table.moves for table in tables)
            await playing
            moves, grown = sum(table.moves for table in tables), resident(house.popen.pid) - memory
            spent, took = processor_time(house.popen.pid) - spent, time.monotonic() - begun
            found = moves, spent, took, grown / max(1, moves - before) / 1024
            await asyncio.gather(*(table.close() for table in tables))
            return found
        finally:
            house.terminate()


async def paced(count: int, seconds: float) -> list[float]:
    """Let a move be made at every table once a second, each at its own moment; return how long each mover waited until it was told."""
    with TemporaryDirectory() as directory:
        house = Process(Path(directory))
        try:
            house.ready()
            timed = [Timed(table) for table in await opened(house, count)]
            begun = time.monotonic()
            await asyncio.gather(*(one.play_until(begun + seconds, pause=1.0, first=number / count) for number, one in enumerate(timed)))
            await asyncio.gather(*(one.table.close() for one in timed))
            return [wait for one in timed for wait in one.waits]
        finally:
            house.terminate()


class Timed:
    """A table whose movers wait."""

    def __init__(self, table: Table) -> None:
        """Keep the table."""
        self.table = table
        self.waits: list[float] = []

    async def play_until(self, end: float, pause: float = 0.0, first: float = 0.0) -> None:
        """Play until a time, or until the game ends."""
        await asyncio.sleep(first)
        while time.monotonic() < end:
            sent = time.monotonic()
            if not await self.table.move():
                return
            self.waits.append(time.monotonic() - sent)
            if pause:
                await asyncio.sleep(max(0.0, sent + pause - time.monotonic()))


async def idle_socket(count: int) -> float:
    """Return how many bytes the server grows for each socket that only listens."""
    with TemporaryDirectory() as directory:
        house = Process(Path(directory))
        try:
            house.ready()
            (table,) = await opened(house, 1)
            before = resident(house.popen.pid)
            sockets = []
            for _ in range(count):
                sockets.append(socket := await connect(table.address, compression=None))
                await socket.send('{"t":"hello","seq":-1}')
                await socket.recv()
            grown = resident(house.popen.pid) - before
            for socket in sockets:
                await socket.close()
            await table.close()
            return grown / count
        finally:
            house.terminate()


def resident(pid: int) -> int:
    """Return how many bytes of memory a process has."""
    return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE


def start_over(count: int) -> tuple[float, float]:
    """Return how long a house needs until it is ready over so many games whose clocks run, and how much processor time."""
    with TemporaryDirectory() as directory:
        asyncio.run(fill(Path(directory), count))
        begun = time.monotonic()
        house = Process(Path(directory))
        try:
            house.ready()
            return time.monotonic() - begun, processor_time(house.popen.pid)
        finally:
            house.terminate()


async def fill(folder: Path, count: int) -> None:
    """Write games that two people have begun."""
    store = SqliteLog(folder / "tablee.sqlite")
    for start in range(0, count, 200):
        await asyncio.gather(*(write_game(store) for _ in range(min(200, count - start))))
    await store.close()


async def write_game(store: SqliteLog, moves: int = 0) -> str:
    """Write a game with a clock that two people have begun, and return its table."""
    token = new_token()
    opening = open_table(Terms("traboulet", sitting="open", clock=ClockTerms("days", 3 * 86_400_000)), token)
    table = Laid.from_events(opening.events, opening.secret)
    commands: list[Command] = [Sit(seat=seat, name="Ana", contribution="00" * 16) for seat in (0, 1)]
    for number in range(2 + moves):
        state = table.state
        if number >= 2 and state is not None and not state.over:
            legal = state.legal()
            commands.append(Play(seat=table.asked[0], tokens=(table.game.notate(legal[number % len(legal)]),), move_id=f"move-{number}"))
        if number < len(commands):
            outcome = handle(table, commands[number], Actor((token,)), opening.events[0].at)
            table = outcome.table
            opening.events.extend(outcome.events)
    await store.create(opening.table, opening.events, opening.secret, table.deadline())
    return opening.table


async def back() -> float:
    """Return the milliseconds of processor time until a table that had left memory is there again, the median of some."""
    with TemporaryDirectory() as directory:
        store, metrics = SqliteLog(Path(directory) / "tablee.sqlite"), Metrics()
        house = House(store, EnginePool(1, 0.1, metrics), metrics)
        names = [await write_game(store, EVICTED_MOVES) for _ in range(9)]
        taken = []
        for name in names:
            await house.live(name)
            house.drop_idle(0)
            assert name not in house.lives
            begun = time.process_time()
            await house.live(name)
            taken.append((time.process_time() - begun) * 1000)
        await house.close()
        await store.close()
        return statistics.median(taken)


def boardgame_row(count: int, seconds: float) -> str:
    """Return what boardgame.io does in the same time with as many tables, in memory, or why not."""
    if not (shutil.which("node") and shutil.which("npm")):
        return "- boardgame.io: Node is not here"
    folder = Path("build/boardgame").absolute()
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / "node_modules" / "boardgame.io").exists():
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", *BOARDGAME], cwd=folder, check=True, timeout=300)
    script = Path(__file__).with_name("boardgame_crowd.cjs")
    try:
        found = subprocess.run(["node", script, str(count), str(seconds)], cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    except subprocess.TimeoutExpired:
        return f"- boardgame.io, {count} tables, in memory: not done within 300 s"
    return f"- boardgame.io, {count} tables, in memory: {found.stdout.strip() or found.stderr.strip()[-200:]}"


if __name__ == "__main__":
    main()
