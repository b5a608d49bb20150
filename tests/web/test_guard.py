"""Where requests come from, how long and how many they are, and what the log keeps of them."""

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.datastructures import Headers

from tablee.web.allowances import MINUTE, TABLES_A_MINUTE, Allowances, sender
from tablee.web.guard import foreign, masked
from tablee.web.logs import JsonLines
from tests.web.serving import Serving, now, serving, view, wait_for

FORMS = [
    "/g/traboulet/now",
    "/g/traboulet",
    "/g/traboulet/from",
    "/settings",
    "/me",
    "/me/carry",
    "/me/carry/x",
    "/me/delete",
    "/t/{t}/do",
    "/t/{t}/sit",
    "/t/{t}/from",
    "/t/{t}/harder",
]
CALLS = ["/api/v1/tables", "/api/v1/tables/{t}/seats", "/api/v1/tables/{t}/commands"]
ORIGINS = [
    "null",
    "http://evil.example",
    "https://{host}",
    "http://{host}.evil.example",
    "http://evil.{host}",
    "http://{name}",
    "http://{name}:1",
    "http://{host}/",
    "http://{host}@evil.example",
    "file://",
    "http://",
    "",
    "{host}",
    "ws://{host}",
    "http://localhost:{port}",
    "http://[::1]:{port}",
    "http://{host}x",
]


def variants(base: str) -> list[str]:
    host = base.removeprefix("http://")
    name, _, port = host.partition(":")
    return [origin.format(host=host, name=name, port=port) for origin in ORIGINS]


@pytest.mark.parametrize("path", FORMS + CALLS)
def test_no_change_comes_from_another_site(house: Serving, path: str) -> None:
    with house.person() as client:
        table = now(client, "traboulet")
        before = wait_for(client, table, "legal")["seq"]
        where = path.format(t=table)
        for origin in variants(house.base):
            answer = client.post(where, data={"t": "leave", "seat": "0", "sure": "yes"}, headers={"origin": origin})
            assert answer.status_code == 403, origin
        for site in ("cross-site", "same-site", "none"):
            assert client.post(where, headers={"sec-fetch-site": site}).status_code == 403
        del client.headers["origin"]
        assert client.post(where).status_code == 403
        assert client.post(where, content=b"{}", headers={"content-type": "text/plain"}).status_code == 403
        assert view(client, table)["seq"] == before


def test_a_program_without_cookies_needs_no_origin_at_the_api_alone(house: Serving) -> None:
    assert httpx.post(f"{house.base}/api/v1/tables", json={"game": "tabu"}).status_code == 201
    assert httpx.post(f"{house.base}/g/tabu/now").status_code == 403


def test_the_origin_of_the_house_is_compared_whole() -> None:
    assert not foreign(Headers({"host": "a:1", "origin": "http://a:1", "cookie": "carte=x"}), "http", api=False)
    assert foreign(Headers({"host": "a:1", "origin": "https://a:1"}), "http", api=True)
    assert foreign(Headers({"host": "a:1", "cookie": "carte=x"}), "http", api=True)


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
def test_other_methods_are_refused_in_words(house: Serving, method: str) -> None:
    with house.person() as client:
        answer = client.request(method, "/")
    assert answer.status_code == 405
    assert "Not possible at this address" in answer.text


def test_the_house_answers_only_to_its_names(house: Serving) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example", "localhost.evil.example", ""):
        assert httpx.get(house.base, headers={"host": host}).status_code in (400, 421), host
    assert httpx.get(house.base, headers={"host": f"localhost:{house.port}"}).status_code == 200


def test_a_body_has_at_most_16_kilobytes(house: Serving) -> None:
    with house.person() as client:
        assert client.post("/me", data={"name": "x" * 17000}).status_code == 413
        answer = client.post("/api/v1/tables", json={"game": "x" * 17000})
        assert answer.status_code == 413
        assert answer.json()["error"]["code"] == "413"

        def drops() -> Iterator[bytes]:
            for _ in range(40):
                yield b"x" * 1000

        assert client.post("/me", content=drops()).status_code == 413


