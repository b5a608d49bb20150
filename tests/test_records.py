"""Games written down: what a record may say, what reads back, and where a broken one says it is broken."""

import pickle
from random import Random

import pytest

import tablee
from tablee import catalog
from tablee.catalog import OURS
from tablee.core.record import join, split
from tests.material import material, wander

games = pytest.mark.parametrize("slug", OURS)
HEADER = "game: traboulet\nrules: 1\nseats: 2\noptions: bonus=any ko=reverse repetition=draw\n"
WON = "7/7/7/5wr/7/7/b6 w 6 0 - -"


def broken(text: str) -> tablee.RecordError:
    """Return the error of a record that cannot be read."""
    with pytest.raises(tablee.RecordError) as caught:
        tablee.read(text)
    assert "\n" not in str(caught.value)
    return caught.value


def where(text: str) -> tuple[int, str, tuple[str, ...]]:
    """Return line, token and paragraphs of a record that cannot be read."""
    error = broken(text)
    return error.line, error.token, error.paragraphs


@games
def test_a_written_record_reads_back_to_the_same_text(slug: str) -> None:
    for game in material(slug).games:
        random = Random(repr(game))
        state = wander(game.start(random.randrange), random, 60)
        text = tablee.record(state)
        again = tablee.read(text)
        assert tablee.record(again) == text
        assert again.game == game
        assert [one.action for one in again.path()] == [one.action for one in state.path()]
        assert [one.mover for one in again.path()] == [one.mover for one in state.path()]


@games
def test_a_record_from_a_position_reads_back_to_the_same_text(slug: str) -> None:
    for game, lines in material(slug).lines.items():
        random = Random(repr(game))
        for line in lines[:5]:
            state = wander(game.load(line), random, 10)
            text = tablee.record(state)
            assert f"position: {line}\n" in text
            assert tablee.record(tablee.read(text)) == text


@games
def test_every_token_survives_on_a_line_with_others(slug: str) -> None:
    game = catalog.game(slug)
    tokens = [game.notate(action) for action in range(game.action_count)]
    Random(1).shuffle(tokens)
    assert split(game, join(game, tokens)) == tokens


@games
def test_a_whole_game_cut_short_anywhere_is_a_game_that_goes_on(slug: str) -> None:
    random = Random(slug)
    end = wander(catalog.game(slug).start(random.randrange), random, 5000)
    assert isinstance(end.node, tablee.Over)
    text = tablee.record(end)
    body, _, result = text.rpartition("result: ")
    lines = body.splitlines()
    places = [number for number, line in enumerate(lines) if line[:1].isdigit()]
    for kept in {places[0], places[-1], *random.sample(places, 5)}:
        cut = "\n".join(lines[:kept]) + "\n"
        assert not isinstance(tablee.read(cut).node, tablee.Over)
        assert broken(f"{cut}result: {result}").line == kept + 1


def test_a_header_needs_only_the_game() -> None:
    state = tablee.read("game: traboulet")
    assert state.game == catalog.game("traboulet")
    assert state.previous is None


def test_a_header_may_say_everything_in_any_order_with_comments_and_blanks() -> None:
    header = "# Sunday\n\noptions:bonus=red   ko=position # by the house\r\n seats : 2\nrules:1\ngame:   traboulet\n\n"
    state = tablee.read(header + " 1 :a7b7 # first\n2: a1b1\n1:\nresult: * # later")
    assert state.game.options == {"bonus": "red", "ko": "position", "repetition": "draw"}
    assert [state.game.notate(one.action) for one in list(state.path())[1:]] == ["a7b7", "a1b1"]


def test_a_turn_may_be_spread_over_lines() -> None:
    whole = tablee.read("game: tabu\nsetup: banker=1\n2: c5 s1 !\n")
    spread = tablee.read("game: tabu\nsetup: banker=1\n2: c5\n2: s1\n2: !\n")
    assert whole.game.dump(whole) == spread.game.dump(spread)


def test_a_finished_game_says_its_result() -> None:
    state = tablee.read(f"{HEADER}position: {WON}\n1: f4g4\nresult: 1 -1 (5.1)\n")
    assert isinstance(state.node, tablee.Over)
    assert tablee.record(state).endswith("\n1: f4g4\nresult: 1 -1 (5.1)\n")


@pytest.mark.parametrize("result", ["*", "-1 1 (5.1)", "1 -1", "1 -1 (5.2)", "1 -1 (5.1) (5.1)", ""])
def test_a_wrong_result_is_refused(result: str) -> None:
    text = f"{HEADER}position: {WON}\n1: f4g4\nresult: {result}\n"
    error = broken(text)
    assert error.line == 7
    assert "expected the result '1 -1 (5.1)'" in str(error)


def test_a_result_too_early_is_refused() -> None:
    assert "expected the result '*'" in str(broken(f"{HEADER}position: {WON}\nresult: 1 -1 (5.1)\n"))


