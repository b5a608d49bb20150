"""The page for authors of a sixth game: its changes apply to what `tablee new` writes, the game passes its own tests, and a house offers it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import tablee
from tablee.core.words import LANGUAGES
from tablee.skeleton import make_skeleton
from tablee.web.handbook_pages import source

HOME = Path(tablee.__file__).parents[1]
CHANGE = re.compile(r"^(`{3,4})diff\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
# What a visitor sees: the shelf, the choice, the rules and a table of the new option, drawn after an action.
VISIT = """
import tablee
from pathlib import Path
from tests.web.serving import serving
with serving(Path("house")) as house, house.person("en") as someone:
    assert "Awale" in someone.get("/").text
    assert "Whoever has taken most matches wins" in someone.get("/g/awale").text
    rules = someone.get("/r/awale").text
    assert 'id="3.3"' in rules and "eight each, a draw" in rules
    host = tablee.Room(house.base)
    first, _ = host.open("awale", last="most", matches="16")
    mine = tablee.Room(first)
    mine.sit("Anne"); mine.do("fill", level="max")
    class First(tablee.Bot):
        def choose(self, state, seat, *, seconds=None, nodes=None):
            return state.legal(seat)[0]
    table = mine.play(First())
    assert table.state.node.reason == "3.3", table.state.node
"""


def changes(language: str) -> list[str]:
    """Return the changes that the page tells."""
    return [found[2] for found in CHANGE.finditer(source("authors", language))]


def run(*words: str, cwd: Path, path: tuple[Path, ...], given: str = "") -> str:
    """Run a command with the new game in reach, and return what it says."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, path)), "LC_ALL": "en_GB.UTF-8"}
    done = subprocess.run(words, cwd=cwd, env=environment, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of the game with all changes of the page, as an author has it."""
    folder = tmp_path_factory.mktemp("author") / "tablee-awale"
    make_skeleton("awale", folder)
    for change in changes("en"):
        run("git", "apply", "-", cwd=folder, path=(), given=change)
    return folder


def test_both_languages_tell_the_same_changes() -> None:
    assert changes("en") == changes("fr")
    assert len(changes("en")) == 6


def test_the_changed_game_passes_its_own_tests(game: Path) -> None:
    told = run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=game, path=(game / "src", HOME))
    assert "100%" in told
    assert "F" not in told


def test_a_house_offers_it_and_its_computer_plays_it(game: Path) -> None:
    about = game / "src" / "tablee_awale-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: tablee-awale\nVersion: 0.1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text("[tablee.games]\nawale = tablee_awale:KIND\n", encoding="utf-8")
    run(sys.executable, "-c", VISIT, cwd=game, path=(game / "src", HOME, HOME.parent))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_names_every_file_of_the_skeleton(language: str, game: Path) -> None:
    page = source("authors", language)
    files = {path.name for path in (game / "src" / "tablee_awale").iterdir() if path.is_file()} - {"py.typed"}
    assert [name for name in files if f"`{name}`" not in page] == []
