"""Why a move is refused, paragraph by paragraph: slow, plain, and apart from the fast statement of the same rules."""

from collections.abc import Iterator
from functools import cache

from tablee.core.game import Game
from tablee.core.position import CHANCE, Position
from tablee.core.ruling import Fact, Ruling
from tablee.games.tablan.notation import EACH, LAST, LINE, MEN, MOVES, OUTSIDE, THROWS, Men, Move, men, on_path
from tablee.games.tablan.position import FIRST_THROW, TablanPosition

STICKS = {"s1": 2, "s4": 8, "s0": 12}
HALVES = {2: 1, 8: 4, 12: 6}
DICE_MOVE = Ruling("2.1", "dice")
THROW_FIRST = Ruling("2.1", "throw first")
FIRST_TWO = Ruling("2.4", "table")


def rulings(game: Game, position: Position, seat: int, action: int) -> list[Ruling]:
    """Return every paragraph that an action of a seat breaks, in their order; none means it is legal."""
    assert isinstance(position, TablanPosition)
    if position.ended:
        return [Ruling(position.reason(), "over")]
    if action >= FIRST_THROW:
        return list(throw_rulings(position, seat, THROWS[action - FIRST_THROW]))
    if seat == CHANCE:
        return [DICE_MOVE]
    if seat != position.side:
        return [out_of_turn(position)]
    if position.thrown < 0:
        return [THROW_FIRST, FIRST_TWO] if position.waiting else [THROW_FIRST]
    return move_rulings(position, MOVES[action])


def throw_rulings(position: TablanPosition, seat: int, throw: str) -> Iterator[Ruling]:
    """1.3, 2.1: the dice throw when a throw is due, with dice or with sticks as the table has chosen."""
    if seat != CHANCE:
        if seat != position.side:
            yield out_of_turn(position)
        yield Ruling("2.1", "hand")
        return
    if position.thrown >= 0:
        yield Ruling("2.1", "use first", facts={"side": f"=seat {position.side + 1}", "throw": THROWS[position.thrown]})
    if throw.startswith("s") != position.sticks:
        yield Ruling("2.1", "sticks" if position.sticks else "two dice", facts={"throw": throw})


def out_of_turn(position: TablanPosition) -> Ruling:
    """1.3: the sides take turns."""
    return Ruling("1.3", "turn", facts={"side": f"=seat {position.side + 1}"})


def move_rulings(position: TablanPosition, move: Move) -> list[Ruling]:
    """Return what a move by the side in turn breaks; where nobody of his stands, the rest is not looked at."""
    side = int(position.side)
    found = [] if move.side == side else [wrong_way(move)]
    own, enemy = (position.white, position.black) if side else (position.black, position.white)
    if not own >> move.start & 1:
        return [*found, nobody(move.start, bool(enemy >> move.start & 1))]
    found += [*wrong_length(position, move), *first_move(position, move)]
    if move.side == side or on_path(side, move.start) >= OUTSIDE:
        found += landing(men(position), side, move, bool(position.any_square))
    return found or list(not_in_full(position, move))


@cache
def wrong_way(move: Move) -> Ruling:
    """1.3: each side runs its own way only."""
    return Ruling("1.3", "way", move.cells, {"side": f"=seat {2 - move.side}", "start": move.cells[0], "end": move.cells[1]})


@cache
def nobody(start: int, enemy: bool) -> Ruling:
    """2.2: one moves a man of one's own."""
    return Ruling("2.2", "enemy" if enemy else "nobody", (LINE[start],), {"start": LINE[start]})


