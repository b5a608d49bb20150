"""Tabaijana, paragraph by paragraph: what each allows, what each refuses."""

import re
from collections import Counter

import pytest

import tablee
from tablee.core.errors import NotationError, PositionError, TableeError
from tablee.core.state import DICE, Chance, Decision, Over, State
from tests.asking import after, broken

FIELDS = {"turn": "1", "dice": "-", "colours": "rw", "three": "-", "four": "-", "boat": "10", "load": "-"}
STACK = "ywgrbywrbgyrgwbyrbwg"


def line(text: str) -> str:
    """Return a whole position line: what is not said is as at the start, and `*` stands for all the crates not named."""
    given = dict(field.split("=") for field in text.split())
    named = Counter("".join(value for name, value in given.items() if name == "load" or name.isdigit()))
    left = {letter: 4 - named[letter] for letter in "rwgby"}
    rest = "".join(letter for n in range(4) for letter in "rwgby" if n < left[letter])
    cells = {name: value for name, value in sorted(given.items(), key=lambda field: (len(field[0]), field[0])) if name.isdigit()}
    order = {"order": given["order"]} if "order" in given else {}
    fields = {name: given.get(name, usual) for name, usual in FIELDS.items()}
    first = {name: fields.pop(name) for name in ("turn", "dice", "colours")}
    return " ".join(f"{name}={value.replace('*', rest)}" for name, value in (first | order | fields | cells).items())


def at(text: str, *tokens: str, **options: str) -> State:
    """Return the state after these tokens from a position."""
    whole = line(text)
    found = re.search("colours=([a-z]+)", whole)
    assert found
    return after(tablee.game("tabaijana", len(found[1]), **options).load(whole), *tokens)


def legal(state: State) -> list[str]:
    """Return the legal tokens."""
    return [state.game.notate(action) for action in state.legal()]


def field(state: State, name: str) -> str:
    """Return one field of the position line, or nothing."""
    fields = dict(one.split("=") for one in state.game.dump(state).split(" "))
    return fields.get(name, "")


def reason(state: State) -> str:
    """Return the paragraph that ended the game and whether it was won, or nothing."""
    return f"{state.node.reason} {'won' if state.node.winners else 'lost'}" if isinstance(state.node, Over) else ""


def last_sentences(state: State) -> list[str]:
    """Return the keys of what is told of the last action."""
    assert state.previous
    return [message.key for message in state.game.kind.tell(state.game, state.previous.position, state.action, state.position)]


def contradicted(text: str, **options: str) -> str:
    """Return the paragraph that a position contradicts."""
    with pytest.raises(PositionError) as error:
        at(text, **options)
    return error.value.paragraph


def misread(token: str) -> str:
    """Return the paragraph that a token contradicts."""
    with pytest.raises(NotationError) as error:
        tablee.game("tabaijana").parse(token)
    return error.value.paragraph


def set_up(seats: int = 3, game: str = "famille", **given: str) -> State:
    """Return the first state of a set-up given by hand."""
    stack = {"stack": STACK} if game == "famille" else {}
    return tablee.game("tabaijana", seats, game=game).start_from(stack | given)


# 1 Material and set-up


def test_1_1_allows_four_crates_of_each_of_five_colours() -> None:
    """1.1: 20 crates, and the seats red, white, green, blue, yellow."""
    state = set_up(5)
    assert (Counter(field(state, "1")), field(state, "colours")) == (Counter("rwgby" * 4), "rwgby")


def test_1_1_allows_other_colours_if_the_table_chooses() -> None:
    """1.1: the table may choose other colours."""
    assert field(set_up(3, colours="ybg"), "colours") == "ybg"


def test_1_1_allows_the_table_to_choose_the_colours_before_the_stack_is_drawn() -> None:
    """1.1: every seat its colour; the rest of the set-up is drawn as ever."""
    usual = tablee.game("tabaijana", 3).start(seed=1)
    chosen = tablee.game("tabaijana", 3).start(seed=1, setup={"colours": "bgr"})
    assert (field(chosen, "colours"), field(chosen, "1")) == ("bgr", field(usual, "1"))
    assert tablee.record(chosen).splitlines()[4].startswith("setup: colours=bgr ")


@pytest.mark.parametrize("colours", ["bb", "bgr", "b", "bx", ""])
def test_1_1_refuses_a_choice_of_colours_that_does_not_fit(colours: str) -> None:
    """1.1: one for each seat, all different."""
    with pytest.raises(TableeError, match="cannot be chosen as colours: expected 2 different letters of rwgby"):
        tablee.game("tabaijana", 2).start(seed=1, setup={"colours": colours})


