"""Write the C of the compiled modules for a machine of 32 bits and another Python: `python generate.py OUT MODULE...`.

It runs in a separate process, because mypyc asks its own Python for the word size, the version and the file suffix of
compiled modules; here that Python answers as Pyodide's would. The modules are paths below the current folder, and end up in one group.
"""

import importlib.machinery
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from tablee.site.bounds import edit_bounds

GROUP = "tablee"
VERSION = (3, 14, 2, "final", 0)
SUFFIX = ".cpython-314-wasm32-emscripten.so"
UNCHECKED_LINE = "# compiled unchecked\n"


class Version(NamedTuple):
    """The shape of `sys.version_info`."""

    major: int
    minor: int
    micro: int
    releaselevel: str
    serial: int


@contextmanager
def another_python() -> Iterator[None]:
    """Let this Python say of itself what Pyodide's would."""
    with (
        patch.object(sys, "version_info", Version(*VERSION)),
        patch.object(sysconfig, "get_config_var", {"SIZEOF_SIZE_T": 4}.get),
        patch.object(importlib.machinery, "EXTENSION_SUFFIXES", [SUFFIX]),
    ):
        yield


def main() -> None:
    """Write the C."""
    out, modules = Path(sys.argv[1]), sys.argv[2:]
    # These ask for the version when they are imported, and must see the real one.
    for name in ("setuptools", "mypy.main"):
        import_module(name)
    with another_python():
        import_module("mypyc.common")
    from mypyc.build import mypycify

    options = ["--config-file=", f"--cache-dir={out / 'cache'}", "--follow-imports=silent", "--ignore-missing-imports"]
    with another_python():
        mypycify([*options, *modules], opt_level="3", group_name=GROUP, target_dir=str(out))
    group = out / f"__native_{GROUP}.c"
    unchecked = {module for module in modules if Path(module).read_text(encoding="utf-8").startswith(UNCHECKED_LINE)}
    group.write_text(edit_bounds(group.read_text(encoding="utf-8"), unchecked, keep_checks=False), encoding="utf-8")


if __name__ == "__main__":
    main()
