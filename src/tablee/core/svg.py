"""Draw a scene as a self-contained SVG: the game's own art, no style sheet, no script, nothing fetched."""

from collections import defaultdict

from tablee.core.arrows import arrow_path, lifted
from tablee.core.scene import Cell, Label, Piece, Scene, Track

FONT = "Georgia, 'Times New Roman', serif"
MARK = (
    '<g id="{game}-mark"><circle r="3.6" fill="none" stroke="#fff" stroke-width="1.3"/>'
    '<circle r="3.6" fill="none" stroke="#111" stroke-width=".6" stroke-dasharray="1.6 1"/></g>'
)


def paint(scene: Scene, art: str | None) -> str:
    """Return the scene as an SVG document; `art` is the text of the game's `art.svg`, or None where the page holds it already."""
    defs = "" if art is None else f"<defs>{inside(art)}{MARK.format(game=scene.game)}</defs>"
    scene = lifted(scene)
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(scene.width)} {number(scene.height)}" ',
            f'role="img" aria-label={quoteattr(scene.title)} font-family="{FONT}">',
            f"<title>{escape(scene.title)}</title>{defs}",
            use(scene, scene.backdrop),
            *(draw_track(track) for track in scene.tracks),
            *(draw_cell(scene, cell) for cell in scene.cells),
            *(draw_label(label) for label in scene.labels if label.size),
            *(draw_piece(scene, piece) for piece in sorted(scene.pieces, key=lambda piece: piece.level)),
            *draw_marks(scene),
            *(draw_arrow(arrow_path(scene, arrow)) for arrow in scene.arrows),
            "</svg>\n",
        )
    )


def inside(art: str) -> str:
    """Return what stands between <defs> and </defs>."""
    begin, end = art.find("<defs>"), art.rfind("</defs>")
    return art[begin + len("<defs>") : end].strip() if 0 <= begin < end else ""


def use(scene: Scene, symbol: str) -> str:
    """Return the `<use>` element of a symbol of the game's art."""
    return f'<use href="#{scene.game}-{symbol}"/>' if symbol else ""


def draw_cell(scene: Scene, cell: Cell) -> str:
    """Return a cell: its symbol and, on it, its label."""
    text = f'<text y="1" font-size="3" text-anchor="middle" fill="#0009">{escape(cell.label)}</text>' if cell.label else ""
    return f"<g data-cell={quoteattr(cell.name)}{moved(cell.x, cell.y, cell.turn)}>{use(scene, cell.symbol)}{text}</g>"


def draw_piece(scene: Scene, piece: Piece) -> str:
    """Return a piece where it stands, with its name as a title for screen readers."""
    where = f" data-on={quoteattr(piece.cell)}" if piece.cell else ""
    named = f"<title>{escape(piece.label)}</title>"
    return f"<g data-piece={quoteattr(piece.id)}{where}{moved(piece.x, piece.y, piece.turn, piece.scale)}>{named}{use(scene, piece.symbol)}</g>"


def draw_track(track: Track) -> str:
    """Return a track as a polyline."""
    points = " ".join(f"{number(x)},{number(y)}" for x, y in track.points)
    pen = f'stroke="{track.colour}" stroke-width="{number(track.width)}" stroke-linejoin="round" stroke-linecap="round"'
    return f'<polyline points="{points}" fill="none" {pen}/>'


def draw_label(label: Label) -> str:
    """Return printed words, centred."""
    place = f'x="{number(label.x)}" y="{number(label.y)}" font-size="{number(label.size)}"'
    return f'<text {place} text-anchor="middle" fill="{label.colour}">{escape(label.text)}</text>'


def draw_marks(scene: Scene) -> list[str]:
    """Return a ring around each marked cell, or the top of its stack, visible in grey as well as in colour."""
    places = {cell.name: (cell.x, cell.y) for cell in scene.cells}
    on_top: defaultdict[str, list[Piece]] = defaultdict(list)
    for piece in scene.pieces:
        on_top[piece.cell].append(piece)
    rings = []
    for name in scene.marks:
        if name in places:
            x, y = places[name]
            if len({number(piece.x) for piece in on_top[name]}) == 1:
                top = max(on_top[name], key=lambda piece: piece.level)
                x, y = top.x, top.y
            rings.append(f'<use href="#{scene.game}-mark"{moved(x, y)}/>')
    return rings


def draw_arrow(path: str) -> str:
    """Return an arrow, white with a dark rim, visible on every board."""
    return f'<path class="arrow" d="{path}" fill="#fff" stroke="#111" stroke-width=".5" stroke-linejoin="round" opacity=".92"/>'


def moved(x: float, y: float, turn: float = 0, scale: float = 1) -> str:
    """Return the transform attribute that brings a symbol to its place."""
    steps = f"translate({number(x)} {number(y)})"
    if turn:
        steps += f" rotate({number(turn)})"
    if scale != 1:
        steps += f" scale({number(scale)})"
    return f' transform="{steps}"'


def number(value: float) -> str:
    """Return a coordinate with at most two decimals and no trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def escape(text: str) -> str:
    """Return text as it stands between elements; the function of the standard library brings all of urllib with it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def quoteattr(text: str) -> str:
    """Return text as a quoted attribute."""
    return '"' + escape(text).replace('"', "&quot;").replace("\n", "&#10;") + '"'
