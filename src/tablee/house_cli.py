"""The commands that keep a house: serve, and players for the houses on a database."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from tablee.core.errors import needing, unknown
from tablee.locale import words as door_words
from tablee.store_cli import Database
from tablee.terminal.arguments import SPOKEN, Language, taking

LOG_LEVELS = ("debug", "info", "warning", "error")

Engines = Annotated[int | None, typer.Option(min=0, max=256, help="how many computer players think here at once (as many as cores but one)")]


@dataclass(frozen=True)
class Serving:
    """What `tablee serve` is given."""

    host: Annotated[str, typer.Option(help="the address to listen at")] = "127.0.0.1"
    port: Annotated[int, typer.Option(min=0, max=65535, help="the port; 0 takes a free one")] = 8080
    data: Annotated[Path | None, typer.Option(help="where the tables are kept (default: your user's data folder)")] = None
    lan: Annotated[bool, typer.Option("--lan", help="let the neighbours in: print the address and a QR code")] = False
    name: Annotated[list[str] | None, typer.Option(help="a host name the house answers to; may be given several times")] = None
    proxy: Annotated[str, typer.Option(help="the address of a proxy whose X-Forwarded headers are believed")] = ""
    allowance: Annotated[int, typer.Option(min=1, max=10000, help="multiply every limit of requests")] = 1
    database: Database = ""
    redis: Annotated[str, typer.Option(metavar="URL", help="redis://host:6379, for quicker news between processes")] = ""
    workers: Annotated[int, typer.Option(min=1, max=64, help="how many processes; more than one need --database")] = 1
    engines: Engines = None
    log: Annotated[str, typer.Option(help="debug, info, warning or error")] = "warning"
    browse: Annotated[bool, typer.Option("--open", help="open a browser, and take the next free port if this one is taken")] = False
    lang: Language = SPOKEN


@taking(Serving)
def serve_house(given: Serving) -> None:
    """Open the library in the browser, for oneself or for others."""
    with needing("tablee serve", "web"):
        from tablee.web.serve import serve, settings_from

    if given.log not in LOG_LEVELS:
        raise unknown("log level", given.log, LOG_LEVELS)
    settings = settings_from(given.data, given.name or [], given.allowance, given.database, given.redis, given.workers, given.engines)
    serve(given.host, given.port, settings, lan=given.lan, language=given.lang, log_level=given.log, proxy=given.proxy, browse=given.browse)


def serve_players(
    database: Database = "",
    engines: Engines = None,
    ray: Annotated[str, typer.Option(metavar="ADDRESS", help="let them think on a Ray cluster that is there; local begins one here")] = "",
    log: Annotated[str, typer.Option(help="debug, info, warning or error")] = "warning",
    lang: Language = SPOKEN,
) -> None:
    """Think for the houses on a database: computer players on a host of their own."""
    with needing("tablee players", "web"):
        from tablee.web.players_process import run_players
        from tablee.web.settings import spare_cores

    if log not in LOG_LEVELS:
        raise unknown("log level", log, LOG_LEVELS)
    count = spare_cores() if engines is None else max(1, engines)
    run_players(database, count, ray, log, door_words(lang)("players here", count=count))


COMMANDS: dict[str, Callable[..., None]] = {"serve": serve_house, "players": serve_players}
