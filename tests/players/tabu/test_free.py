"""Tabu without an agreed number of rounds: nothing was learned of it, and the players play it sensibly all the same."""

from random import Random

import pytest

from tablee import catalog
from tablee.core.game import Game, choose
from tablee.core.state import Chance, Decision, Over, State
from tablee.games.tabu.duel import turns_left
from tablee.games.tabu.judgement import left
from tablee.games.tabu.position import TabuPosition
from tablee.players.player import Player

KIND = catalog.kind("tabu")
NODES = 600


def free(seats: int, **options: str) -> Game:
    """Return a free game."""
    return choose(KIND, seats, {"rounds": "free", **options})


def tabu(state: State) -> TabuPosition:
    """Return the position of a state."""
    assert isinstance(state.position, TabuPosition)
    return state.position


def stake(state: State, seat: int, name: str = "level3") -> int:
    """Return how much a player stakes in one turn."""
    before, player = int(tabu(state).hand[seat]), Player(state.game, name, 1)
    while isinstance(state.node, Decision) and seat in state.node.seats:
        state = state.play(player.choose(state, seat, nodes=20 * NODES))
    return before - int(tabu(state).hand[seat])


@pytest.mark.parametrize("turns", [1, 2, 5])
def test_the_last_turns_of_two_are_worth_what_they_are_worth_with_a_number_of_rounds(turns: int) -> None:
    played, ended = 200 - turns, choose(KIND, 2, {"rounds": "20"})
    agreed = ended.load(f"bank=1 120/{20 - (turns + 1) // 2} 80/{20 - turns // 2} dice=c-d-h")
    open_end = free(2).load(f"bank=1 turns={played} 120/{played // 2} 80/{played - played // 2} dice=c-d-h")
    assert turns_left(tabu(agreed), 0, 1) == turns_left(tabu(open_end), 0, 1) == turns
    values = [KIND.mind.judgement(state.game).value(state.position, 1) for state in (agreed, open_end)]
    assert values[0] == values[1]
    assert stake(agreed, 1) == stake(open_end, 1)


@pytest.mark.parametrize("seats", [2, 5])
def test_long_before_the_end_a_chance_is_a_share_of_the_money(seats: int) -> None:
    money = [100 + 20 * (seats - 1), *[80] * (seats - 1)]
    line = f"{money[0]}/1 " + " ".join(f"{one}/0" for one in money[1:])
    state = free(seats).load(f"bank=2 turns=1 {line} dice=c-d-h")
    judgement = KIND.mind.judgement(state.game)
    assert [judgement.value(state.position, seat) for seat in range(seats)] == [one / (100 * seats) for one in money]
    agreed = choose(KIND, seats).load(f"bank=2 {line} dice=c-d-h")
    assert judgement.value(state.position, 0) != KIND.mind.judgement(agreed.game).value(agreed.position, 0)


def test_the_turns_that_are_left_are_counted_as_the_bank_goes_round() -> None:
    near = free(3).load("bank=2 turns=196 100/66 100/65 100/65 dice=c-d-h")
    assert [int(left(tabu(near), seat)) for seat in range(3)] == [1, 2, 1]
    out = free(3).load("bank=2 turns=197 out 150/66 150/66 dice=c-d-h")
    assert [int(left(tabu(out), seat)) for seat in (1, 2)] == [2, 1]


@pytest.mark.parametrize("seats", KIND.seats)
def test_far_from_the_end_nobody_stakes_much_and_a_leader_the_least(seats: int) -> None:
    """Every stake loses on average, and there is time."""
    state = free(seats).start(seed=1)
    assert isinstance(state.node, Decision)
    assert stake(state, state.node.seats[0]) == 1
    money = [str(60 * seats + 40), *["40"] * (seats - 1)]
    ahead = free(seats).load(f"bank=2 turns=1 {money[0]}/1 {' '.join(f'{one}/0' for one in money[1:])} dice=c-d-h")
    assert stake(ahead, 0) == 1


@pytest.mark.parametrize(("seats", "least"), [(2, 0.58), (4, 0.4)])
def test_a_player_wins_free_games_of_little_money_against_random_ones(seats: int, least: float) -> None:
    won = 0
    for seed in range(60):
        random, seat = Random(seed), seed % seats
        state = free(seats, money="20").start(random.randrange)
        player = Player(state.game, "level2", seed)
        while not isinstance(state.node, Over):
            if isinstance(state.node, Chance):
                state = state.throw(random.randrange)
                continue
            acting = state.node.seats[0]
            state = state.play(player.choose(state, acting, nodes=NODES) if acting == seat else random.choice(state.legal(acting)))
        won += seat in state.winners
    assert won / 60 > least
