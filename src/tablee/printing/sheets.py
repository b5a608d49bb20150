"""What is printed as drawings: the bare board, and sheets of pieces to cut out, in units of the game's drawing."""

import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from xml.sax.saxutils import escape

from tablee.core.errors import TableeError
from tablee.core.game import choose
from tablee.core.kind import Kind
from tablee.core.rulebook import Figure, figure_state
from tablee.core.svg import inside, moved, number, paint

FILE = "print.toml"
TABLES = {"pieces", "widths", "also", "board"}
BOARD = {"position", "without", "text_to"}
USUAL_PIECE = 10.0
# The library measures texts in drawings by Latin-1 letters alone.
DRAWN_LETTERS = str.maketrans({"−": "-", "–": "-", "’": "'", "œ": "oe", "\u202f": "\u00a0"})


@dataclass(frozen=True)
class PrintPlan:
    """What a game's `print.toml` declares.

    How many of each symbol (`chip 5` is the symbol `chip` with a 5 on it), their widths in units, what else is needed, by language,
    and for the bare board: the `position` it is drawn in, the cells `without` which it is printed, and from which line down
    (`text_to`) what stands on it belongs to the seats.
    """

    pieces: Mapping[str, int] = field(default_factory=dict)
    widths: Mapping[str, float] = field(default_factory=dict)
    also: Mapping[str, str] = field(default_factory=dict)
    position: str = ""
    without: tuple[str, ...] = ()
    text_to: float = math.inf


def read_plan(kind: Kind) -> PrintPlan:
    """Return what a game prints; without `print.toml`, the pieces of its first position."""
    if not kind.brings(FILE):
        pieces = choose(kind).start(lambda sides: 0).scene("en").pieces
        return PrintPlan({symbol: sum(piece.symbol == symbol for piece in pieces) for symbol in dict.fromkeys(piece.symbol for piece in pieces)})
    declared = tomllib.loads(kind.text(FILE))
    if wrong := set(declared) - TABLES:
        raise TableeError(f"{kind.slug}, {FILE}: unknown table {min(wrong)!r}: expected {', '.join(sorted(TABLES))}")
    board = declared.get("board", {})
    if wrong := set(board) - BOARD:
        raise TableeError(f"{kind.slug}, {FILE}: unknown line {min(wrong)!r} under [board]: expected {', '.join(sorted(BOARD))}")
    return PrintPlan(
        declared.get("pieces", {}),
        declared.get("widths", {}),
        declared.get("also", {}),
        board.get("position", ""),
        tuple(board.get("without", ())),
        board.get("text_to", math.inf),
    )


def bare_board(kind: Kind, language: str) -> tuple[str, float, float]:
    """Return the board without pieces as SVG, with its width and height in units."""
    plan = read_plan(kind)
    game = choose(kind)
    state = game.load(plan.position) if plan.position else game.start(lambda sides: 0)
    scene = state.scene(language)
    bare = replace(
        scene,
        pieces=(),
        marks=(),
        counters=(),
        cells=tuple(cell for cell in scene.cells if cell.name not in plan.without),
        labels=tuple(label for label in scene.labels if label.y < plan.text_to),
        tracks=tuple(track for track in scene.tracks if all(y < plan.text_to for _, y in track.points)),
    )
    return plain(paint(bare, kind.text("art.svg"))), scene.width, scene.height


def figure_drawing(kind: Kind, figure: Figure, language: str) -> tuple[str, float, float]:
    """Return a figure of a rule page as SVG, with its width and height in units."""
    state = figure_state(kind, figure)
    scene = replace(state.scene(language), marks=figure.mark, arrows=figure.arrows)
    return plain(paint(scene, kind.text("art.svg"))), scene.width, scene.height


def piece_sheets(kind: Kind, plan: PrintPlan, width: float, height: float) -> Iterator[str]:
    """Give sheets of pieces, each as SVG of a width and height in units."""
    art = inside(kind.text("art.svg"))
    placed: list[str] = []
    x = y = row = 0.0
    for symbol, count in plan.pieces.items():
        wide = float(plan.widths.get(symbol, USUAL_PIECE))
        for _ in range(count):
            if x + wide > width:
                x, y, row = 0.0, y + row, 0.0
            if y + wide > height and placed:
                yield sheet(art, placed, width, height)
                placed, x, y, row = [], 0.0, 0.0, 0.0
            placed.append(cut_out(kind.slug, symbol, x + wide / 2, y + wide / 2, wide))
            x, row = x + wide, max(row, wide)
    if placed:
        yield sheet(art, placed, width, height)


def cut_out(game: str, piece: str, x: float, y: float, wide: float) -> str:
    """Return a piece, with what is written on it, and the line to cut along."""
    symbol, _, text = piece.partition(" ")
    written = f'<text x="{number(x)}" y="{number(y + 1)}" font-size="3" text-anchor="middle" fill="#333333">{escape(text)}</text>' if text else ""
    line = f'<rect x="{number(x - wide / 2)}" y="{number(y - wide / 2)}" width="{number(wide)}" height="{number(wide)}" fill="none" stroke="#999999"'
    return f'{line} stroke-width="0.1"/><use href="#{game}-{escape(symbol)}"{moved(x, y)}/>{written}'


def sheet(art: str, placed: list[str], width: float, height: float) -> str:
    """Return a sheet of pieces as SVG."""
    box = f"0 0 {number(width)} {number(height)}"
    return plain(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><defs>{art}</defs>{"".join(placed)}</svg>')


def plain(svg: str) -> str:
    """Return a drawing as the PDF library reads it: no titles, no patterns and nothing filled with them, every stop with its offset."""
    for name in re.findall(r'<pattern id="([^"]+)"', svg):
        svg = re.sub(rf'<[a-z]+ [^>]*fill="url\(#{re.escape(name)}\)"[^>]*/>', "", svg)
    svg = re.sub(r"<title>.*?</title>|<pattern\b.*?</pattern>", "", svg, flags=re.S)
    svg = re.sub(r"<stop (?![^>]*offset=)", '<stop offset="0" ', svg)
    return svg.translate(DRAWN_LETTERS)
