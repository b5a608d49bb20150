"""Tablan, paragraph by paragraph: what each allows, what each refuses."""

import pytest

import tablee
from tablee.core.errors import NotationError, PositionError, UnknownName
from tablee.core.state import DICE, Chance, Decision, Over, State
from tablee.core.words import LANGUAGES
from tablee.games.tablan.notation import ROWS
from tests.asking import broken

HOMES = "wwwwwwwwwwww/............/............/bbbbbbbbbbbb"


def cloth(black: str, white: str, asleep: str = "") -> str:
    """Return the rows with men on the named squares; those asleep have not moved yet."""
    men = dict.fromkeys(black, "b") | dict.fromkeys(white, "w")
    return "/".join("".join((men[square].upper() if square in asleep else men[square]) if square in men else "." for square in row) for row in ROWS)


def at(black: str, white: str, due: str = "throw", seat: int = 1, asleep: str = "", first: str = "-", **options: str) -> State:
    """Return the state with men on the named squares and that throw in hand."""
    game = tablee.game("tablan", 2, **options)
    opening = "-" if game.option("first_move") == "each_man" else "open"
    return game.load(f"{cloth(black, white, asleep)} {seat} {due} {opening} {first}")


def start(**options: str) -> State:
    """Return the first state."""
    return tablee.game("tablan", 2, **options).start(lambda n: 0)


def play(state: State, tokens: str) -> State:
    """Return the state after throws and moves."""
    for token in tokens.split():
        state = state.play(state.game.parse(token))
    return state


def legal(state: State) -> set[str]:
    """Return the legal tokens."""
    return {state.game.notate(action) for action in state.legal()}


def men(state: State) -> str:
    """Return the rows of a state, without the rest of its line."""
    return state.game.dump(state).split(" ")[0]


def contradicted(line: str, **options: str) -> str:
    """Return the paragraph that a position line contradicts."""
    with pytest.raises(PositionError) as error:
        tablee.game("tablan", 2, **options).load(line)
    return error.value.paragraph


def misread(token: str, seat: int = 0) -> str:
    """Return the paragraph that a token contradicts."""
    with pytest.raises(NotationError) as error:
        tablee.game("tablan").parse(token, seat)
    return error.value.paragraph


# 1 Board and men


def test_1_1_allows_four_rows_of_twelve_squares_by_their_names() -> None:
    """1.1: the names run to and fro, Black's home below."""
    cells = sorted(start().scene().cells, key=lambda cell: (cell.y, cell.x))
    assert "".join(cell.name for cell in cells) == "lkjihgfedcbamnopqrstuvwxXWVUTSRQPONMABCDEFGHIJKL"


def test_1_1_refuses_a_row_of_thirteen() -> None:
    """1.1: a row has 12 squares."""
    assert contradicted("wwwwwwwwwwww./............/............/bbbbbbbbbbbb 1 throw wait -") == "1.1"


def test_1_1_refuses_a_fifth_row() -> None:
    """1.1: there are 4 rows."""
    assert contradicted(f"{HOMES}/............ 1 throw wait -") == "1.1"


def test_1_1_refuses_a_square_off_the_cloth() -> None:
    """1.1: no square is called Z."""
    assert misread("X>Z") == "1.1"


def test_1_2_allows_a_man_on_every_square_of_the_home_rows() -> None:
    """1.2: 12 men each, at home."""
    assert men(start()) == HOMES


def test_1_2_refuses_a_thirteenth_man() -> None:
    """1.2: 12 men each."""
    assert contradicted(f"{cloth('ABCDEFGHIJKLM', 'a')} 1 throw open -") == "1.2"


def test_1_3_allows_black_to_throw_first() -> None:
    """1.3: Black is seat 1 and throws first."""
    assert (start().turn, isinstance(start().node, Chance)) == (0, True)


def test_1_3_allows_black_round_the_corners_upwards() -> None:
    """1.3: Black goes from L to M, from X to m, from x to a."""
    assert {"L>M", "X>m", "x>a"} <= legal(at("LXx", "l", "1-1"))


def test_1_3_allows_white_round_the_corners_downwards() -> None:
    """1.3: White goes from a to x, from m to X, from M to L."""
    assert {"a>x", "m>X", "M>L"} <= legal(at("A", "amM", "1-1", seat=2))


def test_1_3_allows_the_other_side_to_throw_next() -> None:
    """1.3: the sides take turns."""
    assert play(at("A", "l", "1-2"), "A>D").turn == 1


def test_1_3_refuses_the_enemys_way() -> None:
    """1.3: Black never goes from M to L."""
    assert broken(at("M", "l", "1-1"), "M>L") == ("1.3",)


