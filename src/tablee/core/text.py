"""A scene written as lines of text: every glyph at its line and column, then the counters."""

from typing import NamedTuple

from tablee.core.scene import Scene


class Glyph(NamedTuple):
    """One character of a drawing: what it shows (`cell`, `piece`, `label` or `mark`), of which symbol, and on which cell."""

    character: str
    shows: str
    symbol: str = ""
    cell: str = ""


Ink = dict[tuple[int, int], Glyph]


def write(scene: Scene) -> str:
    """Return the text drawing of a scene.

    A piece without a place of its own stands on its cell, `level` lines higher; a cell shows its glyph while nothing
    stands on it; a label with a place is written from there on. Marked cells get brackets where the columns beside are free;
    neighbours share a bar.
    """
    return "\n".join([*lines(drawn(scene)), *(counter.text for counter in scene.counters if counter.text)]) + "\n"


def drawn(scene: Scene) -> Ink:
    """Return every character of the drawing by its line and column, from line 0 and column 0 on.

    The column left of the cells is always there, so that a board does not jump when its edge is marked.
    """
    ink: Ink = {}
    places = {cell.name: cell.place for cell in scene.cells}
    widths = {cell.name: len(cell.glyph) for cell in scene.cells}
    for label in scene.labels:
        if label.place is not None:
            put(ink, label.place, label.text, "label")
    for cell in scene.cells:
        put(ink, cell.place, cell.glyph, "cell", cell.symbol, cell.name)
    for piece in sorted(scene.pieces, key=lambda drawn: drawn.level):
        place = piece.place if piece.place is not None else places.get(piece.cell)
        if place is not None:
            put(ink, (place[0] - piece.level, place[1]), piece.glyph, "piece", piece.symbol, piece.cell)
    if not ink:
        return ink
    top = min(line for line, _ in ink)
    left = min(*(column for _, column in ink), *(column - 1 for name, (_, column) in places.items() if widths[name]))
    mark(ink, [(places[name], widths[name]) for name in scene.marks if name in places])
    return {(line - top, column - left): glyph for (line, column), glyph in ink.items()}


def mark(ink: Ink, marked: list[tuple[tuple[int, int], int]]) -> None:
    """Put brackets around marked places; where one ends and the next begins in the same column, a bar."""
    opening = {(line, column - 1) for (line, column), _ in marked}
    closing = {(line, column + width) for (line, column), width in marked}
    for place in (opening | closing) - ink.keys():
        sign = "|" if place in opening and place in closing else "[" if place in opening else "]"
        ink[place] = Glyph(sign, "mark")


def put(ink: Ink, place: tuple[int, int], text: str, shows: str, symbol: str = "", cell: str = "") -> None:
    """Write text from a place on, one character for each column."""
    line, column = place
    for offset, character in enumerate(text):
        ink[line, column + offset] = Glyph(character, shows, symbol, cell)


def lines(ink: Ink) -> list[str]:
    """Return the written characters as lines."""
    rows: dict[int, dict[int, str]] = {}
    for (line, column), glyph in ink.items():
        rows.setdefault(line, {})[column] = glyph.character
    return [
        "".join(rows.get(line, {}).get(column, " ") for column in range(max(rows.get(line, {0: ""})) + 1)).rstrip()
        for line in range(max(rows, default=-1) + 1)
    ]
