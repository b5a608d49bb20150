"""An invitation: who invites, to which game, on which seat, by which rules; and how a seat is taken."""

from dataclasses import dataclass, replace

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from tablee.tables.allowed import empty_seats
from tablee.tables.commands import Sit, command_of_form, tag_of
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.telling import shown_state, sign
from tablee.tables.tokens import Actor
from tablee.tables.values import LOT, Phase, Sitter
from tablee.web.option_lines import unusual_options
from tablee.web.pages import house_of, keeping, page, read_form, see_other, with_carte
from tablee.web.routing import Pages
from tablee.web.shelf import card, draw_board
from tablee.web.table_form import CLOCKS
from tablee.web.visitors import keep_watching, read_visitor
from tablee.web.words import page_words

router = Pages("/t/{table_id}")


@dataclass(frozen=True)
class FreeSeat:
    """A seat that is offered: its number, its name, and the key of the words that name it, for its colour."""

    number: int
    name: str
    look: str


@router.get("/join/{token}")
async def join(request: Request, table_id: str, token: str, watch: str = "") -> Response:
    """Show an invitation; nothing happens before the visitor sits down."""
    house = house_of(request)
    table = (await house.live(table_id)).table
    visitor = read_visitor(request)
    actor = visitor.actor(table.match.id)
    watch = table.watch_token(Actor(watch=watch))
    if not table.may_watch(replace(actor, tokens=(token, *actor.tokens), watch=watch or actor.watch)):
        raise Refused("token", "no watching")
    language, words = visitor.language, page_words(visitor.language)
    carte = await house.store.carte(visitor.carte) if visitor.carte else None
    game_card = card(table.game.slug, language)
    host = host_name(table)
    shown = page(
        request,
        "join.html",
        card=game_card,
        table_id=table.id,
        invite_token=token[:64],
        title=words("invited by", name=host, game=game_card.title) if host else words("join title", game=game_card.title),
        board=Markup(draw_board(table.game.kind, shown_state(table).scene(language))),
        name=carte.name if carte else "",
        open_seats=free_seats(table, language),
        by_lot=table.terms.starts == LOT and table.phase == Phase.WAITING,
        rules=[*unusual_options(table, language), *clock_line(table, language)] or [game_card.usual],
    )
    if watch:
        keep_watching(shown, table.match.id, watch, visitor.secure)
    return shown


@router.get("/watch/{token}")
async def watch(request: Request, table_id: str, token: str) -> Response:
    """Let a visitor with the link to watch see the table."""
    table = (await house_of(request).live(table_id)).table
    if not table.may_watch(Actor(watch=token)):
        raise Refused("token", "no watching")
    response = see_other(f"/t/{table_id}")
    keep_watching(response, table.match.id, token, read_visitor(request).secure)
    return response


def host_name(table: Table) -> str:
    """Return the name of the first person at a table, or "" where nobody gave one."""
    return next((seat.name for seat in table.seats if seat.player == Sitter.PERSON and seat.name), "")


def free_seats(table: Table, language: str) -> list[FreeSeat]:
    """Return the seats that somebody may still take, as the page shows them."""
    state = shown_state(table)
    return [FreeSeat(seat, sign(table, seat, language), state.seat_key(seat)) for seat in empty_seats(table)]


def clock_line(table: Table, language: str) -> list[str]:
    """Return the sentence of the table's clock, if it has one."""
    return [page_words(language)(f"clock {key}") for key, clock in CLOCKS.items() if clock and clock == table.terms.clock]


@router.post("/sit")
async def sit(request: Request, table_id: str) -> Response:
    """Take a seat: by an invitation, or at a table open to all."""
    house = house_of(request)
    live = await house.live(table_id)
    form = await read_form(request)
    visitor = await with_carte(request)
    actor = visitor.actor(live.table.match.id)
    if form.get("name"):
        await house.store.change_carte(visitor.carte, name=form["name"])
    carte = await house.store.carte(visitor.carte)
    fields = {name: form[name] for name in Sit.__struct_fields__ if name in form}  # the side of the board is the page's own affair
    sit_down = command_of_form({**fields, "t": tag_of("Sit"), "name": carte.name if carte else ""})
    await house.do(live, sit_down, actor)
    await house.store.remember(visitor.carte, live.table.match.id)
    return keeping(see_other(f"/t/{table_id}"), visitor)
