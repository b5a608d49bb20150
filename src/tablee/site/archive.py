"""One archive of the application: its modules compiled by Pyodide's Python, its other files, and the packages it stands on."""

import gzip
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import Distribution, EntryPoint, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from tablee.catalog import GROUP
from tablee.core.catalogue import write_mo
from tablee.site.compiling import compiled
from tablee.site.engine import PACKAGE, Engine
from tablee.site.generate import SUFFIX
from tablee.site.pyodide import wheels
from tablee.site.tools import CannotBuild, key_of, once

# What a browser does not need of this package: other doors, other stores, what needs FastAPI or a server, the sources of catalogues.
LEFT_OUT = re.compile(
    r"(gym|terminal|skeleton|site|room|printing)/|(cli|house_cli|players_cli|store_cli|testing)\.py$|games/\w+/training\.py$"
    r"|store/(sqlite|postgres|migrat|backup)|store/migrations/"
    r"|locale/errors\.\w+\.mo$|web/(api|api_models|serve|connections|follower|hints)\.py$|web/(static|docs)/|local/(static|templates|locale)/"
)
# Packages of others in plain Python, as they are installed here, without what no browser runs.
PACKAGES = ("anyio", "jinja2", "markdown-it-py", "markupsafe", "mdurl", "mypy_extensions", "segno", "starlette", "typing_extensions")
UNUSED = re.compile(r"anyio/(_backends/_trio|pytest_plugin)|markdown_it/(cli|port)/|(.*/)?tests?/|.*\.(pyi|so|c|h|typed|exe)$|.*__pycache__/|\.\./|/")
# anyio reads the source of these two to see what it may load later.
WITH_SOURCE = ("anyio/__init__.py", "anyio/abc/__init__.py")


def archive(target: Path, work: Path, engine: Engine, plugins: Sequence[str] = ()) -> int:
    """Write the archive and return its size."""
    contents = dict(application(engine))
    for name in PACKAGES:
        contents.update(installed(distribution(name)))
    contents.update(unpacked(wheels(work)))
    for name in plugins:
        contents.update(plugin(name))
    contents = with_bytecode(contents, work)
    names = sorted(contents)
    key = key_of(*(part for name in names for part in (name, contents[name])))
    variant = "-".join(["archive", "plain" if engine.folder is None else "compiled", *plugins])
    folder = once(work / variant, key, lambda made: (made / target.name).write_bytes(packed(contents)))
    shutil.copyfile(folder / target.name, target)
    return target.stat().st_size


def application(engine: Engine) -> Iterator[tuple[str, bytes]]:
    """Give the files of this package that a browser needs; a compiled module takes the place of its source."""
    native = {} if engine.folder is None else {path.relative_to(engine.folder).as_posix(): path for path in engine.folder.rglob(f"*{SUFFIX}")}
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE).as_posix()
        twin = f"tablee/{name.removesuffix('.py')}{SUFFIX}"
        wanted = path.is_file() and path.suffix not in (".so", ".pyc", ".typed") and not LEFT_OUT.match(name)
        if not wanted or twin in native or (path.suffix == ".mo" and path.with_suffix(".po").exists()):
            continue
        if path.suffix == ".po" and not path.name.startswith("errors."):
            yield f"tablee/{name.removesuffix('.po')}.mo", write_mo(path.read_bytes())  # the file beside it may be of an older text
        else:
            yield f"tablee/{name}", path.read_bytes()
    yield from ((name, path.read_bytes()) for name, path in native.items())


def installed(package: Distribution) -> Iterator[tuple[str, bytes]]:
    """Give the files of a package that is installed here."""
    for file in package.files or []:
        if not UNUSED.match(file.as_posix()) and ".dist-info" not in file.parts[0]:
            yield file.as_posix(), Path(str(file.locate())).read_bytes()


def unpacked(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Give the files of unpacked wheels; these have compiled modules of their own."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and path.suffix not in (".pyi", ".typed") and ".dist-info" not in name:
            yield name, path.read_bytes()


def games_of(name: str) -> list[EntryPoint]:
    """Return the games of a package that is installed here."""
    try:
        package = distribution(name)
    except PackageNotFoundError as error:
        raise CannotBuild(f"the game package {name!r} is not installed here: pip install it first") from error
    entries = [entry for entry in package.entry_points if entry.group == GROUP]
    if not entries:
        raise CannotBuild(f"the package {name!r} brings no game: expected an entry point of the group {GROUP}")
    return entries


def plugin(name: str) -> Iterator[tuple[str, bytes]]:
    """Give the files of a game that is installed beside this package, with the entry points it is found by."""
    entries = games_of(name)
    package = distribution(name)
    for module in sorted({entry.module.split(".")[0] for entry in entries}):
        yield from sources_of(name, module)
    info = f"{package.name.replace('-', '_')}-{package.version}.dist-info"
    lines = [f"[{GROUP}]", *(f"{entry.name} = {entry.value}" for entry in entries)]
    yield f"{info}/entry_points.txt", ("\n".join(lines) + "\n").encode()
    yield f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {package.name}\nVersion: {package.version}\n".encode()


def sources_of(name: str, module: str) -> Iterator[tuple[str, bytes]]:
    """Give the files of one module or package by its import name, wherever it is installed."""
    spec = find_spec(module)
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        raise CannotBuild(f"the game package {name!r} cannot run in a browser: its module {module!r} has no Python source")
    origin = Path(spec.origin)
    root = origin.parent if spec.submodule_search_locations else origin
    for path in [root] if root.is_file() else sorted(root.rglob("*")):
        relative = path.relative_to(root.parent).as_posix()
        if path.is_file() and not UNUSED.match(relative):
            yield relative, path.read_bytes()


def with_bytecode(contents: Mapping[str, bytes], work: Path) -> dict[str, bytes]:
    """Return the files with every source compiled; only where the source itself is read does it stay beside."""
    code = compiled({name: data for name, data in contents.items() if name.endswith(".py")}, work)
    made: dict[str, bytes] = {}
    for name, data in contents.items():
        if name not in code:
            made[name] = data
        elif name in WITH_SOURCE:
            folder, _, module = name.rpartition("/")
            made[name] = data
            made[f"{folder}/__pycache__/{module.removesuffix('.py')}.cpython-314.pyc"] = code[name]
        else:
            made[f"{name}c"] = code[name]
    return made


def packed(contents: Mapping[str, bytes]) -> bytes:
    """Return the archive: the length of the list in four bytes, the list of [path, size] as JSON, the files; compressed as one."""
    names = sorted(contents)
    index = json.dumps([[name, len(contents[name])] for name in names], separators=(",", ":")).encode()
    packed_bytes = b"".join([len(index).to_bytes(4, "little"), index, *(contents[name] for name in names)])
    return gzip.compress(packed_bytes, compresslevel=9, mtime=0)