def wrong_length(position: TablanPosition, move: Move) -> Iterator[Ruling]:
    """2.2, 2.3: a man moves by the whole throw or by a half; the second half is another man's."""
    worth = value(THROWS[position.thrown])
    half = HALVES.get(worth, 0)
    facts: dict[str, Fact] = {"throw": THROWS[position.thrown], "worth": worth, "length": move.length}
    if position.mover:
        if move.length != half:
            yield Ruling("2.3", "owed", move.cells, facts | {"half": half})
        if position.mover >> move.start & 1:
            yield Ruling("2.3", "same man", move.cells[:1], {"start": move.cells[0], "half": half})
    elif half and move.length not in (worth, half):
        yield Ruling("2.2", "halves", move.cells, facts | {"half": half})
    elif not half and move.length != worth:
        yield Ruling("2.2", "length", move.cells, facts)


def first_move(position: TablanPosition, move: Move) -> Iterator[Ruling]:
    """2.4: where each man needs a 2, nothing else lets him make his first move."""
    if position.fresh >> move.start & 1 and value(THROWS[position.thrown]) != 2:
        yield Ruling("2.4", "each man", move.cells[:1], {"start": move.cells[0], "throw": THROWS[position.thrown]})


def landing(board: Men, side: int, move: Move, any_square: bool) -> Iterator[Ruling]:
    """2.5, 3.2, 4.1: where a man may land, and that he has not arrived already."""
    start, end = move.cells
    own, met = MEN[side], board.get(move.end, "").lower()
    if met == own:
        yield Ruling("2.5", "", (end,), {"end": end})
    if on_path(side, move.start) >= OUTSIDE:
        yield Ruling("3.2", "arrived", (start,), {"start": start})
        return
    if met and met != own and on_path(side, move.end) < EACH:
        yield Ruling("3.2", "closed", (end,), {"end": end})
    if not any_square and on_path(side, move.end) >= OUTSIDE:
        due = next_square(board, side)
        if due is not None and move.end != due:
            yield Ruling("4.1", "", (end, LINE[due]), {"end": end, "next": LINE[due]})


def next_square(board: Men, side: int) -> int | None:
    """Return the place of the first square of the enemy's home row that the side does not hold yet (4.1)."""
    for along in range(OUTSIDE, LAST + 1):
        place = on_path(side, along)
        if board.get(place, "").lower() != MEN[side]:
            return place
    return None


def not_in_full(position: TablanPosition, move: Move) -> Iterator[Ruling]:
    """2.3: a first half that nobody can follow is refused while the throw can be used in full."""
    side, worth = int(position.side), value(THROWS[position.thrown])
    half = HALVES.get(worth, 0)
    if position.mover or move.length != half:
        return
    board, any_square = men(position), bool(position.any_square)
    if second_halves(board, side, move, any_square, worth):
        return
    wholes = possible(board, side, worth, any_square, worth)
    if wholes or any(second_halves(board, side, other, any_square, worth) for other in possible(board, side, half, any_square, worth)):
        yield Ruling("2.3", "full", move.cells, {"start": move.cells[0], "end": move.cells[1], "worth": worth, "half": half})


def possible(board: Men, side: int, length: int, any_square: bool, worth: int, barred: int = -1) -> list[Move]:
    """Return the moves of that length that the board allows a side, without regard to what is owed; `barred` may not move."""
    found = []
    for place, man in board.items():
        if man.lower() != MEN[side] or place == barred or on_path(side, place) >= OUTSIDE or (man.isupper() and worth != 2):
            continue
        move = Move(side, place, place - length if side else place + length)
        if not list(landing(board, side, move, any_square)):
            found.append(move)
    return found


def second_halves(board: Men, side: int, first: Move, any_square: bool, worth: int) -> list[Move]:
    """Return the moves by which another man may take the other half after a first."""
    return possible(moved(board, first), side, first.length, any_square, worth, first.end)


def moved(board: Men, move: Move) -> Men:
    """Return the board after a move; whoever stood on the square of arrival is gone (3.1)."""
    after = dict(board)
    after[move.end] = after.pop(move.start).lower()
    return after


def value(throw: str) -> int:
    """Return what a throw is worth: the sum of two dice, or what the plain sides of the sticks say."""
    if throw.startswith("s"):
        return STICKS.get(throw, 0)
    return int(throw[0]) + int(throw[2])
