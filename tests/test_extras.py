"""What the bare install can do, and what is said where an extra is missing."""

import re
import subprocess
import sys
import tomllib
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
ENGINE = {"librt", "mypy_extensions"}
# Runs in a new process: packages of the distributions named in the first argument cannot be imported.
BLOCK = """
import sys
class Blocked:
    names = set(sys.argv.pop(1).split(","))
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Blocked())
"""
COMMAND = "from tablee.cli import main; sys.exit(main())"


def plain_name(requirement: str) -> str:
    """Return the name of a distribution, in one spelling, without version or conditions."""
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower().replace("-", "_")


def brought(requirements: list[str]) -> set[str]:
    """Return the distributions that requirements bring, directly or not."""
    found: set[str] = set()
    left = [plain_name(requirement) for requirement in requirements]
    while left:
        name = left.pop()
        if name in found:
            continue
        found.add(name)
        with suppress(PackageNotFoundError):  # wanted on other platforms only
            left += [plain_name(one) for one in requires(name) or [] if "extra ==" not in one]
    return found


def run_without(allowed: set[str], code: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process that can import the standard library, Tablée and the distributions allowed."""
    allowed = allowed | {"tablee"}
    blocked = {package for package, owners in packages_distributions().items() if not {plain_name(owner) for owner in owners} & allowed}
    return subprocess.run([sys.executable, "-c", BLOCK + code, ",".join(blocked), *words], capture_output=True, text=True, cwd=ROOT, check=False)


def test_the_bare_dependencies_are_few() -> None:
    assert {plain_name(one) for one in PROJECT["dependencies"]} == {*ENGINE, "msgspec", "rich", "typer"}


def test_importing_and_playing_need_the_engine_alone() -> None:
    code = "import tablee; s = tablee.game('traboulet').start(); print(s.play(tablee.Player(s.game, 2).choose(s)).told('en'), s.svg())"
    done = run_without(ENGINE, code)
    assert (done.returncode, done.stderr) == (0, "")


def test_importing_brings_nothing_slow() -> None:
    """Each of these takes as long as a quarter of ours: `import tablee` shall stay within 0.15 s of processor time."""
    slow = ("urllib.request", "asyncio", "msgspec", "numpy", "importlib.metadata._adapters")
    before = "import sys; [sys.modules.pop(name, None) for name in %r]; import tablee; print([name for name in %r if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", before % (slow, slow)], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_what_is_blocked_cannot_be_imported() -> None:
    assert run_without(ENGINE, "import typer").returncode == 1


def test_the_bare_install_has_the_command_line_and_plays() -> None:
    bare = brought(PROJECT["dependencies"])
    words = ["--players", "random,greedy", "--plain", "--seed", "1", "--lang", "en"]
    done = run_without(bare, COMMAND, "play", "traboulet", *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert "The game is over" in done.stdout
    for command in (["rules", "tabu"], ["games"], ["perft", "tablan", "2"]):
        done = run_without(bare, COMMAND, *command)
        assert (done.returncode, done.stderr) == (0, "")


def test_a_missing_extra_is_one_sentence_that_names_the_command() -> None:
    done = run_without(brought(PROJECT["dependencies"]), COMMAND, "serve")
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert "pip install 'tablee[web]'" in line


@pytest.mark.parametrize(
    ("extra", "present", "words"),
    [
        ("print", [], ["print", "tabu"]),
        ("web", [], ["site", "nowhere"]),
        ("terminal", ["web"], ["join", "http://127.0.0.1:9/t/AAAAAAAAAAAAAAAA"]),
        ("postgres", ["web"], ["serve", "--database", "postgresql://127.0.0.1:9/none", "--port", "0"]),
        ("postgres", ["web"], ["players", "--database", "postgresql://127.0.0.1:9/none"]),
        ("postgres", ["web"], ["migrate", "--database", "postgresql://127.0.0.1:9/none"]),
        ("redis", ["web", "postgres"], ["serve", "--database", "postgresql://127.0.0.1:9/none", "--redis", "redis://127.0.0.1:9", "--port", "0"]),
    ],
)
def test_what_else_a_command_needs_is_named_too(extra: str, present: list[str], words: list[str], tmp_path: Path) -> None:
    allowed = brought([*PROJECT["dependencies"], *(one for name in present for one in PROJECT["optional-dependencies"][name])])
    code = f"import os, sys; sys.stdin.isatty = sys.stdout.isatty = lambda: True; os.chdir({str(tmp_path)!r}); {COMMAND}"
    done = run_without(allowed, code, *words)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert f"pip install 'tablee[{extra}]'" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("extra", "code"),
    [
        ("gym", "import tablee.gym.openspiel"),
        ("gym", "import tablee; tablee.Batch"),
        ("gym", "import tablee.gym; tablee.gym.aec('tabu')"),
        ("ray", "from tablee.arena.spread import over_cluster; list(over_cluster(print, [], 'local'))"),
    ],
)
def test_from_python_too(extra: str, code: str) -> None:
    done = run_without(brought(PROJECT["dependencies"]), code)
    assert done.returncode == 1
    assert f"pip install 'tablee[{extra}]'" in done.stderr.splitlines()[-1]


def test_every_extra_that_is_named_exists() -> None:
    sources = [*(ROOT / "src").rglob("*.py"), *(ROOT / "bench").glob("*.py"), ROOT / "README.md", *(ROOT / "docs").glob("*.md"), ROOT / "Makefile"]
    texts = [path.read_text(encoding="utf-8") for path in sources]
    named = {extra for text in texts for extra in re.findall(r"needing\([^)]*, \"(\w+)\"\)|tablee\[(\w+)\]", text)}
    assert {one or other for one, other in named} <= set(PROJECT["optional-dependencies"])
    assert {"web", "terminal", "gym"} <= set(PROJECT["optional-dependencies"])


def test_make_play_installs_what_the_browser_needs() -> None:
    assert "$(INSTALL) '.[web]'" in (ROOT / "Makefile").read_text(encoding="utf-8")
