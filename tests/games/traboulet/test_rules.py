"""Traboulet, paragraph by paragraph: what each allows, what each refuses."""

import pytest

import tablee
from tablee.core.errors import NotationError, PositionError, UnknownName
from tablee.core.state import Decision, Over, State
from tests.asking import after, broken

START = "ww3bb/ww1r1bb/2rrr2/1rrrrr1/2rrr2/bb1r1ww/bb3ww w 0 0 - -"
# Black has just pushed a4b4: the white marble on c4 may not be pushed straight back.
PUSHED = "7/7/7/1bw4/7/7/5wr w 0 0 c4b4 -"
# White's four corners close a full ring: every push would send a white marble over the edge.
RING = "wrbrbrw/r5r/b5b/r5r/b5b/r5r/wrbrbrw w 0 1 - -"
# Two lone marbles far apart, free to walk to and fro.
WALK = "6b/7/7/3r3/7/7/w6 w 0 0 - -"
ROUND = ("a1b1", "g7f7", "b1a1", "f7g7")


def at(line: str, *tokens: str, **options: str) -> State:
    """Return the state after these tokens from a position line."""
    return after(tablee.game("traboulet", 2, **options).load(line), *tokens)


def legal(state: State) -> list[str]:
    """Return the legal tokens."""
    return [state.game.notate(action) for action in state.legal()]


def ranks(state: State) -> str:
    """Return the board of a state, without the rest of its line."""
    return state.game.dump(state).split(" ")[0]


def line(state: State) -> str:
    """Return the position line of a state."""
    return state.game.dump(state)


def contradicted(text: str, **options: str) -> str:
    """Return the paragraph that a position line contradicts."""
    with pytest.raises(PositionError) as error:
        tablee.game("traboulet", 2, **options).load(text)
    return error.value.paragraph


def misread(token: str) -> str:
    """Return the paragraph that a token contradicts."""
    with pytest.raises(NotationError) as error:
        tablee.game("traboulet").parse(token)
    return error.value.paragraph


# 1 Set-up


def test_1_1_allows_eight_white_eight_black_and_thirteen_red_marbles() -> None:
    """1.1: 8 white, 8 black, 13 red marbles on 7 × 7 cells."""
    assert sorted(ranks(at(START)).count(colour) for colour in "wbr") == [8, 8, 13]


@pytest.mark.parametrize(
    "text",
    [
        "www2bb/ww1r1bb/2rrr2/1rrrrr1/2rrr2/bb1r1ww/bb3ww w 0 0 - -",
        "ww2bbb/ww1r1bb/2rrr2/1rrrrr1/2rrr2/bb1r1ww/bb3ww w 0 0 - -",
        "ww1r1bb/ww1r1bb/2rrr2/1rrrrr1/2rrr2/bb1r1ww/bb3ww w 0 0 - -",
        "ww3bb/ww1r1bb/2rrr2/1rrrrr1/2rrr2/bb1r1ww/bb3ww w 0 1 - -",
        "ww4bb/ww1r1bb/2rrr2/1rrrrr1/2rrr2/bb1r1ww/bb3ww w 0 0 - -",
        "ww3b/ww1r1bb/2rrr2/1rrrrr1/2rrr2/bb1r1ww/bb3ww w 0 0 - -",
        "ww3bb/ww1r1bb/2rrr2/1rrrrr1/2rrr2/bb1r1ww w 0 0 - -",
    ],
)
def test_1_1_refuses_marbles_and_cells_there_are_not(text: str) -> None:
    """1.1: no ninth white or black marble, no fourteenth red, no eighth cell, no missing rank."""
    assert contradicted(text) == "1.1"


def test_1_2_allows_eight_opening_pushes() -> None:
    """1.2: the set-up, from which White has eight pushes."""
    state = tablee.game("traboulet").start(lambda n: 0)
    assert line(state) == START
    assert sorted(legal(state)) == ["a6b6", "a7a6", "a7b7", "b7b6", "f1f2", "g1f1", "g1g2", "g2f2"]


