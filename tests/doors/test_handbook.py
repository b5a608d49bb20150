"""The handbook: whole in both languages, no dead link, sessions that run; served by the house and written as files."""

import doctest
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from markupsafe import Markup

import tablee
from tablee.catalog import OURS
from tablee.core.errors import TableeError
from tablee.core.words import LANGUAGES
from tablee.gym.sight import observation_of
from tablee.web import handbook_pages, handbook_site
from tablee.web.handbook_api import MODULES, find, public
from tests.golden.commands import pages as command_pages
from tests.web.serving import serving

ROOT = Path(__file__).parent.parent.parent
SPACES = re.compile(r"^\| (Tra\w+|Tab\w+) \| [^|]+ \| (\d+) \| (\d+) \|", re.MULTILINE)


@pytest.fixture
def fresh() -> Iterator[None]:
    """Forget the rendered pages afterwards."""
    handbook_pages.rendered.cache_clear()
    yield
    handbook_pages.rendered.cache_clear()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_missing_and_no_link_is_dead(language: str) -> None:
    assert list(handbook_site.wrong(language)) == []


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize(
    ("page", "text", "fault"),
    [
        ("index", "# A\n[b](nowhere.md)", "index.en: the link 'nowhere.md' leads nowhere"),
        ("index", "# A\n[b](players.md#nothing)", "index.en: the link 'players#nothing' leads to no chapter"),
        ("index", "# A\n[b](/nowhere)", "index.en: the link '/nowhere' leads nowhere"),
        ("index", "# A\n`tablee sing`", "index.en: there is no command 'tablee sing'"),
        ("commands", "# A\n## tablee arena\n`--games GAMES`\n", "commands.en: tablee join is missing"),
        ("commands", "# A\n## tablee arena\n`--games GAMES`\n", "commands.en: --patience of tablee arena is missing"),
        ("games", "# Games", "games.en: option bonus=any of traboulet is missing"),
        ("api", "# Names", "api: Batch is missing"),
    ],
)
def test_what_is_dead_or_missing_is_named_and_nothing_is_written(
    page: str, text: str, fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    true = handbook_pages.source
    monkeypatch.setattr(handbook_pages, "source", lambda name, language: text if name == page else true(name, language))
    assert fault in list(handbook_site.wrong("en"))
    with pytest.raises(TableeError, match="not whole"):
        handbook_site.write_site(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_paragraph_of_the_rules_that_no_page_has_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    true = handbook_pages.rendered

    def without(name: str, language: str) -> tuple[str, Markup]:
        title, html = true(name, language)
        return title, Markup(str(html).replace('id="2.4"', 'id="gone"')) if name == "tablan" else html

    monkeypatch.setattr(handbook_site, "rendered", without)
    assert "tablan.fr: paragraph 2.4 is missing" in list(handbook_site.wrong("fr"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_file_of_the_folder_is_a_page(language: str) -> None:
    pages = {path.name.partition(".")[0] for path in (ROOT / "docs" / "handbook").glob(f"*.{language}.md")}
    assert pages == set(handbook_pages.BOTH)
    assert {path.name for path in (ROOT / "docs").glob("*.md")} <= set(handbook_pages.ENGLISH.values())
    assert all((ROOT / file).is_file() for file in handbook_pages.FILES.values())


@pytest.mark.parametrize("path", [path for path, _ in command_pages()], ids=lambda path: path.name)
def test_the_page_of_the_commands_is_that_of_the_command_line(path: Path) -> None:
    assert dict(command_pages())[path] == path.read_text(encoding="utf-8"), "`make golden` writes it anew"


def test_the_reference_holds_every_public_name_with_its_docstring() -> None:
    page = handbook_pages.source("api", "en")
    assert [name for name in tablee.__all__ if f"### {name}\n" not in page] == []
    assert "Return the state after a legal action or a throw" in page
    assert "Analysis" in page
    assert "- `forgets: bool = False`: The rules look at earlier positions" in page
    for module, names in MODULES:
        assert [name for name in names or public(module) if find(module, name) is None] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sessions_of_the_page_for_programmers_run(language: str) -> None:
    results = doctest.testfile(str(ROOT / "docs" / "handbook" / f"programmers.{language}.md"), module_relative=False)
    assert (results.failed, results.attempted) == (0, 19)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_spaces_told_to_researchers_are_those_of_the_games(language: str) -> None:
    told = {name.lower(): (int(actions), int(width)) for name, actions, width in SPACES.findall(handbook_pages.source("researchers", language))}
    games = {slug: tablee.game(slug) for slug in OURS}
    assert told == {slug: (game.action_count, observation_of(game).observer.width) for slug, game in games.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_of_the_games_says_an_age_only_where_it_is_known(language: str) -> None:
    text = handbook_pages.games_text(language)
    ages = [line for line in text.splitlines() if line.startswith("2 ")]
    assert len(ages) == len(OURS)
    assert [any(word in line for word in ("dès", "from")) for line in ages] == [bool(tablee.kind(slug).age) for slug in OURS]


def test_the_site_is_written_as_files_that_link_to_each_other(tmp_path: Path) -> None:
    handbook_site.write_site(tmp_path)
    for language in LANGUAGES:
        for name in handbook_pages.names():
            text = (tmp_path / language / f"{name}.html").read_text(encoding="utf-8")
            assert f'<html lang="{language}"' in text
            links = {link for link in re.findall(r'(?:href|src)="([^"#]+)', text) if not link.startswith(("http", "/", "mailto:"))}
            assert [link for link in links if not (tmp_path / language / link).is_file()] == [], name


def test_a_house_serves_it_in_the_visitor_s_language_with_every_link_alive(tmp_path: Path) -> None:
    with serving(tmp_path) as house, house.person("fr") as french, house.person("en") as english:
        assert "Le guide de Tablée" in french.get("/docs").text
        assert "Handbook of Tablée" in english.get("/docs").text
        links = set[str]()
        for name in handbook_pages.names():
            answer = english.get(f"/docs/{name}")
            assert answer.status_code == 200, name
            links |= {urljoin(f"/docs/{name}", link) for link in re.findall(r'(?:href|src)="(/[^"#]*)', answer.text)}
        assert [link for link in sorted(links) if english.get(link).status_code != 200] == []
        assert english.get("/docs/file/mine.py").text == (ROOT / "examples" / "mine.py").read_text(encoding="utf-8")
        for wrong in ("/docs/nothing", "/docs/file/nothing", "/docs/file/..%2fREADME.md"):
            assert english.get(wrong).status_code == 404
        assert "Cette page n’existe qu’en anglais" in french.get("/docs/python").text
