"""Limits that keep the source readable: short functions, few parameters, no hidden import cycle in `tables`."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "tablee"
FILES = sorted(SOURCE.rglob("*.py"))
LONGEST = 60
MOST_PARAMETERS = 8


def functions(text: str) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Give every function and method of a module."""
    return (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def is_compiled(text: str) -> bool:
    """Return whether a module is compiled: its inner loops are long because a call costs more there than a line."""
    return text.startswith("# compiled")


def long_functions(text: str) -> list[str]:
    """Return the functions of an interpreted module that have too many lines."""
    return [] if is_compiled(text) else [function.name for function in functions(text) if (function.end_lineno or 0) - function.lineno >= LONGEST]


def crowded_functions(text: str) -> list[str]:
    """Return the functions of a module that have too many parameters; `self` and `cls` do not count."""
    return [function.name for function in functions(text) if len(parameters(function)) > MOST_PARAMETERS]


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """Return the names of a function's parameters."""
    arguments = function.args
    listed = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return [name for name in listed if name not in ("self", "cls")]


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_functions_are_short_and_have_few_parameters(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert long_functions(text) == []
    assert crowded_functions(text) == []


def test_the_limits_can_fail() -> None:
    long = "def long() -> None:\n" + "    print()\n" * LONGEST
    crowded = "def crowded(self, " + ", ".join(f"p{number}" for number in range(MOST_PARAMETERS + 1)) + "):\n    pass\n"
    assert long_functions(long) == ["long"]
    assert long_functions("# compiled\n" + long) == []
    assert crowded_functions(crowded) == ["crowded"]
    assert crowded_functions(crowded.replace(", p0", "")) == []


def test_no_import_of_the_tables_is_hidden_from_the_interpreter() -> None:
    hidden = [file.name for file in (SOURCE / "tables").rglob("*.py") if "TYPE_CHECKING" in file.read_text(encoding="utf-8")]
    assert hidden == []


# One word for one idea: these once stood for six things each. A name says what the thing is.
VAGUE = {"told", "whole", "found", "read", "one"}
ALLOWED = {
    # What a reader of the word expects: sentences that tell what happened, and readers of texts, files and sockets.
    "core/state.py": {"told"},
    "catalog.py": {"read"},
    "local/disk.py": {"read"},
    "local/browser.py": {"read"},
    "web/line.py": {"read"},
}


def vague_names(text: str) -> set[str]:
    """Return the functions, parameters, variables and attributes of an interpreted module whose names say nothing; not what a loop counts."""
    tree = ast.parse(text)
    loops = {id(name) for loop in ast.walk(tree) if isinstance(loop, ast.For | ast.comprehension) for name in ast.walk(loop.target)}
    named = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)} | {function.name for function in functions(text)}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) if id(node) not in loops:
                named.add(name)
            case ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name):
                named.add(name)
    return set() if is_compiled(text) else named & VAGUE


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_names_say_what_they_are(file: Path) -> None:
    assert vague_names(file.read_text(encoding="utf-8")) <= ALLOWED.get(str(file.relative_to(SOURCE)), set())


def test_a_vague_name_is_noticed() -> None:
    for text in ("def told():\n    pass\n", "def f(whole):\n    pass\n", "found = 1\n", "self.read = 1\n", "class one:\n    pass\n"):
        assert vague_names(text)
    assert not vague_names("for one in ():\n    pass\n")
