"""The wheel: compiled where there is a C compiler, plain where there is none, and whole either way."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tablee import __version__
from tablee.catalog import OURS

ROOT = Path(__file__).parent.parent
SOURCES = ("pyproject.toml", "setup.py", "README.md", "LICENSE")
FOLDERS = ("docs", "examples", "deploy", "bench")
DATA = (".po", ".mo", ".md", ".svg", ".txt", ".typed", ".html", ".css", ".js", ".sql")


def copied(folder: Path) -> Path:
    """Return a copy of what a wheel is made of, without anything built before; to be quick, only the core is to be compiled."""
    tree = folder / "tree"
    shutil.copytree(ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("*.so", "*.mo", "*.egg-info", "__pycache__"))
    for name in SOURCES:
        shutil.copy(ROOT / name, tree)
    for name in FOLDERS:
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    for path in (tree / "src").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.parent.name != "core" and text.startswith(("# compiled\n", "# compiled unchecked\n")):
            path.write_text("#\n" + text.partition("\n")[2], encoding="utf-8")
    return tree


def wheel(tree: Path, folder: Path, **settings: str) -> Path:
    """Build a wheel of the tree as `pip` does, and return it."""
    words = [
        "wheel",
        "--quiet",
        "--no-build-isolation",
        "--no-deps",
        "--no-index",
        "--disable-pip-version-check",
        "--wheel-dir",
        str(folder),
        str(tree),
    ]
    done = subprocess.run([sys.executable, "-m", "pip", *words], env=os.environ | settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (made,) = folder.glob("*.whl")
    return made


def installed(made: Path, folder: Path) -> Path:
    """Install a wheel into a folder of its own, and return that."""
    words = ["install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", "--target", str(folder), str(made)]
    subprocess.run([sys.executable, "-m", "pip", *words], check=True)
    return folder


def tablee(folder: Path, *words: str) -> str:
    """Return what the installed command says; nothing of the checkout is in its way."""
    elsewhere = [path for path in sys.path if path and not Path(path).resolve().is_relative_to(ROOT)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(folder), *elsewhere]), "LC_ALL": "en_US.UTF-8"}
    done = subprocess.run([str(folder / "bin" / "tablee"), *words], env=environment, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_without_a_compiler_it_installs_says_so_and_plays(tmp_path: Path) -> None:
    bare = tmp_path / "bin"
    bare.mkdir()
    made = wheel(copied(tmp_path), tmp_path, CC="/bin/false", CXX="/bin/false", PATH=str(bare))
    assert not [name for name in zipfile.ZipFile(made).namelist() if name.endswith(".so")]
    folder = installed(made, tmp_path / "site")
    assert tablee(folder, "--version").endswith("(not compiled, slower)\n")
    told = tablee(folder, "play", "traboulet", "--players", "random,greedy", "--plain", "--seed", "1", "--lang", "en")
    assert "The game is over" in told


@pytest.mark.skipif(shutil.which(os.environ.get("CC", "cc")) is None, reason="there is no C compiler here")
def test_with_a_compiler_it_is_compiled_and_every_data_file_is_in_it(tmp_path: Path) -> None:
    made = wheel(copied(tmp_path), tmp_path)
    generated = (tmp_path / "tree" / "build" / "__native_tablee.c").read_text(encoding="utf-8")
    assert len(re.findall(r"    cpy_r_\w+ = 1;\n.*goto CPyL", generated)) > 50, "the network is compiled with bounds checks"
    names = set(zipfile.ZipFile(made).namelist())
    assert [name for name in names if name.startswith("tablee__mypyc") and name.endswith(".so")]
    source = ROOT / "src"
    wanted = {str(path.relative_to(source)) for path in source.glob("tablee/**/*") if path.name.endswith((*DATA, ".py")) and path.is_file()}
    assert wanted - names == set()
    assert [name for name in names if name.startswith("tablee/skeleton/template/")]
    for slug in OURS:
        texts = ("rules.fr.md", "rules.en.md", "words.fr.po", "words.en.po", "words.fr.mo", "words.en.mo", "art.svg")
        assert {f"tablee/games/{slug}/{name}" for name in texts} <= names
    assert {f"tablee/{folder}/{language}.mo" for folder in ("locale", "web/locale") for language in ("fr", "en")} <= names
    assert made.name.startswith(f"tablee-{__version__}-")
    folder = installed(made, tmp_path / "site")
    assert tablee(folder, "--version").endswith("(compiled)\n")
    assert tablee(folder, "perft", "traboulet", "3") == "640\n"
    tablee(folder, "new", "essai", "--folder", str(tmp_path / "essai"))
    assert (tmp_path / "essai" / "src" / "tablee_essai" / "rules.fr.md").is_file()


def test_the_source_distribution_holds_every_folder_and_file() -> None:
    """What a checkout tracks at its top is in MANIFEST.in, or is what setuptools takes by itself."""
    manifest = (ROOT / "MANIFEST.in").read_text(encoding="utf-8")
    named = set(re.findall(r"^graft (\S+)", manifest, re.MULTILINE)) | set(" ".join(re.findall(r"^include (.+)", manifest, re.MULTILINE)).split())
    ignored = {line.strip("/*") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()}
    by_itself = {*SOURCES, "MANIFEST.in", ".git", ".gitignore", ".ci"}
    there = {path.name for path in ROOT.iterdir() if not path.name.startswith(".") or path.name == ".github"}
    assert {name for name in there - ignored - by_itself if "." not in name.strip(".") or name.endswith((".md", ".txt", ".toml"))} <= named
