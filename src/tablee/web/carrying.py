"""Cartes on their way to another device, each under a key that holds once and for ten minutes."""

import secrets
import time
from typing import Protocol

from tablee.core.errors import TableeError

CARRY_SECONDS = 600.0
MOST_CARRIED = 1000


class CartesOnTheirWay(Protocol):
    """Where cartes wait, in this process or in a database that several share."""

    async def give(self, carte: str) -> str:
        """Return the key under which a carte can be taken."""

    async def take(self, key: str) -> str | None:
        """Return the carte of a key, once."""


class CarriedHere:
    """Cartes that wait in this process; never written down."""

    def __init__(self) -> None:
        """Begin with none."""
        self.waiting: dict[str, tuple[float, str]] = {}

    async def give(self, carte: str) -> str:
        """Return the key under which a carte can be taken."""
        now = time.monotonic()
        self.waiting = {key: offer for key, offer in self.waiting.items() if offer[0] > now and offer[1] != carte}
        if len(self.waiting) >= MOST_CARRIED:
            raise TableeError("too many cartes are on their way: try again in ten minutes")
        key = secrets.token_urlsafe(32)
        self.waiting[key] = (now + CARRY_SECONDS, carte)
        return key

    async def take(self, key: str) -> str | None:
        """Return the carte of a key, once."""
        until, carte = self.waiting.pop(key, (0.0, ""))
        return carte if until > time.monotonic() else None


class Keeping(Protocol):
    """A database that keeps cartes hidden by their keys."""

    async def offer_carte(self, key: str, carte: str, seconds: float) -> None:
        """Keep a carte for the holder of the key, for a while."""

    async def take_carte(self, key: str) -> str | None:
        """Return the carte of a key, once."""


class CarriedTogether:
    """Cartes that wait in a database, so that another process can give them."""

    def __init__(self, facts: Keeping) -> None:
        """Use a database."""
        self.facts = facts

    async def give(self, carte: str) -> str:
        """Return the key under which a carte can be taken."""
        key = secrets.token_urlsafe(32)
        await self.facts.offer_carte(key, carte, CARRY_SECONDS)
        return key

    async def take(self, key: str) -> str | None:
        """Return the carte of a key, once."""
        return await self.facts.take_carte(key)
