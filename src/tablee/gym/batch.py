"""Many games of one kind at once, in compiled code over NumPy arrays.

batch = tablee.Batch("traboulet", 4096, seed=1)
while True:
    actions = policy(batch.observations, batch.masks)
    batch.step(actions)                     # batch.ended, batch.rewards: what has just ended
"""

from collections.abc import Sequence

from tablee import catalog
from tablee.core.errors import TableeError, needing, shown
from tablee.core.game import choose
from tablee.core.observation import Observation
from tablee.core.state import State, whole_number
from tablee.gym.engine import Engine, Plan, illegal, learner
from tablee.gym.play import LONGEST
from tablee.gym.sight import Array, observation_of
from tablee.gym.workers import Workers

with needing("tablee.Batch", "gym"):
    import numpy as np

MOST_LANES = 1 << 24
MOST_SEED = 1 << 62


class Batch:
    """n games, each a lane. `step` plays one action in each; a game that ends begins again at once.

    The arrays show the present positions and change with every step; copy what you want to keep. They are read-only.
    `masks[lane, action]`: whether the acting seat may play an action. `observations[lane]`: what it sees (`observation` names the parts).
    `seats[lane]`: who acts. `ended[lane]`: whether the last step ended a game there, by the rules or, where `cut[lane]`, because it had lasted
    `longest` actions. `rewards[lane, seat]`: what each seat won in it, else 0. `final_observations[lane]`: the last sight of the game that ended.
    """

    masks: Array
    observations: Array
    final_observations: Array
    seats: Array
    rewards: Array
    ended: Array
    cut: Array

    def __init__(
        self,
        slug: str,
        n: int,
        *,
        seed: int = 0,
        observe: bool = True,
        opponents: str | None = None,
        seat: int | None = None,
        cores: int = 1,
        longest: int = LONGEST,
        **more: object,
    ) -> None:
        """Begin n games; `more` are the options of the game, and `seats`, how many play.

        Without `opponents` all seats are yours. With `opponents`, a player's name, you play one seat of each game: `seat`, or each in turn.
        With several cores, that many processes share the lanes; the games are the same.
        """
        seats = more.pop("seats", None)
        game = choose(catalog.kind(slug), None if seats is None else whole_number(seats, "number of seats"), more)
        self.game, self.n = game, within(n, "number of lanes", 1, MOST_LANES)
        if seat is not None:
            game.check_seat(seat)
            if opponents is None:
                raise TableeError(f"seat={seat} needs opponents: without them all seats are yours")
        plan = Plan(game, observe, opponents, seat, within(longest, "number of actions a game", 1, MOST_SEED))
        self.plan = plan
        within(cores, "number of cores", 1, self.n)
        self.observation: Observation = observation_of(game)
        self.engine: Engine | Workers = Engine(plan, self.n) if cores == 1 else Workers(plan, self.n, cores)
        for name, array in self.engine.arrays.items():
            array.flags.writeable = False
            setattr(self, name, array)
        self.choices: Array = self.engine.arrays["choices"]
        self.reset(seed)

    @property
    def learners(self) -> Array:
        """The seat of each lane that is yours; without opponents, the one that acts."""
        if self.plan.opponents is None:
            return self.seats
        return np.array([learner(self.plan, lane) for lane in range(self.n)])

    def reset(self, seed: int = 0) -> None:
        """Begin a new game in every lane; the same seed and actions give the same games."""
        self.engine.reset(within(seed, "seed", 0, MOST_SEED))

    def step(self, actions: "Array | Sequence[int]") -> None:
        """Play one action in each lane; if any is illegal, raise an error that says why, and play none."""
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise TableeError(f"an array of {given.dtype} and shape {given.shape} is no choice: expected {self.n} whole numbers, one for each lane")
        numbers = np.ascontiguousarray(given, dtype="<i8")
        lane = self.engine.step(numbers)
        if lane >= 0:
            raise illegal(self.game, self.engine.position(lane), lane, int(numbers[lane]), int(self.seats[lane]))

    def sample(self) -> Array:
        """Return a random legal action for each lane, every one as likely as another."""
        self.engine.sample()
        return self.choices

    def state(self, lane: int) -> State:
        """Return one of the games as a state, to look at or to draw."""
        return State(self.game, self.engine.position(within(lane, "lane", 0, self.n - 1)), None)

    def close(self) -> None:
        """End the processes, if there are any."""
        self.engine.close()

    def __enter__(self) -> "Batch":
        """Return itself."""
        return self

    def __exit__(self, *wrong: object) -> None:
        """End the processes, if there are any."""
        self.close()

    def __repr__(self) -> str:
        """Say which games these are."""
        return f"<{self.n} games of {self.game!r}>"


def within(given: object, what: str, least: int, most: int) -> int:
    """Return a whole number of a range, or raise the error that says which."""
    number = whole_number(given, what)
    if not least <= number <= most:
        raise TableeError(f"{shown(str(number))} is no {what}: expected {least} to {most}")
    return number
