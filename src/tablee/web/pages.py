"""What all pages share: templates, forms and error pages."""

import gzip
import re
import secrets
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from urllib.parse import parse_qsl, urlsplit

import msgspec
import segno
from jinja2 import Environment, PackageLoader, StrictUndefined
from jinja2.ext import Extension
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from tablee.core.errors import TableeError
from tablee.locale.errors import in_language
from tablee.web.house import House
from tablee.web.previews import HOME, preview
from tablee.web.routing import path_in_house
from tablee.web.settings import Settings
from tablee.web.shelf import Card
from tablee.web.visitors import Visitor, keep_carte, read_visitor
from tablee.web.words import figures, page_words

MOST_FIELDS = 64
ROOTED = re.compile(r'\b(href|src|action|data-essentials)="/(?!/)')


@dataclass(frozen=True)
class PageFacts:
    """What the frame of every page needs to know.

    `root` is the path that the house stands under, `alone` that it is in a browser tab, `elsewhere` then a house with a server.
    """

    path: str
    root: str
    alone: bool
    elsewhere: str
    language: str
    settings: dict[str, str]
    picture: str  # beside a link to the page, in a chat; an error has none

    @property
    def other_language(self) -> str:
        """The language one can switch to."""
        return "en" if self.language == "fr" else "fr"


class Rooted(Extension):
    """Let every link of a template that begins with / lead to the house where it stands, under a path of its own too."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Return the template with the path of the house before each such link."""
        return ROOTED.sub(r'\1="{{ page.root }}/', source)


@cache
def templates() -> Environment:
    """Return the templates: everything is escaped, and a missing name is an error."""
    rooted: list[type[Extension]] = [Rooted]
    loader = PackageLoader("tablee.web")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, extensions=rooted)


def page(request: Request, template: str, status: int = 200, /, **facts: object) -> HTMLResponse:
    """Return a page in the visitor's language."""
    visitor = read_visitor(request)
    picture = picture_link(request, facts.get("card")) if status < 400 else ""
    root = request.scope.get("root_path", "").rstrip("/")
    settings = settings_of(request) if "app" in request.scope else None  # the guard complains before there is an application
    alone, elsewhere = (settings.alone, settings.elsewhere) if settings else (False, "")
    frame = PageFacts(path_in_house(request.scope), root, alone, elsewhere, visitor.language, visitor.settings, picture)
    words = page_words(visitor.language)
    html = (
        templates().get_template(template).render(page=frame, say=words, figures=partial(figures, language=visitor.language), new_id=new_id, **facts)
    )
    headers = {"content-language": visitor.language, "vary": "Accept-Language, Cookie"}
    return HTMLResponse(html, status, headers)


def picture_link(request: Request, card: object) -> str:
    """Return the address of the picture beside a link to a page: the board of its game, or the shelf."""
    return address(request) + preview(card.slug if isinstance(card, Card) else HOME)


def drawing(request: Request, svg: bytes, kept: str) -> Response:
    """Return an SVG document, compressed where the browser takes that; `kept` says how long it may keep it."""
    headers = {"cache-control": kept, "vary": "Accept-Language, Accept-Encoding, Cookie"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        svg, headers["content-encoding"] = compressed(svg), "gzip"
    return Response(svg, media_type="image/svg+xml", headers=headers)


@lru_cache(64)
def compressed(content: bytes) -> bytes:
    """Return bytes compressed; the last ones are kept."""
    return gzip.compress(content, mtime=0)


def complain(request: Request, status: int, detail: str, key: str = "") -> Response:
    """Return what is wrong: as JSON for programs, as a page in words for people."""
    if path_in_house(request.scope).startswith("/api/"):
        return JSONResponse({"error": {"code": str(status), "text": detail or "something went wrong"}}, status)
    words = page_words(read_visitor(request).language)
    said = key or (status if f"error {status}" in words.sentences else 500 if status >= 500 else 400)
    return page(
        request, "error.html", status, title=words(f"error {said}"), text=words(f"error {said} text"), detail=in_language(detail, words.language)
    )


def house_of(request: Request) -> House:
    """Return the house that a request comes to."""
    house: House = request.app.state.house
    return house


def settings_of(request: Request) -> Settings:
    """Return how the house is run."""
    settings: Settings = request.app.state.settings
    return settings


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form; the guard has limited its length."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() not in ("application/x-www-form-urlencoded", ""):
        raise TableeError("expected a form (application/x-www-form-urlencoded)")
    try:
        text = (await request.body()).decode()
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict"))
    except (UnicodeError, ValueError) as error:
        raise TableeError("the form cannot be read: expected at most 64 fields in UTF-8") from error


def whole_number(text: str, otherwise: int) -> int:
    """Return the whole number of a form field, or `otherwise`."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else otherwise


def see_other(path: str) -> RedirectResponse:
    """Return the redirection after a form."""
    return RedirectResponse(path, 303)


def own_path(path: str) -> str:
    """Return a path of this house to go back to, or home: never another site."""
    parts = urlsplit(path)
    fine = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable() and "\\" not in path
    return path if fine and not parts.scheme and not parts.netloc else "/"


def new_id() -> str:
    """Return a number for one request, so that sending a form twice does it once."""
    return secrets.token_urlsafe(16)


def as_json(value: object) -> Markup:
    """Return data to stand in a page inside a script element that is no script."""
    text = msgspec.json.encode(value).decode()
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def address(request: Request) -> str:
    """Return the address that others reach the house by."""
    settings = settings_of(request)
    if settings.address and (request.url.hostname or "") in ("localhost", "127.0.0.1", "::1"):
        return settings.address
    return str(request.base_url).rstrip("/")


def qr_code(link: str, label: str) -> Markup:
    """Return a link as a drawing that a telephone reads."""
    drawing = segno.make(link, error="m", micro=False).svg_inline(scale=4, border=3, dark="#111", light="#fff", omitsize=True)
    return Markup(drawing.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1))


async def with_carte(request: Request) -> Visitor:
    """Return the visitor with a carte that the house knows, made now if there is none."""
    visitor, store = read_visitor(request), house_of(request).store
    if visitor.carte and await store.carte(visitor.carte):
        return visitor
    carte = await store.new_carte("", house_of(request).clock())
    return replace(visitor, carte=carte)


def keeping(response: Response, visitor: Visitor) -> Response:
    """Return an answer with which the browser keeps the visitor's carte."""
    keep_carte(response, visitor.carte, visitor.secure)
    return response