def test_1_3_refuses_to_name_a_move_back_within_ones_own_home_row() -> None:
    """1.3: Black never goes from L to J, nor White from a to c; there the other side stays where it arrived (3.2)."""
    assert (misread("L>J"), misread("a>c", 1)) == ("1.3", "1.3")
    assert (misread("L>J", 1), misread("a>c")) == ("3.2", "3.2")


def test_1_3_refuses_a_move_out_of_turn() -> None:
    """1.3: White waits while Black has a throw to use."""
    assert broken(at("A", "l", "1-2"), "l>i", seat=1) == ("1.3",)


def test_1_3_refuses_a_third_seat() -> None:
    """1.3: there are two seats."""
    assert contradicted(f"{HOMES} 3 throw wait -") == "1.3"


# 2 Throws and moves


def test_2_1_allows_every_throw_of_two_dice() -> None:
    """2.1: two dice give 21 throws, the smaller written first."""
    assert legal(start()) == {f"{low}-{high}" for low in range(1, 7) for high in range(low, 7)}


def test_2_1_allows_every_throw_of_four_sticks() -> None:
    """2.1, option `throw`: `sticks`."""
    assert legal(start(throw="sticks")) == {"s0", "s1", "s2", "s3", "s4"}


@pytest.mark.parametrize(("thrown", "reached"), [("s1", "C"), ("s4", "I"), ("s0", "M")])
def test_2_1_allows_the_sticks_their_worth(thrown: str, reached: str) -> None:
    """2.1, option `throw`: one plain side is worth 2, four 8, none 12."""
    assert f"A>{reached}" in legal(play(at("A", "l", throw="sticks"), thrown))


@pytest.mark.parametrize("thrown", ["s2", "s3"])
def test_2_1_refuses_any_worth_to_two_or_three_plain_sides(thrown: str) -> None:
    """2.1, option `throw`: the other throws of the sticks are worth nothing and pass."""
    after = play(at("A", "l", throw="sticks"), thrown)
    assert (men(after), after.turn, isinstance(after.node, Chance)) == (cloth("A", "l"), 1, True)


def test_2_1_refuses_to_keep_an_unwelcome_move_back() -> None:
    """2.1: the throw must be used, liked or not; there is nothing else to play."""
    assert legal(at("A", "l", "1-2")) == {"A>D"}


def test_2_1_refuses_a_move_before_the_throw() -> None:
    """2.1: one moves by a throw."""
    assert broken(at("A", "l"), "A>C") == ("2.1",)


def test_2_1_refuses_a_throw_while_one_is_in_hand() -> None:
    """2.1: the throw in hand is used first."""
    assert broken(at("A", "l", "1-2"), "3-5", seat=DICE) == ("2.1",)


def test_2_1_refuses_a_throw_of_ones_own_choice() -> None:
    """2.1: a seat does not choose what is thrown."""
    assert broken(at("A", "l"), "1-2", seat=0) == ("2.1",)


def test_2_1_refuses_a_move_by_the_dice() -> None:
    """2.1: the dice move nobody."""
    assert broken(at("A", "l", "1-2"), "A>D", seat=DICE) == ("2.1",)


def test_2_1_refuses_sticks_where_dice_are_thrown() -> None:
    """2.1, option `throw`: `dice`."""
    assert broken(start(), "s1", seat=DICE) == ("2.1",)


def test_2_1_refuses_dice_where_sticks_are_thrown() -> None:
    """2.1, option `throw`: `sticks`."""
    assert broken(start(throw="sticks"), "1-1", seat=DICE) == ("2.1",)


def test_2_1_refuses_a_die_of_seven() -> None:
    """2.1: dice have six faces."""
    assert misread("1-7") == "2.1"


@pytest.mark.parametrize("tokens", ["1-1 A>C", "2-6 A>I", "6-6 A>M"])
def test_2_1_allows_another_throw_after_a_used_2_8_or_12(tokens: str) -> None:
    """2.1, option `throw_again`: `yes`."""
    assert play(at("A", "l", throw_again="yes"), tokens).turn == 0


def test_2_1_allows_another_throw_after_an_unused_12() -> None:
    """2.1, option `throw_again`: `yes`, used or not."""
    assert play(at("abx", "l", throw_again="yes"), "6-6").turn == 0


def test_2_1_refuses_another_throw_after_a_3() -> None:
    """2.1, option `throw_again`: only 2, 8 and 12 earn it."""
    assert play(at("A", "l", throw_again="yes"), "1-2 A>D").turn == 1


def test_2_1_refuses_another_throw_where_it_is_not_agreed() -> None:
    """2.1, option `throw_again`: `no`."""
    assert play(at("A", "l"), "1-1 A>C").turn == 1


def test_2_2_allows_one_man_the_whole_throw() -> None:
    """2.2: one man moves by the whole throw."""
    assert men(play(at("AB", "l", "3-4"), "B>I")) == cloth("AI", "l")