def test_1_2_refuses_a_choice_of_the_stack() -> None:
    """1.2: every stack is equally likely, so it is drawn."""
    with pytest.raises(TableeError, match="unknown set-up of tabaijana to choose 'stack'"):
        tablee.game("tabaijana", 2).start(seed=1, setup={"stack": STACK})


def test_1_1_refuses_a_fifth_crate_of_a_colour() -> None:
    """1.1: four crates of each colour."""
    assert contradicted("1=rwgbyrwgbyrwgbyrwgbr") == "1.1"


def test_1_1_refuses_a_cell_beyond_the_track() -> None:
    """1.1: 24 cells."""
    assert contradicted("1=* 25=r") == "1.1"


@pytest.mark.parametrize("token", ["0:1>2", "21:1>2", "1:0>3", "1:25>26"])
def test_1_1_refuses_crates_and_cells_there_are_not(token: str) -> None:
    """1.1: 20 crates, 24 cells."""
    assert misread(token) == "1.1"


@pytest.mark.parametrize("colours", ["rr", "rx", "r", "rwg", ""])
def test_1_1_refuses_colours_that_do_not_fit_the_seats(colours: str) -> None:
    """1.1: each player has a colour of his own."""
    with pytest.raises(TableeError, match=r"\(1\.1\)"):
        set_up(2, colours=colours)


def test_1_1_refuses_a_sixth_seat() -> None:
    """1.1: two to five players, as there are five colours."""
    with pytest.raises(TableeError, match="2 to 5"):
        tablee.game("tabaijana", 6)


def test_1_2_allows_one_stack_on_cell_1() -> None:
    """1.2: in the family game all the crates are on cell 1, no two neighbours alike."""
    assert field(set_up(), "1") == STACK


def test_1_2_allows_five_stacks_for_children() -> None:
    """1.2: in the children's game red is on 2, white on 3, green on 4, blue on 5, yellow on 6."""
    state = set_up(game="enfants")
    assert [field(state, cell) for cell in "123456"] == ["", "rrrr", "wwww", "gggg", "bbbb", "yyyy"]


def test_1_2_refuses_two_neighbours_of_one_colour() -> None:
    """1.2: no two neighbours of one colour at the start."""
    with pytest.raises(TableeError, match=r"crates 2 and 3 are both white.*\(1\.2\)"):
        set_up(stack="ywwgrbyrbgyrgwbyrbwg")


@pytest.mark.parametrize("stack", ["", "rwgby", STACK + "r", STACK[:-1] + "x"])
def test_1_2_refuses_a_stack_without_all_the_crates(stack: str) -> None:
    """1.2: all 20 crates are in the stack."""
    with pytest.raises(TableeError, match="4 each of rwgby"):
        set_up(stack=stack)


def test_1_2_refuses_to_begin_without_a_stack() -> None:
    """1.2: the stack must be drawn or given."""
    with pytest.raises(TableeError, match=r"lacks stack=.*\(1\.2\)"):
        tablee.game("tabaijana").start_from({})


def test_1_2_refuses_a_stack_in_the_children_s_game() -> None:
    """1.2: there nothing is drawn."""
    with pytest.raises(TableeError, match="unknown set-up of tabaijana 'stack'"):
        set_up(game="enfants", stack=STACK)


def test_1_3_allows_the_boat_to_move_first() -> None:
    """1.3: the boat starts on 10, and the first move may be the boat."""
    state = set_up()
    state = state.play(state.game.parse("4"))
    assert "B>14" in legal(state)


def test_1_3_allows_another_seat_to_begin() -> None:
    """1.3: seat 1 begins unless the table draws lots."""
    assert (set_up().turn, set_up(first="3").turn) == (0, 2)


def test_1_3_refuses_a_seat_that_is_not_there() -> None:
    """1.3: one of the seats begins."""
    with pytest.raises(TableeError, match=r"\(1\.3\)"):
        set_up(3, first="4")


def test_1_3_refuses_a_boat_behind_the_harbour() -> None:
    """1.3: the boat starts on 10 and never goes back."""
    assert (contradicted("boat=9 1=*"), misread("B>10"), misread("2:B>7")) == ("1.3", "1.3", "1.3")


def test_1_4_allows_crates_to_come_aboard_on_top_in_their_order() -> None:
    """1.4: crates that reach the boat's cell are on the boat, added on top."""
    state = at("dice=4 load=gb 6=wyr 1=*", "2:6>10")
    assert (field(state, "load"), field(state, "6"), field(state, "10")) == ("gbyr", "w", "")


def test_1_4_allows_crates_to_be_added_to_a_stack() -> None:
    """1.4: crates are added on top, order kept."""
    assert field(at("dice=4 2=gbr 6=wy 1=*", "2:2>6"), "6") == "wybr"


def test_1_4_refuses_a_stack_beside_the_boat() -> None:
    """1.4: never two stacks on a cell."""
    assert contradicted("load=g 10=r 1=*") == "1.4"


