"""A game at a terminal: typed actions, refusals with their paragraph, and what never can be taken back."""

import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from random import Random

import pytest

import tablee
from tablee import catalog
from tablee.catalog import OURS
from tablee.core.text import write
from tablee.core.words import LANGUAGES
from tablee.locale import words as door_words
from tablee.tables.record import verify_log
from tablee.tables.telling import end_sentences, result_of
from tablee.terminal.plain import Console, PlainTable, seated
from tests.material import wander

DICE = [slug for slug in OURS if slug in ("tabaijana", "tablan")]


class Sitting:
    """One evening at one terminal: lines typed in, sentences said."""

    def __init__(self, slug: str, players: str, typed: Iterable[str], language: str = "en", seed: int | None = 1, boards: bool = False) -> None:
        """Play until the typed lines run out."""
        self.prompts: list[str] = []
        self.said: list[str] = []
        self.typed: Iterator[str] = iter(typed)
        self.table = PlainTable(catalog.game(slug), players.split(","), Console(self.ask, self.said.append, language, boards), seed)
        self.end = self.table.run()

    def ask(self, prompt: str) -> str:
        """Type the next line."""
        self.prompts.append(prompt)
        self.said.append("> ")
        line = next(self.typed, None)
        if line is None:
            raise EOFError
        return line

    def answers(self) -> list[list[str]]:
        """Return what was said after each typed line."""
        found: list[list[str]] = []
        for sentence in self.said:
            if sentence == "> ":
                found.append([])
            elif found:
                found[-1].append(sentence)
        return found


def test_a_typed_action_is_played_and_told() -> None:
    sitting = Sitting("traboulet", "human,human", ["a7b7"])
    assert sitting.answers()[0][0] == "White pushes a marble from a7 to b7, and one more with it."
    assert sitting.prompts == ["White > ", "Black > "]


@pytest.mark.parametrize(
    ("language", "refusal"),
    [
        ("en", "Refused: Traboulet 2.2 — The finger has no room behind b7: the cell a7 must be empty."),
        ("fr", "Refusé\u202f: Traboulet 2.2 — "),
    ],
)
def test_a_refused_action_is_answered_with_its_paragraph_and_a_sentence(language: str, refusal: str) -> None:
    sitting = Sitting("traboulet", "human,random", ["b7c7"], language)
    assert sitting.answers()[0][0].startswith(refusal)
    assert sitting.end.previous is None


def test_of_several_broken_paragraphs_the_first_is_said() -> None:
    sitting = Sitting("traboulet", "human,random", ["f7e7"])
    state = sitting.end
    refusal = state.refusal(0, state.game.parse("f7e7"))
    assert refusal is not None
    said = [sentence for sentence in sitting.answers()[0] if sentence.startswith("Refused")]
    assert len(refusal.rulings) > 1
    assert [sentence.split()[2] for sentence in said] == [refusal.rulings[0].paragraph]


def test_an_unreadable_action_is_said_to_be_so() -> None:
    sitting = Sitting("traboulet", "human,random", ["hello", "a1a9"])
    assert sitting.answers()[0][0] == "I cannot read “hello”. “?” lists the legal actions."
    assert sitting.answers()[1][0] == "Refused: Traboulet 2.1 — A marble is pushed by one cell only, along a rank or a file of the board."


@pytest.mark.parametrize(("slug", "token"), [("traboulet", "a7d4"), ("tabale", "@z9"), ("tabaijana", "3:1>9"), ("tablan", "A>x"), ("tabu", "c7")])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_natural_misclick_is_answered_by_a_rule(slug: str, token: str, language: str) -> None:
    said = Sitting(slug, "human", [token], language).answers()[0][0]
    assert token not in said
    assert said.startswith(("Refused", "Refusé"))


@pytest.mark.parametrize(
    ("french", "english"),
    [
        ("conseil", "hint"),
        ("reprendre", "undo"),
        ("plateau", "board"),
        ("règle 2.1", "rule 2.1"),
        ("regle 2.1", "rule 2.1"),
        ("aide", "help"),
        ("coups", "?"),
        ("partie", "record"),
        ("Plateau", "BOARD"),
    ],
)
def test_french_commands_do_what_the_english_ones_do(french: str, english: str) -> None:
    told = [Sitting("traboulet", "human,human", ["a7b7", typed], "fr").answers()[1] for typed in (french, english)]
    assert told[0][0][:20] == told[1][0][:20]
    assert "n’est pas une action" not in told[0][0]


def test_quitter_stops_the_game() -> None:
    assert Sitting("traboulet", "human,human", ["quitter", "a7b7"], "fr").end.previous is None


