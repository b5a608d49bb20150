"""Every sentence that an error of the library can be made of, read from the source: facts stand in braces."""

import ast
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import tablee

SOURCE = Path(tablee.__file__).parent
# It has sentences of its own in both languages.
OWN = {"Refused"}
MAKERS = {"unknown": 0, "whole_number": 1}
FACT = re.compile(r"\{\w+\}")


def sentences() -> Iterator[tuple[str, str]]:
    """Give every sentence with its place: what stands in the call of an error, each branch of it, without what are facts alone."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCE.rglob("*.py")) if "template" not in path.parts}
    errors = error_names(list(trees.values())) - OWN
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                place = f"{path.relative_to(SOURCE)}:{node.lineno}"
                yield from ((place, sentence) for sentence in said(node, errors) if says_something(sentence))


def error_names(trees: list[ast.Module]) -> set[str]:
    """Return the names of our errors: TableeError and what extends it."""
    names = {"TableeError"}
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    while more := {one.name for one in classes if {name_of(base) for base in one.bases} & names} - names:
        names |= more
    return names


def said(call: ast.Call, errors: set[str]) -> Iterator[str]:
    """Give the sentences that a call says."""
    name = name_of(call.func)
    if name in errors:
        for argument in call.args:
            yield from texts(argument)
    elif name in MAKERS and len(call.args) > MAKERS[name]:
        what = [text for text in texts(call.args[MAKERS[name]]) if text.strip("{fact}")]
        yield from (f"unknown {one} {{given}}: known are {{known}}" if name == "unknown" else f"{{given}} is no {one}" for one in what)


def name_of(node: ast.expr) -> str:
    """Return the last word of a name."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def texts(node: ast.expr) -> list[str]:
    """Return what an expression can be as text; whatever is computed is a fact."""
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.JoinedStr(values=parts):
            return ["".join(chosen) for chosen in product(*map(texts, parts))]
        case ast.FormattedValue(value=ast.IfExp() | ast.JoinedStr() as inner):
            return texts(inner)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return [first + second for first in texts(left) for second in texts(right)]
        case ast.IfExp(body=body, orelse=other):
            return texts(body) + texts(other)
    return ["{fact}"]


def says_something(sentence: str) -> bool:
    """Return whether there is a word beside the facts."""
    return len(re.findall(r"[A-Za-z]{2,}", re.sub(r"`[^`]*`|'[^']*'", "", FACT.sub("", sentence)))) > 1
