"""What belongs to the visitor: settings, the carte, and the proof that the dice were fair."""

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tablee import __version__
from tablee.core.errors import TableeError
from tablee.core.words import LANGUAGES, Words
from tablee.locale.errors import in_language
from tablee.tables.events import EventKind, write_line
from tablee.tables.events import verify as verify_chain
from tablee.tables.payloads import Started, payload_as
from tablee.tables.record import verify_log
from tablee.tables.table import Table
from tablee.tables.values import Phase
from tablee.web.carrying import CartesOnTheirWay
from tablee.web.house import NoTable
from tablee.web.pages import address, as_json, complain, house_of, keeping, own_path, page, qr_code, read_form, see_other, settings_of, with_carte
from tablee.web.routing import Pages
from tablee.web.table_lines import my_tables
from tablee.web.threads import aside
from tablee.web.visitors import CHOICES, Visitor, drop_carte, keep_carte, keep_setting, read_visitor
from tablee.web.words import page_words

VERIFY_SENTENCES = ("verify good", "verify open", "verify bad", "verify insecure", "verify v1", "verify resealed")

router = Pages()


@router.get("/settings")
async def show_settings(request: Request, saved: str = "", next: str = "") -> Response:
    """Show what can be set; `next` is the page to go back to."""
    visitor = read_visitor(request)
    words = page_words(visitor.language)
    named = request.cookies.get("language", "")
    rows = [setting_row("language", ("", *LANGUAGES), named if named in LANGUAGES else "", words)]
    rows += [setting_row(name, known, visitor.settings[name], words) for name, known in CHOICES.items()]
    engine = words("engine plain" if settings_of(request).plain else "engine compiled", version=__version__)
    return page(request, "settings.html", settings=rows, saved=bool(saved), next=own_path(next) if next else "/settings?saved=1", engine=engine)


def setting_row(name: str, known: tuple[str, ...], value: str, words: Words) -> dict[str, object]:
    """Return a setting with its choices."""
    choices = [{"value": choice, "label": words(f"setting {name} {choice or 'auto'}")} for choice in known]
    return {"name": name, "label": words(f"setting {name}"), "choices": choices, "value": value}


@router.post("/settings")
async def change_settings(request: Request) -> Response:
    """Keep the settings that were sent, and go back."""
    form, visitor = await read_form(request), read_visitor(request)
    response = see_other(own_path(form.get("next", "/")))
    for name, known in {"language": ("", *LANGUAGES), **CHOICES}.items():
        if name in form:
            if form[name] not in known:
                raise TableeError(f"unknown value of {name} {form[name][:40]!r}: known are {', '.join(known)}")
            keep_setting(response, name, form[name], visitor.secure)
    return response


# The carte.


async def card_page(request: Request, visitor: Visitor, *, saved: bool = False, carry: dict[str, object] | None = None) -> Response:
    """Return the page of the carte."""
    house = house_of(request)
    carte = await house.store.carte(visitor.carte) if visitor.carte else None
    mine = await my_tables(house, visitor)
    return page(request, "me.html", name=carte.name if carte else "", mine=mine, has_carte=carte is not None, saved=saved, carry=carry)


@router.get("/me")
async def me(request: Request, saved: str = "") -> Response:
    """Show the carte."""
    return await card_page(request, read_visitor(request), saved=bool(saved))


@router.post("/me")
async def rename(request: Request) -> Response:
    """Keep a name."""
    form, visitor = await read_form(request), await with_carte(request)
    await house_of(request).store.change_carte(visitor.carte, name=form.get("name", ""))
    return keeping(see_other("/me?saved=1"), visitor)


@router.post("/me/carry")
async def carry(request: Request) -> Response:
    """Make a link that takes the carte to another device."""
    visitor = await with_carte(request)
    carried: CartesOnTheirWay = request.app.state.carried
    link = f"{address(request)}/me/carry/{await carried.give(visitor.carte)}"
    label = page_words(visitor.language)("qr label")
    return keeping(await card_page(request, visitor, carry={"link": link, "qr": qr_code(link, label)}), visitor)


@router.get("/me/carry/{key}")
async def offer(request: Request, key: str) -> Response:
    """Ask before taking a carte here."""
    return page(request, "carry.html")


@router.post("/me/carry/{key}")
async def take(request: Request, key: str) -> Response:
    """Take a carte here."""
    carried: CartesOnTheirWay = request.app.state.carried
    carte, visitor = await carried.take(key), read_visitor(request)
    if carte is None:
        return complain(request, 404, page_words(visitor.language)("carry gone"))
    response = see_other("/me")
    keep_carte(response, carte, visitor.secure)
    return response


@router.get("/me/export")
async def export(request: Request) -> Response:
    """Give all that the house knows of the visitor."""
    visitor = read_visitor(request)
    known = await house_of(request).store.export_carte(visitor.carte) if visitor.carte else None
    return JSONResponse(known or {}, headers={"content-disposition": 'attachment; filename="tablee-carte.json"'})


@router.post("/me/delete")
async def delete(request: Request) -> Response:
    """Erase the carte, the name and every text of the visitor."""
    form, visitor, house = await read_form(request), read_visitor(request), house_of(request)
    if form.get("sure") != "yes":
        return see_other("/me")
    for table_id in await house.store.delete_carte(visitor.carte) if visitor.carte else []:
        if table_id in house.lives:
            await house.refresh(house.lives[table_id])
    response = see_other("/me?saved=1")
    drop_carte(response, visitor.secure)
    return response


# The dice.


@router.get("/verify")
async def verify(request: Request, table: str = "") -> Response:
    """Show a log to the visitor's browser, which recomputes every throw; and what the server finds."""
    visitor = read_visitor(request)
    words = page_words(visitor.language)
    log_table: Table | None = None
    checked: list[str] = []
    if table:
        try:
            live = await house_of(request).live(table[:64])
            if live.table.may_watch(visitor.actor(live.table.match.id)):
                log_table = live.table
        except NoTable:
            pass
        checked = await aside(checked_sentences, log_table, words) if log_table else [words("error 404 text")]
    return page(
        request,
        "verify.html",
        404 if table and not log_table else 200,
        table_id=table[:64],
        log_json=as_json([msgspec.Raw(write_line(event).encode()) for event in log_table.events]) if log_table else "",
        server_check=checked,
        sentences_json=as_json({key: words.sentences[key] for key in VERIFY_SENTENCES}),
    )


def checked_sentences(table: Table, words: Words) -> list[str]:
    """Return what the server finds when it recomputes a log, and what its dice promise."""
    try:
        verify_chain(table.events)
        verdict = words("verify open") if table.phase != Phase.OVER else words("verify good", throws=verify_log(table.events))
    except TableeError as error:
        return [words("verify bad", what=in_language(str(error), words.language))]
    return [verdict, *promises(table, words)]


def promises(table: Table, words: Words) -> list[str]:
    """Return what a reader should know of a table's dice: an old version, seals made anew, seats that brought nothing."""
    lines = [words("verify v1")] if table.dice_version == 1 else []
    lines += [words("verify resealed", seq=seq) for seq, _ in table.seals[1:]]
    started = next((event for event in table.events if event.kind == EventKind.STARTED), None)
    silent = payload_as(started, Started).silent or () if started else ()
    names = [table.seats[table.lot[seat]].name or str(table.lot[seat] + 1) for seat in silent]
    return [*lines, words("verify silent", seats=", ".join(names))] if names else lines
