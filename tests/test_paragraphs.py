"""Every numbered paragraph stands on the rule pages, and has a test that it allows and a test that it refuses."""

import ast
from pathlib import Path

import pytest

from tablee.catalog import OURS, kind
from tablee.core.rulebook import read_rulebook
from tablee.core.words import LANGUAGES

PARAGRAPHS = {
    "traboulet": "1.1 1.2 1.3 1.4 2.1 2.2 2.3 2.4 2.5 3.1 4.1 4.2 5.1 5.2 5.3",
    "tabale": "1.1 1.2 1.3 1.4 1.5 2.1 2.2 2.3 3.1 3.2 3.3 3.4 4.1 4.2 5.1 5.2 5.3 5.4",
    "tabaijana": "1.1 1.2 1.3 1.4 2.1 2.2 2.3 2.4 2.5 2.6 3.1 3.2 3.3 3.4 4.1 4.2 4.3 4.4 5.1 5.2 5.3 5.4 5.5",
    "tablan": "1.1 1.2 1.3 2.1 2.2 2.3 2.4 2.5 3.1 3.2 4.1 4.2 4.3 5.1 5.2 5.3",
    "tabu": "1.1 1.2 1.3 2.1 2.2 2.3 2.4 3.1 3.2 3.3 3.4 4.1 4.2 4.3",
}
HERE = Path(__file__).parent


def named_tests(slug: str) -> set[str]:
    """Return the names of the tests of a game's rules."""
    tree = ast.parse((HERE / "games" / slug / "test_rules.py").read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_no_game_is_missing_here() -> None:
    assert set(PARAGRAPHS) == set(OURS)


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("verb", ["allows", "refuses"])
def test_every_paragraph_is_seen_to_allow_and_to_refuse(slug: str, verb: str) -> None:
    names = named_tests(slug)
    wanted = PARAGRAPHS[slug].split()
    assert [number for number in wanted if not any(name.startswith(f"test_{number.replace('.', '_')}_{verb}_") for name in names)] == []


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_paragraph_stands_on_the_page(slug: str, language: str) -> None:
    book = read_rulebook(kind(slug).text(f"rules.{language}.md"))
    assert sorted(book.paragraphs) == PARAGRAPHS[slug].split()


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_is_named_by_its_question_and_its_codes_stand_under_notation_alone(slug: str, language: str) -> None:
    rules, _, notation = kind(slug).text(f"rules.{language}.md").partition("\n## Notation\n")
    words = kind(slug).words(language)
    assert [option.name for option in kind(slug).options if words(f"option {option.name}") not in rules] == []
    codes = [f"`{word}`" for option in kind(slug).options for word in (option.name, *option.values)]
    assert [code for code in codes if code not in notation] == []
    assert "`" not in rules.replace("```", "")


@pytest.mark.parametrize("slug", OURS)
def test_the_page_has_at_least_six_figures(slug: str) -> None:
    assert len(read_rulebook(kind(slug).text("rules.fr.md")).figures) >= 6
