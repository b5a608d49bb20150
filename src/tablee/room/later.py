"""A table of a house for asyncio: the same room, its waiting in threads."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from typing import TypeVar

from tablee.core.state import State
from tablee.players.bot import Bot, Chooser
from tablee.players.program import PATIENCE
from tablee.room.room import Room
from tablee.tables.events import Event
from tablee.tables.table import Table

T = TypeVar("T")


class AsyncRoom:
    """One table of a house, for asyncio; `choose` of a player may be a coroutine."""

    def __init__(self, url: str, *, token: str = "", language: str = "en") -> None:
        """Open the table of a URL."""
        self.room = Room(url, token=token, language=language)

    @property
    def table(self) -> Table | None:
        """The table as far as it is known here."""
        return self.room.folded

    async def open(self, game: str, seats: int | None = None, **options: str) -> list[str]:
        """Open a table of a game, and return an invitation URL for each seat."""
        return await asyncio.to_thread(lambda: self.room.open(game, seats, **options))

    async def refresh(self) -> Table:
        """Fetch the events that are not known here yet."""
        return await asyncio.to_thread(self.room.refresh)

    async def sit(self, name: str = "Bot", seat: int | None = None, player: str = "bot") -> int:
        """Take a seat and return it."""
        return await asyncio.to_thread(self.room.sit, name, seat, player)

    async def do(self, t: str, **fields: object) -> None:
        """Give a command."""
        await asyncio.to_thread(lambda: self.room.do(t, **fields))

    async def play(
        self,
        player: Chooser | Bot,
        *,
        name: str = "",
        seconds: float | None = None,
        nodes: int | None = None,
        patience: float | None = PATIENCE,
    ) -> Table:
        """Sit down, let a player choose until the game is over, and return the table; a player that does not answer is replaced as in `Room`."""
        called = Awaited(player, asyncio.get_running_loop()) if inspect.iscoroutinefunction(player.choose) else player
        name = name or type(player).__name__
        return await asyncio.to_thread(lambda: self.room.play(called, name=name, seconds=seconds, nodes=nodes, patience=patience))

    def watch(self) -> AsyncIterator[State]:
        """Give the state after every action and throw."""
        return pumped(self.room.watch)

    def stream(self, since: int = 0) -> AsyncIterator[Event]:
        """Give every event from a number on."""
        return pumped(lambda: self.room.stream(since))


class Awaited:
    """A player whose `choose` is a coroutine, asked from a thread."""

    def __init__(self, player: Chooser, loop: asyncio.AbstractEventLoop) -> None:
        """Keep the player and the loop that it runs in."""
        self.player, self.loop = player, loop

    def choose(self, state: State, seat: int, *, seconds: float | None = None, nodes: int | None = None) -> int | str:
        """Return what the coroutine answers."""
        answer = self.player.choose(state, seat, seconds=seconds, nodes=nodes)
        return asyncio.run_coroutine_threadsafe(answer, self.loop).result()  # type: ignore[arg-type]


async def pumped(make: Callable[[], Iterator[T]]) -> AsyncIterator[T]:
    """Give what an iterator gives, each step taken in a thread."""
    steps = make()
    end = object()
    while (step := await asyncio.to_thread(next, steps, end)) is not end:
        yield step  # type: ignore[misc]
