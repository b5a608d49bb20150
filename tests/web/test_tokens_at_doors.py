"""Every public command with every wrong token, over the API and at a socket of one house: each is refused, and nothing changes."""

import asyncio
from collections.abc import Callable, Iterator

import httpx
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from tablee.tables.commands import PUBLIC, Command
from tablee.tables.tokens import Actor
from tablee.web.socket import NOT_ALLOWED as SHUT_OUT
from tests.tables.company import Company
from tests.tables.rightful import RIGHTFUL, Row, other_may
from tests.tables.test_tokens import wrong
from tests.web.serving import Serving, serving
from tests.web.test_socket import Wire, wire


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A house that does nothing by itself within the time of a test."""
    with serving(tmp_path_factory.mktemp("quiet"), grace_seconds=3600.0) as running:
        yield running


def rows() -> list[Row]:
    """Return the rows for every public command, so that none can be forgotten."""
    found = [row for row in RIGHTFUL if isinstance(row[2], PUBLIC)]
    assert {type(row[2]) for row in found} == set(PUBLIC)
    return found


def laid(house: Serving, lay: Callable[[], Company]) -> Company:
    """Return a table that is written into the store of the house."""
    company = lay()
    store = house.guard.app.state.house.store  # type: ignore[attr-defined]
    asyncio.run(store.create(company.table.id, company.table.events, company.opening.secret))
    return company


def events_at(house: Serving, company: Company) -> list[object]:
    """Return the log of a table as the house has it."""
    return list(house.guard.app.state.house.lives[company.table.id].table.events)  # type: ignore[attr-defined]


def posted(client: httpx.Client, company: Company, command: Command, actor: Actor) -> httpx.Response:
    """Send a command over the API, with the first token of somebody."""
    headers = {b"content-type": b"application/json"}
    if actor.tokens:
        headers[b"authorization"] = f"Bearer {actor.tokens[0]}".strip().encode()
    return client.post(f"/tables/{company.table.id}/commands", content=msgspec.json.encode(command), headers=headers)


def refusal(line: Wire, command: Command) -> str | int:
    """Send a command at a socket, and return the code of its refusal, or that with which a stranger was shut out before."""
    try:
        line.say(**{**msgspec.to_builtins(command), "move_id": "wrong"})
        while (heard := line.hear("ok", "no"))["move_id"] is None:
            pass  # the table does not show itself to a stranger
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 0
    assert (heard["t"], heard["move_id"]) == ("no", "wrong"), heard
    return str(heard["code"])


def impostors(lay: Callable[[], Company], company: Company, name: str, command: Command) -> dict[str, Actor]:
    """Return everybody who may not do it."""
    found = wrong(company, name)
    other = found.get("the other's")
    if other and other_may(lay, company, other, command):
        del found["the other's"]
    return found


@pytest.mark.parametrize(("lay", "name", "command"), rows(), ids=lambda part: getattr(part, "__name__", type(part).__name__))
def test_every_public_command_with_every_wrong_token_is_refused_at_both_doors(
    quiet: Serving, lay: Callable[[], Company], name: str, command: Command
) -> None:
    company, client = laid(quiet, lay), quiet.bot()
    for what, actor in impostors(lay, company, name, command).items():
        if not any("\n" in token for token in actor.tokens):  # no header can hold a line
            answer = posted(client, company, command, actor)
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "token"), what
        with wire(quiet, company.table.id, hello=False) as line:
            line.say(t="hello", seq=-1, tokens=list(actor.tokens))
            assert refusal(line, command) in ("token", SHUT_OUT), what
        assert events_at(quiet, company) == company.table.events, what
    assert posted(client, company, command, company.who(name)).status_code == 200
    assert len(events_at(quiet, company)) > len(company.table.events)
