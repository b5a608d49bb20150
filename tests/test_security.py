"""Every row of the threat model names a test that exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROWS = re.findall(r"^\| (T\d+) \|.*\| `(tests/[^`]+)` \|$", (ROOT / "docs" / "security.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_the_threats_are_numbered_without_a_gap() -> None:
    assert [name for name, _ in ROWS] == [f"T{number + 1}" for number in range(len(ROWS))]
    assert len(ROWS) > 20


@pytest.mark.parametrize(("name", "test"), ROWS, ids=[name for name, _ in ROWS])
def test_the_test_of_a_threat_exists(name: str, test: str) -> None:
    path, _, function = test.partition("::")
    text = (ROOT / path).read_text(encoding="utf-8")
    assert re.search(rf"^def {function or 'test_'}", text, re.MULTILINE), name
