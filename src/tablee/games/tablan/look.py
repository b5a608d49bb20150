"""The cloth as data: 48 embroidered squares, birds for men, the throw beside them; and the sentences of questions and events."""

from collections.abc import Iterator
from functools import cache, lru_cache

from tablee.core.game import Game
from tablee.core.kind import Place
from tablee.core.ruling import Fact, Message
from tablee.core.scene import Cell, Counter, Label, Piece, Scene
from tablee.core.words import Words
from tablee.games.tablan.notation import EACH, LINE, MEN, MOVES, OUTSIDE, PLACE, ROWS, THROWS, men, on_path
from tablee.games.tablan.position import EACH_PLAYER, FIRST_THROW, STAY, TablanPosition
from tablee.games.tablan.rulings import HALVES, possible, said, second_halves, value

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


def scene(game: Game, position: TablanPosition, words: Words) -> Scene:
    """Return everything visible in a position."""
    return Scene(
        "tablan",
        WIDTH,
        HEIGHT,
        words("title"),
        "cloth",
        cells(),
        (*birds(position, words), *captured(position, words), *throw(position, words)),
        labels=(*letters(), *worth(position)),
        counters=tuple(counters(position, words)),
    )


def throw_scenes(game: Game, before: TablanPosition, action: int, after: TablanPosition, words: Words) -> list[Scene]:
    """Return the cloth with a throw that was lost at once (2.3, 2.4); any other is still there afterwards."""
    if after.thrown >= 0:
        return []
    thrown = before.copy()
    thrown.thrown = action - FIRST_THROW
    return [scene(game, thrown, words)]


@cache
def spot(square: str) -> tuple[float, float]:
    """Return the middle of a square of the cloth."""
    row = next(number for number, names in enumerate(ROWS) if square in names)
    return LEFT + SIZE * ROWS[row].index(square), TOP + SIZE * row


def passes(was: Place, now: Place) -> list[tuple[float, float]]:
    """Return the squares between two squares of a bird's way (1.3)."""
    start, end = PLACE[was[0]], PLACE[now[0]]
    return [spot(LINE[place]) for place in (range(start + 1, end) if start < end else range(start - 1, end, -1))]


def squares() -> Iterator[tuple[int, int, str]]:
    """Give the squares, row by row from the top: row, column and name."""
    for row, names in enumerate(ROWS):
        for column, square in enumerate(names):
            yield row, column, square


@cache
def cells() -> tuple[Cell, ...]:
    """Return the squares; every row has its own motif and its own way."""
    motifs = {(row, column): "" if (row + column) % 2 else "-flower" for row, column, _ in squares()}
    return tuple(
        Cell(square, *spot(square), ("home" if row in HOME_ROWS else "centre") + motifs[row, column], (row, 4 * column + 2))
        for row, column, square in squares()
    )


@cache
def letters() -> tuple[Label, ...]:
    """Return the name of every square: in its corner, and left of it in the text drawing."""
    corners = {square: spot(square) for _, _, square in squares()}
    return tuple(
        Label(square, corners[square][0] + 4.4, corners[square][1] + 5.1, 2.7, INK[row in HOME_ROWS], (row, 4 * column))
        for row, column, square in squares()
    )


def birds(position: TablanPosition, words: Words) -> Iterator[Piece]:
    """Give the men on the cloth, each side numbered from its foremost man."""
    board = men(position)
    for side, own in enumerate(MEN):
        places = sorted((place for place in board if board[place].lower() == own), key=lambda place: -on_path(side, place))
        for number, place in enumerate(places, 1):
            yield bird(words, side, number, place, board[place])


@lru_cache(8192)
def bird(words: Words, side: int, number: int, place: int, man: str) -> Piece:
    """Return a man on the cloth; the same one each time, so that boards are compared quickly."""
    symbol = COLOURS[side] + ("-asleep" if man.isupper() else "")
    return Piece(f"{COLOURS[side]}-{number}", symbol, *spot(LINE[place]), GLYPHS[man], words(f"piece {symbol}"), LINE[place])


def captured(position: TablanPosition, words: Words) -> Iterator[Piece]:
    """Give the captured men, beside the home row of the side that took them."""
    for side in range(2):
        alive = int(position.white if side else position.black).bit_count()
        for number in range(alive + 1, EACH + 1):
            yield caught(words, side, number)


