"""Invariants and symmetries for `check_game`: what never changes in a game of Tabale, and the ways to turn its board."""

import re
from collections.abc import Callable, Mapping

from tablee.core.game import Game
from tablee.core.kind import Symmetry
from tablee.games.tabale.board import CELL, NAME, PLACE, Place, number
from tablee.games.tabale.position import TabalePosition
from tablee.games.tabale.view import View

Turn = Callable[[Place], Place]


def conserved(game: Game, position: TabalePosition) -> Mapping[str, int]:
    """Return all pawns, the doubles that can still be or were laid, and all woods: on the board, in hand and taken."""
    view = View(position)
    stocks = [view.stock(seat) for seat in range(view.seats)]
    heights = [height for seat in range(view.seats) for height in view.pawns(seat).values()]
    return {
        "pawns": sum(heights) + sum(hand + singles + 2 * pairs for hand, _, _, singles, pairs in stocks),
        "doubles": heights.count(2) + sum(doubles + pairs for _, _, doubles, _, pairs in stocks),
        "woods": len(view.woods()) + sum(woods for _, woods, _, _, _ in stocks),
        "fools": sum(view.fool_of(seat) >= 0 for seat in range(view.seats)) if view.part else view.seats,
    }


def turned(turn: Turn) -> tuple[Callable[[Game, str], str], Callable[[Game, str], str]]:
    """Return how a turn of the board changes a position line and a token."""
    names = {name: NAME[number(turn(PLACE[cell]))] for name, cell in CELL.items()}

    def moved(text: str) -> str:
        """Return a text with every cell in its new place."""
        return re.sub("[a-i][1-9]", lambda name: names[name[0]], text)

    def side(text: str) -> str:
        """Return a wood on its new side, the smaller name first."""
        return "|" + "".join(sorted(re.findall("[a-i][1-9]", moved(text))))

    def token(game: Game, text: str) -> str:
        """Return the token of the turned step."""
        return side(text) if text.startswith("|") else moved(text)

    def line(game: Game, text: str) -> str:
        """Return the line of the turned position."""
        seat, part, *seats, woods = text.split(" ")
        placed = "".join(sorted(side(wood) for wood in woods.split("|")[1:])) or "-"
        # The part names itself with letters only, so that it is not taken for a cell.
        return " ".join((seat, moved(part), *(in_order(moved(field)) for field in seats), placed))

    return line, token


def in_order(seat: str) -> str:
    """Return the field of a seat with its pawns in the order of their names."""
    fool, pawns, *rest = seat.split(":")
    return ":".join((fool, "".join(sorted(re.findall(r"[a-i][1-9]\+\+?", pawns))) or "-", *rest))


def rotated(place: Place) -> Place:
    """Return the place a sixth of a turn further around the centre."""
    row, diagonal = place[0] - 4, place[1] - 5
    return diagonal + 4, diagonal - row + 5


def mirrored(place: Place) -> Place:
    """Return the place with rows and diagonals exchanged: a mirror through the corners a1 and i9."""
    return place[1] - 1, place[0] + 1


SYMMETRIES = (
    Symmetry("sixth of a turn", *turned(rotated), lambda game, seat: seat),
    Symmetry("mirror", *turned(mirrored), lambda game, seat: seat),
)
