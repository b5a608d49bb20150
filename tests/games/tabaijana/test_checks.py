"""Tabaijana's check values, the sheet's examples, the even draw of its set-up, and what its text and its look promise."""

from collections import Counter
from itertools import pairwise, permutations
from math import comb, factorial
from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import tablee
from tablee.core.errors import NotationError, PositionError
from tablee.core.game import Game
from tablee.core.position import CHANCE, OVER, Position
from tablee.core.state import Chance, Decision, State
from tablee.games.tabaijana.deal import nth_stack, stacks

START = "turn=1 dice=- colours=rwg three=- four=- boat=10 load=- 1=ywgrbywrbgyrgwbyrbwg"
EXAMPLE = "turn=1 dice=2 colours=yb three=- four=- boat=10 load=- 1=ygbwrygwrbygwbyr 3=wgrb"


def playing(game: Game, draw: Random) -> list[State]:
    """Return every state of a random game."""
    states = [game.start(draw.randrange)]
    while not states[-1].over:
        state = states[-1]
        states.append(state.throw(draw.randrange) if isinstance(state.node, Chance) else state.play(draw.choice(state.legal())))
    return states


def finish(position: Position, draw: Random, buffer: vec[i64]) -> int:
    """Play a position at random to its end; return how many throws it took."""
    throws = 0
    while (actor := position.actor()) != OVER:
        if actor == CHANCE:
            position.play(position.throw(draw.randrange(int(position.chances()))))
            throws += 1
        else:
            position.play(buffer[draw.randrange(int(position.actions(actor, buffer)))])
    return throws


# The sheet's examples, page 19


def test_yellow_takes_three_crates_by_rule_a_and_blue_takes_two_by_rule_b() -> None:
    """Check values: (1) yellow throws 2, three crates from 1 to 3; (2) blue throws 3, two crates from 3 to 6, not to 5."""
    game = tablee.game("tabaijana", 2)
    state = game.load(EXAMPLE).play(game.parse("3:1>3")).play(game.parse("3"))
    assert "3=wgrbbyr" in game.dump(state)
    assert state.refusal(1, game.parse("2:3>5"))
    state = state.play(game.parse("2:3>6"))
    assert game.dump(state).endswith("1=ygbwrygwrbygw 3=wgrbb 6=yr")


def test_the_three_crates_moved_by_yellow_could_not_be_one() -> None:
    """The example again: red on top alone, and red over yellow; only the part with yellow in it, or down to yellow, may go."""
    game = tablee.game("tabaijana", 2)
    tokens = [game.notate(action) for action in game.load(EXAMPLE).legal()]
    assert [token for token in tokens if token.startswith(("1:1>", "2:1>", "3:1>"))] == ["1:1>3", "2:1>3", "3:1>3"]
    assert "1:3>5" not in tokens


# Random play


@pytest.mark.parametrize(("seats", "stuck"), [(2, 0.29), (3, 0.18), (4, 0.08), (5, 0.0)])
def test_random_family_games_last_about_forty_throws_and_often_get_stuck(seats: int, stuck: float) -> None:
    """Check values: 38 to 43 throws; ends by 5.3 in 29, 18, 8, 0 % of games; never wins."""
    game, draw, buffer = tablee.game("tabaijana", seats), Random(seats), vec[i64]([0] * 2786)
    ends: Counter[str] = Counter()
    throws = 0
    for _ in range(800):
        position = game.start(draw.randrange).position
        throws += finish(position, draw, buffer)
        ends[position.reason()] += 1
    assert 37.5 < throws / 800 < 43.5
    assert abs(ends["5.3"] / 800 - stuck) < (0.05 if stuck else 0.0001)
    assert ends["5.1"] == 0


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_random_children_s_games_never_get_stuck(seats: int) -> None:
    """Check values: `enfants` never ends by 5.3."""
    game, draw, buffer = tablee.game("tabaijana", seats, game="enfants"), Random(seats), vec[i64]([0] * 2786)
    ends: Counter[str] = Counter()
    for _ in range(300):
        position = game.start(draw.randrange).position
        finish(position, draw, buffer)
        ends[position.reason()] += 1
    assert set(ends) <= {"5.1", "5.2"}


def test_a_greedy_table_of_children_wins_often_and_a_greedy_family_now_and_then() -> None:
    """Check values: there is room for thought, but a glance at the standing is worth something."""
    wins = {name: sum(greedy(tablee.game("tabaijana", 2, game=name), seed) for seed in range(40)) for name in ("famille", "enfants")}
    assert wins["enfants"] >= 10
    assert 1 <= wins["famille"] < wins["enfants"]


