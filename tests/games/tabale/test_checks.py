"""Tabale's check values, the sheet's figures, and what its numbering, its text and its fast shortcuts promise."""

from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import tablee
from tablee.core.errors import PositionError
from tablee.core.perft import perft
from tablee.core.state import Over, State
from tablee.games.tabale.board import CELL, ENDS, NEXT, PLACES, VALUE, marked, number
from tablee.games.tabale.position import TabalePosition
from tablee.games.tabale.sets import rotate
from tablee.players.playout import Draw, playout
from tests.asking import after

TURNS = (1, 14, 13, 60, 47, 48)
FIGURE_4 = "1 end:d8:d3 b1:b4+c6+d3+g7+:16p,8w,4d:0x,0xx h9:d2+f5+g4+:17p,7w,4d:0x,0xx a4:e2+f4+i7+:17p,8w,4d:0x,0xx |f3g4"
FIGURE_6 = "1 run c3:e1+e2+e3+f2+f3+g3+g4+:23p,11w,6d:0x,0xx h8:c6+d7+d8+e7+f8+g7+g8+:23p,12w,6d:0x,0xx |g4h4"


def playing(*tokens: str, seats: int = 2, **options: str) -> State:
    """Return the state after these tokens from the empty board."""
    return after(tablee.game("tabale", seats, **options).start(lambda n: 0), *tokens)


def moves(state: State, depth: int) -> int:
    """Return how many sequences of so many actions there are."""
    return int(perft(state.position, depth, state.game.action_count))


def jumps(state: State) -> list[str]:
    """Return the legal jumps."""
    return [token for action in state.legal() if (token := state.game.notate(action)).startswith("x")]


# The numbering


def test_every_cell_has_its_own_number_below_61() -> None:
    """(13 × row + diagonal) mod 61 is a bijection."""
    assert sorted(number(place) for place in PLACES) == list(range(61))


@pytest.mark.parametrize("way", range(6))
def test_every_step_in_a_direction_is_the_same_rotation(way: int) -> None:
    """Rotating a set of one cell by 1, 14, 13, 60, 47 or 48 gives its neighbour."""
    for cell, neighbours in NEXT.items():
        if neighbours[way] >= 0:
            assert rotate(2**cell, TURNS[way]) == 2 ** neighbours[way]


@pytest.mark.parametrize("way", range(6))
def test_a_rotation_moves_a_whole_set(way: int) -> None:
    """Bits that leave at the top come in below, and none is lost."""
    cells = Random(way).getrandbits(61)
    assert rotate(cells, TURNS[way]) == sum(2 ** ((cell + TURNS[way]) % 61) for cell in range(61) if cells >> cell & 1)


def test_there_are_156_inner_sides_60_within_rings_and_96_between() -> None:
    """Check values."""
    within = [VALUE[one] == VALUE[other] for one, other in ENDS]
    assert (within.count(True), within.count(False)) == (60, 96)


@pytest.mark.parametrize("edges", ["66", "84", "114", "156"])
def test_each_preset_has_the_size_it_is_named_by(edges: str) -> None:
    """Check values: they come out of the geometry."""
    assert len(marked(edges)) == int(edges)


# The counts


def test_two_fools_can_be_set_in_306_ways() -> None:
    """Check values: 18 × 17."""
    assert moves(playing(), 2) == 306


def test_the_first_turn_has_161_to_198_fools_moves() -> None:
    """Check values: over the 306 placements, 190.35 in the mean."""
    counts = []
    for first in playing().legal():
        after = playing().play(first)
        counts += [moves(after.play(second), 2) for second in after.legal()]
    assert (len(counts), min(counts), max(counts), round(sum(counts) / len(counts), 2)) == (306, 161, 198, 190.35)


@pytest.mark.parametrize(("reversal", "depth", "sequences"), [("no", 1, 16), ("no", 2, 196), ("yes", 2, 252), ("no", 4, 45_080)])
def test_so_many_sequences_after_b1_and_h9(reversal: str, depth: int, sequences: int) -> None:
    """Check values: first legs, fool's moves, complete turns."""
    assert moves(playing("@b1", "@h9", reversal=reversal), depth) == sequences


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_play_ends_by_a_fool_that_cannot_move(seats: int) -> None:
    """Check values: by 5.2; a last pawn is laid in one random game of some thousands."""
    start = playing(seats=seats).position
    draw, buffer, position = Draw(seats), vec[i64]([0] * 403), start.copy()
    reasons = []
    for _ in range(200):
        position.copy_from(start)
        playout(position, draw, buffer, 5000)
        reasons.append(position.reason())
    assert reasons.count("5.2") >= 198


