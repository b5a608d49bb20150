"""The page of a new table: three ways in, ready games, names, sides and colours; what the form shows is what is played."""

import re
from typing import Any

import httpx
import pytest

from tablee import catalog
from tablee.web.presets import preset_of, presets
from tests.web.serving import Serving, view, wait_for
from tests.web.test_pages import Elements

WAYS = ["computer", "here", "link", "mixed"]
MYSORE = {"throw": "sticks", "first_move": "each_man", "filling": "in_order", "throw_again": "yes"}


def filled(html: str) -> dict[str, str]:
    """Return the fields that a browser without scripts would send if nobody touched the form."""
    fields: dict[str, str] = {}
    select = ""
    for tag, attributes in Elements(html[html.index('<form class="new-table"') :]).found:
        name, value = str(attributes.get("name")), str(attributes.get("value") or "")
        if tag == "select":
            select = name
        elif tag == "option" and select and (select not in fields or "selected" in attributes):
            fields[select] = value
        elif tag == "input" and (attributes.get("type") not in ("radio", "checkbox") or "checked" in attributes):
            fields[name] = value
    return {name: value for name, value in fields.items() if name not in ("next", "language")}


def opened(client: httpx.Client, slug: str, fields: dict[str, str] | None = None) -> dict[str, Any]:
    """Send the form of a game with some fields changed, and return the table as the visitor sees it."""
    answer = client.post(f"/g/{slug}", data=filled(client.get(f"/g/{slug}").text) | (fields or {}))
    assert answer.status_code == 200, answer.text
    assert answer.url.path.startswith("/t/"), answer.text
    return view(client, answer.url.path.removeprefix("/t/"))


def kinds(shown: dict[str, Any]) -> list[str]:
    return [seat["kind"] + seat["level"] for seat in shown["seats"]]


@pytest.mark.parametrize("slug", catalog.OURS)
@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_game_offers_three_ways_in_and_one_seat_by_seat(house: Serving, slug: str, language: str) -> None:
    with house.person(language) as client:
        html = client.get(f"/g/{slug}").text
    ways = [attributes for tag, attributes in Elements(html).found if attributes.get("name") == "way"]
    assert [one["value"] for one in ways] == WAYS
    assert ["checked" in one for one in ways] == [True, False, False, False]
    assert html.count("<summary>") == 1
    assert re.search(r'<span class="usual"[^>]*>(Comme d’habitude|As usual)', html)


@pytest.mark.parametrize(("language", "said"), [("fr", "De 20 à 10\u202f000"), ("en", "From 20 to 10,000")])
def test_the_thousands_of_a_number_stand_apart_as_its_language_writes_them(house: Serving, language: str, said: str) -> None:
    with house.person(language) as client:
        assert f"<label>{said} <input" in client.get("/g/tabu").text


@pytest.mark.parametrize("slug", catalog.OURS)
def test_the_ways_to_learn_a_game_stand_in_a_row_of_their_own(house: Serving, slug: str) -> None:
    with house.person("fr") as client:
        row = re.search(r'<p class="learn-links">(.*?)</p>', client.get(f"/g/{slug}").text)
    assert row
    assert re.findall(r'href="([^"]+)"', row[1]) == [f"/r/{slug}", f"/first/{slug}", f"/r/{slug}/print.pdf"]
    assert "·" not in row[1]


@pytest.mark.parametrize("slug", catalog.OURS)
def test_the_form_as_it_comes_opens_a_game_against_the_middle_level_with_the_usual_options(person: httpx.Client, slug: str) -> None:
    shown = opened(person, slug)
    assert kinds(shown) == ["person", "program2" if slug == "tabu" else "program4"]
    assert shown["you"] == [0]
    assert shown["options"] == {option.name: option.default for option in catalog.kind(slug).options}


def test_the_slider_names_its_ends_and_chooses_a_level(house: Serving) -> None:
    with house.person("fr") as client:
        html = client.get("/g/traboulet").text
        words = re.findall(r'<option value="\d" label="([^"]+)">', html)
        assert (len(words), words[0], words[-1]) == (9, "débutant", "imbattable")
        assert "imbattable" not in client.get("/g/tabu").text
        assert kinds(opened(client, "traboulet", {"level": "9"})) == ["person", "programmax"]
        assert client.post("/g/traboulet", data={"level": "10"}).status_code == 422


