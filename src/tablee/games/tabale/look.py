"""The board as data: 61 hexagons, the marked sides, fools, pawns and woods; and what is asked and told."""

from collections.abc import Iterator
from math import sqrt

from tablee.core.game import Game
from tablee.core.position import Position
from tablee.core.ruling import Message
from tablee.core.scene import Cell, Counter, Label, Piece, Scene
from tablee.core.words import Words
from tablee.games.tabale.board import CELL, ENDS, NAME, NEXT, PLACE, ROWS, SIDE_NAME, SIDES, VALUE, in_line, marked
from tablee.games.tabale.notation import TOKENS
from tablee.games.tabale.position import DONE, DOUBLE, END, JUMP, LAYING, REST, RUNNING, SET, SETTING, SINGLE, TURNING, WOOD
from tablee.games.tabale.view import NOWHERE, View

WIDTH = 208.0
HEIGHT = 184.0
ACROSS = 20.0
DOWN = ACROSS * sqrt(3) / 2
MIDDLE_X = WIDTH / 2
MIDDLE_Y = HEIGHT / 2
# How far a bar that lies along a side is turned, by the direction in which the side is crossed.
TURNED = (0.0, -60.0, 60.0)
BARS = "|\\/"
FOOLS = "ABCD"
PAWNS = "abcd"
CORNERS = ((20.0, 166.0), (20.0, 22.0), (188.0, 22.0), (188.0, 166.0))
INK = "#2a1608"
PALE = "#f7e6c4cc"


def scene(game: Game, position: Position, words: Words) -> Scene:
    """Return everything one sees of a position, row a below."""
    view = View(position)
    return Scene(
        game="tabale",
        width=WIDTH,
        height=HEIGHT,
        title=words("title"),
        backdrop="board",
        cells=(*cells(), *marked_sides(game)),
        pieces=(*marker(view, words), *pawns(view, words), *woods(view, words), *fools(view, words)),
        labels=(*values(view), *row_names()),
        counters=tuple(counters(view, words)),
        marks=(NAME[view.laid],) if view.laid != NOWHERE else (),
    )


def centre(cell: int) -> tuple[float, float]:
    """Return the middle of a cell in the drawing."""
    row, diagonal = PLACE[cell]
    return MIDDLE_X + ACROSS * (diagonal - 5 - (row - 4) / 2), MIDDLE_Y - DOWN * (row - 4)


def place(cell: int) -> tuple[int, int]:
    """Return the line and column of a cell in the text drawing: every other line, every fourth column."""
    row, diagonal = PLACE[cell]
    return 2 * (8 - row), 4 * diagonal - 2 * row + 8


def cells() -> Iterator[Cell]:
    """Give the hexagons in the order of their names."""
    for name, cell in CELL.items():
        yield Cell(name, *centre(cell), f"hex{VALUE[cell]}", place(cell), "·")


def marked_sides(game: Game) -> Iterator[Cell]:
    """Give the marked sides, named like the wood that may lie there; text shows them only once one does."""
    for side in marked(game.option("edges")):
        yield Cell(SIDE_NAME[side], *side_centre(side), "side", side_place(side), "", turn=TURNED[SIDES[side][1]])


def side_centre(side: int) -> tuple[float, float]:
    """Return the middle of a side in the drawing."""
    (x, y), (to_x, to_y) = (centre(cell) for cell in ENDS[side])
    return (x + to_x) / 2, (y + to_y) / 2


def side_place(side: int) -> tuple[int, int]:
    """Return the line and column of a side in the text drawing, between its two cells."""
    (line, column), (to_line, to_column) = (place(cell) for cell in ENDS[side])
    return (line + to_line) // 2, (column + to_column) // 2


def values(view: View) -> Iterator[Label]:
    """Give the value of every cell, small and above its middle."""
    for cell in CELL.values():
        x, y = centre(cell)
        yield Label(str(VALUE[cell]), x, y - 5.8, 4, INK if VALUE[cell] < 10 else PALE)


def row_names() -> Iterator[Label]:
    """Give the letters of the rows on the left, and the numbers of the diagonals along the lower right edge."""
    for row, letter in enumerate(ROWS):
        cell = min((cell for cell in PLACE if PLACE[cell][0] == row), key=lambda cell: PLACE[cell][1])
        (x, y), (line, column) = centre(cell), place(cell)
        yield Label(letter, x - 13.6, y + 1.4, 4.4, PALE, (line, column - 3))
    for diagonal in range(1, 10):
        cell = min((cell for cell in PLACE if PLACE[cell][1] == diagonal), key=lambda cell: PLACE[cell][0])
        (x, y), (line, column) = centre(cell), place(cell)
        yield Label(str(diagonal), x + 6.8, y + 13.2, 4.4, PALE, (line + 1, column + 2))


def woods(view: View, words: Words) -> Iterator[Piece]:
    """Give the woods on the board."""
    for side in view.woods():
        name, way = SIDE_NAME[side], SIDES[side][1]
        one, other = (NAME[cell] for cell in ENDS[side])
        yield Piece(f"wood {name}", "wood", *side_centre(side), BARS[way], words("piece wood", one=one, other=other), name, turn=TURNED[way])


def marker(view: View, words: Words) -> Iterator[Piece]:
    """Give the black marker on the cell where the fool began its turn; in text it yields to what stands there."""
    if view.start != NOWHERE:
        glyph = "*" if view.is_free(view.start) else ""
        yield Piece("marker", "marker", *centre(view.start), glyph, words("piece marker", cell=NAME[view.start]), NAME[view.start])


