"""The application: pages, API and socket over one house, behind one guard."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request, WebSocket
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

from tablee.core.errors import TableeError, UnknownName, shown
from tablee.store.log import StoreError
from tablee.store.sqlite import SqliteLog
from tablee.tables.refused import Refused
from tablee.web import api, shelf_pages, table_pages, visitor_pages
from tablee.web.guard import Guard
from tablee.web.house import House, NoTable
from tablee.web.metrics import Metrics
from tablee.web.pages import complain
from tablee.web.settings import Settings
from tablee.web.socket import Hall
from tablee.web.table_pages import STATUS
from tablee.web.thinkers import Thinkers
from tablee.web.visitor_pages import Carried
from tablee.web.visitors import read_visitor

SOCKETS_AN_ADDRESS = 20
FILE = "tablee.sqlite"
LATE_SECONDS = 1.0


def make_app(settings: Settings) -> Guard:
    """Return the whole application; its data folder is opened when it starts and let go when it stops."""
    metrics = Metrics()
    app = FastAPI(title="Tablée", version="1", openapi_url="/api/v1/openapi.json", docs_url=None, redoc_url=None, lifespan=lifespan)
    app.state.settings = settings
    app.state.metrics = metrics
    app.state.carried = Carried()
    for router in (shelf_pages.router, table_pages.router, visitor_pages.router, api.router):
        app.include_router(router)
    add_health(app)
    add_socket(app)
    app.mount("/static", GZipMiddleware(StaticFiles(packages=[("tablee.web", "static")]), minimum_size=400))
    app.add_exception_handler(Exception, unexpected)
    for kind in (HTTPException, RequestValidationError, TableeError):
        app.add_exception_handler(kind, wrong)
    return Guard(app, complain, metrics, settings.names, settings.allowance)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Open the house over its data folder, and close it in good order."""
    settings: Settings = app.state.settings
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    store = SqliteLog(settings.data / FILE)
    house = House(store, Thinkers(settings.thinkers, settings.think_seconds, app.state.metrics), app.state.metrics, settings.grace_seconds)
    app.state.house = house
    app.state.hall = Hall(house, SOCKETS_AN_ADDRESS * settings.allowance)
    try:
        await house.wake()
        house.spawn(house.thinkers.warm())
        yield
    finally:
        await house.close()
        await store.close()


def add_health(app: FastAPI) -> None:
    """Add what tells a supervisor how the house is."""

    @app.get("/livez", include_in_schema=False)
    async def livez() -> Response:
        """Alive: the loop is not late."""
        house: House = app.state.house
        late = house.lag > LATE_SECONDS
        return PlainTextResponse("late\n" if late else "alive\n", 503 if late else 200)

    @app.get("/readyz", include_in_schema=False)
    async def readyz() -> Response:
        """Ready: a row can be written."""
        house: House = app.state.house
        try:
            async with asyncio.timeout(2):
                await house.store.beat(time.time())
        except (TimeoutError, StoreError):
            return PlainTextResponse("not ready\n", 503)
        return PlainTextResponse("closing\n" if house.closing else "ready\n", 503 if house.closing else 200)

    @app.get("/metrics", include_in_schema=False)
    async def metrics() -> Response:
        """Everything counted."""
        counted: Metrics = app.state.metrics
        return PlainTextResponse(counted.text(), media_type="text/plain; version=0.0.4; charset=utf-8")


def add_socket(app: FastAPI) -> None:
    """Add the socket of each table."""

    @app.websocket("/ws/{table_id}")
    async def socket(websocket: WebSocket, table_id: str) -> None:
        """Talk about one table."""
        hall: Hall = app.state.hall
        await hall.serve(websocket, table_id)


async def wrong(request: Request, error: Exception) -> Response:
    """Say what is wrong, with the status that fits."""
    programs = request.url.path.startswith("/api/")
    match error:
        case RequestValidationError():
            return validation_problem(error) if programs else complain(request, 400, "")
        case HTTPException(status_code=status):
            return complain(request, status, "" if not programs else str(error.detail))
        case Refused():
            language = read_visitor(request).language
            return refused_problem(error, language) if programs else complain(request, STATUS[error.code], error.say(language))
        case NoTable():
            return problem(404, "no_table", str(error)) if programs else complain(request, 404, "")
        case StoreError():
            return problem(503, "store", "the house cannot write just now: send the same request again") if programs else complain(request, 503, "")
        case UnknownName() if not programs and request.method == "GET":
            return complain(request, 404, "")
    return problem(422, "impossible", str(error)) if programs else complain(request, 422, str(error))


async def unexpected(request: Request, error: Exception) -> Response:
    """Say that the house has stumbled, and nothing of why."""
    return complain(request, 500, "")


def problem(status: int, code: str, text: str, **more: object) -> Response:
    """Return an error of the API."""
    return JSONResponse({"error": {"code": code, "text": text, **more}}, status)


def refused_problem(error: Refused, language: str) -> Response:
    """Return a refusal of the table as an error of the API."""
    return problem(STATUS[error.code], error.code, error.say(language), paragraphs=list(error.paragraphs), cells=list(error.cells))


def validation_problem(error: RequestValidationError) -> Response:
    """Return what was given and what was expected, for the first field that does not fit."""
    first = error.errors()[0]
    where, expected = ".".join(str(part) for part in first.get("loc", ())), str(first.get("msg", "does not fit"))
    return problem(422, "shape", f"{where}: {expected}", expected=expected, given=shown(str(first.get("input", ""))))
