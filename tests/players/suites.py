"""Reads the suites of positions with a known best action, and asks the player."""

from dataclasses import dataclass
from pathlib import Path

from tablee.catalog import kind
from tablee.core.game import Game, choose
from tablee.core.position import Position
from tablee.players.searches import make_search
from tablee.players.stop import Stop
from tests.players.exhaustive import exact

NODES = 200000
DEEPEST = 60
MOST = 100000


@dataclass(frozen=True)
class Problem:
    """A position, the actions that are best there, what they are worth, and what the best other action is worth."""

    game: Game
    line: str
    best: tuple[str, ...]
    value: float
    other: float

    def position(self) -> Position:
        """Return the position."""
        return self.game.load(self.line).position

    def legal(self) -> int:
        """Return how many actions there are to choose from."""
        state = self.game.load(self.line)
        return len(state.legal(int(state.position.actor())))

    def reckoned(self) -> tuple[float, float]:
        """Return the value of the best action and of the best other, reckoned anew."""
        position = self.position()
        values = exact(position, int(position.actor()), self.game.action_count, MOST)
        assert values is not None
        best = {self.game.parse(token) for token in self.best}
        return min(values[action] for action in best), max(value for action, value in values.items() if action not in best)


def read_problems(path: Path, slug: str) -> list[Problem]:
    """Return the problems of a file."""
    found = []
    for row in path.read_text(encoding="utf-8").splitlines():
        if not row.startswith("#"):
            seats, options, line, best, value, other = row.split("; ")
            chosen = dict(option.split("=") for option in options.split(","))
            found.append(Problem(choose(kind(slug), int(seats), chosen), line, tuple(best.split(" ")), float(value), float(other)))
    return found


def solves(problem: Problem) -> bool:
    """Return whether the player finds a best action, within a fixed number of nodes."""
    position = problem.position()
    search = make_search(problem.game, position, DEEPEST, seed=1)
    search.think(position, position.actor(), Stop(NODES))
    return problem.game.notate(search.ranking()[0][0]) in problem.best


def spread(problems: list[Problem]) -> list[Problem]:
    """Return a few of the problems, from all over the suite, for what is slow to check."""
    return problems[::6]
