"""The whole site, built once for all tests of a run, on a host of files, in a real Chromium."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tablee.site.folder import write_site
from tests.browser.guest import ARGUMENTS, CHROMIUM
from tests.site.files import Host
from tests.wasm.awale import awale as awale
from tests.wasm.conftest import WORK, building


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site; of several processes the first one builds it. Without node or npm's registry there is none."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "site"  # never that of another run, which may be of older source
    with building():
        if not (folder / "files.json").exists():
            write_site(folder, work=WORK, house="/house")
    return folder


# No longer than a module: while a sync Playwright runs, nothing else in this thread may run an event loop.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def host(site_folder: Path, tmp_path: Path) -> Iterator[Host]:
    """Give a host that serves the site below a path."""
    host = Host(site_folder, tmp_path / "host")
    yield host
    host.stop()
