"""What lies around the table: the invitation, the home page of somebody who plays, the pictures of links, the way to the settings."""

import re
import struct
from importlib.resources import files

import httpx
import pytest

from tablee import catalog
from tablee.web.previews import HOME, preview
from tests.web.serving import Serving, now, wait_for
from tests.web.test_choose import opened
from tests.web.test_pages import Elements, form_fields

SMALL = 100_000


def metas(html: str) -> dict[str, str]:
    """Return what the head of a page says of it, by property."""
    found = [attributes for tag, attributes in Elements(html).found if tag == "meta"]
    return {str(one.get("property") or one.get("name")): str(one.get("content")) for one in found}


# The invitation.


def test_an_invitation_shows_who_invites_the_board_the_colour_and_the_unusual_rules(house: Serving, person: httpx.Client) -> None:
    shown = opened(person, "tablan", {"way": "link", "name": "Zoé <b>", "side": "1", "clock": "5+5", "option-end": "both"})
    with house.person() as friend:
        html = friend.get(shown["invitations"][0]["path"]).text
    assert "<h1>Zoé &lt;b&gt; invites you to play Tablan</h1>" in html
    assert "data-cell=" in html
    assert re.search(r'data-seat="0" data-colour="seat 1">.*You play .*<strong>Black</strong>', html)
    rules = re.findall(r"<li>(.*?)</li>", html)
    assert [rule.partition("?")[0] for rule in rules] == ["When does the game end", "Five minutes each, and five seconds more every turn."]
    assert metas(html)["og:title"] == "Zoé &lt;b&gt; invites you to play Tablan".replace("&lt;", "<").replace("&gt;", ">")


def test_an_invitation_to_a_usual_game_says_so(house: Serving, person: httpx.Client) -> None:
    shown = opened(person, "tablan", {"way": "link", "side": "lot"})
    with house.person("fr") as friend:
        html = friend.get(shown["invitations"][0]["path"]).text
    assert "Une place vous attend\u202f: Tablan" in html
    assert re.findall(r"<li>(.*?)</li>", html) == [catalog.kind("tablan").words("fr")("usual")]
    assert "Les places seront tirées au sort." in html


@pytest.mark.parametrize(("seats", "said"), [("2", "Send this link: anyone who opens it can sit down."), ("3", "each link gives one seat.")])
def test_several_links_are_one_for_each_person(person: httpx.Client, seats: str, said: str) -> None:
    shown = opened(person, "tabale", {"way": "link", "seats": seats})
    html = person.get(f"/t/{shown['table']}").text
    assert (html.count('id="invite-link-'), html.count(said)) == (int(seats) - 1, 1)


def test_a_ready_game_is_one_line_of_an_invitation(house: Serving, person: httpx.Client) -> None:
    mysore = {"throw": "sticks", "first_move": "each_man", "filling": "in_order", "throw_again": "yes"}
    fields = {f"option-{name}": value for name, value in mysore.items()} | {"option-preset": "mysore", "filled": "mysore"}
    shown = opened(person, "tablan", {"way": "link"} | fields)
    with house.person() as friend:
        rules = re.findall(r"<li>(.*?)</li>", friend.get(shown["invitations"][0]["path"]).text)
    assert len(rules) == 1
    assert "The game of Mysore" in rules[0]


def test_chosen_colours_are_offered_by_their_names(house: Serving, person: httpx.Client) -> None:
    shown = opened(person, "tabaijana", {"way": "link", "seats": "3", "side": "y"})
    with house.person() as friend:
        html = friend.get(shown["invitations"][0]["path"]).text
    assert re.findall(r'<label data-seat="\d" data-colour="(=\w)">.*?<span>(\w+)</span>', html) == [("=r", "Red"), ("=w", "White")]