@pytest.mark.parametrize(("thrown", "halves"), [("1-1", "A>B T>U"), ("3-5", "A>E T>X"), ("6-6", "A>G T>n")])
def test_2_2_allows_halves_of_2_8_and_12(thrown: str, halves: str) -> None:
    """2.2: 1 + 1, 4 + 4, 6 + 6."""
    after = play(at("AT", "l", thrown), halves)
    assert men(after) == cloth("".join(move[2] for move in halves.split()), "l")


def test_2_2_refuses_another_distance() -> None:
    """2.2: an 8 moves nobody by 5."""
    assert broken(at("AT", "l", "2-6"), "A>F") == ("2.2",)


def test_2_2_refuses_halves_of_a_10() -> None:
    """2.2: only 2, 8 and 12 are split."""
    assert broken(at("AT", "l", "4-6"), "A>F") == ("2.2",)


def test_2_2_refuses_the_faces_of_the_dice_one_by_one() -> None:
    """2.2: the sum counts, not the dice."""
    assert broken(at("AT", "l", "2-6"), "A>C") == ("2.2",)


def test_2_2_refuses_a_man_who_is_not_there() -> None:
    """2.2: somebody must move."""
    assert broken(at("AT", "l", "3-4"), "B>I") == ("2.2",)


def test_2_2_refuses_an_enemy_man() -> None:
    """2.2: one moves one's own men."""
    assert broken(at("AT", "q", "1-2"), "q>n") == ("2.2",)


def test_2_2_refuses_an_empty_square_whatever_the_way() -> None:
    """2.2: that nobody stands there comes before the way he would go."""
    assert broken(at("AT", "l", "1-1"), "M>L") == ("2.2",)


@pytest.mark.parametrize("language", LANGUAGES)
def test_2_2_refuses_in_words_that_name_no_stick_by_its_code(language: str) -> None:
    """2.2: sticks are named by their plain sides, as players see them."""
    state = at("AT", "l", "s4", throw="sticks")
    refusal = state.refusal(0, state.game.parse("A>C"))
    assert refusal is not None
    said = state.game.kind.words(language).say(refusal.rulings[0].message)
    assert state.game.kind.words(language)("=s4") in said
    assert "s4" not in said


def test_2_2_refuses_thirteen_squares() -> None:
    """2.2: no throw is worth more than 12."""
    assert misread("A>N") == "2.2"


def test_2_3_allows_the_halves_in_either_order() -> None:
    """2.3: in the order the player likes."""
    state = at("AT", "l", "2-6")
    assert men(play(state, "A>E T>X")) == men(play(state, "T>X A>E")) == cloth("EX", "l")


def test_2_3_allows_the_second_man_onto_the_square_the_first_has_left() -> None:
    """2.3: one after the other."""
    assert legal(play(at("AE", "l", "2-6"), "E>I")) == {"A>E"}


def test_2_3_allows_the_second_man_onto_the_next_square_of_the_home_row() -> None:
    """2.3: one after the other, so b is next once a is held."""
    assert legal(play(at("uv", "l", "2-6"), "u>a")) == {"v>b"}


def test_2_3_allows_a_first_half_that_only_the_man_behind_can_follow() -> None:
    """2.3: A>E is possible once E has moved to I; H could take a whole, but no half onto L, which is closed."""
    assert legal(at("AEH", "Ll", "2-6")) == {"A>I", "E>M", "H>P", "E>I"}


@pytest.mark.parametrize(("black", "white", "seat", "first", "second"), [("uvH", "Ll", 1, "u>a", "v>b"), ("aA", "POe", 2, "P>L", "O>K")])
def test_2_3_allows_a_first_half_that_only_the_next_square_lets_another_follow(black: str, white: str, seat: int, first: str, second: str) -> None:
    """2.3: though a third man could take the whole."""
    assert legal(play(at(black, white, "2-6", seat=seat), first)) == {second}


def test_2_3_allows_one_half_alone_where_nothing_more_is_possible() -> None:
    """2.3: neither the whole nor two halves."""
    assert legal(at("abcdefq", "lT", "4-4")) == {"q>u"}


def test_2_3_allows_the_turn_to_pass_after_a_half_alone() -> None:
    """2.3: the other half is lost."""
    assert play(at("abcdefq", "lT", "4-4"), "q>u").turn == 1


def test_2_3_allows_a_throw_to_be_lost_where_nothing_is_possible() -> None:
    """2.3: no whole, no half: the throw passes by itself."""
    assert play(at("abcx", "l"), "5-6").turn == 1


def test_2_3_refuses_both_halves_to_one_man() -> None:
    """2.3: two different men."""
    assert broken(play(at("AT", "l", "2-6"), "A>E"), "E>I") == ("2.3",)


