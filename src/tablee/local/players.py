"""The computer players of a house in a browser tab: one worker of the browser, which is ended and begun anew where it gives no answer in time."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable

import msgspec

from tablee.core.record import write_record
from tablee.web.engine_pool import SECRET_BYTES, MoveRequest, player_seed
from tablee.web.engine_worker import Request

# Compiled, every level is done well within a second. Plain, the higher ones look at fewer nodes than they would.
SECONDS, PLAIN_SECONDS = 1.0, 2.5
MARGIN_SECONDS = 4.0

log = logging.getLogger("tablee.local")


class LocalPlayers:
    """One player worker: `ask` sends it a line and returns the answer; after `seconds` it ends the worker and returns None."""

    def __init__(self, ask: Callable[[str, float], Awaitable[str | None]], *, compiled: bool) -> None:
        """Nobody thinks yet."""
        self.ask = ask
        self.seconds = SECONDS if compiled else PLAIN_SECONDS
        self.secret = secrets.token_bytes(SECRET_BYTES)
        self.turn = asyncio.Lock()

    async def answer(self, request: MoveRequest) -> str | None:
        """Return the token that a player chooses, or None if there was none in time."""
        seed = player_seed(self.secret, request.player)
        sent = Request(seed, request.seat, request.level, self.seconds, write_record(request.state), request.judged)
        async with self.turn:
            answer = await self.ask(msgspec.json.encode(sent).decode(), self.seconds + MARGIN_SECONDS)
        if not answer:
            log.warning("a computer player gave no answer", extra={"facts": {"player": request.level}})
        return answer or None

    def regroup(self, table: str, group: str, other: str) -> None:
        """Do nothing: one visitor needs no groups."""

    async def warm(self) -> None:
        """Do nothing: the worker starts with the house."""

    async def close(self) -> None:
        """Do nothing: the worker ends with the tab."""