STAKED = "game: tabu\nseats: 2\nsetup: banker=1\n2: c5 s1 s1\n"


def test_a_game_that_the_players_stopped_says_the_count() -> None:
    """Tabu 4.2: the stakes on the table have gone back."""
    state = tablee.read(STAKED + "result: 100 100 (4.2 agreed)\n")
    assert state.node == tablee.Over((100, 100), "4.2 agreed", (0, 1))
    assert tablee.read(tablee.record(state)) == state
    assert pickle.loads(pickle.dumps(state)) == state


@pytest.mark.parametrize("result", ["93 107 (4.2 agreed)", "100 93 (4.2 agreed)", "100 100 (4.1 agreed)", "100 (4.2 agreed)"])
def test_a_game_that_the_players_stopped_with_a_wrong_count_is_refused(result: str) -> None:
    error = broken(f"{STAKED}result: {result}\n")
    assert (error.line, error.paragraphs) == (5, ("4.2",))
    assert "the scores counted after these actions are '100 100 (4.2 agreed)'" in str(error)


def test_a_game_that_cannot_be_stopped_or_is_over_has_no_agreed_result() -> None:
    assert "expected the result '*'" in str(broken(f"{HEADER}position: {WON}\nresult: 1 -1 (5.1 agreed)\n"))
    over = "game: tabu\nseats: 2\noptions: rounds=1\nposition: bank=1 93/1 107/1 dice=c-d-h\n"
    assert "expected the result '93 107 (4.2)'" in str(broken(f"{over}result: 93 107 (4.2 agreed)\n"))


