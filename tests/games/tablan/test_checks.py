"""Tablan's check values: odds, lengths and results of random games, and the fast rules held against the slow where they pass by themselves."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import tablee
from tablee.core.errors import PositionError
from tablee.core.perft import perft
from tablee.core.position import CHANCE, OVER
from tablee.core.state import Chance, odds
from tablee.games.tablan.notation import LINE, MEN, OUTSIDE, ROWS, THROWS, empty, men, on_path
from tablee.games.tablan.position import FIRST_THROW, STAY, TablanPosition
from tablee.games.tablan.rulings import HALVES, possible, value
from tablee.players.playout import Draw

LONGEST = 20_000
TABLES: tuple[dict[str, str], ...] = (
    {},
    {"preset": "mysore"},
    {"preset": "lettre"},
    {"throw": "sticks", "end": "both", "throw_again": "yes"},
    {"preset": "mysore", "filling": "any_square", "end": "both"},
    {"last_man": "must_move"},
    {"first_move": "each_player"},
    {"throw": "sticks", "first_move": "each_player", "filling": "any_square", "throw_again": "yes"},
)


class Tally:
    """What random games of a table came to, each number a game."""

    def __init__(self, games: int) -> None:
        """Begin with nothing."""
        self.games = games
        self.throws = 0
        self.dead = 0
        self.opener = 0
        self.ended: Counter[str] = Counter()
        self.won: Counter[int] = Counter()


@cache
def random_games(preset: str, games: int) -> Tally:
    """Play random games of a preset and count; the check values are those of `last_man=must_move`."""
    first = tablee.game("tablan", preset=preset, last_man="must_move").start(lambda n: 0).position
    position, draw, buffer, tally = first.copy(), Draw(11), vec[i64]([0] * 64), Tally(games)
    for _ in range(games):
        position.copy_from(first)
        opener, most = 0, tally.throws + LONGEST
        while (actor := position.actor()) != OVER:
            assert tally.throws < most, "the game does not end"
            if actor == CHANCE:
                position.play(position.throw(draw.below(position.chances())))
                tally.throws += 1
                tally.dead += position.actor() < 0
            else:
                opener = opener or int(actor) + 1
                position.play(position.pick(actor, draw.word(), buffer))
        tally.ended[position.reason()] += 1
        tally.won[int(position.winners())] += 1
        tally.opener += position.winners() == opener
    return tally


def test_a_fiche_game_takes_131_throws_37_of_100_dead() -> None:
    """Check value: `fiche` 131 throws, 37 % dead."""
    tally = random_games("fiche", 500)
    assert [tally.throws / 500, 100 * tally.dead / tally.throws] == [pytest.approx(131, abs=5), pytest.approx(37, abs=2)]


def test_a_fiche_game_favours_nobody() -> None:
    """Check value: Black, White and draw 43, 42 and 15 of 100."""
    won = random_games("fiche", 500).won
    assert [won[side] / 5 for side in (1, 2, 3)] == [pytest.approx(43, abs=6), pytest.approx(42, abs=6), pytest.approx(15, abs=5)]


def test_a_fiche_game_never_gets_stuck() -> None:
    """5.2: none of `fiche`."""
    assert random_games("fiche", 500).ended["5.2"] == 0


def test_a_mysore_game_takes_325_throws_65_of_100_dead() -> None:
    """Check value: `mysore` 325 throws, 65 % dead."""
    tally = random_games("mysore", 250)
    assert [tally.throws / 250, 100 * tally.dead / tally.throws] == [pytest.approx(325, abs=15), pytest.approx(65, abs=2)]


def test_some_mysore_games_get_stuck() -> None:
    """5.2: about one `mysore` game in six."""
    assert 0.10 < random_games("mysore", 250).ended["5.2"] / 250 < 0.24


def test_a_lettre_game_takes_about_480_throws() -> None:
    """The sheet to the letter: about 480 throws."""
    assert random_games("lettre", 150).throws / 150 == pytest.approx(475, abs=35)


def test_the_first_2_decides_a_lettre_game() -> None:
    """The sheet to the letter: whoever throws the first 2 wins 70 %, which is why it is not the default."""
    assert random_games("lettre", 150).opener / 150 == pytest.approx(0.70, abs=0.1)


def test_the_sticks_give_2_8_12_and_nothing_4_1_1_and_10_times_of_16() -> None:
    """Check value: P(2, 8, 12, none) = 4, 1, 1, 10 of 16."""
    node = tablee.game("tablan", throw="sticks").start(lambda n: 0).node
    assert isinstance(node, Chance)
    worth: Counter[int] = Counter()
    for action, chance in node.outcomes:
        worth[value(THROWS[action - FIRST_THROW])] += int(16 * chance)
    assert worth == {2: 4, 8: 1, 12: 1, 0: 10}


def test_two_dice_give_2_once_in_36() -> None:
    """Check value: P(sum 2) = 1/36."""
    position = tablee.game("tablan").start(lambda n: 0).position
    assert dict(odds(position))[tablee.game("tablan").parse("1-1")] == Fraction(1, 36)


def test_the_first_sequences_are_counted_by_hand() -> None:
    """21 throws; 20 of them pass to 21 others, and 1-1 opens with two wholes (K, L) and one half that K may follow (L)."""
    game = tablee.game("tablan")
    start = game.start(lambda n: 0).position
    assert [int(perft(start, depth, game.action_count)) for depth in (1, 2)] == [21, 20 * 21 + 3]


def walk(options: dict[str, str], steps: int) -> Iterator[tuple[TablanPosition, int, TablanPosition]]:
    """Give positions of random games, the action played, and the position after it."""
    game, draw, buffer = tablee.game("tablan", 2, **options), Draw(5), vec[i64]([0] * 64)
    position = empty(game)
    for _ in range(steps):
        actor = position.actor()
        if actor == OVER:
            position = empty(game)
            continue
        throws = actor == CHANCE
        action = int(position.throw(draw.below(position.chances())) if throws else position.pick(actor, draw.word(), buffer))
        after = empty(game)
        after.copy_from(position)
        after.play(action)
        yield position, action, after
        position = after


def usable(position: TablanPosition, side: int, worth: int) -> bool:
    """Return whether a side could use a throw of that worth, whole or by a half, by the slow rules."""
    board, lengths = men(position), [worth, HALVES[worth]] if worth in HALVES else [worth]
    return worth > 0 and any(possible(board, side, length, bool(position.any_square), worth) for length in lengths)


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_just_the_throws_that_nobody_can_use_pass_by_themselves(options: dict[str, str]) -> None:
    """2.1, 2.3, 2.4: a throw is lost if and only if the slow rules find no use for it."""
    for before, action, after in walk(options, 500):
        if FIRST_THROW <= action < STAY:
            worth = value(THROWS[action - FIRST_THROW])
            assert (after.thrown >= 0) == (usable(before, int(before.side), worth) and (worth == 2 or not before.waits(before.side)))


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_just_the_sides_that_no_throw_would_move_are_skipped(options: dict[str, str]) -> None:
    """5.2: after a turn the right side throws, or the game is over."""
    worths = [2, 8, 12] if options.get("throw") == "sticks" or options.get("preset") == "mysore" else list(range(2, 13))
    for before, action, after in walk(options, 700):
        if after.thrown >= 0 or after.ended == 1:
            continue
        thrown = action - FIRST_THROW if FIRST_THROW <= action < STAY else before.thrown
        again = before.throw_again and value(THROWS[thrown]) in HALVES
        due = int(before.side if again else 1 - before.side)
        waits = [options.get("first_move") == "each_player" and after.waits(side) for side in (due, 1 - due)]
        able = [waits[number] or any(usable(after, side, worth) for worth in worths) for number, side in enumerate((due, 1 - due))]
        assert (int(after.side) if not after.ended else -1) == (due if able[0] else 1 - due if able[1] else -1)


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_the_game_ends_just_when_a_side_has_nobody_outside(options: dict[str, str]) -> None:
    """5.1: one side, or both where that is agreed."""
    for _, _, after in walk(options, 700):
        outside = {man.lower() for place, man in men(after).items() if on_path(MEN.index(man.lower()), place) < OUTSIDE}
        assert (after.ended == 1) == (len(outside) < (1 if after.end_both else 2))


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_only_men_at_home_are_asleep(options: dict[str, str]) -> None:
    """2.4: who moves wakes, who is captured is gone, and whoever takes his place is awake."""
    for _, _, after in walk(options, 500):
        asleep = int(after.fresh)
        assert asleep & ~(after.black & 0xFFF | after.white & 0xFFF000000000) == 0


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_a_random_pick_falls_on_the_listed_action(options: dict[str, str]) -> None:
    """The fast pick and the list of actions agree, for whatever number is drawn."""
    buffer = vec[i64]([0] * 64)
    for position, action, _ in walk(options, 300):
        if action < FIRST_THROW or action == STAY:
            n = position.actions(position.side, buffer)
            for word in (0, 1 << 30, 3 << 30, (1 << 32) - 1):
                assert position.pick(position.side, word, buffer) == buffer[n * word >> 32]


def ending(side: int, last: int, arrived: set[int]) -> str:
    """Return the rows of an ending: the last man and those who have arrived, by their place on the side's path, against one man at home."""
    mine = {LINE[on_path(side, place)]: MEN[side] for place in (last, *arrived)}
    enemy = {LINE[on_path(1 - side, 0)]: MEN[1 - side]} if 47 not in arrived else {LINE[on_path(1 - side, 20)]: MEN[1 - side]}
    return "/".join("".join((mine | enemy).get(square, ".") for square in row) for row in ROWS)


