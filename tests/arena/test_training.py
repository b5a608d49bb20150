"""Weights made anew: every configuration learned, the best try kept, the gain measured and written down."""

import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from datetime import UTC, datetime
from importlib import import_module, invalidate_caches
from itertools import count
from pathlib import Path
from random import Random
from shutil import copy

import pytest
from typer.main import get_command

import tablee.games.tablan
from tablee import catalog
from tablee.arena.blocks import read_blocks
from tablee.arena.training import Lesson, called, chosen, configurations, learn, measured, taught, training
from tablee.cli import app
from tablee.core.errors import TableeError
from tablee.core.game import choose
from tablee.core.judgement import Judgement
from tablee.core.kind import Kind
from tablee.core.mind import Mind, Training
from tablee.core.state import Chance, Over
from tablee.players import batch_training, practice
from tablee.players.expectimax import make_search
from tablee.terminal.source import pairs
from tests.material import step

JUDGEMENT = '''
from tablee.core.judgement import Judgement
from tablee.core.position import Position

class Eager(Judgement):
    """Likes or dislikes what stands well at a glance, by its one weight."""
    def __init__(self, weight):
        self.weight = weight
    def value(self, position, seat):
        return 0.5 + self.weight * max(-40, min(40, position.standing(seat) - position.standing(1 - seat))) / 100

def judge(game, text):
    return Eager(float([line for line in text.splitlines() if line.startswith(game.option("throw"))][0].split()[1]))
'''
TRAINING = """
from tablee.core.game import choose

def configurations(kind):
    return [choose(kind, options={"throw": "dice"}), choose(kind, options={"throw": "sticks"})]

def train(game, seconds, seed, report):
    report(f"learning {game!r} for {seconds} s")
    return f"{game.option('throw')} {1 if seed == 2 else -1}"
"""

GO_ON = """
def go_on(game, text, seconds, seed, report):
    return f"{game.option('throw')} {len(text)}"
"""


def forget(learner: Kind) -> None:
    """Let its modules be read anew."""
    for name in [name for name in sys.modules if name.startswith(learner.package)]:
        del sys.modules[name]
    invalidate_caches()


