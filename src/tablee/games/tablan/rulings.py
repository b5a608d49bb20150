"""Why a move is refused, paragraph by paragraph: slow, plain, and apart from the fast statement of the same rules."""

from collections.abc import Iterator
from functools import cache

from tablee.core.game import Game
from tablee.core.position import CHANCE
from tablee.core.ruling import Fact, Ruling
from tablee.games.tablan.notation import EACH, LAST, LINE, MEN, MOVES, OUTSIDE, THROWS, Men, Move, men, on_path
from tablee.games.tablan.position import EACH_PLAYER, FIRST_THROW, STAY, TablanPosition

STICKS = {"s1": 2, "s4": 8, "s0": 12}
HALVES = {2: 1, 8: 4, 12: 6}
DICE_MOVE = Ruling("2.1", "dice")
THROW_FIRST = Ruling("2.1", "throw first")
LAST_ROW = 24


def rulings(game: Game, position: TablanPosition, seat: int, action: int) -> list[Ruling]:
    """Return what an action of a seat breaks, the plainest reason first; none means it is legal."""
    if position.ended:
        return [Ruling(position.reason(), "over")]
    if action >= FIRST_THROW and action != STAY:
        return list(throw_rulings(position, seat, THROWS[action - FIRST_THROW]))
    if seat == CHANCE:
        return [DICE_MOVE]
    if seat != position.side:
        return [out_of_turn(position)]
    if position.thrown < 0:
        return [THROW_FIRST, *first_two(position)]
    return list(stay_rulings(position)) if action == STAY else move_rulings(position, MOVES[action])


def throw_rulings(position: TablanPosition, seat: int, throw: str) -> Iterator[Ruling]:
    """1.3, 2.1: the dice throw when a throw is due, with dice or with sticks as the table has chosen."""
    if seat != CHANCE:
        if seat != position.side:
            yield out_of_turn(position)
        yield Ruling("2.1", "hand")
        return
    if position.thrown >= 0:
        yield Ruling("2.1", "use first", facts={"side": f"=seat {position.side + 1}", "throw": said(THROWS[position.thrown])})
    if throw.startswith("s") != position.sticks:
        yield Ruling("2.1", "sticks" if position.sticks else "two dice", facts={"throw": said(throw)})


def first_two(position: TablanPosition) -> Iterator[Ruling]:
    """2.4: before the 2 that frees a side, no man of it moves."""
    if position.waiting >> position.side & 1:
        yield Ruling("2.4", "each player" if position.first_move == EACH_PLAYER else "table", facts={"side": f"=seat {position.side + 1}"})


def stay_rulings(position: TablanPosition) -> Iterator[Ruling]:
    """4.2: only the last man may stay, near the enemy's home row, when a throw does not bring him in that another could."""
    side, throw, board = int(position.side), THROWS[position.thrown], men(position)
    outside = [place for place, man in board.items() if man.lower() == MEN[side] and on_path(side, place) < OUTSIDE]
    cells = tuple(LINE[place] for place in outside)
    if not position.may_stay:
        yield Ruling("4.2", "must move", cells, {"throw": said(throw)})
    elif position.mover:
        yield Ruling("4.2", "owed", (), {"throw": said(throw)})
    elif len(outside) > 1:
        yield Ruling("4.2", "others", cells, {"n": len(outside)})
    elif not any(entered(position, outside[0], worth) for worth in ((2, 8, 12) if position.sticks else range(2, 13))):
        yield Ruling("4.2", "far", cells, {"start": cells[0]})
    elif squares := entered(position, outside[0], value(throw)):
        yield Ruling("4.2", "enters", (*cells, *squares), {"start": cells[0], "end": squares[0], "throw": said(throw)})


def entered(position: TablanPosition, place: int, worth: int) -> list[str]:
    """Return the squares of the enemy's home row onto which a throw of that worth, whole or by a half, brings a man of the last centre row."""
    side, board = int(position.side), men(position)
    along = on_path(side, place)
    squares = []
    for length in (worth, HALVES.get(worth, worth)):
        if along >= LAST_ROW and OUTSIDE <= along + length <= LAST:
            move = Move(side, place, on_path(side, along + length))
            if not list(landing(board, side, move, bool(position.any_square))):
                squares.append(LINE[move.end])
    return list(dict.fromkeys(squares))


def out_of_turn(position: TablanPosition) -> Ruling:
    """1.3: the sides take turns."""
    return Ruling("1.3", "turn", facts={"side": f"=seat {position.side + 1}"})


def move_rulings(position: TablanPosition, move: Move) -> list[Ruling]:
    """Return what a move by the side in turn breaks; without a man who may go that way, the rest is not looked at."""
    side = int(position.side)
    own, enemy = (position.white, position.black) if side else (position.black, position.white)
    if not own >> move.start & 1:
        return [nobody(move.start, bool(enemy >> move.start & 1))]
    if on_path(side, move.start) >= OUTSIDE:
        return [arrived(move.start)]
    if move.side != side:
        return [wrong_way(move)]
    broken = [*first_move(position, move), *wrong_length(position, move), *landing(men(position), side, move, bool(position.any_square))]
    return broken or list(not_in_full(position, move))


@cache
def wrong_way(move: Move) -> Ruling:
    """1.3: each side runs its own way only."""
    return Ruling("1.3", "way", move.cells, {"side": f"=seat {2 - move.side}", "start": move.cells[0], "end": move.cells[1]})


@cache
def nobody(start: int, enemy: bool) -> Ruling:
    """2.2: one moves a man of one's own."""
    return Ruling("2.2", "enemy" if enemy else "nobody", (LINE[start],), {"start": LINE[start]})


@cache
def arrived(start: int) -> Ruling:
    """3.2: a man who has reached the enemy's home row never moves again."""
    return Ruling("3.2", "arrived", (LINE[start],), {"start": LINE[start]})


def wrong_length(position: TablanPosition, move: Move) -> Iterator[Ruling]:
    """2.2, 2.3: a man moves by the whole throw or by a half; the second half is another man's."""
    worth = value(THROWS[position.thrown])
    half = HALVES.get(worth, 0)
    facts: dict[str, Fact] = {"throw": said(THROWS[position.thrown]), "worth": worth, "length": move.length}
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
    worth = value(THROWS[position.thrown])
    if position.fresh >> move.start & 1 and worth != 2:
        yield Ruling("2.4", "each man", move.cells[:1], {"start": move.cells[0], "worth": worth})


def landing(board: Men, side: int, move: Move, any_square: bool) -> Iterator[Ruling]:
    """2.5, 3.2, 4.1: where a man may land."""
    _, end = move.cells
    own, met = MEN[side], board.get(move.end, "").lower()
    if met == own:
        yield Ruling("2.5", "", (end,), {"end": end})
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
    moves = []
    for place, man in board.items():
        if man.lower() != MEN[side] or place == barred or on_path(side, place) >= OUTSIDE or (man.isupper() and worth != 2):
            continue
        move = Move(side, place, place - length if side else place + length)
        if not list(landing(board, side, move, any_square)):
            moves.append(move)
    return moves


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


def said(throw: str) -> str:
    """Return a throw as players say it: dice by their faces, sticks by a sentence of the game."""
    return f"={throw}" if throw.startswith("s") else throw
