"""What Tablan's judgement promises."""

from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import tablee
from tablee.catalog import kind
from tablee.core.errors import TableeError
from tablee.core.game import Game
from tablee.core.judgement import Judgement
from tablee.core.state import Chance, Over
from tablee.core.weights import sections
from tablee.games.tablan.judgement import FEATURES, MOST_SEEN, SAME_WORTH, judge, section
from tablee.games.tablan.position import FIRST_THROW, WORTH
from tablee.games.tablan.training import configurations, train, variants
from tablee.testing import variants as every_variant
from tests.material import step

KIND = kind("tablan")
LARGEST = 300_000


def rests(game: Game, seed: int) -> list[tuple[str, int]]:
    """Return the lines of a random game where a throw is due, with whose turn it is."""
    random = Random(seed)
    state = game.start(random.randrange)
    found: list[tuple[str, int]] = []
    while not isinstance(state.node, Over) and len(found) < 120:
        if isinstance(state.node, Chance):
            found.append((game.dump(state), state.turn))
        state = step(state, random)
    return found


@pytest.mark.parametrize("game", list(every_variant(KIND)), ids=repr)
def test_the_two_sides_share_the_win_and_a_turned_cloth_is_worth_the_same(game: Game) -> None:
    judgement: Judgement = judge(game, KIND.text("weights.txt"))
    turn = KIND.symmetries[0]
    for line, seat in rests(game, 1)[::3]:
        position = game.load(line).position
        value = judgement.value(position, seat)
        assert 0.0 < value < 1.0
        assert judgement.value(position, 1 - seat) == 1.0 - value
        assert judgement.value(game.load(turn.line(game, line)).position, 1 - seat) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("game", list(every_variant(KIND)), ids=repr)
def test_features_are_known_numbers_each_once(game: Game) -> None:
    judgement: Judgement = judge(game, KIND.text("weights.txt"))
    buffer = vec[i64]([0] * MOST_SEEN)
    for line, seat in rests(game, 2)[::3]:
        n = int(judgement.features(game.load(line).position, seat, buffer))
        seen = {int(buffer[k]) for k in range(n)}
        assert len(seen) == n <= MOST_SEEN
        assert all(0 <= feature < FEATURES for feature in seen)


def test_throws_of_one_worth_are_alike() -> None:
    assert [WORTH[SAME_WORTH[k] - FIRST_THROW] for k in range(26)] == [WORTH[k] for k in range(26)]
    assert len({SAME_WORTH[k] for k in range(21)}) == 11
    assert len({SAME_WORTH[k] for k in range(21, 26)}) == 4


def test_every_variant_has_weights_and_they_are_small() -> None:
    text = KIND.text("weights.txt")
    assert len(text.encode()) <= LARGEST
    assert {section(game) for game in every_variant(KIND)} == set(sections(text))
    assert text.startswith("# 20")


def test_weights_that_lack_the_game_are_refused() -> None:
    with pytest.raises(TableeError, match="fiche"):
        judge(tablee.game("tablan"), "# nothing\n")


def test_training_gives_a_section_that_reads_back() -> None:
    for game in configurations(KIND):
        said: list[str] = []
        assert judge(game, train(game, 0.05, 3, said.append))
        assert said[-1].startswith(section(game))
        assert {section(other) for other in variants(game)} == {section(game)}
        assert len(variants(game)) == {"fiche": 32, "mysore": 64, "lettre": 32}[section(game)]
