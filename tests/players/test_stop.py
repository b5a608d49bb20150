"""A search stops when it must, and never sooner."""

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


@pytest.mark.parametrize("node_seconds", [1e-7, 1e-5, 0.001, 0.004])
def test_a_deadline_ends_fast_nodes_and_slow_ones_alike(node_seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each node takes so long by a clock of our own: the search ends after the deadline, and at most some milliseconds later."""
    clock = Clock()
    monkeypatch.setattr("tablee.players.stop.monotonic", clock)
    stop = Stop(0, 0.05)
    while not stop.hit(1):
        clock.now += node_seconds
    assert 0 <= clock.now - stop.deadline < 0.01


class Clock:
    """A clock that goes on only when it is told to."""

    now = 1000.0

    def __call__(self) -> float:
        """Return what time it is."""
        return self.now


def test_nodes_and_seconds_may_both_end_it() -> None:
    few = Stop(10, 60.0)
    while not few.hit(1):
        pass
    assert few.nodes == 10
    short = Stop(1 << 50, 0.01)
    while not short.hit(1):
        pass
    assert short.nodes < 1 << 50
