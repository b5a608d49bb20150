"""Tabu paragraph by paragraph: what each allows and what each refuses."""

import pytest

from tablee.core.errors import NotationError, PositionError, TableeError, UnknownName
from tablee.core.game import Game, choose
from tablee.core.ruling import IllegalAction
from tablee.core.state import DICE, Chance, Decision, Over, State
from tablee.games.tabu import KIND

START = "bank=1 100/0 100/0 100/0 dice=-"


def table(line: str, **options: object) -> State:
    """Return a position; there are as many seats as the line has."""
    return choose(KIND, len(line.split()) - 2 - line.count("turns="), options).load(line)


def game(seats: int, **options: object) -> Game:
    """Return the game with so many seats."""
    return choose(KIND, seats, options)


def play(state: State, *tokens: str) -> State:
    """Return the state after tokens: `2:c5` for a seat, a throw as it is."""
    for token in tokens:
        seat, colon, what = token.rpartition(":")
        state = state.play(state.game.parse(what, int(seat) - 1 if colon else 0))
    return state


def line_after(line: str, *tokens: str, **options: object) -> str:
    """Return the line of the position after tokens."""
    state = play(table(line, **options), *tokens)
    return state.game.dump(state)


def refused(state: State, seat: int, token: str) -> tuple[str, ...]:
    """Return the paragraphs that refuse a token of a seat counted from 1; none if it is legal."""
    action = state.game.parse(token, max(seat - 1, 0))
    refusal = state.refusal(seat - 1 if seat else DICE, action)
    assert (refusal is None) == (action in (state.legal(seat - 1) if seat else state.legal()))
    return refusal.paragraphs if refusal else ()


def broken(line: str, **options: object) -> str:
    """Return the paragraph that a line contradicts."""
    with pytest.raises(PositionError) as caught:
        table(line, **options)
    return caught.value.paragraph


# 1 Material and set-up


def test_1_1_allows_a_stake_on_each_of_the_six_boxes() -> None:
    """1.1: clubs, diamonds, hearts, spades, anchor, sun."""
    assert line_after(START, *(f"2:{box}1" for box in "cdhpas")) == "bank=1 100/0 94/0:c1+d1+h1+p1+a1+s1 100/0 dice=-"


def test_1_1_allows_the_56_throws_of_three_dice() -> None:
    """1.1: three dice with the same six faces fall in 56 ways that can be told apart."""
    node = table("bank=1 100/0 99/0:c1! dice=-").node
    assert isinstance(node, Chance)
    assert len(node.outcomes) == 56


@pytest.mark.parametrize("token", ["x5", "x-x-x", "c-d", "c-d-h-p", "d-c-a"])
def test_1_1_refuses_another_box_or_number_of_dice(token: str) -> None:
    """1.1: six boxes, three dice, written in the order of the boxes."""
    with pytest.raises(NotationError) as caught:
        game(2).parse(token)
    assert caught.value.paragraph == "1.1"


@pytest.mark.parametrize("dice", ["c-d", "a-a-c", "x-x-x", "c-d-h-p", ""])
def test_1_1_refuses_a_line_with_other_dice(dice: str) -> None:
    """1.1: the dice of a line are three, in the order of the boxes."""
    assert broken(f"bank=1 100/1 100/1 dice={dice}") == "1.1"


def test_1_1_refuses_a_line_with_another_box() -> None:
    """1.1: there is no box x."""
    assert broken("bank=1 100/0 95/0:x5 dice=-") == "1.1"


@pytest.mark.parametrize(("money", "hand"), [(100, "100/0"), (20, "20/0"), (10000, "10000/0")])
def test_1_2_allows_the_same_money_for_everybody(money: int, hand: str) -> None:
    """1.2: everybody starts with the money of the option, 100 if nothing is said."""
    state = game(3, money=money).start_from({"banker": "1"})
    assert state.game.dump(state) == f"bank=1 {hand} {hand} {hand} dice=-"


def test_1_2_allows_100_by_default() -> None:
    """1.2: 100 is the default."""
    assert game(2).option("money") == "100"


@pytest.mark.parametrize("money", ["19", "10001", "many", "-5"])
def test_1_2_refuses_too_little_or_too_much_money(money: str) -> None:
    """1.2: the option goes from 20 to 10000."""
    with pytest.raises(UnknownName):
        game(2, money=money)


