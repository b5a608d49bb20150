"""Games of an older version of the rules: they are read, played and written by the rules they were begun with."""

import pickle
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import tablee
from tablee.core.errors import RecordError, TableeError
from tablee.core.game import Game, choose
from tablee.core.kind import Kind
from tablee.core.record import read_record, write_record
from tablee.core.state import Over, State
from tests.golden.make import HERE
from tests.material import wander

# Traboulet as if `ko` were new in version 2, and version 1 had always played `position`.
KIND: Kind = replace(tablee.kind("traboulet"), version=2, older={1: {"ko": "position"}})
OLD_RECORD = "game: traboulet\nrules: 1\nseats: 2\noptions: bonus=any repetition=draw\n\n1: a7b7\nresult: *\n"


def read(text: str) -> State:
    """Return the state at the end of a record of that game."""
    return read_record(text, lambda slug: KIND)


def test_an_older_game_has_the_values_that_play_as_it_did() -> None:
    game = choose(KIND, rules=1)
    assert (game.rules, game.option("ko")) == (1, "position")


def test_a_game_is_of_the_current_version_unless_asked() -> None:
    assert (choose(KIND).rules, choose(KIND).option("ko")) == (2, "reverse")


def test_an_older_record_is_read_and_written_as_it_was() -> None:
    state = read(OLD_RECORD)
    assert (state.game.rules, state.game.option("ko")) == (1, "position")
    assert write_record(state) == OLD_RECORD


def test_an_older_game_goes_on_under_its_own_rules() -> None:
    state = read(OLD_RECORD).play("a1b1")
    assert write_record(state) == OLD_RECORD.replace("result", "2: a1b1\nresult")


def test_a_record_without_a_number_is_of_the_current_version() -> None:
    state = read("game: traboulet\n1: a7b7\n")
    assert (state.game.rules, state.game.option("ko")) == (2, "reverse")
    assert "rules: 2\n" in write_record(state)
    assert " ko=reverse " in write_record(state)


def test_an_option_that_the_older_version_did_not_have_is_refused() -> None:
    with pytest.raises(RecordError, match="by version 1 of the rules of traboulet it is position") as error:
        read("game: traboulet\nrules: 1\noptions: ko=reverse\n")
    assert error.value.line == 3
    assert choose(KIND, options={"ko": "position"}, rules=1) == choose(KIND, rules=1)


@pytest.mark.parametrize("version", ["0", "3", "01", "x"])
def test_an_unknown_version_is_refused_with_the_known_ones(version: str) -> None:
    with pytest.raises(RecordError, match="is not known: expected 1 or 2"):
        read(f"game: traboulet\nrules: {version}\n")


def test_an_unknown_version_cannot_be_chosen() -> None:
    with pytest.raises(TableeError, match="rules version '3' is not known: expected 1 or 2"):
        choose(KIND, rules=3)


def test_games_of_two_versions_are_not_equal() -> None:
    old = choose(KIND, rules=1)
    same_options = Game(KIND, 2, old.chosen, 2)
    assert old != same_options
    assert len({old, same_options, choose(KIND, rules=1)}) == 2


def test_an_older_game_is_shown_as_one_would_type_it() -> None:
    assert repr(choose(KIND, rules=1)) == "tablee.game('traboulet', seats=2, rules=1, bonus='any', repetition='draw')"


OLD_TABLAN = sorted((HERE / "tablan" / "records-1").iterdir())


def test_every_older_version_has_golden_records() -> None:
    folders = {(slug, version) for slug, kind in tablee.kinds().items() for version in kind.older}
    assert folders == {("tablan", 1)}
    assert len(OLD_TABLAN) == 10


@pytest.mark.parametrize("path", OLD_TABLAN, ids=lambda path: path.stem)
def test_a_game_of_tablan_1_that_was_broken_off_goes_on_by_its_rules(path: Path) -> None:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if not line.startswith(("#", "result:"))]
    state = tablee.read("".join(lines[: len(lines) // 2]))
    assert (state.game.rules, state.game.option("last_man")) == (1, "must_move")
    end = wander(state, Random(path.stem), 5000)
    assert isinstance(end.node, Over)
    assert all(one.game.notate(one.action) != "." for one in list(end.path())[1:])
    text = tablee.record(end)
    assert text.startswith("game: tablan\nrules: 1\nseats: 2\noptions: preset=")
    assert "last_man" not in text
    assert tablee.read(text) == end


def test_tablan_1_refuses_to_let_the_last_man_stay() -> None:
    """4.2: in version 1 every move that was possible had to be played."""
    line = ".....w.w..../......b...../....w......./.......wwwww 1 1-2 open -"
    for rules, tokens in ((1, {"s>v"}), (2, {"s>v", "."})):
        state = tablee.game("tablan", rules=rules).load(line)
        assert {state.game.notate(action) for action in state.legal()} == tokens


def test_the_actions_of_tablan_1_have_kept_their_numbers() -> None:
    game = tablee.game("tablan")
    assert [game.parse(token) for token in ("A>B", "l>k", "1-1", "6-6", "s0", "s4", ".")] == [0, 467, 864, 884, 885, 889, 890]


def test_an_older_game_is_pickled_with_its_version() -> None:
    game = tablee.game("tablan", rules=1)
    assert pickle.loads(pickle.dumps(game)) == game
    assert pickle.loads(pickle.dumps(game)).rules == 1
    assert eval(repr(game)) == game