@pytest.fixture
def learner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kind]:
    """Tablan as a plug-in that learns one number."""
    folder = tmp_path / "learner"
    folder.mkdir()
    for path in Path(tablee.games.tablan.__file__).parent.glob("*.po"):
        copy(path, folder)
    (folder / "__init__.py").write_text("", encoding="utf-8")
    (folder / "judgement.py").write_text(JUDGEMENT, encoding="utf-8")
    (folder / "training.py").write_text(TRAINING, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    def judged(game: tablee.Game, text: str) -> Judgement:
        found: Judgement = import_module("learner.judgement").judge(game, text)
        return found

    def taught() -> Training:
        names = [field.name for field in fields(Training)]
        module = import_module("learner.training")
        return Training(**{name: getattr(module, name) for name in names if hasattr(module, name)})

    kind = replace(catalog.kind("tablan"), package="learner", mind=Mind(make_search, judged, "weights.txt", training=taught))
    known = catalog.kind
    monkeypatch.setattr(catalog, "kind", lambda slug: kind if slug == "tablan" else known(slug))
    yield kind
    forget(kind)


def test_every_configuration_is_learned_and_measured(learner: Kind) -> None:
    """One seed learns the right weight, the other the wrong way round; measured against greedy, as none ship."""
    said: list[str] = []
    lesson = Lesson("tablan", seconds=1, seed=1, games=20, nodes=20, cores=1)
    text, learned = learn(replace(lesson, seed=1), said.append)
    assert [one.section for one in learned] == ["dice -1", "sticks -1"]
    better, gained = learn(replace(lesson, seed=2), said.append)
    assert all(good.gain.value > bad.gain.value for good, bad in zip(gained, learned, strict=True))
    dice, sticks = read_blocks(better, 2)
    assert dice.origin == sticks.origin == f"{datetime.now(UTC):%Y-%m-%d}: tablee train tablan --seconds 1 --seed 2 --cores 1"
    assert dice.gain.startswith("2 seats: ")
    assert sticks.gain.startswith("2 seats throw=sticks: ")
    assert all("of 20 paired games at 20 nodes, against greedy" in one.gain for one in (dice, sticks))
    assert (dice.section, sticks.section) == ("dice 1", "sticks 1")
    assert any("/ greedy" in sentence for sentence in said)
    assert text.startswith("# ")


def test_one_configuration_is_learned_and_the_others_stay_as_they_are(learner: Kind, tmp_path: Path) -> None:
    kept = "# 2026-01-01: by hand\n# nothing is known of it\ndice 1\n"
    shipped = tmp_path / "learner" / "weights.txt"
    shipped.write_text(f"{kept}# 2026-01-02: by hand\n# nothing either\nsticks -1\n", encoding="utf-8")
    lesson = Lesson("tablan", seconds=1, seed=2, games=20, nodes=20, cores=1, options=(("throw", "sticks"),))
    text, learned = learn(lesson, print)
    assert [one.section for one in learned] == ["sticks 1"]
    assert text.startswith(kept)
    sticks = read_blocks(text, 2)[1]
    assert sticks.origin.endswith("tablee train tablan --option throw=sticks --seconds 1 --seed 2 --cores 1")
    assert "against the weights before" in sticks.gain
    assert sticks.section == "sticks 1"


def test_what_ships_can_be_measured_without_learning(learner: Kind, tmp_path: Path) -> None:
    """Whoever wrote the weights, the gain beside them is what this command has measured, and they stay as they are."""
    shipped = tmp_path / "learner" / "weights.txt"
    shipped.write_text("# 2026-01-01: by hand\n# not measured\ndice 1\n# 2026-01-02: by hand too\n# not measured\nsticks -1\n", encoding="utf-8")
    text, learned = learn(Lesson("tablan", seconds=1, games=20, nodes=20, cores=1, measure=True), print)
    dice, sticks = read_blocks(text, 2)
    assert (dice.origin, sticks.origin) == ("2026-01-01: by hand", "2026-01-02: by hand too")
    assert (dice.section, sticks.section) == ("dice 1", "sticks -1")
    assert "of 20 paired games at 20 nodes, against greedy" in dice.gain
    assert learned[0].gain.value > learned[1].gain.value


def test_the_weights_of_any_file_can_be_measured_of_a_game_too_that_learns_anew_each_time(learner: Kind, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("# 2026-01-01: by hand\n# not measured\ndice 1\n# 2026-01-02: by hand too\n# not measured\nsticks 1\n", encoding="utf-8")
    lesson = Lesson("tablan", seconds=1, games=20, nodes=20, cores=1, measure=True, start=other)
    dice, _ = read_blocks(learn(lesson, print)[0], 2)
    assert (dice.origin, dice.section) == ("2026-01-01: by hand", "dice 1")
    assert "of 20 paired games at 20 nodes, against greedy" in dice.gain
    with pytest.raises(TableeError, match=r"tablan learns anew each time: .* has no go_on"):
        learn(replace(lesson, measure=False), print)


ON_CORES = """
def square(number):
    return number * number

def train_on_cores(game, text, seconds, seed, cores, spread, report):
    report(f"{game!r} on {cores} cores")
    return f"{game.option('throw')} {sum(spread(square, [(n,) for n in range(cores + 1)]))}"
"""


def test_a_game_that_learns_on_several_cores_has_them_for_each_configuration(learner: Kind, tmp_path: Path) -> None:
    (tmp_path / "learner" / "training.py").write_text(f"{TRAINING}{ON_CORES}", encoding="utf-8")
    said: list[str] = []
    for cores, worth in ((1, 1), (2, 5)):
        sections = taught(Lesson("tablan", seconds=1, cores=cores), [0, 1], None, said.append)
        assert sections == {0: [f"dice {worth}"], 1: [f"sticks {worth}"]}
    assert sum("on 2 cores" in sentence for sentence in said) == 2


@pytest.mark.parametrize(("seats", "options"), [(3, ()), (None, (("throw", "marbles"),)), (None, (("colour", "red"),))])
def test_what_is_no_configuration_is_told_which_there_are(learner: Kind, seats: int | None, options: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(TableeError, match=r"none of the configurations that tablan learns .*: expected one of 2 seats; 2 seats throw=sticks"):
        learn(Lesson("tablan", seconds=1, seats=seats, options=options), print)


def test_one_configuration_cannot_be_put_into_a_file_that_does_not_tell_them_apart(learner: Kind, tmp_path: Path) -> None:
    shipped = tmp_path / "learner" / "weights.txt"
    lesson = Lesson("tablan", seconds=1, options=(("throw", "sticks"),))
    with pytest.raises(TableeError, match=r"no weights ship with tablan: train all of its configurations first"):
        learn(lesson, print)
    shipped.write_text("# 2026-01-01: by hand\n# not measured\ndice 1\nsticks -1\n", encoding="utf-8")
    with pytest.raises(TableeError, match=r"has 1 dated blocks: expected 2, one for each configuration; train them all at once"):
        learn(lesson, print)
    shipped.write_text("# 2026-01-01: by hand\ndice 1\n# 2026-01-01: by hand\n# not measured\nsticks -1\n", encoding="utf-8")
    with pytest.raises(TableeError, match=r"comes 'dice 1': expected a comment that tells the gain, then the weights"):
        learn(lesson, print)


@pytest.mark.parametrize("slug", [slug for slug, kind in catalog.kinds().items() if kind.mind.training])
def test_what_ships_has_a_date_and_a_measured_gain_for_every_configuration(slug: str) -> None:
    kind = catalog.kind(slug)
    games = configurations(kind)
    blocks = read_blocks(kind.text("weights.txt"), len(games))
    for game, block in zip(games, blocks, strict=True):
        assert f"tablee train {slug}" in block.origin
        assert block.gain.startswith(f"{called(game)}: ")
        assert re.search(r"\d\.\d % \(\d+\.\d–\d+\.\d\) of \d+ (paired )?games at \d+ nodes", block.gain), block.gain


def test_weights_that_ship_are_what_new_ones_are_measured_against(learner: Kind, tmp_path: Path) -> None:
    (tmp_path / "learner" / "weights.txt").write_text("dice -1\nsticks -1\n", encoding="utf-8")
    text, learned = learn(Lesson("tablan", seconds=1, seed=2, games=20, nodes=20, cores=1), lambda sentence: None)
    assert "against the weights before" in text
    assert all(one.gain.value > 0.5 for one in learned)


def test_a_game_may_name_what_new_weights_are_measured_against(learner: Kind, tmp_path: Path) -> None:
    (tmp_path / "learner" / "weights.txt").write_text("dice 1\nsticks 1\n", encoding="utf-8")
    (tmp_path / "learner" / "training.py").write_text(
        f"{TRAINING}\ndef untrained(game):\n    return f'{{game.option(\"throw\")}} -1'\n", encoding="utf-8"
    )
    text, learned = learn(Lesson("tablan", seconds=1, seed=2, games=20, nodes=20, cores=1), lambda sentence: None)
    assert "against the untrained judgement" in text
    assert all(one.gain.value > 0.5 for one in learned)


def test_the_best_of_several_tries_is_kept(learner: Kind) -> None:
    lesson = Lesson("tablan", seconds=1, games=20, nodes=20, cores=1)
    assert measured(lesson, choose(learner), ["dice -1", "dice 1", "dice -1"]).section == "dice 1"


def test_learning_goes_on_from_a_file(learner: Kind, tmp_path: Path) -> None:
    lesson = Lesson("tablan", seconds=1, seed=2, games=20, nodes=20, cores=1, start=tmp_path / "known.txt")
    with pytest.raises(TableeError, match=r"tablan learns anew each time: its training has no go_on"):
        learn(lesson, print)
    forget(learner)
    (tmp_path / "learner" / "training.py").write_text(f"{TRAINING}{GO_ON}", encoding="utf-8")
    for missing in (lesson, replace(lesson, measure=True)):
        with pytest.raises(TableeError, match=r"cannot read the weights in 'known\.txt': .*No such file"):
            learn(missing, print)
    (tmp_path / "known.txt").write_text("", encoding="utf-8")
    text, learned = learn(lesson, print)
    assert [one.section for one in learned] == ["dice 0", "sticks 0"]
    assert text.splitlines()[0].endswith(f"tablee train tablan --seconds 1 --seed 2 --cores 1 --from {tmp_path / 'known.txt'}")
    (tmp_path / "known.txt").write_text("1234", encoding="utf-8")
    assert [one.section for one in learn(lesson, print)[1]] == ["dice 4", "sticks 4"]
    (tmp_path / "known.txt").write_text("# 2026-01-01: by hand\n# none\ndice 1\n# 2026-01-02: by foot\n# none\nsticks 1\n", encoding="utf-8")
    dice, sticks = read_blocks(learn(lesson, print)[0], 2)
    assert dice.origin.endswith("known.txt; before that 2026-01-01: by hand")
    assert sticks.origin.endswith("known.txt; before that 2026-01-02: by foot")


@pytest.mark.parametrize("slug", ["tablan", "tabaijana"])
def test_going_on_begins_where_the_weights_stood(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A moment of learning changes little of what was known; from nothing, a moment knows nothing. A clock of our own counts the games."""
    for module in (practice, batch_training):
        ticks = count()
        monkeypatch.setattr(module, "process_time", lambda ticks=ticks: next(ticks) / 100)
    game = tablee.game(slug)
    lessons = training(game.kind)
    assert lessons.go_on
    judge = game.kind.mind.judge
    known = game.kind.text("weights.txt")
    random = Random(1)
    states = [game.start(random.randrange)]
    while len(states) < 100 and not isinstance(states[-1].node, Over):
        states.append(step(states[-1], random))

    def worths(text: str) -> list[float]:
        judgement = judge(game, text)
        return [judgement.value(state.position, state.turn) for state in states if isinstance(state.node, Chance)]

    found = [worths(text) for text in (lessons.go_on(game, known, 1.5, 3, print), lessons.train(game, 0.1, 3, print))]
    off = [sum(abs(one - other) for one, other in zip(worths(known), each, strict=True)) for each in found]
    assert 0.0 < off[0] < off[1] / 4
    with pytest.raises(TableeError, match="unknown section of weights"):
        lessons.go_on(game, "# nothing\n", 0.1, 3, print)


def test_configurations_are_the_games_own(learner: Kind) -> None:
    assert configurations(learner) == [choose(learner), choose(learner, options={"throw": "sticks"})]


# Sections whose head is no command that can be run as it stands, and why.
NO_COMMAND = {
    "tabale": "trained before the head was written by `tablee train`; its text repeats the command",
    "tablan": "trained before the head was written by `tablee train`; its text repeats the command",
    "tabaijana 5 seats": "from weights that scripts outside the repository began",
    "tabaijana 5 seats game=enfants": "by a faster program outside the repository",
}


@pytest.mark.parametrize("slug", catalog.OURS)
def test_every_section_names_the_command_that_makes_it(slug: str) -> None:
    """The command line itself reads each command, and it is for that section. A head is that command alone, except where the list says why."""
    kind = catalog.kind(slug)
    games = configurations(kind)
    train = get_command(app).commands["train"]  # type: ignore[attr-defined]
    for number, block in enumerate(read_blocks(kind.text("weights.txt"), len(games))):
        if not {slug, f"{slug} {block.gain.partition(':')[0]}"} & set(NO_COMMAND):
            assert re.fullmatch(rf"\d{{4}}-\d\d-\d\d: tablee train {slug} [^`;]*", block.origin), block.origin
        words = re.findall(rf"tablee train ({slug} [^`;]*)", block.origin)[-1]
        given = train.make_context("train", shlex.split(words)).params
        assert given["seconds"]
        assert given["seed"] is not None
        assert not given["start"], block.origin
        lesson = Lesson(slug, 1, seats=given["seats"] and int(given["seats"]), options=tuple(pairs(given["option"]).items()))
        assert number in chosen(lesson, games), block.origin
