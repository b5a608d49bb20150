"""Whatever text comes in, only one-sentence errors come out; and whatever is let in can be played."""

import os
import re
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tablee
from tablee import catalog
from tablee.catalog import OURS
from tablee.core.game import Game, choose
from tablee.core.state import State
from tests.material import check_playable, material, wander

# `TABLEE_EXAMPLES=50 pytest tests/test_bad_input.py` looks fifty times as long, and elsewhere each time.
MORE = int(os.environ.get("TABLEE_EXAMPLES", "1"))
ODD = "0123456789 /-+.:;=!#*>\t\n\r\0\x1c\u2028²٣１é\ud800\U0001f3b2-_,|()[]{}'\"\\"
ERRORS: tuple[type[tablee.TableeError], ...] = (
    tablee.TableeError,
    tablee.UnknownName,
    tablee.NotationError,
    tablee.PositionError,
    tablee.RecordError,
    tablee.IllegalAction,
)


def thorough(examples: int) -> settings:
    """Return the settings of one property: so many examples, the same in every run unless more are asked for."""
    return settings(
        max_examples=examples * MORE, deadline=None, derandomize=MORE == 1, database=None, suppress_health_check=list(HealthCheck), print_blob=False
    )


def attempt(action: Callable[[], State | Game | int]) -> State | Game | int | None:
    """Return what comes out, or None for an error of ours whose message is one short line."""
    error: tablee.TableeError
    try:
        return action()
    except tablee.TableeError as caught:
        error = caught
    assert type(error) in ERRORS
    message = str(error)
    assert message.isprintable(), message
    assert 10 < len(message) < 700, message
    return None


@st.composite
def bent(draw: st.DrawFn, texts: tuple[str, ...]) -> str:
    """Return one of the texts with a few things changed: a character, a number, a field, a line."""
    text = draw(st.sampled_from(texts))
    for _ in range(draw(st.integers(1, 3))):
        other = draw(st.sampled_from(texts))
        at = draw(st.integers(0, len(text)))
        match draw(st.integers(0, 9)):
            case 0:
                text = text[:at] + draw(st.sampled_from(ODD + other)) + text[at:]
            case 1 | 2:
                text = text[:at] + draw(st.sampled_from(ODD + other)) + text[at + 1 :]
            case 3:
                text = text[:at] + text[at + 1 :]
            case 4 | 5:
                text = exchanged(draw, text, other, " ")
            case 6:
                text = exchanged(draw, text, other, "\n")
            case 7:
                text = exchanged(draw, text, text, draw(st.sampled_from(" /=,:+\n")))
            case 8:
                text = numbered(draw, text)
            case _:
                text = text[:at]
    return text


def exchanged(draw: st.DrawFn, text: str, other: str, separator: str) -> str:
    """Return the text with one of its fields taken from another text, or doubled, or left out."""
    mine, theirs = text.split(separator), other.split(separator)
    at = draw(st.integers(0, len(mine) - 1))
    same = theirs[at] if at < len(theirs) else ""
    field = draw(st.sampled_from([same, same, draw(st.sampled_from(theirs)), "", mine[at] + separator + mine[at]]))
    return separator.join([*mine[:at], field, *mine[at + 1 :]])


def numbered(draw: st.DrawFn, text: str) -> str:
    """Return the text with one digit made another number, small, great or absurd."""
    places = [at for at, one in enumerate(text) if one.isdigit()]
    if not places:
        return text
    at = draw(st.sampled_from(places))
    number = draw(st.sampled_from(["0", "1", "9", "00", "-1", "12", "64", "999999", "9" * 19, "9" * 400, "1_0", "1e3", "٣"]))
    return text[:at] + number + text[at + 1 :]


ANYTHING = st.one_of(st.text(max_size=80), st.text(alphabet=ODD + "abcdefgwbrst", max_size=120))
games = pytest.mark.parametrize("slug", OURS)


@games
def test_a_position_line_is_read_or_refused_and_what_is_read_can_be_played(slug: str) -> None:
    kept = material(slug)
    accepted = 0

    @thorough(300)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        nonlocal accepted
        game = data.draw(st.sampled_from(kept.games))
        whose = data.draw(st.sampled_from([game, game, game, data.draw(st.sampled_from(kept.games))]))
        line = data.draw(st.one_of(bent(kept.lines[whose]), bent(kept.lines[whose]), bent(kept.lines[whose]), ANYTHING))
        state = attempt(lambda: game.load(line))
        if isinstance(state, tablee.State):
            accepted += 1
            check_playable(state, accepted)

    check()
    assert accepted > 10


