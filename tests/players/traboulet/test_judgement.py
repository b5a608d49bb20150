"""What Traboulet's judgement promises."""

from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import tablee
from tablee.catalog import kind
from tablee.core.errors import TableeError
from tablee.core.game import Game
from tablee.core.judgement import Judgement
from tablee.core.position import OVER
from tablee.games.traboulet.judgement import SIZE, TrabouletJudgement, entries, judge, plain, tables
from tablee.games.traboulet.mind import MIND
from tablee.games.traboulet.training import configurations, train, untrained
from tablee.testing import variants

GAME = tablee.game("traboulet")


def along(game: Game, seed: int) -> list[tuple[str, int]]:
    """Return the lines of a random game that goes on, with who acts."""
    random = Random(seed)
    state = game.start(random.randrange)
    found: list[tuple[str, int]] = []
    while state.position.actor() != OVER and len(found) < 150:
        found.append((game.dump(state), state.turn))
        state = state.play(random.choice(state.legal()))
    return found


@pytest.mark.parametrize("game", list(variants(kind("traboulet"))), ids=repr)
def test_urgent_lists_the_actions_whose_urgency_is_above_nothing(game: Game) -> None:
    judgement: Judgement = plain()
    buffer = vec[i64]([0] * game.action_count)
    for line, seat in along(game, 1):
        state = game.load(line)
        n = int(judgement.urgent(state.position, seat, buffer))
        assert [buffer[k] for k in range(n)] == [action for action in state.legal() if judgement.urgency(state.position, action) > 0]


def test_an_action_is_urgent_if_it_takes_a_marble() -> None:
    judgement: Judgement = plain()
    for line, _ in along(GAME, 2):
        state = GAME.load(line)
        for action in state.legal():
            fewer = GAME.dump(state.play(action)).split()[0].count("r") < line.split()[0].count("r")
            marbles = [sum(letter in "wbr" for letter in one.split()[0]) for one in (line, GAME.dump(state.play(action)))]
            assert judgement.urgency(state.position, action) == (2 if fewer else 1 if marbles[1] < marbles[0] else 0)


def test_what_one_side_expects_the_other_does_not() -> None:
    judgement: Judgement = GAME.kind.mind.judgement(GAME)
    for line, seat in along(GAME, 3):
        position = GAME.load(line).position
        assert judgement.weigh(position, seat) == -judgement.weigh(position, 1 - seat)
        assert judgement.value(position, seat) + judgement.value(position, 1 - seat) == pytest.approx(1.0)


def test_the_worth_is_the_sum_of_the_features() -> None:
    random = Random(4)
    weights = vec[i64]([random.randrange(-50, 50) for _ in range(SIZE)])
    judgement: Judgement = tables(weights)
    buffer = vec[i64]([0] * 32)
    for line, seat in along(GAME, 5):
        position = GAME.load(line).position
        n = int(judgement.features(position, seat, buffer))
        assert judgement.weigh(position, seat) == sum(weights[buffer[k]] for k in range(n))


def test_the_board_turned_and_its_colours_changed_is_worth_the_same() -> None:
    judgement: Judgement = GAME.kind.mind.judgement(GAME)
    for line, seat in along(GAME, 6):
        for symmetry in GAME.kind.symmetries:
            turned = GAME.load(symmetry.line(GAME, line)).position
            assert judgement.weigh(turned, symmetry.seat(GAME, seat)) == judgement.weigh(GAME.load(line).position, seat)


def test_a_bonus_rule_has_its_own_section_or_the_first() -> None:
    text = "# made\n" + "".join(f"bonus {name}\n" + " ".join([str(number)] * len(entries())) + "\n" for name, number in (("any", 1), ("none", 2)))
    worths = {}
    for bonus in ("any", "red", "none"):
        game = tablee.game("traboulet", bonus=bonus)
        judgement: Judgement = judge(game, text)
        worths[bonus] = judgement.weigh(game.start(lambda n: 0).position, 0)
    assert worths == {"any": 160, "red": 160, "none": 320}


@pytest.mark.parametrize("text", ["", "# nothing\n", "bonus any\n1 2 3\n", "bonus any\n" + "1e9 " * 33411])
def test_weights_that_do_not_fit_are_refused(text: str) -> None:
    with pytest.raises(TableeError, match="weights of traboulet"):
        judge(GAME, text)


def test_training_gives_a_section_that_reads_back_and_again_the_same() -> None:
    said: list[str] = []
    section = train(GAME, 0.2, 3, said.append)
    assert section == train(GAME, 0.2, 3, said.append)
    assert section.startswith("bonus any\n")
    assert isinstance(judge(GAME, section), TrabouletJudgement)
    assert len(said) == 6
    assert [game.option("bonus") for game in configurations(GAME.kind)] == ["any", "none"]


def test_the_untrained_section_is_what_learning_begins_with() -> None:
    judgement: Judgement = judge(GAME, untrained(GAME))
    untaught: Judgement = plain()
    for line, seat in along(GAME, 7):
        position = GAME.load(line).position
        assert judgement.weigh(position, seat) == untaught.weigh(position, seat)


def test_levels_rise() -> None:
    numbered = MIND.levels[:-1]
    assert len(numbered) == 8
    assert list(numbered) == sorted(numbered, key=lambda level: (level.nodes, level.depth, -level.temperature))