def test_a_table_watched_by_link_is_shown_to_whoever_has_an_invitation_alone(house: Serving) -> None:
    with house.bot() as opener, house.person("fr") as friend, house.person("fr") as stranger:
        made = opener.post("/tables", json={"game": "traboulet", "watching": "link"}).json()
        used, left = made["invitations"]
        path = f"/t/{made['table']}/join"
        form = form_fields(friend.get(f"{path}/{used}").text, f"/t/{made['table']}/sit")
        assert friend.post(f"/t/{made['table']}/sit", data=form | {"name": "Zoé"}).status_code == 200
        for token in (used, "anything", used[:-1]):
            refused = stranger.get(f"{path}/{token}")
            assert refused.status_code == 403
            assert "Il faut le lien de la table pour la regarder." in refused.text
            assert "data-cell=" not in refused.text
            assert "Zoé" not in refused.text
        assert "Zoé" in stranger.get(f"{path}/{left}").text
        assert friend.get(f"{path}/{used}").status_code == 200  # who sits there may look again


# Home.


def test_home_begins_with_the_games_under_way_where_it_is_ones_turn(house: Serving, person: httpx.Client) -> None:
    assert 'class="under-way"' not in person.get("/").text
    mine = now(person, "traboulet")
    wait_for(person, mine, "legal")
    waiting = opened(person, "tabu", {"way": "link", "who": "open"})["table"]
    html = person.get("/").text
    assert html.index("under-way") < html.index("<h1>") < html.index('class="shelf"')
    assert re.findall(r'<li class="game([^"]*)" data-table="([^"]+)"', html) == [(" your-turn", mine), ("", waiting)]
    assert "You · Computer, level 4" in html
    assert person.get(f"/t/{mine}/board.svg").headers["content-encoding"] == "gzip"
    assert html.count(f'data-table="{waiting}"') == 1
    with house.person() as other:
        assert f'<li class="table-line" data-table="{waiting}">' in other.get("/").text
    person.post(f"/t/{mine}/do", data={"t": "resign", "seat": "0", "move_id": "resign-now"})
    again = person.get("/").text
    assert f'<li class="table-line" data-table="{mine}">' in again
    assert f'<li class="game your-turn" data-table="{mine}"' not in again


# Links, icons, settings.


@pytest.mark.parametrize("name", [*catalog.OURS, HOME])
def test_a_link_shows_a_small_picture_of_the_board(person: httpx.Client, name: str) -> None:
    shown = metas(person.get("/" if name == HOME else f"/g/{name}").text)
    assert shown["og:image"] == f"{str(person.base_url).rstrip('/')}/static/preview-{name}.png"
    drawn = files("tablee.web").joinpath("static", f"preview-{name}.png").read_bytes()
    assert struct.unpack(">II", drawn[16:24]) == (int(shown["og:image:width"]), int(shown["og:image:height"]))
    assert len(drawn) <= SMALL
    assert shown["og:description"] == shown["description"]


def test_a_game_without_a_picture_shows_that_of_the_house() -> None:
    assert preview("chess") == "/static/preview-home.png"


def test_a_page_names_its_icons_and_the_colour_of_the_bar(person: httpx.Client) -> None:
    html = person.get("/").text
    for path in ("/static/icon.svg", "/static/touch-icon.png"):
        assert f'href="{path}"' in html
        assert person.get(path).status_code == 200
    assert html.count('name="theme-color"') == 2
    assert '<link rel="stylesheet" href="/static/dark.css" media="(prefers-color-scheme: dark)">' in html
    person.post("/settings", data={"theme": "dark", "next": "/"})
    assert re.findall(r'name="theme-color" content="([^"]+)">', person.get("/").text) == ["#12161c"]
    assert '<link rel="stylesheet" href="/static/dark.css">' in person.get("/").text
    person.post("/settings", data={"theme": "light", "next": "/"})
    assert "dark.css" not in person.get("/").text


def test_from_the_table_one_reaches_the_settings_and_comes_back(person: httpx.Client) -> None:
    table = now(person, "traboulet")
    assert f'href="/settings?next=/t/{table}"' in person.get(f"/t/{table}").text
    assert f'name="next" value="/t/{table}"' in person.get(f"/settings?next=/t/{table}").text
    assert 'name="next" value="/"' in person.get("/settings?next=//evil.example/").text
    back = person.post("/settings", data={"sound": "on", "next": f"/t/{table}"})
    assert back.url.path == f"/t/{table}"
    assert 'data-sound="on"' in back.text
    assert "Turn sound off" in back.text
