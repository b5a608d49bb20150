"""`tablee new` writes a sixth game that is found, played and checked like our own; `docs/adding-a-game.md` tells nothing else."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from zipfile import ZipFile

import pytest

import tablee
from tablee.catalog import OURS
from tablee.core.errors import TableeError
from tablee.core.kind import Kind
from tablee.core.words import load_words
from tablee.skeleton import make_file, make_skeleton, skeleton
from tablee.testing import Broken, check_game

ROOT = Path(__file__).parents[1]
HOME = Path(tablee.__file__).parents[1]
DOC = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
COMMAND = "import sys; sys.argv[0] = 'tablee'; from tablee.cli import main; main()"
PIP = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--no-build-isolation", "--target"]


def run(*arguments: str | Path, path: tuple[Path, ...] = (HOME,), cwd: Path, script: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python, or a shell script, with these folders in the place of what is installed."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, path)), "LC_ALL": "en_GB.UTF-8", "PYTHONIOENCODING": "utf-8"}
    command = ["sh", "-e", "-c", script] if script else [sys.executable, *map(str, arguments)]
    return subprocess.run(command, env=environment, cwd=cwd, text=True, encoding="utf-8", capture_output=True, stdin=subprocess.DEVNULL, check=False)


def done(*arguments: str | Path, path: tuple[Path, ...] = (HOME,), cwd: Path, script: str = "") -> str:
    """Run and return what was printed; it must succeed."""
    finished = run(*arguments, path=path, cwd=cwd, script=script)
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout


class Plugin:
    """The new game: its source, and the folder into which it was installed."""

    def __init__(self, folder: Path) -> None:
        """Write it by the command and install it as pip does."""
        self.source = folder / "tablee-awale"
        self.site = folder / "site"
        self.said = done("-c", COMMAND, "new", "awale", cwd=folder)
        done(*PIP, self.site, self.source, cwd=folder)

    def tablee(self, *words: str) -> str:
        """Run the command `tablee` with the game installed."""
        return done("-c", COMMAND, *words, path=(self.site, HOME), cwd=self.site)


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Plugin:
    return Plugin(tmp_path_factory.mktemp("new"))


@pytest.fixture
def awale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the folder of a game yet to be imported from its source, and forget it afterwards."""
    make_skeleton("awale", tmp_path / "new")
    monkeypatch.syspath_prepend(tmp_path / "new" / "src")
    yield tmp_path / "new" / "src" / "tablee_awale"
    for name in [name for name in sys.modules if name.startswith("tablee_awale")]:
        del sys.modules[name]


def kind_of(folder: Path) -> Kind:
    """Return the kind that a game's folder gives, its words read anew."""
    load_words.cache_clear()
    found = import_module(folder.name).KIND
    assert isinstance(found, Kind)
    return found


def test_the_command_says_what_to_do_next(plugin: Plugin) -> None:
    assert "tablee-awale" in plugin.said


def test_the_shelf_shows_it_after_ours(plugin: Plugin) -> None:
    shelf = re.findall(r"^(\w+):", plugin.tablee("games", "--lang", "en"), re.MULTILINE)
    assert shelf == [*OURS, "awale"]


def test_its_sequences_are_counted(plugin: Plugin) -> None:
    assert plugin.tablee("perft", "awale", "5").split() == ["243"]
    assert plugin.tablee("perft", "awale", "2", "--option", "die=yes", "--divide").splitlines() == ["d1 1", "d2 2", "d3 3", "6"]


@pytest.mark.parametrize("options", [(), ("--seats", "4", "--option", "die=yes", "--option", "last=loses")])
def test_it_is_played_to_the_end(plugin: Plugin, options: tuple[str, ...]) -> None:
    told = plugin.tablee("play", "awale", "--players", "random,random", "--plain", "--seed", "1", "--lang", "en", *options).splitlines()
    assert told[told.index("game: awale") - 1].endswith(("wins!", "."))
    assert "That was the last match." in told


