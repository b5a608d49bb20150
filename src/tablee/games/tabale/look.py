"""The board as data: 61 hexagons, the marked sides, fools, pawns and woods; and the sentences of questions and events."""

from collections.abc import Iterator
from functools import cache, lru_cache
from math import sqrt

from tablee.core.game import Game
from tablee.core.kind import named_cells
from tablee.core.ruling import Message
from tablee.core.scene import Cell, Counter, Label, Piece, Scene
from tablee.core.words import Words
from tablee.games.tabale.board import CELL, ENDS, NAME, NEXT, PLACE, ROWS, SIDE_NAME, SIDES, VALUE, in_line, marked
from tablee.games.tabale.notation import TOKENS
from tablee.games.tabale.position import DONE, DOUBLE, END, JUMP, LAYING, REST, RUNNING, SET, SETTING, SINGLE, TURNING, WOOD, TabalePosition
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


def scene(game: Game, position: TabalePosition, words: Words) -> Scene:
    """Return everything visible in a position, row a below."""
    view = View(position)
    return Scene(
        game="tabale",
        width=WIDTH,
        height=HEIGHT,
        title=words("title"),
        backdrop="board",
        cells=cells(game.option("edges")),
        pieces=(*marker(view, words), *pawns(view, words), *woods(view, words), *fools(view, words)),
        labels=labels(),
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


@cache
def cells(edges: str) -> tuple[Cell, ...]:
    """Return the hexagons in the order of their names, and the marked sides."""
    hexagons = (Cell(name, *centre(cell), f"hex{VALUE[cell]}", place(cell), "·") for name, cell in CELL.items())
    return (*hexagons, *marked_sides(edges))


def marked_sides(edges: str) -> Iterator[Cell]:
    """Give the marked sides, named like the wood that may lie there; text shows them only once one does."""
    for side in marked(edges):
        yield Cell(SIDE_NAME[side], *side_centre(side), "side", side_place(side), "", turn=TURNED[SIDES[side][1]])


def side_centre(side: int) -> tuple[float, float]:
    """Return the middle of a side in the drawing."""
    (x, y), (to_x, to_y) = (centre(cell) for cell in ENDS[side])
    return (x + to_x) / 2, (y + to_y) / 2


def side_place(side: int) -> tuple[int, int]:
    """Return the line and column of a side in the text drawing, between its two cells."""
    (line, column), (to_line, to_column) = (place(cell) for cell in ENDS[side])
    return (line + to_line) // 2, (column + to_column) // 2


@cache
def labels() -> tuple[Label, ...]:
    """Return what is printed on the board."""
    return (*values(), *row_names())


def values() -> Iterator[Label]:
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
        yield wood(words, side)


@lru_cache(1024)
def wood(words: Words, side: int) -> Piece:
    """Return the wood on a side; the same one each time, so that boards are compared quickly."""
    name, way = SIDE_NAME[side], SIDES[side][1]
    first, second = (NAME[cell] for cell in ENDS[side])
    return Piece(f"wood {name}", "wood", *side_centre(side), BARS[way], words("piece wood", one=first, other=second), name, turn=TURNED[way])


def touches(game: Game, scene: Scene, token: str) -> tuple[str, ...]:
    """Return the cells that a token names; to lay pawns, the cell where they will lie."""
    if token in ("+", "++"):
        return tuple(piece.cell for piece in scene.pieces if piece.id == "marker-pawn")
    return named_cells(game, scene, token)


def marker(view: View, words: Words) -> Iterator[Piece]:
    """Give the black marker on the cell where the fool began its turn, and a ring on the cell where the pawn will lie."""
    if view.start != NOWHERE:
        glyph = "*" if view.is_free(view.start) else ""
        yield Piece("marker", "marker", *centre(view.start), glyph, words("piece marker", cell=NAME[view.start]), NAME[view.start])
    cell = view.fool_of(view.seat) if view.part == TURNING else view.laid if view.part == LAYING else NOWHERE
    if cell != NOWHERE:
        yield Piece("marker-pawn", "marker-pawn", *centre(cell), "", words("piece marker pawn", cell=NAME[cell], value=VALUE[cell]), NAME[cell])


def pawns(view: View, words: Words) -> Iterator[Piece]:
    """Give the pawns; the ones just laid keep their name while they jump, the others are named by their cell."""
    for seat in range(view.seats):
        for cell, height in view.pawns(seat).items():
            for level in range(height):
                yield pawn(words, seat, cell, height, level, cell == view.laid)


@lru_cache(8192)
def pawn(words: Words, seat: int, cell: int, height: int, level: int, laid: bool) -> Piece:
    """Return a pawn of a single or a double; in text a double is two letters side by side."""
    (x, y), (line, column) = centre(cell), place(cell)
    return Piece(
        f"pawn {seat + 1} {'laid' if laid else NAME[cell]} {level + 1}",
        f"pawn{seat + 1}",
        x,
        y + 2.4 - 2.8 * level,
        PAWNS[seat],
        words("piece double" if height == 2 else "piece pawn", seat=f"=seat {seat + 1}", cell=NAME[cell]),
        NAME[cell],
        (line + level, column + level),
        level,
    )


def fools(view: View, words: Words) -> Iterator[Piece]:
    """Give the fools; those not yet set wait in the corner of their seat."""
    for seat in range(view.seats):
        yield fool(words, seat, view.fool_of(seat))


@lru_cache(2048)
def fool(words: Words, seat: int, cell: int) -> Piece:
    """Return the fool of a seat."""
    if cell == NOWHERE:
        return Piece(f"fool {seat + 1}", f"fool{seat + 1}", *CORNERS[seat], "", words("piece fool waiting", seat=f"=seat {seat + 1}"), level=2)
    label = words("piece fool", seat=f"=seat {seat + 1}", cell=NAME[cell])
    return Piece(f"fool {seat + 1}", f"fool{seat + 1}", *centre(cell), FOOLS[seat], label, NAME[cell], place_up(cell, 2), 2)


def place_up(cell: int, level: int) -> tuple[int, int]:
    """Return the place in the text drawing from which a piece at that level is drawn on the cell itself."""
    line, column = place(cell)
    return line + level, column


def counters(view: View, words: Words) -> Iterator[Counter]:
    """Give what each seat holds and has scored, in text all on one line; then whose letters stand on the board drawn in text."""
    for seat in range(view.seats):
        hand, woods, doubles, _, _ = view.stock(seat)
        captured, score = int(view.position.captured(seat)), int(view.position.own_score(seat))
        facts = {"score": score, "pawns": hand, "woods": woods, "doubles": doubles, "captured": captured}
        line = words("counter line", seat=f"=seat {seat + 1}", **facts)
        for name, value in facts.items():
            yield Counter(name, value, seat, line if name == "score" else "")
    owners = (words("letters of", seat=f"=seat {seat + 1}", fool=FOOLS[seat], pawn=PAWNS[seat]) for seat in range(view.seats))
    yield Counter("letters", 0, -1, words("line letters", letters=", ".join(owners)))


def ask(game: Game, position: TabalePosition) -> Message:
    """Return the question for the seat whose turn it is."""
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


def tell(game: Game, before: TabalePosition, action: int, after: TabalePosition) -> list[Message]:
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
        first, second = (NAME[cell] for cell in ENDS[action - WOOD])
        return Message("tell wood", {"seat": seat, "one": first, "other": second, "left": view.stock(view.seat)[1] - 1})
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
