"""The lanes of a batch in this process, with arrays that show their buffers."""

from dataclasses import dataclass
from typing import Any

from tablee.core.bits import mix
from tablee.core.errors import TableeError, needing
from tablee.core.game import Game
from tablee.core.position import Position
from tablee.core.state import State
from tablee.gym.lanes import Lanes
from tablee.gym.opponents import Greedy, Opponent
from tablee.gym.sight import Array, observation_of
from tablee.gym.starts import Starts
from tablee.players.name import GREEDY, RANDOM, UNIFORM
from tablee.players.player import Player

with needing("tablee.Batch", "gym"):
    import numpy as np


@dataclass(frozen=True)
class Plan:
    """The arguments of a batch; they are sent to the processes that share the lanes."""

    game: Game
    observe: bool
    opponents: str | None
    seat: int | None
    longest: int


class Named(Opponent):
    """A player by its name, one for each lane."""

    def __init__(self, like: Position, size: int, game: Game, name: str) -> None:
        """Check the name; players sit down when they are first asked."""
        super().__init__(like, size)
        self.game, self.name, self.seed = game, name, 0
        self.judgement = Player(game, name).judgement
        self.players: dict[int, Player] = {}

    def begin(self, seed: int) -> None:
        """Drop all players; new ones are made from the seed."""
        self.seed = seed
        self.players.clear()

    def choose(self, position: Position, seat: int, lane: int, word: int) -> int:
        """Return the player's action."""
        if lane not in self.players:
            self.players[lane] = Player(self.game, self.name, int(mix(self.seed, lane)), self.judgement)
        return self.players[lane].choose(State(self.game, position.copy(), None), seat)


class Engine:
    """Some lanes of a plan, numbered from `first`."""

    def __init__(self, plan: Plan, n: int, first: int = 0) -> None:
        """Make lanes and arrays."""
        game = plan.game
        self.plan = plan
        self.starts = Starts(game)
        self.lanes = Lanes(self.starts, n, game.action_count, first, plan.longest)
        self.lanes.fixed = self.starts.fixed
        if plan.observe:
            self.lanes.observe(observation_of(game).observer)
        if plan.opponents is not None:
            self.lanes.opponent = opponent(plan.opponents, game, self.lanes.positions[0])
            for lane in range(n):
                self.lanes.seat_learner(lane, learner(plan, first + lane))
        self.arrays = views(self.lanes, n, game)

    def reset(self, seed: int) -> None:
        """Begin new games in all lanes."""
        self.starts.seed = seed
        if isinstance(self.lanes.opponent, Named):
            self.lanes.opponent.begin(seed)
        self.lanes.reset(seed)

    def step(self, actions: Array) -> int:
        """Play; return -1, or the first lane whose action is illegal."""
        return int(self.lanes.step(actions.tobytes()))

    def sample(self) -> None:
        """Choose at random in every lane."""
        self.lanes.sample()

    def position(self, lane: int) -> Position:
        """Return a copy of the position of a lane."""
        return self.lanes.positions[lane].copy()

    def close(self) -> None:
        """Nothing is open."""


def learner(plan: Plan, lane: int) -> int:
    """Return the seat that learns in a lane: the wanted one, or each in turn."""
    return lane % plan.game.seats if plan.seat is None else plan.seat


def opponent(name: str, game: Game, like: Position) -> Opponent:
    """Return who plays the other seats; uniform and greedy play are compiled."""
    if name in (UNIFORM, RANDOM):
        return Opponent(like, game.action_count)
    return Greedy(like, game.action_count) if name == GREEDY else Named(like, game.action_count, game, name)


def layout(n: int, game: Game, width: int) -> dict[str, tuple[tuple[int, ...], str]]:
    """Return the shape and the type of every array of n lanes."""
    return {
        "masks": ((n, game.action_count), "bool"),
        "observations": ((n, width), "int32"),
        "final_observations": ((n, width), "int32"),
        "seats": ((n,), "int64"),
        "rewards": ((n, game.seats), "float64"),
        "ended": ((n,), "bool"),
        "cut": ((n,), "bool"),
        "choices": ((n,), "int64"),
    }


def views(lanes: Lanes, n: int, game: Game) -> dict[str, Array]:
    """Return the buffers of lanes as arrays, without a copy."""
    observer = lanes.observer
    width = 0 if observer is None else int(observer.width)
    buffers: dict[str, Any] = {
        "masks": lanes.masks,
        "observations": lanes.rows,
        "final_observations": lanes.last_rows,
        "seats": lanes.acting,
        "rewards": lanes.rewards,
        "ended": lanes.ended,
        "cut": lanes.cut,
        "choices": lanes.choices,
    }
    shapes = layout(n, game, width)
    return {
        name: np.frombuffer(buffers[name], kind).reshape(shape) if 0 not in shape else np.zeros(shape, kind) for name, (shape, kind) in shapes.items()
    }


def illegal(game: Game, position: Position, lane: int, action: int, seat: int) -> TableeError:
    """Return the error for an action that a lane refuses."""
    state = State(game, position, None)
    if not 0 <= action < game.action_count:
        return TableeError(f"{action} in lane {lane} is no action: expected a number from 0 to {game.action_count - 1}")
    return TableeError(f"lane {lane}: {state.illegal(action, seat)}")