def test_1_2_refuses_a_push_out_of_a_corner_that_has_no_room() -> None:
    """1.2: a7 stands behind b7, so b7 cannot go to the right at the start."""
    assert broken(at(START), "b7c7") == ("2.2",)


def test_1_3_allows_white_to_begin() -> None:
    """1.3: White moves first."""
    node = at(START).node
    assert isinstance(node, Decision)
    assert node.seats == (0,)


def test_1_3_refuses_black_the_first_push() -> None:
    """1.3: Black waits for his turn."""
    assert broken(at(START), "f7f6", seat=1) == ("2.1",)


def test_1_4_allows_the_mirrored_board_to_be_played_alike() -> None:
    """1.4: a mirror image changes nothing in play."""
    kind = tablee.kind("traboulet")
    mirror = next(one for one in kind.symmetries if one.name == "left and right")
    state = at(START)
    mirrored = at(mirror.line(state.game, START))
    assert sorted(legal(mirrored)) == sorted(mirror.token(state.game, token) for token in legal(state))


def test_1_4_refuses_to_be_an_option_of_the_rules() -> None:
    """1.4: which way the board lies is a choice of the screen; cell names stay those of 1.2."""
    with pytest.raises(UnknownName, match="bonus, ko, repetition"):
        tablee.game("traboulet", mirror="yes")


# 2 Push


def test_2_1_allows_a_push_along_a_rank_and_along_a_file() -> None:
    """2.1: one own marble, one cell, along a rank or file."""
    assert {"d4e4", "d4c4", "d4d5", "d4d3"} <= set(legal(at("6b/7/7/3w3/7/7/7 w 0 0 - -")))


@pytest.mark.parametrize("token", ["b7d7", "a7b6", "b7b7", "g4h4", "a1a0", "h8h9", "a10a11"])
def test_2_1_refuses_two_cells_a_slant_and_what_is_off_the_board(token: str) -> None:
    """2.1: a token that no push of the game could be."""
    assert misread(token) == "2.1"


@pytest.mark.parametrize("token", ["", "..", "b7", "b7-c7", "B7C7", "b7c7 ", "b7c7\n", "b٧c٧", "b7c7d7"])
def test_2_1_refuses_what_cannot_be_read_without_citing_a_rule(token: str) -> None:
    """2.1: text that is no token breaks no rule."""
    assert misread(token) == ""


@pytest.mark.parametrize("token", ["c7d7", "d6d5", "f7f6"])
def test_2_1_refuses_an_empty_cell_a_red_and_an_enemy_marble(token: str) -> None:
    """2.1: one pushes a marble of one's own."""
    assert "2.1" in broken(at(START), token)


def test_2_1_refuses_the_other_seat_and_the_dice() -> None:
    """2.1: a turn is one push, and it is White's; there are no dice."""
    assert broken(at(START), "a7b7", seat=1) == ("2.1",)
    assert broken(at(START), "a7b7", seat=-1) == ("2.1",)


def test_2_1_refuses_a_second_push_in_the_same_turn() -> None:
    """2.1: one push, then the other side."""
    assert at(START, "a7b7").turn == 1


def test_2_2_allows_the_finger_from_off_the_board() -> None:
    """2.2: the edge of the board leaves room for the finger."""
    assert broken(at(START), "a7b7") == ()


def test_2_2_allows_the_finger_on_an_empty_cell() -> None:
    """2.2: an empty cell behind leaves room for the finger."""
    assert broken(at("6b/7/7/2wr3/7/7/7 w 0 0 - -"), "c4d4") == ()


@pytest.mark.parametrize("colour", ["w", "b", "r"])
def test_2_2_refuses_a_marble_behind(colour: str) -> None:
    """2.2: a marble of any colour behind leaves no room."""
    state = at(f"6b/7/7/1{colour}wr3/7/7/7 w 0 0 - -")
    assert broken(state, "c4d4") == ("2.2",)
    assert state.refusal(0, state.game.parse("c4d4")).cells == ("b4", "c4")  # type: ignore[union-attr]


def test_2_3_allows_a_full_line_of_seven_to_move() -> None:
    """2.3: six others move with the pushed marble; the last falls."""
    assert ranks(at("7/7/7/wrbwbrb/7/7/7 w 0 0 - -", "a4b4")) == "7/7/7/1wrbwbr/7/7/7"


