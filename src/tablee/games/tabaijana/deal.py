"""The set-up: colours, the first seat, a stack of 1.2 drawn uniformly from all allowed ones, and the order of 5.1, drawn or chosen."""

from functools import cache
from itertools import pairwise

from tablee.core.errors import TableeError, shown
from tablee.core.game import Game
from tablee.core.kind import Draw, Setup
from tablee.core.setup_choice import SetupChoice
from tablee.games.tabaijana.position import HARBOUR, LETTERS, ROOM, TabaijanaPosition

EACH = 4
ALL_CRATES = sorted(LETTERS * EACH)
NAMES = dict(zip(LETTERS, ("red", "white", "green", "blue", "yellow"), strict=True))
CHILDREN = dict(enumerate(LETTERS, 2))
GAME, FAMILY, CHILD = "game", "famille", "enfants"
FAMILY_ONLY = {"boat_for_four": "no", "order": "off"}


def check(game: Game) -> None:
    """Refuse the options of the family game in the children's."""
    if game.option(GAME) == FAMILY:
        return
    for name, default in FAMILY_ONLY.items():
        if game.option(name) != default:
            wrong = f"{name}={game.option(name)} is not possible with game=enfants: it belongs to game=famille, expected {name}={default}"
            raise TableeError(wrong).with_key(f"choice {name}")


CHOICES = (
    SetupChoice("colours", LETTERS, by_seat=True),
    SetupChoice("order", LETTERS, holds=lambda game: game.option("order") == "on"),
)


def setup(game: Game, draw: Draw, chosen: Setup) -> Setup:
    """Return the colours, chosen or the usual ones, seat 1 to begin and, in the family game, a stack drawn evenly and perhaps an order."""
    drawn = {"colours": chosen.get("colours", LETTERS[: game.seats]), "first": "1"}
    if game.option(GAME) == FAMILY:
        each = (EACH,) * len(LETTERS)
        drawn["stack"] = nth_stack(draw(stacks(each)), each)
    if game.option("order") == "on":
        drawn["order"] = chosen.get("order") or nth_stack(draw(120), (1,) * len(LETTERS))
    return drawn


@cache
def stacks(each: tuple[int, ...]) -> int:
    """Return how many stacks of these numbers of crates have no two neighbours of one colour.

    >>> stacks((2, 2, 2))
    30
    """
    return sum(stacks_on(each, colour) for colour in range(len(each)))


@cache
def stacks_on(left: tuple[int, ...], colour: int) -> int:
    """Return how many stacks of the crates left begin, at the bottom, with that colour."""
    if not left[colour]:
        return 0
    others = tuple(sorted(left[:colour] + left[colour + 1 :]))
    return completions(left[colour] - 1, others)


@cache
def completions(same: int, others: tuple[int, ...]) -> int:
    """Return how many stacks can follow, where `same` of the crates left have the colour just laid; the names of the other colours do not matter."""
    if not any(others):
        return 0 if same else 1
    total = 0
    for at, left in enumerate(others):
        if left:
            total += completions(left - 1, tuple(sorted((*others[:at], same, *others[at + 1 :]))))
    return total


def nth_stack(number: int, each: tuple[int, ...]) -> str:
    """Return the stack of that number, from 0, in the order of the colours bottom to top: each stack has exactly one number."""
    left, stack, last = each, "", -1
    while ways := ways_on(left, last):
        for last, count, after in ways:  # noqa: B007 the colour that is reached lies there
            if number < count:
                break
            number -= count
        left = after
        stack += LETTERS[last]
    return stack


@cache
def ways_on(left: tuple[int, ...], last: int) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
    """Return the colours that can lie on the last one, each with the number of stacks that go on so and the crates left then."""
    colours = [colour for colour in range(len(left)) if colour != last and stacks_on(left, colour)]
    return tuple((colour, stacks_on(left, colour), (*left[:colour], left[colour] - 1, *left[colour + 1 :])) for colour in colours)


def empty(game: Game) -> TabaijanaPosition:
    """Return a bare board under the options of a game."""
    return TabaijanaPosition(
        game.seats,
        game.option(GAME) == CHILD,
        int(game.option("far_end")),
        game.option("privileges") == "while_it_lasts",
        game.option("boat_for_four") == "yes",
        game.option("cell_24") == "counts",
    )


def start(game: Game, setup: Setup) -> TabaijanaPosition:
    """Return the first position of a set-up, drawn or chosen by the table, after checking it."""
    family, ordered = game.option(GAME) == FAMILY, game.option("order") == "on"
    for name, drawn, paragraph in (("stack", family, "1.2"), ("order", ordered, "5.1")):
        if drawn and name not in setup:
            raise TableeError(f"the set-up lacks {name}=: expected it drawn or given ({paragraph})")
    colours = checked_colours(setup.get("colours", LETTERS[: game.seats]), game.seats)
    first = checked_first(setup.get("first", "1"), game.seats)
    board = [""] * int(ROOM)
    if family:
        board[1] = checked_stack(setup["stack"])
    else:
        for cell, letter in CHILDREN.items():
            board[cell] = letter * EACH
    order = checked_order(setup["order"]) if ordered else ""
    position = empty(game)
    position.arrange(colours, order, board, HARBOUR, first - 1, 0, 0)
    return position


def checked_colours(given: str, seats: int) -> str:
    """Return the colours of the seats, all different (1.1)."""
    if len(given) != seats or len(set(given)) != seats or not set(given) <= set(LETTERS):
        raise TableeError(f"{shown(given)} are no colours for {seats} seats: expected {seats} different letters of {LETTERS} (1.1)")
    return given


def checked_first(given: str, seats: int) -> int:
    """Return the seat that begins, counted from 1 (1.3)."""
    if len(given) != 1 or given not in "12345"[:seats]:
        raise TableeError(f"seat {shown(given)} cannot begin: expected a number from 1 to {seats} (1.3)")
    return int(given)


def checked_stack(given: str) -> str:
    """Return the stack of cell 1, four crates of each colour and no equal neighbours (1.1, 1.2)."""
    if sorted(given) != ALL_CRATES:
        raise TableeError(f"{shown(given)} is no stack of all the crates: expected 20 letters, 4 each of {LETTERS} (1.1)")
    for at, (below, above) in enumerate(pairwise(given), 1):
        if below == above:
            wrong = f"crates {at} and {at + 1} are both {NAMES[below]}"
            raise TableeError(f"{shown(given)} is no stack to begin with: {wrong}, expected no equal neighbours (1.2)")
    return given


def checked_order(given: str) -> str:
    """Return the colours in the order of the load, bottom to top (5.1)."""
    if sorted(given) != sorted(LETTERS):
        raise TableeError(f"{shown(given)} is no order of the load: expected each of {LETTERS} once (5.1)")
    return given