def test_1_4_refuses_to_call_the_load_by_the_cell() -> None:
    """1.4: crates on the boat's cell are on the boat, written `B`."""
    state = at("dice=4 load=gr 1=*")
    assert (broken(state, "1:10>14"), broken(state, "1:B>14")) == (("1.4",), ())


def test_1_4_refuses_to_speak_of_a_load_that_is_not_there() -> None:
    """1.4: with an empty boat there is no crate on its cell at all."""
    assert broken(at("dice=4 1=*"), "1:10>14") == ("2.3",)


@pytest.mark.parametrize(("token", "cells"), [("1:1>5", ("1", "5")), ("B>25", ("B", "sea")), ("1:B>13", ("B", "13"))])
def test_2_1_refuses_with_the_cells_concerned(token: str, cells: tuple[str, ...]) -> None:
    """2.1: where it starts and where it would end."""
    state = at("dice=2 boat=15 load=r 1=*r")
    refusal = state.refusal(0, state.game.parse(token))
    assert refusal is not None
    assert refusal.rulings[0].cells == cells


# 2 A turn


def test_2_1_allows_exactly_the_number_thrown() -> None:
    """2.1: move forward by exactly that number."""
    assert broken(at("dice=3 1=*r"), "1:1>4") == ()


def test_2_1_allows_either_of_two_dice() -> None:
    """2.1: of two dice, one is used."""
    state = at("dice=2/5 three=r 1=*r")
    assert (broken(state, "1:1>3"), broken(state, "1:1>6")) == ((), ())


@pytest.mark.parametrize("token", ["1:1>2", "1:1>4", "B>11"])
def test_2_1_refuses_another_number(token: str) -> None:
    """2.1: no other number than the one thrown."""
    assert broken(at("dice=2 1=*r"), token) == ("2.1",)


def test_2_1_refuses_the_sum_of_two_dice() -> None:
    """2.1: use one of them, not the sum."""
    assert broken(at("dice=2/3 three=r 1=*r"), "1:1>6") == ("2.1",)


def test_2_1_refuses_to_unload_backwards() -> None:
    """2.1: everything goes forward."""
    assert broken(at("dice=2 boat=15 load=r 1=*"), "1:B>13") == ("2.1",)


def test_2_1_refuses_to_move_before_the_throw() -> None:
    """2.1: throw, then move."""
    assert broken(at("1=*r"), "1:1>4") == ("2.1",)


def test_2_1_refuses_to_move_out_of_turn() -> None:
    """2.1: it is somebody else's turn."""
    assert broken(at("dice=3 1=*rw"), "1:1>4", seat=1) == ("2.1",)


def test_2_1_refuses_to_choose_a_throw() -> None:
    """2.1: the dice decide, and they move nothing."""
    assert (broken(at("1=*"), "6", seat=0), broken(at("1=*"), "1:1>4", seat=DICE)) == (("2.1",), ("2.1",))


def test_2_1_refuses_a_second_throw_and_a_second_die() -> None:
    """2.1: one throw a turn, of one die."""
    assert (broken(at("dice=3 1=*"), "4", seat=DICE), broken(at("1=*"), "3/4", seat=DICE)) == (("2.1",), ("2.1",))


@pytest.mark.parametrize("token", ["7", "0", "3/7", "1:1>8", "1:5>5", "1:6>4"])
def test_2_1_refuses_numbers_no_die_shows(token: str) -> None:
    """2.1: a die shows 1 to 6."""
    assert misread(token) == "2.1"


def test_2_2_allows_who_cannot_move_to_pass() -> None:
    """2.2: a throw that allows nothing passes by itself."""
    state = at("load=g 22=r 23=rrr 24=* three=r", "5/6")
    assert (state.turn, isinstance(state.node, Chance), last_sentences(state)) == (1, True, ["tell throw", "tell pass"])


def test_2_2_refuses_to_pass_while_a_move_is_left() -> None:
    """2.2: who can move must, be it his ruin."""
    state = at("boat=20 load=r 23=w 24=*", "6")
    assert (state.turn, legal(state)) == (0, ["B>26"])


def test_2_2_refuses_dice_that_allow_nothing_to_lie_there() -> None:
    """2.2: such a throw would have passed."""
    assert contradicted("dice=4 load=g 22=r 23=r 24=*") == "2.2"


@pytest.mark.parametrize("count", range(1, 6))
def test_2_3_allows_any_top_part(count: int) -> None:
    """2.3: one crate to all."""
    state = at("dice=2 4=wgbyr 1=*", f"{count}:4>6")
    assert (field(state, "4"), field(state, "6")) == ("wgbyr"[:-count], "wgbyr"[-count:])


