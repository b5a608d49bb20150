"""The command `tablee site`: the library as files for any host, and a look at it."""

import functools
import http.server
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from tablee.core.errors import TableeError
from tablee.locale import words
from tablee.locale.errors import in_language
from tablee.site.tools import CannotBuild
from tablee.terminal.arguments import SPOKEN, Language

MEGABYTE = 1_000_000
HERE = "127.0.0.1"


def site(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="where to write the files: a new folder, or one that holds a site already")],
    plugin: Annotated[list[str] | None, typer.Option("--with", metavar="PACKAGE", help="an installed package of games, such as tablee-awale")] = None,
    house: Annotated[str, typer.Option(metavar="URL", help="a house with a server, for what needs other people")] = "",
    plain: Annotated[bool, typer.Option("--plain", help="leave the engine as plain Python: slower, but nothing is compiled")] = False,
    work: Annotated[Path, typer.Option(metavar="FOLDER", help="where downloads and compiled parts are kept")] = Path("build/site"),
    serve: Annotated[int, typer.Option("--try", metavar="PORT", help="then serve the folder on this machine, and open a browser")] = 0,
    lang: Language = SPOKEN,
) -> None:
    """Write the library as static files: any web host serves it, and it plays in the browser without a server."""
    from tablee.site.folder import write_site

    say = words(lang)
    if house and not house.startswith(("https://", "http://")):
        raise TableeError(f"{house[:80]!r} is no address of a house: expected https://…")
    try:
        made = write_site(
            folder,
            work=work,
            plugins=plugin or [],
            compiled=not plain,
            house=house,
            waits=lambda: print(say("site waits", folder=str(work)), flush=True),
        )
    except CannotBuild as error:
        raise TableeError(f"the site cannot be built here: {error}") from error
    print(say("site done", folder=str(folder), size=f"{made.size / MEGABYTE:.1f}", version=made.version))
    print(say("site compiled") if made.python.compiled else say("site plain", why=in_language(made.python.why, lang)))
    if serve:
        try_site(folder, serve, lang)


def try_site(folder: Path, port: int, lang: str) -> None:
    """Serve a folder on this machine until it is stopped: nothing but files."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    try:
        opened = http.server.ThreadingHTTPServer((HERE, port), handler)
    except (OSError, OverflowError) as error:
        raise TableeError(f"cannot listen at {HERE}:{port}: {getattr(error, 'strerror', '') or error}; choose another port with --try") from error
    with opened as server:
        address = f"http://{HERE}:{server.server_port}/"
        print(words(lang)("serve here", address=address), flush=True)
        webbrowser.open(address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return
