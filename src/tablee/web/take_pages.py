"""A game that was begun elsewhere, taken in as a record: it goes on here, against the computer or with friends."""

from starlette.requests import Request
from starlette.responses import Response

from tablee import catalog
from tablee.core.errors import TableeError
from tablee.core.record import read_record
from tablee.core.state import Over
from tablee.locale.errors import error_text
from tablee.tables.levels import middle
from tablee.tables.terms import Terms
from tablee.web.pages import page, read_form, settings_of
from tablee.web.routing import Pages
from tablee.web.shelf_pages import opened
from tablee.web.visitors import read_visitor
from tablee.web.words import page_words

OTHERS = ("computer", "here", "friends")

router = Pages()


@router.get("/take")
async def show_take(request: Request) -> Response:
    """Show the form; a script fills it in from the end of the address, which no server is sent."""
    return taking(request)


def taking(request: Request, record: str = "", error: str = "", status: int = 200) -> Response:
    """Return the page with what was given, and what is wrong with it."""
    words = page_words(read_visitor(request).language)
    others = {other: words(f"take {other}") for other in OTHERS if other != "friends" or not settings_of(request).alone}
    return page(request, "take.html", status, record=record, error=error, others=others)


@router.post("/take")
async def take(request: Request) -> Response:
    """Open a table that goes on from the end of a record; the visitor sits where it is to act."""
    form, language = await read_form(request), read_visitor(request).language
    record = form.get("record", "").replace("\r\n", "\n")
    try:
        state = read_record(record, catalog.kind)
    except TableeError as error:
        return taking(request, record, error_text(error, language), 422)
    if isinstance(state.node, Over):
        return taking(request, record, page_words(language)("take over"), 422)
    game = state.game
    if form.get("others") == "friends" and settings_of(request).alone:
        return taking(request, record, page_words(language)("others elsewhere"), 422)
    other = {"friends": "open", "here": "me"}.get(form.get("others", ""), f"level-{middle(game.kind)}")
    players = ["me" if seat == state.turn else other for seat in range(game.seats)]
    return await opened(request, Terms(game.slug, game.seats, game.options, position=game.dump(state), rules=game.rules), players)