def test_1_2_refuses_a_line_with_money_from_nowhere() -> None:
    """1.2: all money, stakes included, is what the players brought."""
    assert broken("bank=1 100/1 95/1:c6 dice=c-d-h") == "1.2"


def test_1_2_refuses_a_line_that_starts_with_different_money() -> None:
    """1.2: before the first throw everybody has the same."""
    assert broken("bank=1 90/0 110/0 dice=-") == "1.2"


@pytest.mark.parametrize("lot", [0, 1, 2])
def test_1_3_allows_any_first_banker_by_lot(lot: int) -> None:
    """1.3: the first banker is drawn among all seats."""
    state = game(3).start({3: lot}.__getitem__)
    assert (state.setup, state.turn) == ({"banker": str(lot + 1)}, lot)


def test_1_3_allows_the_bank_to_the_next_seat() -> None:
    """1.3: after the turn the player on the left is banker; after the last seat comes the first."""
    state = play(table("bank=3 100/0 100/0 100/0 dice=-"), "1:c1", "1:!", "2:c1", "2:!", "h-h-h")
    assert state.turn == 0


def test_1_3_refuses_the_bank_to_a_seat_that_is_out() -> None:
    """1.3: the next banker is still in the game: seat 2 loses its last money and is passed over."""
    assert line_after("bank=1 199/1 1/1 100/1 dice=c-d-h", "2:c1", "2:!", "3:c1", "3:!", "h-h-h") == "bank=3 201/2 out 99/1 dice=h-h-h"


@pytest.mark.parametrize("setup", [{}, {"banker": "0"}, {"banker": "4"}, {"banker": "²"}, {"banker": "1", "dealer": "2"}])
def test_1_3_refuses_a_set_up_without_a_banker_at_the_table(setup: dict[str, str]) -> None:
    """1.3: the set-up names the banker, from 1 to the number of seats."""
    with pytest.raises(TableeError):
        game(3).start_from(setup)


@pytest.mark.parametrize(
    "line",
    [
        "bank=4 100/1 100/1 100/1 dice=c-d-h",
        "bank=1 out 150/1 150/1 dice=c-d-h",
        "bank=1 100/1 100/0 100/1 dice=c-d-h",
        "bank=1 100/1 100/0 100/0 dice=c-d-h",
        "bank=1 100/0 100/2 100/2 dice=c-d-h",
        "bank=1 300/0 out out dice=c-d-h",
    ],
)
def test_1_3_refuses_a_line_in_which_the_bank_did_not_go_round(line: str) -> None:
    """1.3: the bank goes to the left, from one who is in to the next, so nobody is two turns ahead."""
    assert broken(line) == "1.3"


@pytest.mark.parametrize("line", ["bank=1 100/0 100/0 dice=c-d-h", "bank=1 100/1 100/1 dice=-", "bank=2 out 200/0 dice=-"])
def test_1_3_refuses_a_line_with_dice_before_the_first_turn_or_without_after_it(line: str) -> None:
    """1.3: the first throw ends the first turn of the bank."""
    assert broken(line) == "1.3"


# 2 Stakes


def test_2_1_allows_all_but_the_banker_to_stake_at_once() -> None:
    """2.1: seats 2 and 3 are asked at the same time."""
    node = table(START).node
    assert isinstance(node, Decision)
    assert node.seats == (1, 2)


@pytest.mark.parametrize("order", [("2:c5", "3:s1", "3:!", "2:!"), ("3:s1", "3:!", "2:c5", "2:!"), ("3:s1", "2:c5", "2:!", "3:!")])
def test_2_1_allows_stakes_in_any_order(order: tuple[str, ...]) -> None:
    """2.1: whoever still stakes may do so before or after the others."""
    assert line_after(START, *order) == "bank=1 100/0 95/0:c5! 99/0:s1! dice=-"


def test_2_1_allows_the_throw_when_all_are_ready() -> None:
    """2.1: then the dice fall."""
    assert refused(table("bank=1 100/0 99/0:c1! 99/0:c1! dice=-"), 0, "c-d-h") == ()


def test_2_1_refuses_the_throw_before_all_are_ready() -> None:
    """2.1: seat 3 still stakes."""
    assert refused(table("bank=1 100/0 99/0:c1! 99/0:c1 dice=-"), 0, "c-d-h") == ("2.1",)


