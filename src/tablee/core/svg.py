"""A scene painted as SVG, whole in itself: the game's own art, no style, no script, nothing fetched."""

from collections import defaultdict
from xml.sax.saxutils import escape, quoteattr

from tablee.core.scene import Cell, Label, Piece, Scene, Track

FONT = "Georgia, 'Times New Roman', serif"
MARK = (
    '<g id="{game}-mark"><circle r="3.6" fill="none" stroke="#fff" stroke-width="1.3"/>'
    '<circle r="3.6" fill="none" stroke="#111" stroke-width=".6" stroke-dasharray="1.6 1"/></g>'
)


def paint(scene: Scene, art: str) -> str:
    """Return the scene as an SVG document; `art` is the text of the game's `art.svg`."""
    return "".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(scene.width)} {number(scene.height)}" ',
            f'role="img" aria-label={quoteattr(scene.title)} font-family="{FONT}">',
            f"<title>{escape(scene.title)}</title><defs>{inside(art)}{MARK.format(game=scene.game)}</defs>",
            use(scene, scene.backdrop),
            *(track(one) for one in scene.tracks),
            *(cell(scene, one) for one in scene.cells),
            *(label(one) for one in scene.labels),
            *(piece(scene, one) for one in sorted(scene.pieces, key=lambda one: one.level)),
            *marks(scene),
            "</svg>\n",
        )
    )


def inside(art: str) -> str:
    """Return what stands between <defs> and </defs>."""
    begin, end = art.find("<defs>"), art.rfind("</defs>")
    return art[begin + len("<defs>") : end].strip() if 0 <= begin < end else ""


def use(scene: Scene, symbol: str) -> str:
    """Return the use of a thing of the game's art."""
    return f'<use href="#{scene.game}-{symbol}"/>' if symbol else ""


def cell(scene: Scene, one: Cell) -> str:
    """Return a cell: its symbol and, on it, its label."""
    text = f'<text y="1" font-size="3" text-anchor="middle" fill="#0009">{escape(one.label)}</text>' if one.label else ""
    return f"<g data-cell={quoteattr(one.name)}{moved(one.x, one.y, one.turn)}>{use(scene, one.symbol)}{text}</g>"


def piece(scene: Scene, one: Piece) -> str:
    """Return a piece where it stands, with its name for whoever listens."""
    where = f" data-on={quoteattr(one.cell)}" if one.cell else ""
    named = f"<title>{escape(one.label)}</title>"
    return f"<g data-piece={quoteattr(one.id)}{where}{moved(one.x, one.y, one.turn, one.scale)}>{named}{use(scene, one.symbol)}</g>"


def track(one: Track) -> str:
    """Return a way as a line."""
    points = " ".join(f"{number(x)},{number(y)}" for x, y in one.points)
    pen = f'stroke="{one.colour}" stroke-width="{number(one.width)}" stroke-linejoin="round" stroke-linecap="round"'
    return f'<polyline points="{points}" fill="none" {pen}/>'


def label(one: Label) -> str:
    """Return printed words, centred."""
    place = f'x="{number(one.x)}" y="{number(one.y)}" font-size="{number(one.size)}"'
    return f'<text {place} text-anchor="middle" fill="{one.colour}">{escape(one.text)}</text>'


def marks(scene: Scene) -> list[str]:
    """Return a ring around each marked cell, or the top of its stack, seen in grey as well as in colour."""
    places = {one.name: (one.x, one.y) for one in scene.cells}
    on_top: defaultdict[str, list[Piece]] = defaultdict(list)
    for one in scene.pieces:
        on_top[one.cell].append(one)
    found = []
    for name in scene.marks:
        if name in places:
            x, y = places[name]
            if len({number(one.x) for one in on_top[name]}) == 1:
                top = max(on_top[name], key=lambda one: one.level)
                x, y = top.x, top.y
            found.append(f'<use href="#{scene.game}-mark"{moved(x, y)}/>')
    return found


def moved(x: float, y: float, turn: float = 0, scale: float = 1) -> str:
    """Return the transform attribute that brings a symbol to its place."""
    steps = f"translate({number(x)} {number(y)})"
    if turn:
        steps += f" rotate({number(turn)})"
    if scale != 1:
        steps += f" scale({number(scale)})"
    return f' transform="{steps}"'


def number(value: float) -> str:
    """Return a coordinate with at most two decimals and no trailing noughts."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
