"""Invariants and symmetries for `check_game`: what never changes in a game of Tablan, and the way to change its sides."""

from collections.abc import Mapping

from tablee.core.game import Game
from tablee.core.kind import Symmetry
from tablee.games.tablan.notation import LAST, LINE, PLACE
from tablee.games.tablan.position import TablanPosition


def conserved(game: Game, position: TablanPosition) -> Mapping[str, int]:
    """Return the squares, held by Black, held by White and free, and the men marked as unmoved who are not there.

    A captured man leaves no trace but the empty place in his ranks, so the men themselves are not counted.
    """
    black, white, fresh = int(position.black), int(position.white), int(position.fresh)
    free = sum(1 for place in range(LAST + 1) if not (black | white) >> place & 1)
    return {"squares": black.bit_count() + white.bit_count() + free, "strays": (fresh & ~(black | white)).bit_count()}


def other_square(square: str) -> str:
    """Return the square that takes a square's place when the cloth is turned over: `A` and `l`."""
    return LINE[LAST - PLACE[square]]


def turned_token(game: Game, token: str) -> str:
    """Return the same move by the other side; a throw stays as it is."""
    start, arrow, end = token.partition(">")
    return f"{other_square(start)}>{other_square(end)}" if arrow else token


def turned_line(game: Game, line: str) -> str:
    """Return the position with the colours changed and the cloth turned over, top row below."""
    rows, seat, due, opening, first = line.split(" ")
    throw, colon, square = due.partition(":")
    seats = str.maketrans("12", "21")
    return " ".join(
        (
            "/".join(reversed(rows.split("/"))).translate(str.maketrans("bwBW", "wbWB")),
            seat.translate(seats),
            throw + colon + (other_square(square) if square else ""),
            opening.translate(seats),
            first if first == "12" else first.translate(seats),
        )
    )


SYMMETRIES = (Symmetry("sides", turned_line, turned_token, lambda game, seat: 1 - seat),)
