from pathlib import Path

import pytest

from tests.store.pg import PgServer
from tests.store.places import LocalPlace, Place, PostgresPlace, SqlitePlace


@pytest.fixture(params=["sqlite", "postgres", "browser"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "sqlite":
        return SqlitePlace(tmp_path / "tables.db")
    if request.param == "browser":
        return LocalPlace(tmp_path / "rows.json")
    server: PgServer = request.getfixturevalue("pg")
    return PostgresPlace(server.new_database())
