"""Weights made anew: every configuration learned, the best try kept, the gain measured and written down."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from shutil import copy

import pytest

import tablee.games.tablan
from tablee import catalog
from tablee.arena.training import Lesson, configurations, learn, measured
from tablee.core.game import choose
from tablee.core.judgement import Judgement
from tablee.core.kind import Kind

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

def judgement(game):
    return judge(game, game.kind.text("weights.txt"))
'''
TRAINING = """
from tablee.core.game import choose

def configurations(kind):
    return [choose(kind, options={"throw": "dice"}), choose(kind, options={"throw": "sticks"})]

def train(game, seconds, seed, report):
    report(f"learning {game!r} for {seconds} s")
    return f"{game.option('throw')} {1 if seed == 2 else -1}"
"""


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

    def judged(game: tablee.Game) -> Judgement:
        from learner.judgement import judgement  # type: ignore[import-not-found]

        found: Judgement = judgement(game)
        return found

    kind = replace(catalog.kind("tablan"), package="learner", judgement=judged, search="expectimax")
    known = catalog.kind
    monkeypatch.setattr(catalog, "kind", lambda slug: kind if slug == "tablan" else known(slug))
    yield kind
    for name in [name for name in sys.modules if name.startswith("learner")]:
        del sys.modules[name]


def test_every_configuration_is_learned_and_measured(learner: Kind) -> None:
    """One seed learns the right weight, the other the wrong way round; measured against greedy, as none ship."""
    said: list[str] = []
    lesson = Lesson("tablan", seconds=1, seed=1, games=20, nodes=20, cores=1)
    text, learned = learn(replace(lesson, seed=1), said.append)
    assert [one.section for one in learned] == ["dice -1", "sticks -1"]
    better, gained = learn(replace(lesson, seed=2), said.append)
    assert better.splitlines()[-2:] == ["dice 1", "sticks 1"]
    assert all(good.gain.value > bad.gain.value for good, bad in zip(gained, learned, strict=True))
    head = better.splitlines()[:3]
    assert head[0] == f"# {datetime.now(UTC):%Y-%m-%d}: tablee train tablan --seconds 1 --seed 2"
    assert head[1].startswith("# 2 seats: ")
    assert head[2].startswith("# 2 seats throw=sticks: ")
    assert all("of 20 paired games at 20 nodes, against greedy" in line for line in head[1:])
    assert any("/ greedy" in sentence for sentence in said)
    assert text.startswith("# ")


def test_weights_that_ship_are_what_new_ones_are_measured_against(learner: Kind, tmp_path: Path) -> None:
    (tmp_path / "learner" / "weights.txt").write_text("dice -1\nsticks -1\n", encoding="utf-8")
    text, learned = learn(Lesson("tablan", seconds=1, seed=2, games=20, nodes=20, cores=1), lambda sentence: None)
    assert "against the weights before" in text
    assert all(one.gain.value > 0.5 for one in learned)


def test_the_best_of_several_tries_is_kept(learner: Kind) -> None:
    lesson = Lesson("tablan", seconds=1, games=20, nodes=20, cores=1)
    assert measured(lesson, choose(learner), ["dice -1", "dice 1", "dice -1"]).section == "dice 1"


def test_configurations_are_the_games_own(learner: Kind) -> None:
    assert configurations(learner) == [choose(learner), choose(learner, options={"throw": "sticks"})]
