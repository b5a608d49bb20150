"""Training of a linear judgement: the weights move towards the result, and earlier rows are taught what later ones expected."""

from math import sqrt

import pytest

from tablee.players.linear_training import LinearCourse, Row, teach, train_linear

COURSE = LinearCourse(seconds=0.0, rate=0.5, trace=0.5, report_every=1)


def test_one_row_moves_the_weights_by_an_adagrad_step() -> None:
    weights, squares = [0.0, 0.0], [1.0, 1.0]
    teach([Row({0: [1.0, 0.0], 1: [0.0, 2.0]}, {0: 0.5, 1: 0.5})], [1.0, 0.0], weights, squares, COURSE)
    assert squares == [1.25, 2.0]
    assert weights == pytest.approx([0.5 * 0.5 / sqrt(1.25), 0.5 * -1.0 / sqrt(2.0)])


def test_an_earlier_row_is_taught_the_mean_of_the_result_and_of_the_later_expectation() -> None:
    early, late = Row({0: [1.0, 0.0]}, {0: 0.5}), Row({0: [0.0, 1.0]}, {0: 0.5})
    weights, squares = [0.0, 0.0], [1.0, 1.0]
    teach([early, late], [1.0], weights, squares, COURSE)
    assert squares == [1.0 + 0.25**2, 1.25]  # errors of 0.75 - 0.5 and of 1 - 0.5


def test_a_seat_that_is_out_teaches_nothing_and_expects_nothing() -> None:
    weights, squares = [0.0, 0.0], [1.0, 1.0]
    both, alone = Row({0: [1.0, 0.0], 1: [0.0, 1.0]}, {0: 0.5, 1: 0.5}), Row({0: [0.0, 0.0]}, {0: 1.0})
    teach([both, alone], [1.0, 0.0], weights, squares, COURSE)
    assert squares == [1.25, 1.25]  # seat 1 expected 0.5 and got nothing


def test_no_time_is_no_game() -> None:
    assert train_linear(lambda weights: pytest.fail("a game was played"), [0.0], COURSE, "x", print) == 0
