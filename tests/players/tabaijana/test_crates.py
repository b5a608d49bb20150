"""The board crate by crate, held against a slow statement of the same in words of the board."""

from itertools import pairwise

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import tablee
from tablee.core.game import Game
from tablee.games.tabaijana.crates import SIZE, Crates
from tablee.games.tabaijana.judgement import CRATE_BY_CRATE, ENDING
from tablee.games.tabaijana.position import LETTERS, TabaijanaPosition
from tests.players.tabaijana.test_prospects import BUFFER, FIVES, GAMES, made_up, owners, rests

FIRST = 500


def written(position: TabaijanaPosition) -> list[int]:
    """Return the features that are written, each less the first."""
    owner = vec[i64]([i64(k) for k in owners(position)])
    n = int(Crates().write(position, owner, BUFFER, 7, FIRST))
    return sorted(int(BUFFER[k]) - FIRST for k in range(7, n))


def slow(position: TabaijanaPosition) -> list[int]:
    """Return the same from the board in letters."""
    whose = owners(position)
    boat = int(position.boat)
    found = []
    for cell in range(30):
        stack = [whose[LETTERS.index(letter) + 1] for letter in reversed(position.stack(cell))]
        if cell == boat:
            found += of_load(stack, min(boat, 23) - 10)
        elif stack:
            away = max(0, min(35, boat - cell + 13))
            found += [3 * (36 * seat + away) + min(2, above) for above, seat in enumerate(stack)]
            found += [540 + 25 * away + 5 * upper + lower for upper, lower in pairwise(stack)]
            found.append(1440 + 36 * sum(2**seat for seat in set(stack)) + away)
    return sorted(found)


def of_load(stack: list[int], sailed: int) -> list[int]:
    """Return what is told of the load, from its top."""
    first, second = [*stack, 5, 5][:2]
    found = [2592 + (6 * first + second if stack else 35)]
    found += [2670 + seat for seat in stack[2:3]] + [2675 + seat for seat in stack[3:4]]
    alike = [above for above in range(len(stack) - 1) if stack[above] == stack[above + 1]]
    if alike:
        found += [2628 + alike[0], 2649 + alike[-1]]
    return found + [2680 + 21 * sailed + len(stack)] + [2974 + 25 * sailed + 5 * seat + stack.count(seat) for seat in range(5)]


@pytest.mark.parametrize("game", FIVES, ids=repr)
def test_crates_are_those_of_the_slow_statement(game: Game) -> None:
    seen: set[int] = set()
    for seed in range(GAMES):
        for position in rests(game, seed):
            found = written(position)
            assert found == slow(position)
            seen.update(found)
    assert len(seen) > 200
    assert max(seen) < SIZE == ENDING - CRATE_BY_CRATE


@pytest.mark.parametrize("name", ["famille", "enfants"])
def test_crates_are_those_of_the_slow_statement_where_crates_of_a_colour_lie_together(name: str) -> None:
    for position in made_up(name, 400):
        assert written(position) == slow(position)


def test_two_boards_that_differ_by_the_order_of_a_stack_look_different() -> None:
    """Height, runs, lowest and top colour are the same: only crate by crate is the difference seen."""
    position = tablee.game("tabaijana", seats=5, game="enfants").start(lambda n: 0).position.copy()
    assert isinstance(position, TabaijanaPosition)
    found = []
    for stack in ("rwgby", "rgwby"):
        board = [""] * 30
        board[5], board[10] = stack, "rwgby" * 3
        position.arrange("rwgby", "", board, 10, 0, 0, 0)
        found.append(written(position))
    assert found[0] != found[1]
