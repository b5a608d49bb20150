"""What a strong player thinks of a state: complete, anytime, cancellable."""

import asyncio
from itertools import count
from random import Random
from threading import Thread

import pytest

import tablee
from tablee import Stop, catalog
from tablee.catalog import OURS
from tablee.core.errors import TableeError
from tablee.core.state import Chance, Decision, Over, State
from tests.material import wander
from tests.players.toys import heap

games = pytest.mark.parametrize("slug", OURS)


def first(slug: str, node: type[Decision | Chance | Over]) -> State | None:
    """Return a state of that kind from a random game, if the game has one."""
    random = Random(4)
    end = wander(catalog.game(slug).start(random.randrange), random, 100_000)
    return next((state for state in end.path() if isinstance(state.node, node)), None)


@games
def test_a_decision_has_best_actions_a_line_and_an_expectation_for_every_seat(slug: str) -> None:
    state = first(slug, Decision)
    assert state is not None
    assert isinstance(state.node, Decision)
    found = tablee.analyse(state, Stop(300))
    assert found.seat == state.node.seats[0]
    assert {action for action, _ in found.actions} <= set(state.legal(found.seat))
    assert len(found.actions) + found.left_out == len(state.legal(found.seat))
    assert found.best == found.actions[0][0] == found.line[0]
    assert len(found.expectation) == state.game.seats
    assert all(0 <= value <= 1 for value in found.expectation)
    values = [value for _, value in found.actions]
    assert values == sorted(values, reverse=True)
    for action in found.line:
        state = state.play(action)


@games
def test_before_a_throw_the_expectation_is_the_mean(slug: str) -> None:
    state = first(slug, Chance)
    if state is None:
        pytest.skip("nothing is thrown in this game")
    found = tablee.analyse(state, Stop(2000))
    assert (found.seat, found.actions, found.line) == (None, (), ())
    assert all(0 <= value <= 1 for value in found.expectation)
    with pytest.raises(TableeError, match="nothing to choose"):
        _ = found.best


@games
def test_a_finished_game_is_its_result(slug: str) -> None:
    state = first(slug, Over)
    assert state is not None
    assert isinstance(state.node, Over)
    found = tablee.analyse(state)
    assert {seat for seat, value in enumerate(found.expectation) if value > 0} == set(state.node.winners)


def test_it_stops_when_cancelled_and_has_an_answer() -> None:
    state = catalog.game("traboulet").start(lambda n: 0)
    asked = count()
    found = tablee.analyse(state, Stop(cancelled=lambda: next(asked) == 5))
    assert found.best in state.legal()
    assert next(asked) == 6  # nobody asks again
    at_once = tablee.analyse(state, Stop(cancelled=lambda: True))
    assert at_once.best in state.legal()


def test_a_budget_without_end_or_time_is_refused() -> None:
    state = catalog.game("traboulet").start(lambda n: 0)
    with pytest.raises(TableeError, match="has no end"):
        tablee.analyse(state, Stop())
    for seconds in (0.0, -1.0, float("inf"), float("nan")):
        with pytest.raises(TableeError, match="no time to think"):
            tablee.analyse(state, seconds)


def test_it_knows_a_heap() -> None:
    game = heap(7)
    found = tablee.analyse(game.start(lambda n: 0), Stop(2000))
    assert found.best == 2
    assert found.expectation[0] > 0.9


@games
@pytest.mark.parametrize("budget", [(0, 100.0), (50_000_000, 0.0)], ids=["seconds", "nodes"])
def test_other_threads_run_while_it_thinks(slug: str, budget: tuple[int, float]) -> None:
    state = first(slug, Decision)
    stop = Stop(*budget)
    thread = Thread(target=tablee.analyse, args=(state, stop))
    thread.start()
    seen: set[int] = set()
    while thread.is_alive() and len(seen) < 4:
        nodes = int(stop.nodes)
        seen |= {nodes} if nodes > 1000 else set()
    stop.end()
    thread.join()
    assert len(seen) == 4  # one that is kept waiting sees the count before and after, and nothing between


def test_it_runs_beside_an_event_loop() -> None:
    async def both() -> tuple[int, tablee.Analysis]:
        stop, turns = Stop(0, 100.0), 0
        thinking = asyncio.create_task(asyncio.to_thread(tablee.analyse, catalog.game("traboulet").start(), stop))
        while turns < 20 and not thinking.done():
            before = int(stop.nodes)
            await asyncio.sleep(0)
            turns += 0 < before < int(stop.nodes)
        stop.end()
        return turns, await thinking

    turns, found = asyncio.run(both())
    assert turns == 20
    assert found.best in catalog.game("traboulet").start().legal()
