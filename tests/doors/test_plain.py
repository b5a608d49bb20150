"""The plain terminal: colours where wanted, brackets, columns that stay, wrapped words, saving and going on, completion."""

import os
import pty
import re
import select
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

import tablee
from tablee import catalog
from tablee.catalog import OURS
from tablee.core.rulebook import read_rulebook
from tablee.core.text import drawn, write
from tablee.locale import words as door_words
from tablee.terminal.asides import COMMANDS, rule
from tablee.terminal.colours import colour_of, coloured, wanted
from tablee.terminal.lines import wrapped
from tablee.terminal.plain import Console, Keeping, PlainTable
from tests.golden.make import HERE

TABLEE = [str(Path(sys.executable).parent / "tablee")]
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def test_neighbouring_marks_share_a_bar() -> None:
    scene = tablee.game("traboulet").start().play("a6b6").scene("en")
    rank = next(line for line in write(scene).splitlines() if line.startswith("6"))
    assert rank.startswith("6 [.|w]w")


@pytest.mark.parametrize("slug", OURS)
def test_no_mark_moves_the_board_by_a_column(slug: str) -> None:
    scene = tablee.game(slug).start(seed=1).scene("en")
    places = {place: glyph for place, glyph in drawn(scene).items() if glyph.shows != "mark"}
    for cell in scene.cells:
        marked = drawn(replace(scene, marks=(cell.name,)))
        assert {place: glyph for place, glyph in marked.items() if glyph.shows != "mark"} == places


@pytest.mark.parametrize("slug", OURS)
def test_colours_change_no_character(slug: str) -> None:
    scene = tablee.game(slug).start(seed=1).scene("fr")
    assert "\x1b[" in coloured(scene)
    assert ANSI.sub("", coloured(scene)) == write(scene)


def test_pieces_of_different_seats_have_different_colours() -> None:
    pairs = {"traboulet": ("white", "black"), "tabale": ("fool1", "fool2"), "tablan": ("white", "black"), "tabu": ("chip-1", "chip-2")}
    for slug, (one, other) in pairs.items():
        assert "" != colour_of(slug, one) != colour_of(slug, other) != ""


def test_a_symbol_has_the_colour_of_what_it_is_drawn_with_and_never_that_of_its_neighbour() -> None:
    assert colour_of("tablan", "black-asleep") == colour_of("tablan", "black") != colour_of("tablan", "white-asleep") == colour_of("tablan", "white")
    assert {colour_of("tabu", f"die-{sign}") for sign in "cdhpas"} == {"bright_white"}
    assert colour_of("tabu", "rim") == ""  # lines alone


