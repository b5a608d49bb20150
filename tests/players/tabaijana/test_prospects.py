"""What each of five seats may hope of its next throw, held against a slow statement of the same in words of the board."""

from collections.abc import Iterator
from random import Random

import pytest
from librt.vecs import vec
from mypy_extensions import i64

import tablee
from tablee.catalog import kind
from tablee.core.game import Game
from tablee.core.state import Chance, Over
from tablee.games.tabaijana.judgement import CRATE_BY_CRATE, HOPES
from tablee.games.tabaijana.position import LAST_CELL, TabaijanaPosition
from tablee.games.tabaijana.prospects import SIZE, Prospects
from tablee.testing import variants
from tests.material import step

FIRST = 1000
GAMES = 3
# One for all: what plain code hands to compiled code is never given back.
BUFFER = vec[i64]([0] * 3000)
FIVES = [game for game in variants(kind("tabaijana")) if game.seats == 5]


def owners(position: TabaijanaPosition) -> list[int]:
    """Return by colour, from 1, how many seats after the one to throw its own sits."""
    found = [0] * 8
    for seat in range(5):
        found[position.colours[seat]] = (seat - int(position.side)) % 5
    return found


def hopes(position: TabaijanaPosition, places: list[int] | None = None) -> list[int]:
    """Return the features that are written, each less the first; by colour `places` are the ranks of the seats, if not those of their turns."""
    owner = vec[i64]([i64(k) for k in places or owners(position)])
    n = int(Prospects().write(position, owner, BUFFER, 0, FIRST))
    return [int(BUFFER[k]) - FIRST for k in range(n)]