@cache
def caught(words: Words, side: int, number: int) -> Piece:
    """Return a captured man."""
    x = LEFT - 3 + 6.5 * (EACH - number)
    return Piece(f"{COLOURS[side]}-{number}", COLOURS[side], x, TRAYS[1 - side], "", words("piece captured"), scale=0.6)


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
        yield thrown_piece(words, at, symbol, glyph, x, y, thrown)


@lru_cache(1024)
def thrown_piece(words: Words, at: int, symbol: str, glyph: str, x: float, y: float, thrown: str) -> Piece:
    """Return a die or a stick."""
    label = words("piece throw", throw=said(thrown) if thrown else "?")
    return Piece(f"throw-{at + 1}", symbol, x, y, glyph, label, place=(len(ROWS), 42 + 2 * at))


def worth(position: TablanPosition) -> Iterator[Label]:
    """Give what is left of the throw in hand, beside it: all of it, or the half still owed."""
    if position.thrown >= 0:
        full = value(THROWS[position.thrown])
        left = HALVES[full] if position.mover else full
        yield Label(str(left), WIDTH - 32, TRAYS[position.side] + 2.4, 7, "#f4e6c5", (len(ROWS), 38))


def counters(position: TablanPosition, words: Words) -> Iterator[Counter]:
    """Give, for each seat, the squares held in the enemy's home row and the enemies captured; in text both on one line."""
    for side in range(2):
        held = int(position.score(side))
        taken = EACH - int(position.black if side else position.white).bit_count()
        yield Counter("held", held, side, words("counter line", side=f"=seat {side + 1}", held=held, taken=taken))
        yield Counter("taken", taken, side)


def ask(game: Game, position: TablanPosition) -> Message:
    """Return the question for the side that has a throw to use."""
    side, worth = int(position.side), value(THROWS[position.thrown])
    half = HALVES.get(worth, 0)
    facts: dict[str, Fact] = {"side": f"=seat {side + 1}", "throw": said(THROWS[position.thrown]), "worth": worth, "half": half}
    if position.mover:
        return Message("ask second", facts)
    if not position.half:
        return Message("ask whole stay" if position.stay else "ask whole", facts)
    if position.full:
        return Message("ask split", facts)
    if position.stay:
        return Message("ask alone stay", facts)
    board, any_square = men(position), bool(position.any_square)
    pairs = any(second_halves(board, side, first, any_square, worth) for first in possible(board, side, half, any_square, worth))
    return Message("ask halves" if pairs else "ask alone", facts)


def tell(game: Game, before: TablanPosition, action: int, after: TablanPosition) -> list[Message]:
    """Return what happened, one sentence for each thing."""
    if action == STAY:
        return [Message("tell stay", {"side": f"=seat {before.side + 1}"}), *tell_turn(before, value(THROWS[before.thrown]), after)]
    if action >= FIRST_THROW:
        return [*tell_throw(before, THROWS[action - FIRST_THROW], after), *tell_turn(before, value(THROWS[action - FIRST_THROW]), after)]
    return [*tell_move(before, action, after), *tell_turn(before, value(THROWS[before.thrown]), after)]


def tell_throw(before: TablanPosition, thrown: str, after: TablanPosition) -> Iterator[Message]:
    """Give the sentences for a throw, and for one that cannot be used."""
    worth = value(thrown)
    facts: dict[str, Fact] = {"side": f"=seat {before.side + 1}", "throw": said(thrown), "worth": worth}
    if not worth:
        yield Message("tell nothing", facts)
    elif before.waits(before.side):
        own = before.first_move == EACH_PLAYER
        if worth != 2:
            yield Message("tell wait alone" if own else "tell wait", facts)
            return
        yield Message("tell free" if own else "tell open", facts)
    else:
        yield Message("tell throw", facts)
    if worth and after.thrown < 0:
        yield Message("tell lost", facts)


def tell_move(before: TablanPosition, action: int, after: TablanPosition) -> Iterator[Message]:
    """Give the sentences for a move, its capture, and the square it has won."""
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
    """Give the sentences for a side without men outside (5.1), the end, another throw earned, and a skipped side (5.2)."""
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