def test_one_chooses_a_side_or_leaves_it_to_the_lot(person: httpx.Client) -> None:
    assert opened(person, "traboulet", {"side": "1"})["you"] == [1]
    assert opened(person, "traboulet", {"side": "lot"})["terms"]["starts"] == "lot"
    assert opened(person, "tabale", {"seats": "3", "side": "2"})["you"] == [2]


def test_people_at_one_screen_have_each_a_name(person: httpx.Client) -> None:
    shown = opened(person, "tabale", {"way": "here", "seats": "3", "name-0": "Ana", "name-1": "Bo <b>", "name-3": "nobody"})
    assert [seat["name"] for seat in shown["seats"]][:2] == ["Ana", "Bo <b>"]
    assert shown["you"] == [0, 1, 2]
    html = person.get(f"/t/{shown['table']}").text
    assert '<span class="name">Ana</span>' in html
    assert "Bo &lt;b&gt;" in html


def test_a_link_asks_for_the_name_and_keeps_it_on_the_carte(person: httpx.Client) -> None:
    shown = opened(person, "tabu", {"way": "link", "seats": "3", "name": "Zoé", "side": "1", "who": "open"})
    assert kinds(shown) == ["nobody", "person", "nobody"]
    assert (shown["seats"][1]["name"], shown["terms"]["sitting"], len(shown["invitations"])) == ("Zoé", "open", 2)
    assert 'name="name" maxlength="30" value="Zoé"' in person.get("/g/tabu").text


def test_a_colour_of_ones_own_is_chosen_with_a_click(person: httpx.Client) -> None:
    shown = opened(person, "tabaijana", {"side": "b"})
    assert " colours=br " in wait_for(person, shown["table"], "playing")["position"]
    here = opened(person, "tabaijana", {"way": "here", "setup-colours-0": "y", "setup-colours-1": "g"})
    assert " colours=yg " in wait_for(person, here["table"], "playing")["position"]


def test_an_order_that_is_not_played_is_not_sent(person: httpx.Client) -> None:
    letters = {f"setup-order-{number}": letter for number, letter in enumerate("ygwrb")}
    off = opened(person, "tabaijana", {**letters})
    assert "order=ygwrb" not in wait_for(person, off["table"], "playing")["position"]
    on = opened(person, "tabaijana", {"option-order": "on", **letters})
    assert "order=ygwrb" in wait_for(person, on["table"], "playing")["position"]


# Ready games.


def test_a_ready_game_is_the_one_that_options_name_or_fit() -> None:
    kind = catalog.kind("tablan")
    assert presets(kind)["mysore"] == MYSORE
    assert presets(catalog.kind("tabu")) == {}
    assert preset_of(kind, {"preset": "fiche", **MYSORE}) == "mysore"
    assert preset_of(kind, {"preset": "mysore", **MYSORE, "throw": "dice"}) == "own"


def test_a_choice_that_equals_a_default_is_not_dropped(person: httpx.Client) -> None:
    shown = opened(
        person,
        "tablan",
        {"filled": "mysore", "option-preset": "mysore", "option-throw": "dice", "option-first_move": "each_man", "option-throw_again": "no"},
    )
    assert {name: shown["options"][name] for name in MYSORE} == MYSORE | {"throw": "dice", "throw_again": "no"}
    html = person.get(f"/t/{shown['table']}").text
    assert "<li>Which game do you play? The sheet to the letter" in html


def test_settings_that_fit_no_ready_game_are_ones_own_way(person: httpx.Client) -> None:
    shown = opened(person, "tablan", {"filled": "own", "option-preset": "own", "option-throw": "sticks"})
    assert (shown["options"]["throw"], shown["options"]["first_move"]) == ("sticks", "table")
    assert "<li>Which game do you play? Your own way</li>" in person.get(f"/t/{shown['table']}").text


def test_without_a_script_a_ready_game_fills_in_its_settings_before_anything_is_opened(person: httpx.Client) -> None:
    fields = filled(person.get("/g/tablan").text) | {"option-preset": "mysore"}
    answer = person.post("/g/tablan", data=fields)
    assert answer.url.path == "/g/tablan"
    assert "The settings of this game are filled in below" in answer.text
    again = filled(answer.text)
    assert {name: again[f"option-{name}"] for name in MYSORE} == MYSORE
    table = person.post("/g/tablan", data=again).url.path.removeprefix("/t/")
    assert {name: view(person, table)["options"][name] for name in ("preset", *MYSORE)} == {"preset": "mysore", **MYSORE}
