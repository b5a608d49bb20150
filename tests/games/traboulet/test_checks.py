"""Traboulet's check values, the sheet's examples, and what its text, its slow rules and its telling promise."""

from collections import Counter
from itertools import product
from random import Random

import pytest

import tablee
from tablee.core.errors import PositionError
from tablee.core.game import Game
from tablee.core.perft import perft
from tablee.core.state import Decision, Over, State
from tablee.games.traboulet.position import TrabouletPosition
from tablee.players.playout import playouts

FEW = "6b/7/7/3r3/7/7/w5w w 0 0 - -"


def playing(line: str, *tokens: str, **options: str) -> list[State]:
    """Return every state from a position line on."""
    game = tablee.game("traboulet", 2, **options)
    states = [game.load(line)]
    for token in tokens:
        states.append(states[-1].play(game.parse(token)))
    return states


def start(**options: str) -> State:
    """Return the set-up."""
    return tablee.game("traboulet", 2, **options).start(lambda n: 0)


@pytest.mark.parametrize(("depth", "sequences"), [(1, 8), (2, 64), (3, 640)])
def test_so_many_sequences_from_the_start(depth: int, sequences: int) -> None:
    """Check values: 8, 64, 640."""
    state = start()
    assert perft(state.position, depth, state.game.action_count) == sequences


def test_the_earliest_capture_is_the_fourth_push() -> None:
    """Check values: nothing falls in three pushes, something in four."""
    assert [any(captured(state) for state in after(start(), depth)) for depth in (1, 2, 3)] == [False] * 3
    assert any(captured(state) for state in after(start(), 4))


def after(state: State, depth: int) -> list[State]:
    """Return every state so many actions later."""
    return [state] if depth == 0 else [last for action in state.legal() for last in after(state.play(action), depth - 1)]


def captured(state: State) -> bool:
    """Return whether a marble is missing."""
    return sum(not mark.isdigit() and mark != "/" for mark in state.game.dump(state).split(" ")[0]) < 29


def test_random_play_lasts_about_240_pushes() -> None:
    """Check values: the mean of 300 random games."""
    state = start()
    actions, _ = playouts(state.position, 300, 1, state.game.action_count)
    assert 215 < actions / 300 < 265


def test_about_ten_and_a_half_steps_are_legal() -> None:
    """Check values: the mean over random games."""
    random, counts = Random(1), []
    for _ in range(20):
        state = start()
        while isinstance(state.node, Decision):
            counts.append(len(state.legal()))
            state = state.play(random.choice(state.legal()))
    assert 9.8 < sum(counts) / len(counts) < 11.4


def test_all_reds_gone_means_a_winner() -> None:
    """Check values: 13 is odd, so the last red is somebody's seventh."""
    assert playing("b6/7/7/5wr/7/7/7 w 6 6 - -", "f4g4")[-1].node == Over((1, -1), "5.1", (0,))


def test_the_turn_written_in_the_notation() -> None:
    """Notation: a push that captures, a bonus push that captures, the end of the turn."""
    states = playing("wrrrrrr/7/7/2wrrrr/7/7/b6 w 0 0 - -", "a7b7", "c4d4", ".")
    assert [state.turn for state in states] == [0, 0, 0, 1]


@pytest.mark.parametrize(("ko", "seed"), list(product(("reverse", "row", "position"), range(4))))
def test_a_draw_comes_just_when_a_plain_count_sees_the_third_time(ko: str, seed: int) -> None:
    """5.3: board, player to move and legal pushes, counted slowly at every start of a turn."""
    random = Random(seed)
    for _ in range(12):
        state = tablee.game("traboulet", ko=ko).load(FEW)
        seen: Counter[tuple[str, frozenset[int]]] = Counter()
        while isinstance(state.node, Decision):
            line = state.game.dump(state)
            if line.endswith("-"):
                fields = line.split(" ")
                seen[" ".join(fields[:4]), frozenset(state.legal())] += 1
                assert max(seen.values()) < 3
            state = state.play(random.choice(state.legal()))
        if state.node.reason == "5.3":  # type: ignore[union-attr]
            fields = state.game.dump(state).split(" ")
            pushes = frozenset(state.game.load(state.game.dump(state)).legal())
            assert seen[" ".join(fields[:4]), pushes] == 2


