"""The whole site, built once for all tests of a run, on a host of files, in a real Chromium."""

import fcntl
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tablee.site import CannotBuild
from tablee.site.folder import write_site
from tests.browser.guest import ARGUMENTS, CHROMIUM
from tests.site.files import Host

WORK = Path(__file__).parents[2] / "build" / "site"


@pytest.fixture(scope="session")
def site_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site; of several processes the first one builds it. Without node or npm's registry there is none."""
    folder = tmp_path_factory.getbasetemp().parent / "site"
    WORK.mkdir(parents=True, exist_ok=True)
    with (WORK / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "files.json").exists():
            try:
                write_site(folder, work=WORK, house="/house")
            except CannotBuild as error:
                pytest.skip(f"NOT TESTED: {error}")
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
