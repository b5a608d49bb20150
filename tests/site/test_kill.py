"""The tab is killed while somebody plays: nothing confirmed is lost, nothing is doubled. `make site-kill` kills twenty times, `make test` twice."""

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, sync_playwright

from tablee.tables.events import read_log, verify
from tests.browser.guest import ARGUMENTS, CHROMIUM
from tests.site.files import Host
from tests.site.tab import Tab

KILLS = int(os.environ.get("TABLEE_KILLS", "2"))
# Keeps every confirmation that reaches the page, in a store that outlives the tab.
EARS = """() => {
  const heard = (event) => {
    if (event.data?.t !== "frame") return;
    const message = JSON.parse(event.data.text);
    if (message.t !== "ok") return;
    const known = JSON.parse(localStorage.getItem("confirmed") ?? "[]");
    localStorage.setItem("confirmed", JSON.stringify([...known, [message.seq, message.hash]]));
  };
  const Native = window.MessageChannel;
  window.MessageChannel = class extends Native { constructor() { super(); this.port1.addEventListener("message", heard); } };
}"""


def confirmed(tab: Tab) -> set[str]:
    """Return the hashes of all that was ever confirmed to a page."""
    return {digest for _, digest in json.loads(tab.page.evaluate("localStorage.getItem('confirmed') ?? '[]'"))}


@pytest.fixture
def profile(tmp_path: Path) -> Iterator[BrowserContext]:
    """Give a browser with a profile on disk."""
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            str(tmp_path / "profile"), executable_path=CHROMIUM, args=ARGUMENTS, locale="en-GB", reduced_motion="reduce"
        )
        yield context
        context.close()


def test_no_confirmed_action_is_lost_and_none_is_doubled(profile: BrowserContext, host: Host) -> None:
    profile.add_init_script(f"({EARS})()")
    tab = Tab(profile, host.address)
    tab.enter()
    assert profile.new_cdp_session(tab.page).send("Page.getInstallabilityErrors") == {"installabilityErrors": []}
    tab.open_table("tablan", level=1)
    tables = [tab.table]
    for kill in range(KILLS):
        before = len(confirmed(tab))
        while len(confirmed(tab)) <= before and not tab.look()["over"]:
            tab.act(tab.look())
        tab.act(tab.look())
        tab.page.wait_for_timeout(kill * 7)  # in the middle of something else each time
        tab.crash()
        tab.enter(f"t/{tables[-1]}")
        tab.alive()
        logs = [read_log(tab.log(table)) for table in tables]
        for events in logs:
            verify(events)
            numbers = [event.move_id for event in events if event.move_id]
            assert len(numbers) == len(set(numbers)), kill
        kept = {event.hash for events in logs for event in events}
        assert len(confirmed(tab)) > before or tab.look()["over"]
        assert confirmed(tab) <= kept, kill
        if tab.look()["over"]:
            tab.open_table("tablan", level=1)
            tables.append(tab.table)