def test_2_1_refuses_a_seat_that_chooses_the_throw() -> None:
    """2.1: the banker throws, he does not choose."""
    assert refused(table("bank=1 100/0 99/0:c1! 99/0:c1! dice=-"), 1, "c-d-h") == ("2.1",)


def test_2_1_refuses_a_chip_of_the_dice() -> None:
    """2.1: the players stake."""
    assert refused(table(START), 0, "c1") == ("2.1",)


def test_2_1_refuses_to_stake_for_another() -> None:
    """2.1: seat 2 cannot lay a chip of seat 3."""
    state = table(START)
    refusal = state.refusal(1, state.game.parse("c5", 2))
    assert refusal is not None
    assert [ruling.case for ruling in refusal.rulings] == ["other"]


def test_2_1_refuses_the_chips_of_a_seat_that_nobody_has() -> None:
    """2.1: at a table of three there is no eighth seat."""
    state = table(START)
    refusal = state.refusal(1, 7 * 25)
    assert refusal is not None
    assert refusal.paragraphs == ("2.1",)


@pytest.mark.parametrize("token", ["c2", "s1000", "c0"])
def test_2_1_refuses_a_chip_that_is_not_in_the_box_of_chips(token: str) -> None:
    """2.1: stakes are laid in chips of 1, 5, 20 and 100."""
    with pytest.raises(NotationError) as caught:
        game(2).parse(token)
    assert caught.value.paragraph == "2.1"


@pytest.mark.parametrize("stakes", ["c5+c5", "d5+c5", "c0", "c05", "c", "c5+", "+c5"])
def test_2_1_refuses_a_line_with_stakes_out_of_order(stakes: str) -> None:
    """2.1: in a line each box stands once, in the order of the boxes, with what lies on it."""
    assert broken(f"bank=1 100/0 90/0:{stakes} dice=-") in ("1.1", "2.1")


def test_2_2_allows_to_be_ready_with_1_staked() -> None:
    """2.2: 1 is enough."""
    assert refused(play(table(START), "2:h1"), 2, "!") == ()


def test_2_2_allows_no_stake_under_the_option() -> None:
    """2.2: `may_pass=yes`."""
    assert refused(table(START, may_pass="yes"), 2, "!") == ()


def test_2_2_allows_a_turn_in_which_nobody_stakes() -> None:
    """2.2: `may_pass=yes`: the banker throws all the same, and only the bank moves on."""
    assert line_after(START, "2:!", "3:!", "a-a-a", may_pass="yes") == "bank=2 100/1 100/0 100/0 dice=a-a-a"


def test_2_2_refuses_to_be_ready_without_a_stake() -> None:
    """2.2: everybody stakes at least 1."""
    assert refused(table(START), 2, "!") == ("2.2",)


def test_2_2_refuses_a_line_in_which_one_is_ready_without_a_stake() -> None:
    """2.2: unless the option allows it."""
    assert broken("bank=1 100/0 100/0! 100/0 dice=-") == "2.2"


@pytest.mark.parametrize(
    ("line", "token", "doubling"),
    [
        ("bank=1 100/0 1/0:c99 dice=-", "c1", "symbols"),
        ("bank=1 100/0 5/0:c95 dice=-", "d5", "symbols"),
        ("bank=1 100/0 20/0:c80 dice=-", "p20", "symbols"),
        ("bank=1 100/0 100/0 dice=-", "h100", "symbols"),
        ("bank=1 195/1 4/1:c1 dice=c-d-h", "c1", "all"),
        ("bank=1 100/0 51/0:s49 dice=-", "s1", "symbols"),
        ("bank=1 100/0 60/0:c20+s20 dice=-", "s20", "symbols"),
        ("bank=1 100/0 51/0:c49 dice=-", "c1", "all"),
        ("bank=1 100/0 51/0:s49 dice=-", "c1", "all"),
        ("bank=1 100/0 1/0:s99 dice=-", "s1", "none"),
    ],
)
def test_2_3_allows_stakes_that_the_money_covers_to_the_last(line: str, token: str, doubling: str) -> None:
    """2.3: money for all stakes and for what 3.3 would double, and not 1 more."""
    assert refused(table(line, doubling=doubling), 2, token) == ()


