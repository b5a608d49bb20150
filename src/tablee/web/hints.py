"""Hints between processes over Redis: "something was written", and nothing else. A hint may be lost; a poll covers that."""

import asyncio
import logging

from tablee.core.errors import needing

CHANNEL = "tablee"
RETRY_SECONDS = 1.0

log = logging.getLogger("tablee.hints")


class Hints:
    """Sends and receives hints; without Redis none arrive."""

    def __init__(self, url: str, house: str) -> None:
        """Know the server, if there is one, and the name of this process."""
        self.url, self.house = url, house
        self.heard = asyncio.Event()
        self.written = asyncio.Event()

    def tell(self) -> None:
        """Let the others know that something was written; many writes are one hint."""
        self.written.set()

    async def wait(self, seconds: float) -> None:
        """Wait for a hint, at most so long."""
        try:
            async with asyncio.timeout(seconds):
                await self.heard.wait()
        except TimeoutError:
            pass
        self.heard.clear()

    async def run(self) -> None:
        """Send and receive hints while the process runs; try again when the server is away."""
        if not self.url:
            return
        with needing("--redis", "redis"):
            from redis.asyncio import Redis
            from redis.exceptions import RedisError
        away = False
        while True:
            client = Redis.from_url(self.url, health_check_interval=10, socket_connect_timeout=5)
            try:
                async with client.pubsub() as channel:
                    await channel.subscribe(CHANNEL)
                    self.heard.set()  # hints sent while nobody listened are lost: look at the ledger once
                    away = False
                    async with asyncio.TaskGroup() as both:
                        both.create_task(self.hear(channel))
                        both.create_task(self.publish(client))
            except* (RedisError, OSError) as errors:
                if not away:
                    log.warning(
                        "no hints: tables of other processes are looked at every second", extra={"facts": {"error": str(errors.exceptions[0])[:200]}}
                    )
                away = True
            finally:
                await client.aclose()
            await asyncio.sleep(RETRY_SECONDS)

    async def hear(self, channel: object) -> None:
        """Wake this process whenever another has written."""
        async for message in channel.listen():  # type: ignore[attr-defined]
            if message["type"] == "message" and message["data"] != self.house.encode():
                self.heard.set()

    async def publish(self, client: object) -> None:
        """Send a hint after each write of this process."""
        while True:
            await self.written.wait()
            self.written.clear()
            await client.publish(CHANNEL, self.house)  # type: ignore[attr-defined]
