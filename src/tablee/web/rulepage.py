"""A rule page as HTML: every numbered paragraph under its own anchor, its apparatus folded, its figures drawn by the engine."""

import re
from dataclasses import dataclass, replace
from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup

from tablee import catalog
from tablee.core.game import choose
from tablee.core.kind import Kind
from tablee.core.record import pairs
from tablee.core.rulebook import PARAGRAPH, Figure, read_rulebook
from tablee.core.state import Over
from tablee.web.shelf import draw_board

NOTHING = Markup("")
HEADING = re.compile(r"#{1,4} ")


@dataclass(frozen=True)
class Part:
    """A piece of the page: `html` between paragraphs, a numbered `paragraph`, or a `figure`."""

    kind: str
    html: Markup = NOTHING
    number: str = ""
    apparatus: str = ""
    id: str = ""
    svg: Markup = NOTHING
    caption: str = ""
    position: str = ""
    seats: int = 0
    options: str = ""
    playable: bool = False


@cache
def rule_page(slug: str, language: str) -> tuple[Part, ...]:
    """Return the parts of a game's rule page in their order."""
    kind = catalog.kind(slug)
    parts: list[Part] = []
    drawn = False
    for part in read_rulebook(kind.text(f"rules.{language}.md")).parts:
        if isinstance(part, Figure):
            parts.append(figure_part(kind, part, language, art=not drawn))
            drawn = True
        else:
            parts += text_parts(part)
    return tuple(parts)


def text_parts(text: str) -> list[Part]:
    """Return a stretch of Markdown cut at every numbered paragraph and heading."""
    parts: list[Part] = []
    number, body, apparatus = "", list[str](), list[str]()

    def close() -> None:
        html = markdown("\n".join(body))
        if number:
            parts.append(Part("paragraph", html, number, " ".join(apparatus)))
        elif html:
            parts.append(Part("html", html))

    for line in text.splitlines():
        begins = PARAGRAPH.match(line)
        if begins or (number and HEADING.match(line)):
            close()
            number, body, apparatus = (begins[1], [begins[2]], []) if begins else ("", [line], [])
        elif number and line.startswith(">"):
            apparatus.append(line[1:].strip())
        else:
            body.append(line)
    close()
    return parts


def markdown(text: str) -> Markup:
    """Return Markdown as HTML; HTML inside it is shown as text."""
    return Markup(MarkdownIt("commonmark", {"html": False}).enable("table").render(text).strip())


def figure_part(kind: Kind, figure: Figure, language: str, *, art: bool) -> Part:
    """Return a figure drawn, with what is needed to play on from it."""
    game = choose(kind, figure.seats, dict(figure.options))
    state = game.load(figure.position)
    scene = replace(kind.scene(game, state.position, kind.words(language)), marks=figure.mark, title=figure.caption)
    return Part(
        "figure",
        id=figure.id,
        svg=Markup(draw_board(kind, scene, art=art)),
        caption=figure.caption,
        position=figure.position,
        seats=game.seats,
        options=pairs(dict(figure.options)),
        playable=not isinstance(state.node, Over),
    )
