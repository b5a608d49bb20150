"""The documents tell the truth: sessions run, commands exist, nothing is missing."""

import doctest
import re
from pathlib import Path

import pytest
from typer.main import get_command

import tablee
from tablee.arena.strength import parted, shipped
from tablee.catalog import OURS, kind
from tablee.cli import app
from tablee.core import words
from tablee.players.name import CHANGES, NAMES

ROOT = Path(__file__).parent.parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_the_session_of_the_readme_runs() -> None:
    assert doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=FLAGS).failed == 0


def test_the_readme_has_a_session() -> None:
    assert doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=FLAGS).attempted >= 6


def test_the_session_of_the_page_of_players_runs() -> None:
    results = doctest.testfile(str(ROOT / "docs" / "players.md"), module_relative=False, optionflags=FLAGS)
    assert (results.failed, results.attempted > 4) == (0, True)


def test_the_page_of_players_names_every_player_and_change() -> None:
    page = (ROOT / "docs" / "players.md").read_text(encoding="utf-8")
    assert [name for name in (*NAMES, *CHANGES) if f"`{name}" not in page and not name.startswith("level")] == []


@pytest.mark.parametrize("slug", OURS)
def test_the_page_of_players_holds_what_was_measured_of_every_game(slug: str) -> None:
    page = (ROOT / "docs" / "players.md").read_text(encoding="utf-8")
    parts = parted(shipped(kind(slug), "en")).values()
    assert [part for part in parts if f"##{part}" not in page] == []
    assert parts


def test_the_examples_of_the_code_run() -> None:
    results = [doctest.testmod(module) for module in (words, tablee.catalog)]
    assert [result.failed for result in results] == [0, 0]
    assert all(result.attempted for result in results)


def test_the_readme_names_every_command() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = get_command(app).commands  # type: ignore[attr-defined]
    assert [name for name in commands if f"tablee {name}" not in page] == []


def test_the_readme_names_no_command_that_is_not_there() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    commands = get_command(app).commands  # type: ignore[attr-defined]
    assert set(re.findall(r"^tablee (\w+)", page, re.MULTILINE)) <= set(commands)


@pytest.mark.parametrize("slug", OURS)
def test_the_readme_names_every_game(slug: str) -> None:
    assert f"**{kind(slug).title.split(' ')[0]}**" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("bench/*.md")]), ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!http)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