def test_2_3_allows_every_colour_in_the_line() -> None:
    """2.3: own, enemy and red marbles move together, upwards as well."""
    assert ranks(at("7/7/7/3b3/3r3/3w3/3w3 w 0 0 - -", "d1d2")) == "7/7/3b3/3r3/3w3/3w3/7"


def test_2_3_refuses_to_move_what_stands_beyond_a_gap() -> None:
    """2.3: only the unbroken line moves."""
    assert ranks(at("7/7/7/wr1rb2/7/7/7 w 0 0 - -", "a4b4")) == "7/7/7/1wrrb2/7/7/7"


def test_2_4_allows_an_own_marble_to_reach_the_edge() -> None:
    """2.4: the edge itself is still the board."""
    assert broken(at("6b/7/7/4ww1/7/7/7 w 0 0 - -"), "e4f4") == ()


@pytest.mark.parametrize("rank", ["4rww", "3wrrw", "w1wbrbw", "wrbrbrw"])
def test_2_4_refuses_an_own_marble_over_the_edge(rank: str) -> None:
    """2.4: not one's own marble, at the end of however long a line."""
    state = at(f"7/b6/7/{rank}/7/7/7 w 0 0 - -")
    start = {"4rww": "f4g4", "3wrrw": "d4e4", "w1wbrbw": "c4d4", "wrbrbrw": "a4b4"}[rank]
    assert "2.4" in broken(state, start)


def test_2_5_allows_the_capture_of_a_red_for_good() -> None:
    """2.5: a red over the edge is counted for who pushed it."""
    assert line(at("b6/7/7/5wr/7/7/7 w 0 0 - -", "f4g4", ".")) == "b6/7/7/6w/7/7/7 b 1 0 - -"


def test_2_5_allows_the_capture_of_an_enemy_marble_for_good() -> None:
    """2.5: an enemy marble over the edge is gone, and no red is counted."""
    assert line(at("b6/7/7/5wb/7/7/7 w 0 0 - -", "f4g4", ".")) == "b6/7/7/6w/7/7/7 b 0 0 - -"


def test_2_5_refuses_to_capture_what_only_reaches_the_edge() -> None:
    """2.5: at the edge a marble is still in play."""
    assert line(at("b6/7/7/4wr1/7/7/7 w 0 0 - -", "e4f4")) == "b6/7/7/5wr/7/7/7 b 0 0 - -"


# 3 Not straight back


def test_3_1_allows_a_push_back_that_starts_from_a_marble_behind() -> None:
    """3.1: the line goes back when the finger is on another marble."""
    assert ranks(at("7/7/7/1bww3/7/7/7 w 0 0 c4b4 -", "d4c4")) == "7/7/7/bww4/7/7/7"


def test_3_1_allows_to_push_a_red_or_enemy_ended_line_back() -> None:
    """3.1: a line that ends in a red or in the pusher's own marble sets no ban."""
    assert line(at("7/7/7/br5/7/7/6w b 0 0 - -", "a4b4")).split(" ")[4] == "-"
    assert line(at("7/7/7/bb5/7/7/6w b 0 0 - -", "a4b4")).split(" ")[4] == "-"


def test_3_1_allows_to_push_back_after_a_capture() -> None:
    """3.1: the enemy's push captured a marble, so the line may go straight back."""
    state = at("7/7/7/4bww/7/7/w6 b 0 0 - -", "e4f4", ".")
    assert ranks(state) == "7/7/7/5bw/7/7/w6"
    assert broken(state, "g4f4") == ()


def test_3_1_allows_it_one_turn_later() -> None:
    """3.1: the ban ends with the turn."""
    assert broken(at("6b/7/7/1bw4/7/7/5w1 w 0 0 c4b4 -", "f1g1", "g7f7"), "c4b4") == ()


