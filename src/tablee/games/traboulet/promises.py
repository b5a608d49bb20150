"""Invariants and symmetries for `check_game`: what never changes in a game of Traboulet, and the ways to turn its board."""

from collections.abc import Callable, Mapping

from tablee.core.game import Game
from tablee.core.kind import Symmetry
from tablee.games.traboulet.notation import RANKS, SIDE, Spot, board, name, squeeze
from tablee.games.traboulet.position import TrabouletPosition

Turn = Callable[[Spot], Spot]


def conserved(game: Game, position: TrabouletPosition) -> Mapping[str, int]:
    """Return the red marbles, on the board and taken: the others are counted only while they are there."""
    return {"red": list(board(position).values()).count("r") + int(position.white_taken) + int(position.black_taken)}


def turned(turn: Turn) -> tuple[Callable[[Game, str], str], Callable[[Game, str], str]]:
    """Return how a turn of the board changes a position line and a token."""

    def token(game: Game, text: str) -> str:
        """Return the token of the turned push."""
        if len(text) != 4:
            return text
        return "".join(name(turn(("abcdefg".index(text[at]), RANKS.index(text[at + 1])))) for at in (0, 2))

    def line(game: Game, text: str) -> str:
        """Return the line of the turned position."""
        ranks, side, white_taken, black_taken, ban, bonus = text.split(" ")
        rows = ["".join("." * int(glyph) if glyph.isdigit() else glyph for glyph in row) for row in ranks.split("/")]
        cells = {turn((x, SIDE - 1 - y)): glyph for y, row in enumerate(rows) for x, glyph in enumerate(row)}
        field = "/".join(squeeze("".join(cells[x, y] for x in range(SIDE))) for y in reversed(range(SIDE)))
        bans = "/".join(token(game, push) for push in ban.split("/"))
        return " ".join((field, side, white_taken, black_taken, bans, bonus))

    return line, token


def swapped(game: Game, text: str) -> str:
    """Return the line with White and Black in each other's place."""
    ranks, side, white_taken, black_taken, ban, bonus = text.split(" ")
    change = str.maketrans("wb", "bw")
    return " ".join((ranks.translate(change), side.translate(change), black_taken, white_taken, ban, bonus))


def same_seat(game: Game, seat: int) -> int:
    """Return the seat itself."""
    return seat


SYMMETRIES = (
    Symmetry("left and right", *turned(lambda spot: (SIDE - 1 - spot[0], spot[1])), same_seat),
    Symmetry("top and bottom", *turned(lambda spot: (spot[0], SIDE - 1 - spot[1])), same_seat),
    Symmetry("quarter turn", *turned(lambda spot: (spot[1], SIDE - 1 - spot[0])), same_seat),
    Symmetry("colours", swapped, lambda game, token: token, lambda game, seat: 1 - seat),
)
