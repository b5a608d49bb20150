"""Tokens of 256 bits are the permissions of a table; the log holds only their hashes, bound to the match."""

import hashlib
import hmac
import re
import secrets
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from functools import lru_cache

from tablee.tables.events import packed, same

TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


@dataclass(frozen=True)
class Actor:
    """The sender of a command: the tokens shown (the first is the one that sits down), or the house itself (`HOST`).

    `watch` is the token of a link to watch: it lets look, and never sits down.
    """

    tokens: tuple[str, ...] = field(default=(), repr=False)
    host: bool = False
    watch: str = field(default="", repr=False)


HOST = Actor(host=True)
NOBODY = Actor()


def new_token() -> str:
    """Return a new token: 43 letters that hold 256 random bits."""
    return secrets.token_urlsafe(32)


def new_table_id() -> str:
    """Return a new name for a table: 16 letters; it is no secret."""
    return secrets.token_urlsafe(12)


def opening_id(opener: str, move_id: str) -> str:
    """Return the name of the table that an opener asks for under a `move_id`: a resend names the same one; it tells nothing of the token."""
    digest = hashlib.sha256(packed(b"tablee opening v1", opener.encode(), move_id.encode())).digest()
    return urlsafe_b64encode(digest[:12]).decode()


def seat_token(carte: str, match: str) -> str:
    """Return the token with which the holder of a carte sits at the tables of a match: the holder of the carte holds the seats."""
    mixed = hmac.new(carte.encode(), packed(b"tablee seat v1", match.encode()), hashlib.sha256).digest()
    return urlsafe_b64encode(mixed).rstrip(b"=").decode()


def watch_token(token: str, match: str) -> str:
    """Return the token of the link to watch that follows from the opener's own, so that the house need not keep it to show it again."""
    mixed = hmac.new(token.encode(), packed(b"tablee watch v1", match.encode()), hashlib.sha256).digest()
    return urlsafe_b64encode(mixed).rstrip(b"=").decode()


@lru_cache(4096)
def hash_token(match: str, token: str) -> str:
    """Return what the log keeps of a token."""
    return hashlib.sha256(packed(b"tablee token v1", match.encode(), token.encode())).hexdigest()


@lru_cache(4096)  # a view asks this some twenty times
def shows(actor: Actor, match: str, kept: str) -> bool:
    """Return whether an actor shows the token with this hash."""
    return bool(kept) and any(same(hash_token(match, token), kept) for token in actor.tokens if TOKEN.fullmatch(token))
