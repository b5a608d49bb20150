"""Invariants and symmetries for `check_game`: what never changes in a game of Tabaijana, and the ways to change its colours and seats."""

from collections import Counter
from collections.abc import Mapping

from tablee.core.game import Game
from tablee.core.kind import Symmetry
from tablee.games.tabaijana.deal import NAMES
from tablee.games.tabaijana.position import LETTERS, ROOM, TabaijanaPosition

NEXT = str.maketrans(LETTERS, LETTERS[1:] + LETTERS[0])
WITH_COLOURS = ("colours", "order", "three", "four", "load")


def conserved(game: Game, position: TabaijanaPosition) -> Mapping[str, int]:
    """Return the crates of each colour, on the track and aboard."""
    crates = Counter("".join(position.stack(cell) for cell in range(ROOM)))
    return {NAMES[letter]: crates[letter] for letter in LETTERS}


def recoloured(game: Game, line: str) -> str:
    """Return the line with every colour changed for the next."""
    fields = (field.partition("=") for field in line.split(" "))
    return " ".join(f"{name}={value.translate(NEXT) if name in WITH_COLOURS or name.isdigit() else value}" for name, _, value in fields)


def reseated(game: Game, line: str) -> str:
    """Return the line with everybody, turn and colour included, one seat further round the table."""
    fields = {name: value for name, _, value in (field.partition("=") for field in line.split(" "))}
    colours = fields["colours"][-1] + fields["colours"][:-1]
    fields["colours"] = colours
    fields["turn"] = str(next_seat(game, int(fields["turn"]) - 1) + 1)
    for name in ("three", "four"):
        fields[name] = "".join(sorted(fields[name], key=(colours + "-").index))
    return " ".join(f"{name}={value}" for name, value in fields.items())


def same_token(game: Game, token: str) -> str:
    """Return the token itself."""
    return token


def same_seat(game: Game, seat: int) -> int:
    """Return the seat itself."""
    return seat


def next_seat(game: Game, seat: int) -> int:
    """Return the next seat round the table."""
    return (seat + 1) % game.seats


SYMMETRIES = (
    Symmetry("colours", recoloured, same_token, same_seat),
    Symmetry("seats", reseated, same_token, next_seat),
)