def greedy(seats: int, seed: int) -> tuple[int, State]:
    """Return how many pawns or doubles were laid in a game between greedy players, and its end."""
    random, state, turns = Random(seed), playing(seats=seats), 0
    while not isinstance(state.node, Over):
        action = random.choice(state.best_at_once(state.turn))
        turns += state.game.notate(action) in ("+", "++")
        state = state.play(action)
    return turns, state


@pytest.mark.parametrize(("seats", "least", "most"), [(2, 13, 20), (4, 7, 11)])
def test_greedy_games_last_about_as_long_as_at_the_table(seats: int, least: int, most: int) -> None:
    """Check values: about 18 turns each with two, about 10 with four."""
    games = [greedy(seats, seed)[0] for seed in range(8)]
    assert least < sum(games) / len(games) / seats < most


# The sheet's figures


def test_figure_1_the_fool_may_turn_four_ways() -> None:
    """From b1 over e4: the four rays, neither on (b) nor back (c)."""
    state = tablee.game("tabale").load("1 turn:b1 e4:-:30p,12w,6d:0x,0xx h9:-:30p,12w,6d:0x,0xx -")
    ends = {state.game.notate(action)[1:] for action in state.legal()}
    assert ends == {"e5", "e6", "e7", "e8", "e9", "e3", "e2", "e1", "f4", "g4", "h4", "d4", "c4", "b4", "a4"}


def test_figure_4_the_pawn_takes_two_and_stops_on_f3() -> None:
    """Over the red d2 and the green e2; the green f4 and the red g4 are out of reach."""
    state = tablee.game("tabale", 3).load(FIGURE_4)
    for token in ("xd1", "xf3"):
        assert jumps(state) == [token]
        state = state.play(state.game.parse(token))
    assert jumps(state) == []
    assert VALUE[CELL["d1"]] == 1
    assert "b1:b4+c6+f3+g7+:16p,8w,4d:2x,0xx" in state.game.dump(state)


def test_figure_6_only_the_foot_of_the_staircase_can_be_taken() -> None:
    """Wherever Red lays a pawn beside the staircase, it can jump over e3 alone, from d2 or f4."""
    line = FIGURE_6.replace("1 run", "2 end:h7:{cell}").replace("c6+", "")
    taken = set()
    for cell in ("c1", "c2", "d1", "d2", "d3", "e4", "f4", "g5", "h4", "h5"):
        pawns = "".join(sorted(f"{name}+" for name in ("d7", "d8", "e7", "f8", "g7", "g8", cell)))
        text = line.format(cell=cell).replace("d7+d8+e7+f8+g7+g8+", pawns)
        taken |= {(cell, jump) for jump in jumps(tablee.game("tabale").load(text))}
    assert taken == {("d2", "xf4"), ("f4", "xd2")}


# What the fast rules and the text promise beside


@pytest.mark.parametrize("options", [{}, {"reversal": "yes"}, {"edges": "66"}])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_random_pick_is_the_action_of_the_list(seats: int, options: dict[str, str]) -> None:
    """`pick` answers without a list what the list would have given."""
    random, buffer = Random(seats), vec[i64]([0] * 403)
    for _ in range(3):
        position = playing(seats=seats, **options).position.copy()
        while (seat := position.actor()) >= 0:
            n = position.actions(seat, buffer)
            listed = [int(buffer[k]) for k in range(n)]
            for word in (0, 2**32 - 1, random.getrandbits(32), random.getrandbits(32)):
                assert position.pick(seat, word, buffer) == listed[word * n >> 32]
            position.play(random.choice(listed))


def test_a_copy_is_equal_and_goes_its_own_way() -> None:
    """`copy` and `copy_from` take everything."""
    game = tablee.game("tabale", 3)
    state = game.load(FIGURE_4)
    copy = state.position.copy()
    copy.play(game.parse("xd1"))
    assert game.dump(state) == FIGURE_4
    assert copy.hash() != state.position.hash()
    copy.copy_from(state.position)
    assert game.kind.dump(game, copy) == FIGURE_4
    assert copy.hash() == state.position.hash()


def test_equal_positions_reached_by_other_ways_have_equal_hashes() -> None:
    """The order in which woods were put does not matter."""
    one = playing("@b1", "@h9", "b2", "-c2", "+", "|e1e2", "g9", "-g8", "+", "|a1a2")
    other = playing("@b1", "@h9", "b2", "-c2", "+", "|a1a2", "g9", "-g8", "+", "|e1e2")
    assert one.game.dump(one) == other.game.dump(other)
    assert one.position.hash() == other.position.hash()