def test_3_1_refuses_to_push_straight_back() -> None:
    """3.1: not from the far end of the line in the opposite direction."""
    state = at("7/7/7/b1w4/7/7/6w b 0 0 - -", "a4b4", "g1f1")
    assert broken(state, "b4c4") == ()
    state = state.play(state.game.parse("b4c4"))
    assert ranks(state) == "7/7/7/2bw3/7/7/5w1"
    assert broken(state, "d4c4") == ("3.1",)


def test_3_1_refuses_it_on_bonus_pushes_too() -> None:
    """3.1: until the turn ends, bonus pushes included."""
    assert broken(at(PUSHED, "f1g1"), "c4b4") == ("3.1",)


def test_3_1_refuses_it_whatever_stands_there_by_then() -> None:
    """3.1: after the capture another white marble stands on c4; the ban is on the cell and the direction."""
    state = at("2r4/2r4/2r4/1bw4/2w4/7/7 w 0 0 c4b4 -", "c3c4")
    assert ranks(state) == "2r4/2r4/2w4/1bw4/7/7/7"
    assert broken(state, "c4b4") == ("3.1",)


def test_3_1_refuses_a_position_whose_ban_no_push_could_have_set() -> None:
    """3.1: the far end must be one's own, the near end the enemy's, with room where it came from."""
    for text in (
        "6b/7/7/1rw4/7/7/7 w 0 0 c4b4 -",
        "6b/7/7/1ww4/7/7/7 w 0 0 c4b4 -",
        "6b/7/7/1bb3w/7/7/7 w 0 0 c4b4 -",
        "6b/7/7/bw5/7/7/7 w 0 0 b4a4 -",
        "6b/7/7/r1bw3/7/7/7 w 0 0 d4c4 -",
        "6b/7/7/2w4/7/7/7 w 0 0 c4b4 -",
        "6b/7/7/bw5/7/7/5wr w 1 0 b4a4 +",
    ):
        assert contradicted(text) == "3.1"


def test_3_1_position_allows_it_on_a_bonus_push() -> None:
    """3.1, option `ko` = `position`: after a capture nothing is forbidden any more."""
    assert broken(at(PUSHED, "f1g1", ko="position"), "c4b4") == ()


def test_3_1_position_refuses_to_restore_the_position() -> None:
    """3.1, option `ko` = `position`: the first push may not undo the enemy's."""
    assert broken(at(PUSHED, ko="position"), "c4b4") == ("3.1",)


def test_3_1_position_refuses_a_ban_on_a_bonus_push() -> None:
    """3.1, option `ko` = `position`: a line cannot say both."""
    assert contradicted("7/7/7/1bw4/7/7/6w w 1 0 c4b4 +", ko="position") == "3.1"


# Black has just pushed b4c4: with `ko=row` the row may not go back at all.
ROW = "7/7/7/2bww2/7/7/5wr w 0 0 d4c4 -"


def test_3_1_row_allows_to_push_the_row_another_way() -> None:
    """3.1, option `ko` = `row`: the ban is on one direction only."""
    assert broken(at(ROW, ko="row"), "d4d5") == ()


def test_3_1_row_allows_to_push_back_what_does_not_move_the_far_end() -> None:
    """3.1, option `ko` = `row`: a gap lies between e4 and the marble on c4."""
    assert broken(at("7/7/7/1bw1w2/7/7/7 w 0 0 c4b4 -", ko="row"), "e4d4") == ()


def test_3_1_row_allows_to_enter_the_cell_once_it_is_empty() -> None:
    """3.1, option `ko` = `row`: a bonus push has emptied c4."""
    state = at("2r4/2w4/2w4/1bww3/7/7/7 w 0 0 c4b4 -", "c4c5", ko="row")
    assert (ranks(state), line(state).split(" ")[4:]) == ("2w4/2w4/2w4/1b1w3/7/7/7", ["c4b4/-", "+"])
    assert broken(state, "d4c4") == ()


def test_3_1_row_allows_it_one_turn_later() -> None:
    """3.1, option `ko` = `row`: the ban ends with the turn."""
    assert broken(at("6b/7/7/2bww2/7/7/5w1 w 0 0 d4c4 -", "f1g1", "g7f7", ko="row"), "e4d4") == ()


