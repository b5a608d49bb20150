"""What counts at Tabaijana: crates aboard, of all colours."""

from tablee.core.game import Game
from tablee.core.goal import Goal
from tablee.core.ruling import Message
from tablee.games.tabaijana.notation import has, seat_colours
from tablee.games.tabaijana.position import COLOURS, CRATES, TabaijanaPosition

EACH = CRATES // COLOURS


def goal(game: Game, position: TabaijanaPosition, seat: int) -> Goal:
    """Return how many crates are aboard, of all colours (5.1); the state counts those of the seat's own, and says what they let it do (4.1)."""
    load, letter = position.stack(position.boat), seat_colours(position)[seat]
    key = "aim children" if game.option("game") == "enfants" else "aim order" if game.option("order") == "on" else "aim"
    state = "state four" if has(position.four, letter) else "state three" if has(position.three, letter) else "state own"
    own = Message(state, {"own": load.count(letter), "of": EACH})
    return Goal(len(load), Message(key, {"count": len(load), "of": CRATES}), CRATES, own)


def seat_key(game: Game, position: TabaijanaPosition, seat: int) -> str:
    """Return the words that name a seat: its colour."""
    return f"={seat_colours(position)[seat]}"