@pytest.mark.parametrize(("setting", "colours"), [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)])
def test_colours_are_wanted_on_a_terminal_unless_it_says_no(setting: dict[str, str], colours: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in setting.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert wanted() is colours


def test_words_are_wrapped_whole_and_boards_are_not() -> None:
    board = write(tablee.game("tabaijana").start(seed=1).scene("en"))
    drawing = "\n".join(line for line in board.splitlines() if "   " in line or line.startswith(" "))
    assert wrapped(drawing, 30) == drawing
    sentence = "The finger has no room behind b7: the cell a7 must be empty."
    assert max(map(len, wrapped(sentence, 30).splitlines())) <= 30
    assert wrapped(sentence, 30).split() == sentence.split()


@pytest.mark.parametrize("slug", OURS)
def test_a_rule_is_quoted_without_signs_of_emphasis(slug: str) -> None:
    kind = catalog.kind(slug)
    quoted = [rule(kind, number, "fr") for number in read_rulebook(kind.text("rules.fr.md")).paragraphs]
    assert all(len(text) > 20 for text in quoted)
    assert [text for text in quoted if "*" in text] == []


def test_a_record_is_not_wrapped_so_that_it_can_be_copied() -> None:
    text = tablee.record(tablee.game("tablan").start(seed=1))
    assert max(map(len, text.splitlines())) > 60
    assert wrapped(text, 60) == text


def sitting(tmp_path: Path, typed: list[str], kept: Keeping, slug: str = "tablan", language: str = "en") -> tuple[PlainTable, list[str]]:
    """Return a table after these lines were typed, and what was said."""
    said: list[str] = []
    left = iter(typed)

    def ask(prompt: str) -> str:
        line = next(left, None)
        if line is None:
            raise EOFError
        return line

    table = PlainTable(catalog.game(slug), ["human", "human"], Console(ask, said.append, language), 1, kept=kept)
    table.run()
    return table, said


def test_a_game_is_kept_and_another_evening_goes_on_from_it(tmp_path: Path) -> None:
    file = tmp_path / "game.tablee"
    first, said = sitting(tmp_path, ["a6b6"], Keeping(file=file), "traboulet")
    saved = tablee.read(file.read_text(encoding="utf-8"))
    assert saved == first.state
    assert any(str(file) in sentence for sentence in said)
    second, _ = sitting(tmp_path, [], Keeping(position=saved.game.dump(saved)), "traboulet")
    assert saved.game.dump(second.state) == saved.game.dump(saved)


def test_save_can_be_typed_and_a_wrong_file_is_one_sentence(tmp_path: Path) -> None:
    _, said = sitting(tmp_path, ["save", "enregistrer /nowhere/x", f"save {tmp_path / 'x'}"], Keeping(), language="fr")
    assert any("enregistrer FICHIER" in sentence for sentence in said)
    assert any("ne peut pas être écrit" in sentence for sentence in said)
    assert tablee.read((tmp_path / "x").read_text(encoding="utf-8")).game.slug == "tablan"


@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_finished_game_ends_with_its_record(language: str) -> None:
    words = [*TABLEE, "play", "traboulet", "--players", "random,greedy", "--plain", "--seed", "1", "--lang", language]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    record = told[told.index("game: traboulet") :]
    assert tablee.read(record).over
    assert "\x1b" not in told


def test_the_command_goes_on_from_a_record(tmp_path: Path) -> None:
    file, kept = tmp_path / "a.tablee", tmp_path / "b.tablee"
    file.write_text("game: traboulet\noptions: bonus=red\n\n1: a7b7\n", encoding="utf-8")
    words = [*TABLEE, "play", "--from", str(file), "--save", str(kept), "--players", "human", "--plain", "--lang", "en"]
    subprocess.run(words, input="a1b1\n", capture_output=True, text=True, check=True)
    after = tablee.read(kept.read_text(encoding="utf-8"))
    assert after.game.option("bonus") == "red"
    assert after.game.dump(after) == after.game.dump(tablee.read(file.read_text(encoding="utf-8")).play("a1b1"))


def test_the_command_goes_on_from_an_older_record_by_its_own_rules(tmp_path: Path) -> None:
    written = (HERE / "tablan" / "records-1" / "00.tablee").read_text(encoding="utf-8").splitlines(keepends=True)
    file, kept = tmp_path / "old.tablee", tmp_path / "new.tablee"
    file.write_text("".join(line for line in written if not line.startswith(("#", "result:")))[:400].rpartition("\n")[0] + "\n", encoding="utf-8")
    words = [*TABLEE, "play", "--from", str(file), "--save", str(kept), "--players", "random", "--plain", "--seed", "1"]
    subprocess.run(words, check=True, capture_output=True)
    after = tablee.read(kept.read_text(encoding="utf-8"))
    assert (after.game.rules, after.over) == (1, True)
    assert after.game == tablee.read(file.read_text(encoding="utf-8")).game


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_help_names_every_command_of_its_language(language: str) -> None:
    help_text = door_words(language)("help")
    assert [
        command for command, (word, *others) in COMMANDS.items() if (word if word == "?" or language == "en" else others[0]) not in help_text
    ] == []


def test_at_a_terminal_one_edits_and_looks_back_in_the_history(tmp_path: Path) -> None:
    """A real terminal: the arrow up brings the last line back; Ctrl-A and a letter mend a line."""
    parent, child = pty.openpty()
    environment = os.environ | {"XDG_STATE_HOME": str(tmp_path), "TERM": "xterm", "LC_ALL": "C.UTF-8", "INPUTRC": "/dev/null"}
    environment.pop("NO_COLOR", None)
    words = [*TABLEE, "play", "traboulet", "--players", "human,human", "--plain", "--boards", "--lang", "en"]
    process = subprocess.Popen(words, stdin=child, stdout=child, stderr=child, env=environment)
    os.close(child)
    shown = ""

    def until(text: str) -> None:
        """Read until a text was shown, and keep what came after it."""
        nonlocal shown
        end = time.monotonic() + 120
        while text not in shown:
            assert time.monotonic() < end, shown
            if select.select([parent], [], [], 0.1)[0]:
                shown = ANSI.sub("", shown + os.read(parent, 65536).decode(errors="replace"))
        shown = shown.partition(text)[2]

    try:
        until("White > ")
        for typed, told in ((b"nonsense\n", "cannot read"), (b"\x1b[A\n", "cannot read"), (b"6b6\x01a\n", "Black > "), (b"quit\n", "result: *")):
            os.write(parent, typed)
            until(told)
            if told == "cannot read":
                until("White > ")
    finally:
        process.kill()
        process.wait()
        os.close(parent)
    assert "nonsense" in (tmp_path / "tablee" / "history").read_text(encoding="utf-8")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_completes_commands_and_games(shell: str) -> None:
    given = os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "yes"}  # otherwise the shell that runs the tests counts
    script = subprocess.run([*TABLEE, "--show-completion", shell], env=given, capture_output=True, text=True, check=False)
    assert "TABLEE" in script.stdout.upper()
    extra = {
        "_TYPER_COMPLETE_ARGS": "tablee rules tab",
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        "COMP_WORDS": "tablee rules tab",
        "COMP_CWORD": "2",
    }
    extra["_TABLEE_COMPLETE"] = f"complete_{shell}"
    done = subprocess.run(TABLEE, env=os.environ | extra, capture_output=True, text=True, check=False)
    assert all(slug in done.stdout for slug in OURS if slug.startswith("tab"))
    assert "traboulet" not in done.stdout
