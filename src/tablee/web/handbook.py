"""The handbook under /docs: for players, hosts, programmers, researchers and authors, in both languages; no network needed."""

import re
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tablee.core.errors import unknown
from tablee.web.handbook_pages import CONTENTS, FILES, INDEX, LINK, english_only, headings, names, place, rendered
from tablee.web.pages import page
from tablee.web.routing import Pages
from tablee.web.visitors import read_visitor
from tablee.web.words import page_words

router = Pages()
KINDS = {".svg": "image/svg+xml", ".py": "text/x-python; charset=utf-8"}
PLAIN = "text/plain; charset=utf-8"


@dataclass(frozen=True)
class Entry:
    """A page in the menu: its name, its title, and whether it is in English while the reader's language is another."""

    name: str
    title: str
    foreign: bool


@dataclass(frozen=True)
class Shown:
    """A page as a template needs it: title, HTML, chapters, the menu by parts, and the page before and after."""

    name: str
    title: str
    html: Markup
    foreign: bool
    chapters: list[tuple[str, Markup]]
    menu: list[tuple[str, list[Entry]]]
    before: Entry | None
    after: Entry | None


@cache
def menu(language: str) -> list[tuple[str, list[Entry]]]:
    """Return the contents: each part with its pages."""
    say = page_words(language)
    return [(say(f"docs {part}"), [entry(name, language) for name in pages]) for part, pages in CONTENTS.items()]


def entry(name: str, language: str) -> Entry:
    """Return a page as the menu names it."""
    return Entry(name, rendered(name, language)[0], english_only(name) and language != "en")


def shown(name: str, language: str) -> Shown:
    """Return a page for a template."""
    title, html = rendered(name, language)
    order = names()
    at = order.index(name)
    before = entry(order[at - 1], language) if at else None
    after = entry(order[at + 1], language) if at + 1 < len(order) else None
    return Shown(name, title, html, english_only(name) and language != "en", headings(html), menu(language), before, after)


def relinked(html: Markup, address: dict[str, str]) -> Markup:
    """Return HTML with its links between pages written as addresses: `page` and `file` hold the forms of these."""

    def write(match: re.Match[str]) -> str:
        link, at = match[2], match[3] or ""
        if link.startswith("file/"):
            return f'{match[1]}="{address["file"].format(link.removeprefix("file/"))}"'
        return f'{match[1]}="{address["page"].format(link)}{at}"' if link in names() else str(match[0])

    return Markup(LINK.sub(write, str(html)))


@router.get("/docs")
async def contents(request: Request) -> Response:
    """Lead to the first page."""
    return RedirectResponse(f"/docs/{INDEX}", 303)


@router.get("/docs/file/{name}")
async def handbook_file(request: Request, name: str) -> Response:
    """Give a file that the handbook names: an example, a drawing."""
    if name not in FILES:
        raise unknown("file", name, FILES)
    kind = KINDS.get(name[name.rfind(".") :], PLAIN)
    return Response(place(f"files/{name}").read_bytes(), media_type=kind)


@router.get("/docs/{name}")
async def handbook_page(request: Request, name: str) -> Response:
    """Show a page of the handbook in the visitor's language."""
    docs = shown(name, read_visitor(request).language)
    root = request.scope.get("root_path", "").rstrip("/")
    html = relinked(docs.html, {"page": root + "/docs/{}", "file": root + "/docs/file/{}"})
    return page(request, "handbook.html", docs=docs, html=html)
