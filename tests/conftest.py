"""Settings of Hypothesis for every test: no example fails because the machine is busy. And real servers for those that need one."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, settings

if TYPE_CHECKING:
    from tests.store.pg import PgServer
    from tests.store.redis_server import RedisServer

settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# For `make mutate`, where a failure is all that counts: no example is made smaller or explained.
settings.register_profile("first failure", settings.get_profile("any machine"), phases=[Phase.explicit, Phase.generate])
settings.load_profile("any machine")


@pytest.fixture(autouse=True, scope="session")
def own_state(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the history and the seats of the terminal out of the home of who runs the tests."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(scope="session")
def pg() -> Iterator["PgServer"]:
    from tests.store.pg import PgServer  # the tests of the engine need none of this

    server = PgServer()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def redis_server() -> Iterator["RedisServer"]:
    from tests.store.redis_server import RedisServer

    server = RedisServer()
    yield server
    server.stop()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say aloud what a machine without Node.js or a registry did not test."""
    skipped = (str(report.longrepr) for report in terminalreporter.stats.get("skipped", []))
    for reason in sorted({text[text.index("NOT TESTED") :].rstrip("')") for text in skipped if "NOT TESTED" in text}):
        terminalreporter.write_line(f"WARNING: {reason}", yellow=True, bold=True)