def test_2_3_refuses_both_halves_to_one_man_of_white() -> None:
    """2.3: two different men."""
    assert broken(play(at("A", "tl", "2-6", seat=2), "t>p"), "p>X") == ("2.3",)


def test_2_3_refuses_a_half_of_white_that_nobody_can_follow() -> None:
    """2.3: in full if it can be."""
    assert broken(at("A", "l", "2-6", seat=2), "l>h") == ("2.3",)


def test_2_3_refuses_the_whole_after_a_half() -> None:
    """2.3: the other half is owed."""
    assert broken(play(at("AT", "l", "2-6"), "A>E"), "T>p") == ("2.3",)


def test_2_3_refuses_a_half_that_nobody_can_follow() -> None:
    """2.3: in full if it can be; here the whole can."""
    assert broken(at("A", "l", "2-6"), "A>E") == ("2.3",)


def test_2_3_refuses_a_half_that_nobody_can_follow_though_it_would_win() -> None:
    """2.3: judged without regard to 5.1; T>X would capture the last man outside."""
    assert broken(at("T", "XLK", "2-6"), "T>X") == ("2.3",)


def test_2_3_refuses_a_line_with_a_throw_that_nobody_can_use() -> None:
    """2.3: such a throw would have been lost."""
    assert contradicted(f"{cloth('abcx', 'l')} 1 5-6 open -") == "2.3"


def test_2_3_refuses_a_line_with_a_half_that_cannot_have_been_played() -> None:
    """2.3: A is still held, so nobody came from it to E."""
    assert contradicted(f"{cloth('AET', 'l')} 1 4-4:E open -") == "2.3"


def test_2_4_allows_whoever_throws_the_first_2_to_start_with_it() -> None:
    """2.4, option `first_move`: `table`."""
    state = play(start(), "3-5 1-1")
    assert isinstance(state.node, Decision)
    assert (state.node.seats, "a>w" in legal(state)) == ((1,), True)


def test_2_4_allows_any_man_any_throw_once_the_game_is_open() -> None:
    """2.4, option `first_move`: `table`: a man of Black's leaves home by a 3, though Black threw no 2."""
    assert "L>O" in legal(play(start(), "3-5 1-1 b>x 1-2"))


def test_2_4_refuses_every_move_before_the_first_2() -> None:
    """2.4, option `first_move`: `table`: an 8 passes unused."""
    state = play(start(), "3-5")
    assert (men(state), state.turn, broken(state, "a>v")) == (HOMES, 1, ("2.1", "2.4"))


def test_2_4_refuses_a_line_where_men_moved_before_the_first_2() -> None:
    """2.4: nobody can have moved."""
    assert contradicted(f"{cloth('ABCDEFGHIJKM', 'abcdefghijkl')} 1 throw wait -") == "2.4"


def test_2_4_allows_a_man_his_first_move_by_a_2_or_half_of_it() -> None:
    """2.4, option `first_move`: `each_man`."""
    assert {"A>C", "A>B", "T>V", "T>U"} == legal(at("AT", "l", "1-1", asleep="Al", first_move="each_man"))


def test_2_4_allows_a_man_any_throw_after_his_first_move() -> None:
    """2.4, option `first_move`: `each_man`: A>B by half of a 2, then B>J by an 8."""
    state = play(at("AT", "l", "1-1", asleep="Al", first_move="each_man", throw_again="yes"), "A>B T>U 2-6")
    assert "B>J" in legal(state)


@pytest.mark.parametrize(("thrown", "token"), [("2-6", "A>I"), ("2-6", "A>E"), ("6-6", "A>G"), ("1-2", "A>D")])
def test_2_4_refuses_a_first_move_by_anything_but_a_2(thrown: str, token: str) -> None:
    """2.4, option `first_move`: `each_man`."""
    assert broken(at("AT", "l", thrown, asleep="Al", first_move="each_man"), token) == ("2.4",)


def each_player(line: str) -> State:
    """Return the state of a line where each player waits for a 2."""
    return tablee.game("tablan", first_move="each_player").load(line)


def test_2_4_allows_a_player_to_start_with_a_2_of_their_own() -> None:
    """2.4, option `first_move`: `each_player`: White throws the first 2 and plays it."""
    state = play(start(first_move="each_player"), "3-5 1-1")
    assert (state.turn, "a>w" in legal(state)) == (1, True)


def test_2_4_allows_the_other_player_to_be_freed_later() -> None:
    """2.4, option `first_move`: `each_player`: Black throws a 2 of their own."""
    assert "L>N" in legal(play(start(first_move="each_player"), "3-5 1-1 b>x 1-1"))