def pawns(view: View, words: Words) -> Iterator[Piece]:
    """Give the pawns; the ones just laid keep their name while they jump, the others are named by their cell."""
    for seat in range(view.seats):
        for cell, height in view.pawns(seat).items():
            (x, y), (line, column) = centre(cell), place(cell)
            called = "laid" if cell == view.laid else NAME[cell]
            label = words("piece double" if height == 2 else "piece pawn", seat=f"=seat {seat + 1}", cell=NAME[cell])
            for level in range(height):
                # In text a double is two letters side by side.
                yield Piece(
                    f"pawn {seat + 1} {called} {level + 1}",
                    f"pawn{seat + 1}",
                    x,
                    y + 2.4 - 2.8 * level,
                    PAWNS[seat],
                    label,
                    NAME[cell],
                    (line + level, column + level),
                    level,
                )


def fools(view: View, words: Words) -> Iterator[Piece]:
    """Give the fools; those not yet set wait in the corner of their seat."""
    for seat in range(view.seats):
        cell = view.fool_of(seat)
        if cell == NOWHERE:
            yield Piece(f"fool {seat + 1}", f"fool{seat + 1}", *CORNERS[seat], "", words("piece fool waiting", seat=f"=seat {seat + 1}"), level=2)
        else:
            label = words("piece fool", seat=f"=seat {seat + 1}", cell=NAME[cell])
            yield Piece(f"fool {seat + 1}", f"fool{seat + 1}", *centre(cell), FOOLS[seat], label, NAME[cell], place_up(cell, 2), 2)


def place_up(cell: int, level: int) -> tuple[int, int]:
    """Return the place in the text drawing that, so many levels high, comes out on the cell itself."""
    line, column = place(cell)
    return line + level, column


def counters(view: View, words: Words) -> Iterator[Counter]:
    """Give what each seat holds and has scored; in text all on one line."""
    for seat in range(view.seats):
        hand, woods, doubles, _, _ = view.stock(seat)
        captured, score = int(view.position.captured(seat)), int(view.position.own_score(seat))
        facts = {"score": score, "pawns": hand, "woods": woods, "doubles": doubles, "captured": captured}
        line = words("counter line", seat=f"=seat {seat + 1}", fool=FOOLS[seat], pawn=PAWNS[seat], **facts)
        for name, value in facts.items():
            yield Counter(name, value, seat, line if name == "score" else "")


def ask(game: Game, position: Position) -> Message:
    """Return what is asked of the seat whose turn it is."""
    view = View(position)
    facts = {"seat": f"=seat {view.seat + 1}", "cell": NAME.get(view.laid if view.laid != NOWHERE else view.fool_of(view.seat), "")}
    if view.part == SETTING:
        return Message("ask set", {"seat": facts["seat"]})
    if view.part == RUNNING:
        return Message("ask run", facts)
    if view.part == TURNING:
        return Message("ask rest", facts)
    if view.part == LAYING:
        return Message("ask double" if may_double(view) else "ask pawn", facts)
    jumps, woods = bool(view.position.targets), view.stock(view.seat)[1] > 0
    if jumps:
        return Message("ask jump wood" if woods else "ask jump", facts)
    return Message("ask wood" if woods else "ask end", facts)


def may_double(view: View) -> bool:
    """Return whether the seat to lay a pawn may lay two."""
    hand, _, doubles, _, _ = view.stock(view.seat)
    return hand > 1 and doubles > 0


def tell(game: Game, before: Position, action: int, after: Position) -> list[Message]:
    """Return what happened: the step, what was captured, the end."""
    return [tell_step(View(before), action), *tell_end(View(after))]


def tell_step(view: View, action: int) -> Message:
    """Return the sentence for one step."""
    seat = f"=seat {view.seat + 1}"
    name = TOKENS[action].lstrip("-x@")
    if action < REST:
        return Message("tell run", {"seat": seat, "start": NAME[view.fool_of(view.seat)], "cell": name})
    if action < SINGLE:
        return Message("tell rest", {"seat": seat, "turning": NAME[view.fool_of(view.seat)], "cell": name})
    if action < JUMP:
        return Message("tell double" if action == DOUBLE else "tell pawn", {"seat": seat, "cell": NAME[view.laid], "value": VALUE[view.laid]})
    if action < WOOD:
        over = NEXT[view.laid][in_line(view.laid, CELL[name])]
        victim = f"=seat {view.pawn_on(over) + 1}"
        key = "tell jump double" if view.height(over) == 2 else "tell jump"
        return Message(key, {"seat": seat, "victim": victim, "over": NAME[over], "cell": name})
    if action < END:
        one, other = (NAME[cell] for cell in ENDS[action - WOOD])
        return Message("tell wood", {"seat": seat, "one": one, "other": other, "left": view.stock(view.seat)[1] - 1})
    if action < SET:
        return Message("tell end", {"seat": seat})
    return Message("tell set", {"seat": seat, "cell": name})


def tell_end(view: View) -> list[Message]:
    """Return how the game ended, if it did."""
    if view.part != DONE:
        return []
    if view.position.ended_by == 1:
        return [Message("tell last pawn", {"seat": f"=seat {(view.seat - 1) % view.seats + 1}"})]
    return [Message("tell stuck", {"seat": f"=seat {view.seat + 1}"})]
