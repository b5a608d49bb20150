"""Learning to play: the essentials and the contents of a rule page."""

import re
import time

import httpx
import pytest

from tablee.catalog import OURS
from tests.web.serving import WAIT, Serving, wait_for
from tests.web.test_choose import opened


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_rule_page_begins_with_the_essentials_and_its_contents_lead_to_every_chapter(house: Serving, slug: str, language: str) -> None:
    with house.person(language) as person:
        html = person.get(f"/r/{slug}").text
    essentials, _, rest = html.partition('<nav class="contents"')
    assert '<section class="essentials"' in essentials
    assert len(re.findall(r"<li>", re.search(r"<ol>.*?</ol>", essentials, re.S)[0])) == 3  # type: ignore[index]
    assert essentials.count("<figure") == 1
    links = re.findall(r'<li><a href="#([^"]+)">', rest.partition("</nav>")[0])
    assert len(links) >= 6
    assert "tips" in links
    assert [link for link in links if f'id="{link}"' not in rest] == []
    ids = re.findall(r'\bid="([^"]+)"', re.sub(r"<defs>.*?</defs>", "", html, flags=re.S))
    assert len(ids) == len(set(ids))


def test_sources_are_folded_at_the_end_of_a_chapter_and_not_under_every_paragraph(person: httpx.Client) -> None:
    html = person.get("/r/traboulet").text
    assert html.count('<details class="apparatus">') == 5
    assert html.count("<dt>") == html.count('<div class="paragraph"') == 15


def linked_essentials(html: str) -> str:
    """Return where a table's page gets the essentials from."""
    link = re.search(r'data-essentials="(/t/[\w-]+/essentials)"', html)
    assert link
    return link[1]


@pytest.mark.parametrize(
    ("slug", "chosen", "said", "unsaid"),
    [
        ("tabaijana", {}, ["each colour in one block"], ["The rules of this game"]),
        ("tabaijana", {"option-game": "enfants"}, ["The rules of this game", "with no two neighbours of one colour"], ["one block", "rule A"]),
        ("tablan", {"option-preset": "mysore"}, ["The game of Mysore", "Throw four sticks"], ["Two dice"]),
        ("tablan", {"option-preset": "lettre"}, ["to the letter", "leaves its first square by a 2"], ["Nobody moves before"]),
        ("tablan", {"option-throw": "sticks"}, ["The rules of this game", "What is thrown? Four sticks"], ["What lets a bird leave"]),
    ],
)
def test_the_essentials_at_a_table_are_those_of_its_rules(
    slug: str, chosen: dict[str, str], said: list[str], unsaid: list[str], person: httpx.Client
) -> None:
    piece = person.get(linked_essentials(person.post(f"/g/{slug}", data={"way": "computer", **chosen}).text)).text
    assert [text for text in said if text not in piece] == []
    assert [text for text in unsaid if text in piece] == []


def test_a_table_that_is_watched_by_link_gives_its_essentials_to_nobody_else(house: Serving) -> None:
    with house.bot() as opener, house.person() as stranger:
        table = opener.post("/tables", json={"game": "tabu", "watching": "link"}).json()["table"]
        assert stranger.get(f"/t/{table}/essentials").status_code == 403


def test_the_essentials_are_one_tap_from_the_table_and_bring_no_second_art(person: httpx.Client) -> None:
    table = person.post("/g/tablan/now").text
    piece = person.get(linked_essentials(table)).text
    assert 'class="arrow"' in piece
    assert "<defs>" not in piece
    assert "<html" not in piece


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_game_is_printed_from_its_page_and_its_rules(house: Serving, language: str) -> None:
    with house.person(language) as person:
        for page in ("/g/tablan", "/r/tablan"):
            assert 'href="/r/tablan/print.pdf" download' in person.get(page).text
        answer = person.get("/r/tablan/print.pdf")
        other = person.get("/r/tablan/print.pdf", headers={"accept-language": {"fr": "en", "en": "fr"}[language]})
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.headers["content-disposition"] == 'attachment; filename="tablan.pdf"'
    assert answer.content.startswith(b"%PDF")
    assert answer.content != other.content


# The adviser.

# Both have six reds: White takes the seventh by f7g7, or leaves it to Black.
BEFORE_WIN = "5wr/6b/7/7/7/7/w6 w 6 6 - -"


def table_from(person: httpx.Client, position: str) -> str:
    """Open a table against a program from a position of Traboulet, and return its id once it is played."""
    answer = person.post("/g/traboulet/from", data={"position": position, "seats": "2", "options": ""})
    table = answer.url.path.removeprefix("/t/")
    wait_for(person, table, "playing")
    return table


def test_the_adviser_says_what_a_costly_action_gives_away_and_is_silent_about_the_best(person: httpx.Client) -> None:
    table = table_from(person, BEFORE_WIN)
    assert 'id="adviser"' in person.get(f"/t/{table}").text
    until, costly = time.monotonic() + WAIT, ""
    while not costly and time.monotonic() < until:  # a house that is too busy to search says nothing
        costly = person.get(f"/t/{table}/advice", params={"seat": "0", "token": "a1b1"}).json()["text"]
    assert "from 100% to 0%" in costly
    assert "It is Black’s seventh red!" in costly  # all that the answer does, not only where it begins
    assert person.get(f"/t/{table}/advice", params={"seat": "0", "token": "f7g7"}).json()["text"] == ""
    assert wait_for(person, table, "playing")["position"] == BEFORE_WIN


def test_the_adviser_serves_nobody_else_and_no_table_with_other_people(house: Serving, person: httpx.Client) -> None:
    table = table_from(person, BEFORE_WIN)
    asked = f"/t/{table}/advice?token=a1b1&seat="
    with house.person("fr") as stranger:
        refused = stranger.get(asked + "0")
        assert refused.status_code == 403
        assert "La place 1 n’est pas la vôtre." in refused.text
    assert person.get(f"/t/{table}/advice", params={"seat": "0", "token": "a1c1"}).status_code == 422
    assert "Seat 2 is not yours." in person.get(asked + "1").text
    assert person.get(asked + "2").status_code == 422
    person.post(f"/t/{table}/do", data={"t": "play", "tokens": "a1b1", "seat": "0"})
    wait_for(person, table, "over")
    late = person.get(asked + "0")
    assert late.status_code == 409
    assert "The game is over." in late.text
    together = opened(person, "traboulet", {"way": "here"})["table"]
    assert 'id="adviser"' not in person.get(f"/t/{together}").text
