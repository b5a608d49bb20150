"""The house is killed with kill -9 again and again: every confirmed event is there, none doubled, and the dice are those that were sealed."""

from pathlib import Path

from tests.store.kill import run

KILLS = 10


def test_killed_again_and_again_it_loses_and_doubles_nothing(tmp_path: Path) -> None:
    count = run(tmp_path / "tables.db", KILLS, seed=7)
    assert count.wrong == []
    assert count.confirmed > KILLS


def test_a_house_that_confirms_before_it_commits_is_found_out(tmp_path: Path) -> None:
    count = run(tmp_path / "tables.db", 20 * KILLS, seed=7, fault="early")
    assert any("is lost" in line for line in count.wrong)
