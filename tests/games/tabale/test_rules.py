"""Tabale, paragraph by paragraph: what each allows, what each refuses."""

import pytest

import tablee
from tablee.core.errors import NotationError, PositionError, TableeError, UnknownName
from tablee.core.state import Over, State
from tablee.games.tabale.board import CELL, NEXT, VALUE, marked
from tests.asking import after, broken

FULL = "30p,12w,6d:0x,0xx"
# The fools are set, nothing else: Yellow on b1, Red on h9.
OPEN = f"1 run b1:-:{FULL} h9:-:{FULL} -"
# Yellow's fool has left e1 for e4, and turns there.
TURNING = f"1 turn:e1 e4:-:{FULL} h9:-:{FULL} -"
# Yellow's fool rests on h7; the pawn is due on e4.
RESTING = f"1 lay:e1:e4 h7:-:{FULL} h9:-:{FULL} -"
# Yellow has laid a pawn on e4.
LAID = f"1 end:e1:e4 h7:e4+:29p,12w,6d:0x,0xx h9:-:{FULL} -"
# The sheet's figure 4: Yellow's pawn on d3 may take d2, then e2; not f4 (f5 is taken), not g4 (a wood).
JUMPS = "1 end:d8:d3 b1:b4+c6+d3+g7+:16p,8w,4d:0x,0xx h9:d2+f5+g4+:17p,7w,4d:0x,0xx a4:e2+f4+i7+:17p,8w,4d:0x,0xx |f3g4"
# Yellow's fool in the corner a1: it can run to a2 and a3, but turn nowhere (figure 5).
STUCK = "1 run a1:b2+e5+f6++:26p,11w,5d:0x,0xx a4:b1+d4+g5+g6+:26p,10w,6d:0x,0xx |a2b3|a3b3|a3b4"
# Yellow has one pawn left and its fool about to turn on e4; Red could still go on.
LAST = "1 turn:e1 e4:c1+c2+c3+c4+c5+c6+c7+d7+f7+f8+f9+g7+:1p,12w,3d:0x,0xx h9:b1+:29p,12w,6d:11x,3xx -"


def at(line: str, *tokens: str, seats: int = 2, **options: str) -> State:
    """Return the state after these tokens from a position line."""
    return after(tablee.game("tabale", seats, **options).load(line), *tokens)


def begun(*tokens: str, seats: int = 2, **options: str) -> State:
    """Return the state after these tokens from the empty board."""
    return after(tablee.game("tabale", seats, **options).start(lambda n: 0), *tokens)


def why(state: State, token: str) -> str:
    """Return the first reason a token is refused for, in English."""
    refusal = state.refusal(state.turn, state.game.parse(token))
    assert refusal is not None
    return state.game.kind.words("en").say(refusal.rulings[0].message)


def legal(state: State, kind: str = "") -> list[str]:
    """Return the legal tokens that begin so, sorted."""
    return sorted(token for action in state.legal() if (token := state.game.notate(action)).startswith(kind))


def line(state: State) -> str:
    """Return the position line of a state."""
    return state.game.dump(state)


def over(state: State) -> Over:
    """Return how the game ended."""
    assert isinstance(state.node, Over)
    return state.node


def contradicted(text: str, seats: int = 2, **options: str) -> str:
    """Return the paragraph that a position line contradicts."""
    with pytest.raises(PositionError) as error:
        tablee.game("tabale", seats, **options).load(text)
    return error.value.paragraph


def misread(token: str) -> str:
    """Return the paragraph that a token contradicts."""
    with pytest.raises(NotationError) as error:
        tablee.game("tabale").parse(token)
    return error.value.paragraph


# 1 Material and set-up


def test_1_1_allows_rings_of_24_18_12_6_and_1_cells() -> None:
    """1.1: from the rim to the centre, worth 1, 3, 6, 10 and 15."""
    assert [list(VALUE.values()).count(value) for value in (1, 3, 6, 10, 15)] == [24, 18, 12, 6, 1]


def test_1_1_refuses_two_pieces_on_one_cell_of_the_61() -> None:
    """1.1, 2.2: each of the 61 cells holds one thing."""
    assert contradicted(f"1 run b1:-:{FULL} b1:-:{FULL} -") == "2.2"


