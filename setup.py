"""Compile the fast part of Tablée with mypyc, and the catalogues; without a C compiler the package still installs, only slower.

A module whose first line is `# compiled` is compiled as mypyc does it: an index out of range raises IndexError.
A module whose first line is `# compiled unchecked` is compiled without that check, which costs half of the time of an
inner loop. TABLEE_CHECKED=yes keeps the checks, and refuses negative indexes in such a module too: the tests run against
that build (`make checked`), so an index out of range is found there.
"""

import ast
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from runpy import run_path

from setuptools import Extension, setup

HERE = Path(__file__).parent
CHECKED_LINE = "# compiled\n"
UNCHECKED_LINE = "# compiled unchecked\n"
# A product and a sum are rounded one after the other, as plain Python does, even on machines that have one instruction for both.
FLAGS = ["-O3", "-fwrapv", "-ffp-contract=off", "-fno-semantic-interposition", "-Wno-error"]
# Wheels run on every machine; TABLEE_CFLAGS=-march=native builds for this one.
OWN_FLAGS = os.environ.get("TABLEE_CFLAGS", "").split()
# The Makefile installs first and compiles after, once.
COMPILE = os.environ.get("TABLEE_COMPILE", "yes") != "no"
CHECKED = os.environ.get("TABLEE_CHECKED", "no") == "yes"
TARGET = "build/checked-c" if CHECKED else "build"
GROUP = Path(TARGET) / "__native_tablee.c"
# Where mypyc 2.4.1, which pyproject.toml pins, writes a signature and leaves the docstring out: functions, classes, modules.
FUNCTION_DOC = re.compile(r'\(PyCFunction\)CPyPy_(\w+),\s+METH_[\w |]+, PyDoc_STR\("(?:[^"\\]|\\.)*"')
CLASS_DOC = re.compile(r'CPyType_(\w+)_template_ = \{[^}]*?\.tp_doc = PyDoc_STR\("(?:[^"\\]|\\.)*"')
MODULE_DOC = re.compile(r'"([\w.]+)",\s+NULL, /\* docstring \*/')

# The browser's engine is compiled from the same C: `tablee site`.
edit_bounds: Callable[..., str] = run_path(str(HERE / "src" / "tablee" / "site" / "bounds.py"))["edit_bounds"]


def sources(first_lines: tuple[str, ...] = (CHECKED_LINE, UNCHECKED_LINE)) -> list[str]:
    """Return the modules that begin with one of these lines."""
    modules = sorted((HERE / "src" / "tablee").rglob("*.py"))
    return [str(path.relative_to(HERE)) for path in modules if path.read_text(encoding="utf-8").startswith(first_lines)]


def extensions() -> list[Extension]:
    """Return the one mypyc group, each extension optional."""
    try:
        from mypyc.build import mypycify
    except ImportError:
        return []
    # Only the compiled modules are type-checked here: what they import from elsewhere may not be installed yet.
    options = ["--config-file=pyproject.toml", "--follow-imports=silent", "--ignore-missing-imports"]
    made: list[Extension] = mypycify([*options, *sources()], opt_level="3", group_name="tablee", target_dir=TARGET)
    for extension in made:
        extension.optional = True
        extension.extra_compile_args = [*(extension.extra_compile_args or []), *FLAGS, *OWN_FLAGS]
    c_text = add_docstrings(GROUP.read_text(encoding="utf-8"))
    GROUP.write_text(edit_bounds(c_text, set(sources((UNCHECKED_LINE,))), keep_checks=CHECKED), encoding="utf-8")
    return made


def add_docstrings(c_text: str) -> str:
    """Return generated C with the docstrings of its modules, classes and functions."""
    from mypyc.codegen.cstring import c_string_initializer

    known = {name: c_string_initializer(text.encode()) for name, text in docstrings()}
    for pattern in (FUNCTION_DOC, CLASS_DOC):
        c_text = pattern.sub(lambda match: match[0][:-1] + known.get(match[1], '""')[1:], c_text)
    return MODULE_DOC.sub(lambda match: match[0].replace("NULL", known.get(match[1], "NULL")), c_text)


def docstrings() -> Iterator[tuple[str, str]]:
    """Give every docstring of the compiled modules: a module's with its name, a class's or function's with its name in C."""
    from mypyc.namegen import exported_name, make_module_translation_map

    modules = {source.removeprefix("src/").removesuffix(".py").replace("/", "."): source for source in sources()}
    short_names = make_module_translation_map(list(modules))
    for module, source in modules.items():
        tree = ast.parse(Path(source).read_text(encoding="utf-8"))
        yield module, ast.get_docstring(tree) or ""
        for node in tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                name = short_names[module] + node.name
                yield exported_name(name), ast.get_docstring(node) or ""
                methods = [method for method in node.body if isinstance(method, ast.FunctionDef)]
                yield from ((exported_name(f"{name}.{method.name}"), ast.get_docstring(method) or "") for method in methods)


def compile_catalogues() -> None:
    """Write the .mo file of every .po file beside it; a reader falls back to a .po file that was edited since."""
    write_mo = run_path(str(HERE / "src" / "tablee" / "core" / "catalogue.py"))["write_mo"]
    for path in (HERE / "src" / "tablee").rglob("*.po"):
        path.with_suffix(".mo").write_bytes(write_mo(path.read_bytes()))


def copy_handbook() -> None:
    """Copy the pages of the handbook into the package, where an installed house finds them."""
    docs, inside = HERE / "docs", HERE / "src" / "tablee" / "web" / "docs"
    pages = {path: inside / path.relative_to(docs) for path in docs.rglob("*.md")}
    named = [*docs.glob("*.*"), *(HERE / "examples").glob("*.*"), *(HERE / "deploy").glob("*"), HERE / "bench" / "results.md"]
    files = {path: inside / "files" / f"{path.name}.txt" for path in named if path.is_file() and (path.parent != docs or path.suffix != ".md")}
    shutil.rmtree(inside, ignore_errors=True)
    for path, copy in (pages | files).items():
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())


if __name__ == "__main__":
    compile_catalogues()
    copy_handbook()
    setup(ext_modules=extensions() if COMPILE else [])
