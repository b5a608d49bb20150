"""Traboulet by the sheet's letter (`ko=row`): nothing was learned of it, and the players play it sensibly all the same."""

from random import Random

import pytest

import tablee
from tablee.core.state import Over, State
from tablee.players.levels import levels
from tablee.players.player import Player

ROW = tablee.game("traboulet", ko="row")
# White needs one red. The push named leaves Black no way back, by the letter alone.
WON_BY_THE_ROW = [
    ("wrb1bbb/2w4/7/7/7/7/6r w 6 5 - -", "a7b7"),
    ("5r1/bbr1bbw/7/4b2/7/7/7 w 6 5 - -", "g6f6"),
    ("w6/r4b1/bw5/7/b6/7/w6 w 6 6 - -", "a7a6"),
    ("1wwrb1b/4w2/5r1/7/7/7/7 w 6 5 - -", "b7c7"),
]


def wins(state: State, seat: int, pushes: int) -> bool:
    """Return whether a seat wins within so many pushes, whatever the other does."""
    if isinstance(state.node, Over):
        return state.node.winners == (seat,)
    if not pushes:
        return False
    after = (wins(state.play(action), seat, pushes - 1) for action in state.legal())
    return any(after) if state.turn == seat else all(after)


def winning(game: str, line: str) -> list[str]:
    """Return the pushes that win by the next push but one."""
    state = tablee.game("traboulet", ko=game).load(line)
    return [state.game.notate(action) for action in state.legal() if wins(state.play(action), 0, 2)]


@pytest.mark.parametrize(("line", "token"), WON_BY_THE_ROW)
def test_a_strong_player_wins_by_the_ban_on_the_row(line: str, token: str) -> None:
    assert (winning("row", line), winning("reverse", line)) == ([token], [])
    assert ROW.notate(Player(ROW, "max", 1).choose(ROW.load(line), nodes=3000)) == token


@pytest.mark.parametrize("level", [level.name for level in levels(ROW.kind)])
def test_every_level_beats_random_play(level: str) -> None:
    random, state = Random(level), ROW.start(seed=1)
    player = Player(ROW, level, 1)
    while not isinstance(state.node, Over):
        state = state.play(random.choice(state.legal()) if state.turn else player.choose(state, nodes=200))
    assert state.winners == (0,)