def test_some_of_those_games_are_drawn() -> None:
    """5.3: the count above is not idle."""
    random, reasons = Random(7), set()
    for _ in range(20):
        state = tablee.game("traboulet").load(FEW)
        while isinstance(state.node, Decision):
            state = state.play(random.choice(state.legal()))
        reasons.add(state.node.reason)  # type: ignore[union-attr]
    assert "5.3" in reasons


@pytest.mark.parametrize("line", ["", " ", "x", "7/7/7/7/7/7/7", "7/7/7/7/7/7/7 w 0 0 - - -", "7/7/7/7/7/7/7 w 0 0 -  -"])
def test_what_has_not_six_fields_is_no_position(line: str) -> None:
    """Notation: six fields, single spaces."""
    with pytest.raises(PositionError, match="expected ranks"):
        tablee.game("traboulet").load(line)


@pytest.mark.parametrize(
    "line",
    [
        "8/7/7/7/7/7/w5b w 0 0 - -",
        "34/7/7/7/7/7/w5b w 0 0 - -",
        "x6/7/7/7/7/7/w5b w 0 0 - -",
        "٧/7/7/7/7/7/w5b w 0 0 - -",
        "7/7/7/7/7/7/w5b W 0 0 - -",
        "7/7/7/7/7/7/w5b w ٠ 0 - -",
        "7/7/7/7/7/7/w5b w -1 0 - -",
        "7/7/7/7/7/7/w5b w 00 0 - -",
        "7/7/7/7/7/7/w5b w 0 0 c4d5 -",
        "7/7/7/7/7/7/w5b w 0 0 . -",
        "7/7/7/7/7/7/w5b w 0 0 - ?",
    ],
)
def test_what_is_written_wrongly_is_no_position(line: str) -> None:
    """Notation: each field has its own signs, and none breaks a rule."""
    with pytest.raises(PositionError) as error:
        tablee.game("traboulet").load(line)
    assert error.value.paragraph == ""


def test_a_finished_game_reads_back_finished() -> None:
    """Notation: 5.1 and 5.2 stand in the line."""
    for text in ("b6/7/7/6w/7/7/7 w 7 5 - -", "7/7/7/6w/7/7/7 w 0 0 - -", "7/7/6r/5bw/6r/7/7 w 0 0 g4f4 -"):
        state = tablee.game("traboulet").load(text)
        assert isinstance(state.node, Over)
        assert state.game.dump(state) == text


def test_every_action_reads_back() -> None:
    """Notation: 84 pushes along ranks, 84 along files, and the end of the turn."""
    game = tablee.game("traboulet")
    tokens = [game.notate(action) for action in range(game.action_count)]
    assert len(set(tokens)) == 169
    assert [game.parse(token) for token in tokens] == list(range(169))


def test_every_broken_paragraph_is_listed() -> None:
    """A push may break several paragraphs at once: no room for the finger, the own marble falls, straight back."""
    state = playing("6b/7/7/1rrrrww/7/7/b6 w 0 0 - -")[0]
    assert paragraphs(state, "f4g4") == ("2.2", "2.4")
    state = playing("7/7/7/1bww3/7/7/7 w 0 0 c4b4 -")[0]
    assert paragraphs(state, "c4b4") == ("2.2", "3.1")
    assert paragraphs(state, "b4c4") == ("2.1",)


def paragraphs(state: State, token: str) -> tuple[str, ...]:
    """Return the paragraphs that refuse a token of the side to move."""
    refusal = state.refusal(state.turn, state.game.parse(token))
    return refusal.paragraphs if refusal else ()


def sentences_of(states: list[State]) -> list[str]:
    """Return the keys of what is told of the last action."""
    last = states[-1]
    assert last.previous is not None
    return [message.key for message in last.game.kind.tell(last.game, last.previous.position, last.action, last.position)]