@pytest.mark.parametrize(
    ("text", "line", "token", "paragraphs", "says"),
    [
        # the header
        ("", 0, "", (), "the record is empty"),
        ("seats: 2\n", 0, "", (), "the header lacks `game:`"),
        ("1: a7b7\n", 0, "", (), "the record is empty"),
        ("result: *\n", 0, "", (), "the record is empty"),
        ("game: chess\n", 1, "chess", (), "line 1: unknown game 'chess': known are "),
        ("game:\n", 1, "", (), "line 1: unknown game ''"),
        ("game: traboulet\nplayers: 2\n", 2, "players", (), "expected one of game, rules, seats, options, setup, position, or a seat number"),
        ("game: traboulet\ngame: traboulet\n", 2, "game", (), "line 2: 'game': stands twice in the header"),
        ("game: traboulet\nseats: 2\nseats: 2\n", 3, "seats", (), "stands twice"),
        ("game: traboulet\nrules: 2\n", 2, "2", (), "line 2: rules version '2' is not known: expected 1"),
        ("game: traboulet\nrules: 01\n", 2, "01", (), "is not known"),
        ("game: traboulet\nseats: 3\noptions: bonus=red\n", 2, "3", (), "line 2: '3' seats are not possible: traboulet is for 2"),
        ("game: traboulet\nseats: 0\n", 2, "0", (), "'0' seats are not possible"),
        ("game: traboulet\nseats: -2\n", 2, "-2", (), "'-2' is no number of seats"),
        ("game: traboulet\nseats: ²\n", 2, "²", (), "'²' is no number of seats"),
        (f"game: traboulet\nseats: {'9' * 5000}\n", 2, "9" * 5000, (), "is no number of seats"),
        ("seats: 2\noptions: bonus=blue\ngame: traboulet\n", 2, "bonus=blue", (), "unknown value of option bonus 'blue': known are any, red, none"),
        ("game: traboulet\noptions: bonus\n", 2, "bonus", (), "line 2: 'bonus' is no option: expected name=value"),
        ("game: traboulet\noptions: bonus=red bonus=any\n", 2, "bonus=red bonus=any", (), "'bonus' is given twice"),
        ("game: traboulet\noptions: colour=red\n", 2, "colour=red", (), "unknown option of traboulet 'colour'"),
        ("game: tabu\noptions: money=99999999999999999999\n", 2, "money=99999999999999999999", (), "expected a whole number from 20 to 10000"),
        ("game: traboulet\nsetup: banker=1\n", 2, "banker=1", (), "unknown set-up 'banker': traboulet draws none"),
        ("game: tabu\nsetup: banker=3\n", 2, "banker=3", (), "'3' is no first banker"),
        ("game: tabu\noptions: money=50\n", 1, "tabu", (), "is no first banker: expected banker=1"),
        (f"game: traboulet\nsetup: a=b\nposition: {WON}\n", 2, "a=b", (), "expected either a set-up or a position"),
        ("game: traboulet\nposition: 7/7/7/7/7/7 w 0 0 - -\n", 2, "7/7/7/7/7/7 w 0 0 - -", ("1.1",), "expected 7 ranks, found 6"),
        ("game: traboulet\nposition: nonsense\n", 2, "nonsense", (), "line 2: 'nonsense' is no position"),
        # the actions
        ("game: traboulet\n1: b7c7\n", 2, "b7c7", ("2.2",), "line 2: 'b7c7' is refused by Traboulet 2.2: The finger has no room behind b7"),
        ("game: traboulet\n1: a7b7\n2: f7e7\n", 3, "f7e7", ("2.2",), "is refused by Traboulet 2.2"),
        ("game: traboulet\n1: f7e7\n", 2, "f7e7", ("2.1", "2.2"), "is refused by Traboulet 2.1, Traboulet 2.2"),
        ("game: traboulet\n1: a7b9\n", 2, "a7b9", ("2.1",), "line 2: 'a7b9' is no action: expected a push by one cell"),
        ("game: traboulet\n1: hello\n", 2, "hello", (), "line 2: 'hello' is no action: expected the marble's cell and the next cell"),
        ("game: traboulet\n1: " + "a" * 5000, 2, "a" * 5000, (), "is no action: expected a short token"),
        ("game: traboulet\n1: a7\0b7\n", 2, "a7\0b7", (), r"line 2: 'a7\x00b7' is no action"),
        ("game: traboulet\n2: a7b7\n", 2, "a7b7", (), "line 2: 'a7b7': expected an action of seat 1, not seat 2"),
        ("game: traboulet\n1: a7b7 a6b6\n", 2, "a6b6", (), "line 2: 'a6b6': expected an action of seat 2, not seat 1"),
        ("game: tabu\nsetup: banker=1\n2: c5 !\n2: d-d-a\n", 4, "d-d-a", (), "line 4: 'd-d-a': expected a throw of seat 1, not seat 2"),
        ("game: traboulet\n3: a7b7\n", 2, "3", (), "line 2: '3': expected a seat from 1 to 2"),
        ("game: traboulet\n0: a7b7\n", 2, "0", (), "expected a seat from 1 to 2"),
        (f"game: traboulet\n{'9' * 3000}: a7b7\n", 2, "9" * 3000, (), "expected a seat from 1 to 2"),
        ("game: traboulet\n-1: a7b7\n", 2, "-1", (), "expected one of game, rules,"),
        ("game: traboulet\n１: a7b7\n", 2, "１", (), "expected one of game, rules,"),
        ("game: traboulet\n1: a7b7\nseats: 2\n", 3, "seats", (), "expected a seat, a colon and tokens, or `result:`"),
        ("game: traboulet\n1: a7b7\na1b1\n", 3, "a1b1", (), "expected `name: value` in the header, or a seat, a colon and tokens"),
        ("game: traboulet\nresult: *\n1: a7b7\n", 3, "1", (), "line 3: '1': nothing may follow the result"),
        ("game: traboulet\nresult: *\nresult: *\n", 3, "result", (), "nothing may follow the result"),
        (f"game: traboulet\nposition: {WON}\n1: f4g4 a1b1\n", 3, "a1b1", ("5.1",), "line 3: 'a1b1': the game is over (Traboulet 5.1)"),
        (f"game: traboulet\nposition: {WON}\n1: f4g4\n2: a1b1\n", 4, "a1b1", ("5.1",), "the game is over (Traboulet 5.1)"),
        ("game: traboulet\n\x01\x02\n", 2, "\x01\x02", (), r"line 2: '\x01\x02': expected"),
    ],
)
def test_a_broken_record_says_where_and_why(text: str, line: int, token: str, paragraphs: tuple[str, ...], says: str) -> None:
    error = broken(text)
    assert (error.line, error.token, error.paragraphs) == (line, token, paragraphs)
    assert says in str(error)
    assert len(str(error)) < 400


@pytest.mark.parametrize("text", ["game: traboulet\r\n1: a7b7\r\n2: a1b1\r\n", "game: traboulet\r1: a7b7\r2: a1b1"], ids=["CRLF", "CR"])
def test_line_ends_of_other_machines_are_read(text: str) -> None:
    assert tablee.record(tablee.read(text)) == tablee.record(tablee.read("game: traboulet\n1: a7b7\n2: a1b1\n"))


def test_a_record_too_long_is_refused_at_once() -> None:
    assert "longer than" in str(broken("#" * 4_000_001))


@games
def test_one_changed_token_is_found_where_it_stands(slug: str) -> None:
    """A token of another action is either legal there, or the error names that line and that token."""
    random = Random(slug)
    found = 0
    for record in material(slug).records[:10]:
        game = tablee.read(record).game
        lines = record.splitlines()
        at = random.choice([number for number, line in enumerate(lines) if line[:1].isdigit()])
        seat, _, value = lines[at].partition(": ")
        tokens = split(game, value)
        place = random.randrange(len(tokens))
        tokens[place] = game.notate(random.randrange(game.action_count))
        text = "\n".join([*lines[:at], f"{seat}: {join(game, tokens)}"])
        try:
            tablee.read(text)
        except tablee.RecordError:
            line, token, paragraphs = where(text)
            found += 1
            assert line == at + 1
            assert token in tokens[place:]
            assert paragraphs or token != tokens[place] or "expected" in str(broken(text))
    assert found > 1
