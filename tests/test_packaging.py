"""The wheel: compiled where there is a C compiler, plain where there is none, and whole either way."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path
from runpy import run_path

import pytest
from packaging.requirements import Requirement

from tablee import __version__
from tablee.catalog import OURS

ROOT = Path(__file__).parent.parent
CONTAINERFILE = ROOT / "deploy" / "Containerfile"
DATA = (".po", ".mo", ".md", ".svg", ".txt", ".typed", ".html", ".css", ".js", ".mjs", ".sql", ".png", ".toml")
BUILT = ("*.so", "*.mo", "*.egg-info", "__pycache__")


def for_the_container() -> list[str]:
    """Return the files and folders that the container file copies before it builds."""
    lines = re.findall(r"^COPY (?!--from)(.+) \S+$", CONTAINERFILE.read_text(encoding="utf-8"), re.MULTILINE)
    return " ".join(lines).split()


def copied(folder: Path) -> Path:
    """Return a copy of what the container is built from, without anything built before; to be quick, only the core is to be compiled."""
    tree = folder / "tree"
    for name in for_the_container():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns(*BUILT))
        else:
            shutil.copy(ROOT / name, tree / name)
    shutil.rmtree(tree / "src" / "tablee" / "web" / "docs", ignore_errors=True)
    for path in (tree / "src").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.parent.name != "core" and text.startswith(("# compiled\n", "# compiled unchecked\n")):
            path.write_text("#\n" + text.partition("\n")[2], encoding="utf-8")
    return tree


def handbook(tree: Path) -> set[str]:
    """Return the files of the handbook that setup.py copies into the package of a tree."""
    run_path(str(tree / "setup.py"))["copy_handbook"]()
    inside = tree / "src" / "tablee" / "web" / "docs"
    return {str(path.relative_to(inside)) for path in inside.rglob("*") if path.is_file()}


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


def needed(name: str) -> set[str]:
    """Return the distributions that a distribution needs here, without any extra, and those that these need."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for line in distribution(waiting.pop()).requires or ():
            requirement = Requirement(line)
            if (requirement.marker is None or requirement.marker.evaluate({"extra": ""})) and requirement.name not in found:
                found.add(requirement.name)
                waiting.append(requirement.name)
    return found


def installed(made: Path, folder: Path) -> Path:
    """Install a wheel into a new environment that holds nothing else but what the wheel needs; return the folder of its commands."""
    venv.create(folder, with_pip=False)
    binaries = folder / ("Scripts" if os.name == "nt" else "bin")
    words = ["--python", str(binaries / "python"), "install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", str(made)]
    subprocess.run([sys.executable, "-m", "pip", *words], check=True)
    site = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    for name in needed("tablee"):
        needs = distribution(name)
        for top in {file.parts[0] for file in needs.files or () if file.parts[0] not in ("..", "__pycache__")}:
            (site / top).symlink_to(Path(str(needs.locate_file(top))).resolve())
    return binaries


def said(binaries: Path, *words: str) -> str:
    """Return what a command of an environment says, without anything that the tests have on their path."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")} | {"LC_ALL": "en_US.UTF-8"}
    command = [str(binaries / words[0]), *words[1:]]
    done = subprocess.run(command, env=environment, cwd=binaries, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def tablee(binaries: Path, *words: str) -> str:
    """Return what the installed command says."""
    return said(binaries, "tablee", *words)


def test_without_a_compiler_it_installs_says_so_and_plays(tmp_path: Path) -> None:
    bare = tmp_path / "bin"
    bare.mkdir()
    made = wheel(copied(tmp_path), tmp_path, CC="/bin/false", CXX="/bin/false", PATH=str(bare))
    assert not [name for name in zipfile.ZipFile(made).namelist() if name.endswith(".so")]
    folder = installed(made, tmp_path / "env")
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
    assert {path for path in wanted if not path.startswith("tablee/web/docs/")} - names == set()
    assert {f"tablee/web/docs/{name}" for name in handbook(tmp_path / "tree")} <= names
    assert [name for name in names if name.startswith("tablee/skeleton/template/")]
    for slug in OURS:
        texts = ("rules.fr.md", "rules.en.md", "words.fr.po", "words.en.po", "words.fr.mo", "words.en.mo", "art.svg")
        assert {f"tablee/games/{slug}/{name}" for name in texts} <= names
    assert {f"tablee/{folder}/{language}.mo" for folder in ("locale", "web/locale") for language in ("fr", "en")} <= names
    assert made.name.startswith(f"tablee-{__version__}-")
    folder = installed(made, tmp_path / "env")
    assert tablee(folder, "--version").endswith("(compiled)\n")
    assert tablee(folder, "perft", "traboulet", "3") == "640\n"
    assert str(ROOT) not in said(folder, "python", "-c", "import sys; print(sys.path)")
    assert said(folder, "python", "-c", "import tablee; print(tablee.__file__)").startswith(str(tmp_path))
    tablee(folder, "new", "essai", "--folder", str(tmp_path / "essai"))
    assert (tmp_path / "essai" / "src" / "tablee_essai" / "rules.fr.md").is_file()


def test_a_release_has_a_compiled_wheel_for_every_python_on_both_machines_and_for_the_browser() -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    runners = dict(re.findall(r"machine: (\w+), runner: ([\w.-]+)", workflow))
    assert runners.keys() == {"x86_64", "aarch64", "pyodide"}
    assert runners["aarch64"].endswith("-arm")
    classifiers = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (built,) = re.findall(r'CIBW_BUILD: "(.+)"', workflow)
    assert set(built.split()) == {f"cp{version.replace('.', '')}-manylinux_*" for version in classifiers} | {"cp314-pyodide_wasm32"}
    assert "(compiled)" in workflow


def checkout(tree: Path) -> list[str]:
    """Copy what is kept under version control, or what an unpacked source distribution holds, to a folder; return the names."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
        names = [name for name in listed if name and (ROOT / name).is_file()]
    else:
        left_out = shutil.ignore_patterns(
            *BUILT, *(line.strip("/") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").split()), "PKG-INFO"
        )
        whole = shutil.copytree(ROOT, tree, ignore=left_out)
        names = [str(path.relative_to(whole)) for path in whole.rglob("*") if path.is_file()]
    for name in names:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tree / name)
    return names


def test_the_source_distribution_holds_every_file_of_a_checkout(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    kept = checkout(tree)
    assert len(kept) > 500
    words = [sys.executable, "setup.py", "--quiet", "egg_info", "--egg-base", str(tmp_path), "sdist", "--formats", "tar", "--dist-dir", str(tmp_path)]
    subprocess.run(words, cwd=tree, env=os.environ | {"TABLEE_COMPILE": "no"}, check=True, capture_output=True)
    (made,) = tmp_path.glob("*.tar")
    with tarfile.open(made) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert sorted(set(kept) - inside) == []


def test_the_container_is_built_from_all_that_the_package_needs(tmp_path: Path) -> None:
    here, there = tmp_path / "checkout", copied(tmp_path)
    checkout(here)
    found = handbook(here)
    assert {"index.md", "gym.md"} & found
    assert handbook(there) == found
    assert len(found) > 30
