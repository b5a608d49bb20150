"""Where the last stacks lie, held against a slow statement of the same in words of the board."""

import pytest

import tablee
from tablee.core.game import Game
from tablee.games.tabaijana.ending import SIZE, write_ending
from tablee.games.tabaijana.judgement import ENDING, FEATURES
from tablee.games.tabaijana.position import TabaijanaPosition
from tests.players.tabaijana.test_prospects import BUFFER, FIVES, GAMES, made_up, rests

FIRST = 300


def written(position: TabaijanaPosition) -> list[int]:
    """Return the features that are written, each less the first."""
    n = int(write_ending(position, BUFFER, 4, FIRST))
    return [int(BUFFER[k]) - FIRST for k in range(4, n)]


def slow(position: TabaijanaPosition) -> list[int]:
    """Return the same from the board in letters."""
    boat = int(position.boat)
    load = position.stack(boat)
    stacks = {cell: position.stack(cell) for cell in range(1, 25) if cell != boat and position.stack(cell)}
    if boat > 23:
        return []
    match list(stacks):
        case [cell]:
            lowest = stacks[cell][0]
            alike = load[-1:] == lowest
            fits = not load or (not alike if position.children else alike or load[-4:] == load[-1] * 4)
            return [(((boat - 10) * 24 + cell - 1) * 2 + fits) * 5 + min(5, len(stacks[cell])) - 1]
        case [one, two]:
            pairs = [(a, b) for b in range(2, 25) for a in range(1, b)]
            return [3360 + 276 * (boat - 10) + pairs.index((one, two))]
    return []


@pytest.mark.parametrize("game", FIVES, ids=repr)
def test_the_last_stacks_are_those_of_the_slow_statement(game: Game) -> None:
    for seed in range(GAMES):
        for position in rests(game, seed):
            assert written(position) == slow(position)


@pytest.mark.parametrize("name", ["famille", "enfants"])
def test_the_last_stacks_are_those_of_the_slow_statement_on_boards_made_up(name: str) -> None:
    seen: set[int] = set()
    for position in made_up(name, 1500):
        found = written(position)
        assert found == slow(position)
        seen.update(found)
    assert len([one for one in seen if one < 3360]) > 50
    assert len([one for one in seen if one >= 3360]) > 100


def test_every_place_of_the_last_stacks_has_a_number_of_its_own() -> None:
    position = tablee.game("tabaijana", seats=5, game="enfants").start(lambda n: 0).position.copy()
    assert isinstance(position, TabaijanaPosition)
    seen = set()
    for boat in range(10, 24):
        for one in range(1, 25):
            for two in range(one, 25):
                if boat in (one, two):
                    continue
                board = [""] * 30
                board[boat] = "rwgby" * 3
                board[one] = "rwgby"[: 3 if one < two else 5]
                if one < two:
                    board[two] = "by"
                position.arrange("rwgby", "", board, boat, 0, 0, 0)
                seen.update(written(position))
    assert len(seen) == 14 * (23 + 253)
    assert max(seen) < SIZE == FEATURES - ENDING
