"""Paired games, kept line by line: the same throws, the same result after a kill, files that others can read."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest

from tablee import Player, catalog
from tablee.arena.match import Throws, begin, play_game, play_sitting
from tablee.arena.plan import Plan, make_plan, needed_opening
from tablee.arena.report import GAMES, make_report, part, table, write_report
from tablee.arena.run import carry_out, read_games
from tablee.arena.spread import spread
from tablee.arena.training import training
from tablee.catalog import OURS
from tablee.core.errors import TableeError
from tablee.core.mind import Mind
from tablee.core.state import Chance, State
from tests.test_cli import Command, command, right, wrong

__all__ = ["command"]

QUICK = ("greedy", "uniform")
TIMES = {"seconds", "slowest"}


def plan(slug: str = "tablan", players: tuple[str, ...] = QUICK, games: int = 6, seats: int | None = None, seed: int = 1) -> Plan:
    """Return a small plan."""
    return make_plan(catalog.game(slug, seats), players, games, seed=seed)


def timeless(line: dict[str, object]) -> dict[str, object]:
    """Return a game without how long it took."""
    return {key: value for key, value in line.items() if key not in TIMES}


def throws_of(state: State) -> dict[int, list[tuple[int, int]]]:
    """Return the throws of each seat, in order, each with how many cases it had."""
    found: dict[int, list[tuple[int, int]]] = {}
    for one in state.path():
        if one.previous is not None and isinstance(one.previous.node, Chance):
            found.setdefault(one.previous.turn, []).append((int(one.previous.position.chances()), one.action))
    return found


@pytest.mark.parametrize("slug", ["tablan", "tabu", "tabaijana"])
def test_the_games_of_a_round_share_set_up_and_throws(slug: str) -> None:
    game = catalog.game(slug)
    ends = []
    for names in (("greedy", "uniform"), ("uniform", "greedy")):
        ends.append(play_game(game, [Player(game, name, 3) for name in names], "1 7").last)
    first, second = ends
    assert first is not None
    assert second is not None
    assert first.setup == second.setup
    assert game.dump(first) != game.dump(second)
    compared = 0
    for seat, throws in throws_of(first).items():
        for (cases, action), (others, other) in zip(throws, throws_of(second).get(seat, []), strict=False):
            assert cases != others or action == other
            compared += cases == others
    assert compared >= (1 if slug == "tabu" else 5)
    elsewhere = play_game(game, [Player(game, "greedy", 3)] * game.seats, "1 8").last
    assert elsewhere is not None
    assert throws_of(elsewhere) != throws_of(first)


def test_the_throws_of_a_seat_do_not_depend_on_who_threw_before() -> None:
    one, other = Throws("x"), Throws("x")
    straight = [one.case(0, 36) for _ in range(20)]
    mixed = [(other.case(0, 36), other.case(1, 36))[0] for _ in range(20)]
    assert straight == mixed
    assert straight != [one.case(1, 36) for _ in range(20)]


@pytest.mark.parametrize("slug", ["traboulet", "tabale"])
def test_games_without_throws_begin_with_the_same_random_opening_in_both_games_of_a_round(slug: str) -> None:
    game = catalog.game(slug)
    assert needed_opening(game) == 4
    lines = [game.dump(begin(game, f"1 {number}", 4, Throws("1"))) for number in (0, 0, 1, 2, 3)]
    assert lines[0] == lines[1]
    assert len(set(lines)) > 2


@pytest.mark.parametrize("slug", ["tablan", "tabu", "tabaijana"])
def test_games_with_throws_need_no_opening(slug: str) -> None:
    assert needed_opening(catalog.game(slug)) == 0


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_player_has_every_seat_equally_often(seats: int) -> None:
    sittings = plan("tabale", ("uniform", "greedy", "level1"), 4, seats).sittings()
    assert [sitting.number for sitting in sittings] == list(range(len(sittings)))
    assert len(sittings) == 3 * 4
    for player in range(3):
        by_seat = [sum(sitting.seats[seat] == player for sitting in sittings) for seat in range(seats)]
        assert len(set(by_seat)) == 1


def test_a_ladder_lets_only_neighbours_meet() -> None:
    one = make_plan(catalog.game("traboulet"), ("uniform", "greedy", "level1"), 2, ladder=True)
    assert {sitting.meeting for sitting in one.sittings()} == {(0, 1), (1, 2)}


def test_together_each_plays_alone_with_the_same_throws_as_the_others() -> None:
    sittings = plan("tabaijana", ("greedy", "uniform"), 3, 3).sittings()
    assert [(sitting.seats, sitting.round) for sitting in sittings[:2]] == [((0, 0, 0), 0), ((1, 1, 1), 0)]
    assert len(sittings) == 6


@pytest.mark.parametrize("slug", OURS)
def test_the_same_plan_gives_the_same_games(slug: str) -> None:
    one = plan(slug, ("level1", "greedy"), 2)
    first, again = ([timeless(line) for line in carry_out(one, cores=1)] for _ in range(2))
    assert first == again
    other = [timeless(line) for line in carry_out(plan(slug, ("level1", "greedy"), 2, seed=2), cores=1)]
    assert other != first


def test_processes_play_the_same_games_as_one(tmp_path: Path) -> None:
    one = plan(games=8)
    alone = [timeless(line) for line in carry_out(one, cores=1)]
    spread_out = [timeless(line) for line in carry_out(one, tmp_path / GAMES, cores=2)]
    assert alone == spread_out


def test_a_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    whole = plan(games=10)
    wanted = [timeless(line) for line in carry_out(whole, cores=1)]
    file = tmp_path / GAMES
    carry_out(plan(games=4), file, cores=1)
    kept = file.read_text(encoding="utf-8")
    file.write_text(kept + '{"number": 4, "meet', encoding="utf-8")
    seen: list[int] = []
    found = carry_out(whole, file, cores=1, progress=lambda done, of: seen.append(done))
    assert [timeless(line) for line in found] == wanted
    assert seen[0] == 4
    assert file.read_text(encoding="utf-8").startswith(kept)
    assert len(read_games(whole, file)) == 10


KILLED_AFTER_FOUR_GAMES = """
import os, signal
from tablee.arena import run
from tablee.cli import main

