"""Strength from results: Bradley–Terry ratings by Newton's method, and intervals for rates; a draw counts as half."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, log10, sqrt
from statistics import fmean, variance

SURE = 1.959964
ELO = 400 / log(10)
SPREAD = 2000 / ELO
FEW = 10


@dataclass(frozen=True)
class Rate:
    """A rate from 0 to 1 with its 95 % interval."""

    value: float
    low: float
    high: float
    number: int


@dataclass(frozen=True)
class Meeting:
    """What one player won of another: its part of each round (a set of games with the same throws and the seats changed)."""

    first: int
    second: int
    rounds: tuple[float, ...]
    size: int = 2

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.size * len(self.rounds)

    @property
    def rate(self) -> Rate:
        """The first player's part with its interval."""
        return rate(self.rounds, self.size)


@dataclass(frozen=True)
class Rating:
    """A player's strength in Elo points, the mean of all being 0, with half the width of its 95 % interval."""

    elo: float
    margin: float


def rate(rounds: Sequence[float], size: int) -> Rate:
    """Return the mean of rounds with Wilson's interval, for the effective number of games."""
    value = fmean(rounds)
    n = size * len(rounds) / likeness(rounds, size)
    middle = (value + SURE**2 / (2 * n)) / (1 + SURE**2 / n)
    half = SURE * sqrt(value * (1 - value) / n + SURE**2 / (4 * n * n)) / (1 + SURE**2 / n)
    return Rate(value, min(value, max(0.0, middle - half)), max(value, min(1.0, middle + half)), size * len(rounds))


def likeness(rounds: Sequence[float], size: int) -> float:
    """Return the design effect: how many games of a round carry the information of one independent game; below 1 where luck cancels."""
    value = fmean(rounds)
    if len(rounds) < FEW or not 0 < value < 1:
        return 1.0
    return min(float(size), max(0.25, variance(rounds) * size / (value * (1 - value))))


def ratings(players: int, meetings: Sequence[Meeting]) -> list[Rating]:
    """Return the rating of every player: the most likely strengths, with a wide prior that keeps them finite.

    The log-likelihood is concave, so Newton's method from zero finds its only peak; the inverse of its curvature there is
    the covariance of the strengths.
    """
    strengths = [0.0] * players
    weights = [meeting.games / likeness(meeting.rounds, meeting.size) for meeting in meetings]
    for _ in range(100):
        slope, curve = shape(strengths, meetings, weights)
        step = solve(curve, slope)
        longest = max(abs(move) for move in step)
        strengths = [strength + move * min(1.0, 2.0 / max(longest, 1e-12)) for strength, move in zip(strengths, step, strict=True)]
        if longest < 1e-9:
            break
    _, curve = shape(strengths, meetings, weights)
    covariance = [solve(curve, [float(row == column) for row in range(players)]) for column in range(players)]
    middle = fmean(strengths)
    return [Rating((strengths[k] - middle) * ELO, SURE * ELO * sqrt(max(0.0, centred(covariance, k)))) for k in range(players)]


def shape(strengths: Sequence[float], meetings: Sequence[Meeting], weights: Sequence[float]) -> tuple[list[float], list[list[float]]]:
    """Return slope and (negative) curvature of the log-likelihood."""
    n = len(strengths)
    slope = [-strength / SPREAD**2 for strength in strengths]
    curve = [[float(row == column) / SPREAD**2 for column in range(n)] for row in range(n)]
    for meeting, weight in zip(meetings, weights, strict=True):
        i, j = meeting.first, meeting.second
        expected = 1 / (1 + exp(strengths[j] - strengths[i]))
        gain = weight * (fmean(meeting.rounds) - expected)
        bend = weight * expected * (1 - expected)
        slope[i] += gain
        slope[j] -= gain
        curve[i][i] += bend
        curve[j][j] += bend
        curve[i][j] -= bend
        curve[j][i] -= bend
    return slope, curve


def centred(covariance: Sequence[Sequence[float]], player: int) -> float:
    """Return the variance of a strength above the mean of all."""
    n = len(covariance)
    return covariance[player][player] - 2 * sum(covariance[player]) / n + sum(map(sum, covariance)) / (n * n)


def solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Return the solution of a symmetric positive definite system, by elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    n = len(rows)
    for k in range(n):
        for below in range(k + 1, n):
            factor = rows[below][k] / rows[k][k]
            for column in range(k, n + 1):
                rows[below][column] -= factor * rows[k][column]
    solution = [0.0] * n
    for k in reversed(range(n)):
        solution[k] = (rows[k][n] - sum(rows[k][column] * solution[column] for column in range(k + 1, n))) / rows[k][k]
    return solution


def points(value: float) -> float:
    """Return the difference in Elo points that a share of the win stands for."""
    return 400 * log10(value / (1 - value))
