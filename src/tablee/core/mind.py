"""How the computer players of a game think: its judgement, search and levels, and how its weights are learned."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic

from tablee.core.errors import TableeError
from tablee.core.generic import P
from tablee.core.judgement import Judgement
from tablee.core.search import Search

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    from tablee.core.game import Game
    from tablee.core.kind import Kind

    J = TypeVar("J", bound=Judgement, default=Any)
else:
    from typing import TypeVar

    J = TypeVar("J", bound=Judgement)

MOST = "max"
NUMBERED = tuple(f"level{number}" for number in range(1, 9))
LEVEL_NAMES = (*NUMBERED, MOST)
DEEPEST = 60

Report = Callable[[str], None]


@dataclass(frozen=True)
class Level:
    """A level by its name: how many nodes to search (0: as many as there is time for), how deep, and at which temperature to choose."""

    name: str
    nodes: int
    depth: int
    temperature: float


@dataclass(frozen=True)
class Training:
    """How a game learns its weights.

    `train(game, seconds, seed, report)` learns one configuration and returns its section of the weights file; `report` takes a
    progress message now and then. `go_on(game, text, seconds, seed, report)` does the same, starting from the weights of a text; without
    it every training starts anew. `configurations(kind)` lists what is learned separately; without it, the default options are.
    `untrained(game)` returns the section before training, to measure against; without it the shipped weights are the rival,
    or `greedy` where none ship. `train_on_cores(game, text, seconds, seed, cores, spread, report)` learns one configuration on several
    cores together, from the weights of a text or from nothing; without it each configuration learns on one core.
    """

    train: Callable[["Game", float, int, Report], str]
    go_on: Callable[["Game", str, float, int, Report], str] | None = None
    configurations: Callable[["Kind"], list["Game"]] | None = None
    untrained: Callable[["Game"], str] | None = None
    train_on_cores: Callable[..., str] | None = None


def no_judgement(game: "Game", text: str) -> Any:
    """Return the judgement without knowledge: every position is even."""
    return Judgement()


@dataclass(frozen=True)
class Mind(Generic[P, J]):
    """What a game gives its computer players; a game that gives nothing is played by Monte Carlo search at the usual levels.

    `search(game, judgement, like, depth, seed)` makes a search for positions like a given one. `judge(game, text)` makes the
    judgement from the text of a weights file; `weights` names the file that ships, in the folder of the game, and is empty where nothing is learned
    (`judge` then gets an empty text). `levels` come from `make_levels`. `training` imports and returns the training, which players do not need.
    """

    search: Callable[["Game", J, P, int, int], Search[P]] | None = None
    judge: Callable[["Game", str], J] = no_judgement
    weights: str = ""
    levels: tuple[Level, ...] = ()
    training: Callable[[], Training] | None = None

    def __post_init__(self) -> None:
        """Refuse a training that has no file to write."""
        if self.training is not None and not self.weights:
            raise TableeError("a mind with a training must name its weights file, such as weights.txt")

    def judgement(self, game: "Game") -> J:
        """Return the judgement of a game with the weights that ship."""
        return self.judge(game, game.kind.text(self.weights) if self.weights else "")


def make_levels(*rows: tuple[int, int, float]) -> tuple[Level, ...]:
    """Return the levels of rows (nodes, depth, temperature), weakest first; a last row without a limit of nodes (0) is `max`."""
    numbered = [row for row in rows if row[0]]
    if not 1 <= len(numbered) <= len(NUMBERED) or list(rows[: len(numbered)]) != numbered or len(rows) > len(numbered) + 1:
        raise TableeError(f"{len(rows)} rows are no table of levels: expected 1 to {len(NUMBERED)} with nodes, then at most one without")
    unlimited = rows[len(numbered) :] or ((0, DEEPEST, 0.0),)
    names = (*NUMBERED[: len(numbered)], MOST)
    return tuple(Level(name, *row) for name, row in zip(names, (*numbered, *unlimited), strict=True))