def test_2_4_allows_a_2_to_free_a_player_though_it_cannot_be_played() -> None:
    """2.4, option `first_move`: `each_player`: a and b are Black's, so no white man can go 2 or 1, and the next throw is used."""
    state = play(each_player(f"{cloth('abA', 'cdefghijkl')} 2 throw 1 -"), "1-1")
    assert (state.turn, state.game.dump(state).split(" ")[3]) == (0, "open")
    assert "d>x" in legal(play(state, "1-2 A>D 1-3"))


@pytest.mark.parametrize("held", ["a", "abcdef", "abcdefghijk"])
def test_2_4_allows_a_player_who_waits_to_throw_every_turn(held: str) -> None:
    """2.4, 5.2, option `first_move`: `each_player`: whatever the board, White is not skipped."""
    waiting = "".join(square for square in "abcdefghijkl" if square not in held)
    state = each_player(f"{cloth(held + 'A', waiting)} 1 1-2 1 -")
    assert play(state, "A>D").turn == 1


def test_2_4_refuses_a_move_to_a_player_who_waits() -> None:
    """2.4, option `first_move`: `each_player`: White's 2 does not free Black, whose 3 passes unused."""
    state = play(start(first_move="each_player"), "3-5 1-1 b>x")
    assert broken(state, "L>O") == ("2.1", "2.4")
    after = play(state, "1-2")
    assert (after.turn, men(after)) == (1, men(state))


@pytest.mark.parametrize(
    "line",
    [
        f"{cloth('ABCDEFGHIJKM', 'abcdefghijkl')} 1 throw 2 -",
        f"{cloth('ABCDEFGHIJKM', 'bcdefghijkl')} 1 throw 1 -",
        f"{HOMES} 1 throw 1 -",
        f"{HOMES} 1 throw open -",
        f"{HOMES} 1 1-1 open -",
        f"{HOMES} 1 1-1 2 -",
        f"{HOMES} 1 throw - -",
    ],
)
def test_2_4_refuses_a_line_where_a_player_who_waits_has_moved(line: str) -> None:
    """2.4, option `first_move`: `each_player`: who waits has every man at home, and no throw in hand; who is freed has played the 2."""
    assert contradicted(line, first_move="each_player") == "2.4"


def test_2_4_refuses_one_free_player_where_a_2_frees_all() -> None:
    """2.4, option `first_move`: `table`: the opening is `wait` or `open`."""
    assert contradicted(f"{cloth('ABCDEFGHIJKM', 'abcdefghijkl')} 2 throw 1 -") == "2.4"


def test_2_4_refuses_a_man_asleep_away_from_home() -> None:
    """2.4: who has not moved stands at home."""
    assert contradicted(f"{cloth('AT', 'l', 'ATl')} 1 throw - -", first_move="each_man") == "2.4"


def test_2_4_refuses_a_man_asleep_where_nobody_needs_a_2() -> None:
    """2.4, option `first_move`: `table`: the game is open to all."""
    assert contradicted(f"{cloth('AT', 'l', 'A')} 1 throw open -") == "2.4"


@pytest.mark.parametrize(
    ("preset", "values"),
    [("fiche", "dice table in_order no"), ("mysore", "sticks each_man in_order yes"), ("lettre", "dice each_man in_order no")],
)
def test_2_4_allows_the_presets_to_set_four_options(preset: str, values: str) -> None:
    """2.4, option `preset`: throw, first move, filling, throw again."""
    game = tablee.game("tablan", preset=preset)
    assert " ".join(game.option(name) for name in ("throw", "first_move", "filling", "throw_again")) == values


def test_2_4_allows_an_option_to_differ_from_its_preset() -> None:
    """2.4, option `preset`: what is said outright wins."""
    assert men(start(preset="mysore", first_move="table")) == HOMES


def test_2_4_refuses_an_unknown_preset() -> None:
    """2.4, option `preset`: the error lists the known ones."""
    with pytest.raises(UnknownName, match="fiche, mysore, lettre"):
        tablee.game("tablan", preset="ludo")


def test_2_5_allows_passing_over_friend_and_enemy() -> None:
    """2.5: only the square of arrival counts."""
    assert men(play(at("TU", "Vl", "1-2"), "T>W")) == cloth("UW", "Vl")


def test_2_5_refuses_two_men_on_a_square() -> None:
    """2.5: never two men on a square."""
    assert broken(at("TV", "l", "1-1"), "T>V") == ("2.5",)


# 3 Capture


def test_3_1_allows_a_capture_in_the_centre() -> None:
    """3.1: on the two centre rows, for good."""
    assert men(play(at("O", "Tl", "1-4"), "O>T")) == cloth("T", "l")