@pytest.mark.parametrize(
    ("line", "token", "doubling"),
    [
        ("bank=1 100/0 0/0:c100 dice=-", "c1", "symbols"),
        ("bank=1 100/0 4/0:c96 dice=-", "h5", "symbols"),
        ("bank=1 100/0 50/0:s50 dice=-", "a1", "symbols"),
        ("bank=1 100/0 50/0:s50 dice=-", "c1", "symbols"),
        ("bank=1 100/0 40/0:c40+s20 dice=-", "s20", "symbols"),
        ("bank=1 100/0 50/0:c50 dice=-", "c1", "all"),
        ("bank=1 100/0 0/0:s100 dice=-", "s1", "none"),
    ],
)
def test_2_3_refuses_stakes_that_the_money_does_not_cover(line: str, token: str, doubling: str) -> None:
    """2.3: a stake that could not be paid in full."""
    assert refused(table(line, doubling=doubling), 2, token) == ("2.3",)


@pytest.mark.parametrize("box", "cdhpas")
def test_2_3_allows_the_last_1_on_any_box_where_all_double(box: str) -> None:
    """2.3: under `doubling=all` a player who has only 1 left may still stake it."""
    assert refused(table("bank=1 199/1 1/1 dice=c-d-h", doubling="all"), 2, f"{box}1") == ()


@pytest.mark.parametrize("box", "as")
def test_2_3_refuses_the_last_1_on_a_symbol_by_default(box: str) -> None:
    """2.3: with 1 left, `doubling=symbols` leaves the four signs."""
    assert refused(table("bank=1 199/1 1/1 dice=c-d-h"), 2, f"{box}1") == ("2.3",)


def test_2_3_refuses_a_second_chip_on_the_last_1() -> None:
    """2.3: the exception is for that 1 alone."""
    assert refused(table("bank=1 199/1 0/1:c1 dice=c-d-h", doubling="all"), 2, "c1") == ("2.3",)


def test_2_3_refuses_an_odd_last_1_where_all_double() -> None:
    """2.3: who has 3 is no player with only 1 left: one chip of 1 needs 2, a second would need 4."""
    assert refused(table("bank=1 197/1 2/1:c1 dice=c-d-h", doubling="all"), 2, "c1") == ("2.3",)


@pytest.mark.parametrize(("stakes", "doubling"), [("s60", "symbols"), ("c60", "all")])
def test_2_3_refuses_a_line_with_stakes_that_are_not_covered(stakes: str, doubling: str) -> None:
    """2.3: 60 would need 120."""
    assert broken(f"bank=1 100/0 40/0:{stakes} dice=-", doubling=doubling) == "2.3"


def test_2_4_allows_more_chips_until_one_is_ready() -> None:
    """2.4: chips on one box add up."""
    assert line_after(START, "2:c5", "2:s1", "2:s1", "2:!") == "bank=1 100/0 93/0:c5+s2! 100/0 dice=-"


@pytest.mark.parametrize("token", ["c1", "!"])
def test_2_4_refuses_the_banker_to_stake(token: str) -> None:
    """2.4: the banker stakes nothing."""
    assert refused(table(START), 1, token) == ("2.4",)


@pytest.mark.parametrize("token", ["c1", "!"])
def test_2_4_refuses_a_change_after_ready(token: str) -> None:
    """2.4: after `!` nothing changes."""
    assert refused(table("bank=1 100/0 99/0:c1! 100/0 dice=-"), 2, token) == ("2.4",)


def test_2_4_refuses_a_line_in_which_the_banker_has_staked() -> None:
    """2.4: the banker stakes nothing."""
    assert broken("bank=1 95/0:c5 100/0 dice=-") == "2.4"


def test_2_4_refuses_a_chip_after_the_last_whatever_the_money() -> None:
    """2.4: a player who has finished staking hears that alone, not that a smaller chip would do."""
    assert refused(table("bank=1 100/0 1/0:c99! 100/0 dice=-"), 2, "c5") == ("2.4",)


@pytest.mark.parametrize(("line", "case"), [("bank=1 190/0 10/0 100/1 dice=h-p-s", "first"), ("bank=1 190/0 5/0:c5 100/1 dice=h-p-s", "")])
def test_2_3_refuses_a_chip_too_many_and_says_what_is_left_to_do(line: str, case: str) -> None:
    """2.3: a smaller chip if nothing is staked yet; otherwise less, or an end."""
    state = table(line)
    refusal = state.refusal(1, state.game.parse("c20", 1))
    assert refusal is not None
    assert [ruling.case for ruling in refusal.rulings] == [case]


# 3 Settling


