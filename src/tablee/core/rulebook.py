"""A rule page read as data: numbered paragraphs with where they come from, and figures that are positions."""

import re
from dataclasses import dataclass, field

from tablee.core.errors import TableeError

PARAGRAPH = re.compile(r"\*\*(\d+\.\d+)\*\*\s+(.*)")
FIELDS = ("id", "position", "seats", "options", "mark", "caption")


@dataclass(frozen=True)
class Figure:
    """A position that the engine draws, with a caption."""

    id: str
    position: str
    caption: str
    seats: int | None = None
    options: tuple[tuple[str, str], ...] = ()
    mark: tuple[str, ...] = ()


@dataclass(frozen=True)
class Paragraph:
    """One numbered rule: its words, and its apparatus (source, certainty, other readings)."""

    number: str
    text: str
    apparatus: str


@dataclass
class Rulebook:
    """A whole page: its title, its paragraphs by number, its figures by id, and the parts in their order."""

    title: str = ""
    paragraphs: dict[str, Paragraph] = field(default_factory=dict)
    figures: dict[str, Figure] = field(default_factory=dict)
    parts: list[str | Figure] = field(default_factory=list)


def read_rulebook(text: str) -> Rulebook:
    """Return the rule page of a Markdown text; a malformed one is an error that says where."""
    book = Rulebook()
    plain: list[str] = []
    lines = iter(text.splitlines())
    for line in lines:
        if line.startswith("```figure"):
            block = []
            for inner in lines:
                if inner.startswith("```"):
                    break
                block.append(inner)
            figure = read_figure(block)
            book.figures[figure.id] = figure
            book.parts += ["\n".join(plain), figure]
            plain = []
        else:
            plain.append(line)
            if line.startswith("# ") and not book.title:
                book.title = line[2:].strip()
    book.parts.append("\n".join(plain))
    for number, paragraph in read_paragraphs(text).items():
        book.paragraphs[number] = paragraph
    return book


def read_figure(block: list[str]) -> Figure:
    """Return the figure of a fenced block of `name: value` lines."""
    values: dict[str, str] = {}
    for line in block:
        name, colon, value = line.partition(":")
        if not colon or name.strip() not in FIELDS:
            raise TableeError(f"{line!r} is no line of a figure: expected one of {', '.join(FIELDS)}, a colon and a value")
        values[name.strip()] = value.strip()
    missing = [name for name in ("id", "position", "caption") if name not in values]
    if missing:
        raise TableeError(f"a figure lacks {', '.join(missing)}")
    options = tuple((name, value) for name, _, value in (one.partition("=") for one in values.get("options", "").split()))
    seats = int(values["seats"]) if "seats" in values else None
    return Figure(values["id"], values["position"], values["caption"], seats, options, tuple(values.get("mark", "").split()))


def read_paragraphs(text: str) -> dict[str, Paragraph]:
    """Return every numbered paragraph: it runs to the next number, heading or figure; quoted lines are its apparatus."""
    found: dict[str, Paragraph] = {}
    number, body, apparatus = "", [""], [""]

    def close() -> None:
        if number:
            if number in found:
                raise TableeError(f"paragraph {number} stands twice on the page")
            found[number] = Paragraph(number, "\n".join(body).strip(), " ".join(apparatus).strip())

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
    return found
