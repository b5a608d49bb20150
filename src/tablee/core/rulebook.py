"""A rule page read as data: numbered paragraphs with where they come from, and figures that are positions."""

import re
from dataclasses import dataclass, field

from tablee.core.errors import TableeError, shown
from tablee.core.game import choose
from tablee.core.kind import Kind
from tablee.core.scene import Arrow
from tablee.core.state import State

PARAGRAPH = re.compile(r"\*\*(\d+\.\d+)\*\*\s+(.*)")
FIELDS = ("id", "position", "seats", "options", "mark", "arrow", "caption")
ARROW = re.compile(r"(?:(\d+):)?([^>+]+(?:>[^>+]+)+)(\+?)")


@dataclass(frozen=True)
class Figure:
    """A position that the engine draws, with a caption."""

    id: str
    position: str
    caption: str
    seats: int | None = None
    options: tuple[tuple[str, str], ...] = ()
    mark: tuple[str, ...] = ()
    arrows: tuple[Arrow, ...] = ()


@dataclass(frozen=True)
class Paragraph:
    """One numbered rule: its words, and its apparatus (source, certainty, other readings)."""

    number: str
    text: str
    apparatus: str


@dataclass
class Rulebook:
    """A rule page: its title, its paragraphs by number, its figures by id, and the parts in their order."""

    title: str = ""
    paragraphs: dict[str, Paragraph] = field(default_factory=dict)
    figures: dict[str, Figure] = field(default_factory=dict)
    parts: list[str | Figure] = field(default_factory=list)


def figure_state(kind: Kind, figure: Figure) -> State:
    """Return the state that a figure shows."""
    return choose(kind, figure.seats, dict(figure.options)).load(figure.position)


def read_rulebook(text: str) -> Rulebook:
    """Return the rule page of a Markdown text; a malformed one is an error that says where."""
    book = Rulebook()
    plain: list[str] = []
    block: list[str] | None = None
    for number, line in enumerate(text.splitlines(), 1):
        if block is not None:
            if not line.startswith("```"):
                block.append(line)
                continue
            figure = read_figure(block, number - len(block) - 1)
            if figure.id in book.figures:
                raise TableeError(f"line {number}: the figure {shown(figure.id)} stands twice on the page")
            book.figures[figure.id] = figure
            book.parts += ["\n".join(plain), figure]
            plain, block = [], None
        elif line.startswith("```figure"):
            block = []
        else:
            plain.append(line)
            if line.startswith("# ") and not book.title:
                book.title = line[2:].strip()
    if block is not None:
        raise TableeError("the last figure of the page is not closed: expected ```")
    book.parts.append("\n".join(plain))
    book.paragraphs = read_paragraphs(text)
    return book


def read_figure(block: list[str], begins: int) -> Figure:
    """Return the figure of a fenced block of `name: value` lines that begins at that line of the page."""
    values: dict[str, str] = {}
    for at, line in enumerate(block, begins + 1):
        name, colon, value = line.partition(":")
        if not colon or name.strip() not in FIELDS:
            raise TableeError(f"line {at}: {shown(line)} is no line of a figure: expected one of {', '.join(FIELDS)}, a colon and a value")
        if name.strip() in values:
            raise TableeError(f"line {at}: {shown(name.strip())} stands twice in a figure")
        values[name.strip()] = value.strip()
    missing = [name for name in ("id", "position", "caption") if not values.get(name)]
    if missing:
        raise TableeError(f"line {begins}: a figure lacks {', '.join(missing)}")
    seats = values.get("seats")
    if seats is not None and not (seats.isascii() and seats.isdigit() and len(seats) < 3):
        raise TableeError(f"line {begins}: {shown(seats)} is no number of seats: expected a whole number")
    options = tuple((name, value) for name, _, value in (pair.partition("=") for pair in values.get("options", "").split()))
    mark = tuple(values.get("mark", "").split())
    arrows = tuple(read_arrow(text, begins) for text in values.get("arrow", "").split())
    return Figure(values["id"], values["position"], values["caption"], int(seats) if seats else None, options, mark, arrows)


def read_arrow(text: str, begins: int) -> Arrow:
    """Return the arrow of a figure: `a4>b4`, `b1>e4>h4` with a bend, `3:1>4` for the top three of a stack, `a4>g4+` beyond the last cell."""
    match = ARROW.fullmatch(text)
    if not match:
        raise TableeError(f"line {begins}: {shown(text)} is no arrow: expected cells joined by >, like a4>b4, 3:1>4 or a4>g4+")
    return Arrow(tuple(match[2].split(">")), int(match[1] or 0), bool(match[3]))


def read_paragraphs(text: str) -> dict[str, Paragraph]:
    """Return every numbered paragraph: it runs to the next number, heading or figure; quoted lines are its apparatus."""
    paragraphs: dict[str, Paragraph] = {}
    number, body, apparatus = "", [""], [""]

    def close() -> None:
        if number:
            if number in paragraphs:
                raise TableeError(f"paragraph {number} stands twice on the page")
            paragraphs[number] = Paragraph(number, "\n".join(body).strip(), " ".join(apparatus).strip())

    fenced = False
    for line in text.splitlines():
        if line.startswith("```"):
            fenced = not fenced
            continue
        if fenced:
            continue
        begins = PARAGRAPH.match(line)
        if begins or line.startswith("#"):
            close()
            number, body, apparatus = (begins[1], [begins[2]], []) if begins else ("", [], [])
        elif line.startswith(">"):
            apparatus.append(line[1:].strip())
        elif number:
            body.append(line)
    close()
    return paragraphs
