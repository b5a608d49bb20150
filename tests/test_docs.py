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
from tablee.core import catalogue, draws, words
from tablee.players.name import CHANGES, NAMES
from tablee.web.table_pages import STATUS

ROOT = Path(__file__).parent.parent
# Files that each game has in a folder of its own.
OF_A_GAME = {"position.py", "rulings.py", "__init__.py", "art.svg", "look.py", "judgement.py", "mind.py", "promises.py"}
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_the_session_of_the_readme_runs() -> None:
    assert doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=FLAGS).failed == 0


def test_the_readme_has_a_session() -> None:
    assert doctest.testfile(str(ROOT / "README.md"), module_relative=False, optionflags=FLAGS).attempted >= 6


@pytest.mark.parametrize(("page", "least"), [("players.md", 5), ("python.md", 40), ("gym.md", 10)])
def test_the_sessions_of_a_page_run(page: str, least: int) -> None:
    results = doctest.testfile(str(ROOT / "docs" / page), module_relative=False, optionflags=FLAGS)
    assert (results.failed, results.attempted >= least) == (0, True)


def test_the_page_on_python_names_everything_that_is_public() -> None:
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    assert [name for name in tablee.__all__ if not re.search(rf"\b{name}\b", page)] == []


def test_the_page_of_players_names_every_player_and_change() -> None:
    page = (ROOT / "docs" / "players.md").read_text(encoding="utf-8")
    assert [name for name in (*NAMES, *CHANGES) if f"`{name}" not in page and not name.startswith("level")] == []


@pytest.mark.parametrize("slug", OURS)
def test_the_page_of_strength_quotes_what_was_measured_of_every_game(slug: str) -> None:
    rows = (ROOT / "docs" / "strength.md").read_text(encoding="utf-8").splitlines()
    parts = parted(shipped(kind(slug), "en"))
    for title, part in parts.items():
        row = [line for line in rows if line.startswith(f"| {title.removeprefix('# ')} |")]
        assert [re.findall(r"\d+\.\d", line) for line in row] == [level_results(part)], title
    assert parts


def level_results(part: str) -> list[str]:
    """Return what each level won against the next one or, where all win together, how much each level won."""
    player = r"`(?:level\d|max:[^`]*)`"
    against_the_next = re.findall(rf"^\| {player} \| {player} \| (\S+) %", part, re.MULTILINE)
    alone = dict(re.findall(rf"^\| ({player}) \| (\S+) %", part, re.MULTILINE))
    return against_the_next or [alone[name] for name in sorted(alone)]


def test_the_examples_of_the_code_run() -> None:
    results = [doctest.testmod(module) for module in (words, catalogue, draws, tablee.catalog)]
    assert [result.failed for result in results] == [0, 0, 0, 0]
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


def test_the_page_on_architecture_names_files_that_exist() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w/<>-])(?:[a-z_]+/)*[a-z_-]+\.(?:py|js|toml|svg|md)\b", page)) - OF_A_GAME
    source = ROOT / "src" / "tablee"
    places = (source, source / "web", ROOT, ROOT / "docs")
    assert [name for name in sorted(named) if not any((place / name).is_file() for place in places)] == []
    assert len(named) > 40


def test_the_path_of_a_click_names_every_module_of_the_table_s_door() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawing = page.split("## The path of a click")[1].split("## ")[0]
    crossed: tuple[str, ...] = (
        "web/guard.py",
        "web/socket.py",
        "web/socket_messages.py",
        "web/house.py",
        "tables/door.py",
        "tables/visit.py",
        "tables/playing.py",
    )
    crossed += ("core/state.py", "tables/events.py", "tables/table.py", "store/sqlite.py", "tables/view_changes.py", "web/table_view.py")
    assert [name for name in crossed if name not in drawing] == []


def test_the_page_on_the_protocol_gives_the_status_of_every_refusal() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8").split("| code of `Refused` |")[1].split("\n\n")[0]
    rows = re.findall(r"^\| (`.*?`) \|.*\| (\d+) \|$", page, re.MULTILINE)
    assert {code: int(status) for codes, status in rows for code in re.findall(r"\w+", codes)} == STATUS


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("deploy/tablee.service", "serve"),
        ("deploy/tablee-cluster.service", "serve"),
        ("deploy/tablee-players.service", "players"),
        ("deploy/Containerfile", "serve"),
        ("docs/operating.md", "serve"),
        ("docs/operating.md", "tablee players"),
    ],
)
def test_every_option_that_is_named_beside_a_command_exists(file: str, command: str) -> None:
    page = (ROOT / file).read_text(encoding="utf-8")
    known = {option for parameter in get_command(app).commands[command.split()[-1]].params for option in parameter.opts}  # type: ignore[attr-defined]
    named = {option for line in re.findall(rf'{command}(?:"|\b)[^\n`]*', page) for option in re.findall(r"--[a-z]+", line)}
    assert named
    assert named <= known


def test_the_changelog_says_each_thing_once() -> None:
    entries = re.findall(r"^- (.{40})", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted({entry for entry in entries if entries.count(entry) > 1}) == []


def test_the_example_that_learns_has_at_most_200_lines() -> None:
    assert len((ROOT / "examples" / "learn_traboulet.py").read_text(encoding="utf-8").splitlines()) <= 200