def test_3_1_allows_a_capture_on_the_enemys_own_home_row() -> None:
    """3.1: where he is displaced, before he has ever moved."""
    assert men(play(at("vA", "al", "1-2"), "v>a")) == cloth("aA", "l")


def test_3_1_allows_a_capture_of_a_man_asleep() -> None:
    """3.1, option `first_move`: `each_man`: the captor who takes his place is awake."""
    after = play(at("vB", "al", "1-2", asleep="al", first_move="each_man"), "v>a")
    assert men(after) == cloth("aB", "l", asleep="l")


def test_3_1_refuses_to_capture_those_one_passes_over() -> None:
    """3.1: landing captures, passing does not."""
    assert men(play(at("O", "QRl", "1-4"), "O>T")) == cloth("T", "QRl")


def test_3_2_allows_a_man_to_rest_where_he_has_arrived() -> None:
    """3.2: he never moves again; another uses the throw."""
    assert legal(at("aA", "l", "1-2")) == {"A>D"}


def test_3_2_refuses_a_move_by_a_man_who_has_arrived() -> None:
    """3.2: neither on nor back; that is the whole reason, whatever the throw and the way."""
    assert broken(at("cA", "l", "1-1", filling="any_square"), "c>a") == ("3.2",)


def test_3_2_refuses_to_name_a_move_on_from_the_home_row() -> None:
    """3.2: no side ever goes from a to c."""
    assert misread("a>c") == "3.2"


def test_3_2_refuses_the_square_of_an_enemy_who_has_arrived() -> None:
    """3.2: L is closed to Black."""
    assert broken(at("JA", "Ll", "1-1"), "J>L") == ("3.2",)


# 4 The enemy's home row


def test_4_1_allows_the_next_square_by_exact_throw() -> None:
    """4.1: a, b and c are held, so d is next."""
    assert legal(at("abcx", "ml", "1-3")) == {"x>d"}


def test_4_1_allows_white_to_fill_from_l_downwards() -> None:
    """4.1: from L to A."""
    assert "M>L" in legal(at("A", "Mq", "1-1", seat=2))


@pytest.mark.parametrize("token", ["x>d", "w>c", "v>b", "u>a"])
def test_4_1_allows_any_square_where_that_is_agreed(token: str) -> None:
    """4.1, option `filling`: `any_square`."""
    assert token in legal(at("uvwx", "l", "1-3", filling="any_square"))


def test_4_1_refuses_a_square_out_of_order() -> None:
    """4.1, option `filling`: `in_order`: a comes before d."""
    assert broken(at("Ax", "l", "1-3"), "x>d") == ("4.1",)


def test_4_1_refuses_a_line_with_a_gap() -> None:
    """4.1: nobody comes to b before a."""
    assert contradicted(f"{cloth('bA', 'l')} 1 throw open -") == "4.1"


def test_4_1_refuses_a_square_held_already_where_any_will_do() -> None:
    """4.1, option `filling`: `any_square`: not yet held."""
    assert broken(at("dxA", "l", "1-3", filling="any_square"), "x>d") == ("2.5",)


def test_4_2_allows_the_last_man_to_land_by_the_whole_throw() -> None:
    """4.2: x to f is 6."""
    assert legal(play(at("abcdex", "ml"), "2-4")) == {"x>f"}


def test_4_2_allows_the_last_man_to_land_by_a_half() -> None:
    """4.2: half of a 12."""
    assert legal(play(at("abcdex", "ml"), "6-6")) == {"x>f"}


def test_4_2_refuses_the_last_man_any_other_throw() -> None:
    """4.2: he stays where he is, and the throw is lost."""
    after = play(at("abcdex", "ml"), "2-5")
    assert (men(after), after.turn) == (cloth("abcdex", "ml"), 1)


def test_4_2_allows_the_last_man_to_stay_when_the_throw_does_not_bring_him_in() -> None:
    """4.2: s is 6 away from a, and the throw is 3; the turn passes."""
    state = at("s", "ml", "1-2")
    assert legal(state) == {"s>v", "."}
    after = play(state, ".")
    assert (men(after), after.turn, isinstance(after.node, Chance)) == (cloth("s", "ml"), 1, True)


def test_4_2_allows_white_to_leave_the_last_man() -> None:
    """4.2: S is 7 away from L."""
    assert legal(at("A", "S", "1-2", seat=2)) == {"S>P", "."}


def test_4_2_allows_the_last_man_to_stay_instead_of_a_half_alone() -> None:
    """4.2: w is 5 away from d; of a 2, only w>x, a half, can be played."""
    assert legal(at("abcw", "ml", "1-1")) == {"w>x", "."}


def test_4_2_allows_another_throw_after_staying_as_after_a_lost_throw() -> None:
    """4.2, option `throw_again`: `yes`: a 2 gives one."""
    assert play(at("s", "ml", "1-1", throw_again="yes"), ".").turn == 0
    assert play(at("s", "ml", "1-2", throw_again="yes"), ".").turn == 1


