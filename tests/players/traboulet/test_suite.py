"""Positions of Traboulet whose best action an exhaustive search has found: `max` finds it too, and no level gives a gift."""

from pathlib import Path
from random import Random

import pytest

import tablee
from tablee import Player
from tablee.core.position import OVER
from tablee.core.state import State
from tablee.games.traboulet.mind import MIND
from tablee.players.alphabeta import LEVEL_SLOTS, AlphaBeta
from tablee.players.stop import Stop
from tests.players.traboulet.make_suite import EACH, after, legal, wins

GAME = tablee.game("traboulet")
SUITE = [line.split(" | ") for line in (Path(__file__).parent / "suite.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
NODES = 300000
HORIZON = {"wins at once": 1, "wins in 2 or 3 actions": 3}
OPEN = 200000


@pytest.fixture(scope="module")
def strongest() -> Player:
    """The player that has to solve them all."""
    return Player(GAME, "max")


def test_the_suite_is_large_and_fair() -> None:
    assert len({line for line, _, _ in SUITE}) >= 20
    assert {why for _, _, why in SUITE} == set(EACH)
    assert all(len(GAME.load(line).legal()) >= 2 + len(best.split()) for line, best, _ in SUITE)


@pytest.mark.parametrize(("line", "best", "why"), SUITE)
def test_max_finds_the_known_best_action(strongest: Player, line: str, best: str, why: str) -> None:
    assert GAME.notate(strongest.choose(GAME.load(line), nodes=NODES)) in best.split(), why


@pytest.mark.parametrize(("line", "best", "why"), [row for row in SUITE if row[2] in HORIZON])
def test_the_suite_is_right(line: str, best: str, why: str) -> None:
    position = GAME.load(line).position
    seat, horizon = int(position.actor()), HORIZON[why]
    found = [action for action in legal(position) if wins(after(position, action), seat, horizon - 1)]
    assert [GAME.notate(action) for action in found] == best.split()
    if horizon > 1:
        assert not wins(position, seat, 1)


@pytest.mark.parametrize("level", range(1, len(MIND.levels)))
def test_every_level_takes_a_win_at_once(level: int) -> None:
    player = Player(GAME, level, 1)
    for line, best, why in SUITE:
        if why == "wins at once":
            assert {GAME.notate(player.choose(GAME.load(line))) for _ in range(4)} <= set(best.split())


def plums(number: int) -> list[tuple[str, set[int]]]:
    """Return positions on the way of random games where a capture is clearly best, by a look at 1 and at 3 actions; with the captures."""
    random = Random(8)
    start = GAME.start(random.randrange)
    looks = [AlphaBeta(MIND.judgement(GAME), start.position, GAME.action_count, depth, OPEN, LEVEL_SLOTS) for depth in (1, 3)]
    found: list[tuple[str, set[int]]] = []
    while len(found) < number:
        state = start
        for _ in range(random.randrange(8, 60)):
            if state.position.actor() != OVER:
                state = state.play(random.choice(state.legal()))
        captures = {action for action in state.legal() if looks[0].judgement.urgency(state.position, action) > 0}
        if captures and captures < set(state.legal()) and all(advantage(look, state, captures) > 0.2 for look in looks):
            found.append((GAME.dump(state), captures))
    return found


def advantage(look: AlphaBeta, state: State, captures: set[int]) -> float:
    """Return by how much the best capture is better than the best other action."""
    look.think(state.position, state.turn, Stop(0))
    values = dict(look.ranking())
    return max(values[action] for action in captures) - max(value for action, value in values.items() if action not in captures)


def test_from_level_3_on_no_capture_in_one_is_missed() -> None:
    players = [Player(GAME, level, level) for level in range(3, len(MIND.levels))]
    for line, captures in plums(12):
        for player in players:
            assert player.choose(GAME.load(line)) in captures, f"{player.name.text} in {line}"
