"""A search stops when it must, and never sooner."""

from time import monotonic, sleep

import pytest

from tablee.players.stop import Stop


@pytest.mark.parametrize("most", [1, 2, 3, 255, 256, 257, 100_000])
def test_so_many_nodes_are_counted_exactly(most: int) -> None:
    stop = Stop(most)
    counted = 1
    while not stop.hit(1):
        counted += 1
    assert counted == most == stop.nodes
    assert stop.ended
    assert stop.hit(1)


def test_whoever_cancels_is_heard() -> None:
    asked: list[int] = []

    def cancelled() -> bool:
        asked.append(1)
        return len(asked) > 3

    stop = Stop(cancelled=cancelled)
    while not stop.hit(1):
        assert stop.nodes < 10_000_000
    assert len(asked) == 4


def test_a_deadline_ends_fast_nodes_and_slow_ones_alike() -> None:
    for pause in (0.0, 0.004):
        late = []
        for _ in range(3):
            stop = Stop(0, 0.05)
            while not stop.hit(1):
                sleep(pause)
            late.append(monotonic() - stop.deadline)
        assert 0 <= min(late) < 0.02


def test_nodes_and_seconds_may_both_end_it() -> None:
    few = Stop(10, 60.0)
    while not few.hit(1):
        pass
    assert few.nodes == 10
    short = Stop(1 << 50, 0.01)
    while not short.hit(1):
        pass
    assert short.nodes < 1 << 50
