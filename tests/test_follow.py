"""Pieces keep their ids from scene to scene."""

from random import Random

import pytest

import tablee
from tablee.catalog import OURS
from tablee.core.follow import follow
from tablee.core.state import Over
from tablee.testing import choice


def test_a_pushed_line_moves_as_one() -> None:
    game = tablee.game("traboulet")
    state = game.load("7/7/7/wrrb3/7/6w/bb5 w 0 0 - -")
    before = state.scene()
    after = follow(before, state.play(game.parse("a4b4")).scene())
    x = {piece.id: piece.x for piece in before.pieces}
    moved = {piece.id: piece.x - x[piece.id] for piece in after.pieces if piece.x != x[piece.id]}
    step = {cell.name: cell.x for cell in before.cells}
    assert list(moved.values()) == pytest.approx([step["b4"] - step["a4"]] * 4)


@pytest.mark.parametrize("slug", OURS)
def test_who_does_not_move_keeps_his_name(slug: str) -> None:
    random = Random(slug)
    state = tablee.game(slug).start(random.randrange)
    scene = state.scene()
    for _ in range(120):
        if isinstance(state.node, Over):
            break
        state = state.play(choice(state, [True] * state.game.seats, random))
        later = follow(scene, state.scene())
        assert len({piece.id for piece in later.pieces}) == len(later.pieces)
        kinds = {piece.id: piece.symbol for piece in scene.pieces}
        assert all(kinds.get(piece.id, piece.symbol) == piece.symbol for piece in later.pieces)
        scene = later