def test_2_3_allows_to_pass_stacks_and_the_boat() -> None:
    """2.3: crates may pass stacks and the boat."""
    assert field(at("dice=6 7=r 9=wg load=b 11=y 1=*", "1:7>13"), "13") == "r"


def test_2_3_refuses_more_crates_than_there_are() -> None:
    """2.3: the top part of one stack."""
    state = at("dice=2 4=wr load=r 1=*")
    assert (broken(state, "3:4>6"), broken(state, "2:B>12"), broken(state, "1:5>7")) == (("2.3",), ("2.3",), ("2.3",))


def test_2_4_allows_rule_a() -> None:
    """2.4 A: the moved part holds a crate of one's colour."""
    assert broken(at("dice=2 4=wrgb 1=*"), "3:4>6") == ()


def test_2_4_allows_rule_b() -> None:
    """2.4 B: what stays behind has one's colour on top."""
    assert broken(at("dice=2 4=wrgb 1=*"), "2:4>6") == ()


def test_2_4_refuses_neither_a_nor_b() -> None:
    """2.4: green on top stays, blue goes: neither is red's."""
    assert broken(at("dice=2 4=wrgb 1=*"), "1:4>6") == ("2.4",)


def test_2_4_refuses_a_whole_stack_without_a_crate_of_one_s_own() -> None:
    """2.4 B: what stays behind must not be empty."""
    assert broken(at("dice=2 4=wgb 1=*"), "3:4>6") == ("2.4",)


def test_2_4_refuses_neutral_stacks_too() -> None:
    """2.4: in the family game a neutral stack needs rule A or B like any other."""
    assert broken(at("dice=2 4=gb 1=*"), "1:4>6") == ("2.4",)


def test_2_5_allows_a_part_with_a_crate_of_one_s_own() -> None:
    """2.5: in the children's game the moved part holds a crate of one's colour."""
    assert broken(at("dice=2 4=wrgb 1=*", game="enfants"), "3:4>6") == ()


def test_2_5_allows_any_part_of_a_neutral_stack() -> None:
    """2.5: or the whole stack is neutral."""
    assert [broken(at("dice=2 4=gby 1=*", game="enfants"), f"{count}:4>6") for count in (1, 2, 3)] == [(), (), ()]


def test_2_5_refuses_the_neutral_top_of_a_mixed_stack() -> None:
    """2.5: neutral tops of mixed stacks may not move."""
    assert broken(at("dice=2 4=wgb 1=*", game="enfants"), "2:4>6") == ("2.5",)


def test_2_5_refuses_rule_b_in_the_children_s_game() -> None:
    """2.5: leaving one's colour on top is no right there."""
    assert broken(at("dice=2 4=wrgb 1=*", game="enfants"), "2:4>6") == ("2.5",)


def test_2_6_allows_crates_to_reach_cell_24() -> None:
    """2.6: crates may reach cell 24."""
    assert broken(at("dice=3 21=r 1=*"), "1:21>24") == ()


def test_2_6_refuses_crates_beyond_24() -> None:
    """2.6: never beyond."""
    assert (misread("1:21>25"), misread("1:B>25"), [token for token in legal(at("dice=4 21=r 1=*")) if ":21>" in token]) == ("2.6", "2.6", [])


def test_2_6_refuses_cell_24_where_23_is_the_far_end() -> None:
    """2.6, option `far_end=23`: crates stop at 23."""
    assert broken(at("dice=3 21=r 1=*", far_end="23"), "1:21>24") == ("2.6",)
    assert contradicted("24=r 1=*", far_end="23") == "2.6"


def test_2_6_allows_the_boat_beyond_23_all_the_same() -> None:
    """2.6, option `far_end=23`: crates only; the boat may still sail to its ruin."""
    assert reason(at("dice=3 boat=21 load=r 1=*", "B>24", far_end="23")) == "5.2 lost"


# 3 The boat


def test_3_1_allows_anyone_to_move_the_empty_boat() -> None:
    """3.1: the empty boat may be moved by anyone."""
    assert [broken(at(f"turn={seat} dice=5 colours=rwgby 1=*"), "B>15") for seat in range(1, 6)] == [()] * 5


def test_3_1_refuses_that_freedom_once_a_crate_is_aboard() -> None:
    """3.1: only the empty boat."""
    assert broken(at("dice=5 load=g 1=*"), "B>15") == ("3.2",)


def test_3_2_allows_who_has_a_crate_aboard_to_sail_with_the_load() -> None:
    """3.2: the loaded boat moves with its load."""
    state = at("dice=5 load=wrg 1=*", "B>15")
    assert (field(state, "boat"), field(state, "load")) == ("15", "wrg")


