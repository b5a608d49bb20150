"""The tests of every few minutes stay within their minute of processor time."""

from tests.quick import MOST_SECONDS, verdict


def test_a_quick_run_that_is_not_quick_fails() -> None:
    assert [verdict(status, seconds) for status in (0, 2) for seconds in (MOST_SECONDS, MOST_SECONDS + 1)] == [0, 1, 2, 2]