written = 0

def append_line(file, line, append=run.append_line):
    global written
    append(file, line)
    written += 1
    if written == 4:
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    run.append_line = append_line
    main()
"""


def test_a_run_killed_without_warning_ends_as_one_that_was_not(tmp_path: Path) -> None:
    """The command itself, on two processes, kills itself with signal 9 after four games; its workers leave too."""
    words = ["arena", "traboulet", "level2", "greedy", "uniform", "--games", "16", "--cores", "2", "--lang", "en", "--report", str(tmp_path / "run")]
    killed, script = tmp_path / "killed.script.py", tmp_path / "tablee.script.py"
    killed.write_text(KILLED_AFTER_FOUR_GAMES, encoding="utf-8")
    script.write_text("from tablee.cli import main\nif __name__ == '__main__': main()", encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    file = tmp_path / "run" / GAMES
    run = subprocess.run([sys.executable, str(killed), *words], env=environment, check=False, capture_output=True)
    assert run.returncode == -signal.SIGKILL
    assert len(file.read_text(encoding="utf-8").splitlines()) == 5
    subprocess.run([sys.executable, str(script), *words], env=environment, check=True, capture_output=True)
    one = make_plan(catalog.game("traboulet"), ("level2", "greedy", "uniform"), 16)
    found = read_games(one, file)
    for number in (0, 1, 17, 40):
        assert timeless(found[number]) == timeless(json.loads(json.dumps(play_sitting(one, one.sittings()[number]))))
    assert sorted(found) == list(range(48))
    assert len(file.read_text(encoding="utf-8").splitlines()) == 49


def test_a_file_of_another_plan_is_refused(tmp_path: Path) -> None:
    file = tmp_path / GAMES
    carry_out(plan(games=2), file, cores=1)
    with pytest.raises(TableeError, match="another plan \\(seed differ"):
        carry_out(plan(games=2, seed=5), file, cores=1)
    file.write_text("hello\n", encoding="utf-8")
    with pytest.raises(TableeError, match="is no file of games"):
        carry_out(plan(games=2), file, cores=1)


@pytest.mark.parametrize(
    ("slug", "players", "seats"), [("traboulet", QUICK, 2), ("tabale", (*QUICK, "level1"), 3), ("tabaijana", QUICK, 2), ("tabu", QUICK, 4)]
)
def test_a_report_is_well_formed_and_adds_up(slug: str, players: tuple[str, ...], seats: int, tmp_path: Path) -> None:
    one = plan(slug, players, 4, seats)
    games = carry_out(one, cores=1)
    report = make_report(one, games)
    for language in ("fr", "en"):
        write_report(report, tmp_path / language, language)
        text = (tmp_path / language / "report.md").read_text(encoding="utf-8")
        assert text == "\n".join(table(report, language)) + "\n"
        assert all(f"`{player}`" in text for player in players)
        rows = [line for line in text.splitlines() if line.startswith("|")]
        assert len({row.count("|") for row in rows[: 2 + len(players)]}) == 1
        svg = ElementTree.parse(tmp_path / language / "plot.svg").getroot()
        assert svg.tag.endswith("svg")
        assert len(svg.findall("{*}circle")) == len(players)
    data = json.loads((tmp_path / "en" / "report.json").read_text(encoding="utf-8"))
    assert [one["player"] for one in data["standings"]] == list(players)
    assert all(0 <= one["rate"]["low"] <= one["rate"]["value"] <= one["rate"]["high"] <= 1 for one in data["standings"])
    if slug == "tabaijana":
        assert data["meetings"] == []
        won = [line["won"] for line in games if line["meeting"] == [0]]
        assert report.standings[0].rate.value == sum(map(bool, won)) / len(won)
        return
    for meeting in report.meetings:
        parts = [
            part(line, meeting.first) for line in map(json.loads, map(json.dumps, games)) if tuple(line["meeting"]) == (meeting.first, meeting.second)
        ]
        assert meeting.rate.value == pytest.approx(sum(parts) / len(parts))


def test_money_is_told_in_tabu() -> None:
    one = plan("tabu", QUICK, 6)
    games = carry_out(one, cores=1)
    report = make_report(one, games)
    totals = [standing.score for standing in report.standings]
    start = catalog.game("tabu").start(Random(1).randrange).position
    assert sum(totals) == pytest.approx(sum(int(start.score(seat)) for seat in range(2)))


def test_the_stronger_has_the_higher_rating() -> None:
    one = plan("traboulet", ("uniform", "greedy", "level4"), 8)
    weak, middle, strong = make_report(one, carry_out(one)).standings
    assert weak.rating is not None
    assert middle.rating is not None
    assert strong.rating is not None
    assert weak.rating.elo < min(middle.rating.elo, strong.rating.elo)
    assert weak.seconds > 0.0
    assert strong.seconds > 0.0


def double(n: int) -> int:
    """Return twice a number, or fail at 13."""
    if n == 13:
        raise ValueError("thirteen")
    return 2 * n


def test_work_is_spread_and_errors_come_back() -> None:
    assert dict(spread(double, [(n,) for n in range(9)], cores=2)) == {n: 2 * n for n in range(9)}
    assert list(spread(double, [], cores=2)) == []
    with pytest.raises(ValueError, match="thirteen"):
        list(spread(double, [(12,), (13,), (14,)], cores=2))


@pytest.mark.parametrize("language", ["fr", "en"])
def test_the_command_prints_the_table_and_keeps_the_report(command: Command, tmp_path: Path, language: str) -> None:
    words = ("arena", "tablan", "greedy", "uniform", "--games", "2", "--cores", "1", "--lang", language, "--report", str(tmp_path / "r"))
    answer = command(*words)
    assert answer.code == 0
    assert "`greedy`" in answer.out
    assert {path.name for path in (tmp_path / "r").iterdir()} == {"games.jsonl", "report.md", "report.json", "plot.svg"}
    assert command(*words).out == answer.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("traboulet", "level1"), "too few players (1): expected at least 2"),
        (("traboulet", "level1", "levle2"), "unknown player 'levle2' (did you mean 'level2'?)"),
        (("nosuch", "level1", "level2"), "unknown game 'nosuch'"),
    ],
)
def test_a_wrong_word_is_one_sentence(command: Command, words: tuple[str, ...], said: str) -> None:
    assert said in wrong(command("arena", *words, "--cores", "1"))


def test_a_game_without_anything_to_learn_says_so() -> None:
    with pytest.raises(TableeError, match="nosuch has nothing to learn: its mind has no training"):
        training(replace(catalog.kind("tabu"), slug="nosuch", mind=Mind()))


def test_a_hint_is_given_at_the_terminal(command: Command) -> None:
    said = right(command("play", "traboulet", "--players", "human,level1", "--plain", "--lang", "en", "--seed", "1", given="hint\na7b7\nquit\n"))
    assert "I would play “" in said
    assert "chance to win" in said
    assert "Black pushes" in said