def test_3_2_allows_children_to_sail_a_neutral_load() -> None:
    """3.2: in the children's game also by anyone while the load is all neutral."""
    assert broken(at("dice=5 load=gby 1=*", game="enfants"), "B>15") == ()


def test_3_2_refuses_who_has_nothing_aboard() -> None:
    """3.2: only by a player with a crate of his colour aboard."""
    assert broken(at("dice=5 load=wg 1=*"), "B>15") == ("3.2",)
    assert broken(at("dice=5 load=wg 1=*", game="enfants"), "B>15") == ("3.2",)


def test_3_3_allows_the_boat_to_take_a_stack_on_top_of_its_load() -> None:
    """3.3: that stack goes on top of the load, order kept."""
    assert field(at("dice=3 load=rrw 13=wrg 1=*", "B>13"), "load") == "rrwwrg"


def test_3_3_refuses_to_take_what_it_only_passes() -> None:
    """3.3: it may pass stacks."""
    state = at("dice=3 load=rrw 11=yb 12=g 1=*", "B>13")
    assert (field(state, "load"), field(state, "11"), field(state, "12")) == ("rrw", "yb", "g")


def test_3_4_allows_to_unload_by_rule_a_and_by_rule_b() -> None:
    """3.4: crates aboard may be moved off, forward, by the same rules."""
    state = at("dice=3 load=wrgb 1=*")
    assert [token for token in legal(state) if "B>" in token] == ["2:B>13", "3:B>13", "4:B>13", "B>13"]


def test_3_4_refuses_to_unload_against_rules_a_and_b() -> None:
    """3.4: the same rules hold aboard."""
    assert broken(at("dice=3 load=wrgb 1=*"), "1:B>13") == ("2.4",)
    assert broken(at("dice=3 load=wrgb 1=*", game="enfants"), "1:B>13") == ("2.5",)


# 4 Privileges


def test_4_1_allows_two_dice_after_three_crates_on_top_of_each_other() -> None:
    """4.1: three of his crates directly on top of each other in one stack."""
    state = at("dice=2 2=rr 4=gr 6=wr 1=*", "1:4>6", "1", "B>11")
    assert (field(state, "three"), isinstance(state.node, Chance), len(legal(state))) == ("-", True, 6)
    state = at("dice=2 2=rr 4=wr 1=*", "2:2>4", "1", "B>11")
    assert (field(state, "three"), len(legal(state))) == ("r", 21)


def test_4_1_allows_two_dice_after_three_crates_aboard_for_children() -> None:
    """4.1: in the children's game three of his crates aboard, in whatever order."""
    assert field(at("dice=2 8=r load=rwgr 1=*", "1:8>10", game="enfants"), "three") == "r"


def test_4_1_refuses_three_crates_that_are_not_neighbours() -> None:
    """4.1: directly on top of each other, in the family game."""
    assert field(at("dice=2 8=r load=rwrg 1=*", "1:8>10"), "three") == "-"


def test_4_1_refuses_three_crates_ashore_in_the_children_s_game() -> None:
    """4.1: aboard, in the children's game."""
    assert field(at("dice=2 2=rr 4=wr 1=*", "2:2>4", game="enfants"), "three") == "-"


def test_4_1_refuses_two_crates_aboard_in_the_children_s_game() -> None:
    """4.1: three of them."""
    assert field(at("dice=2 8=r load=rwg 1=*", "1:8>10", game="enfants"), "three") == "-"


def test_4_1_refuses_one_die_to_who_throws_two() -> None:
    """4.1: always two."""
    assert broken(at("three=r 1=*"), "4", seat=DICE) == ("4.1",)
    assert contradicted("three=r dice=4 1=*") == "4.1"


def test_4_1_refuses_a_line_that_forgets_it() -> None:
    """4.1: who has three crates together has the privilege."""
    assert contradicted("4=rrr 1=*") == "4.1"


def test_4_2_allows_any_top_part_of_any_stack() -> None:
    """4.2: who has had all four together may move any stack, the boat's load included."""
    state = at("dice=2/2 three=r four=r 4=wgb load=wg 1=*")
    assert (broken(state, "1:4>6"), broken(state, "3:4>6"), broken(state, "1:B>12")) == ((), (), ())


def test_4_2_allows_children_every_stack_and_the_boat() -> None:
    """4.2: in the children's game, who has had four aboard may move any top part of any stack, and the boat."""
    state = at("dice=2/2 three=r four=r 4=wgb load=wg 1=*", game="enfants")
    assert (broken(state, "1:4>6"), broken(state, "B>12")) == ((), ())


def test_4_2_allows_it_from_the_move_that_unites_the_four() -> None:
    """4.2: four directly on top of each other; aboard in the children's game."""
    assert field(at("dice=2 2=rr 4=rr 1=*", "2:2>4"), "four") == "r"
    assert field(at("dice=2/5 8=r load=rwrgr 1=* three=r", "1:8>10", game="enfants"), "four") == "r"


