"""Players in processes of their own: they play every game, and whatever they do wrong harms nobody else."""

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import tablee
from tablee.arena.match import play_game
from tablee.arena.plan import make_plan
from tablee.arena.report import make_report, table
from tablee.arena.run import carry_out
from tablee.catalog import OURS
from tablee.core.errors import TableeError
from tablee.core.ruling import IllegalAction
from tablee.core.words import LANGUAGES
from tablee.players.bot import Fault, load_bot
from tablee.players.player import Player
from tablee.players.program import Program, names_program, split_settings
from tests.doors.bots import Cheating, Greedy

ROOT = Path(__file__).parent.parent.parent
BOTS = "tests.doors.bots"
PROSE = f"cmd:{sys.executable} -m {BOTS}"


@pytest.fixture(scope="module")
def in_c(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Compile the example in C, warnings being errors, and return its name as a player."""
    program = tmp_path_factory.mktemp("c") / "mine"
    compiler = shutil.which("cc")
    assert compiler, "the tests need a C compiler, as the build does"
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-O2", "-o", program, ROOT / "examples" / "random_player.c"], check=True)
    return f"cmd:{program}"


@pytest.mark.parametrize("slug", OURS)
def test_the_example_in_c_plays_every_game_to_its_end(slug: str, in_c: str) -> None:
    game = tablee.game(slug)
    with Program(game, in_c, seed=3) as program:
        result = play_game(game, [program] * game.seats, "a game")
    assert result.fault is None
    assert result.last is not None
    assert result.last.over


def test_a_program_with_a_seed_repeats_its_game(in_c: str) -> None:
    game = tablee.game("traboulet")
    records = []
    for seed in (5, 5, 6):
        with Program(game, in_c, seed=seed) as program:
            last = play_game(game, [program, program], "a game").last
        assert last is not None
        records.append(tablee.record(last))
    assert records[0] == records[1] != records[2]


def test_a_bot_of_a_module_plays_as_it_does_in_this_process() -> None:
    game = tablee.game("tablan")
    own = Greedy()
    own.begin(game, 9)
    with Program(game, f"{BOTS}:Greedy", seed=9) as program:
        assert program.options == {"seed": "0", "taste": "sweet"}
        mine, theirs = (play_game(game, [player, Player(game, "greedy", 1)], "a game").last for player in (own, program))
    assert mine is not None
    assert theirs is not None
    assert tablee.record(mine) == tablee.record(theirs)


def test_the_players_of_the_house_answer_by_the_protocol_as_from_python() -> None:
    game = tablee.game("tabale")
    state = game.start(seed=1)
    with Program(game, f"cmd:{sys.executable} -m tablee.terminal.engine level2", seed=4) as program:
        for _ in range(6):
            action = program.choose(state, state.turn, nodes=300)
            assert action in state.legal()
            state = state.play(action)
        assert "nodes" in program.info
        assert " value 0." in program.info
        assert " line " in program.info


def test_a_position_line_can_be_the_start() -> None:
    game = tablee.game("traboulet")
    loaded = game.load(game.dump(game.start().play("a6b6")))
    with Program(game, f"{BOTS}:Greedy") as program:
        assert program.choose(loaded, loaded.turn) in loaded.legal()


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nowhere:Mine", "no module named 'nowhere'"),
        (f"{BOTS}:Greddy", "did you mean 'Greedy'?"),
        (f"{BOTS}:NoBot", "expected a class that extends tablee.Bot"),
        (f"{BOTS}:Demanding", "cannot be made: RuntimeError: no library"),
        (f"{BOTS}:Greedy [tast=salt]", "it has no option 'tast': its options are seed, taste"),
        ("cmd:", "expected cmd: and a program"),
        ("cmd:'", "is no command"),
        ("cmd:/nowhere/mine", "cannot be started: No such file"),
        ("cmd:false", "expected tableeok"),
        ("cmd:echo hello", "it said 'hello': expected id, option, info or tableeok"),
    ],
)
def test_a_player_that_cannot_begin_is_refused_in_one_sentence(name: str, sentence: str) -> None:
    with pytest.raises(TableeError) as refused:
        make_plan(tablee.game("tablan"), ("greedy", name), 2)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
    assert name.startswith("cmd:") or "tableeok" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        (f"{BOTS}:Crashing", "choose raised ZeroDivisionError"),
        (f"{BOTS}:Hanging", "it does not answer: expected play"),
        (f"{BOTS}:Cheating", "is refused by Traboulet"),
        (f"{BOTS}:Leaving", "status 7"),
        (f"{PROSE} prose", "it said 'I think a while': expected info or play TOKEN"),
        (f"{PROSE} 8", "is no action"),
        (f"{PROSE} 2000000", "a line of more than 1048576 bytes"),
    ],
)
def test_a_player_that_fails_loses_its_games_and_the_others_go_on(name: str, sentence: str) -> None:
    patience = 1.0 if "Hanging" in name else 60.0
    plan = make_plan(tablee.game("traboulet"), ("greedy", name, "uniform"), 2, opening=0, patience=60.0)
    lines = carry_out(replace(plan, patience=patience), cores=1)  # a slow machine greets slowly, too
    faults = [line for line in lines if "fault" in line]
    assert len(lines) == 6
    assert [line["faulty"] for line in faults] == [1] * 4
    assert all(sentence in str(line["fault"]) for line in faults)
    report = make_report(plan, lines)
    assert report.faults[0][:2] == (name, 4)
    assert {standing.player: standing.rate.value for standing in report.standings}[name] == 0.0
    assert any(sentence in line for line in table(report, "en"))
    assert any(f"le joueur «\u202f{name[:40]}" in line and "» a échoué" in line for line in table(report, "fr"))  # a long name is cut


def test_the_report_says_the_reason_of_the_rules_in_its_language() -> None:
    plan = make_plan(tablee.game("traboulet"), (f"{PROSE} d4d5", "uniform"), 1, opening=0, patience=60.0)
    report = make_report(plan, carry_out(plan, cores=1))
    with pytest.raises(IllegalAction) as refused:
        tablee.game("traboulet").start().play("d4d5")
    for language in LANGUAGES:
        assert any(refused.value.reasons(language) in line for line in table(report, language)), language


def test_where_all_win_together_a_player_that_fails_wins_nothing() -> None:
    plan = make_plan(tablee.game("tabaijana"), (f"{BOTS}:Crashing",), 2)
    lines = carry_out(plan, cores=1)
    assert [line["won"] for line in lines] == [False] * len(lines)


def test_a_program_that_hangs_is_ended_with_everything_it_started(tmp_path: Path) -> None:
    script = tmp_path / "mine"
    script.write_text("#!/bin/sh\nsleep 100000 & echo $! > " + str(tmp_path / "pid") + "\necho tableeok; echo readyok; wait\n")
    script.chmod(0o755)
    Program(tablee.game("tablan"), f"cmd:{script}").close()
    child = Path("/proc") / (tmp_path / "pid").read_text().strip() / "status"
    assert not child.exists() or "zombie" in child.read_text()


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("", "it does not answer: expected tableeok"),
        ("info still waking up", "it does not answer: expected tableeok"),
        ("option one default 1", "it does not answer: expected tableeok"),
    ],
)
def test_a_program_that_greets_without_end_is_given_up(said: str, sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tablee.players.program.STARTING", 0.5)
    with pytest.raises(Fault, match=sentence):
        Program(tablee.game("tablan"), f"cmd:yes '{said}'", patience=0.5)


def test_a_program_with_too_many_options_is_refused(tmp_path: Path) -> None:
    script = tmp_path / "mine"
    script.write_text("#!/bin/sh\nseq -f 'option o%.0f default 1' 2000\necho tableeok\ncat\n")
    script.chmod(0o755)
    with pytest.raises(Fault, match="it has more than 1000 options"):
        Program(tablee.game("tablan"), f"cmd:{script}")


def test_many_empty_lines_before_an_answer_are_passed_over(tmp_path: Path) -> None:
    script = tmp_path / "mine"
    script.write_text("#!/bin/sh\nyes '' | head -5000\necho tableeok; echo readyok; cat > /dev/null\n")
    script.chmod(0o755)
    with Program(tablee.game("tablan"), f"cmd:{script}") as program:
        assert program.options == {}


def test_a_program_that_never_reads_is_given_up_like_one_that_never_answers() -> None:
    game = tablee.game("traboulet")
    state = game.start()
    with Program(game, f"{PROSE} deaf") as program:
        program.patience = 0.5
        program.tell("x" * (1 << 20))  # more than a pipe holds
        with pytest.raises(Fault, match="it does not answer: expected play"):
            program.choose(state, 0)
        while not program.orders.full():
            program.tell("isready")
        with pytest.raises(Fault, match="it does not read what it is told"):
            program.tell("isready")


def test_a_process_that_left_the_group_and_holds_the_pipes_holds_up_nobody(tmp_path: Path) -> None:
    written = tmp_path / "pid"
    with Program(tablee.game("traboulet"), f"{PROSE} {written}") as program:
        child = int(written.read_text())
    try:
        assert program.process.returncode is not None
        assert program.threads[0].is_alive()  # it waits for the child, and nobody waits for it
    finally:
        os.kill(child, signal.SIGKILL)


def test_cheating_in_this_process_is_an_illegal_action() -> None:
    game = tablee.game("traboulet")
    with pytest.raises(tablee.IllegalAction):
        play_game(game, [Cheating(), Player(game, "greedy")], "a game")


def test_names_of_players_are_told_apart() -> None:
    assert [names_program(name) for name in ("max:seconds=0.5", "level3", "mine:Mine", "cmd:./mine", "a.b:C [d=1]")] == [
        False,
        False,
        True,
        True,
        True,
    ]
    assert split_settings("cmd:./mine [a=1, b=2]") == ("cmd:./mine", {"a": "1", "b": "2"})
    with pytest.raises(TableeError, match="expected module:Class"):
        load_bot("max:seconds")
    assert issubclass(Fault, TableeError)
