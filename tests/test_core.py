"""The stones under every game: bits, words, rule pages, painting, letters, counting, the shelf."""

import importlib.util
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tablee
from tablee import catalog
from tablee.catalog import OURS
from tablee.core import bits
from tablee.core.catalogue import read_po
from tablee.core.game import Game
from tablee.core.kind import Option
from tablee.core.perft import perft
from tablee.core.position import Position
from tablee.core.rulebook import read_rulebook
from tablee.core.ruling import Message, Ruling
from tablee.core.scene import Cell, Counter, Label, Piece, Scene, Track
from tablee.core.state import DICE, Chance, Decision, Over, State
from tablee.core.svg import number, paint
from tablee.core.text import write
from tablee.core.words import LANGUAGES, Words
from tablee.locale import words as door_words
from tests.material import material

games = pytest.mark.parametrize("slug", OURS)
WORDS = st.integers(0, 2**63 - 1)
FULL = 2**63 - 1


def plain_bits() -> ModuleType:
    """Return the module of bits as plain Python, be it compiled or not."""
    path = Path(bits.__file__).with_name("bits.py")
    spec = importlib.util.spec_from_file_location("plain_bits", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


PLAIN = plain_bits()


# bits


def test_a_bit_is_one_place_of_the_word() -> None:
    assert [bits.bit(n) for n in range(63)] == [2**n for n in range(63)]
    assert [bits.index(2**n) for n in range(63)] == list(range(63))


def test_every_bit_has_a_slot_of_its_own() -> None:
    assert len({bits.slot(2**n) for n in range(63)}) == 63
    table = bits.by_slot([100 + n for n in range(63)])
    assert [table[bits.slot(2**n)] for n in range(63)] == [100 + n for n in range(63)]


@settings(max_examples=400, deadline=None, derandomize=True, database=None)
@given(WORDS)
def test_a_word_is_counted_and_listed_as_python_counts_and_lists(word: int) -> None:
    assert bits.count(word) == word.bit_count()
    assert bits.members(word) == [n for n in range(63) if word >> n & 1]


def test_the_fullest_and_the_emptiest_word_are_counted() -> None:
    assert bits.MASK_63 == FULL
    assert (bits.count(0), bits.count(FULL)) == (0, 63)
    assert bits.members(FULL) == list(range(63))


@settings(max_examples=400, deadline=None, derandomize=True, database=None)
@given(WORDS, WORDS)
def test_a_hash_is_the_same_compiled_and_not(seed: int, word: int) -> None:
    mixed = bits.mix(seed, word)
    assert 0 <= mixed <= FULL
    assert mixed == PLAIN.mix(seed, word)
    expected = ((seed ^ (seed >> 29)) * 0x2545F4914F6CDD1D + word * 0x1B873593CC9E2D51) & FULL
    assert mixed == expected ^ (expected >> 32)


def test_a_hash_changes_with_every_bit_of_both() -> None:
    here = bits.mix(12345, 67890)
    assert len({here, *(bits.mix(12345 ^ 2**n, 67890) for n in range(63)), *(bits.mix(12345, 67890 ^ 2**n) for n in range(63))}) == 127


# words


def test_facts_are_filled_in_and_named_facts_replaced_by_their_sentence() -> None:
    words = Words("en", {"hit": "{side} takes {n} on {cell}", "=white": "White"})
    assert words("hit", side="=white", n=2, cell="a7") == "White takes 2 on a7"
    assert words("hit", side="=nobody", n=0, cell="{n}") == "=nobody takes 0 on {n}"
    assert words.say(Message("hit", {"side": "=white", "n": 1, "cell": "b1"})) == "White takes 1 on b1"


def test_an_unknown_sentence_is_an_error_that_names_it() -> None:
    with pytest.raises(tablee.TableeError, match="no sentence 'lost' in 'fr'"):
        Words("fr", {})("lost")


def test_two_sets_of_words_are_joined_and_the_later_wins() -> None:
    both = Words("en", {"a": "1", "b": "1"}) | Words("en", {"b": "2"})
    assert (both("a"), both("b")) == ("1", "2")


def test_a_catalogue_is_read_with_its_escapes_and_without_its_header() -> None:
    sentences = read_po('msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "a \\"b\\""\nmsgstr "é\\n"\n"ß"\n')
    assert sentences == {'a "b"': "é\nß"}


def test_a_ruling_with_a_case_has_a_sentence_of_its_own() -> None:
    assert (Ruling("2.1").message.key, Ruling("2.1", "turn").message.key) == ("2.1", "2.1 turn")


@pytest.mark.parametrize("call", [door_words, lambda language: catalog.kind("traboulet").words(language)])
def test_an_unknown_language_is_an_error_that_lists_the_known(call: Callable[[str], Words]) -> None:
    with pytest.raises(tablee.UnknownName, match="unknown language 'de': known are fr, en"):
        call("de")


def test_the_doors_speak_both_languages_with_the_same_facts() -> None:
    french, english = (door_words(language).sentences for language in LANGUAGES)
    assert french.keys() == english.keys()
    for key in french:
        assert sorted(re.findall(r"\{\w+\}", french[key])) == sorted(re.findall(r"\{\w+\}", english[key]))


@pytest.mark.parametrize("slug", ["", *OURS])
def test_french_is_set_with_narrow_spaces_and_curved_apostrophes(slug: str) -> None:
    sentences = (catalog.kind(slug).words("fr") if slug else door_words("fr")).sentences
    assert [key for key, sentence in sentences.items() if re.search(r" [:;!?»]|« |\w'\w|[^\s\u202f\u00a0«(][!?;](?!\w)", sentence)] == []


# rule pages

PAGE = """# A game

Words before.

## 1 The board

**1.1** There is a board.
It is square.

- a list
> Source: the sheet. Certainty: sure.
> Other readings: none.

```figure
id: start
position: 7/7 w
seats: 3
options: bonus=red ko=none
mark: a1 b2
caption: The start: empty.
```

**1.2** There are men.
> Source: the sheet.

## Notation

Not a paragraph.
"""


def test_a_rule_page_is_read_as_paragraphs_and_figures() -> None:
    book = read_rulebook(PAGE)
    assert book.title == "A game"
    assert list(book.paragraphs) == ["1.1", "1.2"]
    assert book.paragraphs["1.1"].text == "There is a board.\nIt is square.\n\n- a list"
    assert book.paragraphs["1.1"].apparatus == "Source: the sheet. Certainty: sure. Other readings: none."
    assert book.paragraphs["1.2"].text == "There are men."
    figure = book.figures["start"]
    assert (figure.position, figure.caption, figure.seats) == ("7/7 w", "The start: empty.", 3)
    assert (figure.options, figure.mark) == ((("bonus", "red"), ("ko", "none")), ("a1", "b2"))
    assert [type(part).__name__ for part in book.parts] == ["str", "Figure", "str"]
    assert "```" not in "".join(part for part in book.parts if isinstance(part, str))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("**1.2**", "**1.1**", "paragraph 1.1 stands twice on the page"),
        ("seats: 3", "seats: three", "line 14: 'three' is no number of seats"),
        ("seats: 3", "seat: 3", "line 17: 'seat: 3' is no line of a figure: expected one of id, position,"),
        ("seats: 3", "id: again", "line 17: 'id' stands twice in a figure"),
        ("caption: The start: empty.", "mark", "line 20: 'mark' is no line of a figure"),
        ("caption: The start: empty.\n", "", "line 14: a figure lacks caption"),
        ("position: 7/7 w", "position:", "line 14: a figure lacks position"),
        ("```\n", "", "the last figure of the page is not closed"),
        ("## Notation", "```figure\nid: start\nposition: 1\ncaption: 2\n```", "the figure 'start' stands twice on the page"),
    ],
)
def test_a_malformed_rule_page_says_where(old: str, new: str, says: str) -> None:
    with pytest.raises(tablee.TableeError, match=re.escape(says)):
        read_rulebook(PAGE.replace(old, new, 1))