def test_an_empty_line_changes_nothing() -> None:
    sitting = Sitting("traboulet", "human,random", ["", "   ", "\t"])
    assert sitting.end.previous is None
    assert len(sitting.prompts) == 4


@pytest.mark.parametrize("slug", OURS)
def test_a_question_mark_lists_what_may_be_typed(slug: str) -> None:
    sitting = Sitting(slug, "human", ["?"])
    asked = sitting.answers()[0][0].split(" ")
    node = sitting.end.node
    assert isinstance(node, tablee.Decision)
    assert asked == [sitting.end.game.notate(action) for action in sitting.end.legal(node.seats[0])]


def test_several_actions_may_be_typed_at_once_but_only_in_ones_turn() -> None:
    sitting = Sitting("traboulet", "human,human", ["a7b7 g1f1 b7c7"])
    assert sitting.answers()[0][1] == "It was no longer your turn: “g1f1 b7c7” was not played."
    assert sitting.end.previous is not None
    assert sitting.end.previous.previous is None


def test_undo_goes_back_over_the_programs_to_ones_own_decision() -> None:
    sitting = Sitting("traboulet", "human,random", ["a7b7", "a6b6", "undo", "undo", "undo"])
    assert "Taken back." in sitting.answers()[2]
    assert "Taken back." in sitting.answers()[3]
    assert sitting.answers()[4][0] == "There is nothing to take back."
    assert sitting.end.previous is None


@pytest.mark.parametrize("slug", DICE)
def test_undo_never_crosses_a_throw(slug: str) -> None:
    for seed in range(8):
        sitting = Sitting(slug, "human,human", ["undo"], seed=seed)
        assert sitting.answers()[0][0] == "A throw is never taken back."
        typed = [sitting.end.game.notate(sitting.end.legal(sitting.end.turn)[0]), "undo"]
        after = Sitting(slug, "human,human", typed, seed=seed)
        throws = sum(isinstance(state.node, tablee.Chance) for state in after.end.path())
        before = sum(isinstance(state.node, tablee.Chance) for state in sitting.end.path())
        assert throws >= before


def test_board_draws_the_board() -> None:
    sitting = Sitting("traboulet", "human,random", ["board"])
    assert sitting.answers()[0][0] == write(sitting.end.scene("en"))


def test_boards_are_drawn_after_every_turn_where_they_are_wanted() -> None:
    sitting = Sitting("traboulet", "human,human", ["a7b7"], boards=True)
    drawn = [sentence for sentence in sitting.said if sentence.startswith("   a b c d e f g\n")]
    assert drawn == [write(sitting.end.game.start(lambda n: 0).scene("en")), write(sitting.end.scene("en"))]


@pytest.mark.parametrize("language", ["fr", "en"])
def test_rule_quotes_a_paragraph_with_its_source(language: str) -> None:
    sitting = Sitting("traboulet", "human,random", ["rule 2.1", "rule 9.9", "rule"], language)
    quoted, unknown, nothing = (answer[0] for answer in sitting.answers()[:3])
    assert quoted.startswith("2.1 ")
    assert "Source" in quoted
    assert door_words(language)("no paragraph", number="9.9", known="1.1")[:-1] in unknown
    assert ", 5.3" in nothing


@pytest.mark.parametrize("typed", [["a7b7", "quit", "a1b1"], ["a7b7"]], ids=["quit", "the end of input"])
def test_whoever_leaves_is_given_the_record(typed: list[str]) -> None:
    sitting = Sitting("traboulet", "human,human", typed)
    assert sitting.said[-2] == "The game stops here. This was played:"
    assert sitting.said[-1] == tablee.record(sitting.end)
    assert sitting.said[-1].endswith("\n1: a7b7\nresult: *\n")


def test_an_interrupt_is_a_way_to_leave() -> None:
    def interrupted() -> Iterator[str]:
        yield "a7b7"
        raise KeyboardInterrupt

    assert Sitting("traboulet", "human,human", interrupted()).said[-2] == "The game stops here. This was played:"


@pytest.mark.parametrize("slug", OURS)
@pytest.mark.parametrize("language", ["fr", "en"])
def test_a_game_typed_to_its_end_says_who_wins(slug: str, language: str) -> None:
    random = Random(5)

    def typed() -> Iterator[str]:
        while True:
            state = sitting_now[0].state
            node = state.node
            assert isinstance(node, tablee.Decision)
            yield state.game.notate(random.choice(state.legal(node.seats[0])))

    sitting_now: list[PlainTable] = []
    said: list[str] = []
    lines = typed()
    table = PlainTable(catalog.game(slug), ["human"], Console(lambda prompt: next(lines), said.append, language), 4)
    sitting_now.append(table)
    node = table.run().node
    assert isinstance(node, tablee.Over)
    words = table.words
    assert f"{words(f'end {node.reason}')} ({table.game.kind.title} {node.reason})" in said
    for seat, score in enumerate(node.scores):
        assert table.doors("score", seat=words(f"seat {seat + 1}"), score=score) in said