def test_3_1_row_allows_to_push_back_after_a_bonus_push_that_moved_another_line() -> None:
    """3.1, option `ko` = `row`: only the last push of a turn sets a ban."""
    state = at("7/7/7/4bww/7/7/b5w b 0 0 - -", "e4f4", "a1b1", ko="row")
    assert broken(state, "g4f4") == ()


def test_3_1_row_refuses_the_same_push_as_reverse() -> None:
    """3.1, option `ko` = `row`: from the far end itself."""
    assert broken(at(PUSHED, ko="row"), "c4b4") == ("3.1",)


def test_3_1_row_refuses_a_push_back_that_starts_from_a_marble_behind() -> None:
    """3.1, option `ko` = `row`: whichever marble starts the push; `reverse` allows it."""
    assert broken(at(ROW, ko="row"), "e4d4") == ("3.1",)
    assert broken(at(ROW), "e4d4") == ()


def test_3_1_row_refuses_it_on_bonus_pushes_too() -> None:
    """3.1, option `ko` = `row`: until the turn ends."""
    assert broken(at(ROW, "f1g1", ko="row"), "e4d4") == ("3.1",)


def test_3_1_row_refuses_it_whatever_stands_there_by_then() -> None:
    """3.1, option `ko` = `row`: after the capture another marble stands on c4."""
    state = at("2r4/2r4/2r4/1bww3/2w4/7/7 w 0 0 c4b4 -", "c3c4", ko="row")
    assert broken(state, "d4c4") == ("3.1",)


@pytest.mark.parametrize("bonus", ["any", "red", "none"])
def test_3_1_row_refuses_to_push_back_after_a_capture(bonus: str) -> None:
    """3.1, option `ko` = `row`: a capture sets the ban too, whether the turn is ended or ends by itself."""
    tokens = ("e4f4", ".") if bonus == "any" else ("e4f4",)
    state = at("7/7/7/4bww/7/7/w6 b 0 0 - -", *tokens, ko="row", bonus=bonus)
    assert line(state) == "7/7/7/5bw/7/7/w6 w 0 0 g4f4 -"
    assert broken(state, "g4f4") == ("3.1",)


def test_3_1_row_refuses_a_line_without_the_ban_to_come() -> None:
    """3.1, option `ko` = `row`: it always stands there on a bonus push, and never else."""
    assert contradicted("b6/7/7/6w/7/7/w6 w 1 0 - +", ko="row") == "3.1"
    assert contradicted("b6/7/7/6w/7/7/w6 w 1 0 -/- -", ko="row") == "3.1"
    assert contradicted("b6/7/7/6w/7/7/w6 w 1 0 -/- +") == "3.1"


@pytest.mark.parametrize("text", ["b6/7/7/4wb1/7/7/w6 w 0 0 -/f4e4 +", "b6/7/7/5rb/7/7/w6 w 0 0 -/g4f4 +", "b6/7/7/5ww/7/7/w6 w 0 0 -/g4f4 +"])
def test_3_1_row_refuses_a_ban_to_come_that_no_capture_sets(text: str) -> None:
    """3.1, option `ko` = `row`: the far end lies on the edge and is the other side's, the near end one's own."""
    assert contradicted(text, ko="row") == "3.1"


# 4 Bonus push


def test_4_1_allows_another_push_after_a_capture() -> None:
    """4.1: who captures may push again, with any own marble."""
    state = at("b6/7/7/5wr/7/7/w6 w 0 0 - -", "f4g4")
    assert state.turn == 0
    assert {"g4f4", "a1b1", "a1a2", "."} <= set(legal(state))


def test_4_1_allows_again_after_each_further_capture() -> None:
    """4.1: one turn, three captures: an enemy marble and two reds."""
    assert line(at("b6/7/7/3wrrb/7/7/7 w 0 0 - -", "d4e4", "e4f4", "f4g4")) == "b6/7/7/6w/7/7/7 w 2 0 - +"


def test_4_1_refuses_another_push_without_a_capture() -> None:
    """4.1: a push that captures nothing ends the turn, a bonus push too."""
    assert at("b6/7/7/5wr/7/7/w6 w 0 0 - -", "f4g4", "g4f4").turn == 1


