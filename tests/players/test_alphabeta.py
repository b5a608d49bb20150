"""Alpha-beta for any two sides: it finds what is there, keeps its budget, and says the same each time."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import tablee
from tablee.catalog import kind
from tablee.core import position as module
from tablee.core.game import Game
from tablee.core.judgement import Judgement
from tablee.core.position import OVER, Position
from tablee.core.state import State
from tablee.players.alphabeta import AT_ONCE, LEVEL_SLOTS, AlphaBeta, chance, make_search
from tablee.players.stop import Stop
from tablee.testing import variants

COMPILED = not str(module.__file__).endswith(".py")
DEEP = 60


class Heap(Position):
    """Take one to three from a heap; who takes the last wins. Who takes one of an even heap takes again, once."""

    def __init__(self, heap: int, again: bool = False) -> None:
        super().__init__(2)
        self.heap, self.side, self.again, self.bonus = heap, 0, again, False

    def actor(self) -> i64:
        """Return the side to take, until nothing is left."""
        return self.side if self.heap else OVER

    def turn(self) -> i64:
        """Return the side to take."""
        return self.side

    def actions(self, seat: i64, into: vec[i64]) -> i64:
        """Write 0, 1, 2: take one, two, three."""
        n = min(3, self.heap)
        for k in range(n):
            into[k] = k
        return n

    def play(self, action: i64) -> None:
        """Take, and hand over unless a second go was earned."""
        free = self.again and not self.bonus and action == 0 and self.heap % 2 == 0
        self.heap -= int(action) + 1
        self.bonus = free and self.heap > 0
        if not free or not self.heap:
            self.side = 1 - self.side

    def copy(self) -> Position:
        """Return a new equal position."""
        other = Heap(self.heap, self.again)
        other.copy_from(self)
        return other

    def copy_from(self, other: Position) -> None:
        """Become equal to another."""
        assert isinstance(other, Heap)
        self.heap, self.side, self.again, self.bonus = other.heap, other.side, other.again, other.bonus

    def score(self, seat: i64) -> i64:
        """Return nothing: only the win counts."""
        return 0

    def winners(self) -> i64:
        """Return who took the last."""
        return 1 << (1 - self.side)

    def hash(self) -> i64:
        """Return a number of its own for each position."""
        return self.heap * 4 + self.side * 2 + self.bonus + 1


class Blind(Judgement):
    """Sees nothing: every position is even."""

    def value(self, position: Position, seat: i64) -> float:
        """Return even chances."""
        return 0.5


def wins(position: Heap) -> bool:
    """Return whether whoever acts can win, by looking at everything."""
    for action in range(min(3, position.heap)):
        child = position.copy()
        assert isinstance(child, Heap)
        child.play(action)
        if child.heap == 0 or (wins(child) == (child.side == position.side)):
            return True
    return False


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("heap", range(1, 19))
def test_it_solves_a_small_game_to_the_end_also_where_a_side_acts_again(heap: int, again: bool) -> None:
    position = Heap(heap, again)
    search = AlphaBeta(Blind(), position, 3, DEEP, 0, 8192)
    search.think(position, 0, Stop(20000))
    assert search.expectation(0) == (1.0 if wins(position) else 0.0)
    assert search.expectation(0) + search.expectation(1) == 1.0


def search_for(game: Game, state: State, depth: int = DEEP, margin: int = 0) -> AlphaBeta:
    """Return a search with the judgement that ships and a small table."""
    return AlphaBeta(game.kind.mind.judgement(game), state.position, game.action_count, depth, margin, LEVEL_SLOTS)


def states(game: Game, number: int, seed: int) -> Iterator[State]:
    """Give states on the way of random games."""
    random = Random(seed)
    while number:
        state = game.start(random.randrange)
        for _ in range(random.randrange(60)):
            if state.position.actor() == OVER:
                break
            state = state.play(random.choice(state.legal()))
        if state.position.actor() != OVER:
            number -= 1
            yield state


GAME = tablee.game("traboulet")


@pytest.mark.parametrize("game", list(variants(kind("traboulet"))), ids=repr)
def test_the_ranking_holds_every_legal_action_once_with_its_chance(game: Game) -> None:
    for state in states(game, 6, 1):
        search = search_for(game, state)
        for nodes in (1, 60, 2000):
            search.think(state.position, state.turn, Stop(nodes))
            ranking = search.ranking()
            assert sorted(action for action, _ in ranking) == sorted(state.legal())
            assert all(0.0 <= value <= 1.0 for _, value in ranking)
            assert [value for _, value in ranking] == sorted((value for _, value in ranking), reverse=True)


@pytest.mark.parametrize("game", list(variants(kind("traboulet"))), ids=repr)
def test_the_line_can_be_played(game: Game) -> None:
    for state in states(game, 4, 2):
        search = search_for(game, state)
        search.think(state.position, state.turn, Stop(3000))
        line = search.line()
        assert line[0] == search.ranking()[0][0]
        for action in line:
            state = state.play(action)


def test_the_same_nodes_give_the_same_answer_whatever_was_thought_before() -> None:
    first, second, third = states(GAME, 3, 3)
    fresh = search_for(GAME, first)
    fresh.think(first.position, first.turn, Stop(5000))
    tired = search_for(GAME, first)
    for other in (second, third, first):
        tired.think(other.position, other.turn, Stop(5000))
    assert tired.ranking() == fresh.ranking()
    assert tired.line() == fresh.line()


def test_thinking_leaves_the_position_as_it_is() -> None:
    for state in states(GAME, 3, 4):
        before = GAME.dump(state)
        search_for(GAME, state).think(state.position, state.turn, Stop(1000))
        assert GAME.dump(state) == before


def test_the_budget_of_nodes_is_kept() -> None:
    for state in states(GAME, 5, 5):
        stop = Stop(3000)
        search_for(GAME, state).think(state.position, state.turn, stop)
        assert stop.nodes <= 3000 + DEEP  # the way back counts, too


def test_where_much_can_be_taken_the_first_look_is_short() -> None:
    """Every order of the captures would take six million nodes here, and no budget would be kept."""
    state = GAME.load("4w2/3wb2/2wrb2/2wrrbb/1rrrrrw/bbbrrww/1brrr2 b 0 0 g4f4 -")
    search = search_for(GAME, state, depth=1)
    stop = Stop(0)
    search.think(state.position, state.turn, stop)
    assert search.reached == 1
    assert stop.nodes < 20000
    short = Stop(1)
    search.think(state.position, state.turn, short)
    assert short.nodes <= AT_ONCE + DEEP
    assert sorted(action for action, _ in search.ranking()) == sorted(state.legal())


def test_somebody_may_say_stop() -> None:
    state = GAME.start(lambda n: 0)
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    stop = Stop(0, 0.0, cancelled)
    search = search_for(GAME, state)
    search.think(state.position, 0, stop)
    assert stop.ended
    assert stop.nodes < 3000
    assert search.ranking()[0][0] in state.legal()


def test_a_depth_is_kept() -> None:
    state = GAME.start(lambda n: 0)
    search = search_for(GAME, state, depth=4)
    search.think(state.position, 0, Stop(0))
    assert search.reached == 4


def test_near_the_best_the_values_at_the_root_are_those_of_an_open_search() -> None:
    for state in states(GAME, 4, 6):
        narrow, wide = search_for(GAME, state, 5, 500), search_for(GAME, state, 5, 100000)
        narrow.think(state.position, state.turn, Stop(0))
        wide.think(state.position, state.turn, Stop(0))
        assert narrow.ranking()[0][1] == pytest.approx(wide.ranking()[0][1], abs=0.1)


def test_a_third_time_is_seen_as_the_draw_it_is() -> None:
    """5.3: the same start of a turn for the third time ends the game, though the table knows the board from before."""
    state = GAME.load("w6/7/7/3r3/7/7/5bb w 0 6 - -")
    for token in ("a7b7", "g1g2", "b7a7", "g2g1") * 2:
        if token == "g2g1" and state.previous and sum(GAME.dump(one) == GAME.dump(state) for one in state.path()) == 2:
            break
        state = state.play(GAME.parse(token))
    back = GAME.parse("g2g1")
    assert GAME.notate(back) in {GAME.notate(action) for action in state.legal()}
    search = search_for(GAME, state, 3, 100000)
    search.think(state.position, state.turn, Stop(0))
    assert dict(search.ranking())[back] == 0.5


def test_a_chance_is_even_at_nothing_and_certain_at_a_win() -> None:
    assert chance(0) == 0.5
    assert chance(99990) == 1.0
    assert chance(-99990) == 0.0
    assert chance(1000) == pytest.approx(0.7311, abs=0.0001)


def test_the_thinker_is_made_by_its_name() -> None:
    state = GAME.start(lambda n: 0)
    assert GAME.kind.mind.search is make_search
    search = make_search(GAME, GAME.kind.mind.judgement(GAME), state.position, 3, 1)
    search.think(state.position, 0, Stop(500))
    assert search.ranking()[0][0] in state.legal()


def answers() -> Iterator[str]:
    """Give what the modules that Python finds answer, for every option value."""
    for seed, game in enumerate(variants(kind("traboulet"))):
        search = search_for(game, game.start(lambda n: 0))
        for state in states(game, 2, seed):
            stop = Stop(300)
            search.think(state.position, state.turn, stop)
            yield f"{state!r} {search.ranking()} {search.line()} {stop.nodes}"


@pytest.mark.skipif(not COMPILED, reason="the modules at hand are the plain ones")
def test_compiled_and_plain_think_the_same(tmp_path: Path) -> None:
    shutil.copytree(Path(tablee.__file__).parent, tmp_path / "tablee", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    printed = subprocess.run([sys.executable, __file__], env=environment, check=True, capture_output=True, text=True).stdout.splitlines()
    assert printed == ["plain", *answers()]


if __name__ == "__main__":
    print("compiled" if COMPILED else "plain")
    for line in answers():
        print(line)