def test_a_form_that_is_none_is_refused(house: Serving) -> None:
    with house.person() as client:
        assert client.post("/me", json={"name": "x"}).status_code == 422
        assert client.post("/me", content=b"name=%ff%fe", headers={"content-type": "application/x-www-form-urlencoded"}).status_code == 422
        many = "&".join(f"a{n}=1" for n in range(100))
        assert client.post("/me", content=many.encode(), headers={"content-type": "application/x-www-form-urlencoded"}).status_code == 422


def set_clock(house: Serving, now: float) -> None:
    """Let the clock of the allowances stand still."""
    allowances = house.guard.allowances
    assert isinstance(allowances, Allowances)
    allowances.clock = lambda: now


def asked(client: httpx.Client, path: str, times: int, spoofed: bool = False) -> list[httpx.Response]:
    """Ask for a table so many times, each time as if from another address if `spoofed`; return all answers."""
    client.follow_redirects = False
    return [client.post(path, headers={"x-forwarded-for": f"10.0.0.{number}"} if spoofed else {}) for number in range(times)]


def test_whoever_asks_too_often_is_asked_to_wait(data: Path) -> None:
    with serving(data, allowance=1) as house, house.person() as client:
        set_clock(house, 0.0)
        *before, refused = asked(client, "/g/traboulet/now", TABLES_A_MINUTE + 1)
        assert {answer.status_code for answer in before} == {303}
        assert refused.status_code == 429
        assert "slower" in refused.text
        assert refused.headers["retry-after"]
        assert client.get("/").status_code == 200
        set_clock(house, 2 * MINUTE)
        assert client.post("/g/traboulet/now").status_code == 303


def test_an_address_counts_by_itself_and_a_network_of_64_bits_as_one() -> None:
    assert sender({"client": ("192.0.2.7", 1)}) == "192.0.2.7"
    assert sender({"client": ("2001:db8::1", 1)}) == sender({"client": ("2001:db8::ffff", 2)})
    assert sender({"client": ("2001:db8::1", 1)}) != sender({"client": ("2001:db8:0:1::1", 1)})


def test_a_spoofed_forwarding_header_is_not_believed(data: Path) -> None:
    with serving(data, allowance=1) as house, house.person() as client:
        set_clock(house, 0.0)
        assert asked(client, "/g/tabu/now", TABLES_A_MINUTE + 1, spoofed=True)[-1].status_code == 429


def test_the_log_holds_no_secret_and_no_second_line(house: Serving) -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("tablee")
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        with house.person() as client:
            answer = client.post("/g/traboulet", data={"seats": "2", "seat-0": "me", "seat-1": "open"})
            carte = client.cookies["carte"]
            link = answer.text.partition("/join/")[2][:43]
            client.get(f"{answer.url.path}/join/{link}")
            client.get("/me/carry/" + "S" * 43)
            client.get("/%0d%0aforged", headers={"authorization": "Bearer " + "T" * 43})
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
    text = stream.getvalue()
    assert "/join/…" in text
    for secret in (carte, link, "S" * 43, "T" * 43):
        assert secret not in text
    assert all(json.loads(line)["what"] for line in text.splitlines())


def test_a_path_is_masked_before_it_is_logged() -> None:
    assert masked("/t/abc/join/secret") == "/t/abc/join/…"
    assert masked("/t/abc/watch/secret") == "/t/abc/watch/…"
    assert masked("/me/carry/secret") == "/me/carry/…"
    assert "\n" not in masked("/a\nb")


def test_health_and_metrics_answer_and_tell_no_names(house: Serving) -> None:
    assert httpx.get(f"{house.base}/livez").text == "alive\n"
    assert httpx.get(f"{house.base}/readyz").text == "ready\n"
    text = httpx.get(f"{house.base}/metrics").text
    assert "tablee_requests_total" in text
    for line in text.splitlines():
        assert line.startswith("# TYPE tablee_") or len(line.rsplit(" ", 1)) == 2
