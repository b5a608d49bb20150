"""The page on which somebody opens a table of a game, and what its form does."""

from starlette.requests import Request
from starlette.responses import Response

from tablee import catalog
from tablee.core.errors import TableeError
from tablee.core.kind import Kind
from tablee.store.log import StoreError
from tablee.tables.refused import Refused
from tablee.web.levels import level_choices
from tablee.web.pages import house_of, page, read_form, settings_of
from tablee.web.presets import OWN, PRESET, presets
from tablee.web.routing import Pages
from tablee.web.shelf import card
from tablee.web.shelf_pages import opened
from tablee.web.table_form import CLOCKS, WAYS, TableForm, read_table_form, shown_options
from tablee.web.visitors import read_visitor
from tablee.web.words import figures, page_words

router = Pages()


@router.get("/g/{slug}")
async def choose_options(request: Request, slug: str) -> Response:
    """Show what can be chosen; `way` opens the page on one of the ways to play."""
    way = request.query_params.get("way", "")
    return await choosing(request, read_table_form(catalog.kind(slug), {"way": way} if way in WAYS else {}))


async def choosing(request: Request, form: TableForm, error: str = "", note: str = "", status: int = 200) -> Response:
    """Return the page of a game's options, as the form was filled."""
    visitor, kind = read_visitor(request), form.kind
    words = page_words(visitor.language)
    game_card = card(kind.slug, visitor.language)
    carte = await house_of(request).store.carte(visitor.carte) if visitor.carte else None
    levels, shown = level_choices(kind, visitor.language, plain=settings_of(request).plain), shown_options(form)
    return page(
        request,
        "choose.html",
        status,
        card=game_card,
        form=form,
        options=shown,
        changed=shown != shown_options(read_table_form(kind, {})) or form.clock != "none",
        name=form.name or (carte.name if carte else ""),
        ways=[way for way in WAYS if way != "link" or not settings_of(request).alone],
        way_titles={way: words(way_key(kind, way)) for way in WAYS},
        way_lines={way: words(f"way {way} line") for way in WAYS if way != "mixed"},
        levels=levels,
        level=levels[min(max(form.level, 1), len(levels)) - 1],
        presets=presets(kind),
        preset_option=PRESET,
        own=OWN,
        clocks=[{"key": key, "label": words(f"clock {key}")} for key in CLOCKS],
        error=error,
        note=note,
    )


def way_key(kind: Kind, way: str) -> str:
    """Return the sentence that names a way to play: where all win together, the computer is a partner."""
    return "way computer together" if way == "computer" and kind.together else f"way {way}"


@router.post("/g/{slug}")
async def open_chosen(request: Request, slug: str) -> Response:
    """Open a table as it was chosen, and go there."""
    kind, language = catalog.kind(slug), read_visitor(request).language
    fields = await read_form(request)
    try:
        form = read_table_form(kind, fields)
    except TableeError as error:
        return await choosing(request, read_table_form(kind, {}), choice_error(kind, error, language), status=422)
    if form.preset_changed:
        return await choosing(request, form, note=page_words(language)("preset filled"))
    try:
        return await opened(request, form.terms(), form.sitters(), form.called, form.name if form.way == "link" else "")
    except TableeError as error:
        if isinstance(error, StoreError) or (isinstance(error, Refused) and error.code == "limit"):
            raise  # nothing is wrong with the choice
        return await choosing(request, form, choice_error(kind, error, language), status=422)


def choice_error(kind: Kind, error: TableeError, language: str) -> str:
    """Return what is wrong with a choice, in the language of the page."""
    if isinstance(error, Refused):
        return error.say(language)
    words, page_sentences = kind.words(language), page_words(language)
    if error.key in words.sentences:
        return words(error.key, **error.facts)
    if error.key == "choice range":
        least, most = (figures(int(error.facts[name]), language) for name in ("least", "most"))
        return page_sentences("choice range", question=words(f"option {error.facts['option']}"), least=least, most=most)
    if error.key == "choice setup":
        return page_sentences("choice setup", question=words(f"setup {error.facts['setup']}"))
    return page_sentences("choice unknown")
