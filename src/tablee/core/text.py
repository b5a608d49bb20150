"""A scene written as lines of text: every glyph at its line and column, then the counters."""

from tablee.core.scene import Scene


def write(scene: Scene) -> str:
    """Return the text drawing of a scene.

    A piece without a place of its own stands on its cell, `level` lines higher; a cell shows its glyph while nothing
    stands on it; a label with a place is written from there on. Marked cells get brackets where the columns beside are free.
    """
    ink: dict[tuple[int, int], str] = {}
    places = {cell.name: cell.place for cell in scene.cells}
    widths = {cell.name: len(cell.glyph) for cell in scene.cells}
    for label in scene.labels:
        if label.place is not None:
            put(ink, label.place, label.text)
    for cell in scene.cells:
        put(ink, cell.place, cell.glyph)
    for piece in sorted(scene.pieces, key=lambda one: one.level):
        place = piece.place if piece.place is not None else places.get(piece.cell)
        if place is not None:
            put(ink, (place[0] - piece.level, place[1]), piece.glyph)
    for name in scene.marks:
        if name in places:
            line, column = places[name]
            ink.setdefault((line, column - 1), "[")
            ink.setdefault((line, column + widths[name]), "]")
    return "\n".join([*lines(ink), *(counter.text for counter in scene.counters if counter.text)]) + "\n"


def put(ink: dict[tuple[int, int], str], place: tuple[int, int], text: str) -> None:
    """Write text from a place on, one character a column."""
    line, column = place
    for offset, character in enumerate(text):
        ink[line, column + offset] = character


def lines(ink: dict[tuple[int, int], str]) -> list[str]:
    """Return the written characters as lines, from the topmost line and leftmost column."""
    if not ink:
        return []
    left = min(column for _, column in ink)
    rows: dict[int, dict[int, str]] = {}
    for (line, column), character in ink.items():
        rows.setdefault(line, {})[column - left] = character
    return [
        "".join(rows.get(line, {}).get(column, " ") for column in range(max(rows.get(line, {0: ""})) + 1)).rstrip()
        for line in range(min(rows), max(rows) + 1)
    ]
