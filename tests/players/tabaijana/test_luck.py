"""The benchmark that takes luck out of won games: luck must be nothing on average, or it would take something else out."""

from statistics import pstdev

import pytest

import tablee
from bench.luck import Valuation, voyage
from tablee.games.tabaijana.position import TabaijanaPosition
from tests.players.tabaijana.test_judgement import rests


def test_luck_is_nothing_on_average_over_all_throws_and_something_in_one() -> None:
    game = tablee.game("tabaijana", seats=3)
    dice = set()
    lively = 0
    for line, _ in rests(game, 3)[:12] + rests(game, 5)[:12]:
        position = game.load(line).position
        assert isinstance(position, TabaijanaPosition)
        for three in (0, 0b111110):
            position.three = three
            valuation = Valuation(game, position)
            cases = int(position.chances())
            dice.add(cases)
            lucks = [valuation.luck(position, case) for case in range(cases)]
            assert sum(lucks) == pytest.approx(0.0, abs=1e-9)
            lively += max(lucks) > 0.0 > min(lucks)
    assert dice == {6, 36}
    assert lively > 20


def test_won_games_less_their_luck_vary_less_than_won_games() -> None:
    games = [voyage(3, "enfants", "level1", f"7 {number}") for number in range(30)]
    won = [one for one, _ in games]
    fair = [one - luck for one, luck in games]
    assert games == [voyage(3, "enfants", "level1", f"7 {number}") for number in range(30)]
    assert 0.0 < sum(won) / 30 < 1.0
    assert pstdev(fair) < 0.7 * pstdev(won)
