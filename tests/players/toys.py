"""Small games whose best actions everybody knows, written as a plug-in would be: plain Python, interpreted."""

from collections.abc import Callable
from typing import cast

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.game import Game, choose
from tablee.core.kind import Kind, Setup
from tablee.core.mind import Mind
from tablee.core.position import CHANCE, OVER, Position
from tablee.core.ruling import Message
from tablee.core.scene import Scene

MOST = 3


class Heap(Position):
    """A heap from which each in turn takes one to three; who takes the last wins, with the partner if there are teams."""

    def __init__(self, seats: int, left: int, teams: bool = False, together: bool = False) -> None:
        """Begin with so many left; `together` makes all win if the last is taken by seat 0, else lose."""
        super().__init__(seats)
        self.left = left
        self.now = 0
        self.teams = teams
        self.together = together

    def actor(self) -> i64:
        """Return whose turn it is."""
        return OVER if self.left == 0 else self.now

    def turn(self) -> i64:
        """Return whose turn it is."""
        return self.now

    def actions(self, seat: i64, into: vec[i64]) -> i64:
        """List one, two, three, as far as the heap goes: action n takes n + 1."""
        n = min(MOST, self.left)
        for k in range(n):
            into[k] = k
        return n

    def play(self, action: i64) -> None:
        """Take."""
        self.left -= int(action) + 1
        self.now = (self.now + 1) % int(self.seats)

    def copy(self) -> "Heap":
        """Return an equal heap."""
        twin = Heap(int(self.seats), self.left, self.teams, self.together)
        twin.now = self.now
        return twin

    def copy_from(self, other: Position) -> None:
        """Become equal."""
        heap = cast(Heap, other)
        self.left, self.now = heap.left, heap.now

    def score(self, seat: i64) -> i64:
        """Return 1 for a winner."""
        return (self.winners() >> seat) & 1 if self.left == 0 else 0

    def last(self) -> int:
        """Return who took last."""
        return (self.now - 1) % int(self.seats)

    def winners(self) -> i64:
        """Return who took last, with friends."""
        if self.together:
            return (1 << int(self.seats)) - 1 if self.last() == 0 else 0
        return self.friends(self.last())

    def friends(self, seat: i64) -> i64:
        """Return the seat, and its partner opposite."""
        if self.together:
            return (1 << int(self.seats)) - 1
        return sum(1 << other for other in range(int(self.seats)) if other == seat or (self.teams and other % 2 == seat % 2))

    def reason(self) -> str:
        """Cite the only rule."""
        return "1.1"

    def hash(self) -> i64:
        """Tell heaps apart."""
        return self.left * 16 + self.now


class Coin(Position):
    """One choice, then one throw of a die with six faces: action k (0 to 5) wins if the die shows at most k, else the other seat wins."""

    def __init__(self) -> None:
        """Begin before the choice."""
        super().__init__(2)
        self.chosen = -1
        self.shown = -1

    def actor(self) -> i64:
        """Return seat 0, then chance."""
        return 0 if self.chosen < 0 else CHANCE if self.shown < 0 else OVER

    def turn(self) -> i64:
        """Return seat 0."""
        return 0

    def actions(self, seat: i64, into: vec[i64]) -> i64:
        """List the six choices, but the sure one is missing."""
        for k in range(5):
            into[k] = k
        return 5

    def play(self, action: i64) -> None:
        """Choose, or throw: action 6 + k is face k."""
        if self.chosen < 0:
            self.chosen = int(action)
        else:
            self.shown = int(action) - 6

    def chances(self) -> i64:
        """Return the faces."""
        return 6

    def throw(self, case: i64) -> i64:
        """Return a face."""
        return 6 + case

    def copy(self) -> "Coin":
        """Return an equal position."""
        twin = Coin()
        twin.chosen, twin.shown = self.chosen, self.shown
        return twin

    def copy_from(self, other: Position) -> None:
        """Become equal."""
        coin = cast(Coin, other)
        self.chosen, self.shown = coin.chosen, coin.shown

    def score(self, seat: i64) -> i64:
        """Return 1 for the winner."""
        return (self.winners() >> seat) & 1

    def winners(self) -> i64:
        """Return who has won."""
        return 1 if self.shown <= self.chosen else 2

    def reason(self) -> str:
        """Cite the only rule."""
        return "1.1"

    def hash(self) -> i64:
        """Tell positions apart."""
        return self.chosen * 100 + self.shown


