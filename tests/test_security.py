"""Every row of the threat model names a test that exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (T\d+) \| (.*) \| (`tests/[^|]+`) \|$", TEXT, re.MULTILINE)
NAMED = [(name, test) for name, _, tests in ROWS for test in re.findall(r"`([^`]+)`", tests)]


def test_the_threats_are_numbered_without_a_gap() -> None:
    assert [name for name, *_ in ROWS] == [f"T{number + 1}" for number in range(len(ROWS))]
    assert len(ROWS) == len(re.findall(r"^\| T\d", TEXT, re.MULTILINE)) > 20


def test_no_threat_stands_there_twice() -> None:
    assert len({tests for *_, tests in ROWS}) == len(ROWS)


@pytest.mark.parametrize(("name", "test"), NAMED, ids=[name for name, _ in NAMED])
def test_the_test_of_a_threat_exists(name: str, test: str) -> None:
    path, _, function = test.partition("::")
    text = (ROOT / path).read_text(encoding="utf-8")
    assert re.search(rf"^def {function or 'test_'}", text, re.MULTILINE), name
