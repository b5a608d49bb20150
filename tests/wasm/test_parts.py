"""Each part of the build alone, without a network."""

import gzip
import json
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from tablee.core.catalogue import read_mo_alone, write_mo
from tablee.site import CannotBuild
from tablee.site.archive import LEFT_OUT, UNUSED, application, packed, plugin
from tablee.site.engine import Engine, compiled_modules, engine, needed
from tablee.site.headers import configuration
from tablee.site.stdlib import LEFT_OUT as NOT_IN_STDLIB
from tablee.site.tools import key_of, need, once, run


def test_a_missing_program_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(CannotBuild, match=r"^node is missing, which runs Python: install it and try again$"):
        need("node", "runs Python")


def test_a_failing_program_is_one_sentence() -> None:
    with pytest.raises(CannotBuild, match=r"^it cannot be had: no such thing$"):
        run(["sh", "-c", "echo much; echo; echo no such thing >&2; exit 3"], "it cannot be had")


def test_a_folder_is_made_once_for_a_key(tmp_path: Path) -> None:
    made: list[str] = []
    for key in ("a", "a", "b"):
        once(tmp_path / "folder", key, lambda folder: made.append(folder.name))
    assert made == ["folder", "folder"]


def test_a_folder_that_was_half_made_is_made_again(tmp_path: Path) -> None:
    def fail(folder: Path) -> None:
        (folder / "half").touch()
        raise CannotBuild("no")

    for _ in range(2):
        with pytest.raises(CannotBuild):
            once(tmp_path / "folder", "a", fail)
    assert not (once(tmp_path / "folder", "a", lambda folder: None) / "half").exists()


def test_a_key_tells_where_one_part_ends() -> None:
    assert key_of("ab", "c") != key_of("a", "bc") == key_of("a", b"bc")


def test_the_configuration_is_that_of_the_browsers_python() -> None:
    template = "#define SIZEOF_LONG 8\n/* #undef HAVE_X */\n# define HAVE_Y 1\n#define HAVE_Z 1\n"
    wanted = "#define SIZEOF_LONG 4\n#define HAVE_X 1\n/* #undef HAVE_Y */\n/* #undef HAVE_Z */\n"
    assert configuration(template, {"SIZEOF_LONG": 4, "HAVE_X": 1, "HAVE_Y": 0}) == wanted


def test_all_compiled_modules_but_the_gym_are_compiled_with_what_they_import() -> None:
    modules = {path.as_posix() for path in compiled_modules()}
    assert {"tablee/core/position.py", "tablee/players/mcts.py", "tablee/games/tabu/position.py"} <= modules
    assert not any("gym" in module for module in modules)
    assert modules < {path.as_posix() for path in needed(compiled_modules())}


def test_the_archive_lists_its_files_first() -> None:
    data = gzip.decompress(packed({"b/two.txt": b"22", "a.txt": b"1"}))
    length = int.from_bytes(data[:4], "little")
    assert json.loads(data[4 : 4 + length]) == [["a.txt", 1], ["b/two.txt", 2]]
    assert data[4 + length :] == b"122"


@pytest.mark.parametrize("name", ["web/api.py", "gym/batch.py", "cli.py", "games/tabu/training.py", "web/static/board.js"])
def test_what_no_browser_needs_stays_out(name: str) -> None:
    assert LEFT_OUT.match(name)


@pytest.mark.parametrize("name", ["web/app.py", "games/tabu/promises.py", "games/tabu/weights.txt", "store/log.py", "local/door.py"])
def test_what_a_browser_needs_goes_in(name: str) -> None:
    assert not LEFT_OUT.match(name)


def test_sentences_are_those_of_the_source_not_of_an_older_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fr.po").write_text('msgid "a"\nmsgstr "neuf"\n', encoding="utf-8")
    (tmp_path / "fr.mo").write_bytes(write_mo(b'msgid "a"\nmsgstr "vieux"\n'))
    (tmp_path / "alone.mo").write_bytes(b"as it is")
    monkeypatch.setattr("tablee.site.archive.PACKAGE", tmp_path)
    made = dict(application(Engine(None)))
    assert made.keys() == {"tablee/fr.mo", "tablee/alone.mo"}
    assert read_mo_alone(made["tablee/fr.mo"]) == {"a": "neuf"}


@pytest.mark.parametrize(("name", "unused"), [("jinja2/tests.py", False), ("mdurl/tests/a.py", True), ("../../bin/x", True), ("segno/a.so", True)])
def test_files_of_packages(name: str, unused: bool) -> None:
    assert bool(UNUSED.match(name)) is unused


def test_a_plugin_that_is_not_there_or_brings_no_game_is_refused() -> None:
    with pytest.raises(CannotBuild, match="'tablee-nowhere' is not installed here: pip install it first") as caught:
        dict(plugin("tablee-nowhere"))
    assert isinstance(caught.value.__cause__, PackageNotFoundError)
    with pytest.raises(CannotBuild, match="'jinja2' brings no game"):
        dict(plugin("jinja2"))


@pytest.mark.parametrize("name", ["pdb.py", "encodings/cp1251.py", "unittest/mock.py", "encodings/iso8859_7.py"])
def test_what_no_page_runs_stays_out_of_the_standard_library(name: str) -> None:
    assert NOT_IN_STDLIB.match(name)


@pytest.mark.parametrize("name", ["typing.py", "encodings/cp437.py", "encodings/iso8859_15.py", "encodings/utf_8.py", "asyncio/base_events.py"])
def test_what_python_needs_stays_in_the_standard_library(name: str) -> None:
    assert not NOT_IN_STDLIB.match(name)


def test_without_a_part_of_the_recipe_there_is_no_engine_but_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablee.site.engine.find_spec", lambda name: None)
    assert engine(tmp_path).folder is None
    assert engine(tmp_path).why == "mypyc is missing, which writes the engine's C: pip install 'mypy[mypyc]'"


def test_a_disk_that_fails_is_a_reason_too(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    found = engine(tmp_path / "file")
    assert found.folder is None
    assert "Not a directory" in found.why