def test_it_is_played_by_its_own_search_at_its_own_levels(plugin: Plugin) -> None:
    told = plugin.tablee("play", "awale", "--players", "max,level4", "--plain", "--seed", "1", "--lang", "en")
    assert "That was the last match." in told
    asked = run("-c", COMMAND, "play", "awale", "--players", "level5,level1", "--plain", path=(plugin.site, HOME), cwd=plugin.site)
    assert (asked.returncode, "level1, level2, level3, level4, max" in asked.stderr) == (2, True)


def test_its_rules_are_shown_with_their_figures(plugin: Plugin) -> None:
    assert "Figure: Blue is lost" in plugin.tablee("rules", "awale", "--lang", "en")


def test_a_plug_in_that_cannot_be_loaded_leaves_the_shelf_standing(plugin: Plugin, tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(plugin.site, site)
    (site / "tablee_awale" / "position.py").unlink()
    shelf = run("-c", COMMAND, "games", path=(site, HOME), cwd=tmp_path)
    assert (shelf.returncode, "awale" in shelf.stdout) == (0, False)
    assert "the game 'awale' at 'tablee_awale:KIND' cannot be loaded: ModuleNotFoundError" in shelf.stderr
    asked = run("-c", COMMAND, "perft", "awale", "1", path=(site, HOME), cwd=tmp_path)
    assert (asked.returncode, asked.stderr.count("\n")) == (2, 1)


def test_a_plug_in_under_another_name_is_refused(plugin: Plugin, tmp_path: Path) -> None:
    site = tmp_path / "site"
    shutil.copytree(plugin.site, site)
    entry = next(site.glob("*.dist-info")) / "entry_points.txt"
    entry.write_text(entry.read_text().replace("awale =", "oware ="))
    asked = run("-c", COMMAND, "perft", "oware", "1", path=(site, HOME), cwd=tmp_path)
    assert (asked.returncode, "calls itself 'awale'" in asked.stderr) == (2, True)


def test_it_keeps_every_promise(awale: Path) -> None:
    report = check_game(kind_of(awale), actions=2000)
    assert report.actions >= 2000
    assert set(report.ended) == {"3.1", "3.2"}


def test_its_own_tests_pass_and_its_types_are_strict(plugin: Plugin) -> None:
    assert "passed" in done("-m", "pytest", "-p", "no:cacheprovider", cwd=plugin.source)
    assert "no issues found" in done("-m", "mypy", cwd=plugin.source)
    assert "All checks passed" in done("-m", "ruff", "check", "--no-cache", ".", cwd=plugin.source)
    assert "already formatted" in done("-m", "ruff", "format", "--no-cache", "--check", ".", cwd=plugin.source)


MISTAKES = [
    ("position.py", "n < most and", "n <= most and", "only the fast rules allow"),
    ("position.py", "return CHANCE", "return self.seat", "and has no legal action"),
    ("position.py", "self.left = action", "self.left = 2 * action", "matches on the table and taken instead of"),
    ("position.py", "self.shown = other.shown", "pass", "a copy is not equal"),
    ("position.py", "self.taken[seat] = other.taken[seat]", "self.taken = other.taken", "on a copy changed the position"),
    (
        "position.py",
        "return last if self.last_wins else",
        "return 0 if self.last_wins else",
        "nobody has won: in a draw `winners` returns every seat",
    ),
    ("position.py", "def reason(", "def friends(self, seat: i64) -> i64:\n        return 3\n\n    def reason(", "not all of its friends have"),
    ("mind.py", "-entry[1][seat]", "entry[1][seat]", "expected 0 to 1, the best first"),
    (
        "mind.py",
        "value(position, seat) for",
        "value(position, seat) + 9 * (not position.last_wins) for",
        "last='loses'.*expected 0 to 1, the best first",
    ),
    ("mind.py", "return [(action, values", "return [(action + 1, values", "level1 chooses .* not legal for seat 1"),
    ("mind.py", "for action, values in self.ranked]", "for action, values in self.ranked * 2]", "expected legal actions, each once"),
    ("promises.py", "int(position.left) + sum", "sum", "not conserved"),
    ("rulings.py", "if count > REACH", "if count > REACH + 1", "only the slow rules allow"),
    ("rulings.py", "if seat not in (DICE, position.seat)", "if False", "only the slow rules allow"),
    ("rulings.py", '"2.2", cells', '"2.2", "gone", cells', "no sentence '2.2 gone'"),
    ("notation.py", "return number - 1", "return number % 9", "does not read back"),
    ("notation.py", "{position.left} {position.seat + 1}", "{position.left} 1", "reads back as another"),
    ("look.py", '"match", *spot', '"twig", *spot', "art.svg lacks twig"),
    ("look.py", "Piece(cell(match), ", 'Piece("one", ', "share a name"),
    ("look.py", "return [told] if action else", "return [] if action else", "nothing is told"),
    ("words.en.po", 'msgid "2.2"', 'msgid "2.4"', "lacks its translation"),
    ("words.fr.po", "{count} allumettes. Prenez-en", "{number} allumettes. Prenez-en", r"'2.2' mentions \['number'\] in one language"),
    ("rules.en.md", "**2.2**", "**2.4**", "the rule pages differ"),
    ("rules.fr.md", "position: 9 2 2 6/0", "position: 9 2 2 7/0", "is no position: 16 matches"),
    ("__init__.py", '"2.3", "3.1"', '"3.1"', "which `refusing` does not name"),
    ("__init__.py", 'refusing=("1.2"', 'refusing=("1.1", "1.2"', "never seen refusing: 1.1"),
]


@pytest.mark.parametrize(("name", "right", "wrong", "said"), MISTAKES)
def test_an_authors_mistake_is_noticed(awale: Path, name: str, right: str, wrong: str, said: str) -> None:
    text = (awale / name).read_text(encoding="utf-8")
    assert right in text
    (awale / name).write_text(text.replace(right, wrong), encoding="utf-8")
    with pytest.raises((Broken, TableeError), match=said):
        check_game(kind_of(awale), actions=600)


@pytest.mark.parametrize(
    ("slug", "said"),
    [
        ("", "expected 2 to 30 letters"),
        ("a", "expected 2 to 30 letters"),
        ("a" * 31, "expected 2 to 30 letters"),
        ("Awale", "all lower case"),
        ("awalé", "letters from a to z"),
        ("awa-le", "letters from a to z"),
        ("awale\n", "letters from a to z"),
        ("../awale", "letters from a to z"),
        ("traboulet", "is taken: known games are traboulet"),
        ("class", "is a word of Python"),
    ],
)
def test_a_bad_name_is_refused_and_nothing_is_written(slug: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(TableeError, match=said) as error:
        make_skeleton(slug, tmp_path / "new")
    assert "\n" not in str(error.value)
    assert list(tmp_path.iterdir()) == []


def test_the_name_of_an_installed_module_is_refused(awale: Path, tmp_path: Path) -> None:
    with pytest.raises(TableeError, match="'tablee_awale' is already installed"):
        make_skeleton("awale", tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_an_empty_folder_is_filled_and_a_full_one_stays_as_it_is(tmp_path: Path) -> None:
    make_skeleton("awale", tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(TableeError, match="is not empty"):
        make_skeleton("oware", tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_the_errors_of_the_command_are_one_sentence_and_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for words in (["Awale"], ["tabu"], ["awale", "--folder", "full"], ["awale", "--folder", "file"], ["awale", "--folder", "file/new"]):
        finished = run("-c", COMMAND, "new", *words, cwd=tmp_path)
        assert (finished.returncode, finished.stdout) == (2, "")
        assert re.fullmatch(r"tablee: .+\n", finished.stderr)
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["file", "full", "mine"]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
@pytest.mark.parametrize("there", [True, False])
def test_nothing_half_written_stays(error: BaseException, there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, text: str, made: list[Path]) -> None:
        make_file(path, text, made)
        if len(made) > 9:
            raise error

    monkeypatch.setattr("tablee.skeleton.make_file", full)
    folder = tmp_path / "deep" / "new"
    if there:
        folder.mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(TableeError if isinstance(error, OSError) else KeyboardInterrupt):
        make_skeleton("awale", folder)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_wheel_without_compiled_modules_writes_the_same_skeleton(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("*.so", "*.egg-info", "__pycache__"))
    build = "import setuptools.build_meta as build; print(build.build_wheel('.'))"
    wheel = done("-c", build, path=(), cwd=tmp_path).split()[-1]
    with ZipFile(tmp_path / wheel) as packed:
        packed.extractall(tmp_path / "site")
    shutil.rmtree(tmp_path / "src")
    done("-c", COMMAND, "new", "awale", path=(tmp_path / "site",), cwd=tmp_path)
    written = tmp_path / "tablee-awale"
    assert {str(path): (written / path).read_text(encoding="utf-8") for path in skeleton("awale")} == {
        str(path): text for path, text in skeleton("awale").items()
    }
    assert "passed" in done("-m", "pytest", "-p", "no:cacheprovider", path=(tmp_path / "site",), cwd=written)


def shell(folder: Path, site: Path) -> str:
    """Return a script's beginning: `tablee`, `python` and `pip` are ours, and `make` only says what it would do."""
    commands = {
        "tablee": f'exec "{sys.executable}" -c "{COMMAND}" "$@"',
        "python": f'exec "{sys.executable}" "$@"',
        "pip": f'exec "{sys.executable}" {" ".join(PIP)} "{site}" .',
        "make": f'exec "{shutil.which("make")}" --dry-run "$@"',
    }
    (folder / "bin").mkdir()
    for name, text in commands.items():
        (folder / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / "bin" / name).chmod(0o755)
    return f'PATH="{folder / "bin"}:$PATH"\n'


def blocks(language: str) -> list[str]:
    """Return the blocks of a language in the documentation."""
    return re.findall(rf"^```{language}\n(.*?)^```$", DOC, re.MULTILINE | re.DOTALL)


@pytest.mark.skipif(os.name != "posix" or not shutil.which("make"), reason="the commands are for a shell with make")
def test_every_command_of_the_documentation_runs(tmp_path: Path) -> None:
    begin = shell(tmp_path, tmp_path / "site")
    author = [block for block in blocks("sh") if "make" not in block and "cp -R" not in block]
    ours = [block for block in blocks("sh") if block not in author]
    assert (len(author), len(ours)) == (2, 2)
    told = done(path=(tmp_path / "site", HOME), cwd=tmp_path, script=begin + "".join(author))
    for part in ("passed", "awale: Awale", "That was the last match.", "2.2 You take", "m15 27", "Blue has taken: 0"):
        assert part in told
    checkout = tmp_path / "tablee"
    shutil.copytree(HOME / "tablee", checkout / "src" / "tablee", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for name in ("Makefile", "constraints.txt", "pyproject.toml", "setup.py"):
        shutil.copy(ROOT / name, checkout)
    done(cwd=checkout, script=begin + "".join(ours))
    catalog = checkout / "src" / "tablee" / "catalog.py"
    catalog.write_text(catalog.read_text(encoding="utf-8").replace('"tabu")', '"tabu", "awale")'), encoding="utf-8")
    path = (checkout / "src",)
    assert "passed" in done("-m", "pytest", "-p", "no:cacheprovider", "tests/games/awale", path=path, cwd=checkout)
    check = "import tablee, tablee.testing; tablee.testing.check_game(tablee.kind('awale')); print(tablee.kind('awale').package)"
    assert done("-c", check, path=path, cwd=checkout).strip() == "tablee.games.awale"


def test_the_documentation_quotes_the_skeleton() -> None:
    files = "\n".join(skeleton("awale").values())
    quoted = blocks("python") + re.findall(r"^````markdown\n(.*?)^````$", DOC, re.MULTILINE | re.DOTALL)
    assert len(quoted) >= 5
    for block in quoted:
        for part in block.strip("\n").split("\n\n"):
            assert part in files


@pytest.mark.parametrize("path", skeleton("awale"), ids=str)
def test_the_documentation_or_the_readme_names_every_file(path: Path) -> None:
    named = DOC + skeleton("awale")[next(one for one in skeleton("awale") if one.name == "README.md")]
    assert path.name in named or path.name in ("py.typed", "pyproject.toml", "README.md")