def test_1_2_allows_the_centre_e5_with_its_six_neighbours() -> None:
    """1.2: d4 d5 e4 e6 f5 f6."""
    names = {number: name for name, number in CELL.items()}
    assert sorted(names[cell] for cell in NEXT[CELL["e5"]]) == ["d4", "d5", "e4", "e6", "f5", "f6"]


@pytest.mark.parametrize("token", ["a6", "f1", "-i4", "xj5", "@e0", "|i9j9"])
def test_1_2_refuses_a_cell_that_is_not_on_the_board(token: str) -> None:
    """1.2: a1 to a5, f2 to f9, i5 to i9."""
    assert misread(token) == "1.2"


def test_1_2_refuses_such_a_cell_in_a_position() -> None:
    """1.2: there is no a9."""
    assert contradicted(f"1 run a9:-:{FULL} h9:-:{FULL} -") == "1.2"


@pytest.mark.parametrize("edges", ["114", "84", "66", "156"])
def test_1_3_allows_as_many_woods_as_sides_are_marked(edges: str) -> None:
    """1.3: the option is named by the number of marked sides."""
    assert len(legal(at(LAID, edges=edges), "|")) == int(edges)


def test_1_3_allows_a_wood_beside_a_cell_worth_3_by_default() -> None:
    """1.3: the side between e2, worth 3, and e3, worth 6."""
    assert broken(at(LAID), "|e2e3") == ()


@pytest.mark.parametrize(("edges", "token"), [("114", "|e3e4"), ("84", "|e2e3"), ("66", "|e2f3")])
def test_1_3_refuses_a_wood_on_a_side_without_mark(edges: str, token: str) -> None:
    """1.3, 4.1: nearer the centre than the marks go."""
    assert broken(at(LAID, edges=edges), token) == ("4.1",)


def test_1_3_allows_every_side_under_156() -> None:
    """1.3, `edges: 156`: even in the centre."""
    assert broken(at(LAID, edges="156"), "|e5f5") == ()


def test_1_3_refuses_an_unknown_number_of_edges() -> None:
    """1.3: the option has four values."""
    with pytest.raises(UnknownName, match="114, 84, 66, 156"):
        tablee.game("tabale", edges="100")


@pytest.mark.parametrize(("seats", "stock"), [(2, "30p,12w,6d"), (3, "20p,8w,4d"), (4, "15p,6w,3d")])
def test_1_4_allows_30_20_or_15_pawns_and_12_8_or_6_woods(seats: int, stock: str) -> None:
    """1.4: what each player gets."""
    assert line(begun(seats=seats)) == f"1 set {f'-:-:{stock}:0x,0xx ' * seats}-"


@pytest.mark.parametrize("stock", ["31p,12w,6d:0x,0xx", "30p,13w,6d:0x,0xx", "30p,11w,6d:0x,0xx"])
def test_1_4_refuses_a_stock_that_does_not_add_up(stock: str) -> None:
    """1.4: 30 pawns and 12 woods with two players."""
    assert contradicted(f"1 run b1:-:{stock} h9:-:{FULL} -") == "1.4"


def test_1_4_refuses_dice() -> None:
    """1.4: there are none among the material."""
    assert broken(at(OPEN), "e4", seat=-1) == ("1.4",)


def test_1_5_allows_the_18_rim_cells_that_are_no_corners() -> None:
    """1.5: four between each two corners, less the shared ends: 24 less 6."""
    assert len(legal(begun(), "@")) == 18


def test_1_5_allows_a_fool_to_run_into_a_corner_later() -> None:
    """1.5: corners are barred only at the set-up."""
    assert broken(at(OPEN), "a1") == ()


@pytest.mark.parametrize(("token", "reason"), [("@a1", "corner"), ("@e5", "rim"), ("@b1", "already on b1")])
def test_1_5_refuses_a_fool_on_a_corner_inside_or_on_another(token: str, reason: str) -> None:
    """1.5: a rim cell, no corner, not taken."""
    state = begun("@b1")
    assert broken(state, token) == ("1.5",)
    assert reason in why(state, token)


