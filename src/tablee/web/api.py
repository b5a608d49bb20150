"""The HTTP API, so that a program in any language can open a table, sit down and play."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, FastAPI, Header, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response, StreamingResponse

from tablee import catalog
from tablee.core.errors import shown
from tablee.tables.allowed import empty_seats, waits_for_all
from tablee.tables.clock import ClockTerms
from tablee.tables.commands import PublicCommand, Unreadable, read_command, read_sit
from tablee.tables.events import EventKind, write_line
from tablee.tables.invitations import invitation
from tablee.tables.opening import open_table
from tablee.tables.refused import Refused
from tablee.tables.terms import Terms
from tablee.tables.tokens import Actor, new_table_id, new_token, opening_id
from tablee.web.allowances import Allowances, TooMany, sender, senders
from tablee.web.api_models import (
    TABLE,
    Done,
    GameShape,
    NewTable,
    Opened,
    Seated,
    TableState,
    WaitingTable,
    Wrong,
)
from tablee.web.house import House
from tablee.web.live import Live
from tablee.web.pages import house_of
from tablee.web.table_view import view_bytes
from tablee.web.visitors import read_visitor

HEARTBEAT_SECONDS = 15.0
TableId = Annotated[str, Path(pattern=TABLE)]
Since = Annotated[int, Query(ge=0, le=2**53 - 1)]
PROBLEMS: dict[int | str, dict[str, object]] = {status: {"model": Wrong} for status in (400, 403, 404, 409, 413, 421, 422, 429, 503)}

router = APIRouter(prefix="/api/v1", responses=PROBLEMS)
SCHEMAS = "#/components/schemas/"
# A request to `/seats` can be nothing else than `Sit`.
TAGLESS = "SitDown"


def served_app(lifespan: Callable[[Any], Any]) -> FastAPI:
    """Return an application with the API and its OpenAPI document; the pages are added to it."""
    app = FastAPI(title="Tablée", version="1", openapi_url="/api/v1/openapi.json", docs_url=None, redoc_url=None, lifespan=lifespan)
    app.include_router(router)
    add_command_schemas(app)
    app.add_exception_handler(RequestValidationError, validation_problem)
    return app


def add_command_schemas(app: FastAPI) -> None:
    """Let the OpenAPI document describe commands by their own structs."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        """Return the document, made once."""
        first = app.openapi_schema is None
        document = made()
        if first:
            document["components"]["schemas"].update(command_schemas())
        return document

    app.openapi = openapi  # type: ignore[method-assign]


async def validation_problem(request: Request, error: Exception) -> Response:
    """Return what was given and what was expected, for the first field that does not fit."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where, expected = ".".join(str(part) for part in first.get("loc", ())), str(first.get("msg", "does not fit"))
    wrong = {"code": "shape", "text": f"{where}: {expected}", "expected": expected, "given": shown(str(first.get("input", "")))}
    return JSONResponse({"error": wrong}, 422)


def body_of(name: str) -> dict[str, object]:
    """Return how OpenAPI describes a body that is a command: by the struct that decodes it."""
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": {"$ref": SCHEMAS + name}}}}}


def command_schemas() -> dict[str, object]:
    """Return the schemas of all commands, made from their structs, of their union as `Command`, and of `Sit` where its tag may be left out."""
    (union,), schemas = msgspec.json.schema_components([PublicCommand], ref_template=SCHEMAS + "{name}")
    sit = schemas["Sit"]
    return {**schemas, "Command": union, TAGLESS: {**sit, "required": [name for name in sit["required"] if name != "t"]}}


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
            options={option.name: list(option.listed) for option in kind.options},
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
            free=empty_seats(live.table),
        )
        for live in list(house_of(request).lives.values())[-1000:]
        if waits_for_all(live.table)
    ]