def test_a_whole_turn_reads_on_one_line() -> None:
    """The two legs joined, the rest spaced."""
    state = playing("@d1", "@h9", "d4", "-g7", "++", "|e8f8")
    record = tablee.record(state)
    assert "1: d4-g7 ++ |e8f8" in record
    assert state.game.dump(tablee.read(record)) == state.game.dump(state)


def test_every_number_has_its_token_and_back() -> None:
    """403 actions, densely numbered."""
    game = tablee.game("tabale")
    assert [game.parse(game.notate(action)) for action in range(403)] == list(range(403))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "1 run",
        "3 run b1:-:30p,12w,6d:0x,0xx h9:-:30p,12w,6d:0x,0xx -",
        "1 walk b1:-:30p,12w,6d:0x,0xx h9:-:30p,12w,6d:0x,0xx -",
        "1 run:b1 b1:-:30p,12w,6d:0x,0xx h9:-:30p,12w,6d:0x,0xx -",
        "1 run b1:-:³0p,12w,6d:0x,0xx h9:-:30p,12w,6d:0x,0xx -",
        "1 run b1:-:030p,12w,6d:0x,0xx h9:-:30p,12w,6d:0x,0xx -",
        "1 run b1:c1+c1+:28p,12w,6d:0x,0xx h9:-:30p,12w,6d:0x,0xx -",
        "1 run b1:-:30p,11w,6d:0x,0xx h9:-:30p,12w,6d:0x,0xx e1e2",
        "1 run b1:-:30p,11w,6d:0x,0xx h9:-:30p,12w,6d:0x,0xx |e1e3",
        "1 run b1:-:30p,10w,6d:0x,0xx h9:-:30p,12w,6d:0x,0xx |e1e2|e1e2",
        "1 run b1:-:30p,12w,6d:0x,0xx h9:-:29p,12w,6d:0x,0xx -",
        "1 set b1:-:30p,12w,6d:0x,0xx -:-:30p,12w,6d:0x,0xx -",
        "2 set a1:-:30p,12w,6d:0x,0xx -:-:30p,12w,6d:0x,0xx -",
        "1 turn:b1 c3:-:30p,12w,6d:0x,0xx h9:-:30p,12w,6d:0x,0xx -",
        "1 turn:e1 e4:-:30p,12w,6d:0x,0xx e2:-:30p,12w,6d:0x,0xx -",
        "1 turn:e4 e4:-:30p,12w,6d:0x,0xx h9:-:30p,12w,6d:0x,0xx -",
        "1 turn:a1 a2:b2+:29p,10w,6d:0x,0xx a4:b1+:29p,11w,6d:0x,0xx |a2b3|a3b3|a3b4",
        "1 lay:e1:e4 e8:-:30p,12w,6d:0x,0xx h9:-:30p,12w,6d:0x,0xx -",
        "1 lay:e1:e4 e2:-:30p,12w,6d:0x,0xx h9:-:30p,12w,6d:0x,0xx -",
        "1 lay:e1:e4 h7:-:30p,12w,6d:0x,0xx e4:-:30p,12w,6d:0x,0xx -",
        "1 end:e1:e4 h7:e5+:29p,12w,6d:0x,0xx h9:-:30p,12w,6d:0x,0xx -",
        "1 end:e1:e4 e1:e4+:29p,12w,6d:0x,0xx h9:-:30p,12w,6d:0x,0xx -",
    ],
)
def test_a_line_that_contradicts_itself_is_no_position(line: str) -> None:
    """What a line says must fit together."""
    with pytest.raises(PositionError):
        tablee.game("tabale").load(line)


@pytest.mark.parametrize("line", ["1 end:e2:e2 h7:e2+:29p,12w,6d:1x,0xx h9:-:29p,12w,6d:0x,0xx -"])
def test_a_pawn_may_stand_where_the_fool_started(line: str) -> None:
    """It can have jumped there."""
    game = tablee.game("tabale")
    assert game.dump(game.load(line)) == line


def test_the_position_knows_its_options() -> None:
    """Every option reaches the fast rules."""
    position = tablee.game("tabale", 4, edges="66", reversal="yes", ties="captures", teams="on").start(lambda n: 0).position
    assert isinstance(position, TabalePosition)
    assert (position.edges, position.reversal, position.captures_break_ties, position.teams) == (66, True, True, True)