def test_1_5_refuses_a_turn_before_every_fool_is_set() -> None:
    """1.5: first all fools."""
    assert broken(begun("@b1"), "e4") == ("1.5",)


def test_1_5_refuses_a_fool_set_a_second_time() -> None:
    """1.5: fools are set once."""
    assert broken(at(OPEN), "@b2") == ("1.5",)


def test_1_5_refuses_a_step_out_of_turn() -> None:
    """1.5: clockwise from the first player."""
    assert broken(at(OPEN), "h8", seat=1) == ("1.5",)


def test_1_5_refuses_a_position_with_a_fool_missing() -> None:
    """1.5: nobody runs before all are set."""
    assert contradicted(f"1 run b1:-:{FULL} -:-:{FULL} -") == "1.5"


# 2 The fool's move


def test_2_1_allows_two_legs_of_any_length_with_a_turn_between() -> None:
    """2.1: e1 to e4, then up to the right to h7."""
    assert line(at(f"1 run e1:-:{FULL} h9:-:{FULL} -", "e4", "-h7")) == RESTING


def test_2_1_allows_the_shortest_move() -> None:
    """2.1: the sheet's figure 2: one cell, a turn, one cell."""
    assert broken(at(OPEN, "b2"), "-c2") == ()


def test_2_2_refuses_a_taken_cell_for_that_reason_alone() -> None:
    """2.2: that the fool could not leave a5 again is beside the point, since it cannot get there."""
    assert broken(at("1 run a1:e5+f6+:28p,12w,6d:0x,0xx a5:b5+b6+:28p,12w,6d:0x,0xx -"), "a5") == ("2.2",)


def test_2_1_refuses_a_way_over_a_corner_of_a_cell() -> None:
    """2.1: from b1 to c3 there is no straight way through sides."""
    assert "straight through edges" in why(at(OPEN), "c3")


def test_2_1_refuses_to_stay() -> None:
    """2.1: a leg is at least one cell."""
    assert broken(at(OPEN), "b1") == ("2.1",)
    assert broken(at(TURNING), "-e4") == ("2.1",)


def test_2_1_refuses_to_run_straight_on() -> None:
    """2.1: the sheet's figure 1b: the fool must turn."""
    assert broken(at(TURNING), "-e6") == ("2.1",)


def test_2_1_refuses_a_first_leg_without_a_second() -> None:
    """2.1: a2 and a3 are free, but there the fool could only run on straight or back."""
    state = at(STUCK.replace("|a3b4", "").replace("10w", "11w"))
    assert legal(state) == ["a3"]
    assert broken(state, "a2") == ("2.1",)


def test_2_1_refuses_to_turn_twice() -> None:
    """2.1: one turn; and one move a turn."""
    assert broken(at(TURNING), "e5") == ("2.1",)
    assert broken(at(LAID), "h6") == ("2.1",)


def test_2_1_refuses_to_end_the_turn_without_the_move() -> None:
    """2.1: the fool's move is obligatory."""
    assert broken(at(OPEN), ".") == ("2.1",)


def test_2_2_allows_to_cross_where_only_the_marker_is() -> None:
    """2.2: the marker on the fool's own start does not block; seen with `reversal`."""
    assert broken(at(f"1 turn:e3 e4:-:{FULL} h9:-:{FULL} -", reversal="yes"), "-e1") == ()


@pytest.mark.parametrize("thing", ["h9:e6+:29p", "e6:-:30p"])
def test_2_2_refuses_to_run_onto_or_over_a_pawn_or_a_fool(thing: str) -> None:
    """2.2: neither is free."""
    state = at(f"1 run e1:-:{FULL} {thing},12w,6d:0x,0xx -")
    assert broken(state, "e5") == ()
    assert broken(state, "e6") == ("2.2",)
    assert broken(state, "e8") == ("2.2",)


def test_2_2_refuses_to_cross_a_wood() -> None:
    """2.2: a wood between e1 and e2 stops both legs."""
    state = at(f"1 run e1:-:30p,11w,6d:0x,0xx h9:-:{FULL} |e1e2")
    assert broken(state, "e4") == ("2.2",)
    assert "between e1 and e2" in why(state, "e4")


