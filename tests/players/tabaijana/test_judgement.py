"""What Tabaijana's judgement promises."""

from itertools import pairwise, permutations
from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import tablee
from tablee.catalog import kind
from tablee.core.errors import TableeError
from tablee.core.game import Game
from tablee.core.judgement import Judgement
from tablee.core.network import Network
from tablee.core.state import Chance, Over
from tablee.core.weights import sections
from tablee.games.tabaijana.judgement import FEATURES, MOST_SEEN, TabaijanaJudgement, judge, section
from tablee.games.tabaijana.position import CRATES, HARBOUR, LAST_CELL, TabaijanaPosition
from tablee.games.tabaijana.training import configurations, eased, go_on, laden, train, variants
from tablee.testing import variants as every_variant
from tests.material import step

KIND = kind("tabaijana")
# One of each for all: what plain code hands to compiled code is never given back.
BUFFER = vec[i64]([0] * MOST_SEEN)
UNLEARNED: Judgement = TabaijanaJudgement(Network(FEATURES, 8))
LARGEST = 4_500_000


def rests(game: Game, seed: int) -> list[tuple[str, int]]:
    """Return the lines of a random game where a throw is due, with whose turn it is."""
    random = Random(seed)
    state = game.start(random.randrange)
    found: list[tuple[str, int]] = []
    while not isinstance(state.node, Over):
        if isinstance(state.node, Chance):
            found.append((game.dump(state), state.turn))
        state = step(state, random)
    return found


@pytest.mark.parametrize("game", list(every_variant(KIND)), ids=repr)
def test_features_are_known_numbers_and_everybody_expects_the_same(game: Game) -> None:
    judgement: Judgement = judge(game, KIND.text("weights.txt"))
    buffer = vec[i64]([0] * MOST_SEEN)
    for line, seat in rests(game, 1)[::3]:
        position = game.load(line).position
        n = int(judgement.features(position, seat, buffer))
        assert n <= MOST_SEEN
        assert all(0 <= buffer[k] < FEATURES for k in range(n))
        assert len({judgement.value(position, one) for one in range(game.seats)}) == 1


@pytest.mark.parametrize("game", configurations(KIND), ids=repr)
def test_the_same_table_one_seat_further_round_is_worth_the_same(game: Game) -> None:
    judgement: Judgement = judge(game, KIND.text("weights.txt"))
    colours, seats = KIND.symmetries
    for line, _ in rests(game, 2):
        value = judgement.value(game.load(line).position, 0)
        assert judgement.value(game.load(seats.line(game, line)).position, 0) == pytest.approx(value, abs=1e-12)
        if game.seats == 5:
            assert judgement.value(game.load(colours.line(game, line)).position, 0) == pytest.approx(value, abs=1e-12)


def seen(line: str, name: str = "enfants") -> list[int]:
    """Return the features that a network of five seats sees in a line where a throw is due."""
    position = tablee.game("tabaijana", seats=5, game=name).load(line).position
    n = UNLEARNED.features(position, position.turn(), BUFFER)
    return sorted(int(BUFFER[k]) for k in range(n))


def late(turn: int, names: str, four: str) -> str:
    """Return a line late in a game, its five colours named anew; `four` are those (by their first names) who may move everything."""
    renamed = str.maketrans("rwgby", names)
    stacks = "load=grwgwrygy 20=w 23=brbrwybgyb".translate(renamed)
    free = "".join(sorted(four.translate(renamed), key="rwgby".index)) or "-"
    return f"turn={turn} dice=- colours=rwgby three=rwgby four={free} boat=17 {stacks}"


def test_where_all_may_move_everything_it_is_all_the_same_who_throws_and_which_colour_is_whose() -> None:
    first = seen(late(1, "rwgby", "rwgby"))
    assert all(seen(late(turn, "".join(names), "rwgby")) == first for turn in (1, 4) for names in permutations("rwgby"))
    assert seen(late(1, "rwgby", "rwgby").replace("20=w", "21=w")) != first


def test_of_who_may_not_move_everything_it_counts_when_he_throws() -> None:
    """Of five seats blue alone may not: how the others are named is all the same, how long until blue throws is not."""
    first = seen(late(1, "rwgby", "rwgy"))
    others = [(*names[:3], "b", names[3]) for names in permutations("rwgy")]
    assert all(seen(late(1, "".join(names), "rwgy")) == first for names in others)
    assert len({tuple(seen(late(turn, "rwgby", "rwgy"))) for turn in range(1, 6)}) == 5


