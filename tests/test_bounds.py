"""Modules compiled without bounds checks never use an index out of range: `make test` runs these against the build that checks them.

In that build (`make checked`) every index out of range raises IndexError, a negative one too. In the usual build these tests show
that the values are the same; there an index out of range would go unseen.
"""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import tablee
from tablee import catalog
from tablee.core.game import Game
from tablee.core.network import Network, approach
from tablee.core.position import Position
from tablee.core.state import Chance, Over
from tablee.games.tabaijana.judgement import TabaijanaJudgement
from tablee.games.tabaijana.position import TabaijanaPosition
from tablee.games.tablan.judgement import TablanJudgement
from tablee.games.tablan.position import TablanPosition
from tablee.players.adam import Adam
from tablee.testing import variants
from tests.material import step

ROOT = Path(__file__).parent.parent
CHECKED = Path(tablee.__file__).is_relative_to(ROOT / "build" / "checked")
GAMES = [game for slug in ("tablan", "tabaijana") for game in variants(catalog.kind(slug))]
SOURCE = "src/tablee/core/network.py"
# As mypyc 2.4.1 writes it.
GENERATED = """
    cpy_r_r21 = (int64_t)cpy_r_r0.len;
    cpy_r_r22 = (uint64_t)cpy_r_r20 < (uint64_t)cpy_r_r21;
    if (cpy_r_r22) goto CPyL15;
    cpy_r_r23 = cpy_r_r20 + cpy_r_r21;
    cpy_r_r24 = (uint64_t)cpy_r_r23 < (uint64_t)cpy_r_r21;
    if (cpy_r_r24) goto CPyL14;
    PyErr_SetNone(PyExc_IndexError);
    cpy_r_r25 = 0;
    if (unlikely(!cpy_r_r25)) {
        CPy_AddTraceback("src/tablee/core/network.py", "total", 160, CPyStatic_network___globals);
"""


@pytest.fixture(scope="module")
def build() -> ModuleType:
    """Return setup.py as a module."""
    spec = spec_from_file_location("tablee_setup", ROOT / "setup.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def before_throws(game: Game, seed: int) -> list[Position]:
    """Return the positions of a random game where a throw is due."""
    random = Random(seed)
    state = game.start(random.randrange)
    positions: list[Position] = []
    while not isinstance(state.node, Over):
        if isinstance(state.node, Chance):
            positions.append(state.position)
        state = step(state, random)
    return positions


@pytest.mark.skipif(not CHECKED, reason="only the build with bounds checks has them: see the Makefile")
def test_the_build_with_bounds_checks_refuses_an_index_that_is_too_large_or_negative() -> None:
    with pytest.raises(IndexError):
        approach(vec[float]([0.0] * 3), vec[float]([0.0] * 2), 0.5)
    network = Network(4, 8)
    network.scatter(1)
    network.quantise()
    with pytest.raises(IndexError):
        network.put(-1, 1)


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_every_position_of_random_games_is_judged_within_bounds(game: Game) -> None:
    judgement = game.kind.mind.judgement(game)
    for seed in range(2):
        for position in before_throws(game, seed):
            assert all(0.0 <= judgement.value(position, seat) <= 1.0 for seat in range(game.seats))


@pytest.mark.parametrize("hidden", [8, 16, 24, 32, 40, 64, 96])
def test_a_network_of_any_size_computes_and_learns_within_bounds(hidden: int) -> None:
    network, follower = Network(7, hidden), Network(7, hidden)
    network.scatter(1)
    adam = Adam(network)
    for seen in ([], [0], [6], [0, 6, 3], list(range(7)) * 80):
        features = vec[i64]([i64(feature) for feature in seen])
        network.learn(features, len(seen), 1.0, 0.001)
        adam.add(features, len(seen), 1.0)
        adam.step(0.001)
        follower.follow(network, 0.5)
        exact = follower.value(features, len(seen))
        follower.quantise()
        assert follower.value(features, len(seen)) == pytest.approx(exact, abs=0.01)


def test_a_buffer_without_room_a_seat_and_a_throw_that_do_not_exist_are_refused() -> None:
    short = vec[i64]([0] * 8)
    room = vec[i64]([0] * 400)
    men = catalog.game("tablan").start(Random(1).randrange).position
    crates = catalog.game("tabaijana", 5).start(Random(1).randrange).position
    cloth, boat = TablanJudgement(Network(389, 8)), TabaijanaJudgement(Network(13375, 8))
    assert isinstance(men, TablanPosition)
    assert isinstance(crates, TabaijanaPosition)
    with pytest.raises(IndexError, match="room"):
        cloth.features(men, 0, short)
    with pytest.raises(IndexError, match="room"):
        boat.features(crates, 0, short)
    for seat in (-1, 5):
        with pytest.raises(IndexError, match="seat"):
            boat.features(crates, seat, room)
    for throw in (-1, 10**6):
        with pytest.raises(IndexError, match="no throw"):
            cloth.alike(men, throw)


def test_the_first_comparison_goes_where_checks_are_left_out_and_the_second_fails_where_they_are_kept(build: ModuleType) -> None:
    without = build.edit_bounds(GENERATED, {SOURCE}, keep_checks=False)
    assert without == GENERATED.replace("cpy_r_r22 = (uint64_t)cpy_r_r20 < (uint64_t)cpy_r_r21;", "cpy_r_r22 = 1;")
    checked = build.edit_bounds(GENERATED, {SOURCE}, keep_checks=True)
    assert checked == GENERATED.replace("cpy_r_r24 = (uint64_t)cpy_r_r23 < (uint64_t)cpy_r_r21;", "cpy_r_r24 = 0;")


def test_other_modules_keep_their_checks(build: ModuleType) -> None:
    for keep_checks in (True, False):
        assert build.edit_bounds(GENERATED, {"src/tablee/core/other.py"}, keep_checks) == GENERATED


def test_checks_that_are_not_recognised_stay_all_and_the_build_says_so(build: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    other = GENERATED + GENERATED.replace("cpy_r_r20 + cpy_r_r21", "add(cpy_r_r20, cpy_r_r21)")
    assert build.edit_bounds(other, {SOURCE}, keep_checks=False) == other
    assert "bounds checks of this mypyc are not known" in capsys.readouterr().err


def test_the_sources_without_bounds_checks_are_few_and_known(build: ModuleType) -> None:
    """A module is added here after its indexes were looked at; setup.py says how the tests prove them."""
    names = ("core/network", "players/adam", "games/tablan/judgement", "gym/lanes", "gym/eye", "core/observer")
    of_tabaijana = ("crates", "ending", "judgement", "prospects", "ranks")
    expected = [*(f"src/tablee/{name}.py" for name in names), *(f"src/tablee/games/tabaijana/{name}.py" for name in of_tabaijana)]
    assert sorted(build.sources((build.UNCHECKED_LINE,))) == sorted(expected)
