"""Modules compiled by Pyodide's Python, under node; one that was compiled before is not compiled again."""

import json
from collections.abc import Mapping
from pathlib import Path

from tablee.site.pyodide import VERSION, run_python
from tablee.site.tools import key_of

# Run by the Python of the browser in a folder with the sources: it writes the code of all, one after the other, as .pyc files that are never checked.
# Docstrings and asserts are left out, and run.mjs leaves out the columns of errors: nothing in a browser reads them.
SCRIPT = """
import json
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import source_hash
with open("sources.json", encoding="utf-8") as file:
    place, sources = json.load(file)
assert not any(position[2] for position in compile("a + b", "", "eval").co_positions()), "columns were to be left out"
sizes = {}
with open("code", "wb") as out:
    for name, source in sources.items():
        code = compile(source, place + name, "exec", dont_inherit=True, optimize=2)
        sizes[name] = out.write(_code_to_hash_pyc(code, source_hash(source.encode()), False))
with open("sizes.json", "w", encoding="utf-8") as file:
    json.dump(sizes, file)
"""


def compiled(sources: Mapping[str, bytes], work: Path, place: str = "/tablee/") -> dict[str, bytes]:
    """Return the .pyc file of every source by its name; `place` is where it will be in the browser."""
    cache = work / "pyc"
    cache.mkdir(parents=True, exist_ok=True)
    places = {name: cache / key_of(VERSION, SCRIPT, place, name, text) for name, text in sources.items()}
    missing = {name: sources[name].decode() for name, place in places.items() if not place.exists()}
    if missing:
        compile_there(place, missing, places, cache)
    return {name: place.read_bytes() for name, place in places.items()}


def compile_there(place: str, sources: Mapping[str, str], places: Mapping[str, Path], cache: Path) -> None:
    """Let the Python of the browser compile sources, and put each into its place."""
    (cache / "sources.json").write_text(json.dumps([place, sources]), encoding="utf-8")
    run_python(cache.parent, SCRIPT, cache)
    code = (cache / "code").read_bytes()
    at = 0
    for name, size in json.loads((cache / "sizes.json").read_text(encoding="utf-8")).items():
        places[name].write_bytes(code[at : at + size])
        at += size