def test_2_3_allows_turns_by_60_and_120_degrees_to_either_side() -> None:
    """2.3: after a run to the right, the four rays that are neither on nor back."""
    nearest = {"-f5", "-f4", "-d4", "-d3"}
    assert nearest <= set(legal(at(TURNING), "-"))


def test_2_3_refuses_to_go_straight_back() -> None:
    """2.3: the sheet's figure 1c."""
    assert broken(at(TURNING), "-e3") == ("2.3",)


def test_2_3_allows_to_go_straight_back_under_reversal() -> None:
    """2.3, `reversal: yes`: over the start, and to rest on it."""
    state = at(f"1 turn:e2 e4:-:{FULL} h9:-:{FULL} -", reversal="yes")
    assert {"-e3", "-e2", "-e1"} <= set(legal(state, "-"))


def test_2_3_refuses_to_run_straight_on_even_under_reversal() -> None:
    """2.3, `reversal: yes` changes the way back alone."""
    assert broken(at(TURNING, reversal="yes"), "-e5") == ("2.1",)


def test_2_3_allows_under_reversal_to_turn_where_only_the_way_back_is_open() -> None:
    """2.3, `reversal: yes`: the fool of figure 5 can move again."""
    state = at(STUCK, reversal="yes")
    assert legal(state) == ["a2", "a3"]
    assert broken(state, "a2") == ()


# 3 The pawn


def test_3_1_allows_a_pawn_on_the_cell_where_the_fool_turned() -> None:
    """3.1: on e4, after the fool has come to rest on h7."""
    assert line(at(RESTING, "+")) == LAID


@pytest.mark.parametrize("text", [OPEN, TURNING])
def test_3_1_refuses_a_pawn_before_the_fool_has_come_to_rest(text: str) -> None:
    """3.1: the move comes first."""
    assert broken(at(text), "+") == ("3.1",)


def test_3_1_refuses_a_second_pawn() -> None:
    """3.1: one a turn."""
    assert broken(at(LAID), "+") == ("3.1",)


def test_3_1_refuses_to_end_the_turn_without_a_pawn() -> None:
    """3.1: it is obligatory."""
    assert broken(at(RESTING), ".") == ("3.1",)


def test_3_2_allows_a_double() -> None:
    """3.2: two pawns on one cell."""
    assert "h7:e4++:28p,12w,5d:0x,0xx" in line(at(RESTING, "++"))


@pytest.mark.parametrize(("seats", "doubles"), [(2, 6), (3, 4), (4, 3)])
def test_3_2_allows_so_many_doubles_and_refuses_one_more(seats: int, doubles: int) -> None:
    """3.2: 6, 4 or 3 with 2, 3 or 4 players."""
    pawns = {2: 30, 3: 20, 4: 15}[seats]
    woods = {2: 12, 3: 8, 4: 6}[seats]
    cells = ["c1", "c2", "c3", "c4", "c5", "c6"][:doubles]
    others = " ".join(f"{fool}:-:{pawns}p,{woods}w,{doubles}d:0x,0xx" for fool in ("h9", "i8", "i7")[: seats - 1])
    for laid in (doubles - 1, doubles):
        own = "".join(f"{cell}++" for cell in cells[:laid])
        state = at(f"1 lay:e1:e4 h7:{own}:{pawns - 2 * laid}p,{woods}w,{doubles - laid}d:0x,0xx {others} -", seats=seats)
        assert broken(state, "++") == (() if laid < doubles else ("3.2",))


def test_3_2_refuses_a_double_when_the_quota_is_laid_even_if_captured() -> None:
    """3.2: the quota counts what was laid, lost or not: Yellow's six doubles are all taken."""
    assert broken(at("1 lay:e1:e4 h7:-:18p,12w,0d:0x,0xx h9:-:30p,12w,6d:0x,6xx -"), "++") == ("3.2",)


def test_3_2_refuses_a_double_with_one_pawn_left() -> None:
    """3.2: there are not two to lay."""
    state = at(LAST, "-h7")
    assert legal(state) == ["+"]
    assert broken(state, "++") == ("3.2",)


