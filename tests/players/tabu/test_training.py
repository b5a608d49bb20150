"""How Tabu's players learn: from the exact chances of two seats, by games against themselves where there are more."""

import pytest

from tablee import catalog
from tablee.core.judgement import Judgement
from tablee.games.tabu.duel import Duel
from tablee.games.tabu.judgement import SEEN, TabuJudgement, judge, section
from tablee.games.tabu.position import TabuPosition
from tablee.games.tabu.training import MONEY, configurations, fitted, train, untrained

KIND = catalog.kind("tabu")


def weights(text: str) -> list[float]:
    """Return the numbers of a section."""
    return [float(word) for line in text.splitlines()[2:] for word in line.split()]


def test_what_has_not_learned_comes_near_the_exact_chances_of_two() -> None:
    game = catalog.game("tabu", 2)
    position = game.kind.start(game, {"banker": "1"})
    assert isinstance(position, TabuPosition)
    position.rounds = 8
    judgement, duel = TabuJudgement(fitted(game), position), Duel(position, MONEY)
    for turns, hand in ((8, 30), (8, 60), (8, 100), (4, 50), (4, 90)):
        position.arrange(0, [MONEY - hand, hand], [8 - (turns + 1) // 2, 8 - turns // 2], 0)
        assert judgement.learned(position, 1) == pytest.approx(duel.chance(turns, hand), abs=0.1)


def test_two_seats_need_no_games_and_three_learn_by_them() -> None:
    two, three = catalog.game("tabu", 2), catalog.game("tabu", 3)
    assert train(two, 0.5, 1, print) == untrained(two)
    before, after = untrained(three), train(three, 0.5, 1, print)
    assert before.splitlines()[0] == after.splitlines()[0] == section(three)
    assert len(weights(after)) == len(weights(before)) == SEEN
    assert weights(after) != weights(before)
    assert isinstance(judge(three, after), Judgement)


def test_what_ships_has_every_configuration_its_date_and_its_gain() -> None:
    text = KIND.text("weights.txt")
    assert text.startswith("# 20")
    for game in configurations(KIND):
        assert section(game) in text.splitlines()
    gains = [line for line in text.splitlines() if "against the untrained judgement" in line]
    assert len(gains) == len(configurations(KIND))
