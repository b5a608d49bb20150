"""The browser declares the same view as the house."""

import re
from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from types import UnionType
from typing import Literal, Union, get_args, get_origin, get_type_hints

import pytest
from msgspec import Struct, UnsetType, structs

from tablee.tables import view_types
from tablee.tables.view_types import Change, Sparse

SCRIPT = (Path(view_types.__file__).parents[1] / "web" / "static" / "view.js").read_text(encoding="utf-8")
DECLARED = {name: fields for fields, name in re.findall(r"@typedef \{\{(.*)\}\} (\w+) \*/", SCRIPT)}
NAMES = {bool: "boolean", int: "number", float: "number", str: "string", Enum: "string", type(None): "null"}
TYPES = [kind for kind in vars(view_types).values() if isinstance(kind, type) and kind.__name__.endswith(("View", "Change"))]


def in_script(kind: object) -> str:
    """Return a type of Python as the browser declares it; a field that may be unset is marked at its name."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return " | ".join(sorted({in_script(part) for part in parts if part is not UnsetType}, key=lambda name: (name == "null", name)))
    if origin is Literal:
        return "string"
    if origin is tuple and parts[-1] is not Ellipsis:
        return f"[{', '.join(map(in_script, parts))}]"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"Record<{', '.join(map(in_script, parts))}>"
    if isinstance(origin, type):
        return f"{in_script(parts[0])}[]"
    assert isinstance(kind, type), kind
    if issubclass(kind, Struct):
        return kind.__name__
    return next(name for known, name in NAMES.items() if issubclass(kind, known))


@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.__name__)
def test_a_type_has_the_same_fields_of_the_same_types_on_both_sides(kind: type) -> None:
    hints = get_type_hints(kind)
    # A sparse part leaves out what is None; only `Change`, whose fields may be unset, sends null.
    silent = issubclass(kind, Sparse)
    expected = [
        (field.encode_name, in_script(hints[field.name]).removesuffix(" | null" if silent and field.default is None else ""))
        for field in structs.fields(kind)
    ]
    assert re.findall(r"(\w+)\??: (.*?)(?:, (?=\w+\??: )|$)", DECLARED[kind.__name__]) == expected


def test_nothing_is_declared_for_the_browser_alone() -> None:
    assert set(DECLARED) == {kind.__name__ for kind in TYPES}
    assert Change in TYPES