@pytest.mark.parametrize(("throw", "money"), [("d-a-s", 110), ("d-d-a", 120), ("d-d-d", 130)])
def test_3_1_allows_once_to_three_times_the_stake_on_a_sign(throw: str, money: int) -> None:
    """3.1: the stake goes back, and 1, 2 or 3 times as much with it."""
    assert line_after("bank=1 100/0 90/0:d10! dice=-", throw) == f"bank=2 {200 - money}/1 {money}/0 dice={throw}"


@pytest.mark.parametrize(("throw", "money"), [("d-a-s", 100), ("d-d-a", 110), ("d-d-d", 120)])
def test_3_1_allows_the_literal_gloss_on_a_sign(throw: str, money: int) -> None:
    """3.1: under `odds=stake_included` the player receives 1, 2 or 3 times his stake in all."""
    assert line_after("bank=1 100/0 90/0:d10! dice=-", throw, odds="stake_included") == f"bank=2 {200 - money}/1 {money}/0 dice={throw}"


@pytest.mark.parametrize("throw", ["c-h-p", "a-a-a", "h-h-s"])
def test_3_1_refuses_to_pay_a_sign_that_no_die_shows(throw: str) -> None:
    """3.1: the stake is lost, and not doubled."""
    assert line_after("bank=1 100/0 90/0:d10! dice=-", throw) == f"bank=2 110/1 90/0 dice={throw}"


@pytest.mark.parametrize(("throw", "money"), [("c-d-a", 120), ("c-a-a", 130), ("a-a-a", 140)])
def test_3_2_allows_two_to_four_times_the_stake_on_a_symbol(throw: str, money: int) -> None:
    """3.2: the stake goes back, and 2, 3 or 4 times as much with it."""
    assert line_after("bank=1 100/0 90/0:a10! dice=-", throw) == f"bank=2 {200 - money}/1 {money}/0 dice={throw}"


@pytest.mark.parametrize(("throw", "money"), [("c-d-a", 110), ("c-a-a", 120), ("a-a-a", 130)])
def test_3_2_allows_the_literal_gloss_on_a_symbol(throw: str, money: int) -> None:
    """3.2: under `odds=stake_included` the player receives 2, 3 or 4 times his stake in all."""
    assert line_after("bank=1 100/0 90/0:a10! dice=-", throw, odds="stake_included") == f"bank=2 {200 - money}/1 {money}/0 dice={throw}"


def test_3_2_refuses_to_pay_the_sun_for_an_anchor() -> None:
    """3.2: a stake on the sun is lost when only anchors show."""
    assert line_after("bank=1 100/0 90/0:s10! dice=-", "a-a-a") == "bank=2 120/1 80/0 dice=a-a-a"


@pytest.mark.parametrize(("stake", "doubling", "lost"), [("s10", "symbols", 20), ("s10", "all", 20), ("s10", "none", 10), ("c10", "all", 20)])
def test_3_3_allows_a_lost_stake_to_be_doubled(stake: str, doubling: str, lost: int) -> None:
    """3.3: the player adds the same again to a lost stake on a symbol; by option to every one, or to none."""
    after = line_after(f"bank=1 100/0 90/0:{stake}! dice=-", "d-d-h", doubling=doubling)
    assert after == f"bank=2 {100 + lost}/1 {100 - lost}/0 dice=d-d-h"


@pytest.mark.parametrize("doubling", ["symbols", "none"])
def test_3_3_refuses_to_double_a_lost_sign(doubling: str) -> None:
    """3.3: only symbols double, or nothing does."""
    assert line_after("bank=1 100/0 90/0:c10! dice=-", "d-d-h", doubling=doubling) == "bank=2 110/1 90/0 dice=d-d-h"


def test_3_3_refuses_to_double_a_symbol_that_shows() -> None:
    """3.3: each stake by itself: the anchor wins 2 times 10, the sun loses 2 times 10."""
    assert line_after("bank=1 100/0 80/0:a10+s10! dice=-", "d-d-a") == "bank=2 100/1 100/0 dice=d-d-a"


def test_3_3_allows_the_last_1_to_be_all_there_is_to_pay() -> None:
    """3.3 with 2.3: under `doubling=all` the player who had only 1 pays that 1."""
    assert line_after("bank=1 199/1 0/1:s1! dice=c-d-h", "c-c-c", doubling="all") == "bank=1 200/2 out dice=c-c-c"


