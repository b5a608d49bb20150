"""Our games in Gymnasium: one seat learns, chosen players have the others.

import gymnasium
env = gymnasium.make("tablee/Traboulet-v1", opponents="level3", seat=1)
"""

from collections.abc import Sequence
from typing import Any, Protocol

from tablee import catalog
from tablee.core.errors import TableeError, needing, shown, unknown
from tablee.core.game import Game, choose
from tablee.core.state import State
from tablee.gym.drawing import MODES, check_mode, draw
from tablee.gym.play import LONGEST, Play
from tablee.gym.sight import Seen, Sight, seen_space
from tablee.players.player import Player

with needing("tablee.gym.SeatEnv", "gym"):
    import gymnasium
    from gymnasium import spaces

ILLEGAL = ("lose", "raise")
LOST = -1.0


class Chooser(Protocol):
    """A player that chooses an action: a `Player`, or your own."""

    def choose(self, state: State, seat: int | None = None) -> int:
        """Return a legal action of a seat."""
        ...


Opponents = str | Chooser | Sequence[str | Chooser]


class SeatEnv(gymnasium.Env[Any, Any]):
    """One game as one seat plays it; the reward comes at the end.

    An illegal action ends the game as lost, with the reason in `info`, since Gymnasium lets a program try any action of the
    space; with `illegal="raise"` it is refused and nothing changes.
    """

    metadata = {"render_modes": list(MODES), "render_fps": 2}  # noqa: RUF012 - Gymnasium declares it so

    def __init__(
        self,
        slug: str,
        seats: int | None = None,
        *,
        opponents: Opponents = "greedy",
        seat: int = 0,
        illegal: str = "lose",
        render_mode: str | None = None,
        longest: int = LONGEST,
        **options: object,
    ) -> None:
        """Sit down; `opponents` names the player of all other seats, or one for each of them in the order of the seats."""
        self.game = choose(catalog.kind(slug), seats, options)
        self.game.check_seat(seat)
        if illegal not in ILLEGAL:
            raise unknown("answer to an illegal action", illegal, ILLEGAL)
        self.seat, self.illegal = seat, illegal
        self.render_mode = check_mode(render_mode)
        self.sight = Sight(self.game)
        self.play = Play(self.game, self.sight.eye, longest)
        self.named = named(self.game, seat, opponents)
        self.choosers: dict[int, Chooser] = {}
        self.observation_space = seen_space(self.sight.observation, self.game.action_count)
        self.action_space = spaces.Discrete(self.game.action_count)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Begin a new game; a seed decides dice, set-up and players. A game that ends before the seat acts is begun again."""
        super().reset(seed=seed)
        self.play.begin(seed)
        drawn = self.play.random.randrange
        self.choosers = {place: sit(self.game, name, drawn(1 << 30)) for place, name in self.named.items()}
        while not self.wait():
            self.play.begin(None)
        return self.seen(), {}

    def wait(self) -> bool:
        """Let the others play until the seat may act; return whether it may."""
        play = self.play
        while not (play.over or play.cut):
            seats = play.seats
            if self.seat in seats:
                return True
            chosen = self.choosers[seats[0]].choose(State(self.game, play.position.copy(), None), seats[0])
            play.act(play.check(seats[0], chosen))
        return False

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Play an action, then let the others play."""
        try:
            number = self.play.check(self.seat, action)
        except TableeError as error:
            if self.illegal == "raise" or not self.action_space.contains(action):
                raise
            return self.seen(), LOST, True, False, {"illegal": str(error)}
        self.play.act(number)
        self.wait()
        reward = self.play.utilities()[self.seat]
        return self.seen(), reward, self.play.over, self.play.cut, {}

    def seen(self) -> Seen:
        """Return what the seat sees and may do."""
        return self.sight.look(self.play.position, self.seat)

    def render(self) -> Any:
        """Return the board as the render mode says."""
        return draw(self.game, self.play.position, self.render_mode)


def named(game: Game, seat: int, opponents: Opponents) -> dict[int, str | Chooser]:
    """Return the player of every other seat by name, each checked."""
    others = [place for place in range(game.seats) if place != seat]
    wanted = list(opponents) if isinstance(opponents, Sequence) and not isinstance(opponents, str) else [opponents] * len(others)
    if len(wanted) != len(others):
        raise TableeError(f"{len(wanted)} opponents are given: expected {len(others)}, one for each other seat, or one name for all")
    for one in wanted:
        sit(game, one, 0)
    return dict(zip(others, wanted, strict=True))


def sit(game: Game, player: "str | Chooser", seed: int) -> Chooser:
    """Return a player by name, or the one that is given."""
    if isinstance(player, str):
        return Player(game, player, seed)
    if not callable(getattr(player, "choose", None)):
        raise TableeError(f"{shown(repr(player))} is no player: expected a name, or something with choose(state, seat)")
    return player