def test_4_2_refuses_any_stack_to_who_has_had_only_three() -> None:
    """4.2: all four."""
    assert broken(at("dice=2/2 three=r 4=wgb 1=*"), "1:4>6") == ("2.4",)
    assert broken(at("dice=2/2 three=r 4=wgb 1=*", game="enfants"), "1:4>6") == ("2.5",)


def test_4_2_refuses_four_without_three() -> None:
    """4.2: who had four together had three."""
    assert contradicted("four=r 1=*") == "4.2"


def test_4_3_allows_a_privilege_won_by_another_s_move() -> None:
    """4.3: looked at after every move, whoever made it, for every seat."""
    assert field(at("turn=2 dice=2 2=rrw 4=r 1=*", "3:2>4"), "three") == "r"
    assert field(at("turn=2 dice=2 2=wrr 4=r 1=*", "2:2>4"), "three") == "r"


def test_4_3_allows_a_privilege_to_stay_when_the_crates_part() -> None:
    """4.3, option `privileges=keep`: once won, it stays."""
    assert field(at("dice=2/5 three=r 4=wrrr 1=*", "1:4>6"), "three") == "r"


def test_4_3_refuses_it_to_stay_where_it_lasts_only_as_long_as_its_reason() -> None:
    """4.3, option `privileges=while_it_lasts`: as the board stands at the throw."""
    state = at("dice=2/5 three=r 4=wrrr 1=*", "1:4>6", privileges="while_it_lasts")
    assert (field(state, "three"), last_sentences(state)) == ("-", ["tell crate", "tell three lost"])


def test_4_3_refuses_a_line_with_a_privilege_without_its_reason() -> None:
    """4.3, option `privileges=while_it_lasts`: the board shows who has one."""
    assert contradicted("three=r 1=*", privileges="while_it_lasts") == "4.3"


def test_4_3_refuses_a_privilege_for_neutral_crates() -> None:
    """4.3: for every seat, and for nobody else."""
    assert field(at("dice=2 2=ggr 4=gg 1=*", "3:2>4"), "three") == "-"


def test_4_4_allows_the_loaded_boat_where_the_table_says_so() -> None:
    """4.4, option `boat_for_four=yes`: four crates together give the loaded boat too."""
    assert broken(at("dice=2/2 three=r four=r load=wg 1=*", boat_for_four="yes"), "B>12") == ()


def test_4_4_refuses_the_loaded_boat_without_a_crate_of_one_s_own() -> None:
    """4.4: 4.2 gives no right to a loaded boat without a crate of one's own aboard."""
    assert broken(at("dice=2/2 three=r four=r load=wg 1=*"), "B>12") == ("3.2", "4.4")


def test_4_4_refuses_its_option_in_the_children_s_game() -> None:
    """4.4: the option belongs to the family game."""
    with pytest.raises(TableeError, match="belongs to game=famille"):
        tablee.game("tabaijana", game="enfants", boat_for_four="yes")


# 5 End

BLOCKS = "ggggrrrryyyywwwwbbb"
MIXED = "rwgbyrwgbyrwgbyrwgb"


def test_5_1_allows_all_to_win_with_every_colour_in_one_block() -> None:
    """5.1: all 20 crates aboard, each colour one block."""
    state = at(f"turn=3 dice=1/4 colours=rwb boat=14 load={BLOCKS} three=rwb four=rw 10=b", "1:10>14")
    assert (reason(state), last_sentences(state)[-1]) == ("5.1 won", "tell won")
    assert isinstance(state.node, Over)
    assert (state.node.scores, state.node.winners) == ((1, 1, 1), (0, 1, 2))


def test_5_1_allows_the_boat_to_fetch_the_last_crate() -> None:
    """5.1: as soon as they are aboard, in whatever way."""
    assert reason(at(f"dice=1/4 boat=14 load={BLOCKS} three=rw four=rw 18=b", "B>18")) == "5.1 won"


def test_5_1_allows_the_order_that_was_drawn() -> None:
    """5.1, option `order=on`: the blocks follow the order, bottom to top."""
    assert reason(at(f"dice=1/4 order=grywb boat=14 load={BLOCKS} three=rw four=rw 18=b", "B>18", order="on")) == "5.1 won"


def test_5_1_allows_the_table_to_choose_the_order() -> None:
    """5.1: an order that is chosen is not drawn."""
    drawn: list[int] = []

    def draw(n: int) -> int:
        """Note what is drawn."""
        drawn.append(n)
        return 0

    state = tablee.game("tabaijana", 2, order="on").start(draw, setup={"order": "ygwrb"})
    assert (field(state, "order"), drawn) == ("ygwrb", [11804626080])