def test_3_2_refuses_a_position_with_too_many_doubles() -> None:
    """3.2: six laid and one left make seven."""
    assert contradicted(f"1 run b1:c1++c2++c3++c4++c5++c6++:18p,12w,1d:0x,0xx h9:-:{FULL} -") == "3.2"


def test_3_3_allows_a_jump_over_an_enemy_pawn() -> None:
    """3.3: over Red's d2 onto d1; it leaves at once."""
    after = at(JUMPS, "xd1", seats=3)
    assert "b1:b4+c6+d1+g7+:16p,8w,4d:1x,0xx h9:f5+g4+:17p" in line(after)


def test_3_3_allows_to_go_on_jumping_in_another_direction() -> None:
    """3.3: then over Green's e2 onto f3."""
    assert legal(at(JUMPS, "xd1", seats=3), "x") == ["xf3"]


def test_3_3_allows_to_stop_at_will() -> None:
    """3.3: before any jump or after one."""
    assert "." in legal(at(JUMPS, seats=3))
    assert "." in legal(at(JUMPS, "xd1", seats=3))


def test_3_3_allows_a_double_to_jump_and_to_be_captured_as_one() -> None:
    """3.3: a double over a double: 3 points, and it arrives whole."""
    state = at("1 end:e1:e4 h7:e4++:28p,12w,5d:0x,0xx h9:e5++:28p,12w,5d:0x,0xx -", "xe6")
    assert "h7:e6++:28p,12w,5d:0x,1xx h9:-:28p,12w,5d:0x,0xx" in line(state)


def test_3_3_allows_to_land_on_the_marker() -> None:
    """3.3: its cell is free: the fool started from e2."""
    assert broken(at("1 end:e2:e4 h7:e4+:29p,12w,6d:0x,0xx h9:e3+:29p,12w,6d:0x,0xx -"), "xe2") == ()


def test_3_3_allows_to_come_back_to_where_the_pawn_was_laid() -> None:
    """3.3: round a triangle of enemies, from e4 to e6 and g6 and back."""
    state = at("1 end:e1:e4 h8:e4+:29p,12w,6d:0x,0xx h9:e5+f5+f6+:27p,12w,6d:0x,0xx -", "xe6", "xg6")
    assert broken(state, "xe4") == ()


@pytest.mark.parametrize(
    ("token", "reason"),
    [("xd5", "nothing to capture"), ("xd6", "exactly one cell"), ("xe1", "exactly one cell")],
)
def test_3_3_refuses_a_jump_over_nothing_or_too_far(token: str, reason: str) -> None:
    """3.3: over exactly one cell with an enemy pawn."""
    state = at(JUMPS, seats=3)
    assert broken(state, token) == ("3.3",)
    assert reason in why(state, token)


def test_3_3_refuses_to_land_where_something_stands() -> None:
    """3.3: figure 4: f5 behind the green pawn on f4 is taken."""
    assert broken(at(JUMPS, "xd1", "xf3", seats=3), "xf5") == ("3.3",)


def test_3_3_refuses_to_jump_across_a_wood() -> None:
    """3.3: figure 4: a wood lies between f3 and the red pawn on g4."""
    assert broken(at(JUMPS, "xd1", "xf3", seats=3), "xh5") == ("3.3",)


def test_3_3_refuses_to_jump_across_a_wood_behind_the_enemy() -> None:
    """3.3: neither of the two sides crossed."""
    assert broken(at(JUMPS.replace("|f3g4", "|g4h5"), "xd1", "xf3", seats=3), "xh5") == ("3.3",)


def test_3_3_refuses_to_jump_before_the_pawn_is_laid() -> None:
    """3.3: with the pawn just laid."""
    assert broken(at(RESTING), "xe6") == ("3.3",)


def test_3_4_allows_to_capture_any_other_seat_without_teams() -> None:
    """3.4: of four seats, each is an enemy of each."""
    assert broken(at(four("off"), seats=4), "xe6") == ()


def four(teams: str) -> str:
    """Return a position of four: Yellow's pawn on e4 stands before Green's on e5, its partner's if there are teams."""
    full = "15p,6w,3d:0x,0xx"
    return f"1 end:e1:e4 h7:e4+:14p,6w,3d:0x,0xx h9:-:{full} a2:e5+:14p,6w,3d:0x,0xx a3:-:{full} -"


