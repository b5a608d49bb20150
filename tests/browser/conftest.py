"""A real house, a real Chromium: every page is watched for what leaves the house and for what its policy forbids."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.guest import ARGUMENTS, CHROMIUM, Guest
from tests.web.serving import PATIENT_HOUSE, Process

Invite = Callable[..., Guest]


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of `tablee serve`, which waits for what each browser adds to the dice."""
    house = Process(tmp_path_factory.mktemp("house"), house=PATIENT_HOUSE)
    house.ready()
    yield house.base
    house.terminate()


# No longer than a module: while a sync Playwright runs, nothing else in this thread may run an event loop.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def invite(chromium: Browser, address: str) -> Iterator[Invite]:
    """Give a way to let a guest in: a browser of its own; at the end nothing must have left the house."""
    guests: list[Guest] = []

    def let_in(**wishes: object) -> Guest:
        guests.append(Guest(chromium, address, **wishes))  # type: ignore[arg-type]
        return guests[-1]

    yield let_in
    complaints = [complaint for guest in guests for complaint in guest.leave()]
    assert not complaints


@pytest.fixture(scope="session")
def artefacts() -> Path:
    """Give the folder for pictures that people look at; it is not kept in the repository."""
    folder = Path(__file__).parents[2] / "artefacts"
    folder.mkdir(exist_ok=True)
    return folder
