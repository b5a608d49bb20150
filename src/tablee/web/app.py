"""The application: pages, API and socket over one house, behind one guard."""

import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from tablee.core.errors import TableeError, UnknownName
from tablee.locale.errors import in_language
from tablee.store.log import Log, StoreError
from tablee.store.opening import FILE, open_store
from tablee.tables.commands import Unreadable
from tablee.tables.refused import Refused
from tablee.web import adviser, choose_pages, first_pages, handbook, invitation_pages, shelf_pages, table_pages, take_pages, visitor_pages
from tablee.web.allowances import Allowances, Unlimited
from tablee.web.carrying import CarriedHere, CarriedTogether
from tablee.web.engine_pool import SECRET_BYTES, EnginePool, Players
from tablee.web.guard import FRAMED_HEADERS, HEADERS, Guard
from tablee.web.house import House, NoTable
from tablee.web.house_clock import HouseClock
from tablee.web.metrics import Metrics
from tablee.web.pages import complain
from tablee.web.routing import path_in_house
from tablee.web.settings import Settings
from tablee.web.socket import Sockets
from tablee.web.table_pages import STATUS
from tablee.web.visitors import read_visitor

if TYPE_CHECKING:
    from tablee.web.file_watch import FileWatch

LATE_SECONDS = 1.0
log = logging.getLogger("tablee.house")

TOO_MANY, RETRY_AFTER = 429, "20"
PAGES = (shelf_pages, choose_pages, first_pages, adviser, invitation_pages, table_pages, take_pages, visitor_pages, handbook)


def make_app(settings: Settings, store: Log | None = None, players: Players | None = None) -> Guard:
    """Return the application; its store is opened when it starts and closed when it stops.

    `store` and `players` stand instead of those that the settings name: a file or a database, and worker processes.
    """
    metrics = Metrics()
    app = Starlette(lifespan=lifespan)
    allowances: Allowances | Unlimited = Unlimited()
    if not settings.alone:
        from tablee.web.api import served_app

        app, allowances = served_app(lifespan), Allowances(settings.allowance)
        app.mount("/static", GZipMiddleware(StaticFiles(packages=[("tablee.web", "static")]), minimum_size=400))
    app.state.settings = settings
    app.state.store, app.state.players = store, players
    app.state.metrics = metrics
    app.state.allowances = allowances
    app.state.carried = CarriedHere()
    app.state.sharing = None
    for pages in PAGES:
        app.router.routes.extend(pages.router.routes)
    add_health(app)
    app.router.routes.append(WebSocketRoute("/ws/{table_id}", socket))
    app.add_exception_handler(Exception, unexpected)
    for kind in (HTTPException, TableeError):
        app.add_exception_handler(kind, wrong)
    return Guard(app, complain, metrics, settings.names, allowances, FRAMED_HEADERS if settings.alone else HEADERS)


@asynccontextmanager
async def lifespan(app: Starlette) -> AsyncIterator[None]:
    """Open the house over its store, and close it in good order."""
    settings: Settings = app.state.settings
    given: Log | None = app.state.store
    store = await open_store(settings.database, settings.data) if given is None else given
    players: Players | None = app.state.players
    if players is None:
        players = await shared_players(store, settings, app.state.metrics) if settings.database else own_players(settings, app.state.metrics)
    watch = None if settings.database or given is not None else watch_file(settings, store)
    house = House(store, players, app.state.metrics, settings.grace_seconds, await begin_clock(store), watch)
    house.may_open = app.state.allowances.table
    app.state.house = house
    app.state.sockets = Sockets(house, app.state.allowances)
    try:
        if settings.database:
            await follow_others(app, house, settings.redis)
        await house.wake()
        if settings.engines:
            house.spawn(house.engines.warm())
        yield
    finally:
        await house.close()
        await store.close()


async def begin_clock(store: Log) -> HouseClock:
    """Return the time of the house, which never goes back behind what was noted before; a clock that was put back is come to little by little."""
    now, last = await store.time(), await store.last_beat()
    clock = HouseClock(now, last or 0.0)
    if clock.error < -LATE_SECONDS:
        log.warning("the clock was put back while the house was away", extra={"facts": {"seconds": round(-clock.error)}})
    return clock


def watch_file(settings: Settings, store: Log) -> "FileWatch":
    """Return what looks after the file of a house."""
    from tablee.web.file_watch import FileWatch

    return FileWatch(settings.data / FILE, lambda: str(getattr(store, "damage", "")))


def own_players(settings: Settings, metrics: Metrics) -> EnginePool:
    """Return the computer players of a house that is alone with its store."""
    return EnginePool(max(1, settings.engines), settings.think_seconds, metrics)