def test_3_4_refuses_to_capture_the_partner() -> None:
    """3.4, `teams: on`: seats 1 and 3 play together."""
    assert broken(at(four("on"), seats=4, teams="on"), "xe6") == ("3.4",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (f"1 end:e1:e4 h7:e4+e5+:28p,12w,6d:0x,0xx h9:-:{FULL} -", "your own"),
        (f"1 end:e1:e4 h7:e4+:29p,12w,6d:0x,0xx e5:-:{FULL} -", "fools are never captured"),
        (f"1 end:e1:e4 e5:e4+:29p,12w,6d:0x,0xx h9:-:{FULL} -", "fools are never captured"),
    ],
)
def test_3_4_refuses_to_capture_own_pawns_and_fools(text: str, reason: str) -> None:
    """3.4: neither is ever captured."""
    state = at(text)
    assert broken(state, "xe6") == ("3.4",)
    assert reason in why(state, "xe6")


def test_3_4_refuses_to_jump_with_a_pawn_laid_earlier() -> None:
    """3.4: the pawn on b4 could take c4, but only the one on e4 jumps."""
    state = at("1 end:e1:e4 h7:b4+e4+:28p,12w,6d:0x,0xx h9:c4+:29p,12w,6d:0x,0xx -")
    assert broken(state, "xd4") == ("3.3", "3.4")


def test_3_4_refuses_a_position_where_one_has_captured_from_oneself() -> None:
    """3.4: only Yellow has lost a pawn, so Yellow cannot have taken it."""
    assert contradicted(f"1 run b1:-:29p,12w,6d:1x,0xx h9:-:{FULL} -") == "3.4"


# 4 The wood


def test_4_1_allows_a_wood_anywhere_on_the_marked_sides_and_ends_the_turn() -> None:
    """4.1: far from everything, and the turn passes."""
    assert line(at(LAID, "|a1b1")) == f"2 run h7:e4+:29p,11w,6d:0x,0xx h9:-:{FULL} |a1b1"


def test_4_1_allows_a_wood_beside_pawns_and_fools() -> None:
    """4.1: whatever stands beside it."""
    assert broken(at(LAID), "|h6h7") == ()


def test_4_1_allows_to_end_the_turn_without_a_wood() -> None:
    """4.1: it is optional."""
    assert line(at(LAID, ".")) == f"2 run h7:e4+:29p,12w,6d:0x,0xx h9:-:{FULL} -"


def test_4_1_refuses_a_second_wood_on_a_side() -> None:
    """4.1: a side without a wood."""
    assert broken(at(JUMPS, seats=3), "|f3g4") == ("4.1",)


def test_4_1_refuses_a_wood_when_none_is_left() -> None:
    """4.1: twelve are on the board already."""
    woods = "".join(f"|{name}" for name in ("a1a2", "a2a3", "a3a4", "a4a5", "b1b2", "b2b3", "b3b4", "b4b5", "b5b6", "c1c2", "c2c3", "c5c6"))
    state = at(f"1 end:e1:e4 h7:e4+:29p,0w,6d:0x,0xx h9:-:{FULL} {woods}")
    assert broken(state, "|e1e2") == ("4.1",)
    assert legal(state) == ["."]


@pytest.mark.parametrize("text", [OPEN, TURNING, RESTING])
def test_4_1_refuses_a_wood_before_the_pawn_is_laid(text: str) -> None:
    """4.1: at the end of the turn."""
    assert broken(at(text), "|e1e2") == ("4.1",)


def test_4_1_refuses_a_wood_between_cells_that_are_no_neighbours() -> None:
    """4.1: there is no side between e1 and e3, and names go up."""
    assert [misread(token) for token in ("|e1e3", "|e2e1")] == ["4.1", "4.1"]


def test_4_1_refuses_a_position_with_a_wood_where_no_mark_is() -> None:
    """4.1: e5f5 is not among the 114."""
    assert contradicted(f"1 run b1:-:30p,11w,6d:0x,0xx h9:-:{FULL} |e5f5") == "4.1"