def test_3_4_allows_to_pay_out_of_what_was_just_lost() -> None:
    """3.4: the banker has 5; he takes 30 from seat 3 first and can pay 20 to seat 2."""
    assert line_after("bank=1 5/1 90/1:c20! 155/1:d30! dice=c-d-h", "c-h-p") == "bank=2 15/2 130/1 155/1 dice=c-h-p"


def test_3_4_allows_an_equal_share_of_what_is_due() -> None:
    """3.4: 14 and 10 are due, there are 8: a third each, 4 and 3; the 1 left goes to the left of the banker."""
    assert line_after("bank=1 8/1 21/1:c7! 19/1:c5! dice=h-p-s", "c-c-d", money=20) == "bank=2 out 33/1 27/1 dice=c-c-d"


def test_3_4_allows_the_rest_only_to_those_owed() -> None:
    """3.4: 4 each are due to seats 4 and 1, there are 3: 1 each, and the 1 left goes to seat 4; seat 3, nearer, is owed nothing."""
    line = "bank=2 10/1:c2! 2/1 20/1:d1! 43/1:c2! dice=h-p-s"
    assert line_after(line, "c-c-s", money=20) == "bank=3 13/1 out 20/1 47/1 dice=c-c-s"


def test_3_4_allows_the_rest_from_the_left_of_the_banker() -> None:
    """3.4: 4 each are due to seats 2 and 4, the banker at seat 3 has 3: the 1 left goes to seat 4, who sits on his left."""
    line = "bank=3 19/1:d1! 10/1:c2! 2/1 44/1:c2! dice=h-p-s"
    assert line_after(line, "c-c-s", money=20) == "bank=4 19/1 13/1 out 48/1 dice=c-c-s"


def test_3_4_allows_a_banker_to_pay_his_last_money_exactly() -> None:
    """3.4: who pays all that is due and has nothing left is out by 4.1, and nobody is paid short."""
    assert line_after("bank=1 9/1 101/1:c10! 179/1:d1! dice=c-d-h", "c-h-p") == "bank=2 out 121/1 179/1 dice=c-h-p"


def test_3_4_refuses_to_shorten_the_stakes_that_go_back() -> None:
    """3.4: winners' own stakes go back whole: 80 staked, 240 due, 20 there."""
    assert line_after("bank=1 20/1 100/1:c80! 98/1:d2! dice=c-d-h", "c-c-c") == "bank=2 out 202/1 98/1 dice=c-c-c"


def test_3_4_refuses_to_share_when_there_is_enough() -> None:
    """3.4: 24 are due and there are 24."""
    assert line_after("bank=1 24/1 8/1:c7! 16/1:c5! dice=h-p-s", "c-c-d", money=20) == "bank=2 out 29/1 31/1 dice=c-c-d"


# 4 End


def test_4_1_allows_the_last_one_in_to_win() -> None:
    """4.1: with the others out, seat 1 wins at once."""
    node = play(table("bank=1 199/1 0/1:c1! 50/1:s50! dice=c-d-h"), "h-h-h").node
    assert node == Over((300, 0, 0), "4.1", (0,))


def test_4_1_allows_the_banker_to_go_out() -> None:
    """4.1: banker or not."""
    assert play(table("bank=1 10/1 140/1:c50! dice=c-d-h"), "c-c-c").node == Over((0, 200), "4.1", (1,))


def test_4_1_refuses_a_chip_of_a_seat_that_is_out() -> None:
    """4.1: who has no money is out of the game."""
    assert refused(table("bank=1 150/1 out 150/1 dice=c-d-h"), 2, "c1") == ("4.1",)


def test_4_1_refuses_to_end_while_two_are_in() -> None:
    """4.1: the third is out, two play on."""
    node = table("bank=1 150/1 out 150/1 dice=c-d-h").node
    assert isinstance(node, Decision)
    assert node.seats == (2,)


def test_4_1_refuses_every_action_after_the_last_one_has_won() -> None:
    """4.1: the game is over, for the dice too."""
    state = table("bank=1 300/1 out out dice=c-d-h")
    assert [refused(state, seat, token) for seat, token in ((0, "c-d-h"), (1, "c1"), (2, "!"))] == [("4.1",)] * 3


