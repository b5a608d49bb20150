"""The command `tablee`: every verb, in both languages, from files and standard input; every mistake is one sentence and exit code 2."""

import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from typer.main import get_command

import tablee
from tablee import catalog, cli, players_cli
from tablee.arena.plan import make_plan
from tablee.arena.strength import shipped
from tablee.catalog import OURS
from tablee.core.rulebook import figure_state, read_rulebook
from tablee.core.text import write
from tablee.core.words import LANGUAGES
from tablee.locale import spoken
from tablee.locale.help import sentences
from tests.material import wander

START = "ww3bb/ww1r1bb/2rrr2/1rrrrr1/2rrr2/bb1r1ww/bb3ww w 0 0 - -"
RECORD = "game: traboulet\noptions: bonus=red\n\n1: a7b7\n2: a1b1\n"
games = pytest.mark.parametrize("slug", OURS)


class Answer(NamedTuple):
    """What a command said, and how it ended."""

    code: int
    out: str
    err: str


Command = Callable[..., Answer]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run `tablee` with these words, and this on standard input."""

    def run(*words: str, given: bytes | str = b"") -> Answer:
        data = given.encode() if isinstance(given, str) else given
        monkeypatch.setattr(sys, "argv", ["tablee", *words])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        monkeypatch.setattr(cli, "SPOKEN", "en")
        code: object = 0
        try:
            cli.main()
        except SystemExit as left:
            code = left.code
        out, err = capsys.readouterr()
        return Answer(code if isinstance(code, int) else 0, out, err)

    return run


def right(answer: Answer) -> str:
    """Return what a command printed that went well."""
    assert (answer.code, answer.err) == (0, "")
    return answer.out


def wrong(answer: Answer) -> str:
    """Return the one sentence of a command that was refused."""
    assert answer.code == 2
    assert answer.out == ""
    assert answer.err.startswith("tablee: ")
    assert answer.err.endswith("\n")
    assert answer.err.count("\n") == 1
    assert "Traceback" not in answer.err
    return answer.err.removeprefix("tablee: ").strip()


def test_the_version_says_whether_the_engine_is_compiled(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablee.core.position.__file__", "/somewhere/position.cpython-311-x86_64-linux-gnu.so")
    compiled = right(command("--version"))
    monkeypatch.setattr("tablee.core.position.__file__", "/somewhere/position.py")
    plain = right(command("--version"))
    assert compiled.startswith("tablee ")
    assert compiled.endswith((" (compiled)\n", " (compilé)\n"))
    assert plain.endswith((" (not compiled, slower)\n", " (non compilé, plus lent)\n"))


@pytest.mark.parametrize(("named", "language"), [("en_GB.UTF-8", "en"), ("fr_FR.UTF-8", "fr"), ("de_DE.UTF-8", "en"), ("", "en"), ("C", "en")])
def test_french_is_spoken_on_french_machines_and_english_elsewhere(named: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", named)
    assert spoken() == language


@pytest.mark.parametrize(("language", "players"), [("fr", "2 joueurs"), ("en", "2 players")])
def test_games_lists_every_game_with_every_option_and_value(language: str, players: str, command: Command) -> None:
    shelf = right(command("games", "--lang", language))
    assert players in shelf
    for slug, kind in catalog.kinds().items():
        words = kind.words(language)
        assert f"{slug}: {words('title')}" in shelf
        assert words("line") in shelf
        for option in kind.options:
            assert words(f"option {option.name}") in shelf
            assert all(words(f"option {option.name} {value}") in shelf for value in option.values)
            assert f"{option.default} ({'par défaut' if language == 'fr' else 'default'})" in shelf or f"{option.default})" in shelf


@games
@pytest.mark.parametrize("language", ["fr", "en"])
def test_rules_prints_every_paragraph_and_draws_every_figure_whole(
    slug: str, language: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "24")
    page = right(command("rules", slug, "--lang", language))
    kind = catalog.kind(slug)
    book = read_rulebook(kind.text(f"rules.{language}.md"))
    assert book.title.split()[0] in page
    assert [number for number in book.paragraphs if number not in page] == []
    for figure in book.figures.values():
        state = figure_state(kind, figure)
        assert write(kind.scene(state.game, state.position, kind.words(language))) in page
        assert figure.caption in page


@pytest.mark.parametrize(("depth", "count"), [("0", "1"), ("1", "8"), ("2", "64"), ("3", "640")])
def test_perft_counts_traboulet(depth: str, count: str, command: Command) -> None:
    assert right(command("perft", "traboulet", depth)).split()[-1] == count


@games
def test_perft_divided_sums_to_the_count(slug: str, command: Command) -> None:
    *lines, total = right(command("perft", slug, "2", "--divide")).splitlines()
    assert sum(int(line.split()[1]) for line in lines) == int(total)
    assert right(command("perft", slug, "2")).split() == [total]
    assert len(lines) == int(right(command("perft", slug, "1")))


def test_perft_takes_options_and_a_set_up(command: Command) -> None:
    few, many = (right(command("perft", "tabu", "1", "--seats", "3", "--setup", "banker=2", "--option", f"money={money}")) for money in (20, 200))
    assert int(few) < int(many)


def test_perft_leaves_ctrl_c_as_it_was(command: Command) -> None:
    before = signal.getsignal(signal.SIGINT)
    right(command("perft", "traboulet", "1"))
    assert signal.getsignal(signal.SIGINT) is before


@games
def test_legal_lists_a_seat_and_a_token_on_each_line(slug: str, command: Command, tmp_path: Path) -> None:
    random = Random(slug)
    for number in range(6):
        state = wander(catalog.game(slug).start(random.randrange), random, number)
        path = tmp_path / "game.tablee"
        path.write_text(tablee.record(state), encoding="utf-8")
        lines = [line.split(" ") for line in right(command("legal", str(path))).splitlines()]
        assert bool(lines) != isinstance(state.node, tablee.Over)
        assert {state.game.parse(token, int(seat) - 1) for seat, token in lines} == set(state.legal())


def test_legal_lists_nothing_once_the_game_is_over(command: Command) -> None:
    assert right(command("legal", "b6/7/7/6w/7/7/7 w 7 5 - -", "--game", "traboulet")) == ""


@pytest.mark.parametrize(
    "given", [RECORD.encode(), RECORD.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf" + RECORD.encode()], ids=["", "CRLF", "BOM"]
)
def test_a_record_is_read_from_standard_input(given: bytes, command: Command) -> None:
    told = right(command("replay", "-", "--lang", "en", given=given))
    assert told.startswith("White pushes a marble from a7 to b7")
    assert told.endswith("result: *\n")


@games
@pytest.mark.parametrize("language", ["fr", "en"])
def test_replay_tells_a_whole_game_to_its_result(slug: str, language: str, command: Command, tmp_path: Path) -> None:
    random = Random(slug)
    end = wander(catalog.game(slug).start(random.randrange), random, 5000)
    assert isinstance(end.node, tablee.Over)
    path = tmp_path / "game.tablee"
    path.write_text(tablee.record(end), encoding="utf-8")
    lines = right(command("replay", str(path), "--lang", language)).splitlines()
    words = end.game.kind.words(language)
    assert f"{words(f'end {end.node.reason}')} ({end.game.kind.title} {end.node.reason})" in lines
    assert write(end.scene(language)).strip("\n") in "\n".join(lines)
    assert lines[-1] == f"result: {' '.join(map(str, end.node.scores))} ({end.node.reason})"


@games
def test_draw_paints_a_record_and_a_position_alike(slug: str, command: Command, tmp_path: Path) -> None:
    state = wander(catalog.game(slug).start(lambda n: 0), Random(1), 9)
    line = state.game.dump(state)
    path = tmp_path / "game.tablee"
    path.write_text(tablee.record(state.game.load(line)), encoding="utf-8")
    painted = right(command("draw", line, "--game", slug))
    ElementTree.fromstring(painted)
    assert right(command("draw", str(path))) == painted
    assert right(command("draw", "-", given=path.read_bytes())) == painted
    assert right(command("draw", "-", "--game", slug, given=line + "\n")) == painted


def test_draw_finds_the_one_game_that_reads_a_position(command: Command) -> None:
    assert right(command("draw", START, "--text", "--lang", "en")).startswith("   a b c d e f g\n7  w w . . . b b  7\n")


def test_draw_speaks_both_languages(command: Command) -> None:
    french, english = (right(command("draw", START, "--text", "--lang", language)) for language in ("fr", "en"))
    assert "Blanc" in french
    assert "White" in english


def test_a_position_longer_than_a_file_name_may_be_is_still_a_position(command: Command) -> None:
    assert "is no position" in wrong(command("draw", "x " * 400, "--game", "traboulet"))


def test_the_options_of_a_record_may_be_said_again_but_not_contradicted(command: Command) -> None:
    assert right(command("legal", "-", "--seats", "2", "--option", "bonus=red", given=RECORD))
    assert "bonus='red'" in wrong(command("legal", "-", "--option", "bonus=any", given=RECORD))


def test_a_finger_on_the_wrong_line_is_shown_where(command: Command) -> None:
    assert wrong(command("replay", "-", given=RECORD + "1: a7b7\n")).startswith("line 6: 'a7b7' is refused by Traboulet 2.1: ")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("perft traboule 1", "unknown game 'traboule' (did you mean 'traboulet'?): known are "),
        ("rules chess", "unknown game 'chess': known are "),
        ("perft traboulet 1 --option colour=red", "unknown option of traboulet 'colour': known are bonus, ko, repetition"),
        ("perft traboulet 1 --option bonus=blue", "unknown value of option bonus 'blue': known are any, red, none"),
        ("perft traboulet 1 --option bonus", "'bonus' is no option: expected name=value"),
        ("perft traboulet 1 --option bonus=", "'bonus=' is no option: expected name=value"),
        ("perft traboulet 1 --option bonus=red --option bonus=red", "'bonus' is given twice"),
        ("perft tabu 1 --option money=19", "unknown value of option money '19': expected a whole number from 20 to 10000"),
        ("perft traboulet 1 --setup first=2", "unknown set-up 'first': traboulet draws none"),
        ("perft tabu 1 --setup banker=9", "'9' is no first banker"),
        ("perft tabu 1 --setup bank=1", "unknown set-up of tabu 'bank' (did you mean 'banker'?): known are banker"),
        ("perft traboulet 1 --seats 3", "'3' seats are not possible: traboulet is for 2"),
        ("perft tabu 1 --seats 9", "'9' seats are not possible: tabu is for 2 to 8"),
        ("perft traboulet 1 --seats 0", "'0' seats are not possible: traboulet is for 2"),
        ("perft traboulet 1 --seats 99999999999", "'99999999999' seats are not possible: traboulet is for 2"),
        ("perft traboulet 1 --seats two", "'two' is no number of seats: expected a whole number"),
        ("perft traboulet 1 --seats ２", "'２' is no number of seats: expected a whole number"),
        ("perft traboulet 100", "'100' is no depth: expected a whole number from 0 to 99"),
        ("perft traboulet x", "'x' is no depth: expected a whole number from 0 to 99"),
        ("perft traboulet ３", "'３' is no depth: expected a whole number from 0 to 99"),
        ("games --lang de", "unknown language 'de': known are fr, en"),
        ("rules traboulet --lang de", "unknown language 'de': known are fr, en"),
        ("play traboulet --lang de", "unknown language 'de': known are fr, en"),
        ("replay - --lang de", "unknown language 'de': known are fr, en"),
        ("draw - --lang de", "unknown language 'de': known are fr, en"),
        ("legal nowhere.tablee", "'nowhere.tablee' cannot be read: No such file or directory"),
        ("legal /", "'/' cannot be read: Is a directory"),
        ("legal - --seats 0", "'0' seats are not possible: traboulet is for 2"),
        ("legal - --seats 3", "'3' seats are not possible: traboulet is for 2"),
        ("play traboulet --players human,kasparov", "unknown player 'kasparov': known are human, level1, level2"),
        ("play traboulet --players human,human,human", "3 players are too many: this table has 2 seats"),
        ("play chess", "unknown game 'chess': known are "),
        ("new traboulet", "the name 'traboulet' is taken"),
    ],
)
def test_a_mistake_is_one_sentence(words: str, says: str, command: Command) -> None:
    assert wrong(command(*words.split(), given=RECORD)).startswith(says)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (b"", "the record is empty: expected a header that begins with `game:`"),
        (b"\n# only a comment\n", "the record is empty"),
        (b"\xff\xfe\x00", "standard input is no text: expected UTF-8 (invalid start byte at byte 0)"),
        (b"\0\0\0", r"line 1: '\x00\x00\x00': expected `name: value`"),
        (b"x" * 5_000_001, "standard input is too long: expected at most 5000000 bytes"),
    ],
    ids=["empty", "comment", "binary", "noughts", "long"],
)
def test_a_mistake_on_standard_input_is_one_sentence(given: bytes, says: str, command: Command) -> None:
    assert wrong(command("legal", "-", given=given)).startswith(says)


def test_a_binary_file_is_one_sentence(command: Command) -> None:
    assert "is no text: expected UTF-8" in wrong(command("replay", sys.executable)) or os.path.getsize(sys.executable) > 5_000_000


def test_an_empty_file_is_no_position(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.touch()
    assert wrong(command("draw", str(path), "--game", "traboulet")).startswith("'' is no position")


def test_a_position_that_no_game_reads_asks_for_the_game(command: Command) -> None:
    said = wrong(command("draw", "not a position"))
    assert said.startswith("'not a position' is no file, and as a position no game reads it: name the game with --game")
    assert "--seats" in said


def test_a_position_at_a_larger_table_is_read_with_its_seats(command: Command) -> None:
    line = "bank=1 100/0 100/0 100/0 100/0 100/0 dice=-"
    assert "no game reads it" in wrong(command("draw", line, "--text"))
    assert right(command("draw", line, "--text", "--seats", "5"))


@pytest.mark.parametrize("words", [(), ("sing",), ("perft",), ("perft", "traboulet", "1", "2"), ("games", "--loud")])
def test_a_misused_verb_shows_its_usage_and_ends_with_2(words: tuple[str, ...], command: Command) -> None:
    answer = command(*words)
    assert answer.code == 2
    assert "Usage: " in answer.out + answer.err
    assert "Traceback" not in answer.err


def test_play_asks_for_the_game_and_takes_its_number_or_name(command: Command) -> None:
    first, name = (right(command("play", "--plain", "--lang", "en", given=f"{choice}\nquit\n")) for choice in ("1", "traboulet"))
    assert "1  traboulet" in first
    assert first == name
    assert "game: traboulet" in first


def test_play_without_an_answer_leaves(command: Command) -> None:
    assert right(command("play", "--lang", "en")).endswith("Which game? (number or name) > \n")
    for leaving in ("quit", "quitter", ""):
        assert right(command("play", "--lang", "en", given=f"{leaving}\n")).endswith("Which game? (number or name) > ")


def test_play_takes_typed_actions_and_prints_the_record(command: Command) -> None:
    told = right(command("play", "traboulet", "--players", "human,random", "--plain", "--seed", "7", "--lang", "en", given="a7b7\n"))
    assert "White pushes a marble from a7 to b7" in told
    record = told[told.index("game: traboulet") :]
    assert tablee.read(record).previous is not None
    assert "\n1: a7b7\n2: " in record


@games
def test_programs_play_to_the_end_by_a_seed(slug: str, command: Command) -> None:
    words = ("play", slug, "--players", "random,greedy", "--plain", "--seed", "3", "--lang", "en")
    told = right(command(*words))
    lines = told.rstrip().splitlines()
    assert f"({catalog.kind(slug).title} " in lines[lines.index(f"game: {slug}") - 2 - catalog.kind(slug).seats[0]]
    assert lines[-1].startswith("result: ")
    assert right(command(*words)) == told


def process(*words: str, given: bytes = b"", **settings: str) -> subprocess.CompletedProcess[bytes]:
    """Run `tablee` as a process of its own."""
    code = "import sys; from tablee.cli import main; sys.argv[0] = 'tablee'; main()"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "LANG": "en_US.UTF-8", "LC_ALL": "en_US.UTF-8"} | settings
    return subprocess.run([sys.executable, "-c", code, *words], input=given, capture_output=True, env=environment, timeout=600, check=False)


def test_a_terminal_without_the_apostrophe_shows_a_question_mark() -> None:
    done = process("draw", "--text", "--lang", "fr", START, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    done = process("play", "traboulet", "--plain", "--lang", "fr", given=b"\xff\nquit\n", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"n?est pas une action" in done.stdout


def test_a_closed_pipe_is_no_traceback() -> None:
    code = "import sys; from tablee.cli import main; sys.argv[0] = 'tablee'; main()"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", code, "rules", "traboulet"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as done:
        assert done.stdout is not None
        assert done.stderr is not None
        done.stdout.close()
        assert done.stderr.read() == b""


def test_the_shelf_shows_only_games_for_so_many_seats(command: Command) -> None:
    assert [line.split(":")[0] for line in right(command("games", "--seats", "5")).splitlines() if not line.startswith(" ")] == ["tabaijana", "tabu"]


def test_the_rules_say_what_the_options_of_the_table_mean(command: Command) -> None:
    assert "teams=on: " in right(command("rules", "tabale", "--seats", "4", "--option", "teams=on", "--lang", "en"))


@games
def test_strength_prints_what_was_measured_in_the_language_asked_for(command: Command, slug: str) -> None:
    for language in LANGUAGES:
        assert right(command("strength", slug, "--lang", language)).strip() == shipped(catalog.kind(slug), language).strip()


def package_files(slug: str) -> dict[Path, int]:
    """Return the files of a game's package with the times of their last change."""
    folder = Path(str(files(catalog.kind(slug).package)))
    return {path: path.stat().st_mtime_ns for path in folder.iterdir() if path.is_file()}


