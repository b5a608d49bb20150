"""The pages to read: the game on one page, with its set-up and an example, and its numbered rules in two columns."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tablee.core.kind import Kind
from tablee.core.rulebook import Figure, Rulebook, read_rulebook
from tablee.locale import words as door_words
from tablee.printing.drawing import draw_svg
from tablee.printing.sheets import figure_drawing, read_plan

if TYPE_CHECKING:
    from fpdf import FPDF

# Letters that the fonts of every PDF reader have.
LETTERS = "cp1252"
PRINTED = str.maketrans({"−": "–", "\u202f": "\u00a0"})
# The pictures of cards, which the drawings show anyway.
UNPRINTED = re.compile(" ?[♣♦♥♠]")
MARGIN, TOP, FOOT = 18.0, 16.0, 14.0
GUTTER = 8.0
# The figures of the first page: as tall as this at most.
TALLEST = 78.0


def add_essentials(pdf: "FPDF", kind: Kind, language: str) -> None:
    """Add the game on one page: how it begins and an example, its aim, a turn, its end, and advice."""
    say, doors = kind.words(language), door_words(language)
    pdf.add_page(orientation="portrait")
    pdf.set_margin(MARGIN)
    pdf.set_xy(MARGIN, TOP)
    pdf.set_font("times", "B", 26)
    pdf.cell(0, 12, letters(say("title")), new_x="LMARGIN", new_y="NEXT")
    write(pdf, letters(say("line")), 12, 6, style="I")
    pdf.ln(3)
    lines, example = essentials_of(kind, language)
    add_figures(pdf, kind, [figure for figure in (set_up(kind, language), example) if figure], language)
    for line in lines:
        heading = line.startswith("## ")
        if heading:
            pdf.ln(1.5)
        write(pdf, letters(bulleted(line.removeprefix("## "))), 14 if heading else 11.5, 7 if heading else 5.4, style="B" if heading else "")
    if also := read_plan(kind).also.get(language, ""):
        pdf.ln(1.5)
        write(pdf, letters(doors("print also", things=also)), 11.5, 5.4)


def essentials_of(kind: Kind, language: str) -> tuple[list[str], Figure | None]:
    """Return the lines of a game's essentials and of its advice, and the example."""
    lines: list[str] = []
    example = None
    for name, title in ((f"essentials.{language}.md", ""), (f"tips.{language}.md", door_words(language)("print tips"))):
        if kind.brings(name):
            book = read_rulebook(kind.text(name))
            example = next(iter(book.figures.values()), example)
            lines += [f"## {title}"] if title else []
            lines += [line for part in book.parts if isinstance(part, str) for line in part.splitlines() if line]
    return lines, example


def set_up(kind: Kind, language: str) -> Figure | None:
    """Return the figure of the rule page that shows how the game begins."""
    name = f"rules.{language}.md"
    return read_rulebook(kind.text(name)).figures.get("start") if kind.brings(name) else None


def add_figures(pdf: "FPDF", kind: Kind, figures: list[Figure], language: str) -> None:
    """Add figures beside each other, each with its caption, and go on below the tallest."""
    if not figures:
        return
    wide = (pdf.w - 2 * MARGIN - GUTTER * (len(figures) - 1)) / len(figures)
    top, lowest = pdf.get_y(), pdf.get_y()
    for at, figure in enumerate(figures):
        svg, width, height = figure_drawing(kind, figure, language)
        unit = min(wide / width, TALLEST / height)
        x = MARGIN + at * (wide + GUTTER)
        draw_svg(pdf, svg, x + (wide - width * unit) / 2, top, width * unit, height * unit)
        pdf.set_xy(x, top + height * unit + 1.5)
        write(pdf, letters(figure.caption), 9.5, 4, style="I", wide=wide)
        lowest = max(lowest, pdf.get_y())
    pdf.set_xy(MARGIN, lowest + 2)


def add_numbered_rules(pdf: "FPDF", book: Rulebook, language: str) -> None:
    """Add the numbered rules as a new table plays them, in two columns."""
    wide = (210 - 2 * MARGIN - GUTTER) / 2
    column = 2
    for line in rules_of(book):
        heading = line.startswith("## ")
        text, size, step = letters(bulleted(line.removeprefix("## "))), 12.0 if heading else 9.5, 6.0 if heading else 4.1
        pdf.set_font("times", "B" if heading else "", size)
        if column == 2 or pdf.get_y() + tall(pdf, text, wide, step) + (12 if heading else 0) > 297 - FOOT:
            column = 1 if column == 0 else 0
            if column == 0:
                pdf.add_page(orientation="portrait")
                head(pdf, book.title, language)
            pdf.set_y(TOP + 12)
        pdf.set_x(MARGIN + column * (wide + GUTTER))
        write(pdf, text, size, step, style="B" if heading else "", wide=wide)
        pdf.set_y(pdf.get_y() + 1)


def head(pdf: "FPDF", title: str, language: str) -> None:
    """Write above a page of rules which game they are of."""
    pdf.set_font("times", "B", 15)
    pdf.set_xy(MARGIN, TOP)
    pdf.cell(0, 8, letters(f"{title} — {door_words(language)('print rules')}"))


def rules_of(book: Rulebook) -> Iterator[str]:
    """Give the lines of the numbered rules: of each choice the default alone, without sources, figures and notation."""
    question, answered = "", False
    for line in (line for part in book.parts if isinstance(part, str) for line in part.splitlines()):
        if line.startswith("## Notation"):
            return
        if not line or line.startswith((">", "# ")):
            continue
        if line.startswith("*") and not line.startswith("**"):
            question, answered = line[: line.index("*", 1) + 1], False
            if not line.endswith(":"):
                yield line
        elif line.startswith("- ") and question:
            if not answered:
                yield f"{question} {line.removeprefix('- ')}"
            answered = True
        else:
            question = ""
            yield line


def bulleted(line: str) -> str:
    """Return a line with the bullet that is printed."""
    return "• " + line.removeprefix("- ") if line.startswith("- ") else line


def tall(pdf: "FPDF", text: str, wide: float, step: float) -> float:
    """Return how tall a text is in a column."""
    height = pdf.multi_cell(wide, step, text, markdown=True, align="L", dry_run=True, output="HEIGHT")
    assert isinstance(height, float | int)
    return height


def write(pdf: "FPDF", text: str, size: float, step: float, *, style: str = "", wide: float = 0) -> None:
    """Write a text of that size from where the pen stands, and go on below it."""
    pdf.set_font("times", style, size)
    x = pdf.get_x()
    pdf.multi_cell(wide, step, text, markdown=not style, align="L", new_x="LMARGIN", new_y="NEXT")
    if wide:
        pdf.set_x(x)


def letters(text: str) -> str:
    """Return a text in letters that the fonts have, its italics marked as the library reads them."""
    text = text.replace("**", "\0").replace("*", "__").replace("\0", "**").translate(PRINTED)
    return UNPRINTED.sub("", text).encode(LETTERS, "replace").decode(LETTERS)
