"""A game brings its own mind: its search, judgement, levels and training; a game that brings none is played by playouts."""

from dataclasses import replace

import pytest
from mypy_extensions import i64

from tablee import Player, Stop, analyse
from tablee.core.errors import TableeError, UnknownName
from tablee.core.game import Game, choose
from tablee.core.judgement import Judgement
from tablee.core.kind import Kind
from tablee.core.mind import Mind, Training, make_levels
from tablee.core.position import listed
from tablee.core.search import Budget, Search
from tablee.players.levels import ANY_GAME, levels
from tablee.players.mcts import MonteCarlo
from tablee.players.searches import make_search
from tests.players.toys import MOST, Heap, toy_kind


class Prices(Judgement[Heap]):
    """A judgement that reads one number from its weights: what a multiple of four is worth to the seat to play."""

    def __init__(self, price: float) -> None:
        """Judge by that number."""
        self.price = price

    def value(self, position: Heap, seat: i64) -> float:
        """Return the price for the seat that must play from a multiple of four, and the rest for the other."""
        here = self.price if position.left % 4 == 0 else 1 - self.price
        return here if seat == position.now else 1 - here


class OneAhead(Search[Heap]):
    """Looks one action ahead, and notes how it was made."""

    def __init__(self, judgement: Prices, depth: int, seed: int) -> None:
        """Judge with that judgement."""
        self.judgement = judgement
        self.made = (depth, seed)
        self.found: list[tuple[int, float]] = []

    def think(self, position: Heap, seat: i64, stop: Budget) -> None:
        """Judge every action but the first, which is left out on purpose."""
        self.found = []
        for action in listed(position, seat, MOST)[1:]:
            after = position.copy()
            after.play(action)
            self.found.append((action, self.judgement.value(after, seat)))
            stop.hit(1)
        self.found.sort(key=lambda entry: -entry[1])

    def ranking(self) -> list[tuple[int, float]]:
        """Return what was judged."""
        return self.found

    def expectation(self, seat: i64) -> float:
        """Return what the best action brings, or what it leaves."""
        return self.found[0][1] if seat == 0 else 1 - self.found[0][1]


def search(game: Game, judgement: Prices, like: Heap, depth: int, seed: int) -> OneAhead:
    """Return the search of the heap."""
    return OneAhead(judgement, depth, seed)


def judge(game: Game, text: str) -> Prices:
    """Return the judgement of a text of weights, or the right one for none."""
    return Prices(float(text or 0.1))


MIND: Mind[Heap, Prices] = Mind(search, judge, levels=make_levels((5, 1, 0.2), (7, 3, 0.0)))


def heaps(mind: Mind[Heap, Prices] = MIND) -> Kind:
    """Return the heap as a game with its own mind."""
    return toy_kind("heap", lambda game, setup: Heap(game.seats, 6), MOST, mind)


def test_a_game_is_played_by_its_own_search_at_its_own_levels() -> None:
    game = choose(heaps(), 2)
    state = game.start(lambda n: 0)
    player = Player(game, "level2", 1)
    choice = player.decide(state)
    assert choice.action == 1
    assert choice.nodes == 2
    assert isinstance(player.search, OneAhead)
    assert player.search.made[0] == 3
    assert [level.name for level in levels(game.kind)] == ["level1", "level2", "max"]
    with pytest.raises(UnknownName, match="known are level1, level2, max"):
        Player(game, "level3")


def test_a_game_without_a_mind_is_played_by_playouts_at_the_usual_levels() -> None:
    game = choose(heaps(Mind()), 2)
    assert isinstance(make_search(game, Heap(2, 6), 1, 1), MonteCarlo)
    assert levels(game.kind) == ANY_GAME


def test_an_analysis_says_how_many_actions_the_search_left_out() -> None:
    state = choose(heaps(), 2).start(lambda n: 0)
    found = analyse(state, Stop(100))
    assert (len(found.actions), found.left_out) == (2, 1)
    assert found.best == 1
    assert found.expectation == pytest.approx((0.9, 0.1))


def test_a_judgement_can_be_tried_in_place_of_the_one_that_ships(monkeypatch: pytest.MonkeyPatch) -> None:
    game = choose(heaps(replace(MIND, weights="weights.txt")), 2)
    monkeypatch.setattr(Kind, "text", lambda kind, name: {"weights.txt": "0.9"}[name])
    assert game.kind.mind.judgement(game).price == 0.9
    assert Player(game, "max").choose(game.start(lambda n: 0)) == 2


@pytest.mark.parametrize("rows", [(), ((0, 1, 0.0),), ((0, 1, 0.0), (5, 1, 0.0)), ((5, 1, 0.0), (0, 1, 0.0), (0, 2, 0.0)), ((5, 1, 0.0),) * 9])
def test_a_table_that_is_none_of_levels_is_refused(rows: tuple[tuple[int, int, float], ...]) -> None:
    with pytest.raises(TableeError, match="expected 1 to 8 with nodes, then at most one without"):
        make_levels(*rows)


def test_a_training_without_a_file_to_write_is_refused() -> None:
    with pytest.raises(TableeError, match="must name its weights file"):
        Mind(training=lambda: Training(lambda game, seconds, seed, report: ""))