def test_train_writes_into_this_folder_and_never_into_the_package(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(players_cli, "learn", lambda lesson, report: ("learned", []))
    before = package_files("tablan")
    assert "tablan-weights.txt" in right(command("train", "tablan", "--seconds", "1"))
    assert (tmp_path / "tablan-weights.txt").read_text(encoding="utf-8") == "learned"
    right(command("train", "tablan", "--seconds", "1", "--out", str(tmp_path / "other.txt")))
    assert (tmp_path / "other.txt").read_text(encoding="utf-8") == "learned"
    assert package_files("tablan") == before


def test_train_says_before_it_learns_that_it_could_not_write(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players_cli, "learn", lambda lesson, report: pytest.fail("it learned"))
    answer = command("train", "tablan", "--out", str(tmp_path / "nowhere" / "weights.txt"))
    assert answer.code == 2
    assert "there is no folder" in answer.err


def test_strength_writes_into_this_folder_and_never_into_the_package(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(players_cli, "strength_plan", lambda game, games, seed, seconds: make_plan(game, ("uniform", "greedy"), games, seed=seed))
    before = package_files("traboulet")
    for folder, words in (("traboulet-strength", ()), ("pages", ("--out", str(tmp_path / "pages")))):
        answer = command("strength", "traboulet", "--games", "2", "--cores", "1", *words)
        assert answer.code == 0
        assert folder in answer.out
        assert sorted(path.name for path in (tmp_path / folder).iterdir()) == ["strength.en.md", "strength.fr.md"]
    assert package_files("traboulet") == before


def test_play_takes_what_the_table_chooses_of_the_set_up(command: Command) -> None:
    words = ("play", "tabaijana", "--players", "human,random", "--plain", "--seed", "7", "--lang", "en", "--option", "order=on")
    told = right(command(*words, "--setup", "colours=bg", "--setup", "order=ygwrb", given="quit\n"))
    assert "setup: colours=bg first=1 stack=" in told
    assert " order=ygwrb\n" in told
    assert "Blue" in told


def test_play_refuses_what_the_table_may_not_choose(command: Command) -> None:
    assert "unknown set-up of tabaijana to choose 'first'" in wrong(command("play", "tabaijana", "--setup", "first=2"))
    assert "traboulet leaves none to the table" in wrong(command("play", "traboulet", "--setup", "colours=bg"))


def test_the_games_list_ranges_and_values(command: Command) -> None:
    games = right(command("games", "--lang", "en"))
    assert "        free: As often as you like" in games
    assert "        from 1 to 20 (default 3)" in games


def test_rules_say_what_a_free_game_is(command: Command) -> None:
    assert "rounds=free: As often as you like" in right(command("rules", "tabu", "--option", "rounds=free", "--lang", "en"))


def test_the_help_speaks_the_language_of_the_locale_and_lacks_no_sentence() -> None:
    assert "Jouer à un jeu au terminal." in process("play", "--help", LC_ALL="fr_FR.UTF-8").stdout.decode()
    assert "Play a game in the terminal." in process("play", "--help", LC_ALL="de_DE.UTF-8").stdout.decode()
    group: Any = get_command(cli.app)
    told = {
        getattr(thing, "help", None)
        for thing in (group, *group.params, *group.commands.values(), *(each for one in group.commands.values() for each in one.params))
    }
    assert {sentence for sentence in told if sentence} == set(sentences("fr"))