def test_4_1_refuses_a_bonus_that_nothing_gave() -> None:
    """4.1: a line with a bonus push on needs a capture that gives one."""
    full = START.replace(" w 0 0 - -", " w 0 0 - +")
    assert contradicted(full) == "4.1"
    assert contradicted("b6/7/7/6w/7/7/7 w 0 1 - +", bonus="red") == "4.1"
    assert contradicted("b6/7/7/6w/7/7/7 w 1 0 - +", bonus="none") == "4.1"


def test_4_1_red_allows_another_push_after_a_red() -> None:
    """4.1, option `bonus` = `red`: a red still gives one."""
    assert at("b6/7/7/5wr/7/7/7 w 0 0 - -", "f4g4", bonus="red").turn == 0


def test_4_1_red_refuses_another_push_after_an_enemy_marble() -> None:
    """4.1, option `bonus` = `red`: an enemy marble gives none."""
    assert at("b6/7/7/5wb/7/7/7 w 0 0 - -", "f4g4", bonus="red").turn == 1


def test_4_1_none_refuses_another_push_after_any_capture() -> None:
    """4.1, option `bonus` = `none`: one push a turn."""
    assert at("b6/7/7/5wr/7/7/7 w 0 0 - -", "f4g4", bonus="none").turn == 1


def test_4_2_allows_to_stop() -> None:
    """4.2: the bonus push is a right."""
    assert at("b6/7/7/5wr/7/7/7 w 0 0 - -", "f4g4", ".").turn == 1


def test_4_2_allows_the_turn_to_end_by_itself_when_no_push_is_left() -> None:
    """4.2: after the capture the only push left is banned, so Black is to move and no `.` is written."""
    assert line(at("7/7/6r/5wr/6r/7/b6 w 1 0 g4f4 +", "f4g4")) == "7/7/6r/6w/6r/7/b6 b 2 0 - -"


def test_4_2_refuses_to_stop_without_a_capture() -> None:
    """4.2: `.` is on offer only while a bonus push is."""
    assert broken(at(START), ".") == ("4.2",)
    assert "." not in legal(at(START))
    assert broken(at(START, bonus="none"), ".") == ("4.2",)


def test_4_2_refuses_a_line_whose_turn_has_ended_by_itself() -> None:
    """4.2: a bonus push cannot be on when no push is left."""
    assert contradicted("7/7/6r/6w/6r/7/b6 w 2 0 g4f4 +") == "4.2"


# 5 End


def test_5_1_allows_the_seventh_red_to_win_at_once() -> None:
    """5.1: seven reds win, without a bonus push."""
    assert at("b6/7/7/5wr/7/7/7 w 6 5 - -", "f4g4").node == Over((1, -1), "5.1", (0,))
    assert at("w6/7/7/5br/7/7/7 b 5 6 - -", "f4g4").node == Over((-1, 1), "5.1", (1,))


def test_5_1_refuses_to_end_at_the_sixth_red_or_at_an_enemy_marble() -> None:
    """5.1: only the seventh red, and only reds, count."""
    assert isinstance(at("b6/7/7/5wr/7/7/7 w 5 5 - -", "f4g4").node, Decision)
    assert isinstance(at("b6/7/7/5wb/7/7/7 w 6 6 - -", "f4g4").node, Decision)


def test_5_1_refuses_every_action_afterwards() -> None:
    """5.1: after the end nothing is played."""
    state = at("b6/7/7/5wr/7/7/7 w 6 5 - -", "f4g4")
    assert broken(state, "g4f4") == broken(state, ".") == broken(state, "a7a6", seat=1) == ("5.1",)


@pytest.mark.parametrize("text", ["b6/7/7/6w/7/7/7 b 7 5 - -", "b6/7/7/6w/7/7/7 w 7 5 - +", "b6/7/7/6w/7/7/7 w 8 0 - -"])
def test_5_1_refuses_a_line_that_goes_on_after_seven_reds(text: str) -> None:
    """5.1: the game ends at once, in the turn of the winner."""
    assert contradicted(text) == "5.1"


