"""Tablée: a game library open day and night."""

from tablee.catalog import game, kind, kinds, read
from tablee.core.errors import NotationError, PositionError, RecordError, TableeError, UnknownName
from tablee.core.game import Game
from tablee.core.kind import Kind
from tablee.core.record import write_record as record
from tablee.core.ruling import IllegalAction, Refusal, Ruling
from tablee.core.state import DICE, Chance, Decision, Over, State
from tablee.players.analysis import Analysis, analyse
from tablee.players.player import Player
from tablee.players.stop import Stop

__all__ = [
    "DICE",
    "Analysis",
    "Chance",
    "Decision",
    "Game",
    "IllegalAction",
    "Kind",
    "NotationError",
    "Over",
    "Player",
    "PositionError",
    "RecordError",
    "Refusal",
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
