"""The cloth as data: 48 embroidered squares, birds for men, the throw beside them; and what is asked and told."""

from collections.abc import Iterator

from tablee.core.game import Game
from tablee.core.position import Position
from tablee.core.ruling import Fact, Message
from tablee.core.scene import Cell, Counter, Label, Piece, Scene
from tablee.core.words import Words
from tablee.games.tablan.notation import EACH, LINE, MEN, MOVES, OUTSIDE, PLACE, ROWS, THROWS, men, on_path
from tablee.games.tablan.position import FIRST_THROW, TablanPosition
from tablee.games.tablan.rulings import HALVES, possible, second_halves, value

SIZE = 12.0
LEFT = 14.0
TOP = 24.0
WIDTH = 160.0
HEIGHT = 84.0
TRAYS = (78.0, 6.0)
COLOURS = ("black", "white")
GLYPHS = {"b": "●", "w": "○", "B": "■", "W": "□"}
HOME_ROWS = (3, 0)
INK = ("#ffe9c4", "#4a2a12")


def scene(game: Game, position: Position, words: Words) -> Scene:
    """Return everything one sees of a position."""
    assert isinstance(position, TablanPosition)
    return Scene(
        "tablan",
        WIDTH,
        HEIGHT,
        words("title"),
        "cloth",
        tuple(cells()),
        (*birds(position, words), *captured(position, words), *throw(position, words)),
        labels=(*letters(), *worth(position)),
        counters=tuple(counters(position, words)),
    )


def spot(square: str) -> tuple[float, float]:
    """Return the middle of a square of the cloth."""
    row = next(number for number, names in enumerate(ROWS) if square in names)
    return LEFT + SIZE * ROWS[row].index(square), TOP + SIZE * row


def cells() -> Iterator[Cell]:
    """Give the squares, row by row from the top; every row has its own motif and its own way."""
    for row, names in enumerate(ROWS):
        for column, square in enumerate(names):
            x, y = spot(square)
            symbol = ("home" if row in HOME_ROWS else "centre") + ("" if (row + column) % 2 else "-flower")
            yield Cell(square, x, y, symbol, (row, 4 * column + 2))


def letters() -> Iterator[Label]:
    """Give the name of every square: in its corner, and left of it in the text drawing."""
    for row, names in enumerate(ROWS):
        for column, square in enumerate(names):
            x, y = spot(square)
            yield Label(square, x + 4.4, y + 5.1, 2.7, INK[row in HOME_ROWS], (row, 4 * column))


def birds(position: TablanPosition, words: Words) -> Iterator[Piece]:
    """Give the men on the cloth, each side numbered from its foremost man."""
    board = men(position)
    for side, own in enumerate(MEN):
        places = sorted((place for place in board if board[place].lower() == own), key=lambda place: -on_path(side, place))
        for number, place in enumerate(places, 1):
            x, y = spot(LINE[place])
            symbol = COLOURS[side] + ("-asleep" if board[place].isupper() else "")
            yield Piece(f"{COLOURS[side]}-{number}", symbol, x, y, GLYPHS[board[place]], words(f"piece {symbol}"), LINE[place])


def captured(position: TablanPosition, words: Words) -> Iterator[Piece]:
    """Give the captured men, beside the home row of the side that took them."""
    for side in range(2):
        alive = int(position.white if side else position.black).bit_count()
        for number in range(alive + 1, EACH + 1):
            x = LEFT - 3 + 6.5 * (EACH - number)
            yield Piece(f"{COLOURS[side]}-{number}", COLOURS[side], x, TRAYS[1 - side], "", words("piece captured"), scale=0.6)


def throw(position: TablanPosition, words: Words) -> Iterator[Piece]:
    """Give the dice or the sticks beside the side in turn: as thrown, or at rest until they are."""
    thrown = THROWS[position.thrown] if position.thrown >= 0 else ""
    y = TRAYS[position.side]
    for at in range(4 if position.sticks else 2):
        if position.sticks:
            symbol = "stick-rest" if not thrown else "stick-plain" if at < int(thrown[1]) else "stick-marked"
            glyph = {"stick-rest": "?", "stick-plain": "▯", "stick-marked": "▮"}[symbol]
            x = WIDTH - 22 + 5 * at
        else:
            symbol = f"die-{thrown[2 * at]}" if thrown else "die-rest"
            glyph = thrown[2 * at] if thrown else "?"
            x = WIDTH - 21 + 11 * at
        yield Piece(f"throw-{at + 1}", symbol, x, y, glyph, words("piece throw", throw=thrown or "?"), place=(len(ROWS), 42 + 2 * at))


