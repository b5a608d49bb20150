"""Python for the browser, built once for all tests of a run, and started under node."""

import fcntl
import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tablee.site import Built, CannotBuild, build_python
from tablee.site.engine import zig
from tablee.site.headers import headers
from tablee.site.pyodide import facts, pyodide
from tablee.site.tools import one_at_a_time
from tests.wasm.awale import awale as awale

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "site"
HERE = Path(__file__).parent


@contextmanager
def building() -> Iterator[None]:
    """Let one process of a run build at a time: a site that another one wrote is there then, whole.

    Only what the machine lacks (node, npm, its registry) skips a test, aloud; a build that fails is a failed test.
    """
    WORK.mkdir(parents=True, exist_ok=True)
    with (WORK / "tests.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            with one_at_a_time(WORK):
                pyodide(WORK)
        except CannotBuild as error:
            pytest.skip(f"NOT TESTED: {error}")
        yield


def build(folder: Path, *, compiled: bool) -> Built:
    """Build into a folder."""
    with building():
        return build_python(folder, work=WORK, compiled=compiled)


def fetch_compiler() -> None:
    """Download the compiler and the headers; where the machine or the network has none, the test is skipped, aloud."""
    with building(), one_at_a_time(WORK):
        try:
            zig(WORK)
            headers(WORK, facts(WORK))
        except CannotBuild as error:
            pytest.skip(f"NOT TESTED: the engine in WebAssembly: {error}")


@pytest.fixture(scope="session")
def compiled_site(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Return Python for the browser with the compiled engine."""
    fetch_compiler()
    built = build(tmp_path_factory.mktemp("compiled") / "python", compiled=True)
    assert built.compiled, built.why
    return built


@pytest.fixture(scope="session")
def plain_site(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Return Python for the browser with the plain source."""
    return build(tmp_path_factory.mktemp("plain") / "python", compiled=False)


def under_node(built: Built, script: str, **given: object) -> dict[str, Any]:
    """Run a script in the Python of the browser with `given` as a variable, and return its variable `found`."""
    command = ["node", str(HERE / "node.mjs"), built.folder.as_uri() + "/", str(HERE / script), json.dumps(given)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(found, dict)
    return found
