"""The PDF of a game: the board at true scale, the pieces at the same scale, one page to learn the game, and the numbered rules."""

import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tablee.core.kind import Kind
from tablee.core.rulebook import read_rulebook
from tablee.locale import words as door_words
from tablee.printing.drawing import draw_svg
from tablee.printing.rulesheet import add_essentials, add_numbered_rules, letters
from tablee.printing.sheets import bare_board, piece_sheets, read_plan

if TYPE_CHECKING:
    from fpdf import FPDF

# Millimetres of an A4 page: its sides, the border, the foot with the line to measure.
SHORT, LONG = 210.0, 297.0
BORDER, FOOT = 8.0, 14.0
MEASURE = 50.0
# The same game is the same file, whenever it was made: a browser loads it once.
MADE = datetime(2000, 1, 1, tzinfo=UTC)


def print_game(kind: Kind, language: str = "fr") -> bytes:
    """Return a game as a PDF to print, cut out and play."""
    from fpdf import FPDF

    pdf = FPDF(unit="mm", format="A4")
    pdf.core_fonts_encoding = "cp1252"
    pdf.set_auto_page_break(False)
    pdf.set_title(kind.words(language)("title"))
    pdf.set_lang(language)
    pdf.set_creation_date(MADE)
    svg, width, height = bare_board(kind, language)
    landscape = width > height
    unit = scale(width, height, landscape)
    side, tall = room(landscape)
    add_drawing(pdf, svg, (width * unit, height * unit), landscape, language)
    for sheet in piece_sheets(kind, read_plan(kind), side / unit, tall / unit):
        add_drawing(pdf, sheet, (side, tall), landscape, language)
    add_essentials(pdf, kind, language)
    if kind.brings(f"rules.{language}.md"):
        add_numbered_rules(pdf, read_rulebook(kind.text(f"rules.{language}.md")), language)
    return bytes(pdf.output())


def room(landscape: bool) -> tuple[float, float]:
    """Return the width and height of what can be drawn on a page, in millimetres."""
    wide, tall = (LONG, SHORT) if landscape else (SHORT, LONG)
    return wide - 2 * BORDER, tall - BORDER - FOOT


def scale(width: float, height: float, landscape: bool) -> float:
    """Return how many millimetres a unit of the drawing measures: as many as fit, in steps of a twentieth."""
    wide, tall = room(landscape)
    return math.floor(min(wide / width, tall / height) * 20) / 20


def add_drawing(pdf: "FPDF", svg: str, size: tuple[float, float], landscape: bool, language: str) -> None:
    """Add a page with a drawing of that size in its middle, and a line to measure whether it was printed at true scale."""
    pdf.add_page(orientation="landscape" if landscape else "portrait")
    draw_svg(pdf, svg, (pdf.w - size[0]) / 2, BORDER, *size)
    foot = pdf.h - FOOT / 2
    pdf.set_line_width(0.4)
    pdf.line(BORDER, foot, BORDER + MEASURE, foot)
    pdf.set_font("times", size=9)
    pdf.text(BORDER + MEASURE + 3, foot + 1, letters(door_words(language)("print measure", length=int(MEASURE))))
