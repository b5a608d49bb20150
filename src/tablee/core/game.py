"""A game as a table has agreed to play it: a kind with its seats and options, from which states start."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tablee.core.errors import NotationError, PositionError, TableeError, UnknownName, shown, unknown
from tablee.core.kind import Draw, Kind, Setup
from tablee.core.state import State

NO_OPTIONS: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True)
class Game:
    """A kind of game with its seats and options: everything settled before the set-up is drawn."""

    kind: Kind
    seats: int
    chosen: tuple[tuple[str, str], ...]

    @property
    def slug(self) -> str:
        """The game's name in addresses, records and commands."""
        return self.kind.slug

    @property
    def options(self) -> dict[str, str]:
        """The value of every option."""
        return dict(self.chosen)

    @property
    def action_count(self) -> int:
        """How many actions there are: every action, throws included, is a number below it."""
        return self.kind.action_count

    def option(self, name: str) -> str:
        """Return the value of one option."""
        return self.options[name]

    def start(self, draw: Draw) -> State:
        """Return the first state; `draw(n)` lends fair numbers below n for what is drawn at set-up."""
        return self.start_from(self.kind.setup(self, draw))

    def start_from(self, setup: Setup) -> State:
        """Return the first state of a set-up drawn before."""
        drawn = self.kind.setup(self, lambda n: 0)
        for name in setup:
            if not drawn:
                raise UnknownName(f"unknown set-up {shown(name)}: {self.slug} draws none")
            if name not in drawn:
                raise unknown(f"set-up of {self.slug}", name, drawn)
        return State(self, self.kind.start(self, setup), dict(setup))

    def notate(self, action: int) -> str:
        """Return the token of an action."""
        if not 0 <= action < self.action_count:
            raise TableeError(f"{shown(str(action))} is no action: expected a number from 0 to {self.action_count - 1}")
        return self.kind.notate(self, action)

    def parse(self, token: str, seat: int = 0) -> int:
        """Return the action of a token; the seat matters only where several seats act at once."""
        if not 0 <= seat < self.seats:
            raise TableeError(f"seat {shown(str(seat))} is not at this table: expected a number from 0 to {self.seats - 1}")
        if len(token) > 40:
            raise NotationError(token, "a short token")
        return self.kind.parse(self, token, seat)

    def dump(self, state: State) -> str:
        """Return the position on one line."""
        return self.kind.dump(self, state.position)

    def load(self, line: str) -> State:
        """Return the state of a position line, with a new history."""
        if len(line) > 2000 or "\n" in line:
            raise PositionError(line, "expected one line of at most 2000 characters")
        return State(self, self.kind.load(self, line), None)

    def __repr__(self) -> str:
        """Return what one would type."""
        return f"tablee.game({self.slug!r}, seats={self.seats}{''.join(f', {name}={value!r}' for name, value in self.chosen)})"


def choose(kind: Kind, seats: int | None = None, options: Mapping[str, object] = NO_OPTIONS) -> Game:
    """Return a kind of game with so many seats (the fewest, if not said) and these options, all checked."""
    wanted = check_seats(kind, seats)
    known = {option.name: option for option in kind.options}
    for name in options:
        if not known:
            raise UnknownName(f"unknown option {shown(name)}: {kind.slug} has none")
        if name not in known:
            raise unknown(f"option of {kind.slug}", name, known)
    given = {name: known[name].check(str(value)) for name, value in options.items()}
    values = {name: option.default for name, option in known.items()} | dict(kind.preset(given)) | given
    game = Game(kind, wanted, tuple(values.items()))
    kind.check(game)
    return game


def check_seats(kind: Kind, seats: int | None) -> int:
    """Return how many seats are wanted (the fewest, if not said), or raise the error that says how many there can be."""
    wanted = kind.seats[0] if seats is None else seats
    if wanted not in kind.seats:
        expected = f"{kind.seats[0]} to {kind.seats[-1]}" if len(kind.seats) > 1 else str(kind.seats[0])
        raise TableeError(f"{shown(str(wanted))} seats are not possible: {kind.slug} is for {expected}")
    return wanted