def test_4_1_allows_to_forget_the_turns_of_who_is_out() -> None:
    """4.1: two ways to the same table are the same table, however often the one who left had held the bank."""
    state = play(table("bank=1 199/1 0/1:c1! 99/1:c1! dice=c-d-h"), "h-h-h")
    assert state.position.hash() == table("bank=3 201/2 out 99/1 dice=a-a-a").position.hash()


def test_4_1_refuses_a_seat_without_money_in_a_line() -> None:
    """4.1: it would be out."""
    assert broken("bank=1 200/1 0/1 dice=c-d-h") == "4.1"


def test_4_1_allows_a_seat_that_has_staked_all_it_has() -> None:
    """4.1: out is judged after settling, not while the last money is on the table."""
    assert refused(table("bank=1 199/1 0/1:c1 dice=c-d-h"), 2, "!") == ()


@pytest.mark.parametrize("rounds", [1, 3, 20])
def test_4_2_allows_the_end_when_everyone_has_held_the_bank(rounds: int) -> None:
    """4.2: seat 3 holds the bank for the last time."""
    line = f"bank=3 99/{rounds}:c1! 99/{rounds}:c1! 100/{rounds - 1} dice=c-d-h"
    state = play(table(line, rounds=rounds), "d-d-d")
    assert state.node == Over((99, 99, 102), "4.2", (2,))


def test_4_2_allows_the_end_when_those_who_lack_a_turn_drop_out() -> None:
    """4.2: seat 3 alone has yet to hold the bank, and loses its last money."""
    node = play(table("bank=2 199/1:c1! 99/0 0/0:d1! dice=c-d-h", rounds=1), "c-h-h").node
    assert node == Over((201, 99, 0), "4.2", (0,))


def test_4_2_refuses_to_end_one_turn_early() -> None:
    """4.2: seat 3 has yet to hold the bank for the third time."""
    assert line_after("bank=2 99/3:c1! 100/2 99/2:c1! dice=c-d-h", "d-d-d") == "bank=3 99/3 102/3 99/2 dice=d-d-d"


def test_4_2_refuses_every_action_after_the_end() -> None:
    """4.2: the game is over."""
    state = table("bank=3 118/3 75/3 107/3 dice=h-h-s")
    assert [refused(state, seat, token) for seat, token in ((0, "c-d-h"), (1, "c1"), (3, "!"))] == [("4.2",)] * 3


@pytest.mark.parametrize("rounds", ["0", "21"])
def test_4_2_refuses_other_numbers_of_rounds(rounds: str) -> None:
    """4.2: the option goes from 1 to 20."""
    with pytest.raises(UnknownName):
        game(2, rounds=rounds)


def test_4_2_refuses_a_line_with_too_many_turns_of_the_bank() -> None:
    """4.2: after three each the game is over."""
    assert broken("bank=1 100/4 100/4 dice=c-d-h") == "4.2"


def test_4_2_refuses_stakes_after_the_end_in_a_line() -> None:
    """4.2: nothing lies on the table of a finished game."""
    assert broken("bank=1 100/3 95/3:c5 dice=c-d-h") == "4.2"


def test_4_2_allows_a_free_game_to_go_on_past_any_number_of_rounds() -> None:
    """4.2: with `rounds=free` no number is agreed, and every turn of the bank is counted."""
    line = "bank=2 turns=63 99/32:c1! 100/31 dice=c-d-h"
    assert line_after(line, "d-d-d", rounds="free") == "bank=1 turns=64 99/32 101/32 dice=d-d-d"


def test_4_2_allows_a_free_game_200_turns_of_the_bank() -> None:
    """4.2: then it ends all the same, and the turns of seat 1, which is out, count."""
    line = "bank=3 turns=199 out 149/70:c1! 150/69 dice=c-d-h"
    state = play(table(line, rounds="free"), "d-d-d")
    assert state.node == Over((0, 149, 151), "4.2", (2,))
    assert table(state.game.dump(state), rounds="free").node == state.node
    assert [refused(state, seat, token) for seat, token in ((0, "c-d-h"), (2, "c1"))] == [("4.2",)] * 2


def test_4_2_refuses_a_free_game_to_end_before() -> None:
    """4.2: after 199 turns there is one more."""
    state = play(table("bank=3 turns=198 out 149/69:c1! 150/69 dice=c-d-h", rounds="free"), "d-d-d")
    assert isinstance(state.node, Decision)


