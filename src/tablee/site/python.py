"""The folder from which a browser starts Python with the application in it."""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tablee import __version__
from tablee.site.archive import archive
from tablee.site.engine import Engine, engine
from tablee.site.pyodide import FILES, lock_info, pyodide
from tablee.site.stdlib import NAME, stdlib
from tablee.site.tools import key_of, one_at_a_time

WORK = Path("build/site")
ARCHIVE = "tablee.pack"
LOADER = "start.mjs"


@dataclass(frozen=True, slots=True)
class Built:
    """What was written: `why` says why the engine is not compiled, `hash` names this build."""

    folder: Path
    compiled: bool
    why: str
    files: dict[str, int]
    hash: str


def build_python(folder: Path, *, work: Path = WORK, plugins: Sequence[str] = (), compiled: bool = True) -> Built:
    """Write Pyodide, the application and the loader into a folder, and `build.json` that says what it is."""
    with one_at_a_time(work):
        return make_python(folder, work, plugins, compiled=compiled)


def make_python(folder: Path, work: Path, plugins: Sequence[str], *, compiled: bool) -> Built:
    """Write the files; the caller holds the lock of `work`."""
    source = pyodide(work)
    made = engine(work) if compiled else Engine(None, "the plain source was asked for")
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copyfile(stdlib(work) if name == NAME else source / name, folder / name)
    archive(folder / ARCHIVE, work, made, plugins)
    shutil.copyfile(Path(__file__).with_name(LOADER), folder / LOADER)
    files = {name: (folder / name).stat().st_size for name in (*FILES, ARCHIVE)}
    built = Built(folder, made.folder is not None, made.why, files, key_of(*(folder / name for name in (*files, LOADER))))
    described = {
        "version": __version__, "compiled": built.compiled, "why": built.why, "plugins": list(plugins), "hash": built.hash,
        "python": lock_info(work), "files": files,
    }  # fmt: skip
    (folder / "build.json").write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
    return built
