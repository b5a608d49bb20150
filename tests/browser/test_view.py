"""The browser makes the same view of a change as the house does."""

import json

import msgspec
import pytest

from tablee.catalog import OURS
from tablee.tables.view_types import View
from tablee.web.live import Live
from tablee.web.table_view import Listener, table_view
from tests.browser.conftest import Invite
from tests.tables.company import Company

APPLIED = """async ([view, frames]) => {
  const { applied } = await import("/static/view.js");
  return frames.reduce(applied, view);
}"""


@pytest.mark.parametrize("game", OURS)
def test_changes_add_up_in_the_browser(game: str, invite: Invite) -> None:
    company = Company(game, seats=2).seated("Ana", "Ben")
    live = Live(company.table)
    listener = Listener(company.who("Ana"), "fr")
    first = json.loads(listener.frame(live, company.now))["view"]
    frames = []
    for seed in range(30):
        company.wander(seed, most=1)
        live.table = company.table
        frames.append(json.loads(listener.frame(live, company.now)))
        if company.table.phase == "over":
            break
    assert all(frame["t"] == "change" for frame in frames)
    guest = invite()
    guest.page.goto("/")
    made = guest.page.evaluate(APPLIED, [first, frames])
    shown = table_view(live, company.who("Ana"), "fr", company.now)
    assert msgspec.convert(made, View, strict=False) == msgspec.json.decode(msgspec.json.encode(shown), type=View)