# painting

NASTY = "<b> & \"quoted\" 'so' ]]> </title>"
SCENE = Scene(
    game="test",
    width=100,
    height=80.5,
    title=NASTY,
    backdrop="board",
    cells=(Cell("a<1", 10, 20, "hole", (0, 2), label=NASTY), Cell("b1", 30.126, 20, "hole", (0, 6), turn=30)),
    pieces=(
        Piece("m&1", "man", 30, 20, "M", NASTY, "b1", level=1, scale=0.5),
        Piece("m2", "man", 30, 22, "m", "man", "b1"),
        Piece("m3", "man", 90, 70, "x", "beside", place=(2, 0)),
    ),
    tracks=(Track(((0, 0), (1.5, 2.25))),),
    labels=(Label(NASTY, 5, 5), Label("seen", 6, 6, place=(1, 0))),
    counters=(Counter("men", 3, 0, "Men: 3"), Counter("hidden", 1)),
    marks=("b1", "nowhere"),
)
ART = '<svg xmlns="http://www.w3.org/2000/svg"><defs><g id="test-board"/><g id="test-hole"/><g id="test-man"/></defs></svg>'
SVG = "{http://www.w3.org/2000/svg}"


def check_safe(painted: str) -> ElementTree.Element:
    """Return the root of a painting that is well formed and holds no style, script, picture, or anything fetched."""
    root = ElementTree.fromstring(painted)
    assert root.tag == f"{SVG}svg"
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(set(ids)) == len(ids)
    for element in root.iter():
        assert element.tag.removeprefix(SVG) not in {"style", "script", "image", "foreignObject", "a", "iframe"}
        for name, value in element.attrib.items():
            assert name != "style"
            assert not name.startswith("on")
            assert "://" not in value
            if name.endswith("href"):
                assert value.startswith("#")
                assert value[1:] in ids
            if "url(" in value:
                assert re.fullmatch(r"url\(#[\w-]+\)", value)
    return root