def test_5_2_allows_the_last_marble_to_end_the_game_at_once() -> None:
    """5.2: who has no marble left loses at once."""
    assert at("7/7/7/5wb/7/7/7 w 0 0 - -", "f4g4").node == Over((1, -1), "5.2", (0,))


def test_5_2_allows_who_cannot_push_to_lose() -> None:
    """5.2: White's four marbles hold the corners of a full ring, so no push is left."""
    assert at(RING).node == Over((-1, 1), "5.2", (1,))


def test_5_2_allows_who_may_not_push_straight_back_to_lose() -> None:
    """5.2: 3.1 counts: the only push left is banned."""
    assert at("7/7/6r/4bw1/6r/7/7 b 0 0 - -", "e4f4").node == Over((-1, 1), "5.2", (1,))


def test_5_2_allows_who_may_only_repeat_to_lose() -> None:
    """5.2: the option `forbid` counts: White's only push would bring back an earlier start of a turn."""
    tokens = ("f3f4", "a1b1", "f4g4", "b1a1")
    assert at("7/7/6r/7/5wr/7/b6 w 0 0 - -", *tokens, repetition="forbid").node == Over((-1, 1), "5.2", (1,))
    assert legal(at("7/7/6r/7/5wr/7/b6 w 0 0 - -", *tokens)) == ["g4f4"]


def test_5_2_refuses_to_end_while_one_push_is_left() -> None:
    """5.2: without the ban there is one push, and the game goes on."""
    assert legal(at("7/7/6r/5bw/6r/7/7 w 0 0 - -")) == ["g4f4"]


@pytest.mark.parametrize("text", ["7/7/7/6w/7/7/7 b 0 0 - -", "7/7/7/6r/7/7/7 w 0 0 - -", "7/7/7/6w/7/7/7 w 7 0 - -", "7/7/7/6w/7/7/7 w 1 0 - +"])
def test_5_2_refuses_a_line_that_goes_on_without_marbles(text: str) -> None:
    """5.2: the game ends at once, in the turn of who captured the last marble."""
    assert contradicted(text) == "5.2"


def test_5_3_allows_a_draw_at_the_third_time() -> None:
    """5.3: the set-up is the first time, the second round brings the third."""
    assert at(WALK, *ROUND, *ROUND).node == Over((0, 0), "5.3", (0, 1))


def test_5_3_refuses_to_end_at_the_second_time() -> None:
    """5.3: twice is not three times."""
    assert isinstance(at(WALK, *ROUND, *ROUND[:3]).node, Decision)


def test_5_3_refuses_to_count_a_position_whose_legal_pushes_differ() -> None:
    """5.3: at first 3.1 took one push away, so that start of a turn is another; Black's own start is the one that comes thrice."""
    first = "6b/7/7/1bw4/7/7/5w1 w 0 0 c4b4 -"
    walk = ("f1g1", "g7f7", "g1f1", "f7g7")
    assert isinstance(at(first, *walk, *walk).node, Decision)
    assert at(first, *walk, *walk, walk[0]).node == Over((0, 0), "5.3", (0, 1))


def test_5_3_forbid_allows_what_is_new() -> None:
    """5.3, option `repetition` = `forbid`: another push than the one that repeats."""
    assert broken(at(WALK, *ROUND[:3], repetition="forbid"), "f7f6") == ()


def test_5_3_forbid_refuses_an_earlier_start_of_a_turn() -> None:
    """5.3, option `repetition` = `forbid`: no push may lead to the same board with the same player to move."""
    state = at(WALK, *ROUND[:3], repetition="forbid")
    assert broken(state, "f7g7") == ("5.3",)
    assert "f7g7" not in legal(state)


def test_5_3_play_on_allows_any_number_of_times() -> None:
    """5.3, option `repetition` = `play_on`: nothing happens."""
    assert isinstance(at(WALK, *ROUND * 5, repetition="play_on").node, Decision)


def test_5_3_refuses_to_come_before_5_1_and_5_2() -> None:
    """5.3: a capture ends every repetition, and who cannot push has lost, not drawn."""
    assert at(RING, repetition="draw").node == Over((-1, 1), "5.2", (1,))
