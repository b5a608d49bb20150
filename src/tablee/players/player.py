"""A player by name: it looks at a state and chooses an action.

    Player(game, "level4", seed=1).choose(state, seat)

The same seed, budget of nodes and questions give the same answers; a budget of seconds is kept, and what it finds depends
on the machine.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from math import exp
from pathlib import Path
from random import Random

from tablee.core.errors import TableeError, shown
from tablee.core.game import Game
from tablee.core.judgement import Judgement
from tablee.core.position import Position
from tablee.core.state import Decision, Over, State
from tablee.players.levels import DEEPEST, MOST, NAMES, Level, easy, level
from tablee.players.mcts import EXPLORATION
from tablee.players.name import GREEDY, MCTS, Name, read_name
from tablee.players.search import Search
from tablee.players.stop import Stop
from tablee.players.thinkers import PLAIN, own_judgement, playouts, thinker, way

SECONDS = 1.0
NEAR = 3.0
FARTHEST = 0.2
TRIES = 4


@dataclass(frozen=True)
class Choice:
    """What was chosen, among how many, after how many nodes and seconds."""

    action: int
    legal: int
    nodes: int
    seconds: float


class Player:
    """One player at one table; it may sit in several seats of it."""

    def __init__(self, game: Game, name: str | int, seed: int = 0) -> None:
        """Take a seat: `name` is a level (4 or "level4" or "max"), or any player that `read_name` knows."""
        self.game = game
        self.name: Name = read_name(f"level{name}" if isinstance(name, int) else name)
        self.level: Level | None = strength(game, self.name)
        # Read now: within the first answer it would cost more than the shortest budgets.
        self.judgement: Judgement | None = None
        if self.name.weights is not None:
            self.judgement = other_judgement(game, self.name.weights)
        elif self.name.base in NAMES:
            self.judgement = own_judgement(game)
        self.random = Random(seed)
        self.search: Search | None = None

    def choose(self, state: State, seat: int | None = None, *, seconds: float | None = None, nodes: int | None = None) -> int:
        """Return the action that a seat should play (the first that may act, if not said), within seconds and nodes if given."""
        return self.decide(state, seat, seconds=seconds, nodes=nodes).action

    def decide(self, state: State, seat: int | None = None, *, seconds: float | None = None, nodes: int | None = None) -> Choice:
        """Return the choice with what it cost; without a budget a level has its own nodes, and `max` one second."""
        seat = acting(state, seat)
        stop = self.stop(seconds, nodes)
        legal = state.legal(seat)
        if self.level is None:
            action = self.random.choice(legal if self.name.base != GREEDY else state.best_at_once(seat))
        elif len(legal) == 1:
            action = legal[0]
        else:
            stop.most = self.enough(int(stop.most), len(legal))
            search = self.thinking(state.position)
            search.think(state.position, seat, stop)
            action = self.pick(search.ranking(), self.level.temperature)
        return Choice(action, len(legal), int(stop.nodes), stop.spent())

    def stop(self, seconds: float | None, nodes: int | None) -> Stop:
        """Return what ends the thinking: the tightest of what is asked now, what the name says, and what the level has."""
        limits = [limit for limit in (nodes, self.name.nodes, None if self.level is None else self.level.nodes) if limit]
        if self.name.nodes is not None and nodes is None:
            limits = [self.name.nodes] if self.name.nodes else []
        times = [limit for limit in (seconds, self.name.seconds) if limit]
        if not times and not limits:
            times = [SECONDS]
        sure = self.level is not None and self.level.temperature == 0.0  # else what the other actions are worth counts too
        return Stop(min(limits, default=0), min(times, default=0.0), choosing=sure)

    def enough(self, nodes: int, legal: int) -> int:
        """Return how many nodes to look at: playouts must try each action a few times before they say anything of it."""
        assert self.level is not None
        few = self.name.nodes is None and self.level.nodes == nodes and (self.name.base == MCTS or way(self.game) == PLAIN)
        return max(nodes, TRIES * legal) if few and nodes else nodes

    def thinking(self, like: Position) -> Search:
        """Return the search of this player, made when it first thinks."""
        if self.search is None:
            assert self.level is not None
            seed = self.random.randrange(1 << 40)
            if self.name.base == MCTS:
                self.search = playouts(self.game, like, seed, EXPLORATION if self.name.uct_c is None else self.name.uct_c)
            else:
                self.search = thinker(self.game, like, self.level.depth, seed, self.judgement)
        return self.search

    def pick(self, ranking: list[tuple[int, float]], temperature: float) -> int:
        """Return the best action or, at a temperature, one nearly as good.

        One that is worse than the best by more than three times the temperature, or by more than a fifth of a win (more than
        the temperature, where that is higher), is never taken; among the others the odds fall by e for each temperature that
        an action is worse. A certain win is always taken.
        """
        best = ranking[0][1]
        if temperature <= 0.0 or best >= 1.0:
            return int(ranking[0][0])
        reach = min(NEAR * temperature, max(FARTHEST, temperature))
        near = [(action, exp((value - best) / temperature)) for action, value in ranking if value >= best - reach]
        return int(self.random.choices([action for action, _ in near], [odds for _, odds in near])[0])


def strength(game: Game, name: Name) -> Level | None:
    """Return the level a named player has at a game, changed as the name says; None for one that does not think."""
    if name.base == MCTS:
        found = Level(MCTS, 0, DEEPEST, 0.0)
    elif name.base not in NAMES:
        return None
    else:
        own = level(game.kind, name.base)
        found = own if way(game) == game.kind.search or name.base == MOST else easy(name.base)
    return Level(
        found.name,
        found.nodes if name.nodes is None else name.nodes,
        found.depth if name.depth is None else name.depth,
        found.temperature if name.temperature is None else name.temperature,
    )


def acting(state: State, seat: int | None) -> int:
    """Return the seat that is asked to act, or raise the error that says why it cannot."""
    match state.node:
        case Over():
            raise TableeError("the game is over: there is nothing to choose")
        case Decision(seats, _):
            if seat is not None and seat not in seats:
                raise TableeError(f"seat {shown(str(seat))} may not act now: expected one of {', '.join(map(str, seats))}")
            return seats[0] if seat is None else seat
        case _:
            raise TableeError("a throw is due: the dice choose, not a player")


def other_judgement(game: Game, path: str) -> Judgement:
    """Return the judgement of a game with the weights of another file than the one that ships."""
    module = f"{game.kind.package}.judgement"
    judge: Callable[[Game, str], Judgement] | None = getattr(import_module(module), "judge", None) if find_spec(module) else None
    if judge is None:
        raise TableeError(f"{game.slug} learns nothing: it has no weights to change")
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise TableeError(f"the weights {shown(path)} cannot be read: {error}") from error
    return judge(game, text)
