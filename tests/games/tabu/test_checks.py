"""Tabu's check values, taken from the engine's own settlement; and what must hold at every table."""

from fractions import Fraction
from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.game import choose
from tablee.core.state import Chance, Decision, State
from tablee.games.tabu import KIND

SIGNS, SYMBOLS = "cdhp", "as"
EXPECTED = [
    (SIGNS, "symbols", "net", Fraction(-17, 216)),
    (SIGNS, "none", "net", Fraction(-17, 216)),
    (SIGNS, "all", "net", Fraction(-71, 108)),
    (SYMBOLS, "symbols", "net", Fraction(-17, 72)),
    (SYMBOLS, "all", "net", Fraction(-17, 72)),
    (SYMBOLS, "none", "net", Fraction(37, 108)),
    (SIGNS, "symbols", "stake_included", Fraction(-1, 2)),
    (SIGNS, "none", "stake_included", Fraction(-1, 2)),
    (SIGNS, "all", "stake_included", Fraction(-233, 216)),
    (SYMBOLS, "symbols", "stake_included", Fraction(-71, 108)),
    (SYMBOLS, "all", "stake_included", Fraction(-71, 108)),
    (SYMBOLS, "none", "stake_included", Fraction(-17, 216)),
]


def outcomes(state: State) -> list[tuple[State, Fraction]]:
    """Return every state a throw leads to, with its odds."""
    node = state.node
    assert isinstance(node, Chance)
    return [(state.play(action), chance) for action, chance in node.outcomes]


def cases(state: State) -> list[State]:
    """Return the states of the 216 ways the dice can fall, as the engine deals them."""
    assert state.position.chances() == 216
    return [state.throw({216: case}.__getitem__) for case in range(216)]


@pytest.mark.parametrize(("boxes", "doubling", "odds", "expected"), EXPECTED)
def test_the_mean_gain_of_a_stake_is_as_stated(boxes: str, doubling: str, odds: str, expected: Fraction) -> None:
    for box in boxes:
        state = choose(KIND, 2, {"doubling": doubling, "odds": odds}).load(f"bank=1 100/0 90/0:{box}10! dice=-")
        gains = [int(after.position.score(1)) - 100 for after in cases(state)]
        assert Fraction(sum(gains), 216 * 10) == expected


@pytest.mark.parametrize(("boxes", "doubling", "odds", "expected"), EXPECTED)
def test_the_standing_expects_what_the_throws_bring(boxes: str, doubling: str, odds: str, expected: Fraction) -> None:
    for box in boxes:
        state = choose(KIND, 2, {"doubling": doubling, "odds": odds}).load(f"bank=1 100/0 90/0:{box}10! dice=-")
        mean = [sum(int(after.position.score(seat)) * chance for after, chance in outcomes(state)) for seat in (0, 1)]
        assert [Fraction(int(state.position.standing(seat)), 216) for seat in (0, 1)] == mean == [100 - 10 * expected, 100 + 10 * expected]


@pytest.mark.parametrize("box", SIGNS + SYMBOLS)
def test_a_box_shows_on_no_one_two_three_dice_in_125_75_15_1_cases(box: str) -> None:
    state = choose(KIND, 2, {}).load("bank=1 100/0 99/0:c1! dice=-")
    shown = [state.game.notate(int(state.position.throw(case))).count(box) for case in range(216)]
    assert [shown.count(n) for n in range(4)] == [125, 75, 15, 1]


def test_the_odds_of_a_throw_count_its_cases() -> None:
    state = choose(KIND, 2, {}).load("bank=1 100/0 99/0:c1! dice=-")
    node = state.node
    assert isinstance(node, Chance)
    chances = {state.game.notate(action): chance for action, chance in node.outcomes}
    assert (chances["d-d-d"], chances["d-d-a"], chances["c-d-h"]) == (Fraction(1, 216), Fraction(3, 216), Fraction(6, 216))


@pytest.mark.parametrize("doubling", ["symbols", "all", "none"])
@pytest.mark.parametrize("odds", ["net", "stake_included"])
@pytest.mark.parametrize(
    "line",
    [
        "bank=3 60/1:c10+a5+s5! 40/1:d3+h4+a20! 5/0 133/0:c7+d7+h7+p7+a7+s80! dice=c-d-h",
        "bank=1 1/0 113/1:c57! 57/1:s57! 115/1! dice=a-a-s",
    ],
)
def test_money_is_conserved_in_every_settlement(line: str, odds: str, doubling: str) -> None:
    game = choose(KIND, 4, {"doubling": doubling, "odds": odds, "may_pass": "yes"})
    for after in cases(game.load(line)):
        assert game.kind.conserved(game, after.position) == {"money": 400}
        assert sum(after.position.score(seat) for seat in range(4)) == 400


