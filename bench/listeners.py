"""What a move costs the house when both seats listen: `python -m bench.listeners`, the last part of `python -m bench.house`.

First in this process: bytes and processor time of telling both players of a move, by whole views and by changes. Then in a real
house on loopback: processor time of the server for each durable move over sockets, both seats listening.
"""

import asyncio
import json
import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import httpx
from websockets.asyncio.client import ClientConnection, connect

from bench import strict
from bench.seating import seated
from tablee.catalog import OURS
from tablee.tables.view_applied import Follower
from tablee.tables.view_types import View
from tablee.web.live import Live
from tablee.web.table_view import Listener, view_bytes
from tests.tables.company import Company
from tests.web.serving import LOADED_HOUSE, Process

MOVES = 120
TABLES = 20
MOVES_A_TABLE = 50
WANTED = 0.5


def main() -> None:
    """Measure and print."""
    print("| telling both players of a move | whole views: bytes | ms | changes: bytes | ms | times fewer bytes | times less work |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for slug in OURS:
        old, new = measure(slug, changes=False), measure(slug, changes=True)
        print(f"| {slug} | {old[0]:.0f} | {old[1]:.2f} | {new[0]:.0f} | {new[1]:.2f} | {old[0] / new[0]:.1f} | {old[1] / new[1]:.1f} |")
    print()
    for slug in OURS:
        moves, milliseconds, frames = asyncio.run(server_cost(slug))
        print(
            f"- {slug}, {TABLES} tables: {milliseconds:.2f} ms of the server's processor time for each of {moves} durable moves, "
            f"{frames:.0f} bytes to each listener; wanted {WANTED} ms: {strict.verdict(milliseconds <= WANTED)}"
        )


def measure(slug: str, *, changes: bool) -> tuple[float, float]:
    """Return bytes and milliseconds of processor time for telling both players of one move, in the mean."""
    company = Company(slug, seats=2).seated("Ana", "Ben")
    live = Live(company.table)
    listeners = [Listener(company.who(name), "fr") for name in ("Ana", "Ben")]
    for listener in listeners:
        listener.frame(live, company.now)
    size, spent, done = 0, 0.0, 0
    while done < MOVES and company.table.result is None:
        company.wander(done, most=1)
        live.table = company.table
        live.views.clear()
        begun = time.process_time()
        for listener in listeners:
            size += len(listener.frame(live, company.now) if changes else view_bytes(live, listener.actor, "fr", company.now))
        spent += time.process_time() - begun
        done += 1
    return size / done, spent / done * 1000


async def server_cost(slug: str) -> tuple[int, float, float]:
    """Return how many moves were made, the milliseconds of processor time of the server for each, and the bytes each listener was sent."""
    with TemporaryDirectory() as directory:
        house = Process(Path(directory), house=LOADED_HOUSE)
        try:
            house.ready()
            with httpx.Client(base_url=f"{house.base}/api/v1", timeout=30) as client:
                tables = [seated(client, slug) for _ in range(TABLES)]
            games = [Table(house.base, *table) for table in tables]
            await asyncio.gather(*(game.open() for game in games))
            before = processor_time(house.popen.pid)
            await asyncio.gather(*(game.play() for game in games))
            spent = processor_time(house.popen.pid) - before
            await asyncio.gather(*(game.close() for game in games))
        finally:
            house.terminate()
    moves = sum(game.moves for game in games)
    return moves, spent / moves * 1000, sum(game.bytes for game in games) / moves / 2


def processor_time(pid: int) -> float:
    """Return how many seconds of processor time a process has taken."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Table:
    """A game between two listeners, each at a socket of its own."""

    def __init__(self, base: str, table: str, tokens: list[str]) -> None:
        """Keep the address and the tokens."""
        self.address = f"{base.replace('http', 'ws')}/ws/{table}"
        self.tokens = tokens
        self.sockets: list[ClientConnection] = []
        self.followers = [Follower(), Follower()]
        self.moves = self.bytes = 0

    async def open(self) -> None:
        """Connect both listeners."""
        for number, token in enumerate(self.tokens):
            self.sockets.append(await connect(self.address, compression=None))
            await self.sockets[number].send(json.dumps({"t": "hello", "seq": -1, "tokens": [token]}))
            await self.view_at(number, 0)

    async def play(self) -> None:
        """Play until enough moves are made or the game ends; every move is told to both."""
        while self.moves < MOVES_A_TABLE and await self.move():
            pass

    async def move(self) -> bool:
        """Make a move and wait until both are told of it; return whether there was one to make."""
        view = self.followers[0].view
        if view is None or view.node.kind != "decision":
            return False
        mover = view.node.seats[0]
        own = self.followers[mover].view
        assert own is not None
        action = own.legal[self.moves % len(own.legal)]
        command = {"t": "play", "move_id": uuid4().hex, "seat": mover, "tokens": [action.token], "seq": own.seq}
        await self.sockets[mover].send(json.dumps(command))
        self.moves += 1
        for number in (0, 1):
            await self.view_at(number, own.seq + 1)
        return True

    async def view_at(self, number: int, seq: int) -> View:
        """Return the view of a listener once it shows an event."""
        while True:
            frame = str(await self.sockets[number].recv())
            if frame.startswith('{"t":"no"'):
                raise AssertionError(frame)
            if frame.startswith(('{"t":"view"', '{"t":"change"')):
                self.bytes += len(frame) if self.moves else 0
                view = self.followers[number].take(frame)
                assert view is not None
                if view.seq >= seq:
                    return view

    async def close(self) -> None:
        """Disconnect both listeners."""
        for socket in self.sockets:
            await socket.close()


if __name__ == "__main__":
    strict.run(main)