def greedy(game: Game, seed: int) -> bool:
    """Return whether players who only look at the standing win a game."""
    draw = Random(seed)
    state = game.start(draw.randrange)
    while not state.over:
        thrown = isinstance(state.node, Chance)
        state = state.throw(draw.randrange) if thrown else state.play(draw.choice(state.best_at_once(state.turn)))
    return bool(state.winners)


# The even draw of 1.2


def test_the_number_of_stacks_agrees_with_inclusion_and_exclusion() -> None:
    """1.2: glue the crates of each colour into runs, with signs: another way to count the stacks without equal neighbours."""
    signed = [0, *((-1) ** (4 - runs) * comb(3, runs - 1) for runs in range(1, 5))]
    total = Counter({0: 1})
    for _ in range(5):
        step: Counter[int] = Counter()
        for runs, ways in total.items():
            for more in range(1, 5):
                step[runs + more] += ways * signed[more] * factorial(runs + more) // (factorial(runs) * factorial(more))
        total = step
    assert stacks((4,) * 5) == sum(total.values()) == 11_804_626_080


@pytest.mark.parametrize("each", [(2, 2, 2), (3, 2, 1), (1, 1, 1, 1), (3, 1), (4, 1), (2, 2, 1, 1)])
def test_every_stack_has_just_one_number(each: tuple[int, ...]) -> None:
    """1.2: equally likely, since the numbers are; and in the order of the letters."""
    crates = "".join(letter * n for letter, n in zip("rwgby", each, strict=False))
    wanted = {"".join(stack) for stack in permutations(crates) if all(below != above for below, above in pairwise(stack))}
    drawn = [nth_stack(number, each) for number in range(stacks(each))]
    assert drawn == sorted(wanted, key=lambda stack: ["rwgby".index(letter) for letter in stack])


