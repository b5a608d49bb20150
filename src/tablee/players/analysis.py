"""What a strong player thinks of a state: for hints, for the luck and skill of a finished game, for learners."""

from dataclasses import dataclass
from fractions import Fraction

from tablee.core.errors import TableeError
from tablee.core.judgement import share
from tablee.core.mind import MOST
from tablee.core.position import CHANCE
from tablee.core.state import Chance, Over, State
from tablee.players.levels import level
from tablee.players.player import acting
from tablee.players.searches import make_search, monte_carlo
from tablee.players.stop import Stop


@dataclass(frozen=True)
class Analysis:
    """The expected share of the win of each seat (0 to 1), the actions of the acting seat with their values, and the principal variation.

    The best action comes first. `left_out` is how many legal actions are missing from `actions`, because the search did not look at
    them or cannot say what they are worth. Where a throw is due there is nothing to choose, and the expectation is the mean over
    the throws; at the end it is the result.
    """

    seat: int | None
    expectation: tuple[float, ...]
    actions: tuple[tuple[int, float], ...]
    line: tuple[int, ...]
    nodes: int
    left_out: int = 0

    @property
    def best(self) -> int:
        """The best action."""
        if not self.actions:
            raise TableeError("there is nothing to choose here: a throw is due, or the game is over")
        return self.actions[0][0]


def analyse(state: State, budget: float | Stop = 1.0, seat: int | None = None, seed: int = 0) -> Analysis:
    """Return what a strong player thinks of a state within a budget: seconds, or a `Stop` with nodes, seconds, or a way to cancel.

    It can be stopped at any moment and always has an answer.
    """
    stop = budget if isinstance(budget, Stop) else Stop(0, positive(budget))
    if not stop.most and stop.deadline <= 0.0 and stop.cancelled is None:
        raise TableeError("this budget has no end: expected nodes, seconds, or a way to cancel")
    match state.node:
        case Over():
            return Analysis(None, tuple(share(state.position, each) for each in range(state.game.seats)), (), (), 0)
        case Chance(outcomes):
            return before_throw(state, outcomes, stop, seed)
    seat = acting(state, seat)
    search = make_search(state.game, state.position, level(state.game.kind, MOST).depth, seed)
    search.think(state.position, seat, stop)
    actions = tuple((int(action), float(value)) for action, value in search.ranking())
    expectation = tuple(float(search.expectation(each)) for each in range(state.game.seats))
    left_out = len(state.legal(seat)) - len(actions)
    return Analysis(seat, expectation, actions, tuple(map(int, search.line())), int(stop.nodes), left_out)


def before_throw(state: State, outcomes: tuple[tuple[int, Fraction], ...], stop: Stop, seed: int) -> Analysis:
    """Return the mean over the throws: by playouts or, with a judgement, by an analysis of each throw within its part of the budget."""
    game = state.game
    if game.kind.mind.search is None:
        search = monte_carlo(game, state.position, seed)
        search.think(state.position, CHANCE, stop)
        return Analysis(None, tuple(float(search.expectation(seat)) for seat in range(game.seats)), (), (), int(stop.nodes))
    judgement = game.kind.mind.judgement(game)
    totals = [0.0] * game.seats
    nodes = 0
    for number, (action, odds) in enumerate(outcomes):
        after = state.play(action)
        if isinstance(after.node, Chance):  # a dead throw: following it might never end
            expected = tuple(float(judgement.value(after.position, seat)) for seat in range(game.seats))
        else:
            analysis = analyse(after, part(stop, nodes, len(outcomes) - number), seed=seed)
            expected = analysis.expectation
            nodes += analysis.nodes
        totals = [total + float(odds) * value for total, value in zip(totals, expected, strict=True)]
    return Analysis(None, tuple(totals), (), (), nodes)


def part(stop: Stop, nodes: int, left: int) -> Stop:
    """Return the part of the remaining budget for the next of `left` throws."""
    most = max(1, (int(stop.most) - nodes) // left) if stop.most else 0
    seconds = max(0.0001, (stop.deadline - stop.begun - stop.spent()) / left) if stop.deadline else 0.0
    return Stop(most, seconds, stop.cancelled)


def positive(seconds: float) -> float:
    """Return a number of seconds to think, or raise the error for a number that is not positive."""
    if not 0.0 < seconds < float("inf"):
        raise TableeError(f"{seconds} is no time to think: expected seconds above 0")
    return float(seconds)
