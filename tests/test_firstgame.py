"""Every guided first game: its steps are what the rules say, and its sentences name what there is to touch."""

import re

import pytest

from tablee.catalog import OURS, kind
from tablee.core.errors import TableeError
from tablee.core.firstgame import first_game, first_words, read_step
from tablee.core.game import choose
from tablee.core.kind import Kind
from tablee.core.words import LANGUAGES
from tablee.tables.view import legal
from tablee.web.first_pages import acts
from tests.tables.company import Company

START = "ww3bb/ww1r1bb/2rrr2/1rrrrr1/2rrr2/bb1r1ww/bb3ww w 0 0 - -"


@pytest.mark.parametrize("slug", OURS)
def test_a_first_game_has_five_to_eight_steps_that_the_rules_confirm(slug: str) -> None:
    steps = first_game(kind(slug))
    assert 5 <= len(steps) <= 8
    assert {step.refused for step in steps} == {True, False}
    for step in steps:
        refusal = step.state.refusal(step.seat, step.token)
        legal = step.state.number(step.token, step.seat) in step.state.legal(step.seat)
        assert (refusal is None) == legal == (not step.refused)
        assert refusal is None or step.paragraph in refusal.paragraphs


@pytest.mark.parametrize("slug", OURS)
def test_a_step_lists_its_actions_as_a_table_does_and_then_the_one_that_is_to_be_refused(slug: str) -> None:
    for step in first_game(kind(slug)):
        game = step.state.game
        table = Company(slug, game.seats, game.options, position=game.dump(step.state)).seated(*("Ana", "Ben", "Cleo", "Mallory")[: game.seats]).table
        shown = acts(step, "en")
        assert table.state
        assert shown[: len(shown) - step.refused] == legal(table, table.state, table.state.scene("en").marked(()), (step.seat,), "en")
        assert [entry.token for entry in shown].count(step.token) == 1
        assert not step.refused or shown[-1].token == step.token


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_sentence_of_a_step_names_its_touches_in_order_or_its_button(slug: str, language: str) -> None:
    words = first_words(kind(slug), language)
    for step in first_game(kind(slug)):
        places = re.findall(r"\[(=?)([^|\]]+)(?:\|[^\]]+)?\]", words(step.say))
        scene = step.state.scene(language)
        touches = step.state.game.kind.touches(step.state.game, scene, step.token)
        cells = tuple(name for button, name in places if not button)
        buttons = {name for button, name in places if button}
        assert buttons <= {step.token}
        assert cells == touches or (buttons and not cells), step.say
    assert words("end")


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_button_is_named_as_it_is_written_on_it(slug: str, language: str) -> None:
    words, buttons = first_words(kind(slug), language), kind(slug).words(language).sentences
    for step in first_game(kind(slug)):
        for token, name in re.findall(r"\[=([^|\]]+)\|([^\]]+)\]", words(step.say)):
            assert name == buttons.get(f"button {token}", name)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"say": "x", "position": START, "play": "c7d7"}, "'c7d7' is refused by Traboulet 2.1"),
        ({"say": "x", "position": START, "refused": "a7b7", "paragraph": "2.2"}, "'a7b7' is refused by nothing, not by '2.2'"),
        ({"say": "x", "position": START, "refused": "b7c7", "paragraph": "2.4"}, "'b7c7' is refused by 2.2, not by '2.4'"),
        ({"say": "x", "position": START}, "expected either `play` or `refused`"),
        ({"say": "x", "play": "a7b7"}, "the first step needs a position"),
        ({"say": "x", "position": START, "plays": "a7b7"}, "unknown field 'plays'"),
        ({"position": START, "play": "a7b7"}, "expected `say`, the key of its sentence"),
    ],
)
def test_a_step_that_does_not_fit_the_rules_is_an_error(fields: dict[str, object], says: str) -> None:
    with pytest.raises(TableeError) as caught:
        read_step(choose(kind("traboulet"), 2, {}), fields, None)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [("seats = ", "traboulet, firstgame.toml: "), ("[[step]]\nplay = 'a7b7'\n", "step 1: expected `say`"), ("seats = 9\n", "firstgame.toml: ")],
)
def test_a_file_that_cannot_be_read_is_an_error_that_names_it(text: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kind, "text", lambda self, name: text)
    with pytest.raises(TableeError) as caught:
        first_game.__wrapped__(kind("traboulet"))
    assert says in str(caught.value)