def worth(position: TablanPosition) -> Iterator[Label]:
    """Give what is left of the throw in hand, beside it: the whole, or the half still owed."""
    if position.thrown >= 0:
        whole = value(THROWS[position.thrown])
        left = HALVES[whole] if position.mover else whole
        yield Label(str(left), WIDTH - 32, TRAYS[position.side] + 2.4, 7, "#f4e6c5", (len(ROWS), 38))


def counters(position: TablanPosition, words: Words) -> Iterator[Counter]:
    """Give, for each seat, the squares held in the enemy's home row and the enemies captured; in text both on one line."""
    for side in range(2):
        held = int(position.score(side))
        taken = EACH - int(position.black if side else position.white).bit_count()
        yield Counter("held", held, side, words("counter line", side=f"=seat {side + 1}", held=held, taken=taken))
        yield Counter("taken", taken, side)


def ask(game: Game, position: Position) -> Message:
    """Return what is asked of the side that has a throw to use."""
    assert isinstance(position, TablanPosition)
    side, worth = int(position.side), value(THROWS[position.thrown])
    half = HALVES.get(worth, 0)
    facts: dict[str, Fact] = {"side": f"=seat {side + 1}", "throw": THROWS[position.thrown], "worth": worth, "half": half}
    if position.mover:
        return Message("ask second", facts)
    if not position.half:
        return Message("ask whole", facts)
    if position.whole:
        return Message("ask split", facts)
    board, any_square = men(position), bool(position.any_square)
    pairs = any(second_halves(board, side, first, any_square, worth) for first in possible(board, side, half, any_square, worth))
    return Message("ask halves" if pairs else "ask alone", facts)


def tell(game: Game, before: Position, action: int, after: Position) -> list[Message]:
    """Return what happened, one sentence for each thing."""
    assert isinstance(before, TablanPosition)
    assert isinstance(after, TablanPosition)
    if action >= FIRST_THROW:
        return [*tell_throw(before, THROWS[action - FIRST_THROW], after), *tell_turn(before, value(THROWS[action - FIRST_THROW]), after)]
    return [*tell_move(before, action, after), *tell_turn(before, value(THROWS[before.thrown]), after)]


def tell_throw(before: TablanPosition, thrown: str, after: TablanPosition) -> Iterator[Message]:
    """Tell the throw, and what becomes of one that cannot be used."""
    worth = value(thrown)
    facts: dict[str, Fact] = {"side": f"=seat {before.side + 1}", "throw": thrown, "worth": worth}
    if not worth:
        yield Message("tell nothing", facts)
    elif before.waiting:
        yield Message("tell wait" if after.waiting else "tell open", facts)
    else:
        yield Message("tell throw", facts)
        if after.thrown < 0:
            yield Message("tell lost", facts)


def tell_move(before: TablanPosition, action: int, after: TablanPosition) -> Iterator[Message]:
    """Tell the move, whom it captured, and the square it has won."""
    move, side = MOVES[action], int(before.side)
    start, end = move.cells
    facts: dict[str, Fact] = {"side": f"=seat {side + 1}", "enemy": f"=seat {2 - side}", "start": start, "end": end, "n": int(after.score(side))}
    yield Message("tell move", facts)
    if move.end in men(before):
        yield Message("tell capture", facts)
    if on_path(side, PLACE[end]) >= OUTSIDE:
        yield Message("tell arrive", facts)
    worth = value(THROWS[before.thrown])
    if move.length != worth and not before.mover and not after.mover and not after.ended:
        yield Message("tell alone", facts | {"half": worth // 2})


def tell_turn(before: TablanPosition, worth: int, after: TablanPosition) -> Iterator[Message]:
    """Tell who has no man left outside (5.1), that nobody can go on, another throw earned, a side that is skipped (5.2)."""
    for seat in range(2):
        if not outside(after, seat) and outside(before, seat):
            yield Message("tell finished", {"side": f"=seat {seat + 1}"})
    if after.ended == 2:
        yield Message("tell stuck")
    if after.thrown >= 0 or after.ended:
        return
    again = bool(before.throw_again) and worth in HALVES
    due = int(before.side) if again else 1 - int(before.side)
    if after.side != due and outside(after, due):
        yield Message("tell skip", {"side": f"=seat {due + 1}"})
    elif again:
        yield Message("tell again", {"side": f"=seat {due + 1}"})


def outside(position: TablanPosition, side: int) -> int:
    """Return how many men of a side are still outside the enemy's home row."""
    return sum(man.lower() == MEN[side] and on_path(side, place) < OUTSIDE for place, man in men(position).items())
