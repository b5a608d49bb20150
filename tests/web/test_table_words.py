"""What the page of a table says by itself: clocks, throws, who is waited for, and dice only where there are any."""

import json
import re

import httpx
import pytest

from tablee.catalog import OURS, kind
from tablee.web.table_pages import clock_text, throw_name
from tests.web.serving import Serving, view, wait_for
from tests.web.test_choose import opened

DAYS = 3 * 86_400_000 + 4 * 3_600_000


def test_a_clock_of_days_is_told_in_the_language_of_the_page() -> None:
    assert [clock_text(DAYS, language) for language in ("fr", "en")] == ["3 j 04:00", "3 d 04:00"]
    assert [clock_text(milliseconds, "fr") for milliseconds in (0, 61_000, 3_661_000)] == ["0:00", "1:01", "1:01:01"]


@pytest.mark.parametrize(
    ("game", "token", "words"),
    [
        ("tablan", "s1", ("une face unie", "one plain side")),
        ("tablan", "3-5", ("3-5", "3-5")),
        ("tabu", "c-d-s", ("trèfle, carreau, soleil", "clubs, diamonds, sun")),
        ("tabaijana", "3", ("3", "3")),
    ],
)
def test_a_throw_is_said_in_the_words_of_its_game(game: str, token: str, words: tuple[str, str]) -> None:
    assert tuple(throw_name(token, kind(game), language) for language in ("fr", "en")) == words


def test_the_page_knows_the_words_of_every_stick(person: httpx.Client) -> None:
    table = opened(person, "tablan", {"way": "here", "option-throw": "sticks"})["table"]
    thrown = wait_for(person, table, "legal")["throw"]["token"]
    html = person.get(f"/t/{table}").text
    said = json.loads(re.search(r'id="sentences">(.*?)</script>', html)[1])  # type: ignore[index]
    assert [said[f"=s{plain}"] for plain in range(5)] == [throw_name(f"s{plain}", kind("tablan"), "en") for plain in range(5)]
    summary = re.search(r'id="throw">\s*<details><summary>([^<]*)', html)
    assert summary
    assert throw_name(thrown, kind("tablan"), "en") in summary[1]
    assert thrown not in summary[1]


@pytest.mark.parametrize("slug", OURS)
def test_the_dice_can_be_verified_only_where_there_are_any(person: httpx.Client, slug: str) -> None:
    link = '<a href="/verify">'
    table = opened(person, slug, {"way": "here"})["table"]
    for page in (f"/t/{table}", f"/t/{table}/replay", f"/g/{slug}", f"/r/{slug}", f"/first/{slug}"):
        assert (link in person.get(page).text) == kind(slug).dice, page
    assert link in person.get("/").text


def test_a_lot_is_thrown_too(person: httpx.Client) -> None:
    table = opened(person, "traboulet", {"way": "computer", "side": "lot"})["table"]
    assert '<a href="/verify">' in person.get(f"/t/{table}").text


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_table_waits_for_somebody_only_while_a_seat_is_free(house: Serving, language: str) -> None:
    """Without a script too: who has opened the table reads one truth."""
    with house.person(language) as host, house.person(language) as friend:
        table = opened(host, "traboulet", {"way": "link"})["table"]
        waiting = ("La table attend quelqu’un", "The table waits for somebody") if language == "fr" else ("The table waits", "La table")
        assert waiting[0] in host.get(f"/t/{table}").text
        invitation = view(host, table)["invitations"][0]["path"]
        friend.post(f"/t/{table}/sit", data={"invitation": invitation.rpartition("/")[2], "name": "Zoé"})
        assert waiting[0] not in host.get(f"/t/{table}").text
