"""Ratings recover known strengths; intervals hold what they promise."""

from itertools import combinations
from math import sqrt
from random import Random
from statistics import fmean

import pytest

from tablee.arena.ratings import Meeting, likeness, points, rate, ratings, solve

STRENGTHS = (-300.0, -100.0, 0.0, 120.0, 280.0)


def played(random: Random, games: int, draws: float = 0.0) -> list[Meeting]:
    """Return what players of known strengths would win of each other."""
    found = []
    for first, second in combinations(range(len(STRENGTHS)), 2):
        chance = 1 / (1 + 10 ** ((STRENGTHS[second] - STRENGTHS[first]) / 400))
        results = [0.5 if random.random() < draws else float(random.random() < chance) for _ in range(games)]
        found.append(Meeting(first, second, tuple(fmean(results[k : k + 2]) for k in range(0, games, 2))))
    return found


def test_known_strengths_are_found_again() -> None:
    found = ratings(len(STRENGTHS), played(Random(1), 4000))
    middle = fmean(STRENGTHS)
    for rating, strength in zip(found, STRENGTHS, strict=True):
        assert abs(rating.elo - (strength - middle)) < 15
    assert sum(rating.elo for rating in found) == pytest.approx(0, abs=1e-6)


def test_the_intervals_hold_the_truth_nineteen_times_in_twenty() -> None:
    random = Random(2)
    middle = fmean(STRENGTHS)
    inside = total = 0
    for _ in range(120):
        for rating, strength in zip(ratings(len(STRENGTHS), played(random, 100)), STRENGTHS, strict=True):
            inside += abs(rating.elo - (strength - middle)) <= rating.margin
            total += 1
    assert 0.91 < inside / total < 0.985


def test_more_games_tell_more() -> None:
    few, many = (ratings(len(STRENGTHS), played(Random(3), games)) for games in (100, 1600))
    for narrow, wide in zip(many, few, strict=True):
        assert narrow.margin < wide.margin / 3


def test_two_players_differ_by_the_points_of_what_was_won() -> None:
    first, second = ratings(2, [Meeting(0, 1, (1.0,) * 150 + (0.0,) * 50)])
    assert first.elo - second.elo == pytest.approx(points(0.75), rel=0.01)


def test_who_won_everything_has_a_rating_all_the_same() -> None:
    first, second = ratings(2, [Meeting(0, 1, (1.0,) * 20)])
    assert 300 < first.elo - second.elo < 2000
    assert first.margin > 50


def test_players_who_never_met_are_compared_through_others() -> None:
    found = ratings(3, [Meeting(0, 1, (1.0, 0.5, 0.5, 1.0) * 25), Meeting(1, 2, (1.0, 0.5, 0.5, 1.0) * 25)])
    assert found[0].elo > found[1].elo > found[2].elo
    assert found[0].elo - found[2].elo == pytest.approx(2 * points(0.75), rel=0.02)


def test_a_rate_is_wilsons_interval_where_games_are_independent() -> None:
    found = rate([1.0] * 8, 1)
    assert (found.value, found.number) == (1.0, 8)
    assert found.low == pytest.approx(0.6756, abs=0.001)
    assert found.high == 1.0


def test_rates_hold_the_truth_nineteen_times_in_twenty() -> None:
    random = Random(4)
    for chance in (0.5, 0.9):
        inside = 0
        for _ in range(400):
            found = rate([(random.random() < chance) / 2 + (random.random() < chance) / 2 for _ in range(50)], 2)
            inside += found.low <= chance <= found.high
        assert 0.92 < inside / 400 < 0.985


def test_pairs_in_which_luck_cancels_tell_more_and_equal_pairs_less() -> None:
    cancelled, independent, alike = [0.5] * 90 + [1.0] * 10, [0.0, 0.5, 0.5, 1.0] * 25, [0.0, 1.0] * 50
    assert likeness(cancelled, 2) < 0.5
    assert likeness(independent, 2) == pytest.approx(1, abs=0.05)
    assert likeness(alike, 2) == pytest.approx(2, abs=0.05)
    assert likeness([0.0, 1.0], 2) == 1.0


def test_a_system_is_solved() -> None:
    matrix = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]]
    found = solve(matrix, [1.0, 2.0, 3.0])
    for row, right in zip(matrix, (1.0, 2.0, 3.0), strict=True):
        assert sum(a * b for a, b in zip(row, found, strict=True)) == pytest.approx(right)
    assert sqrt(sum(value * value for value in found)) > 0