def may_stay(last: int, arrived: set[int], worth: int, throws: tuple[int, ...], in_order: bool) -> bool:
    """Return whether 4.2, read plainly on the squares of one's own path, lets the last man stay; that a move exists is not looked at."""
    free = [place for place in range(36, 48) if place not in arrived]
    entries = free[:1] if in_order else free

    def brings_in(thrown: int) -> bool:
        """Return whether a throw, whole or by a half, brings the man onto a square that he may enter."""
        lengths = {2: (2, 1), 8: (8, 4), 12: (12, 6)}.get(thrown, (thrown,))
        return any(last + length in entries for length in lengths)

    return last >= 24 and any(brings_in(thrown) for thrown in throws) and not brings_in(worth)


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("throw", ["dice", "sticks"])
@pytest.mark.parametrize("filling", ["in_order", "any_square"])
def test_the_last_man_may_stay_just_where_a_plain_reading_lets_him(side: int, throw: str, filling: str) -> None:
    """4.2: every place of the last man near the end, many sets of arrived men, every throw."""
    game, random, seen = tablee.game("tablan", throw=throw, filling=filling), Random(1), Counter[bool]()
    worths = (2, 8, 12) if throw == "sticks" else tuple(range(2, 13))
    for last in range(21, 36):
        for number in range(0, 12, 1 if filling == "in_order" else 2):
            arrived = set(range(36, 36 + number)) if filling == "in_order" else set(random.sample(range(36, 48), number))
            rows = ending(side, last, arrived)
            for thrown in THROWS[:21] if throw == "dice" else THROWS[21:]:
                if not value(thrown):
                    continue
                try:
                    state = game.load(f"{rows} {side + 1} {thrown} open -")
                except PositionError:  # no man can use the throw
                    continue
                tokens = {game.notate(action) for action in state.legal()}
                expected = may_stay(last, arrived, value(thrown), worths, filling == "in_order")
                assert ("." in tokens) == expected, repr(state)
                seen[expected] += 1
    assert min(seen[True], seen[False]) > 20


def test_no_random_game_of_the_older_version_lets_a_man_stay() -> None:
    """4.2, option `last_man`: `must_move`: `.` is never played; by default it is."""
    assert all(action != STAY for _, action, _ in walk({"last_man": "must_move"}, 3000))
    assert any(action == STAY for _, action, _ in walk({}, 3000))


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_a_side_stays_at_home_until_the_2_that_frees_it(options: dict[str, str]) -> None:
    """2.4, option `first_move`: `each_player`: only a 2 of its own frees a side; `table`: any 2 frees both."""
    for before, action, after in walk(options, 900):
        two = FIRST_THROW <= action < STAY and value(THROWS[action - FIRST_THROW]) == 2
        freed = int(before.waiting & ~after.waiting)
        if not two:
            assert freed == 0
        elif options.get("first_move") == "each_player":
            assert freed == int(before.waiting) & 1 << int(before.side)
        else:
            assert freed == before.waiting