def test_4_2_refuses_to_stay_while_another_man_is_outside() -> None:
    """4.2: one man left outside the enemy's home row."""
    assert broken(at("sA", "ml", "1-2"), ".") == ("4.2",)


def test_4_2_refuses_to_stay_when_the_throw_brings_him_in() -> None:
    """4.2: by the whole throw or by a half."""
    assert broken(at("s", "ml", "2-4"), ".") == ("4.2",)
    assert broken(at("s", "ml", "6-6"), ".") == ("4.2",)


def test_4_2_refuses_to_stay_off_the_last_centre_row() -> None:
    """4.2: X is the last square of the other centre row."""
    assert broken(at("X", "ml", "1-2", filling="any_square"), ".") == ("4.2",)


def test_4_2_refuses_to_stay_where_no_throw_could_bring_him_in() -> None:
    """4.2: q is 14 away from g; w is 5 away from d, which dice give and sticks never do."""
    assert broken(at("abcdefq", "lT", "4-4"), ".") == ("4.2",)
    assert broken(at("abcw", "ml", "s1", throw="sticks"), ".") == ("4.2",)
    assert broken(at("abcw", "ml", "1-1"), ".") == ()


def test_4_2_refuses_to_keep_a_half_that_is_owed() -> None:
    """4.2: judged when the throw is made; x has arrived on a by the first half, and s is alone then."""
    state = play(at("sx", "ml", "1-1"), "x>a")
    assert legal(state) == {"s>t"}
    assert broken(state, ".") == ("4.2",)


def test_4_2_refuses_to_stay_where_nothing_can_be_moved() -> None:
    """4.2: such a throw is lost by itself, and no `.` is asked for."""
    assert play(at("abcdex", "ml"), "2-5").turn == 1


def test_4_2_refuses_to_stay_where_every_move_must_be_played() -> None:
    """4.2, option `last_man`: `must_move`."""
    state = at("s", "ml", "1-2", last_man="must_move")
    assert (legal(state), broken(state, ".")) == ({"s>v"}, ("4.2",))


def test_4_2_refuses_to_stay_before_the_throw() -> None:
    """4.2, 2.1: a throw is due."""
    assert broken(at("s", "ml"), ".") == ("2.1",)


def test_4_3_allows_two_captures_in_a_turn() -> None:
    """4.3: more than one man may move and capture."""
    assert men(play(at("OU", "Sml", "2-6"), "O>S U>m")) == cloth("Sm", "l")


def test_4_3_refuses_a_third_move() -> None:
    """4.3, 2.2: after two halves the throw is used up."""
    after = play(at("OUA", "Sml", "2-6"), "O>S U>m")
    assert (after.turn, isinstance(after.node, Chance)) == (1, True)


# 5 End


def test_5_1_allows_the_end_when_the_last_man_arrives() -> None:
    """5.1: no man left outside the enemy's home row."""
    assert play(at("abx", "Ll", "1-2"), "x>c").node == Over((3, 1), "5.1", (0,))


def test_5_1_allows_the_end_when_the_last_man_is_captured() -> None:
    """5.1: all arrived or captured."""
    assert play(at("OA", "TLKJ", "1-4"), "O>T").node == Over((0, 3), "5.1", (1,))


def test_5_1_allows_the_end_at_once_with_a_half_still_owed() -> None:
    """5.1: the first half captures the last man outside."""
    assert isinstance(play(at("TA", "XL", "2-6"), "T>X").node, Over)


def test_5_1_refuses_the_end_while_each_side_has_a_man_outside() -> None:
    """5.1: one man on either side goes on."""
    assert isinstance(play(at("abwx", "Ll", "1-2"), "x>c").node, Chance)


def test_5_1_refuses_the_end_before_both_have_finished_where_that_is_agreed() -> None:
    """5.1, option `end`: `both`: White throws on alone."""
    after = play(at("abx", "Ll", "1-2", end="both"), "x>c 1-2 l>i")
    assert (after.turn, isinstance(after.node, Chance)) == (1, True)


def test_5_1_allows_the_end_when_both_have_finished() -> None:
    """5.1, option `end`: `both`."""
    assert play(at("abx", "LM", "1-2", end="both"), "x>c 1-1 M>K").node == Over((3, 2), "5.1", (0,))


def test_5_1_refuses_every_action_after_the_end() -> None:
    """5.1: the refusal cites the paragraph that ended the game."""
    assert broken(play(at("abx", "Ll", "1-2"), "x>c"), "l>k", seat=1) == ("5.1",)