# Red's fool in the corner a1; two sides of three are closed, and Yellow has a pawn to spare.
CAGE = "1 end:e1:e4 h7:e4+:29p,11w,6d:0x,0xx a1:-:30p,11w,6d:0x,0xx |a1a2|a1b1"


def test_4_2_allows_to_close_a_fool_in_completely() -> None:
    """4.2: the last side of Red's corner; Red cannot move, and the game is over."""
    assert over(at(CAGE, "|a1b2")).reason == "5.2"


def test_4_2_refuses_a_second_wood_in_the_same_turn_to_close_it_in() -> None:
    """4.2, 4.1: the first wood ends the turn."""
    state = at(CAGE.replace("|a1a2|a1b1", "|a1a2").replace("11w", "12w", 1), "|a1b1")
    assert broken(state, "|a1b2", seat=0) == ("1.5",)


# 5 End and score


def test_5_1_allows_to_finish_the_turn_of_the_last_pawn() -> None:
    """5.1: the last pawn is down; jumps, a wood and the end are still on offer."""
    state = at(LAST, "-h7", "+")
    assert "." in legal(state)
    assert len(legal(state, "|")) == 114


@pytest.mark.parametrize("token", [".", "|a1b1"])
def test_5_1_allows_the_game_to_end_with_that_turn(token: str) -> None:
    """5.1: with or without a wood."""
    assert over(at(LAST, "-h7", "+", token)).reason == "5.1"


def test_5_1_allows_itself_as_the_reason_when_the_next_fool_is_stuck_too() -> None:
    """5.1: where 5.2 holds as well, the reason is 5.1."""
    stuck = LAST.replace("h9:b1+:29p", "a1:a2+b1+b2+:27p")
    assert over(at(stuck, "-h7", "+", ".")).reason == "5.1"


def test_5_1_refuses_to_end_while_the_player_has_a_pawn() -> None:
    """5.1: one pawn left is not the last one laid."""
    state = at(LAST.replace("c1+c2+", "c2+").replace(":1p", ":2p"), "-h7", "+", ".")
    assert not isinstance(state.node, Over)


def test_5_1_refuses_every_step_afterwards() -> None:
    """5.1: the game is over."""
    assert broken(at(LAST, "-h7", "+", "."), "h8", seat=1) == ("5.1",)


def test_5_1_refuses_a_position_that_goes_on_after_the_last_pawn() -> None:
    """5.1: Red laid its last pawn some turns ago."""
    assert contradicted("1 turn:e1 e4:-:30p,12w,6d:0x,6xx h9:b1+c1+c2+c3+c4+c5+c6+d1+d2+d3+d4+d5+d6+d7+d8+f2+f3+f9+:0p,12w,0d:0x,0xx -") == "5.1"


def test_5_2_allows_the_game_to_end_when_the_fool_cannot_turn() -> None:
    """5.2: the sheet's figure 5: straight on only."""
    assert over(at(STUCK)).reason == "5.2"


def test_5_2_refuses_to_end_while_one_move_is_left() -> None:
    """5.2: without the wood between a3 and b4 there is one turning cell."""
    assert legal(at(STUCK.replace("|a3b4", "").replace("10w", "11w"))) == ["a3"]


def test_5_2_refuses_to_end_because_of_a_fool_that_is_not_to_move() -> None:
    """5.2: it is Red's turn; Yellow's fool may be freed again."""
    assert not isinstance(at("2" + STUCK[1:]).node, Over)


def test_5_2_refuses_every_step_afterwards() -> None:
    """5.2: the game is over."""
    assert broken(at(STUCK), "a2") == ("5.2",)


def test_5_3_allows_the_value_of_each_pawn_twice_for_a_double() -> None:
    """5.3: Yellow: b2 for 3, e5 for 15, the double on f6 for 2 × 10; Red: 1 + 10 + 6 + 6."""
    assert over(at(STUCK)).scores == (38, 23)


def test_5_3_allows_1_for_a_captured_single_and_3_for_a_captured_double() -> None:
    """5.3: Yellow has taken two singles and a double, Red nothing."""
    text = "1 run a1:b2+:29p,11w,6d:2x,1xx a4:b1+:25p,10w,5d:0x,0xx |a2b3|a3b3|a3b4"
    assert over(at(text)).scores == (3 + 2 + 3, 1)