def test_a_painting_is_well_formed_and_what_is_written_is_escaped() -> None:
    root = check_safe(paint(SCENE, ART))
    assert root.get("aria-label") == NASTY
    assert root.get("viewBox") == "0 0 100 80.5"
    assert [element.text for element in root.iter(f"{SVG}title")] == [NASTY, "man", "beside", NASTY]
    assert [element.text for element in root.iter(f"{SVG}text")] == [NASTY, NASTY, "seen"]
    assert [element.get("data-cell") for element in root.iter(f"{SVG}g") if element.get("data-cell")] == ["a<1", "b1"]
    assert [element.get("data-piece") for element in root.iter(f"{SVG}g") if element.get("data-piece")] == ["m2", "m3", "m&1"]


def test_a_marked_cell_is_ringed_where_its_topmost_piece_is() -> None:
    rings = [element for element in check_safe(paint(SCENE, ART)).iter(f"{SVG}use") if element.get("href") == "#test-mark"]
    assert [ring.get("transform") for ring in rings] == ["translate(30 20)"]


@pytest.mark.parametrize(("value", "written"), [(0, "0"), (100, "100"), (1.5, "1.5"), (0.126, "0.13"), (-2.0, "-2"), (10.004, "10")])
def test_a_number_is_written_short(value: float, written: str) -> None:
    assert number(value) == written


@games
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_board_is_painted_safely(slug: str, language: str) -> None:
    for game, lines in material(slug).lines.items():
        check_safe(game.load(lines[-1]).svg(language))


def test_letters_stand_in_their_places() -> None:
    assert write(SCENE) == "      M\n  .  [m]\nseen\nx\nMen: 3\n"


def test_an_empty_scene_is_an_empty_line() -> None:
    assert write(Scene("test", 1, 1, "", "", (), ())) == "\n"


# counting


def slow_count(state: State, depth: int) -> int:
    """Count sequences of actions by the slow rules alone: whatever no ruling refuses, a throw by distinct outcome."""
    if depth == 0:
        return 1
    game = state.game
    match state.node:
        case Over():
            return 0
        case Chance():
            seats: tuple[int, ...] = (DICE,)
        case Decision(seats=acting):
            seats = acting
    allowed = [action for seat in seats for action in range(game.action_count) if not game.kind.rulings(game, state.position, seat, action)]
    assert len(set(allowed)) == len(allowed)
    total = 0
    for action in allowed:
        after = state.position.copy()
        after.play(action)
        total += slow_count(State(game, after, None), depth - 1)
    return total


