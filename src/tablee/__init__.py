"""Tablée: a game library open day and night."""

from tablee.catalog import game, kind, kinds, read
from tablee.core.errors import NotationError, PositionError, RecordError, TableeError, UnknownName
from tablee.core.game import Game
from tablee.core.kind import Kind
from tablee.core.record import write_record as record
from tablee.core.ruling import IllegalAction, Refusal, Ruling
from tablee.core.state import DICE, Chance, Decision, Over, State

__all__ = [
    "DICE",
    "Chance",
    "Decision",
    "Game",
    "IllegalAction",
    "Kind",
    "NotationError",
    "Over",
    "PositionError",
    "RecordError",
    "Refusal",
    "Ruling",
    "State",
    "TableeError",
    "UnknownName",
    "game",
    "kind",
    "kinds",
    "read",
    "record",
]