def test_5_3_refuses_points_for_a_pawn_that_was_captured() -> None:
    """5.3: the value of the cell at the end: Red's pawn on d2, worth 3, counts no more."""
    before, after = at(JUMPS, seats=3), at(JUMPS, "xd1", seats=3)
    assert int(before.position.score(1)) - int(after.position.score(1)) == 3


def test_5_3_refuses_points_for_the_cell_a_pawn_has_left() -> None:
    """5.3: from d3, worth 6, to d1, worth 1, with 1 for the capture."""
    before, after = at(JUMPS, seats=3), at(JUMPS, "xd1", seats=3)
    assert int(after.position.score(0)) - int(before.position.score(0)) == 1 - 6 + 1


def test_5_4_allows_the_highest_score_to_win() -> None:
    """5.4: 38 to 23."""
    assert over(at(STUCK)).winners == (0,)


# Both have 9 points: Yellow 3 and 6 on the board, Red 3, 1 and 3 on the board with 2 captured.
EQUAL = "1 run a1:b2+c3+:26p,11w,6d:0x,0xx a4:b1+b5+e2+:27p,10w,6d:2x,0xx |a2b3|a3b3|a3b4"


def test_5_4_allows_equal_scores_to_share_the_win() -> None:
    """5.4, `ties: share`."""
    end = over(at(EQUAL))
    assert end.scores == (9, 9)
    assert end.winners == (0, 1)


def test_5_4_refuses_to_share_when_captures_break_the_tie() -> None:
    """5.4, `ties: captures`: Red has captured more."""
    assert over(at(EQUAL, ties="captures")).winners == (1,)


def test_5_4_refuses_captures_to_weigh_more_than_the_score() -> None:
    """5.4, `ties: captures` looks at the tied alone."""
    assert over(at(EQUAL.replace("c3+", "d3+f6+").replace("26p", "25p"), ties="captures")).winners == (0,)


# Four in teams: Yellow 15 and Green 1 against Red 10 and Blue 10; Yellow cannot move.
TEAMS = "1 run a1:b2+e5+:13p,6w,3d:0x,0xx a4:b1+d4+:13p,4w,3d:0x,0xx h9:h8+:14p,6w,3d:0x,0xx i9:d5+:14p,5w,3d:0x,0xx |a2b3|a3b3|a3b4"


def test_5_4_allows_partners_to_add_their_scores() -> None:
    """5.4, `teams: on`: 18 + 3 against 11 + 10: equal, and all share."""
    end = over(at(TEAMS, seats=4, teams="on"))
    assert end.scores == (21, 21, 21, 21)
    assert end.winners == (0, 1, 2, 3)


def test_5_4_refuses_to_add_them_without_teams() -> None:
    """5.4, `teams: off`: each alone."""
    end = over(at(TEAMS, seats=4))
    assert end.scores == (18, 11, 3, 10)
    assert end.winners == (0,)


def test_5_4_allows_the_captures_of_partners_to_be_added() -> None:
    """5.4, `ties: captures` with teams: Red took one of Green's, so the team of Red and Blue wins, and both of it."""
    text = TEAMS.replace("h9:h8+:14p", "h9:h8+:13p").replace("a4:b1+d4+:13p,4w,3d:0x", "a4:d4+:14p,4w,3d:1x").replace("|a3b4", "|a3b4|a1b1")
    end = over(at(text.replace("a1:b2+e5+:13p,6w", "a1:b2+e5+:13p,5w"), seats=4, teams="on", ties="captures"))
    assert end.scores == (21, 21, 21, 21)
    assert end.winners == (1, 3)


@pytest.mark.parametrize("seats", [2, 3])
def test_5_4_refuses_teams_unless_there_are_four(seats: int) -> None:
    """5.4: the error names the option."""
    with pytest.raises(TableeError, match="teams=on needs 4 seats"):
        tablee.game("tabale", seats, teams="on")


def test_the_marked_sides_are_nested() -> None:
    """1.3: each preset holds the smaller ones."""
    assert set(marked("66")) < set(marked("84")) < set(marked("114")) < set(marked("156"))
