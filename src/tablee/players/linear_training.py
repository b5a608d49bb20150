"""Training of a linear judgement by self-play with temporal differences, TD(lambda), and Adagrad steps."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tablee.players.adagrad import adagrad_step
from tablee.players.stop import Stop


class Row(NamedTuple):
    """One position of a game: by seat, its features and the share of the win that it expects; a seat that is out has neither."""

    features: Mapping[int, list[float]]
    expected: Mapping[int, float]


@dataclass(frozen=True)
class LinearCourse:
    """How long to train, the learning rate, lambda (how far back a result counts), and after how many games to report."""

    seconds: float
    rate: float
    trace: float
    report_every: int


def train_linear(
    play: Callable[[list[float]], tuple[list[Row], list[float]]], weights: list[float], course: LinearCourse, name: str, report: Callable[[str], None]
) -> int:
    """Train the weights in place and return how many games were played; `play(weights)` plays one and returns its rows and every seat's share."""
    squares = [1.0] * len(weights)
    clock = Stop()
    games = 0
    while clock.spent() < course.seconds:
        rows, shares = play(weights)
        teach(rows, shares, weights, squares, course)
        games += 1
        if games % course.report_every == 0:
            report(f"{name}: {games} games, {clock.spent():.0f} s")
    return games


def teach(rows: list[Row], shares: list[float], weights: list[float], squares: list[float], course: LinearCourse) -> None:
    """Move the weights towards the TD(lambda) target of each row, from the last one back."""
    later = shares
    for row in reversed(rows):
        gradient = [0.0] * len(weights)
        for seat, features in row.features.items():
            error = later[seat] - row.expected[seat]
            for k, feature in enumerate(features):
                gradient[k] += error * feature
        adagrad_step(gradient, weights, squares, course.rate)
        later = [course.trace * target + (1.0 - course.trace) * row.expected.get(seat, 0.0) for seat, target in enumerate(later)]
