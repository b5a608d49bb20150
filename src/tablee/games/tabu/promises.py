"""Invariants and symmetries for `check_game`: all the money of Tabu stays; seats, the four signs, anchor and sun may be exchanged."""

from tablee.core.game import Game
from tablee.core.kind import Symmetry
from tablee.games.tabu.notation import BOX_NAMES
from tablee.games.tabu.position import TabuPosition

SIGNS_TURNED = str.maketrans("cdhp", "dhpc")
SYMBOLS_SWAPPED = str.maketrans("as", "sa")


def conserved(game: Game, position: TabuPosition) -> dict[str, int]:
    """Return all money: in the hands and on the table."""
    return {"money": sum(int(position.hand[seat]) for seat in range(8)) + sum(int(position.stakes[at]) for at in range(48))}


def turned_line(game: Game, line: str) -> str:
    """Move everybody one seat to the left."""
    bank, *rest, dice = line.split(" ")
    turns, seats = rest[: -game.seats], rest[-game.seats :]
    banker = int(bank.removeprefix("bank=")) % game.seats + 1
    return " ".join((f"bank={banker}", *turns, seats[-1], *seats[:-1], dice))


def swapped_token(token: str, boxes: dict[int, int]) -> str:
    """Put other boxes in the place of those a token names; a throw stays in the order of the boxes."""
    return "-".join(sorted(token.translate(boxes).split("-"), key=BOX_NAMES.find)) if "-" in token else token.translate(boxes)


def swapped_line(line: str, boxes: dict[int, int]) -> str:
    """Put other boxes in the place of those a line names."""
    bank, *seats, dice = line.split(" ")
    return " ".join((bank, *(swapped_seat(seat, boxes) for seat in seats), f"dice={swapped_token(dice.removeprefix('dice='), boxes)}"))


def swapped_seat(seat: str, boxes: dict[int, int]) -> str:
    """Put other boxes in the place of those a seat has staked on, in their order."""
    money, colon, stakes = seat.partition(":")
    if not colon:
        return seat
    ready = "!" if stakes.endswith("!") else ""
    moved = sorted((stake.translate(boxes) for stake in stakes.removesuffix("!").split("+")), key=lambda stake: BOX_NAMES.index(stake[0]))
    return f"{money}:{'+'.join(moved)}{ready}"


SYMMETRIES = (
    Symmetry(
        "everybody one seat to the left",
        line=turned_line,
        token=lambda game, token: token,
        seat=lambda game, seat: (seat + 1) % game.seats,
    ),
    Symmetry(
        "each sign for the next",
        line=lambda game, line: swapped_line(line, SIGNS_TURNED),
        token=lambda game, token: swapped_token(token, SIGNS_TURNED),
        seat=lambda game, seat: seat,
    ),
    Symmetry(
        "anchor for sun",
        line=lambda game, line: swapped_line(line, SYMBOLS_SWAPPED),
        token=lambda game, token: swapped_token(token, SYMBOLS_SWAPPED),
        seat=lambda game, seat: seat,
    ),
)
