"""The headers to compile against: the C library's from Debian's `emscripten`, Python's from `libpython3.14-dev`, unpacked, not installed.

Both are of a newer suite than the machine's own: its own source is read under another suite name, with lists and a cache of our own.
"""

import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tablee.site.pyodide import PYTHON
from tablee.site.tools import CannotBuild, need, once, run

SUITE = "forky"
PACKAGES = ("emscripten", f"libpython{PYTHON}-dev")
SYSTEM = Path("usr/share/emscripten/system")
MUSL = SYSTEM / "lib/libc/musl"
# A definition of pyconfig.h, or the place of one.
DEFINITION = re.compile(r"^(?:#\s*define (\w+)(?: .*)?|/\* #undef (\w+) \*/)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Headers:
    """Where the headers are: Python's and its inner ones, then those of the C library in the order of search."""

    python: Path
    system: tuple[Path, ...]


def headers(work: Path, facts: Mapping[str, object]) -> Headers:
    """Return the headers, downloaded at most once; `facts` are the variables that Pyodide's Python was built with."""

    def fetch(folder: Path) -> None:
        """Download, unpack and put Pyodide's own configuration in the place of the machine's."""
        download(folder)
        for package in folder.glob("*.deb"):
            run(["dpkg-deb", "-x", package, folder], f"{package.name} cannot be unpacked")
            package.unlink()
        python = folder / f"usr/include/python{PYTHON}"
        template = next((folder / "usr/include").glob(f"*/python{PYTHON}/pyconfig.h"))
        (python / "pyconfig.h").write_text(configuration(template.read_text(encoding="utf-8"), facts), encoding="utf-8")

    root = once(work / "headers", f"{SUITE} {' '.join(PACKAGES)}", fetch)
    inner = (SYSTEM / "include/compat", SYSTEM / "include", MUSL / "arch/emscripten", MUSL / "arch/generic", MUSL / "include")
    return Headers(root / f"usr/include/python{PYTHON}", tuple(root / part for part in inner))


def download(folder: Path) -> None:
    """Download the packages with apt, from the machine's own archive under the name of the newer suite."""
    need("dpkg-deb", "unpacks Debian's headers")
    apt = need("apt-get", "downloads Debian's headers")
    known = run([apt, "indextargets", "--format", "$(ORIGIN) $(REPO_URI)", "Created-By: Packages"], "apt does not list its sources")
    archives = [line.split(maxsplit=1)[1] for line in known.splitlines() if line.startswith("Debian ")]
    if not archives:
        raise CannotBuild("Debian's headers cannot be had: apt knows no archive of Debian")
    state = folder / "apt"
    for part in ("lists/partial", "cache/archives/partial"):
        (state / part).mkdir(parents=True)
    (state / "sources.list").write_text(f"deb {min(archives, key=len)} {SUITE} main\n", encoding="utf-8")
    (state / "status").touch()
    settings = {
        "Dir::Etc::sourcelist": state / "sources.list", "Dir::Etc::sourceparts": "-", "Dir::State": state, "Dir::State::lists": state / "lists",
        "Dir::State::status": state / "status", "Dir::Cache": state / "cache", "Acquire::Languages": "none", "APT::Sandbox::User": "",
    }  # fmt: skip
    ours = [apt, *(word for name, value in settings.items() for word in ("-o", f"{name}={value.absolute() if isinstance(value, Path) else value}"))]
    run([*ours, "update"], f"apt cannot read the suite {SUITE}")
    run([*ours, "download", *PACKAGES], f"apt cannot download {' and '.join(PACKAGES)}", folder)
    shutil.rmtree(state)


def configuration(template: str, facts: Mapping[str, object]) -> str:
    r"""Return the pyconfig.h of another machine with every definition as Pyodide's Python has it, or without it.

    >>> print(configuration("#define SIZEOF_LONG 8\n/* #undef HAVE_X */\n#define HAVE_Y 1", {"SIZEOF_LONG": 4, "HAVE_X": 1, "HAVE_Y": 0}))
    #define SIZEOF_LONG 4
    #define HAVE_X 1
    /* #undef HAVE_Y */
    """

    def define(line: re.Match[str]) -> str:
        """Return one definition."""
        name = line[1] or line[2]
        value = facts.get(name)
        return f"#define {name} {value}" if value not in (None, 0, "") else f"/* #undef {name} */"

    return DEFINITION.sub(define, template)