@games
def test_the_fast_rules_count_what_the_slow_rules_count(slug: str) -> None:
    kept = material(slug)
    for game in kept.games[:: max(1, len(kept.games) // 3)]:
        for line in kept.lines[game][:3]:
            state = game.load(line)
            for depth in range(1, deep_enough(game, state.position) + 1):
                assert perft(state.position, depth, game.action_count) == slow_count(state, depth), (game, line, depth)


def deep_enough(game: Game, position: Position) -> int:
    """Return how deep the slow count may go: to 3, unless that would ask for too many positions."""
    for depth in (3, 2):
        if perft(position, depth - 1, game.action_count) * game.action_count < 12_000:
            return depth
    return 1


def test_the_count_of_nothing_is_one_and_of_a_finished_game_none() -> None:
    over = catalog.game("traboulet").load("b6/7/7/6w/7/7/7 w 7 5 - -")
    assert perft(over.position, 0, 169) == 1
    assert perft(over.position, 1, 169) == 0
    assert perft(over.position, 3, 169) == 0


@games
def test_counting_leaves_the_position_as_it_was(slug: str) -> None:
    state = material(slug).games[0].start(lambda n: 0)
    line = state.game.dump(state)
    perft(state.position, 2, state.game.action_count)
    assert state.game.dump(state) == line


# states


@games
def test_the_odds_of_every_throw_sum_to_one(slug: str) -> None:
    for game, lines in material(slug).lines.items():
        for line in lines:
            node = game.load(line).node
            if isinstance(node, Chance):
                assert sum(chance for _, chance in node.outcomes) == Fraction(1)
                assert all(chance > 0 for _, chance in node.outcomes)


def test_a_state_is_a_value_that_playing_does_not_change() -> None:
    state = catalog.game("traboulet").start(lambda n: 0)
    line = state.game.dump(state)
    one, other = state.play(state.game.parse("a7b7")), state.play(state.game.parse("a6b6"))
    assert state.game.dump(state) == line
    assert len({line, state.game.dump(one), state.game.dump(other)}) == 3
    assert one.previous is state


def test_an_illegal_action_carries_its_refusal() -> None:
    state = catalog.game("traboulet").start(lambda n: 0)
    action = state.game.parse("f7e7")
    with pytest.raises(tablee.IllegalAction, match=r"'f7e7' is refused by Traboulet 2\.1, Traboulet 2\.2: ") as caught:
        state.play(action)
    assert caught.value.refusal == state.refusal(0, action)
    assert caught.value.refusal.paragraphs == ("2.1", "2.2")
    assert caught.value.refusal.cells == ("f7", "g7")


def test_a_state_is_shown_in_a_notebook_and_typed_back_from_its_repr() -> None:
    state = catalog.game("traboulet", bonus="red").start(lambda n: 0).play(catalog.game("traboulet").parse("a7b7"))
    again = eval(repr(state), {"tablee": tablee})
    assert again.game.dump(again) == state.game.dump(state)
    assert again.game == state.game
    assert state._repr_svg_() == state.svg("fr")


# the shelf


def test_a_range_is_checked_and_written_without_noughts() -> None:
    option = Option("money", "100", least=20, most=10000)
    assert option.check("0050") == "50"
    for value in ("19", "10001", "-50", "5e2", "５０", "", "1" * 5000, "50.0"):
        with pytest.raises(tablee.UnknownName, match="expected a whole number from 20 to 10000"):
            option.check(value)


def test_an_unknown_name_of_any_length_is_answered_shortly() -> None:
    with pytest.raises(tablee.UnknownName) as caught:
        catalog.kind("x" * 4_000_000)
    assert len(str(caught.value)) < 200


def test_a_game_is_typed_back_from_its_repr() -> None:
    for slug in OURS:
        for game in material(slug).games:
            assert eval(repr(game), {"tablee": tablee}) == game