@pytest.mark.parametrize(
    ("line", "tokens", "keys"),
    [
        ("b6/7/7/2w4/7/7/7 w 0 0 - -", "c4d4", ["tell push"]),
        ("b6/7/7/2wr3/7/7/7 w 0 0 - -", "c4d4", ["tell push one"]),
        ("b6/7/7/2wrb2/7/7/7 w 0 0 - -", "c4d4", ["tell push line"]),
        ("b6/7/7/5wr/7/7/7 w 0 0 - -", "f4g4", ["tell push one", "tell red", "tell bonus"]),
        ("b6/7/7/5wb/7/7/7 w 0 0 - -", "f4g4", ["tell push one", "tell enemy", "tell bonus"]),
        ("b6/7/7/5wb/7/7/7 w 0 0 - -", "f4g4 .", ["tell stop"]),
        ("7/7/6r/5wr/6r/7/b6 w 1 0 g4f4 +", "f4g4", ["tell push one", "tell red", "tell no push"]),
        ("b6/7/7/5wr/7/7/7 w 6 0 - -", "f4g4", ["tell push one", "tell red", "tell seventh"]),
        ("7/7/7/5wb/7/7/7 w 0 0 - -", "f4g4", ["tell push one", "tell enemy", "tell no marble"]),
        ("7/7/6r/4bw1/6r/7/7 b 0 0 - -", "e4f4", ["tell push one", "tell stuck"]),
        ("6b/7/7/3r3/7/7/w6 w 0 0 - -", "a1b1 g7f7 b1a1 f7g7 a1b1 g7f7 b1a1 f7g7", ["tell push", "tell third time"]),
    ],
)
def test_what_happened_is_told(line: str, tokens: str, keys: list[str]) -> None:
    """Each thing that happened has its sentence."""
    assert sentences_of(playing(line, *tokens.split())) == keys


def test_no_bonus_is_told_where_none_is_given() -> None:
    """Under `bonus` = `none` a capture simply ends the turn."""
    assert sentences_of(playing("b6/7/7/5wr/7/7/7 w 0 0 - -", "f4g4", bonus="none")) == ["tell push one", "tell red"]


def test_the_set_up_in_letters() -> None:
    """The text drawing: seven ranks, names around, what is taken below."""
    assert str(start()).splitlines()[:9] == [
        "   a b c d e f g",
        "7  w w . . . b b  7",
        "6  w w . r . b b  6",
        "5  . . r r r . .  5",
        "4  . r r r r r .  4",
        "3  . . r r r . .  3",
        "2  b b . r . w w  2",
        "1  b b . . . w w  1",
        "   a b c d e f g",
    ]


def test_every_marble_stays_in_sight() -> None:
    """29 marbles, each with its own number, on the board or in a gutter."""
    scene = playing("b6/7/7/5wr/7/7/7 w 6 6 - -", "f4g4")[-1].scene("en")
    assert Counter(piece.symbol for piece in scene.pieces) == {"white": 8, "black": 8, "red": 13}
    assert len({(piece.x, piece.y) for piece in scene.pieces}) == 29
    assert [(counter.name, counter.seat, counter.value) for counter in scene.counters] == [
        ("reds", 0, 7),
        ("enemies", 0, 7),
        ("reds", 1, 6),
        ("enemies", 1, 7),
    ]


@pytest.mark.parametrize("values", list(product(("any", "red", "none"), ("reverse", "row", "position"), ("draw", "forbid", "play_on"))))
def test_fast_and_slow_rules_agree_under_all_options_together(values: tuple[str, str, str]) -> None:
    """All 27 ways to combine the options, on a board where much is banned, captured and repeated."""
    game = tablee.game("traboulet", bonus=values[0], ko=values[1], repetition=values[2])
    random = Random(str(values))
    for line in (FEW, "ww3bb/ww3bb/7/3r3/7/bb3ww/bb3ww w 6 6 - -"):
        agree(game, line, random)


def agree(game: Game, line: str, random: Random) -> None:
    """Play at random and hold the fast and the slow rules against each other."""
    state = game.load(line)
    for _ in range(80):
        seat = state.turn
        slow = [action for action in range(game.action_count) if state.refusal(seat, action) is None]
        assert sorted(state.legal(seat)) == slow, repr(state)
        if not slow:
            return
        state = state.play(random.choice(slow))


def test_a_long_game_keeps_one_history_for_all_its_states() -> None:
    """5.3 needs every start of a turn; the states share them, or a long game would need the square of its length."""
    states = playing(FEW, *["a1a2", "g7g6", "a2a3", "g6g5", "a3a4", "g5g4", "a4a3"])
    first, last = states[1].position, states[-1].position
    assert isinstance(first, TrabouletPosition)
    assert isinstance(last, TrabouletPosition)
    last.history[0] = 12345
    assert first.history[0] == 12345


