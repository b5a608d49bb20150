"""Tabaijana with chosen colours and a chosen order: the players see whose a colour is, not which, and play as well as ever."""

from random import Random

import pytest

from tablee.catalog import kind
from tablee.core.game import choose
from tablee.core.state import Chance, Decision, State
from tablee.games.tabaijana.position import LETTERS
from tablee.players.player import Player

KIND = kind("tabaijana")


def recoloured(line: str, letters: dict[int, int]) -> str:
    """Return a line with every colour exchanged for another."""
    fields = (field.partition("=") for field in line.split(" "))
    coloured = ("colours", "order", "three", "four", "load")
    return " ".join(f"{name}={value.translate(letters) if name in coloured or name.isdigit() else value}" for name, _, value in fields)


def walk(state: State, seed: int, steps: int) -> State:
    """Return the state at the first choice after some random actions."""
    random = Random(seed)
    while steps > 0 or not isinstance(state.node, Decision):
        state = state.throw(random.randrange) if isinstance(state.node, Chance) else state.play(random.choice(state.legal()))
        steps -= 1
    return state


@pytest.mark.parametrize(("seats", "options"), [(5, {}), (5, {"game": "enfants"}), (2, {"order": "on"}), (4, {"order": "on"}), (5, {"order": "on"})])
def test_other_colours_change_neither_the_judgement_nor_the_choice(seats: int, options: dict[str, str]) -> None:
    game = choose(KIND, seats, options)
    judgement = KIND.mind.judgement(game)
    for seed in range(6):
        state = walk(game.start(seed=seed), seed, 12)
        other = game.load(recoloured(game.dump(state), str.maketrans(LETTERS, "".join(Random(seed).sample(LETTERS, 5)))))
        assert judgement.value(other.position, state.turn) == judgement.value(state.position, state.turn)
        choices = [Player(game, "level8", 1).choose(one, state.turn, nodes=1) for one in (state, other)]
        assert choices[0] == choices[1]


@pytest.mark.parametrize("seats", KIND.seats)
def test_every_level_plays_chosen_colours_and_a_chosen_order(seats: int) -> None:
    game = choose(KIND, seats, {"order": "on"})
    state = walk(game.start(seed=1, setup={"colours": "ybgwr"[:seats], "order": "gyrbw"}), 1, 0)
    for level in ("level1", "level8", "max"):
        assert Player(game, level, 1).choose(state, state.turn, nodes=50) in state.legal()
