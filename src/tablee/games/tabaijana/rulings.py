"""Why an action is refused, paragraph by paragraph: slow, plain, and apart from the fast statement of the same rules."""

from collections.abc import Iterator

from tablee.core.game import Game
from tablee.core.position import CHANCE, OVER, Position
from tablee.core.ruling import Ruling
from tablee.games.tabaijana.deal import CHILD, GAME
from tablee.games.tabaijana.notation import MOVES, THROW_TOKENS, Move, dice, has, is_throw, seat_colours, together
from tablee.games.tabaijana.position import LAST_CELL, ROOM, TabaijanaPosition


def rulings(game: Game, position: Position, seat: int, action: int) -> list[Ruling]:
    """Return every paragraph that an action of a seat breaks, in their order; none means it is legal."""
    assert isinstance(position, TabaijanaPosition)
    actor = position.actor()
    if actor == OVER:
        return [Ruling(position.reason(), "over")]
    if seat == CHANCE:
        return [*thrown(game, position, action)]
    if is_throw(action):
        return [Ruling("2.1", "chosen")]
    if seat != position.turn():
        return [Ruling("2.1", "turn", facts={"seat": f"={seat_colours(position)[position.turn()]}"})]
    if actor == CHANCE:
        return [Ruling("2.1", "throw first")]
    move = MOVES[action - len(THROW_TOKENS)]
    return [*moved_crates(game, position, move)] if move.count else [*moved_boat(game, position, move)]


def thrown(game: Game, position: TabaijanaPosition, action: int) -> Iterator[Ruling]:
    """2.1, 4.1: the dice are thrown once a turn, one of them, or two by who has had three crates together."""
    if not is_throw(action):
        yield Ruling("2.1", "hand")
        return
    if position.actor() != CHANCE:
        yield Ruling("2.1", "thrown", facts={"dice": dice(position)})
    own = seat_colours(position)[position.turn()]
    two = privileged(game, position, own, 3)
    if "/" in THROW_TOKENS[action] and not two:
        yield Ruling("2.1", "one die", facts={"seat": f"={own}"})
    if "/" not in THROW_TOKENS[action] and two:
        yield Ruling("4.1", "", facts={"seat": f"={own}"})


def moved_crates(game: Game, position: TabaijanaPosition, move: Move) -> Iterator[Ruling]:
    """1.4 and 2.1 to 2.6, in their order."""
    boat = position.boat
    if move.start == boat:
        yield Ruling("1.4", "", ("B",), {"cell": move.start, "token": f"{move.count}:B>{move.end}"})
    start = move.start or boat
    yield from by_the_dice(position, move, start)
    if move.start != boat:
        stack = position.stack(start)
        if move.count > len(stack):
            case = ("few" if stack else "none") + ("" if move.start else " aboard")
            yield Ruling("2.3", case, (str(move.start or "B"),), {"cell": move.start, "there": len(stack), "count": move.count})
        else:
            yield from allowed(game, position, move, stack)
    if move.end == LAST_CELL and game.option("far_end") == "23":
        yield Ruling("2.6", "", (str(move.end),))


def by_the_dice(position: TabaijanaPosition, move: Move, start: int) -> Iterator[Ruling]:
    """2.1: forward by exactly the number of one die."""
    if move.end - start not in (position.small, position.large) or move.end <= start:
        case = "number" if move.end > start else "back"
        yield Ruling("2.1", case, (), {"dice": dice(position), "steps": move.end - start, "cell": move.end})


def allowed(game: Game, position: TabaijanaPosition, move: Move, stack: str) -> Iterator[Ruling]:
    """2.4 or 2.5: what one may take, unless one has had all four crates together (4.2)."""
    own = seat_colours(position)[position.turn()]
    taken, left = stack[-move.count :], stack[: -move.count]
    if own in taken:
        return
    name = str(move.start or "B")
    if game.option(GAME) == CHILD:
        if set(stack) & set(seat_colours(position)) and not privileged(game, position, own, 4):
            yield Ruling("2.5", "", (name,), {"colour": f"=own {own}"})
    elif left[-1:] != own and not privileged(game, position, own, 4):
        yield Ruling("2.4", "", (name,), {"colour": f"=own {own}"})


def moved_boat(game: Game, position: TabaijanaPosition, move: Move) -> Iterator[Ruling]:
    """2.1, 3.2 and 4.4: a loaded boat needs a crate of one's own aboard."""
    yield from by_the_dice(position, move, position.boat)
    load = position.stack(position.boat)
    own = seat_colours(position)[position.turn()]
    if not load or own in load:
        return
    four = privileged(game, position, own, 4)
    if game.option(GAME) == CHILD:
        if set(load) & set(seat_colours(position)) and not four:
            yield Ruling("3.2", "children", ("B",), {"colour": f"=own {own}"})
    elif not (four and game.option("boat_for_four") == "yes"):
        yield Ruling("3.2", "", ("B",), {"colour": f"=own {own}"})
        if four:
            yield Ruling("4.4", "", ("B",), {"colour": f"=own {own}"})


def privileged(game: Game, position: TabaijanaPosition, colour: str, n: int) -> bool:
    """Return whether a colour has had n crates together or, where privileges do not stay, has them now (4.1 to 4.3)."""
    if game.option("privileges") == "keep":
        return has(position.three if n == 3 else position.four, colour)
    board = [position.stack(cell) for cell in range(ROOM)]
    return together(game, board, position.stack(position.boat), colour, n)