def test_two_games_that_part_remember_each_its_own_way() -> None:
    """5.3: a state that was played on twice has two children, and neither sees the other's turns."""
    before = playing(FEW, "a1a2", "g7g6")[-1]
    one, other = (before.play(before.game.parse(token)) for token in ("a2a3", "a2b2"))
    again = before.play(before.game.parse("a2a3"))
    ways = [state.position.starts() for state in (one, other, again) if isinstance(state.position, TrabouletPosition)]
    assert ways[0] == ways[2]
    assert ways[0][:-1] == ways[1][:-1]
    assert ways[0][-1] != ways[1][-1]


class Sheet:
    """The sheet's fourth rule to the letter, kept apart from the engine: marbles by cell, and the cell and direction that may not move back."""

    def __init__(self, state: State) -> None:
        """Begin at a state that bans nothing."""
        rows = state.game.dump(state).split(" ")[0].split("/")
        cells = ["".join("." * int(mark) if mark.isdigit() else mark for mark in row) for row in reversed(rows)]
        self.marbles = {(x, y): mark for y, row in enumerate(cells) for x, mark in enumerate(row) if mark != "."}
        self.ban: tuple[tuple[int, int], tuple[int, int]] | None = None
        self.next_ban: tuple[tuple[int, int], tuple[int, int]] | None = None

    def moved(self, start: tuple[int, int], step: tuple[int, int]) -> list[tuple[int, int]]:
        """Return the cells of the line that a push moves."""
        line = []
        while start in self.marbles:
            line.append(start)
            start = start[0] + step[0], start[1] + step[1]
        return line

    def pushes(self, own: str) -> set[str]:
        """Return the pushes that a colour may make."""
        found = set()
        for (x, y), mark in self.marbles.items():
            for step in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                line = self.moved((x, y), step)
                last = line[-1]
                falls = not (0 <= last[0] + step[0] < 7 and 0 <= last[1] + step[1] < 7)
                back = self.ban is not None and self.ban[1] == step and self.ban[0] in line
                if mark == own and (x - step[0], y - step[1]) not in self.marbles and not (falls and self.marbles[last] == own) and not back:
                    found.add(f"{'abcdefg'[x]}{y + 1}{'abcdefg'[x + step[0]]}{y + step[1] + 1}")
        return found

    def push(self, token: str, own: str) -> None:
        """Push a line, and note what may not be taken back."""
        start, end = ("abcdefg".index(token[0]), int(token[1]) - 1), ("abcdefg".index(token[2]), int(token[3]) - 1)
        step = end[0] - start[0], end[1] - start[1]
        shifted = {(x + step[0], y + step[1]): self.marbles.pop((x, y)) for x, y in self.moved(start, step)}
        kept = {cell: mark for cell, mark in shifted.items() if 0 <= cell[0] < 7 and 0 <= cell[1] < 7}
        self.marbles |= kept
        far = list(kept)[-1]
        self.next_ban = (far, (-step[0], -step[1])) if kept[far] not in (own, "r") else None

    def end_turn(self) -> None:
        """Hand the turn over: only its last push sets a ban."""
        self.ban, self.next_ban = self.next_ban, None


@pytest.mark.parametrize("bonus", ["any", "red", "none"])
def test_row_bans_what_a_plain_reading_of_the_sheet_bans(bonus: str) -> None:
    """3.1, option `ko` = `row`: an engine of its own, in the test, allows the same pushes all through random games."""
    random, bans = Random(bonus), 0
    for number in range(12):
        state = tablee.game("traboulet", ko="row", bonus=bonus).load(("wwb1bbw/7/3b3/2rb3/w1wb3/7/bbw1ww1 w 0 0 - -", FEW)[number % 4 == 3])
        sheet = Sheet(state)
        while isinstance(state.node, Decision):
            own = "wb"[state.turn]
            tokens = {state.game.notate(action) for action in state.legal()} - {"."}
            assert tokens == sheet.pushes(own), repr(state)
            bans += sheet.ban is not None
            after = state.play(random.choice(state.legal()))
            token = state.game.notate(after.action)
            if token != ".":
                sheet.push(token, own)
            if after.turn != state.turn:
                sheet.end_turn()
            state = after
    assert bans > 20