@pytest.mark.parametrize("part", [0, 1, 2, 3])
def test_drawn_set_ups_are_good_and_read_back(part: int) -> None:
    """1.2, 5.1: from the first number to the last, a drawn set-up can be given by hand, and starts the same game."""
    game = tablee.game("tabaijana", 4, order="on")
    state = game.start(lambda n: (n - 1) * part // 3)
    assert state.setup
    assert set(state.setup) == {"colours", "first", "stack", "order"}
    assert game.dump(game.start_from(state.setup)) == game.dump(state)
    assert sorted(state.setup["order"]) == sorted("rwgby")


def test_a_record_keeps_the_set_up() -> None:
    """A game of random play reads back from its record, set-up and passes included."""
    state = playing(tablee.game("tabaijana", 3, order="on"), Random(8))[-1]
    text = tablee.record(state)
    assert "setup: colours=rwg first=1 stack=" in text
    assert tablee.read(text).game.dump(tablee.read(text)) == state.game.dump(state)


# Privileges, followed by hand


@pytest.mark.parametrize("name", ["famille", "enfants"])
@pytest.mark.parametrize("privileges", ["keep", "while_it_lasts"])
def test_privileges_follow_the_board(name: str, privileges: str) -> None:
    """4.1 to 4.3: the fast engine keeps the same privileges as somebody who looks at every stack after every move."""
    game = tablee.game("tabaijana", 4, game=name, privileges=privileges)
    won = 0
    for seed in range(12):
        seen = {"three": "", "four": ""}
        for state in playing(game, Random(seed)):
            fields = dict(field.split("=") for field in game.dump(state).split(" "))
            for field, n in (("three", 3), ("four", 4)):
                now = {letter for letter in "rwgb" if together(fields, letter, n, name)}
                before = set(seen[field]) if privileges == "keep" else set()
                seen[field] = "".join(letter for letter in "rwgb" if letter in now | before)
                assert fields[field] == (seen[field] or "-")
                won += len(seen[field])
    assert won


def together(fields: dict[str, str], letter: str, n: int, name: str) -> bool:
    """Return whether a colour has n crates together."""
    stacks_there = [value for cell, value in fields.items() if cell.isdigit() or cell == "load"]
    return fields["load"].count(letter) >= n if name == "enfants" else any(letter * n in stack for stack in stacks_there)


# Text


def test_every_action_has_its_token() -> None:
    """Every number below 2786 names an action, and no two the same."""
    game = tablee.game("tabaijana")
    tokens = [game.notate(action) for action in range(game.action_count)]
    assert [game.parse(token) for token in tokens] == list(range(2786))
    assert {"4", "4/6", "3:1>6", "20:18>24", "2:B>17", "B>13", "B>29"} <= set(tokens)


@pytest.mark.parametrize("token", ["", "x", "4/", "/4", "6/4", "4/6/1", "03:1>6", "3:1-6", "3:1>6 ", "b>13", "B", "1:B", "٣:1>6", "3:1>", "1:BB>12"])
def test_what_cannot_be_read_is_refused_without_a_paragraph(token: str) -> None:
    """A token that is no token breaks no rule."""
    with pytest.raises(NotationError) as error:
        tablee.game("tabaijana").parse(token)
    assert error.value.paragraph == ""


@pytest.mark.parametrize(
    "line",
    [
        "",
        START.replace(" three=-", ""),
        START.replace("turn=1", "turn=4"),
        START.replace("turn=1", "turn=٣"),
        START.replace("dice=-", "dice=7"),
        START.replace("dice=-", "dice="),
        START.replace("colours=rwg", "colours=rw"),
        START.replace("three=-", "three=y"),
        START.replace("three=-", "three=gr"),
        START.replace("three=-", "three="),
        START.replace("three=-", "three=r-"),
        START.replace("boat=10", "boat=30"),
        START.replace("boat=10", "boat=1٠"),
        START.replace("load=-", "load=--"),
        START.replace("load=-", "load="),
        START.replace("1=ywgr", "1=ywgr 0="),
        START.replace("1=yw", "2=y 1=w"),
        START.replace("1=yw", "1=y 1=w"),
        START + " ",
        START.replace(" colours", "  colours"),
    ],
)
def test_a_line_that_is_no_position_is_refused(line: str) -> None:
    """Counts, ranges, order and contradictions are checked."""
    with pytest.raises(PositionError):
        tablee.game("tabaijana", 3).load(line)


def test_two_dice_are_written_the_smaller_first() -> None:
    """The line says 4/6 as the record does."""
    line = START.replace("three=-", "three=r")
    game = tablee.game("tabaijana", 3)
    assert isinstance(game.load(line.replace("dice=-", "dice=4/6")).node, Decision)
    with pytest.raises(PositionError):
        game.load(line.replace("dice=-", "dice=6/4"))


# Look


def test_the_text_drawing_shows_every_crate_the_boat_and_the_numbers() -> None:
    """24 columns, stacks growing upwards, the boat below its load."""
    game = tablee.game("tabaijana", 3)
    state = game.load("turn=1 dice=3 colours=rwg three=- four=- boat=10 load=rrw 1=bgybw 5=ygbg 11=yb 13=wrg 16=yrw")
    rows = str(state).splitlines()
    assert rows[0].split() == ["w"]
    assert rows[4].replace(" ", "") == r"b...y....\_/y.w..y........~"
    assert rows[5].split() == [str(cell) for cell in range(1, 25)]
    assert sum(row.count(letter) for row in rows[:5] for letter in "rwgby") == 20


@pytest.mark.parametrize(("boat", "smoke"), [(10, 0), (13, 0), (14, 1), (18, 2), (22, 3), (27, 3)])
def test_the_volcano_smokes_more_as_the_boat_nears_the_end(boat: int, smoke: int) -> None:
    """The smoke grows with the boat's cell."""
    state = tablee.game("tabaijana", 3).load(START.replace("boat=10", f"boat={boat}"))
    assert f"smoke-{smoke}" in [piece.symbol for piece in state.scene().pieces]


def test_no_two_crates_are_drawn_in_one_place() -> None:
    """Twenty crates aboard are drawn in two columns, all to be seen."""
    state = tablee.game("tabaijana", 2).load("turn=1 dice=- colours=rw three=rw four=rw boat=19 load=ggggrrrryyyywwwwbbbb")
    crates = [(piece.x, piece.y) for piece in state.scene().pieces if piece.symbol.startswith("crate")]
    assert len(set(crates)) == 20


@pytest.mark.parametrize(
    ("token", "cells"), [("3:1>6", ("1", "6")), ("2:B>17", ("B", "17")), ("B>13", ("B", "13")), ("B>26", ("B", "sea")), ("4/6", ())]
)
def test_a_token_is_touched_where_it_comes_from_and_where_it_goes(token: str, cells: tuple[str, ...]) -> None:
    """The number of crates is no cell."""
    state = tablee.game("tabaijana", 3).load(START)
    assert state.game.kind.touches(state.game, state.scene(), token) == cells
    assert set(cells) <= {cell.name for cell in state.scene().cells}