def test_4_2_allows_a_free_game_to_end_with_the_last_one_in() -> None:
    """4.1 ends it, also in the 200th turn."""
    for turns in (31, 199):
        state = play(table(f"bank=1 turns={turns} 199/{turns // 2} 0/{turns - turns // 2}:c1! dice=c-d-h", rounds="free"), "d-d-d")
        assert state.node == Over((200, 0), "4.1", (0,))


@pytest.mark.parametrize(
    "line",
    [
        "bank=2 turns=201 100/101 100/100 dice=c-d-h",
        "bank=2 turns=62 100/32 100/31 dice=c-d-h",
        "bank=2 turns=64 100/32 100/31 dice=c-d-h",
        "bank=1 turns=1 100/0 100/0 dice=-",
        "bank=2 turns=0 out 150/0 150/0 dice=c-d-h",
        "bank=2 turns=7 out 150/1 150/1 out dice=c-d-h",
        "bank=2 turns=007 100/4 100/3 dice=c-d-h",
        "bank=2 turns= 100/4 100/3 dice=c-d-h",
    ],
)
def test_4_2_refuses_a_line_whose_turns_do_not_fit(line: str) -> None:
    """4.2: the turns of all are those of the seats still in and what those out can have held, 200 at most."""
    assert broken(line, rounds="free", money=100 if line.count("/") + line.count("out") < 4 else 75) == "4.2"


@pytest.mark.parametrize("line", ["bank=2 100/4 100/3 dice=c-d-h", "turns=7 bank=2 100/4 100/3 dice=c-d-h", "bank=2 100/4 100/3 turns=7 dice=c-d-h"])
def test_4_2_refuses_a_free_line_without_its_turns(line: str) -> None:
    """4.2: `turns=` stands after `bank=`, and only in a free game."""
    with pytest.raises(PositionError, match="expected bank=, turns=, one field"):
        choose(KIND, 2, {"rounds": "free"}).load(line)
    with pytest.raises(PositionError):
        choose(KIND, 2, {"rounds": 20}).load("bank=2 turns=7 100/4 100/3 dice=c-d-h")


def test_4_2_refuses_a_bank_that_did_not_go_round_before_the_200th_turn() -> None:
    """1.3: the last banker was seat 2, so nobody after it has held the bank more often."""
    assert broken("bank=2 turns=200 100/101 100/99 dice=c-d-h", rounds="free") == "1.3"


def test_4_2_allows_the_players_to_stop_and_count() -> None:
    """4.2: stakes not yet settled go back, and 4.3 names the winner."""
    state = table("bank=1 93/1 100/1:c7! dice=c-d-h", rounds=3)
    stopped = state.stop()
    assert stopped.node == Over((93, 107), "4.2 agreed", (1,))
    assert stopped.winners == (1,)
    assert stopped.over
    assert not state.over
    assert stopped != state


def test_4_2_refuses_every_action_after_the_players_have_stopped() -> None:
    """4.2: the money is counted."""
    stopped = table("bank=1 93/1 100/1:c7 dice=c-d-h").stop()
    refusal = stopped.refusal(1, "!")
    assert refusal is not None
    assert refusal.paragraphs == ("4.2",)
    assert stopped.legal() == []
    with pytest.raises(IllegalAction, match=r"Tabu 4\.2"):
        stopped.play("!", 1)
    with pytest.raises(TableeError, match="the game is over"):
        table("bank=1 93/1 100/1:c7! dice=c-d-h").stop().throw(1)


def test_4_2_refuses_to_stop_a_game_that_is_over() -> None:
    """4.2: there is nothing left to agree on."""
    with pytest.raises(TableeError, match="the game is over"):
        table("bank=3 118/3 75/3 107/3 dice=h-h-s").stop()


def test_4_3_allows_the_most_money_to_win() -> None:
    """4.3: 118 against 107 and 75."""
    node = table("bank=3 118/3 75/3 107/3 dice=h-h-s").node
    assert isinstance(node, Over)
    assert node.winners == (0,)


def test_4_3_allows_a_shared_win() -> None:
    """4.3: equal money at the top is a shared win."""
    node = table("bank=3 118/3 64/3 118/3 dice=h-h-s").node
    assert isinstance(node, Over)
    assert node.winners == (0, 2)


def test_4_3_refuses_the_win_to_anybody_with_less() -> None:
    """4.3: equal money below the top wins nothing."""
    node = table("bank=3 90/3 120/3 90/3 dice=h-h-s").node
    assert isinstance(node, Over)
    assert node.winners == (1,)