async def shared_players(store: Log, settings: Settings, metrics: Metrics) -> EnginePool:
    """Return the computer players that share one queue with those of other processes."""
    from tablee.store.postgres import PostgresLog
    from tablee.store.postgres_thoughts import Thoughts
    from tablee.web.shared_pool import SharedPool

    if not isinstance(store, PostgresLog):  # a file has no other writers
        return own_players(settings, metrics)
    thoughts = Thoughts(settings.database, store.pool, store.house)
    workers = -(-settings.engines // settings.workers)
    players = SharedPool(thoughts, workers, settings.think_seconds, metrics, await thoughts.secret(secrets.token_bytes(SECRET_BYTES)))
    players.begin()
    return players


async def follow_others(app: Starlette, house: House, redis: str) -> None:
    """Let a house follow what other processes write to the same database, and share with them what is counted."""
    from tablee.store.postgres import PostgresLog
    from tablee.store.postgres_shared import SharedFacts
    from tablee.web.follower import Follower
    from tablee.web.hints import Hints
    from tablee.web.sharing import Sharing

    if not isinstance(house.store, PostgresLog):
        return
    hints = Hints(redis, house.store.house)
    house.store.committed = hints.tell
    follower = house.follow = Follower(house, house.store, hints)
    await follower.begin()
    facts = SharedFacts(house.store)
    allowances: Allowances = app.state.allowances
    allowances.clock = house.clock
    app.state.carried = CarriedTogether(facts)
    app.state.sharing = Sharing(facts, allowances, house.metrics, lambda: follower.houses)
    house.spawn(hints.run())
    house.spawn(follower.run())
    house.spawn(app.state.sharing.run())


def add_health(app: Starlette) -> None:
    """Add the health checks and the metrics."""

    async def livez(_: Request) -> Response:
        """Alive: the loop is not late."""
        house: House = app.state.house
        late = house.lag > LATE_SECONDS
        return PlainTextResponse("late\n" if late else "alive\n", 503 if late else 200)

    async def readyz(_: Request) -> Response:
        """Ready: the last heartbeat was written, and the file is whole and where it was; nothing is written to find out."""
        house: House = app.state.house
        if house.closing:
            return PlainTextResponse("closing\n", 503)
        trouble = house.damage or house.trouble
        return PlainTextResponse(f"not ready: {trouble}\n" if trouble else "ready\n", 503 if trouble else 200)

    async def metrics(_: Request) -> Response:
        """Everything counted, by all houses on one database."""
        counted: Metrics = app.state.metrics
        sharing = app.state.sharing
        text = counted.text() if sharing is None else await sharing.measured()
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4; charset=utf-8")

    for answer in (livez, readyz, metrics):
        app.router.routes.append(Route(f"/{answer.__name__}", answer, methods=["GET"]))


async def socket(websocket: WebSocket) -> None:
    """Talk about one table."""
    sockets: Sockets = websocket.app.state.sockets
    await sockets.serve(websocket, websocket.path_params["table_id"])


async def wrong(request: Request, error: Exception) -> Response:
    """Say what is wrong, with the status that fits."""
    programs = path_in_house(request.scope).startswith("/api/")
    match error:
        case HTTPException(status_code=status):
            return complain(request, status, "" if not programs else str(error.detail))
        case Refused():
            language = read_visitor(request).language
            answer = refused_problem(error, language) if programs else complain(request, STATUS[error.code], error.say(language))
            if answer.status_code == TOO_MANY:
                answer.headers["retry-after"] = RETRY_AFTER
            return answer
        case Unreadable() if programs:
            return problem(422, "shape", str(error), expected=str(error))
        case NoTable():
            return problem(404, "no_table", str(error)) if programs else complain(request, 404, "")
        case StoreError():
            return (
                problem(503, "store", "the house cannot write just now, nothing has changed: send it again")
                if programs
                else complain(request, 503, "", "store")
            )
        case UnknownName() if not programs and request.method == "GET":
            return complain(request, 404, "")
    if programs:
        return problem(422, "impossible", str(error))
    return complain(request, 422, in_language(str(error), read_visitor(request).language))


async def unexpected(request: Request, error: Exception) -> Response:
    """Report an internal error without its cause."""
    return complain(request, 500, "")


def problem(status: int, code: str, text: str, **more: object) -> Response:
    """Return an error of the API."""
    return JSONResponse({"error": {"code": code, "text": text, **more}}, status)


def refused_problem(error: Refused, language: str) -> Response:
    """Return a refusal of the table as an error of the API."""
    return problem(STATUS[error.code], error.code, error.say(language), paragraphs=list(error.paragraphs), cells=list(error.cells))
