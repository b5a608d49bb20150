"""Compiles the fast part of Tablée with mypyc; without a C compiler the package installs all the same, only slower."""

import os
from pathlib import Path

from setuptools import Extension, setup

HERE = Path(__file__).parent
# A product and a sum are rounded one after the other, as plain Python does, on machines too that could do both at once.
FLAGS = ["-O3", "-fwrapv", "-ffp-contract=off", "-fno-semantic-interposition", "-Wno-error"]
# Wheels run on every machine; who builds for his own may say TABLEE_CFLAGS=-march=native.
OWN_FLAGS = os.environ.get("TABLEE_CFLAGS", "").split()
# The Makefile installs first and compiles after, once.
COMPILE = os.environ.get("TABLEE_COMPILE", "yes") != "no"


def sources() -> list[str]:
    """Return the files to compile: every module whose first lines say `# compiled`."""
    found = []
    for path in sorted((HERE / "src" / "tablee").rglob("*.py")):
        if path.read_text(encoding="utf-8").startswith("# compiled\n"):
            found.append(str(path.relative_to(HERE)))
    return found


def extensions() -> list[Extension]:
    """Return the one mypyc group, each extension optional."""
    try:
        from mypyc.build import mypycify
    except ImportError:
        return []
    # Only the compiled modules are judged here: what they import from elsewhere may not be installed yet.
    judge = ["--config-file=pyproject.toml", "--follow-imports=silent", "--ignore-missing-imports"]
    made: list[Extension] = mypycify([*judge, *sources()], opt_level="3", group_name="tablee")
    for extension in made:
        extension.optional = True
        extension.extra_compile_args = [*(extension.extra_compile_args or []), *FLAGS, *OWN_FLAGS]
    return made


setup(ext_modules=extensions() if COMPILE else [])
