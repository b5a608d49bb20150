"""The browser declares the same view as the house."""

import re
from pathlib import Path

import pytest
from msgspec import structs

from tablee.tables import view_types
from tablee.tables.view_types import Change

SCRIPT = (Path(view_types.__file__).parents[1] / "web" / "static" / "view.js").read_text(encoding="utf-8")
DECLARED = {name: fields for fields, name in re.findall(r"@typedef \{\{(.*)\}\} (\w+) \*/", SCRIPT)}
TYPES = [kind for kind in vars(view_types).values() if isinstance(kind, type) and kind.__name__.endswith(("View", "Change"))]


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.__name__)
def test_a_type_has_the_same_fields_on_both_sides(kind: type) -> None:
    names = [field.encode_name for field in structs.fields(kind)]
    assert re.findall(r"(\w+)\??: ", DECLARED[kind.__name__]) == names


def test_nothing_is_declared_for_the_browser_alone() -> None:
    assert set(DECLARED) == {kind.__name__ for kind in TYPES}
    assert Change in TYPES
