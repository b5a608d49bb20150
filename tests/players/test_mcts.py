"""The search for any game finds what everybody knows: in heaps, over throws, among three, in teams, and together."""

from random import Random

import pytest

from tablee import catalog
from tablee.catalog import OURS
from tablee.core.position import OVER
from tablee.core.state import Decision
from tablee.players.analysis import analyse
from tablee.players.mcts import MonteCarlo
from tablee.players.stop import Stop
from tests.material import wander
from tests.players.toys import Coin, Heap, TicTacToe, toy


def think(position: Heap | Coin | TicTacToe, nodes: int = 3000, seed: int = 1, seat: int = 0, size: int = 12) -> MonteCarlo:
    """Return a search that has thought."""
    search = MonteCarlo(position, size, seed, merge=True)
    search.think(position, seat, Stop(nodes))
    return search


@pytest.mark.parametrize("left", [n for n in range(2, 14) if n % 4])
def test_a_heap_is_left_as_a_multiple_of_four(left: int) -> None:
    search = think(Heap(2, left))
    assert search.ranking()[0][0] == left % 4 - 1
    assert search.expectation(0) > 0.7
    assert abs(search.expectation(0) + search.expectation(1) - 1) < 1e-9


def test_a_lost_heap_is_known_to_be_lost() -> None:
    assert think(Heap(2, 4)).expectation(0) < 0.1


def test_the_expected_line_is_played_by_both() -> None:
    assert think(Heap(2, 5)).line()[0] == 0
    heap = Heap(2, 6)
    for action in think(heap).line():
        heap.play(action)
    assert heap.actor() == OVER
    assert heap.last() == 0


def test_a_throw_is_weighed_by_its_odds() -> None:
    search = think(Coin())
    assert search.ranking()[0][0] == 4
    assert search.expectation(0) == pytest.approx(5 / 6, abs=0.03)
    assert search.line() == [4]


def test_what_follows_from_the_rules_alone_is_proven_and_ends_the_search() -> None:
    """Heaps that are won or lost within a few actions, and a throw, have their exact value long before the budget ends."""
    for left in range(2, 12):
        search, stop = MonteCarlo(Heap(2, left), 12, 1, merge=left % 2 == 0), Stop(20000)
        search.think(Heap(2, left), 0, stop)
        assert search.expectation(0) == (1.0 if left % 4 else 0.0)
        assert search.expectation(1) == 1.0 - search.expectation(0)
        assert stop.nodes < 20000
    assert think(Coin()).expectation(0) == pytest.approx(5 / 6, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_draw_of_tic_tac_toe_is_known_at_the_first_move(seed: int) -> None:
    game = toy("noughts", lambda game, setup: TicTacToe(), 9)
    found = analyse(game.start(lambda n: 0), Stop(4000), seed=seed)
    assert found.expectation == (0.5, 0.5)
    assert {value for _, value in found.actions} == {0.5}


def test_a_proven_answer_is_told_from_one_that_loses() -> None:
    """Cells 0 and 8 against 4: any side draws, both other corners lose, and the one who meets such a corner wins."""
    board = TicTacToe()
    for cell in (0, 4, 8):
        board.play(cell)
    search = think(board, 4000, seat=1)
    values = dict(search.ranking())
    assert [values[cell] for cell in (1, 3, 5, 7)] == [0.5] * 4
    assert (search.expectation(0), search.expectation(1)) == (0.5, 0.5)
    assert all(values.get(cell, 0.0) < 0.5 for cell in (2, 6))
    board.play(2)
    assert think(board, 4000).ranking()[0][1] == 1.0


def test_a_proven_action_is_taken_before_a_more_tried_one_that_is_worse() -> None:
    """What is proven and what is only tried stand in one order, by value."""
    for nodes in (10, 30, 100):
        for seed in range(5):
            values = [value for _, value in think(Heap(3, 9), nodes, seed).ranking()]
            assert values == sorted(values, reverse=True)


def test_orders_of_the_same_actions_meet_in_one_node() -> None:
    """A heap has far fewer sizes than sequences of actions that lead to them."""
    apart, together = (MonteCarlo(Heap(2, 25), 12, 1, merge=merge) for merge in (False, True))
    for search in (apart, together):
        search.think(Heap(2, 25), 0, Stop(3000))
    assert 4 * together.nodes < apart.nodes


def test_among_three_each_plays_for_itself() -> None:
    """With four left, whoever acts first of three cannot win at once; with three it can."""
    assert think(Heap(3, 3)).ranking()[0][0] == 2
    search = think(Heap(3, 5))
    assert sum(search.expectation(seat) for seat in range(3)) == pytest.approx(1)
    assert search.expectation(1) + search.expectation(2) > 0.8


def test_partners_let_each_other_win() -> None:
    """Seats 0 and 2 win together: with five left of four seats, what seat 1 must not be given is one to three."""
    search = think(Heap(4, 5, teams=True))
    assert search.ranking()[0][0] == 0
    assert search.expectation(0) == pytest.approx(search.expectation(2))
    assert search.expectation(0) > 0.7
    assert search.expectation(0) + search.expectation(1) == pytest.approx(1)


def test_together_all_expect_the_same() -> None:
    """Seat 0 must take the last: of three seats with six left, it takes such that both others can leave it some."""
    search = think(Heap(3, 6, together=True))
    assert search.expectation(0) == search.expectation(1) == search.expectation(2)
    assert search.expectation(0) > 0.95


def test_the_same_seed_thinks_the_same() -> None:
    one, same, other = (think(Heap(2, 21), nodes=20, seed=seed) for seed in (1, 1, 2))
    assert one.ranking() == same.ranking()
    assert one.ranking() != other.ranking()


def test_a_search_that_thinks_again_forgets_what_it_saw() -> None:
    heap = Heap(2, 30)
    search = think(heap)
    first = search.ranking()
    heap.left = 3
    search.think(heap, 0, Stop(500))
    assert search.ranking()[0] == (2, 1.0)
    assert first != search.ranking()


def test_values_fall_along_the_ranking() -> None:
    for seed in range(5):
        values = [value for _, value in think(Heap(2, 15), 200, seed).ranking()]
        assert values == sorted(values, reverse=True)


def test_a_full_tree_goes_on_with_playouts() -> None:
    search = MonteCarlo(Heap(2, 21), 12, 1)
    search.room = 4000
    search.think(Heap(2, 21), 0, Stop(2000))
    assert 10 < search.nodes < 40
    assert search.edges < 100
    assert sum(search.tries[k] for k in range(3)) == 2000


@pytest.mark.parametrize("slug", OURS)
def test_every_game_can_be_thought_about_by_any_seat_that_acts(slug: str) -> None:
    random = Random(slug)
    for seats in catalog.kind(slug).seats:
        game = catalog.game(slug, seats)
        for _ in range(5):
            state = wander(game.start(random.randrange), random, random.randrange(60))
            if not isinstance(state.node, Decision):
                continue
            seat = random.choice(state.node.seats)
            search = MonteCarlo(state.position, game.action_count, 1)
            search.think(state.position, seat, Stop(60))
            assert {action for action, _ in search.ranking()} <= set(state.legal(seat))
            assert all(-1e-9 <= search.expectation(one) <= 1 + 1e-9 for one in range(seats))
            here = state.play(search.line()[0])
            for action in search.line()[1:]:
                here = here.play(action)