@router.post("/tables", status_code=201)
async def open_one(request: Request, new: NewTable) -> Opened:
    """Open a table; its opener's token is the bearer token shown, or a new one."""
    house, visitor = house_of(request), read_visitor(request)
    clock = ClockTerms(new.clock.kind, new.clock.base, new.clock.add) if new.clock else None
    terms = Terms(new.game, new.seats, new.options, clock, new.sitting, new.watching, new.chat, new.hints, new.starts, new.position, setup=new.setup)
    if new.move_id and not visitor.bearer:
        raise Unreadable("a table is opened once only for a known opener: expected `Authorization: Bearer …` beside move_id")
    game, name = terms.agreed(), opening_id(visitor.bearer, new.move_id) if new.move_id else new_table_id()
    token = visitor.token(name) or new_token()
    invitations = [invitation(token, name, number) for number in range(game.seats)]
    opening = open_table(terms, token, house.clock(), invitations=[(given, None) for given in invitations], table=name)
    live = await (house.open_once if new.move_id else house.open)(opening, [], senders(request.scope))
    return Opened(table=name, token=token, invitations=invitations, commitment=live.table.seals[0][1], watch=live.table.watch_token(Actor((token,))))


async def sender_at(request: Request, table_id: str) -> tuple[House, Live, Actor]:
    """Return the house, the table and the sender of the request."""
    house = house_of(request)
    live = await house.live(table_id, sender(request.scope))
    return house, live, read_visitor(request).actor(live.table.match.id)


@router.post("/tables/{table_id}/seats", status_code=201, openapi_extra=body_of(TAGLESS))
async def sit_down(request: Request, table_id: TableId) -> Seated:
    """Take a seat; its token is the bearer token shown, or a new one."""
    house, live, actor = await sender_at(request, table_id)
    command = read_sit(await request.body())
    if not actor.tokens:
        if command.move_id:
            raise Unreadable("a seat is taken once only by a known player: expected `Authorization: Bearer …` beside move_id")
        actor = Actor((new_token(),))
    events = await house.do(live, command, actor)
    answered = live.table.answer_of(command.move_id) if command.move_id else None
    seated = [*events, *live.table.events[answered.seq :]] if answered else events
    seat = next((event.seat for event in seated if event.kind == EventKind.SEATED), command.seat)
    if seat not in live.table.held_by(actor):
        raise Refused("token", "no token table")  # a resend, after the seat was left
    return Seated(seat=seat, token=actor.tokens[0], seq=live.table.seq)


@router.post("/tables/{table_id}/commands", openapi_extra=body_of("Command"))
async def do(request: Request, table_id: TableId) -> Done:
    """Carry out a command; the answer comes only after it is written and committed."""
    house, live, actor = await sender_at(request, table_id)
    command = read_command(await request.body())
    await house.do(live, command, actor)
    return done(live, command.move_id)


def done(live: Live, move_id: str | None) -> Done:
    """Return the answer to a request, the same however often it is sent."""
    answered = live.table.answer_of(move_id) if move_id else None
    return Done(seq=answered.seq, hash=answered.hash) if answered else Done(seq=live.table.seq, hash=live.table.hash)


@router.get("/tables/{table_id}/state", response_model=TableState)
async def state(request: Request, table_id: TableId, since: Since = 0) -> Response:
    """Return the table as the sender sees it, and the events from `since` on."""
    house, live, actor = await sender_at(request, table_id)
    view = view_bytes(live, actor, read_visitor(request).language, house.clock())
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
    allowances: Allowances = request.app.state.allowances
    try:
        with allowances.listening(request.scope):
            pass
    except TooMany:
        raise HTTPException(429, "too many event streams and sockets from this address: close some") from None
    return StreamingResponse(
        counted(allowances, request, event_stream(house, live, first)), media_type="text/event-stream", headers={"x-accel-buffering": "no"}
    )


async def counted(allowances: Allowances, request: Request, events: AsyncIterator[str]) -> AsyncIterator[str]:
    """Give events as long as their listener has a place, like a socket."""
    with suppress(TooMany), allowances.listening(request.scope):
        async for event in events:
            yield event


async def event_stream(house: House, live: Live, first: int) -> AsyncIterator[str]:
    """Give events as they are committed, until the table is over or the house closes."""
    changed = asyncio.Event()
    live.listeners.add(changed.set)
    try:
        at = first
        while not house.closing:
            changed.clear()
            for event in live.table.events[at:]:
                yield f"id: {event.seq}\nevent: {event.kind}\ndata: {write_line(event)}\n\n"
                at = event.seq + 1
            if live.table.result and live.table.events[-1].kind == EventKind.REVEALED:
                return
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    await changed.wait()
            except TimeoutError:
                yield ": still here\n\n"
    finally:
        live.listeners.discard(changed.set)
