"""A player by name: it looks at a state and chooses an action.

    Player(game, "level4", seed=1).choose(state, seat)

The same seed, budget of nodes and questions give the same answers; with a budget of seconds they depend on the machine.
A turn of several actions is searched once: the player keeps the turn that its search chose and follows it as long as
play does. One player kept for a whole game is therefore stronger than a new one for each action.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import exp
from random import Random

from tablee.core.bits import members
from tablee.core.errors import TableeError, shown
from tablee.core.game import Game
from tablee.core.judgement import Judgement
from tablee.core.mind import DEEPEST, LEVEL_NAMES, Level
from tablee.core.position import Position
from tablee.core.search import Search
from tablee.core.state import Decision, Over, State
from tablee.players.levels import level
from tablee.players.mcts import EXPLORATION
from tablee.players.name import GREEDY, MCTS, Name, read_name
from tablee.players.searches import make_search, monte_carlo, read_judgement
from tablee.players.stop import Stop
from tablee.players.turn_plan import TurnPlan

SECONDS = 1.0
NEAR = 3.0
FARTHEST = 0.2
TRIES = 4


@dataclass(frozen=True)
class Choice:
    """What was chosen, among how many, after how many nodes and seconds; an action that follows a plan costs no nodes."""

    action: int
    legal: int
    nodes: int
    seconds: float


class Player:
    """One player at one table; it may sit in several seats of it."""

    def __init__(self, game: Game, name: str | int, seed: int = 0, judgement: Judgement | None = None) -> None:
        """Take a seat: `name` is a level (4 or "level4" or "max"), or any player that `read_name` knows.

        A player that is given the judgement of another one, of the same game and name, reads no weights.
        """
        self.game = game
        self.name: Name = read_name(f"level{name}" if isinstance(name, int) else name)
        self.level: Level | None = strength(game, self.name)
        # Read the weights now: reading them takes longer than the shortest budgets.
        self.judgement = self.own_judgement() if judgement is None else judgement
        self.seed = seed
        self.random = Random(seed)
        self.search: Search | None = None
        self.plan: TurnPlan | None = None
        self.cancelled: Callable[[], bool] | None = None

    def own_judgement(self) -> Judgement | None:
        """Return the judgement with the weights that ship or that the name says; None for a player that needs none."""
        if self.name.weights is not None:
            return read_judgement(self.game, self.name.weights)
        mind = self.game.kind.mind
        return mind.judgement(self.game) if self.name.base in LEVEL_NAMES and mind.search is not None else None

    def __eq__(self, other: object) -> bool:
        """Return whether game, name and seed are the same: such players play alike from the start."""
        if not isinstance(other, Player):
            return NotImplemented
        return (self.game, self.name, self.seed) == (other.game, other.name, other.seed)

    def __hash__(self) -> int:
        """Return a number that is equal for players of the same settings."""
        return hash((self.game, self.name, self.seed))

    def __reduce__(self) -> tuple[object, ...]:
        """Return how pickle makes a player of the same settings, which has not thought yet."""
        return Player, (self.game, self.name.text, self.seed)

    def choose(self, state: State, seat: int | None = None, *, seconds: float | None = None, nodes: int | None = None) -> int:
        """Return the action that a seat should play (by default the first that may act), within seconds and nodes if given."""
        return self.decide(state, seat, seconds=seconds, nodes=nodes).action

    def decide(self, state: State, seat: int | None = None, *, seconds: float | None = None, nodes: int | None = None) -> Choice:
        """Return the choice with what it cost; without a budget a level has its own nodes, and `max` one second."""
        seat = acting(state, seat)
        stop = self.stop(seconds, nodes)
        legal = state.legal(seat)
        if self.level is None:
            action = self.random.choice(legal if self.name.base != GREEDY else state.best_at_once(seat))
        elif (planned := self.planned(state.position, seat)) is not None:
            action = planned
        elif len(legal) == 1:
            action = legal[0]
        else:
            stop.most = self.enough(int(stop.most), len(legal))
            action = self.think(state.position, seat, stop)
        return Choice(action, len(legal), int(stop.nodes), stop.spent())

    def planned(self, position: Position, seat: int) -> int | None:
        """Return the next action of the turn that was thought through, or None if there is none for this position."""
        return None if self.plan is None else self.plan.next_action(position, seat)

    def settled(self, state: State, seat: int) -> bool:
        """Return whether the next action of a seat is known without a search: it is planned, or part of a stake that was found."""
        if self.level is None or seat not in members(state.position.actors()):
            return False
        planned = self.plan is not None and self.plan.due(state.position, seat)
        return planned or (self.search is not None and bool(self.search.settled(state.position, seat)))

    def think(self, position: Position, seat: int, stop: Stop) -> int:
        """Return the action that a search and the temperature choose, and plan the rest of its turn."""
        assert self.level is not None
        search = self.thinking(position)
        search.think(position, seat, stop)
        action = self.pick(search.ranking(), self.level.temperature)
        self.plan = TurnPlan(position, seat, search.line_from(action))
        self.plan.next_action(position, seat)
        return action

    def stop(self, seconds: float | None, nodes: int | None) -> Stop:
        """Return what ends the thinking: the tightest of what is asked now, what the name says, and what the level has."""
        limits = [limit for limit in (nodes, self.name.nodes, None if self.level is None else self.level.nodes) if limit]
        if self.name.nodes is not None and nodes is None:
            limits = [self.name.nodes] if self.name.nodes else []
        times = [limit for limit in (seconds, self.name.seconds) if limit]
        if not times and not limits:
            times = [SECONDS]
        sure = self.level is not None and self.level.temperature == 0.0  # with a temperature, the values of the other actions count too
        return Stop(min(limits, default=0), min(times, default=0.0), choosing=sure, cancelled=self.cancelled)

    def enough(self, nodes: int, legal: int) -> int:
        """Return the node budget: Monte Carlo search needs a few playouts for each action."""
        assert self.level is not None
        few = self.name.nodes is None and self.level.nodes == nodes and (self.name.base == MCTS or self.game.kind.mind.search is None)
        return max(nodes, TRIES * legal) if few and nodes else nodes

    def thinking(self, like: Position) -> Search:
        """Return the search of this player, made when it first thinks."""
        if self.search is None:
            assert self.level is not None
            seed = self.random.randrange(1 << 40)
            if self.name.base == MCTS:
                self.search = monte_carlo(self.game, like, seed, EXPLORATION if self.name.uct_c is None else self.name.uct_c)
            else:
                self.search = make_search(self.game, like, self.level.depth, seed, self.judgement)
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
        preset = Level(MCTS, 0, DEEPEST, 0.0)
    elif name.base not in LEVEL_NAMES:
        return None
    else:
        preset = level(game.kind, name.base)
    return Level(
        preset.name,
        preset.nodes if name.nodes is None else name.nodes,
        preset.depth if name.depth is None else name.depth,
        preset.temperature if name.temperature is None else name.temperature,
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
