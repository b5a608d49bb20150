"""The shelf: home, the rules of a game, and how a table is opened."""

import re
from collections.abc import Sequence
from functools import cache

from starlette.requests import Request
from starlette.responses import Response

from tablee import catalog
from tablee.core.errors import TableeError
from tablee.core.record import unpaired
from tablee.tables.commands import MOVE_ID, Command, Replace, Sit
from tablee.tables.invitations import invitation
from tablee.tables.levels import levels, middle
from tablee.tables.opening import open_table
from tablee.tables.refused import Refused
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, new_table_id, opening_id
from tablee.web.allowances import senders
from tablee.web.house import House
from tablee.web.live import Live
from tablee.web.pages import drawing, house_of, keeping, page, read_form, see_other, settings_of, whole_number, with_carte
from tablee.web.routing import Pages
from tablee.web.rulepage import chapters, essentials, rule_page, tips
from tablee.web.shelf import card, cards, picture
from tablee.web.table_lines import my_tables, waiting_tables
from tablee.web.threads import aside
from tablee.web.visitors import Visitor, read_visitor

MOST_UNDER_WAY, MOST_OVER = 4, 8
DAY = "public, max-age=86400"

router = Pages()


@router.get("/")
async def home(request: Request) -> Response:
    """Show the visitor's games under way, the games to choose from, and the tables that wait."""
    visitor, house = read_visitor(request), house_of(request)
    mine = await my_tables(house, visitor)
    under_way = [table for table in mine if not table.over][:MOST_UNDER_WAY]
    over = [table for table in mine if table.over][:MOST_OVER]
    return page(request, "home.html", cards=cards(visitor.language), waiting=waiting_tables(house, visitor), under_way=under_way, over=over)


@router.get("/picture/{slug}.svg")
async def show_picture(request: Request, slug: str) -> Response:
    """Show the board of a game in mid-game."""
    catalog.kind(slug)
    return drawing(request, picture(slug, read_visitor(request).language), DAY)


@router.get("/r/{slug}")
async def rules(request: Request, slug: str) -> Response:
    """Show the rules of a game."""
    language = read_visitor(request).language
    parts = rule_page(slug, language)
    facts = {"essentials": essentials(slug, language), "tips": tips(slug, language), "chapters": chapters(parts)}
    return page(request, "rules.html", card=card(slug, language), parts=parts, **facts)


@router.get("/r/{slug}/print.pdf")
async def show_print(request: Request, slug: str) -> Response:
    """Give a game as a PDF to print, cut out and play."""
    language = read_visitor(request).language
    if settings_of(request).alone:  # drawn beforehand: what draws it is no part of the library in a browser
        return see_other(f"/static/print/{language}/{catalog.kind(slug).slug}.pdf")
    content = await aside(printed, slug, language)
    headers = {"content-disposition": f'attachment; filename="{slug}.pdf"', "vary": "Accept-Language, Cookie"}
    return Response(content, media_type="application/pdf", headers=headers)


@cache
def printed(slug: str, language: str) -> bytes:
    """Return the PDF of a game, made once."""
    from tablee.printing import print_game

    return print_game(catalog.kind(slug), language)


@router.post("/g/{slug}/now")
async def play_now(request: Request, slug: str) -> Response:
    """Open a table against a computer player of middle level, and go there."""
    kind = catalog.kind(slug)
    players = ["me", *(f"level-{middle(kind)}" for _ in range(kind.seats[0] - 1))]
    return await opened(request, Terms(slug), players)


@router.post("/g/{slug}/from")
async def open_from(request: Request, slug: str) -> Response:
    """Open a table that plays on from a position: a figure of the rules, or a moment of another game."""
    form = await read_form(request)
    terms = Terms(slug, whole_number(form.get("seats", ""), -1), unpaired(form.get("options", "")), position=form.get("position", "").strip())
    game = terms.agreed()
    return await opened(request, terms, ["me", *(f"level-{middle(game.kind)}" for _ in range(game.seats - 1))])


async def opening_name(request: Request, visitor: Visitor) -> str:
    """Return the name of the table that a form asks for: a form with a `move_id` that is sent again asks for the same one."""
    move_id = (await read_form(request)).get("move_id", "")
    if move_id and not re.fullmatch(MOVE_ID, move_id):
        raise Refused("unreadable", "no move id")
    return opening_id(visitor.carte, move_id) if move_id and visitor.carte else ""


async def opened(request: Request, terms: Terms, players: Sequence[str], names: Sequence[str] = (), own_name: str = "") -> Response:
    """Open a table for the visitor and go there; keep the name that was given on the visitor's carte."""
    visitor, house = await with_carte(request), house_of(request)
    if own_name:
        await house.store.change_carte(visitor.carte, name=own_name)
    name = await opening_name(request, visitor)
    live = await open_for(house, visitor, terms, players, senders(request.scope), names, name)
    return keeping(see_other(f"/t/{live.table.id}"), visitor)


async def open_for(
    house: House, visitor: Visitor, terms: Terms, players: Sequence[str], by: Sequence[str], names: Sequence[str] = (), name: str = ""
) -> Live:
    """Open a table: seats for the visitor, for programs, and for invited people. `names` are those of people at the visitor's screen, by seat."""
    once, name = bool(name), name or new_table_id()
    token = visitor.token(name)
    free = [seat for seat, player in enumerate(players) if player == "open"]
    invitations = [(invitation(token, name, number), None) for number in range(len(free))]
    opening = open_table(terms, token, house.clock(), invitations=invitations, table=name)
    known = levels(catalog.kind(terms.game))
    called = await names_here(house, visitor, players, names)
    commands: list[tuple[Command, Actor]] = []
    for seat, player in enumerate(players):
        level = player.removeprefix("level-")
        if player == "me":
            commands.append((Sit(seat, called[seat]), Actor((token,))))
        elif player.startswith("level-") and level in known:
            commands.append((Replace(seat, level), Actor((token,))))
        elif player != "open":
            raise TableeError(f"unknown player {player[:40]!r}: known are me, open, {', '.join(f'level-{name}' for name in known)}")
    live = await (house.open_once if once else house.open)(opening, commands, by)
    if visitor.carte:
        await house.store.remember(visitor.carte, live.table.match.id)
    return live


async def names_here(house: House, visitor: Visitor, players: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the name of each seat at the visitor's screen: the one given, or that of the carte where one person sits there alone."""
    carte = await house.store.carte(visitor.carte)
    alone = carte.name if carte and list(players).count("me") == 1 else ""
    return [(names[seat] if seat < len(names) else "") or alone for seat in range(len(players))]