def slow(position: TabaijanaPosition, places: list[int] | None = None) -> list[int]:
    """Return the same from the board in letters and the legal actions of every seat with every number."""
    board = [position.stack(cell) for cell in range(30)]
    found: list[int] = []
    for seat in range(5):
        colour = int(position.colours[seat])
        k = (places or owners(position))[colour]
        counts = [0, 0, 0, 0]
        for number in range(1, 7):
            kinds = [kind for start, n in parts(position, seat, number) for kind in judged(position, board, start, n, number)]
            counts[0] += "better" in kinds
            counts[1] += "load" in kinds
            counts[2] += "calm" in kinds
            counts[3] += bool(kinds) and "calm" not in kinds
        two = (int(position.three) >> colour) & 1
        found += [56 * k + 28 * two + 7 * kind + count for kind, count in enumerate(counts)]
        letter = "rwgby"[colour - 1]
        buried = 0
        way = sum((int(position.boat) - cell) * board[cell].count(letter) for cell in range(int(position.boat)))
        ahead = sum(board[cell].count(letter) for cell in range(int(position.boat) + 1, 30))
        for cell, stack in enumerate(board):
            if cell != position.boat:
                runs = [one for at, one in enumerate(stack) if at + 1 == len(stack) or stack[at + 1] != one]
                buried += runs[:-1].count(letter)
        found += [280 + 4 * k + min(3, buried), 300 + 12 * k + min(11, (way + 3) // 4), 360 + 5 * k + ahead]
    return sorted(found)


def parts(position: TabaijanaPosition, seat: int, number: int) -> list[tuple[int, int]]:
    """Return what a seat may move by a number: start and how many crates, 0 for the boat itself."""
    after = position.copy()
    assert isinstance(after, TabaijanaPosition)
    after.side = seat
    found = []
    for k in range(int(after.moves(number, BUFFER, 0))):
        child = after.copy()
        assert isinstance(child, TabaijanaPosition)
        child.play(BUFFER[k])
        if child.boat != after.boat:
            found.append((int(after.boat), 0))
        else:
            (start,) = [cell for cell in range(30) if len(child.stack(cell)) < len(after.stack(cell))]
            found.append((start, len(after.stack(start)) - len(child.stack(start))))
    return found


def judged(position: TabaijanaPosition, board: list[str], start: int, n: int, number: int) -> list[str]:
    """Return what a move is: possible, and perhaps better, load or calm."""
    end, boat = start + number, int(position.boat)
    load = board[boat]

    def fits(bottom: str) -> bool:
        """Tell whether crates lie well on the load."""
        if not load:
            return True
        return bottom != load[-1] if position.children else bottom == load[-1] or load[-4:] == load[-1] * 4

    if n == 0:
        fetched = end < LAST_CELL and bool(board[end]) and fits(board[end][0])
        return ["possible", "load", "calm"] if fetched else ["possible"]
    stays, moved = board[start][:-n], board[start][-n:]
    parted = stays[-1:] == moved[0]
    onto = board[end][-1:] if end < 30 else ""
    found = ["possible"]
    if position.children:
        calm = (end < boat and onto != moved[0]) or (end == boat and fits(moved[0]))
        found += ["calm"] * calm + ["better"] * (calm and parted) + ["load"] * (end == boat and calm)
        return found
    if parted:
        return found
    better = end < LAST_CELL and onto == moved[0]
    loads = end == boat and fits(moved[0])
    calm = better or loads or (end < boat and not onto)
    return found + ["better"] * better + ["load"] * loads + ["calm"] * calm


def made_up(name: str, count: int) -> Iterator[TabaijanaPosition]:
    """Give boards on which crates of a colour lie together, one after the other in the same position."""
    random = Random(3)
    position = tablee.game("tabaijana", seats=5, game=name).start(random.randrange).position.copy()
    assert isinstance(position, TabaijanaPosition)
    for _ in range(count):
        crates = "".join(letter * 4 for letter in random.sample("rwgby", 5))
        for _ in range(random.randrange(3)):
            at = random.randrange(20)
            crates = crates[at:] + crates[:at]
            crates = crates[: at // 2] + crates[at:] + crates[at // 2 : at]
        cuts = [0, *sorted(random.sample(range(1, 20), random.randrange(1, 6))), 20]
        cells = random.sample(range(1, 24), len(cuts) - 1)
        board = [""] * 30
        for cell, begin, end in zip(cells, cuts[:-1], cuts[1:], strict=True):
            board[cell] = crates[begin:end]
        boat = random.choice([cell for cell in cells if cell >= 10] or [10])
        position.arrange("rwgby", "", board, boat, random.randrange(5), 2 * random.randrange(32), 2 * random.randrange(32))
        yield position


def rests(game: Game, seed: int) -> list[TabaijanaPosition]:
    """Return the positions of a random game before a throw."""
    random = Random(seed)
    state = game.start(random.randrange)
    found = []
    while not isinstance(state.node, Over):
        if isinstance(state.node, Chance):
            assert isinstance(state.position, TabaijanaPosition)
            found.append(state.position)
        state = step(state, random)
    return found


@pytest.mark.parametrize("game", FIVES, ids=repr)
def test_hopes_are_those_of_the_slow_statement(game: Game) -> None:
    seen: set[int] = set()
    for seed in range(GAMES):
        for position in rests(game, seed):
            found = hopes(position)
            assert sorted(found) == slow(position)
            seen.update(found)
    assert len(seen) > 60
    assert max(seen) < SIZE == CRATE_BY_CRATE - HOPES


@pytest.mark.parametrize("name", ["famille", "enfants"])
def test_hopes_are_those_of_the_slow_statement_where_crates_of_a_colour_lie_together(name: str) -> None:
    """Few games played at random come that far: blocks aboard, blocks to part, privileges."""
    for position in made_up(name, 400):
        assert sorted(hopes(position)) == slow(position)


def test_hopes_follow_their_seats_however_these_are_ranked() -> None:
    random = Random(5)
    for position in made_up("enfants", 100):
        places = [0, *random.sample(range(5), 5), 0, 0]
        assert sorted(hopes(position, places)) == slow(position, places)


def test_a_seat_that_can_only_pass_the_boat_has_no_harmless_number() -> None:
    game = tablee.game("tabaijana", seats=5, game="enfants")
    position = game.start(Random(1).randrange).position.copy()
    assert isinstance(position, TabaijanaPosition)
    board = [""] * 30
    board[9], board[10] = "r", "wgbywgbywgbywgbyrrr"
    position.arrange("rwgby", "", board, 10, 0, 0, 0)
    # Red, three aboard, throws two dice: one number lays its last crate on the load, where its like is: harm, as every other.
    assert {28 + 0, 28 + 7 + 0, 28 + 14 + 0, 28 + 21 + 6} <= set(hopes(position))
