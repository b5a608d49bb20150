"""The shelf: home, one game with its options, its rules, and how a table is opened."""

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from tablee import catalog
from tablee.core.errors import TableeError
from tablee.core.record import unpaired
from tablee.tables.clock import ClockTerms
from tablee.tables.commands import Command, Replace, Sit
from tablee.tables.opening import open_table
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, new_table_id
from tablee.web.guard import sender
from tablee.web.house import House, Live
from tablee.web.levels import level_choices, levels, middle
from tablee.web.pages import house_of, keeping, page, read_form, see_other, whole, with_carte
from tablee.web.rulepage import rule_page
from tablee.web.shelf import card, cards, packed_picture, picture
from tablee.web.table_lines import my_tables, waiting_tables
from tablee.web.visitors import Visitor, invitation, read_visitor
from tablee.web.words import page_words

CLOCKS: dict[str, ClockTerms | None] = {
    "none": None,
    "5+5": ClockTerms("real", 5 * 60_000, 5_000),
    "15+10": ClockTerms("real", 15 * 60_000, 10_000),
    "3d": ClockTerms("days", 3 * 86_400_000),
}
DAY = "public, max-age=86400"

router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(request: Request) -> Response:
    """Show the games, the tables that wait, and the visitor's own."""
    visitor, house = read_visitor(request), house_of(request)
    mine = await my_tables(house, visitor)
    return page(request, "home.html", cards=cards(visitor.language), waiting=waiting_tables(house, visitor), mine=mine[:8])


@router.get("/picture/{slug}.svg")
async def show_picture(request: Request, slug: str) -> Response:
    """Show the board of a game in mid-game."""
    catalog.kind(slug)
    drawn = picture(slug, read_visitor(request).language)
    headers = {"cache-control": DAY, "vary": "Accept-Language, Accept-Encoding, Cookie"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        drawn, headers["content-encoding"] = packed_picture(drawn), "gzip"
    return Response(drawn, media_type="image/svg+xml", headers=headers)


@router.get("/r/{slug}")
async def rules(request: Request, slug: str) -> Response:
    """Show the rules of a game."""
    language = read_visitor(request).language
    return page(request, "rules.html", card=card(slug, language), parts=rule_page(slug, language))


@router.get("/g/{slug}")
async def choose_options(request: Request, slug: str) -> Response:
    """Show what can be chosen."""
    return choosing(request, slug, {})


def choosing(request: Request, slug: str, form: dict[str, str], error: str = "", status: int = 200) -> Response:
    """Return the page of options, as the form was filled."""
    language = read_visitor(request).language
    kind, one, words = catalog.kind(slug), card(slug, language), page_words(language)
    usual = ["me", *(f"level-{middle(kind)}" for _ in range(one.seats[-1] - 1))]
    chosen = {
        "seats": whole(form.get("seats", ""), one.seats[0]),
        "players": [form.get(f"seat-{number}", usual[number]) for number in range(one.seats[-1])],
        "options": {option.name: form.get(f"option-{option.name}", option.default) for option in one.options},
        "clock": form.get("clock", "none"),
        "who": form.get("who", "invited"),
        "starts": form.get("starts", "seats"),
    }
    clocks = [{"key": key, "label": words(f"clock {key}")} for key in CLOCKS]
    return page(request, "choose.html", status, card=one, chosen=chosen, levels=level_choices(kind, language), clocks=clocks, error=error)


@router.post("/g/{slug}/now")
async def play_now(request: Request, slug: str) -> Response:
    """Open a table against a computer player of middle level, and go there."""
    kind = catalog.kind(slug)
    players = ["me", *(f"level-{middle(kind)}" for _ in range(kind.seats[0] - 1))]
    return await opened(request, Terms(slug), players)


@router.post("/g/{slug}")
async def open_chosen(request: Request, slug: str) -> Response:
    """Open a table as it was chosen, and go there."""
    kind = catalog.kind(slug)
    form = await read_form(request)
    options = {option.name: form[f"option-{option.name}"] for option in kind.options if f"option-{option.name}" in form}
    seats = whole(form.get("seats", ""), kind.seats[0])
    players = [form.get(f"seat-{number}", "me") for number in range(min(seats, kind.seats[-1]))]
    try:
        if form.get("clock", "none") not in CLOCKS:
            raise TableeError(f"unknown clock: known are {', '.join(CLOCKS)}")
        sitting, starts = form.get("who", "invited"), form.get("starts", "seats")
        # Options that stand as they come are left out, so that a preset may set them.
        changed = {option.name: options[option.name] for option in kind.options if options.get(option.name, option.default) != option.default}
        terms = Terms(slug, seats, changed, CLOCKS[form.get("clock", "none")], sitting=sitting, starts=starts)
        terms.agreed()
        return await opened(request, terms, players)
    except TableeError as error:
        return choosing(request, slug, form, str(error), 422)


@router.post("/g/{slug}/from")
async def open_from(request: Request, slug: str) -> Response:
    """Open a table that plays on from a position: a figure of the rules, or a moment of another game."""
    form = await read_form(request)
    terms = Terms(slug, whole(form.get("seats", ""), -1), unpaired(form.get("options", "")), position=form.get("position", "").strip())
    game = terms.agreed()
    return await opened(request, terms, ["me", *(f"level-{middle(game.kind)}" for _ in range(game.seats - 1))])


async def opened(request: Request, terms: Terms, players: list[str]) -> Response:
    """Open a table for the visitor and go there."""
    visitor = await with_carte(request)
    house = house_of(request)
    live = await open_for(house, visitor, terms, players, sender(request.scope))
    return keeping(see_other(f"/t/{live.table.id}"), visitor)


async def open_for(house: House, visitor: Visitor, terms: Terms, players: list[str], by: str) -> Live:
    """Open a table: seats for the visitor, for programs, and for whoever is invited."""
    name = new_table_id()
    token = visitor.token(name)
    carte = await house.store.carte(visitor.carte)
    free = [seat for seat, player in enumerate(players) if player == "open"]
    invitations = [(invitation(token, name, number), None) for number in range(len(free))]
    opening = open_table(terms, token, house.clock(), invitations=invitations, table=name)
    known = levels(catalog.kind(terms.game))
    commands: list[tuple[Command, Actor]] = []
    for seat, player in enumerate(players):
        level = player.removeprefix("level-")
        if player == "me":
            commands.append((Sit(seat, carte.name if carte else ""), Actor((token,))))
        elif player.startswith("level-") and level in known:
            commands.append((Replace(seat, level), Actor((token,))))
        elif player != "open":
            raise TableeError(f"unknown player {player[:40]!r}: known are me, open, {', '.join(f'level-{one}' for one in known)}")
    live = await house.open(opening, commands, by)
    if visitor.carte:
        await house.store.remember(visitor.carte, live.table.match.id)
    return live
