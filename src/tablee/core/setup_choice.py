"""What of a set-up the table may choose before play, instead of leaving it to the rules or to chance."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tablee.core.errors import TableeError, shown, unknown

if TYPE_CHECKING:
    from tablee.core.game import Game


@dataclass(frozen=True)
class SetupChoice:
    """A set-up item: with `by_seat` one letter for each seat, all different; otherwise every letter once.

    An item by seat belongs to the player in that seat, and moves with the player when lots are drawn for the seats.
    Words: `setup NAME` asks for it, `=LETTER` names a letter.
    """

    name: str
    letters: str
    by_seat: bool = False
    holds: Callable[["Game"], bool] = lambda game: True

    def check(self, game: "Game", value: str) -> None:
        """Raise unless a value can be chosen."""
        wanted = game.seats if self.by_seat else len(self.letters)
        if len(value) != wanted or len(set(value)) != wanted or not set(value) <= set(self.letters):
            wrong = f"{shown(value)} cannot be chosen as {self.name}: expected {wanted} different letters of {self.letters}"
            raise TableeError(wrong).with_key("choice setup", setup=self.name)


def check_chosen(game: "Game", chosen: Mapping[str, str]) -> None:
    """Raise unless all that is chosen of a set-up can be chosen."""
    known = {choice.name: choice for choice in game.kind.choices if choice.holds(game)}
    for name, value in chosen.items():
        if not known:
            raise TableeError(f"the set-up {shown(name)} cannot be chosen: {game.slug} leaves none to the table")
        if name not in known:
            raise unknown(f"set-up of {game.slug} to choose", name, known)
        known[name].check(game, value)


def follow_players(game: "Game", chosen: Mapping[str, str], order: Sequence[int]) -> dict[str, str]:
    """Return what was chosen after the players have moved: `order[k]` is the new seat of who sat at k."""
    moved = dict(chosen)
    for choice in game.kind.choices:
        if choice.by_seat and choice.name in chosen:
            moved[choice.name] = "".join(chosen[choice.name][order.index(seat)] for seat in range(game.seats))
    return moved
