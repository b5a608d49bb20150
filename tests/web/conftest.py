from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.web.serving import Serving, serving


@pytest.fixture(scope="session")
def running_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.fixture
def house(running_house: Serving) -> Iterator[Serving]:
    yield running_house
    running_house.send_home()


@pytest.fixture
def person(house: Serving) -> Iterator[httpx.Client]:
    with house.person() as client:
        yield client


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"
