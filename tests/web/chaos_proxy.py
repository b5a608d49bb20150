"""A proxy that spoils connections: late bytes in pieces, cuts of several kinds, and ends that one side alone has noticed.

Some connections stand still for seconds before they go on or are cut; some are doubled: the house hears everything twice, the second time
over a connection of its own, whose answers nobody reads.
"""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from random import Random

# A connection is spoiled only after so many bytes from the house: a whole view has then come.
SPARED = 2000
LONGEST_LIFE = 0.4
LONGEST_DELAY = 0.02
HALF_OPEN_SECONDS = 1.0
STALLED, DOUBLED = 0.1, 0.2
STALL_SECONDS = (0.5, 3.0)


@dataclass
class Spoiled:
    """What the proxy has done."""

    connections: int = 0
    cuts: int = 0
    half_open: int = 0
    stalled: int = 0
    doubled: int = 0


class ChaosProxy:
    """Stands before a port of this machine, and nothing else."""

    def __init__(self, port: int, seed: int) -> None:
        """Know the house."""
        self.house, self.random = port, Random(seed)
        self.spoils = True
        self.done = Spoiled()
        self.port = 0
        self.tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> "ChaosProxy":
        """Listen."""
        self.server = await asyncio.start_server(self.connection, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        """Listen no more, and let everything go."""
        self.server.close()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass bytes on in both directions until the connection is cut or ends."""
        task = asyncio.current_task()
        assert task is not None
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        self.done.connections += 1
        with suppress(OSError, asyncio.CancelledError):  # asyncio reports a callback that was cancelled as an error
            near, far = await asyncio.open_connection("127.0.0.1", self.house)
            doomed, flows = asyncio.Event(), asyncio.Event()
            flows.set()
            ends, there = [writer, far], [far]
            ways = [asyncio.ensure_future(self.carry(near, [writer], flows, doomed)), asyncio.ensure_future(self.doom(doomed, flows))]
            if self.spoils and self.random.random() < DOUBLED:
                self.done.doubled += 1
                unread, again = await asyncio.open_connection("127.0.0.1", self.house)
                ends.append(again)
                there.append(again)
                ways.append(asyncio.ensure_future(self.carry(unread, [], flows)))
            ways.append(asyncio.ensure_future(self.carry(reader, there, flows)))
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
                cut = ways[1].done()
                self.done.cuts += cut
                if cut and self.random.random() < 0.3:  # the house has not noticed yet: for a while it has two connections of one page
                    self.done.half_open += 1
                    writer.transport.abort()
                    await asyncio.sleep(HALF_OPEN_SECONDS)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
                for end in ends:
                    if self.random.random() < 0.5:
                        end.transport.abort()
                    else:
                        end.close()

    async def carry(
        self, reader: asyncio.StreamReader, writers: list[asyncio.StreamWriter], flows: asyncio.Event, doomed: asyncio.Event | None = None
    ) -> None:
        """Pass bytes on, late and in pieces."""
        passed = 0
        while piece := await reader.read(self.random.choice((7, 400, 65536)) if self.spoils else 65536):
            if self.spoils and self.random.random() < 0.2:
                await asyncio.sleep(self.random.uniform(0, LONGEST_DELAY))
            await flows.wait()
            for writer in writers:
                writer.write(piece)
                await writer.drain()
            passed += len(piece)
            if doomed is not None and passed > SPARED:
                doomed.set()

    async def doom(self, doomed: asyncio.Event, flows: asyncio.Event) -> None:
        """Return when the connection is to be cut; before, it may stand still for a while."""
        await doomed.wait()
        if self.spoils and self.random.random() < STALLED:
            self.done.stalled += 1
            flows.clear()
            await asyncio.sleep(self.random.uniform(*STALL_SECONDS))
            flows.set()
        await asyncio.sleep(self.random.uniform(0, LONGEST_LIFE))
        while not self.spoils:
            await asyncio.sleep(3600)