@pytest.mark.parametrize("options", [{}, {"game": "enfants"}])
def test_5_1_refuses_a_choice_of_order_where_none_is_played(options: dict[str, str]) -> None:
    """5.1: only with the option."""
    with pytest.raises(TableeError, match="unknown set-up of tabaijana to choose 'order'"):
        tablee.game("tabaijana", 2, **options).start(seed=1, setup={"order": "ygwrb"})


def test_5_1_allows_children_to_win_without_equal_neighbours() -> None:
    """5.1: in the children's game all 20 aboard, no two neighbours of one colour."""
    assert reason(at(f"dice=1/4 boat=14 load={MIXED} three=rw four=rw 18=y", "B>18", game="enfants")) == "5.1 won"


def test_5_1_refuses_a_win_with_a_colour_in_two_blocks() -> None:
    """5.1: each colour forms one block."""
    assert reason(at("dice=1/4 boat=14 load=ggggrrrryyyywwwbbbb three=rw four=r 18=w", "B>18")) == ""


def test_5_1_refuses_a_win_while_a_crate_is_missing() -> None:
    """5.1: all 20 crates."""
    assert reason(at(f"dice=1/4 boat=14 load={BLOCKS} three=rw four=rw 18=b", "B>15")) == ""


def test_5_1_refuses_a_win_in_another_order() -> None:
    """5.1, option `order=on`: no other order will do."""
    assert reason(at(f"dice=1/4 order=bwyrg boat=14 load={BLOCKS} three=rw four=rw 18=b", "B>18", order="on")) == ""


def test_5_1_refuses_children_a_win_with_equal_neighbours() -> None:
    """5.1: what wins the family game does not win the children's, and the other way round."""
    assert reason(at(f"dice=1/4 boat=14 load={BLOCKS} three=rw four=rw 18=b", "B>18", game="enfants")) == ""
    assert reason(at(f"dice=4 boat=14 load={MIXED} 18=y", "B>18")) == ""


@pytest.mark.parametrize("order", ["rwgb", "rwgbyr", "rwgbb", ""])
def test_5_1_refuses_an_order_without_every_colour(order: str) -> None:
    """5.1, option `order=on`: each colour once."""
    with pytest.raises(TableeError, match=r"\(5\.1\)"):
        tablee.game("tabaijana", order="on").start_from({"stack": STACK, "order": order})


def test_5_1_refuses_to_begin_without_the_order() -> None:
    """5.1, option `order=on`: it is drawn before play."""
    with pytest.raises(TableeError, match=r"lacks order=.*\(5\.1\)"):
        tablee.game("tabaijana", order="on").start_from({"stack": STACK})


def test_5_1_refuses_its_option_in_the_children_s_game() -> None:
    """5.1: the option `order` belongs to the family game."""
    with pytest.raises(TableeError, match="belongs to game=famille"):
        tablee.game("tabaijana", game="enfants", order="on")


@pytest.mark.parametrize("end", [24, 26])
def test_5_2_allows_the_boat_to_be_lost_on_24_and_beyond(end: int) -> None:
    """5.2: reaching or passing 24 loses the game."""
    state = at(f"dice={end - 20} boat=20 load=r 1=*", f"B>{end}")
    assert (reason(state), last_sentences(state)) == ("5.2 lost", ["tell boat", "tell sunk"])


def test_5_2_allows_no_win_on_24_even_with_the_load_complete() -> None:
    """5.2, option `cell_24=lost`: success must come before."""
    assert reason(at(f"dice=1/4 boat=20 load={BLOCKS} three=rw four=rw 24=b", "B>24")) == "5.2 lost"


def test_5_2_allows_a_win_on_24_where_it_counts() -> None:
    """5.2, option `cell_24=counts`: arriving exactly on 24 with the load complete and in order wins."""
    assert reason(at(f"dice=1/4 boat=20 load={BLOCKS} three=rw four=rw 24=b", "B>24", cell_24="counts")) == "5.1 won"


def test_5_2_refuses_a_win_on_24_with_the_load_incomplete() -> None:
    """5.2, option `cell_24=counts`: complete and in order."""
    assert reason(at(f"dice=1/4 boat=20 load={BLOCKS} three=rw four=rw 22=b", "B>24", cell_24="counts")) == "5.2 lost"


def test_5_2_refuses_a_win_beyond_24() -> None:
    """5.2, option `cell_24=counts`: exactly on 24."""
    assert reason(at("dice=5/6 boat=20 load=ggggrrrryyyywwbbbbww three=rw four=r", "B>25", cell_24="counts")) == "5.2 lost"


def test_5_2_refuses_to_end_the_game_on_23() -> None:
    """5.2: 23 is not 24."""
    assert reason(at("dice=3 boat=20 load=r 1=*", "B>23")) == ""


