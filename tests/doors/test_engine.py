"""`tablee engine`: the protocol line by line, and what is said about a wrong line."""

import subprocess
import sys
from pathlib import Path

import pytest

import tablee
from tablee.players.player import Choice, Player
from tablee.terminal.engine import WORDS, Engine

GAME = ["newgame tablan seats 2", "start setup", "moves"]


def answers(*lines: str, player: str = "greedy") -> list[str]:
    """Return what the engine says to these lines."""
    said: list[str] = []
    Engine(player, said.append).run(lines)
    return said


def test_the_greeting_names_the_player_and_its_options() -> None:
    said = answers("tablee 1", "isready", player="level3")
    assert said == ["id name level3", "id author the Tablée library", "option seed default 0", "option player default level3", "tableeok", "readyok"]


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["tablee 2"], "version '2' of the protocol is not known: expected tablee 1"),
        (["hello"], "unknown command 'hello'"),
        (["setoption colour red"], "unknown option 'colour'"),
        (["setoption player level33"], "unknown player 'level33'"),
        (["setoption seed x"], "'x' is no seed: expected a whole number"),
        (["newgame chess"], "unknown game 'chess'"),
        (["newgame tablan seats"], "expected GAME rules NUMBER seats NUMBER"),
        (["newgame tablan options nothing"], "expected name=value"),
        (["start setup"], "expected newgame before start"),
        (["newgame tablan", "start anywhere"], "unknown start 'anywhere'"),
        (["newgame traboulet", "start line nothing"], "is no position"),
        (["moves 1 a6b6"], "expected start before moves"),
        (["newgame traboulet", "start setup", "moves 1"], "expected SEAT TOKEN pairs"),
        (["newgame traboulet", "start setup", "moves 1 a1a2"], "is refused by Traboulet"),
        (["go seat 1"], "expected newgame and start before go"),
        (["newgame traboulet", "start setup", "go seat 2"], "seat 2 may not act now"),
        (["newgame traboulet", "start setup", "go seat one"], "'one' is no number for seat: expected a whole number"),
        (["newgame traboulet", "start setup", f"go seat {'9' * 5000}"], "is no number for seat"),
        (["newgame traboulet", "start setup", f"go seat 1 time {'9' * 5000}"], "is no number for time"),
        (["newgame traboulet", "start setup", "go fast 1"], "expected go seat NUMBER"),
    ],
)
def test_a_wrong_line_is_answered_by_one_sentence_and_the_engine_goes_on(lines: list[str], sentence: str) -> None:
    *_, said, ready = answers(*lines, "isready")
    assert said.startswith("error ")
    assert sentence in said
    assert ready == "readyok"


def test_moves_that_go_on_and_moves_that_go_back_give_the_same_position() -> None:
    engine = Engine("greedy", lambda line: None)
    engine.run(["newgame traboulet", "start setup", "moves 1 a6b6", "moves 1 a6b6 2 a2b2"])
    far = engine.state
    engine.run(["moves 1 a6b6"])
    assert engine.state == tablee.game("traboulet").start().play("a6b6")
    engine.run(["moves 1 a6b6 2 a2b2"])
    assert engine.state == far


def test_stop_ends_a_thought_without_an_end() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "tablee.terminal.engine", "max"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("newgame traboulet\nstart setup\ngo seat 1 time 3600000\nstop\n")
        process.stdin.flush()
        said = [process.stdout.readline().split()[0] for _ in range(2)]
        process.stdin.write("quit\n")
        process.stdin.flush()
        assert said == ["info", "play"]
        assert process.wait() == 0


def test_an_action_without_a_search_is_told_without_the_value_of_an_older_position() -> None:
    said: list[str] = []
    engine = Engine("level2", said.append)
    engine.run(["newgame traboulet", "start setup", "go seat 1 nodes 50"])
    assert " value " in said[0]
    assert isinstance(engine.player, Player)
    engine.player.decide = lambda *args, **more: Choice(engine.state.legal()[0], 1, 0, 0.0)  # type: ignore[method-assign,union-attr]
    engine.run(["go seat 1"])
    assert said[2] == "info nodes 0 time 0"


def test_whatever_goes_wrong_in_a_thought_ends_the_conversation(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    left: list[int] = []
    monkeypatch.setattr("tablee.terminal.engine.os._exit", left.append)
    monkeypatch.setattr(Player, "decide", lambda *args, **more: [][1])
    assert answers("newgame traboulet", "start setup", "go seat 1") == []
    assert left == [1]
    assert "IndexError: list index out of range" in capsys.readouterr().err


def test_the_page_of_the_protocol_names_every_word() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "engine-protocol.md").read_text(encoding="utf-8")
    assert [word for word in (*WORDS, "id", "option", "info", "play", "tableeok", "readyok") if f"`{word}" not in page] == []


def test_the_command_speaks_the_protocol_and_refuses_a_wrong_name() -> None:
    command = [str(Path(sys.executable).parent / "tablee"), "engine"]
    lines = "tablee 1\nisready\nnewgame traboulet rules 1 seats 2 options bonus=any\nstart setup\nmoves\ngo seat 1 nodes 50\nnonsense\nquit\n"
    done = subprocess.run([*command, "level1"], input=lines, capture_output=True, text=True, check=True)
    heard = done.stdout.splitlines()
    assert heard[0] == "id name level1"
    assert "tableeok" in heard
    assert "readyok" in heard
    (played,) = [line.removeprefix("play ") for line in heard if line.startswith("play ")]
    assert played in [state.game.notate(action) for state in [tablee.game("traboulet").start()] for action in state.legal()]
    assert heard[-1].startswith("error unknown command 'nonsense'")
    wrong = subprocess.run([*command, "levle1"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "level1" in wrong.stderr
    assert wrong.stderr.count("\n") == 1
