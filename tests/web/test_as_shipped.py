"""The house as `tablee serve` runs it by default: its limits are wired to one process and to each of several."""

import resource
import select
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import uvicorn

from tablee.web import serve
from tablee.web.connections import CONNECTIONS_AN_ADDRESS
from tablee.web.settings import Settings
from tests.web.serving import WAIT, Process

HALF = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
PARTIAL = 1100


@pytest.fixture
def many_files() -> Iterator[None]:
    """Let this process open as many sockets as it needs."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before[0], min(before[1], 8192)) if before[1] > 0 else 8192, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def hung_up(lines: list[socket.socket]) -> int:
    """Return at how many connections the other end has hung up."""
    poll = select.poll()
    for line in lines:
        poll.register(line, select.POLLIN | select.POLLHUP | select.POLLERR)
    return len(poll.poll(0))


@pytest.mark.usefixtures("many_files")
def test_partial_headers_by_the_thousand_leave_the_house_open_to_others(data: Path) -> None:
    house = Process(data, more=("--allowance", "1"))
    lines = []
    try:
        house.ready()
        for _ in range(PARTIAL):
            line = socket.create_connection(("127.0.0.1", house.port), timeout=WAIT, source_address=("127.0.0.2", 0))
            lines.append(line)
            line.sendall(HALF)
        assert httpx.get(f"{house.base}/").status_code == 200
        until = time.monotonic() + WAIT
        while hung_up(lines) < PARTIAL - CONNECTIONS_AN_ADDRESS and time.monotonic() < until:
            time.sleep(0.05)
        assert hung_up(lines) >= PARTIAL - CONNECTIONS_AN_ADDRESS
        with httpx.Client(base_url=house.base) as other:
            assert [other.get(path).status_code for path in ("/", "/livez", "/readyz")] == [200] * 3
    finally:
        for line in lines:
            line.close()
        house.kill()


def test_each_of_several_processes_counts_connections_and_tells_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "set_up_logs", lambda level: None)
    monkeypatch.setattr(serve, "collect_rarely", lambda: None)
    config = serve.for_workers(Settings(workers=3, allowance=2, database="postgresql:///x"), "warning", "192.0.2.9")
    assert (config.workers, config.timeout_worker_healthcheck, config.factory) == (3, serve.WORKER_SECONDS, True)
    config.load()
    counted = config.http_protocol_class.counted  # type: ignore[attr-defined]
    assert (counted.places.most, counted.unlimited) == (2 * CONNECTIONS_AN_ADDRESS, frozenset({"192.0.2.9"}))
    for _ in range(CONNECTIONS_AN_ADDRESS):
        assert counted.enter("192.0.2.1")
    assert config.app.allowances.news() == [("connected", 0, "192.0.2.1", CONNECTIONS_AN_ADDRESS)]  # type: ignore[union-attr]


def test_one_process_counts_connections_and_frames(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    run: list[object] = []

    def keep(server: uvicorn.Server, sockets: list[socket.socket]) -> None:
        run.append(server.config)
        sockets[0].close()

    monkeypatch.setattr(uvicorn.Server, "run", keep)
    monkeypatch.setattr(serve, "set_up_logs", lambda level: None)
    monkeypatch.setattr(serve, "collect_rarely", lambda: None)
    serve.serve("127.0.0.1", 0, Settings(data=data, allowance=3), lan=False, language="en", log_level="warning", proxy="192.0.2.9")
    (config,) = run
    config.load()  # type: ignore[attr-defined]
    counted = config.http_protocol_class.counted  # type: ignore[attr-defined]
    assert (counted.places.most, counted.unlimited) == (3 * CONNECTIONS_AN_ADDRESS, frozenset({"192.0.2.9"}))
    assert config.app.allowances.connections is counted.places  # type: ignore[attr-defined]
    assert config.ws_max_size == serve.FRAME_LIMIT  # type: ignore[attr-defined]
