"""Every page, in both languages, as somebody without JavaScript sees it."""

import re
from html.parser import HTMLParser

import httpx
import pytest

from tablee import catalog
from tablee.web.words import wanted_language
from tests.web.serving import Serving, now, view, wait_for

PAGES = ["/", "/settings", "/me", "/verify", *(f"/g/{slug}" for slug in catalog.OURS), *(f"/r/{slug}" for slug in catalog.OURS)]
HEADERS = ("content-security-policy", "referrer-policy", "x-content-type-options", "cross-origin-opener-policy", "x-frame-options")


class Elements(HTMLParser):
    """Collect the elements of a page with their attributes."""

    def __init__(self, html: str) -> None:
        """Read a page."""
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep an element."""
        self.found.append((tag, dict(attrs)))


def ids(html: str) -> list[str]:
    return [str(attributes["id"]) for _, attributes in Elements(html).found if "id" in attributes]


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_served_in_both_languages_with_its_headers(house: Serving, path: str, language: str) -> None:
    with house.person(language) as client:
        answer = client.get(path)
    assert answer.status_code == 200
    assert f'<html lang="{language}"' in answer.text
    assert all(name in answer.headers for name in HEADERS)
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert_clean(answer.text)


def assert_clean(html: str) -> None:
    """Nothing runs or is painted from inside the page, nothing comes from elsewhere, every id stands once."""
    for tag, attributes in Elements(html).found:
        assert tag != "style"
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        if tag == "script":
            assert attributes.get("type") == "application/json" or str(attributes.get("src")).startswith("/static/")
        for name in ("src", "href", "action"):
            assert not re.match(r"(https?:)?//", attributes.get(name) or "")
    found = [one for one in ids(html) if not one.startswith(catalog.OURS)]
    assert len(found) == len(set(found))


def test_the_home_page_weighs_at_most_100_kilobytes_in_all(person: httpx.Client) -> None:
    home = person.get("/")
    weight = len(home.content)
    linked = {
        str(attributes.get("src") or attributes.get("href")) for tag, attributes in Elements(home.text).found if tag in ("img", "script", "link")
    }
    for path in linked:
        with person.stream("GET", path, headers={"accept-encoding": "gzip"}) as answer:
            weight += sum(len(chunk) for chunk in answer.iter_raw())
    assert len([path for path in linked if path.startswith("/picture/")]) == len(catalog.OURS)
    assert weight <= 100_000


@pytest.mark.parametrize("slug", catalog.OURS)
def test_one_click_on_home_starts_a_game_whose_board_is_drawn(person: httpx.Client, slug: str) -> None:
    assert f'action="/g/{slug}/now"' in person.get("/").text
    answer = person.get(f"/t/{now(person, slug)}")
    assert '<div class="board" id="board"' in answer.text
    assert answer.text.count("data-cell=") >= 6
    assert_clean(answer.text)


@pytest.mark.parametrize(
    ("language", "levels"),
    [("fr", ("Ordinateur, niveau 1", "Ordinateur, au plus fort")), ("en", ("Computer, level 1", "Computer, at its strongest"))],
)
def test_the_levels_to_choose_from_end_with_the_strongest(house: Serving, language: str, levels: tuple[str, str]) -> None:
    with house.person(language) as client:
        html = client.get("/g/traboulet").text
    assert [label in html for label in levels] == [True, True]
    assert html.index(levels[0]) < html.index(levels[1])
    assert not re.search(r"(niveau|level) max", html)


def test_the_language_is_the_browsers_until_one_chooses(house: Serving) -> None:
    with house.person("de, en;q=0.8, fr;q=0.2") as client:
        assert '<html lang="en"' in client.get("/").text
        client.post("/settings", data={"language": "fr", "next": "/me"})
        assert '<html lang="fr"' in client.get("/").text


@pytest.mark.parametrize(
    ("accepted", "language"), [("", "fr"), ("en-US,en;q=0.9", "en"), ("fr;q=0.1,en;q=0.2", "en"), ("en;q=x,fr", "fr"), ("*", "fr")]
)
def test_a_browser_names_its_languages_with_weights(accepted: str, language: str) -> None:
    assert wanted_language(accepted) == language


def test_settings_are_kept_and_shown_on_every_page(person: httpx.Client) -> None:
    person.post("/settings", data={"theme": "dark", "sound": "on", "animation": "off", "pattern": "on", "next": "/settings?saved=1"})
    assert 'data-theme="dark" data-sound="on" data-animation="off" data-pattern="on"' in person.get("/").text


def test_a_setting_that_does_not_exist_is_refused_in_words(person: httpx.Client) -> None:
    answer = person.post("/settings", data={"theme": "pink"})
    assert answer.status_code == 422
    assert "system, light, dark" in answer.text


def test_an_error_is_said_in_the_language_of_the_page(house: Serving) -> None:
    with house.person("fr") as person, house.person("en") as other:
        said = person.post("/g/chess/now").text
        assert "jeu inconnu «\u202fchess\u202f»" in said
        assert "unknown game" not in said
        assert "unknown game" in other.post("/g/chess/now").text


@pytest.mark.parametrize("path", ["//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:alert(1)", "\\\\evil"])
def test_going_back_never_leads_to_another_site(house: Serving, path: str) -> None:
    with house.person() as client:
        client.follow_redirects = False
        assert client.post("/settings", data={"language": "fr", "next": path}).headers["location"] == "/"


@pytest.mark.parametrize(
    ("path", "status"), [("/nothing", 404), ("/t/" + "A" * 16, 404), ("/g/chess", 404), ("/r/chess", 404), ("/static/no.js", 404)]
)
def test_what_is_not_there_is_said_in_words(person: httpx.Client, path: str, status: int) -> None:
    answer = person.get(path)
    assert answer.status_code == status
    assert all(name in answer.headers for name in HEADERS)
    assert "Nothing at this address" in answer.text


def test_every_rule_paragraph_has_its_anchor_and_the_figures_are_drawn(person: httpx.Client) -> None:
    html = person.get("/r/traboulet").text
    assert '<div class="paragraph" id="2.2">' in html
    assert '<details class="apparatus">' in html
    assert html.count("<figure") >= 6
    assert html.count("data-piece=") > 100


def test_a_figure_is_one_click_from_play(person: httpx.Client) -> None:
    html = person.get("/r/traboulet").text
    form = re.search(
        r'name="position" value="([^"]+)"><input type="hidden" name="seats" value="(\d)"><input type="hidden" name="options" value="([^"]*)"', html
    )
    assert form
    answer = person.post("/g/traboulet/from", data={"position": form[1], "seats": form[2], "options": form[3]})
    assert answer.status_code == 200
    table = answer.url.path.removeprefix("/t/")
    assert wait_for(person, table, "playing")["position"]


def test_a_position_that_is_none_is_refused_in_words(person: httpx.Client) -> None:
    answer = person.post("/g/traboulet/from", data={"position": "nonsense <script>", "seats": "2"})
    assert answer.status_code == 422
    assert "&lt;script&gt;" in answer.text


# A table without JavaScript.


def form_fields(html: str, action: str) -> dict[str, str]:
    """Return the hidden fields of the first form with that action."""
    form = re.search(rf'<form[^>]*action="{re.escape(action)}".*?</form>', html, re.DOTALL)
    assert form, action
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[0]))


def test_a_game_can_be_played_with_forms_alone(person: httpx.Client) -> None:
    table = now(person, "traboulet")
    person.post(f"/t/{table}/do", data={"t": "start", "move_id": "start-it-now"})
    before = wait_for(person, table, "legal")
    html = person.get(f"/t/{table}").text
    fields = form_fields(html, f"/t/{table}/do") | {"tokens": before["legal"][0]["token"]}
    answer = person.post(f"/t/{table}/do", data=fields)
    assert answer.status_code == 200
    again = person.post(f"/t/{table}/do", data=fields)
    assert again.status_code == 200
    played = wait_for(person, table, "legal")["record"]
    assert [one["tokens"] for one in played if one["seat"] == 0] == [[before["legal"][0]["token"]]]


def test_the_choices_of_a_table_stand_under_their_questions(person: httpx.Client) -> None:
    html = person.get(f"/t/{now(person, 'tabu')}").text
    assert "<li>May one pass without staking? No: everyone stakes at least 1.</li>" in html
    assert "<li>How much money does everyone start with? 100</li>" in html


def test_a_refusal_says_why_and_links_to_the_paragraph(person: httpx.Client) -> None:
    table = now(person, "traboulet")
    wait_for(person, table, "legal")
    fields = form_fields(person.get(f"/t/{table}").text, f"/t/{table}/do") | {"tokens": "d4d5"}
    answer = person.post(f"/t/{table}/do", data=fields)
    assert answer.status_code == 422
    assert 'href="/r/traboulet#2.1"' in answer.text
    assert "Why?" in answer.text
    assert view(person, table)["record"] == []


def test_typed_nonsense_is_refused_and_stays_in_the_box(person: httpx.Client) -> None:
    table = now(person, "traboulet")
    wait_for(person, table, "legal")
    fields = form_fields(person.get(f"/t/{table}").text, f"/t/{table}/do") | {"tokens": '"><script>alert(1)</script>'}
    answer = person.post(f"/t/{table}/do", data=fields)
    assert answer.status_code == 422
    assert "<script>alert" not in answer.text
    assert_clean(answer.text)


def test_somebody_without_a_seat_sees_the_board_and_cannot_play(house: Serving, person: httpx.Client) -> None:
    table = now(person, "traboulet")
    token = wait_for(person, table, "legal")["legal"][0]["token"]
    with house.person() as stranger:
        html = stranger.get(f"/t/{table}").text
        assert "data-piece=" in html
        assert '<form class="typed" id="typed"' in html
        assert "hidden" in re.search(r'<form class="typed"[^>]*>', html)[0]  # type: ignore[index]
        answer = stranger.post(f"/t/{table}/do", data={"t": "play", "tokens": token, "seat": "0"})
        assert answer.status_code == 403
    assert view(person, table)["record"] == []


def test_replay_steps_shares_and_plays_on(person: httpx.Client) -> None:
    table = now(person, "traboulet")
    token = wait_for(person, table, "legal")["legal"][0]["token"]
    person.post(f"/t/{table}/do", data={"t": "play", "tokens": token, "seat": "0"})
    wait_for(person, table, "legal")
    html = person.get(f"/t/{table}/replay?at=1").text
    assert 'href="?at=0"' in html
    assert f"/t/{table}/replay?at=1" in html
    assert token in html
    assert_clean(html)
    start = person.get(f"/t/{table}/board.svg?at=0").text
    assert start != person.get(f"/t/{table}/board.svg?at=1").text
    assert person.get(f"/t/{table}/replay?at=99999999999999").status_code == 200
    answer = person.post(f"/t/{table}/from", data={"at": "1"})
    assert answer.status_code == 200
    new = answer.url.path.removeprefix("/t/")
    assert new != table
    wait_for(person, new, "playing")
    assert catalog.read(person.get(f"/t/{table}/record").text).previous is not None


def test_an_invitation_seats_one_person_once(house: Serving, person: httpx.Client) -> None:
    answer = person.post("/g/traboulet", data={"seats": "2", "seat-0": "me", "seat-1": "open"})
    html, table = answer.text, answer.url.path.removeprefix("/t/")
    link = re.search(rf'value="{house.base}(/t/{table}/join/[A-Za-z0-9_-]{{43}})"', html)
    assert link
    assert 'role="img" aria-label="The link as a QR code"' in html
    with house.person() as friend, house.person() as late:
        assert friend.get(f"/t/{table}").text.count("/join/") == 0
        offered = friend.get(link[1])
        assert offered.status_code == 200
        assert view(friend, table)["you"] == []
        invite = link[1].rpartition("/")[2]
        assert friend.post(f"/t/{table}/sit", data={"invitation": invite, "seat": "1", "name": "Zoé", "mirror": "no"}).status_code == 200
        assert view(friend, table)["you"] == [1]
        assert late.post(f"/t/{table}/sit", data={"invitation": invite, "seat": "1"}).status_code == 409
        for wrong in ({"seat": "one"}, {"seat": "-1"}, {"player": "program"}):
            assert late.post(f"/t/{table}/sit", data=wrong).status_code == 422, wrong
        assert "Zoé" in wait_for(person, table, "playing")["seats"][1]["name"]


def test_a_table_open_to_all_shows_on_the_home_page_until_it_is_full(house: Serving, person: httpx.Client) -> None:
    answer = person.post("/g/tabu", data={"seats": "2", "seat-0": "me", "seat-1": "open", "who": "open"})
    table = answer.url.path.removeprefix("/t/")
    with house.person() as friend:
        assert f'data-table="{table}"' in friend.get("/").text
        assert friend.post(f"/t/{table}/sit").status_code == 200
        wait_for(friend, table, "playing")
    with house.person() as other:
        assert f'data-table="{table}"' not in other.get("/").text


@pytest.mark.parametrize(
    ("path", "form", "sentence"),
    [
        ("tabale", {"seats": "3", "option-teams": "on"}, "Les équipes demandent quatre joueurs\u202f; cette table en a 3."),
        ("tabaijana", {"option-game": "enfants", "option-order": "on"}, "ne se choisit que dans le jeu en famille."),
        ("tabu", {"option-money": "19"}, "donnez un nombre entier de 20 à 10\u202f000."),
        ("tabu", {"clock": "sundial"}, "Un de ces choix n’existe pas ici"),
        ("tabu", {"seats": "9"}, "Un de ces choix n’existe pas ici"),
    ],
)
def test_options_that_cannot_be_are_told_beside_the_form_in_its_language(
    path: str, form: dict[str, str], sentence: str, person: httpx.Client
) -> None:
    answer = person.post(f"/g/{path}", data=form, headers={"accept-language": "fr"})
    assert answer.status_code == 422
    told = re.search(r'<[^>]*role="alert"[^>]*>(.*?)</', answer.text)
    assert told
    assert sentence in told[1]


def test_a_card_says_from_which_age_a_game_is_played(person: httpx.Client) -> None:
    text = person.get("/", headers={"accept-language": "fr"}).text
    assert re.findall(r"dès (\d+) ans", text) == ["8", "12", "5"]


def test_a_free_game_of_tabu_is_chosen_in_the_form_and_stopped_by_a_button(person: httpx.Client) -> None:
    form = {"seats": "2", "seat-0": "me", "seat-1": "level-1", "option-rounds": "3", "option-rounds-instead": "free"}
    answer = person.post("/g/tabu", data=form, follow_redirects=True)
    table = re.findall(r'data-table="([^"]+)"', answer.text)[0]
    found = wait_for(person, table, "playing")
    assert found["options"]["rounds"] == "free"
    assert " turns=" in found["position"]
    assert 'data-do="stop"' in person.get(f"/t/{table}").text
    person.post(f"/t/{table}/do", data={"t": "stop", "seat": "0", "move_id": "stop-and-count"})
    ended = view(person, table)["result"]
    assert (sum(ended["scores"]), ended["reason"]) == (200, "4.2 agreed")
    record = person.get(f"/t/{table}/record").text
    assert f"result: {ended['scores'][0]} {ended['scores'][1]} (4.2 agreed)" in record
    assert person.get(f"/verify?table={table}").text.count("All is correct") >= 1


def test_colours_and_an_order_are_chosen_in_the_form(person: httpx.Client) -> None:
    """A seat that chooses nothing has the first colour that is free."""
    form = {
        "seats": "3",
        "seat-0": "me",
        "seat-1": "level-1",
        "seat-2": "level-1",
        "option-order": "on",
        "setup-colours-0": "b",
        "setup-colours-4": "b",
    }
    form |= {f"setup-order-{number}": letter for number, letter in enumerate("ygwrb")}
    answer = person.post("/g/tabaijana", data=form, follow_redirects=True)
    table = re.findall(r'data-table="([^"]+)"', answer.text)[0]
    assert " colours=brw order=ygwrb " in wait_for(person, table, "playing")["position"]
    assert "Blue, Red, White" in answer.text


@pytest.mark.parametrize("chosen", [{"setup-colours-0": "b", "setup-colours-1": "b"}, {"setup-order-0": "b"}, {"setup-colours-0": "<b>"}])
def test_a_choice_that_cannot_be_is_told_beside_the_form(person: httpx.Client, chosen: dict[str, str]) -> None:
    answer = person.post("/g/tabaijana", data={"seats": "2", "seat-0": "me", **chosen})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def test_the_form_asks_for_a_colour_of_each_seat_and_keeps_what_was_chosen(person: httpx.Client) -> None:
    selects = [attributes.get("name") for tag, attributes in Elements(person.get("/g/tabaijana").text).found if tag == "select"]
    assert sorted(name for name in selects if name and name.startswith("setup-")) == [
        f"setup-{item}-{n}" for item in ("colours", "order") for n in range(5)
    ]
    assert 'name="setup-' not in person.get("/g/tabu").text
    again = person.post("/g/tabaijana", data={"seats": "2", "seat-0": "me", "setup-colours-0": "y", "setup-colours-1": "y"})
    assert again.status_code == 422
    assert "“Which colour does each seat have?”: choose something different each time" in again.text
    chosen = [attributes["value"] or "" for tag, attributes in Elements(again.text).found if tag == "option" and "selected" in attributes]
    assert [value for value in chosen if value in "rwgby"] == ["y", "y", "g", "b", "y"]


def test_a_form_that_chooses_nothing_leaves_the_set_up_as_usual(person: httpx.Client) -> None:
    form = {"seats": "2", "seat-0": "me", "seat-1": "level-1", "setup-colours-0": "", "setup-colours-1": "", "setup-order-0": ""}
    answer = person.post("/g/tabaijana", data=form, follow_redirects=True)
    table = re.findall(r'data-table="([^"]+)"', answer.text)[0]
    assert " colours=rw " in wait_for(person, table, "playing")["position"]


def test_a_free_game_stays_ticked_when_the_form_comes_back(person: httpx.Client) -> None:
    answer = person.post("/g/tabu", data={"seats": "9", "option-rounds": "7", "option-rounds-instead": "free"})
    assert answer.status_code == 422
    boxes = [attributes for _, attributes in Elements(answer.text).found if attributes.get("name") == "option-rounds-instead"]
    assert [("checked" in one, one["value"]) for one in boxes] == [(True, "free")]


def test_resigning_ends_the_game_and_a_rematch_is_laid(person: httpx.Client) -> None:
    table = now(person, "traboulet")
    wait_for(person, table, "legal")
    person.post(f"/t/{table}/do", data={"t": "resign", "seat": "0", "move_id": "resign-now"})
    html = person.get(f"/t/{table}").text
    assert 'id="result"' in html
    assert person.get(f"/verify?table={table}").text.count("All is correct") >= 1
    person.post(f"/t/{table}/do", data={"t": "rematch", "seat": "0", "move_id": "rematch-now"})
    new = view(person, table)["next"]
    assert wait_for(person, new, "playing")["match"]["number"] == 2


def test_a_hint_is_given_and_shown_in_the_record(person: httpx.Client) -> None:
    table = now(person, "traboulet")
    wait_for(person, table, "legal")
    assert person.post(f"/t/{table}/do", data={"t": "hint", "seat": "0", "move_id": "hint-please"}).status_code == 200
    assert view(person, table)["seats"][0]["hints"] == 1


# The carte.


def test_the_carte_keeps_a_name_and_the_tables_and_can_be_taken_away(person: httpx.Client) -> None:
    person.post("/me", data={"name": "Ana <b>"})
    table = now(person, "traboulet")
    html = person.get("/me").text
    assert "Ana &lt;b&gt;" in html
    assert f'data-table="{table}"' in html
    export = person.get("/me/export").json()
    assert export["name"] == "Ana <b>"
    assert export["tables"] == [table]
    assert person.post("/me/delete", data={"sure": "yes"}).status_code == 200
    assert "carte" not in person.cookies
    assert "Ana" not in person.get(f"/t/{table}").text


def test_a_carte_is_carried_to_another_device_once(house: Serving, person: httpx.Client) -> None:
    table = now(person, "traboulet")
    html = person.post("/me/carry").text
    link = re.search(rf'value="{house.base}(/me/carry/[A-Za-z0-9_-]+)"', html)
    assert link
    with house.person() as phone, house.person() as thief:
        assert phone.get(link[1]).status_code == 200
        phone.post(link[1])
        assert view(phone, table)["you"] == [0]
        assert thief.post(link[1]).status_code == 404


def test_the_cookie_of_the_carte_is_out_of_reach_of_scripts_and_other_sites(house: Serving) -> None:
    with house.person() as client:
        client.follow_redirects = False
        cookie = client.post("/g/traboulet/now").headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


def test_after_the_end_one_is_told_how_it_ended_and_can_play_a_level_above(person: httpx.Client) -> None:
    table = now(person, "traboulet")
    wait_for(person, table, "legal")
    assert person.post(f"/t/{table}/harder").status_code == 409
    person.post(f"/t/{table}/do", data={"t": "resign", "seat": "0", "move_id": "resign-now"})
    html = person.get(f"/t/{table}").text
    assert "You have lost." in html
    assert "/verify?table=" not in html
    answer = person.post(f"/t/{table}/harder")
    above = answer.url.path.removeprefix("/t/")
    assert above != table
    levels = [wait_for(person, one, "playing" if one == above else "over")["seats"][1]["level"] for one in (table, above)]
    assert int(levels[1]) == int(levels[0]) + 1
