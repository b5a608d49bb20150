"""Two dice of which one is used: looked at number by number, they are worth what all 36 cases are."""

from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import tablee
from tablee.core.judgement import Judgement, share
from tablee.core.position import OVER, Position
from tablee.core.state import Chance
from tablee.games.tabaijana.mind import MIND
from tablee.games.tabaijana.position import ACTION_COUNT, TabaijanaPosition
from tablee.players.expectimax import Expectimax
from tablee.players.stop import Stop
from tests.players.tabaijana.test_judgement import rests

EVERY_COLOUR = 0b111110
BUFFER = vec[i64]([0] * ACTION_COUNT)


def after(position: Position, action: int) -> Position:
    """Return the position after an action or a throw."""
    twin = position.copy()
    twin.play(action)
    return twin


def actions(position: Position) -> list[int]:
    """Return what the acting seat may do."""
    return [int(BUFFER[k]) for k in range(position.actions(position.actor(), BUFFER))]


def worth(judged: Judgement, position: Position) -> float:
    """Return what a position at rest looks worth, or how it has ended."""
    return share(position, 0) if position.actor() == OVER else judged.value(position, 0)


def plain(judged: Judgement, position: Position) -> tuple[float, bool]:
    """Return the mean over all cases of the best that can be done, and whether some numbers, not all, allow nothing."""
    total, idle, cases = 0.0, 0, int(position.chances())
    for case in range(cases):
        thrown = after(position, int(position.throw(case)))
        idle += thrown.actor() < 0
        total += worth(judged, thrown) if thrown.actor() < 0 else max(worth(judged, after(thrown, action)) for action in actions(thrown))
    return total / cases, 0 < idle < cases


@pytest.mark.parametrize("name", ["famille", "enfants"])
def test_two_dice_are_worth_the_mean_over_all_cases(name: str) -> None:
    random = Random(4)
    game = tablee.game("tabaijana", seats=3, game=name)
    judged: Judgement = MIND.judgement(game)
    seen = partly_idle = 0
    lines = [line for seed in range(8) for line, _ in rests(game, seed)]
    for line in random.sample(lines, 100):
        position = game.load(line).position
        assert isinstance(position, TabaijanaPosition)
        position.three |= EVERY_COLOUR
        position.play(position.throw(random.randrange(36)))
        if position.actor() < 0:
            continue
        search = Expectimax(judged, position, game.action_count, 1)
        search.think(position, position.actor(), Stop())
        for action, value in search.ranking():
            child = after(position, action)
            if child.actor() != OVER:
                assert child.chances() == 36
                wanted, idle = plain(judged, child)
                assert value == pytest.approx(wanted, abs=1e-12)
                partly_idle += idle
                seen += 1
    assert seen > 300
    assert partly_idle or name == "enfants"


def test_one_die_offers_no_choice() -> None:
    game = tablee.game("tabaijana", seats=3)
    state = game.start(Random(1).randrange)
    assert isinstance(state.node, Chance)
    judged: Judgement = MIND.judgement(game)
    assert judged.doublets(state.position, vec[i64]([0] * 36)) == 0