def test_in_the_family_game_who_has_no_crate_aboard_may_not_sail_and_is_told_apart() -> None:
    """4.4: four together allow to move any crates, not a boat that carries none of one's own."""
    line = "turn={turn} dice=- colours=rwgby three=rwgby four=rwgby boat=17 load=rrrrwwww 20=ggggyyyy 23=bbbb"
    aboard = {tuple(seen(line.format(turn=turn), "famille")) for turn in range(1, 6)}
    assert len(aboard) == 5
    every = line.replace("rrrrwwww 20=ggggyyyy 23=bbbb", "rwgbyrwgbyrwgby 23=rwgby")
    assert len({tuple(seen(every.format(turn=turn), "famille")) for turn in range(1, 6)}) == 1


def test_a_crate_on_24_leaves_no_hope_unless_24_counts() -> None:
    for counts, hope in (("lost", False), ("counts", True)):
        game = tablee.game("tabaijana", cell_24=counts)
        lines = [line for seed in range(20) for line, _ in rests(game, seed) if " 24=" in line]
        judgement: Judgement = judge(game, KIND.text("weights.txt"))
        assert lines
        assert all((judgement.value(game.load(line).position, 0) > 0.0) == hope for line in lines)


def test_every_variant_has_weights_and_they_are_small() -> None:
    text = KIND.text("weights.txt")
    assert len(text.encode()) <= LARGEST
    assert {section(game) for game in every_variant(KIND)} == set(sections(text))
    assert text.startswith("# 20")


def test_weights_that_lack_the_game_are_refused() -> None:
    with pytest.raises(TableeError, match="famille"):
        judge(tablee.game("tabaijana"), "# nothing\n")


def test_eased_beginnings_have_fewer_colours_to_part() -> None:
    game = tablee.game("tabaijana", seats=3)
    setup = KIND.setup(game, Random(1).randrange, {})
    stacks = []
    for mixed in range(int(CRATES) + 1):
        position = eased(game, setup, mixed)
        assert isinstance(position, TabaijanaPosition)
        stacks.append(position.stack(1))
    assert stacks[-1] == setup["stack"]
    assert all(sorted(stack) == sorted(setup["stack"]) for stack in stacks)
    runs = [1 + sum(one != two for one, two in pairwise(stack)) for stack in stacks]
    assert runs[0] == 5
    assert runs == sorted(runs)


def test_boats_laden_anyhow_hold_many_crates_often_all_and_the_rest_lies_behind() -> None:
    game, random = tablee.game("tabaijana", seats=5, game="enfants"), Random(1)
    loads = []
    for _ in range(200):
        position = laden(game, KIND.setup(game, random.randrange, {}), random.randrange)
        assert isinstance(position, TabaijanaPosition)
        stacks = {cell: position.stack(cell) for cell in range(1, int(LAST_CELL) + 1)}
        assert sorted("".join(stacks.values())) == sorted("rwgby" * 4)
        assert HARBOUR <= position.boat < LAST_CELL
        assert not any(stacks[cell] for cell in range(int(position.boat) + 1, int(LAST_CELL) + 1))
        loads.append(stacks[int(position.boat)])
    assert 60 < sum(len(load) == CRATES for load in loads) < 140
    assert min(map(len, loads)) < 10
    assert sum(any(one == two for one, two in pairwise(load)) for load in loads) > 180


def test_five_children_know_what_a_boat_laden_anyhow_is_worth() -> None:
    """All may move everything, and the whole way is before them: whatever the order, it can be mended."""
    game = tablee.game("tabaijana", seats=5, game="enfants")
    state = game.load("turn=3 dice=- colours=rwgby three=rwgby four=rwgby boat=10 load=rrrrwwwwggggbbbbyyyy")
    judgement: Judgement = judge(game, KIND.text("weights.txt"))
    assert judgement.value(state.position, 2) > 0.9


def test_training_gives_a_section_that_reads_back() -> None:
    for game in configurations(KIND):
        said: list[str] = []
        assert judge(game, train(game, 0.05, 3, said.append))
        assert said[-1].startswith(section(game))
        assert {section(other) for other in variants(game)} == {section(game)}


def test_five_go_on_from_what_four_have_learned_until_they_have_their_own() -> None:
    """Before they learn anything they say what the network of four says, but for the rounding of its weights."""
    four, five = tablee.game("tabaijana", seats=4), tablee.game("tabaijana", seats=5)
    shared = sections(KIND.text("weights.txt"))[section(four)]
    own = go_on(five, shared, 0.0, 3, print)
    positions = [five.load(line).position for line, _ in rests(five, 1)]
    judgements: list[Judgement] = [judge(four, shared), judge(five, own)]
    before, after = ([judgement.value(one, 0) for one in positions] for judgement in judgements)
    assert max(before) > 0.4
    assert min(before) < 0.1
    assert after == pytest.approx(before, abs=0.01)
