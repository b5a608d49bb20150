"""The house where it stands under a path of its own, and without what only a server needs."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.types import Receive, Scope, Send

from tablee.web.app import make_app
from tablee.web.guard import Guard
from tablee.web.settings import Settings

ROOT = "/games/house"
HERE = "http://127.0.0.1"


class Below:
    """A house below a path, as a server or a proxy puts it there."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with the path that the house stands under."""
        await self.guard({**scope, "root_path": ROOT}, receive, send)


async def pages_below(data: Path) -> tuple[dict[str, str], str]:
    """Return some pages of a house below a path, and where it sends somebody who opens a table."""
    guard = make_app(Settings(data=data))
    application: Any = guard.app
    async with (
        application.router.lifespan_context(application),
        httpx.AsyncClient(transport=httpx.ASGITransport(Below(guard)), base_url=HERE, headers={"origin": HERE}) as client,
    ):
        opened = await client.post(f"{ROOT}/g/traboulet/now")
        where = opened.headers["location"]
        return {path: (await client.get(path)).text for path in (f"{ROOT}/", f"{ROOT}/g/tabu", f"{ROOT}/me", f"{ROOT}/r/tablan", where)}, where


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], str]:
    return asyncio.run(pages_below(tmp_path_factory.mktemp("below")))


def test_every_link_of_a_page_leads_to_the_house_below_its_path(below: tuple[dict[str, str], str]) -> None:
    for path, html in below[0].items():
        links = re.findall(r'\b(?:href|src|action|data-essentials)="(/[^"]*)"', html)
        assert len(links) > 5, path
        assert [link for link in links if not link.startswith(ROOT + "/")] == [], path


def test_a_redirection_leads_to_the_house_below_its_path(below: tuple[dict[str, str], str]) -> None:
    assert re.fullmatch(rf"{ROOT}/t/[\w-]{{16}}", below[1])


def test_the_current_page_is_marked_below_a_path_too(below: tuple[dict[str, str], str]) -> None:
    assert f'href="{ROOT}/me" aria-current="page"' in below[0][f"{ROOT}/me"]


def test_the_pages_need_nothing_that_only_a_server_needs() -> None:
    """The API alone needs FastAPI; a store, limits and a server are for those who run one."""
    program = "import sys, tablee.web.app; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = set(run.stdout.split())
    assert "starlette" in loaded
    assert not loaded & {"fastapi", "pydantic", "limits", "apsw", "uvicorn", "websockets", "rich", "typer", "fpdf"}
