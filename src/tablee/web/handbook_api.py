"""The reference of the Python names: signatures and docstrings, read from the source, so that no extra need be installed."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

# What is told, in this order: a heading, the module that one imports, and its names; no names means all that its `__all__` holds.
MODULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("tablee", ()),
    ("tablee.gym", ()),
    ("tablee.gym.sight", ("split", "observation_of", "limits")),
    ("tablee.gym.eye", ("Eye",)),
    ("tablee.testing", ("check_game", "Report", "Broken", "variants")),
    ("tablee.core.kind", ("Option", "Symmetry", "SetupChoice", "Draw", "Setup")),
    ("tablee.core.scene", ("Scene", "Cell", "Piece", "Label", "Counter", "Track", "Arrow")),
    ("tablee.core.words", ("Message", "Words")),
    ("tablee.core.mind", ("Mind",)),
    ("tablee.core.judgement", ("Judgement",)),
    ("tablee.core.search", ("Search",)),
    ("tablee.core.observation", ("Observation", "Part")),
    ("tablee.core.observer", ("Observer",)),
    ("tablee.core.deal", ("Deal",)),
    ("tablee.core.bits", ()),
    ("tablee.arena.plan", ("Plan", "make_plan")),
)


@dataclass(frozen=True)
class Definition:
    """A name in its source: a class, a function or a value."""

    name: str
    node: ast.stmt


@cache
def source_of(module: str) -> ast.Module:
    """Return the source of a module, or of a package, as a tree."""
    path = files("tablee").joinpath(*module.split(".")[1:])
    file = path.joinpath("__init__.py") if path.is_dir() else path.parent.joinpath(f"{path.name}.py")  # type: ignore[attr-defined]
    return ast.parse(file.read_text(encoding="utf-8"))


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Give the statements of a module, those under an `if` or a `with` too, and what a function imports."""
    for node in tree.body:
        yield node
        if isinstance(node, ast.If | ast.With | ast.FunctionDef):
            yield from node.body


def find(module: str, name: str) -> Definition | None:
    """Return where a name of a module is defined, following what it imports from Tablée."""
    for node in statements(source_of(module)):
        match node:
            case ast.ClassDef(name=defined) | ast.FunctionDef(name=defined) if defined == name:
                return Definition(name, node)
            case ast.ImportFrom(module=str(other), names=names) if other.startswith("tablee"):
                for alias in names:
                    if (alias.asname or alias.name) == name:
                        return find(other, alias.name)
            case ast.Assign(targets=[ast.Name(id=defined)]) | ast.AnnAssign(target=ast.Name(id=defined)) if defined == name:
                return Definition(name, node)
            case _:
                pass
    return None


def public(module: str) -> list[str]:
    """Return the public names of a module: its `__all__`, or what it defines itself."""
    tree = source_of(module)
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=names)):
                return sorted(name.value for name in names if isinstance(name, ast.Constant) and isinstance(name.value, str))
            case _:
                pass
    return [node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_")]


def documented(module: str, names: tuple[str, ...]) -> Iterator[Definition]:
    """Give the names of a module that stand on the page."""
    for name in names or public(module):
        definition = find(module, name)
        if definition:
            yield Definition(name, definition.node)


def reference() -> Iterator[str]:
    """Give the lines of the page."""
    yield "# The Python names\n"
    yield "Made from the docstrings. What stands under `tablee` is stable; the other modules are for learning programs and for authors of games.\n"
    for module, names in MODULES:
        yield f"## `{module}`\n"
        for definition in documented(module, names):
            yield from entry(definition)


def entry(definition: Definition) -> Iterator[str]:
    """Give the lines of one name."""
    node = definition.node
    yield f"### {definition.name}\n"
    if isinstance(node, ast.FunctionDef):
        yield f"```python\n{definition.name}{signature(node)}\n```\n\n{ast.get_docstring(node) or ''}\n"
    elif isinstance(node, ast.ClassDef):
        made = next((one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"), None)
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        called = f"\n{definition.name}{signature(made, method=True)}" if made else ""
        yield f"```python\nclass {definition.name}{f'({bases})' if bases else ''}{called}\n```\n\n{ast.get_docstring(node) or ''}\n"
        yield from members(node)
    else:
        yield f"```python\n{ast.unparse(node)}\n```\n"


def members(node: ast.ClassDef) -> Iterator[str]:
    """Give a line for each field, property and method of a class."""
    for member, after in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name) and not member.target.id.startswith("_"):
            yield f"- `{ast.unparse(member)}`" + (f": {said}" if (said := field_docstring(after)) else "")
        if not isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef) or member.name.startswith("_"):
            continue
        decorators = {ast.unparse(decorator) for decorator in member.decorator_list}
        if decorators & {"property", "cached_property"}:
            called = f"{member.name}: {ast.unparse(member.returns)}" if member.returns else member.name
        else:
            awaited = "async " if isinstance(member, ast.AsyncFunctionDef) else ""
            called = f"{awaited}{member.name}{signature(member, method='staticmethod' not in decorators)}"
        yield f"- `{called}`: {(ast.get_docstring(member) or '').replace(chr(10), ' ')}"
    yield ""


def field_docstring(after: ast.stmt | None) -> str:
    """Return the docstring of a field: the text that stands after it."""
    match after:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return text
    return ""


def signature(node: ast.FunctionDef | ast.AsyncFunctionDef, *, method: bool = False) -> str:
    """Return how something is called, without the first parameter of a method."""
    arguments = ast.unparse(node.args)
    if method:
        arguments = arguments.partition(", ")[2]
    return f"({arguments})" + (f" -> {ast.unparse(node.returns)}" if node.returns and ast.unparse(node.returns) != "None" else "")