LINES = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124]


class TicTacToe(Position):
    """Three in a row on nine cells: bit n of a side's set is cell n; a full board without a row is a draw, which both share."""

    def __init__(self) -> None:
        """Begin with an empty board."""
        super().__init__(2)
        self.cells = [0, 0]
        self.now = 0

    def row(self, seat: int) -> bool:
        """Return whether a seat has three in a row."""
        return any(self.cells[seat] & line == line for line in LINES)

    def actor(self) -> i64:
        """Return whose turn it is."""
        full = self.cells[0] | self.cells[1] == 0o777
        return OVER if full or self.row(0) or self.row(1) else self.now

    def turn(self) -> i64:
        """Return whose turn it is."""
        return self.now

    def actions(self, seat: i64, into: vec[i64]) -> i64:
        """List the empty cells."""
        free = [cell for cell in range(9) if not (self.cells[0] | self.cells[1]) >> cell & 1]
        for k, cell in enumerate(free):
            into[k] = cell
        return len(free)

    def play(self, action: i64) -> None:
        """Mark a cell."""
        self.cells[self.now] |= 1 << int(action)
        self.now = 1 - self.now

    def copy(self) -> "TicTacToe":
        """Return an equal board."""
        twin = TicTacToe()
        twin.copy_from(self)
        return twin

    def copy_from(self, other: Position) -> None:
        """Become equal."""
        board = cast(TicTacToe, other)
        self.cells, self.now = list(board.cells), board.now

    def score(self, seat: i64) -> i64:
        """Return 1 for a winner."""
        return (self.winners() >> seat) & 1

    def winners(self) -> i64:
        """Return the side with a row, or both for a draw."""
        return 1 if self.row(0) else 2 if self.row(1) else 3

    def reason(self) -> str:
        """Cite the only rule."""
        return "1.1"

    def hash(self) -> i64:
        """Tell boards apart."""
        return self.cells[0] << 10 | self.cells[1]


def toy_kind(slug: str, start: Callable[[Game, Setup], Position], action_count: int, mind: Mind | None = None) -> Kind:
    """Return a toy as a kind of game that nobody reads or draws."""
    return Kind(
        slug=slug,
        title=slug.capitalize(),
        version=1,
        package="tests.players",
        seats=(2, 3),
        options=(),
        action_count=action_count,
        refusing=(),
        start=start,
        notate=lambda game, action: f"t{action + 1}",
        parse=lambda game, token, seat: int(token[1:]) - 1,
        dump=lambda game, position: str(position.hash()),
        load=lambda game, line: start(game, {}),
        rulings=lambda game, position, seat, action: [],
        scene=lambda game, position, words: Scene(slug, 1, 1, slug, "", (), ()),
        ask=lambda game, position: Message("ask"),
        tell=lambda game, before, action, after: [],
        conserved=lambda game, position: {},
        mind=mind or Mind(),
    )


def toy(slug: str, start: Callable[[Game, Setup], Position], action_count: int, mind: Mind | None = None) -> Game:
    """Return a toy as a game for two."""
    return choose(toy_kind(slug, start, action_count, mind), 2)


def heap_kind(left: int, slug: str = "heap") -> Kind:
    """Return the heap as a kind of game."""
    return toy_kind(slug, lambda game, setup: Heap(game.seats, left), MOST)


def heap(left: int, seats: int = 2) -> Game:
    """Return a game with a heap of so many."""
    return choose(heap_kind(left), seats)
