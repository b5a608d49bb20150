"""The dice, checked a second time in the browser: it accepts what is true and refuses what was doctored."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tablee.tables.events import write_log
from tablee.tables.opening import Opening
from tablee.tables.resealing import reseal
from tests.browser.conftest import Invite
from tests.browser.guest import Guest, play
from tests.tables.company import Company

VECTORS = Path(__file__).parents[1] / "tables" / "dice_vectors.json"
RECOMPUTE = """async (vector) => {
  const dice = await import("/static/dice.js");
  const secret = dice.unhex(vector.secret, 0);
  const mixed = await dice.mixture(vector.contributions.map((one) => ({seat: one.seat, bytes: dice.unhex(one.bytes, 0)})));
  const key = await dice.Dice.key(secret);
  const draws = [];
  for (const event of vector.events) {
    const stream = new dice.Dice(key, vector.table, event.label, event.number, mixed);
    const found = [];
    for (const [n] of event.draws) found.push([n, await stream.draw(n)]);
    draws.push(found);
  }
  return {commitment: await dice.commitment(vector.table, secret, vector.dice), mixture: dice.hex(mixed), draws};
}"""


def test_the_browser_comes_to_the_numbers_of_the_vectors(invite: Invite) -> None:
    guest = invite()
    guest.page.goto("/verify")
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
    assert vectors
    for vector in vectors:
        found = guest.page.evaluate(RECOMPUTE, vector)
        assert found == {
            "commitment": vector["commitment"],
            "mixture": vector["mixture"],
            "draws": [event["draws"] for event in vector["events"]],
        }


@pytest.fixture(scope="module")
def log(chromium: object, address: str) -> list[dict[str, object]]:
    """Give the log of a game with dice, played here and finished."""
    guest = Guest(chromium, address)  # type: ignore[arg-type]
    guest.open("tablan", ["me", "level-1"])
    assert play([guest], 16)
    guest.give_up()
    guest.page.wait_for_selector("#result")
    guest.page.click("#result a[href^='/verify']")
    guest.page.wait_for_selector("#verify-result[data-verdict=good]")
    assert guest.page.locator(".server-check li").count()
    events: list[dict[str, object]] = json.loads(guest.page.inner_text("#log") or guest.page.evaluate("document.querySelector('#log').textContent"))
    assert not guest.leave()
    return events


def verdict(guest: Guest, events: list[dict[str, object]], folder: Path) -> str:
    """Return what the page says of a log that somebody brings."""
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
    guest.page.goto("/verify")
    guest.page.set_input_files("#verify-file", path)
    guest.page.wait_for_selector("#verify-result[data-verdict]")
    return guest.page.get_attribute("#verify-result", "data-verdict") or ""


def test_a_true_log_is_accepted(invite: Invite, log: list[dict[str, object]], tmp_path: Path) -> None:
    assert sum(event["kind"] == "threw" for event in log) > 3
    assert verdict(invite(), log, tmp_path) == "good"


def test_a_log_without_its_end_is_open(invite: Invite, log: list[dict[str, object]], tmp_path: Path) -> None:
    cut = next(at for at, event in enumerate(log) if event["kind"] == "ended")
    assert verdict(invite(), log[:cut], tmp_path) == "open"


# Whoever doctors a log can compute the hashes anew: only the dice then show it.
REHASH = """async (events) => {
  const { canonical, hex, sha256 } = await import("/static/dice.js");
  let previous = "";
  for (const event of events) {
    const { hash, aside, ...fields } = { ...event, previous };
    event.previous = previous;
    previous = event.hash = hex(await sha256(new TextEncoder().encode(canonical(fields))));
  }
  return events;
}"""


def other_throw(events: list[dict[str, object]]) -> None:
    """Change what was thrown."""
    payload = next(event["payload"] for event in events if event["kind"] == "threw")
    assert isinstance(payload, dict)
    n, value = payload["draws"][0]
    payload["draws"][0] = [n, (value + 1) % n]


def other_secret(events: list[dict[str, object]]) -> None:
    """Reveal another secret."""
    payload = next(event["payload"] for event in events if event["kind"] == "revealed")
    assert isinstance(payload, dict)
    payload["secret"] = "00" * 32


def other_contribution(events: list[dict[str, object]]) -> None:
    """Change what a player brought."""
    payload = next(event["payload"] for event in events if event["kind"] == "contributed")
    assert isinstance(payload, dict)
    payload["bytes"] = "ab" * 16


@pytest.mark.parametrize("anew", [False, True], ids=["hashes kept", "hashes computed anew"])
@pytest.mark.parametrize("doctor", [other_throw, other_secret, other_contribution])
def test_a_doctored_log_is_refused(
    doctor: Callable[[list[dict[str, object]]], None], anew: bool, invite: Invite, log: list[dict[str, object]], tmp_path: Path
) -> None:
    guest = invite()
    events = json.loads(json.dumps(log))
    doctor(events)
    if anew:
        guest.page.goto("/verify")
        events = guest.page.evaluate(REHASH, events)
    assert verdict(guest, events, tmp_path) == "bad"


def chosen_log() -> list[dict[str, object]]:
    """Return the log of a game whose players have chosen their colours and the order of the load, and drawn lots for the seats."""
    setup = {"colours": "bgr", "order": "ygwrb"}
    company = Company("tabaijana", 3, {"order": "on"}, setup=setup, starts="lot").seated("Ana", "1", "Ben").wander(1)
    return [json.loads(line) for line in write_log(company.table.events).splitlines()]


def test_what_the_table_chose_of_the_set_up_is_checked(invite: Invite, tmp_path: Path) -> None:
    guest, log = invite(), chosen_log()
    assert verdict(guest, log, tmp_path) == "good"
    for kind, setup in (
        ("opened", {"colours": "rgb"}),
        ("opened", {"order": "rwgby"}),
        ("started", {"colours": "ybw"}),
        ("started", {"order": "rwgby"}),
    ):
        events = json.loads(json.dumps(log))
        payload = next(event["payload"] for event in events if event["kind"] == kind)
        payload["setup"] = {**payload["setup"], **setup}
        guest.page.goto("/verify")
        assert verdict(guest, guest.page.evaluate(REHASH, events), tmp_path) == "bad", (kind, setup)


def test_a_log_that_names_no_choice_is_accepted_as_before(invite: Invite, log: list[dict[str, object]], tmp_path: Path) -> None:
    guest, events = invite(), json.loads(json.dumps(log))
    del events[0]["payload"]["setup"]
    guest.page.goto("/verify")
    assert verdict(guest, guest.page.evaluate(REHASH, events), tmp_path) == "good"


@pytest.mark.parametrize("path", sorted((VECTORS.parent / "dice_v1").glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_log_of_version_1_is_accepted_and_the_page_says_what_that_promises(invite: Invite, path: Path, tmp_path: Path) -> None:
    guest, events = invite(), [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert verdict(guest, events, tmp_path) == "good"
    assert "version 1" in guest.page.inner_text("#verify-result")
    events[0]["payload"]["dice"] = 2
    assert verdict(guest, guest.page.evaluate(REHASH, events), tmp_path) == "bad"


def test_a_table_that_was_sealed_anew_is_accepted_with_both_secrets(invite: Invite, tmp_path: Path) -> None:
    company = Company("tablan", starts="lot").seated("Ana", "1").wander(5, 4)
    made = reseal(company.table, company.now)
    assert made is not None
    opening = Opening(company.table.id, [*company.table.events, made.event], company.opening.secret + made.secret)
    company = Company(opening=opening, tokens=company.tokens).wander(6)
    guest, events = invite(), [json.loads(line) for line in write_log(company.table.events).splitlines()]
    assert verdict(guest, events, tmp_path) == "good"
    assert "version 1" not in guest.page.inner_text("#verify-result")
    sealed = next(event for event in events if event["kind"] == "resealed")
    sealed["payload"]["commitment"] = events[0]["payload"]["commitment"]
    assert verdict(guest, guest.page.evaluate(REHASH, events), tmp_path) == "bad"
