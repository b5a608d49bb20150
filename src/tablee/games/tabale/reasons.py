"""Why a part of a turn is good, in facts that can be counted: for hints."""

from tablee.core.game import Game
from tablee.core.ruling import Message
from tablee.games.tabale.board import CELL, VALUE
from tablee.games.tabale.notation import TOKENS
from tablee.games.tabale.position import JUMP, REST, SET, SINGLE, WOOD, TabalePosition


def reason(game: Game, before: TabalePosition, action: int, after: TabalePosition) -> Message | None:
    """Return what the cell will be worth, the points taken, or the pawns that are safer."""
    seat = int(before.seat)
    gained = int(after.own_score(seat)) - int(before.own_score(seat))
    if action < REST:
        return Message("why cell", {"value": VALUE[CELL[TOKENS[action]]]})
    if JUMP <= action < WOOD:
        return Message("why jump", {"points": gained})
    safer = endangered(before, seat) - endangered(after, seat)
    if safer > 0 and action < SET:
        return Message("why safe", {"count": safer})
    if SINGLE <= action < JUMP:
        return Message("why points", {"points": gained})
    return None


def endangered(position: TabalePosition, seat: int) -> int:
    """Return how many pawns of a seat could be jumped."""
    return int(position.exposed(seat)).bit_count()