@pytest.mark.parametrize("slug", OURS)
def test_greedy_and_random_programs_finish_by_themselves(slug: str) -> None:
    for seats in catalog.kind(slug).seats:
        said: list[str] = []
        table = PlainTable(catalog.game(slug, seats), ["greedy", "random"], Console(input, said.append, "fr"), seats)
        assert isinstance(table.run().node, tablee.Over)
        assert verify_log(table.table.events) >= 0


@pytest.mark.parametrize("slug", DICE)
def test_a_seed_repeats_the_dice_and_nothing_else_does(slug: str) -> None:
    records = [tablee.record(Sitting(slug, "random,greedy", [], seed=seed).end) for seed in (3, 3, 4, None, None)]
    assert records[0] == records[1]
    assert len(set(records)) == 4


def test_a_hint_is_noted_at_the_table() -> None:
    sitting = Sitting("tablan", "human,random", ["hint"], seed=2)
    assert sitting.answers()[0][0].startswith("I would play")
    assert len(sitting.table.table.hints) == 1


@pytest.mark.parametrize(
    ("players", "seats", "expected"),
    [
        ([], 3, ["human", "level4", "level4"]),
        (["human"], 2, ["human", "human"]),
        (["human", "greedy"], 4, ["human", "greedy", "greedy", "greedy"]),
    ],
)
def test_empty_seats_are_filled(players: list[str], seats: int, expected: list[str]) -> None:
    assert seated(players, seats, catalog.kind("tabale")) == expected


def test_a_shared_win_is_said_in_one_sentence() -> None:
    said = [sentence for slug in OURS for sentence in endings(slug)]
    assert any("wins!" in sentence for sentence in said)
    assert not any("{" in sentence for sentence in said)


def endings(slug: str) -> list[str]:
    """Return what is said at the end of a few games."""
    found = []
    for seed in range(5):
        for seats in catalog.kind(slug).seats:
            random = Random(seed)
            state = wander(catalog.game(slug, seats).start(random.randrange), random, 5000)
            ended = result_of(state)
            found += end_sentences(state, ended, "en") if ended else []
    return found


def test_a_game_is_played_at_a_real_terminal() -> None:
    """The command with a terminal of its own: prompt, refusal, move, Ctrl-D."""
    leader, follower = pty.openpty()
    code = "import sys; from tablee.cli import main; sys.argv[0] = 'tablee'; main()"
    words = ["play", "traboulet", "--players", "human,random", "--plain", "--lang", "en"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "TERM": "dumb"}
    with subprocess.Popen([sys.executable, "-c", code, *words], stdin=follower, stdout=follower, stderr=follower, env=environment) as game:
        os.close(follower)
        seen = heard(leader, "White > ")
        for typed in (b"b7c7\n", b"a7b7\n"):
            os.write(leader, typed)
            seen += heard(leader, "White > ")
        os.write(leader, b"\x04")
        seen += heard(leader, "result: *")
        assert game.wait(120) == 0
    os.close(leader)
    assert "Refused: Traboulet 2.2" in seen
    assert "White pushes a marble from a7 to b7" in seen
    assert "1: a7b7" in seen


def heard(terminal: int, wanted: str) -> str:
    """Return what comes out of a terminal up to the wanted words."""
    seen = ""
    deadline = time.monotonic() + 120
    while wanted not in seen and time.monotonic() < deadline:
        if select.select([terminal], [], [], 1)[0]:
            seen += os.read(terminal, 4096).decode("utf-8", "replace")
    assert wanted in seen
    return seen


def test_stop_counts_the_money_where_the_rules_let_the_players_agree() -> None:
    sitting = Sitting("tabu", "human,human", ["stop"])
    assert sitting.answers()[0][0] == "The game is stopped by agreement: the money is counted, and the richest wins. (Tabu 4.2)"
    assert sitting.table.table.result is not None
    assert sitting.table.table.result.scores == (100, 100)


def test_stop_is_refused_in_words_where_nothing_is_counted() -> None:
    sitting = Sitting("traboulet", "human,human", ["stop"])
    assert sitting.answers()[0][0] == "In this game nothing is counted before the end: offer to stop without a result instead."
    assert "“stop”" not in " ".join(sitting.said)
