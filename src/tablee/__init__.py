"""Tablée: a game library open day and night."""

from typing import TYPE_CHECKING

from tablee.catalog import game, kind, kinds, read
from tablee.core.errors import NotationError, PositionError, RecordError, TableeError, UnknownName
from tablee.core.game import Game
from tablee.core.kind import Kind
from tablee.core.position import Position
from tablee.core.record import write_record as record
from tablee.core.ruling import IllegalAction, Refusal, Ruling
from tablee.core.state import DICE, Chance, Decision, Over, State
from tablee.players.analysis import Analysis, analyse
from tablee.players.bot import Bot
from tablee.players.player import Player
from tablee.players.stop import Stop

if TYPE_CHECKING:
    from tablee.gym.batch import Batch
    from tablee.room import AsyncRoom, Room

__version__ = "0.2.0"

__all__ = [
    "DICE",
    "Analysis",
    "AsyncRoom",
    "Batch",
    "Bot",
    "Chance",
    "Decision",
    "Game",
    "IllegalAction",
    "Kind",
    "NotationError",
    "Over",
    "Player",
    "Position",
    "PositionError",
    "RecordError",
    "Refusal",
    "Room",
    "Ruling",
    "State",
    "Stop",
    "TableeError",
    "UnknownName",
    "analyse",
    "game",
    "kind",
    "kinds",
    "read",
    "record",
]


def __getattr__(name: str) -> object:
    """Import on first use what needs more than the engine: `Batch` needs NumPy, a room talks with a house."""
    if name == "Batch":
        from tablee.gym.batch import Batch

        return Batch
    if name in ("AsyncRoom", "Room"):
        from tablee import room

        return getattr(room, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
