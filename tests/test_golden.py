"""What came out once comes out again: counts, whole games with their results, drawn boards."""

from pathlib import Path

import pytest

import tablee
from tablee.catalog import OURS
from tablee.core.state import Over
from tests.golden.make import HERE, RECORDS, boards, perft_text

# `records` are of the current rules, `records-1` of version 1.
RECORD_FILES = sorted(HERE.glob("*/records*/*.tablee"))


@pytest.mark.parametrize("slug", OURS)
def test_the_counts_are_as_before(slug: str) -> None:
    assert perft_text(slug) == (HERE / slug / "perft.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("slug", OURS)
def test_the_boards_are_drawn_as_before(slug: str) -> None:
    drawn = dict(boards(slug))
    kept = {path.name: path.read_text(encoding="utf-8") for path in (HERE / slug / "boards").iterdir()}
    assert drawn == kept


@pytest.mark.parametrize("slug", OURS)
def test_there_are_ten_whole_games(slug: str) -> None:
    assert len(list((HERE / slug / "records").iterdir())) == RECORDS


@pytest.mark.parametrize("path", RECORD_FILES, ids=lambda path: "-".join((*path.parts[-3:-1], path.stem)))
def test_the_game_replays_to_its_result(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    state = tablee.read(text)
    assert isinstance(state.node, Over)
    lines = text.splitlines(keepends=True)
    assert "".join(lines[1:-1]) == tablee.record(state)
    assert lines[-1] == f"# end: {state.game.dump(state)}\n"
