"""A rule page as HTML: every numbered paragraph under its own anchor, the sources of a chapter folded at its end, figures drawn by the engine."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup

from tablee import catalog
from tablee.core.game import Game
from tablee.core.kind import Kind
from tablee.core.record import pairs
from tablee.core.rulebook import PARAGRAPH, Figure, figure_state, read_rulebook
from tablee.core.state import Over
from tablee.web.presets import PRESET, preset_of
from tablee.web.shelf import draw_board

NOTHING = Markup("")
HEADING = re.compile(r"#{1,4} ")
CHAPTER = re.compile(r"## (.+)")


@dataclass(frozen=True)
class Part:
    """A piece of the page: a `heading` of a chapter, `html` between paragraphs, a numbered `paragraph`, a `figure`, or the `sources` of a chapter."""

    kind: str
    html: Markup = NOTHING
    number: str = ""
    apparatus: str = ""
    sources: tuple[tuple[str, str], ...] = ()
    id: str = ""
    svg: Markup = NOTHING
    caption: str = ""
    position: str = ""
    seats: int = 0
    options: str = ""
    playable: bool = False


@cache
def rule_page(slug: str, language: str) -> tuple[Part, ...]:
    """Return the parts of a game's rule page in their order; the title is left out where the essentials stand above."""
    kind = catalog.kind(slug)
    drawn = bool(essentials(slug, language))
    parts = page_parts(kind, f"rules.{language}.md", language, art=not drawn)
    if drawn and parts and "<h1>" in parts[0].html:
        parts[0] = replace(parts[0], html=Markup(re.sub("<h1>.*?</h1>", "", str(parts[0].html), count=1)))
    return tuple(with_sources(parts))


@cache
def essentials(slug: str, language: str, *, art: bool = True, variant: str = "") -> tuple[Part, ...]:
    """Return a game in one minute: aim, a turn in three steps, an example, the end; nothing for a game that does not bring it."""
    kind = catalog.kind(slug)
    name = f"essentials{variant}.{language}.md"
    return tuple(page_parts(kind, name, language, art=art)) if kind.brings(name) else ()


def essentials_of(game: Game, language: str) -> tuple[Part, ...]:
    """Return the essentials as a table plays them: `essentials-VALUE.LANGUAGE.md` where a game brings one for a value of an option; no art."""
    values = {**game.options, PRESET: preset_of(game.kind, game.options)}.values()
    variants = (f"-{value}" for value in values)
    known = (variant for variant in variants if game.kind.brings(f"essentials{variant}.{language}.md"))
    return essentials(game.slug, language, art=False, variant=next(known, ""))


@cache
def tips(slug: str, language: str) -> Markup:
    """Return the advice to players that a game brings, or nothing."""
    kind = catalog.kind(slug)
    name = f"tips.{language}.md"
    return markdown(kind.text(name)) if kind.brings(name) else NOTHING


def chapters(parts: tuple[Part, ...]) -> list[Part]:
    """Return the headings of a page: its table of contents."""
    return [part for part in parts if part.kind == "heading"]


def page_parts(kind: Kind, name: str, language: str, *, art: bool) -> list[Part]:
    """Return the parts of a page of a game's folder; the first figure holds the art for all."""
    parts: list[Part] = []
    for part in read_rulebook(kind.text(name)).parts:
        if isinstance(part, Figure):
            parts.append(figure_part(kind, part, language, art=art))
            art = False
        else:
            parts += text_parts(part)
    return parts


def with_sources(parts: list[Part]) -> Iterator[Part]:
    """Give the parts, and at the end of each chapter the sources of its paragraphs."""
    sources: list[tuple[str, str]] = []
    for part in (*parts, None):
        if sources and (part is None or part.kind == "heading"):
            yield Part("sources", sources=tuple(sources))
            sources = []
        if part is None:
            return
        if part.apparatus:
            sources.append((part.number, part.apparatus))
        yield part


def text_parts(text: str) -> list[Part]:
    """Return a stretch of Markdown cut at every numbered paragraph and heading."""
    parts: list[Part] = []
    number, body, apparatus = "", list[str](), list[str]()

    def close() -> None:
        html = markdown("\n".join(body))
        chapter = CHAPTER.match(body[0]) if body else None
        if number:
            parts.append(Part("paragraph", html, number, " ".join(apparatus)))
        elif chapter:
            parts.append(Part("heading", id=f"chapter-{anchor(chapter[1])}", caption=chapter[1]))
            if rest := markdown("\n".join(body[1:])):
                parts.append(Part("html", rest))
        elif html:
            parts.append(Part("html", html))

    for line in text.splitlines():
        begins = PARAGRAPH.match(line)
        if begins or HEADING.match(line):
            close()
            number, body, apparatus = (begins[1], [begins[2]], []) if begins else ("", [line], [])
        elif number and line.startswith(">"):
            apparatus.append(line[1:].strip())
        else:
            body.append(line)
    close()
    return parts


def anchor(title: str) -> str:
    """Return a heading as a part of an address: its number, or its words."""
    number = re.match(r"\d+", title)
    return number[0] if number else re.sub(r"\W+", "-", title.casefold()).strip("-")


def markdown(text: str) -> Markup:
    """Return Markdown as HTML; HTML inside it is shown as text."""
    return Markup(MarkdownIt("commonmark", {"html": False}).enable("table").render(text).strip())


def figure_part(kind: Kind, figure: Figure, language: str, *, art: bool) -> Part:
    """Return a figure drawn, with what is needed to play on from it."""
    state = figure_state(kind, figure)
    scene = replace(kind.scene(state.game, state.position, kind.words(language)), marks=figure.mark, arrows=figure.arrows, title=figure.caption)
    return Part(
        "figure",
        id=figure.id,
        svg=Markup(draw_board(kind, scene, art=art)),
        caption=figure.caption,
        position=figure.position,
        seats=state.game.seats,
        options=pairs(dict(figure.options)),
        playable=not isinstance(state.node, Over),
    )
