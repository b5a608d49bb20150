"""The HTTP API, so that a program in any language can open a table, sit down and play."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Request
from starlette.responses import Response, StreamingResponse

from tablee import catalog
from tablee.tables.clock import ClockTerms
from tablee.tables.commands import Play, Replace, Sit
from tablee.tables.events import write_line
from tablee.tables.opening import open_table
from tablee.tables.refused import Refused
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, new_table_id, new_token
from tablee.web.doing import carry_out
from tablee.web.guard import sender
from tablee.web.house import House, Live
from tablee.web.levels import checked
from tablee.web.orders import Order
from tablee.web.pages import house_of
from tablee.web.seen import seen_bytes
from tablee.web.shapes import (
    TABLE,
    Act,
    Done,
    GameShape,
    NewTable,
    Opened,
    OrderShape,
    Seated,
    SitDown,
    TableState,
    WaitingTable,
    Wrong,
)
from tablee.web.table_lines import waits_for_all
from tablee.web.visitors import invitation, read_visitor

HEARTBEAT_SECONDS = 15.0
TableId = Annotated[str, Path(pattern=TABLE)]
Since = Annotated[int, Query(ge=0, le=2**53 - 1)]
PROBLEMS: dict[int | str, dict[str, object]] = {status: {"model": Wrong} for status in (400, 403, 404, 409, 413, 421, 422, 429, 503)}

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)


@router.get("/games")
async def games(request: Request) -> list[GameShape]:
    """List the games with their seats and options."""
    language = read_visitor(request).language
    return [
        GameShape(
            slug=slug,
            title=kind.words(language)("title"),
            line=kind.words(language)("line"),
            seats=list(kind.seats),
            options={option.name: list(option.values) or [str(option.least), str(option.most)] for option in kind.options},
        )
        for slug, kind in catalog.kinds().items()
    ]


@router.get("/tables")
async def waiting(request: Request) -> list[WaitingTable]:
    """List the tables where anybody may sit down."""
    return [
        WaitingTable(
            table=live.table.id,
            game=live.table.game.slug,
            seats=live.table.game.seats,
            free=[seat for seat, one in enumerate(live.table.seats) if one.player == "nobody"],
        )
        for live in list(house_of(request).lives.values())[-1000:]
        if waits_for_all(live.table)
    ]


@router.post("/tables", status_code=201)
async def open_one(request: Request, new: NewTable) -> Opened:
    """Open a table; its opener's token is the bearer token shown, or a new one."""
    house, visitor = house_of(request), read_visitor(request)
    clock = ClockTerms(new.clock.kind, new.clock.base, new.clock.add) if new.clock else None
    terms = Terms(new.game, new.seats, new.options, clock, new.sitting, new.watching, new.chat, new.hints, new.starts, new.position)
    game, name = terms.agreed(), new_table_id()
    token = visitor.token(name) or new_token()
    invitations = [invitation(token, name, number) for number in range(game.seats)]
    live = await house.open(
        open_table(terms, token, house.clock(), invitations=[(one, None) for one in invitations], table=name), [], sender(request.scope)
    )
    return Opened(table=name, token=token, invitations=invitations, commitment=live.table.commitment)


async def sender_at(request: Request, table_id: str) -> tuple[House, Live, Actor]:
    """Return the house, the table and who sends the request."""
    house = house_of(request)
    live = await house.live(table_id)
    return house, live, read_visitor(request).actor(live.table.match.id)


@router.post("/tables/{table_id}/seats", status_code=201)
async def sit_down(request: Request, table_id: TableId, who: SitDown) -> Seated:
    """Take a seat, or let a program of the house take it; the seat's token is the bearer token shown, or a new one."""
    house, live, actor = await sender_at(request, table_id)
    seat = who.seat
    if seat is None:
        seat = next((at for at, one in enumerate(live.table.seats) if one.player == "nobody"), 0)
    if who.player == "program":
        await house.do(live, Replace(seat, checked(live.table.game.kind, who.level or ""), move_id=who.move_id), actor)
        return Seated(seat=seat, token=None, seq=live.table.seq)
    if not actor.tokens:
        actor = Actor((new_token(),))
    await house.do(live, Sit(seat, who.name, who.invitation or "", who.contribution or "", who.player, move_id=who.move_id), actor)
    held = live.table.held_by(actor)
    return Seated(seat=seat if seat in held or not held else held[0], token=actor.tokens[0], seq=live.table.seq)


@router.post("/tables/{table_id}/actions")
async def act(request: Request, table_id: TableId, action: Act) -> Done:
    """Play; the answer comes only after the action is written and committed."""
    house, live, actor = await sender_at(request, table_id)
    await house.do(live, Play(action.seat, tuple(action.tokens), action.seq, move_id=action.move_id), actor)
    return done(live, action.move_id)


@router.post("/tables/{table_id}/orders")
async def order(request: Request, table_id: TableId, given: OrderShape) -> Done:
    """Carry out any other command: resign, ask, answer, say, leave and so on."""
    house, live, actor = await sender_at(request, table_id)
    await carry_out(house, live, Order(**given.model_dump()), actor)
    return done(live, given.move_id)


def done(live: Live, move_id: str) -> Done:
    """Return the answer to a request, the same however often it is sent."""
    answered = live.table.answer_of(move_id)
    return Done(seq=answered.seq, hash=answered.hash) if answered else Done(seq=live.table.seq, hash=live.table.hash)


@router.get("/tables/{table_id}/state", response_model=TableState)
async def state(request: Request, table_id: TableId, since: Since = 0) -> Response:
    """Return the table as the sender sees it, and the events from `since` on."""
    house, live, actor = await sender_at(request, table_id)
    view = seen_bytes(live, actor, read_visitor(request).language, house.clock())
    events = ",".join(write_line(event) for event in live.table.events[since:])
    body = b'{"view":' + view + b',"events":[' + events.encode() + b"]}"
    return Response(body, media_type="application/json")


@router.get("/tables/{table_id}/events", response_class=Response, responses={200: {"content": {"text/event-stream": {}}}})
async def stream(
    request: Request, table_id: TableId, since: Since = 0, last_event_id: Annotated[int | None, Header(ge=0, le=2**53 - 1)] = None
) -> Response:
    """Stream the events from `since` on (or after `Last-Event-ID`), one by one, as they are committed."""
    house, live, actor = await sender_at(request, table_id)
    if not live.table.may_watch(actor):
        raise Refused("token", "no watching")
    first = since if last_event_id is None else last_event_id + 1
    return StreamingResponse(told(house, live, first), media_type="text/event-stream", headers={"x-accel-buffering": "no"})


async def told(house: House, live: Live, first: int) -> AsyncIterator[str]:
    """Give events as they happen, until the table has nothing more to tell or the house closes."""
    changed = asyncio.Event()
    live.listeners.add(changed.set)
    try:
        at = first
        while not house.closing:
            changed.clear()
            for event in live.table.events[at:]:
                yield f"id: {event.seq}\nevent: {event.kind}\ndata: {write_line(event)}\n\n"
                at = event.seq + 1
            if live.table.result and live.table.events[-1].kind == "revealed":
                return
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await changed.wait()
            except TimeoutError:
                yield ": still here\n\n"
    finally:
        live.listeners.discard(changed.set)