def test_5_1_refuses_a_line_that_plays_on_after_the_end() -> None:
    """5.1: Black has no man outside."""
    assert contradicted(f"{cloth('abc', 'l')} 2 throw open 1") == "5.1"


def test_5_2_allows_a_side_to_be_skipped_that_no_throw_would_move() -> None:
    """5.2: x would need a 5 to e, which the sticks never give."""
    assert play(at("abcdx", "nl", "s1", seat=2, throw="sticks"), "n>X").turn == 1


def test_5_2_allows_the_end_when_no_throw_would_move_either() -> None:
    """5.2: after O>M White too would need a 5."""
    state = at("abcdx", "LKJIO", "s1", seat=2, throw="sticks")
    assert play(state, "O>M").node == Over((4, 4), "5.2", (0, 1))


def test_5_2_allows_men_asleep_to_end_the_game() -> None:
    """5.2, option `first_move`: `each_man`: before A to D all is closed, and White would need a 9, a 10 or an 11."""
    state = at("ABCD", "LKJIHGFEPMO", "s1", seat=2, asleep="ABCD", preset="mysore")
    assert play(state, "P>N").node == Over((0, 8), "5.2", (1,))


def test_5_2_refuses_to_skip_a_side_that_a_rare_throw_would_move() -> None:
    """5.2: with dice x needs a 5, which can be thrown."""
    assert play(at("abcdx", "nl", "1-1", seat=2), "n>X").turn == 0


def test_5_2_refuses_the_end_while_one_side_can_move() -> None:
    """5.2: when that is true of both."""
    assert isinstance(at("abcdx", "nl", seat=2, throw="sticks").node, Chance)


def test_5_2_refuses_a_throw_to_a_side_that_is_skipped() -> None:
    """5.2: it is skipped without throwing."""
    assert contradicted(f"{cloth('abcdx', 'nl')} 1 throw open -", throw="sticks") == "5.2"


def test_5_2_refuses_every_action_after_the_end() -> None:
    """5.2: the refusal cites the paragraph that ended the game."""
    state = play(at("abcdx", "LKJIO", "s1", seat=2, throw="sticks"), "O>M")
    assert broken(state, "M>L", seat=1) == ("5.2",)


def test_5_3_allows_the_side_with_more_squares_to_win() -> None:
    """5.3: though White finished first."""
    assert play(at("abcA", "ML", "1-1", seat=2), "M>K").node == Over((3, 2), "5.1", (0,))


def test_5_3_allows_a_draw_with_equal_squares() -> None:
    """5.3, option `ties`: `draw`."""
    assert play(at("abcx", "LKJIm", "1-3"), "x>d").node == Over((4, 4), "5.1", (0, 1))


def test_5_3_allows_the_first_finisher_to_win_where_that_is_agreed() -> None:
    """5.3, option `ties`: `first_finisher`."""
    assert play(at("abcx", "LKJIm", "1-3", ties="first_finisher"), "x>d").node == Over((4, 4), "5.1", (0,))


def test_5_3_allows_a_side_whose_last_man_is_captured_to_have_finished_first() -> None:
    """5.3, option `ties`: `first_finisher`."""
    assert play(at("aOA", "LT", "1-4", ties="first_finisher"), "O>T").node == Over((1, 1), "5.1", (1,))


def test_5_3_allows_the_first_finisher_to_be_remembered_while_the_other_plays_on() -> None:
    """5.3, options `ties`: `first_finisher` and `end`: `both`."""
    assert play(at("abx", "LKM", "1-2", ties="first_finisher", end="both"), "x>c 1-2 M>J").node == Over((3, 3), "5.1", (0,))


def test_5_3_refuses_a_first_finisher_when_both_finish_on_one_step() -> None:
    """5.3: the last man captures the enemy's last man as he arrives."""
    assert play(at("abcx", "LKJId", "1-3", ties="first_finisher"), "x>d").node == Over((4, 4), "5.1", (0, 1))


def test_5_3_refuses_a_first_finisher_when_nobody_has_finished() -> None:
    """5.3: an end by 5.2 with equal squares is a draw."""
    state = at("abcdx", "LKJIO", "s1", seat=2, throw="sticks", ties="first_finisher")
    assert play(state, "O>M").node == Over((4, 4), "5.2", (0, 1))


def test_5_3_refuses_the_win_to_the_first_finisher_with_fewer_squares() -> None:
    """5.3: squares come first."""
    assert play(at("abx", "LKJIm", "1-2", ties="first_finisher"), "x>c").node == Over((3, 4), "5.1", (1,))


def test_5_3_refuses_a_line_that_names_the_wrong_finisher() -> None:
    """5.3: Black has men outside, so Black has not finished."""
    assert contradicted(f"{cloth('aA', 'L')} 2 over open 1") == "5.3"
