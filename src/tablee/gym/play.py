"""One game in play for an adapter: it throws by its own random numbers, checks actions and counts them."""

from random import Random

from tablee.core.bits import members
from tablee.core.errors import TableeError, shown
from tablee.core.game import Game
from tablee.core.position import OVER, Position
from tablee.core.state import State, whole_number
from tablee.gym.eye import Eye
from tablee.gym.utility import utility

LONGEST = 20_000


class Play:
    """A position that goes on from decision to decision, until the game is over or `longest` actions were played."""

    def __init__(self, game: Game, eye: Eye, longest: int = LONGEST) -> None:
        """Prepare; `begin` starts the first game."""
        if whole_number(longest, "number of actions") < 1:
            raise TableeError(f"a game cannot be cut off after {longest} actions: expected 1 or more")
        self.game, self.eye, self.longest = game, eye, longest
        self.wanted = f"action: expected a number below {game.action_count}"
        self.random = Random()
        self.draw = self.random.randrange
        self.position: Position = game.start(lambda n: 0).position
        self.steps = 0

    def begin(self, seed: int | None) -> None:
        """Start a game; a seed decides all that is drawn and thrown from now on."""
        if seed is not None:
            self.random.seed(whole_number(seed, "seed"))
        self.position = self.game.start(self.draw).position
        self.steps = 0
        self.eye.throw(self.position, self.draw)

    @property
    def over(self) -> bool:
        """Whether the game has ended by its rules."""
        return bool(self.position.actor() == OVER)

    @property
    def cut(self) -> bool:
        """Whether the game is cut off: it has lasted too long."""
        return self.steps >= self.longest and not self.over

    @property
    def seats(self) -> list[int]:
        """The seats that may act."""
        return members(self.position.actors())

    def check(self, seat: int, action: object) -> int:
        """Return the number of a legal action, or raise the error that says why it is refused."""
        number = whole_number(action, self.wanted)
        if not self.eye.may(self.position, seat, number):
            self.refuse(seat, number)
        return number

    def refuse(self, seat: int, number: int) -> None:
        """Raise the error for what a seat may not play."""
        if not 0 <= number < self.game.action_count:
            self.game.notate(number)
        if not self.position.actors() >> seat & 1:
            raise TableeError(f"seat {shown(str(seat))} may not act now: expected one of {', '.join(map(str, self.seats)) or 'none'}")
        raise State(self.game, self.position.copy(), None).illegal(number, seat)

    def act(self, action: int) -> None:
        """Play a legal action, and throw what is due after it."""
        self.position.play(action)
        self.steps += 1
        self.eye.throw(self.position, self.draw)

    def utilities(self) -> list[float]:
        """Return what each seat has won."""
        return [utility(self.position, seat) for seat in range(self.game.seats)]