@games
def test_a_token_is_read_or_refused_and_what_is_read_can_be_written(slug: str) -> None:
    kept = material(slug)

    @thorough(300)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        game = data.draw(st.sampled_from(kept.games))
        seat = data.draw(st.one_of(st.integers(0, game.seats - 1), st.integers(-3, 9), st.just(10**30)))
        token = data.draw(st.one_of(bent(kept.tokens), bent(kept.tokens), ANYTHING))
        action = attempt(lambda: game.parse(token, seat))
        if isinstance(action, int):
            assert 0 <= action < game.action_count
            assert game.parse(game.notate(action), seat) == action

    check()


@games
def test_any_number_is_written_as_a_token_or_refused(slug: str) -> None:
    for game in material(slug).games:
        for action in (-1, game.action_count, 10**30):
            with pytest.raises(tablee.TableeError):
                game.notate(action)
        for action in range(game.action_count):
            token = game.notate(action)
            assert token
            assert not set(token) & set(" \t\n#")
            assert any(game.parse(token, seat) == action for seat in range(game.seats)) or action_of_a_missing_seat(game, action)


def action_of_a_missing_seat(game: Game, action: int) -> bool:
    """Return whether an action belongs to a seat that only a larger table has."""
    most = catalog.game(game.slug, game.kind.seats[-1])
    return any(most.parse(game.notate(action), seat) == action for seat in range(game.seats, most.seats))


@games
def test_any_action_of_any_seat_is_played_or_refused_in_one_sentence(slug: str) -> None:
    kept = material(slug)

    @thorough(200)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        game = data.draw(st.sampled_from(kept.games))
        state = game.load(data.draw(st.sampled_from(kept.lines[game])))
        action = data.draw(st.one_of(st.integers(0, game.action_count - 1), st.integers(-(2**70), 2**70)))
        seat = data.draw(st.integers(-1, game.seats - 1))
        legal = action in state.legal()
        assert (attempt(lambda: state.play(action)) is not None) == legal
        if 0 <= action < game.action_count:
            refusal = state.refusal(seat, action)
            assert refusal is None or refusal.paragraphs

    check()


@games
def test_a_record_is_read_or_refused_and_what_is_read_is_written_again(slug: str) -> None:
    kept = material(slug)

    @thorough(300)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        text = data.draw(st.one_of(bent(kept.records), bent(kept.records), ANYTHING))
        state = attempt(lambda: tablee.read(text))
        if isinstance(state, tablee.State):
            written = tablee.record(state)
            assert tablee.record(tablee.read(written)) == written

    check()


@games
def test_a_bent_record_says_where_it_breaks(slug: str) -> None:
    kept = material(slug)

    @thorough(200)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        text = data.draw(bent(kept.records))
        error = None
        try:
            tablee.read(text)
        except tablee.RecordError as caught:
            error = caught
        if error is not None:
            assert 0 <= error.line <= len(text.splitlines())
            assert all(re.fullmatch(r"[1-9]\.[1-9]", paragraph) for paragraph in error.paragraphs)
            if error.line:
                assert str(error).startswith(f"line {error.line}: ")
                assert error.token in text.splitlines()[error.line - 1]
            else:
                assert "game:" in str(error)

    check()


@games
def test_options_and_seats_are_taken_or_refused(slug: str) -> None:
    options = catalog.kind(slug).options
    names = st.one_of(st.sampled_from([option.name for option in options]), st.text(max_size=8))
    values = st.one_of(st.sampled_from([value for option in options for value in option.values]), st.text(max_size=8), st.integers(), st.none())

    @thorough(200)
    @given(st.one_of(st.none(), st.integers(0, 9), st.integers()), st.dictionaries(names, values, max_size=4))
    def check(seats: int | None, chosen: dict[str, object]) -> None:
        game = attempt(lambda: choose(catalog.kind(slug), seats, chosen))
        if isinstance(game, Game):
            assert eval(repr(game), {"tablee": tablee}) == game
            wander(game.start(lambda n: n - 1), Random(1), 5)

    check()


@games
def test_a_set_up_is_taken_or_refused(slug: str) -> None:
    kept = material(slug)
    drawn = [game.kind.setup(game, lambda n: n // 2, {}) for game in kept.games]
    names = st.one_of(st.sampled_from([name for setup in drawn for name in setup] or ["deal"]), st.text(max_size=8))
    values = st.one_of(st.sampled_from([value for setup in drawn for value in setup.values()] or ["1"]), st.text(max_size=8))

    @thorough(200)
    @given(st.sampled_from(kept.games), st.dictionaries(names, values, max_size=3))
    def check(game: Game, setup: dict[str, str]) -> None:
        state = attempt(lambda: game.start_from(setup))
        if isinstance(state, State):
            assert set(setup) <= set(game.kind.setup(game, lambda n: 0, {})), "a set-up that the game does not draw was let in"
            wander(state, Random(1), 5)

    check()