@pytest.mark.parametrize("doubling", ["symbols", "all", "none"])
@pytest.mark.parametrize("may_pass", ["no", "yes"])
@pytest.mark.parametrize("money", [1, 2, 3, 4, 5, 9, 10, 19, 20, 39, 40])
def test_whoever_is_in_can_always_stake_and_then_be_ready(money: int, may_pass: str, doubling: str) -> None:
    random = Random(f"{money} {may_pass} {doubling}")
    for _ in range(20):
        state = choose(KIND, 2, {"doubling": doubling, "may_pass": may_pass}).load(f"bank=1 {200 - money}/1 {money}/1 dice=c-d-h")
        laid = 0
        while isinstance(state.node, Decision):
            tokens = [state.game.notate(action) for action in state.legal(1)]
            assert any(token != "!" for token in tokens) or laid
            assert ("!" in tokens) == (laid > 0 or may_pass == "yes")
            token = random.choice([token for token in tokens if token != "!"] or ["!"])
            laid += int(token[1:] or 0)
            state = state.play(state.game.parse(token, 1))
        assert 1 <= laid <= money


def test_the_line_of_the_page_reads_as_5_on_clubs_2_on_the_sun_ready() -> None:
    game = choose(KIND, 2, {})
    state = game.start_from({"banker": "1"})
    for token in ["c5", "s1", "s1", "!"]:
        state = state.play(game.parse(token, 1))
    assert game.dump(state) == "bank=1 100/0 93/0:c5+s2! dice=-"


def test_the_number_of_an_action_names_its_seat() -> None:
    game = choose(KIND, 8, {})
    assert [game.parse("c5", seat) for seat in range(8)] == [1 + 25 * seat for seat in range(8)]
    assert [game.parse("!", seat) for seat in range(8)] == [24 + 25 * seat for seat in range(8)]
    assert [game.parse("c-c-c", seat) for seat in range(8)] == [200] * 8
    assert [game.parse(game.notate(action), min(action // 25, 7)) for action in range(game.action_count)] == list(range(game.action_count))


def test_a_refusal_is_that_of_the_seat_whose_chip_it_is() -> None:
    state = choose(KIND, 3, {}).load("bank=1 100/0 100/0 96/0:c4 dice=-")
    with pytest.raises(ValueError, match=r"refused by Tabu 2\.3: ") as caught:
        state.play(state.game.parse("c100", 2))
    assert "only 100" in str(caught.value)


@pytest.mark.parametrize(
    ("options", "best"),
    [
        ({}, {"c1", "d1", "h1", "p1"}),
        ({"may_pass": "yes"}, {"!"}),
        ({"doubling": "none"}, {"a100", "s100"}),
        ({"doubling": "none", "odds": "stake_included"}, {"a1", "s1"}),
    ],
)
def test_a_greedy_player_stakes_little_where_stakes_lose_and_all_where_they_gain(options: dict[str, str], best: set[str]) -> None:
    state = choose(KIND, 2, options).start_from({"banker": "1"})
    assert {state.game.notate(action) for action in state.best_at_once(1)} == best


@pytest.mark.parametrize("doubling", ["symbols", "all", "none"])
@pytest.mark.parametrize("may_pass", ["no", "yes"])
@pytest.mark.parametrize("stakes", ["", ":c1", ":s1"])
def test_a_picked_action_is_the_one_of_the_list(stakes: str, may_pass: str, doubling: str) -> None:
    buffer = vec[i64]([0] * KIND.action_count)
    for money in (2, 3, 4, 5, 9, 10, 11, 19, 20, 39, 40, 41, 99, 100, 101, 199, 200, 201):
        hand = money - bool(stakes)
        state = choose(KIND, 3, {"doubling": doubling, "may_pass": may_pass}).load(f"bank=1 {250 - money}/1 50/1 {hand}/1{stakes} dice=c-d-h")
        legal = state.legal(2)
        words = [((at << 32) // len(legal)) + 1 for at in range(len(legal))]
        assert [state.position.pick(2, word, buffer) for word in words] == legal


@pytest.mark.parametrize("first", range(3))
def test_everyone_holds_the_bank_equally_often_while_all_stay_in(first: int) -> None:
    state = choose(KIND, 3, {"money": 10000}).start_from({"banker": str(first + 1)})
    random, banks = Random(first), [0, 0, 0]
    while state.legal():
        if isinstance(state.node, Chance):
            banks[state.turn] += 1
            state = state.throw(random.randrange)
        else:
            assert isinstance(state.node, Decision)
            seat = state.node.seats[0]
            state = state.play(state.game.parse("!" if state.position.standing(seat) % 216 else "c1", seat))
    assert banks == [3, 3, 3]