def test_5_2_refuses_a_boat_that_is_lost_and_a_throw_to_play() -> None:
    """5.2: the game is over."""
    assert contradicted("dice=3 boat=24 load=r 1=*") == "5.2"
    assert broken(at("boat=24 load=r 1=*"), "B>29") == ("5.2",)


def test_5_3_allows_the_game_to_be_lost_when_nobody_can_move() -> None:
    """5.3: nobody could move with any number."""
    state = at("dice=1 boat=20 load=gbygbygbygby 23=r 24=wrwrwrw", "1:23>24")
    assert (reason(state), last_sentences(state)) == ("5.3 lost", ["tell crate", "tell stuck"])


def test_5_3_allows_it_a_cell_earlier_where_crates_stop_at_23() -> None:
    """5.3 with option `far_end=23`."""
    assert reason(at("boat=20 load=gbygbygbygby 23=rwrwrwrw", far_end="23")) == "5.3 lost"


def test_5_3_allows_it_whatever_neutral_crates_lie_together() -> None:
    """5.3: four neutral crates together are nobody's privilege."""
    assert reason(at("boat=20 load=ggggbbbbyyyy 24=rwrwrwrw")) == "5.3 lost"


def test_5_3_refuses_to_end_while_one_seat_can_move() -> None:
    """5.3: one seat stuck throws and passes."""
    state = at("boat=20 load=gbygbygbygby 23=w 24=rwrwrwr", "3")
    assert (reason(state), state.turn, last_sentences(state)[-1]) == ("", 1, "tell pass")


def test_5_3_refuses_to_end_while_a_four_holder_can_unload() -> None:
    """5.3: who has had four together may still move the load or, where that is at the far end, another stack."""
    assert reason(at("boat=20 load=gbygbygbygby 24=rrrrwwww three=rw four=rw")) == ""
    assert reason(at("boat=23 load=gbygbygbygby 22=rwrwrwrw three=rw four=rw", far_end="23")) == ""


def test_5_3_refuses_to_end_the_children_s_game() -> None:
    """5.3: there a neutral load may be sailed by anyone."""
    assert reason(at("boat=20 load=gbygbygbygby 24=rwrwrwrw", game="enfants")) == ""


def test_5_4_allows_the_game_to_go_on_and_tells_the_table() -> None:
    """5.4: a crate on 24 can never be loaded; the table is told so, at once and whenever it is asked."""
    state = at("dice=3 21=r 1=*w", "1:21>24", "2")
    assert state.previous
    assert last_sentences(state.previous) == ["tell crate", "tell stranded"]
    assert isinstance(state.node, Decision)
    assert state.node.ask.key == "ask hopeless"


def test_5_4_refuses_to_despair_where_24_counts() -> None:
    """5.4: only under `cell_24=lost`."""
    state = at("dice=3 21=r 1=*w", "1:21>24", "2", cell_24="counts")
    assert state.previous
    assert last_sentences(state.previous) == ["tell crate"]
    assert isinstance(state.node, Decision)
    assert state.node.ask.key == "ask"


def test_5_4_refuses_to_make_the_end_an_action() -> None:
    """5.4: an abandon is agreed by the people seated; no token plays it."""
    assert all(re.fullmatch(r"[1-6](/[1-6])?|([0-9]+:)?(B|[0-9]+)>[0-9]+", tablee.game("tabaijana").notate(n)) for n in range(2786))


def test_5_5_allows_moves_that_ruin_the_game() -> None:
    """5.5: such moves are legal."""
    state = at("dice=6 boat=18 load=r 17=r 1=*w")
    assert {"B>24", "1:17>23", "1:B>24"} <= set(legal(state))


def test_5_5_refuses_no_way_out_of_a_ruinous_move() -> None:
    """5.5: but nobody is made to play it while there is another."""
    assert len(legal(at("dice=6 boat=18 load=r 1=*w"))) > 1


def test_a_hint_praises_no_action_after_which_the_game_cannot_be_won() -> None:
    assert hint_reason("dice=3 boat=20 load=r 23=g 1=*w", "B>23") == "why aboard one"
    assert hint_reason("dice=3 boat=21 load=r 24=g 1=*w", "B>24") == ""  # it is over: 5.2
    assert hint_reason("dice=3 boat=20 load=r 23=g 24=b 1=*w", "B>23") == ""  # a crate is stranded: 5.4


def hint_reason(text: str, token: str) -> str:
    """Return the key of the reason that a hint gives for an action, or nothing."""
    state = at(text)
    (action,) = (one for one in state.legal() if state.game.notate(one) == token)
    message = state.game.kind.reason(state.game, state.position, action, state.play(action).position)
    return message.key if message else ""
