"""A game with its seats and options chosen, from which states start."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pickle import PicklingError
from types import MappingProxyType

from tablee.core.draws import Draw, seeded
from tablee.core.errors import NotationError, PositionError, TableeError, UnknownName, shown, unknown
from tablee.core.kind import Kind, Setup
from tablee.core.setup_choice import check_chosen
from tablee.core.state import State, whole_number

NO_OPTIONS: Mapping[str, object] = MappingProxyType({})
NO_SETUP: Setup = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Game:
    """A kind of game with its seats and options: everything settled before the set-up is drawn.

    `rules` is the version of the rules it is played by: the current one, or the one it was begun with.
    """

    kind: Kind
    seats: int
    chosen: tuple[tuple[str, str], ...]
    rules: int

    @property
    def slug(self) -> str:
        """The game's name in addresses, records and commands."""
        return self.kind.slug

    @property
    def options(self) -> dict[str, str]:
        """The value of every option."""
        return dict(self.chosen)

    @property
    def written_options(self) -> dict[str, str]:
        """The options that its version of the rules has: what a record writes."""
        fixed = self.kind.older.get(self.rules, {})
        return {name: value for name, value in self.chosen if name not in fixed}

    @property
    def action_count(self) -> int:
        """How many actions there are: every action, throws included, is a number below it."""
        return self.kind.action_count

    def option(self, name: str) -> str:
        """Return the value of one option."""
        return self.values[name]

    @cached_property
    def values(self) -> dict[str, str]:
        """The value of every option, kept: nobody changes it."""
        return dict(self.chosen)

    def start(self, draw: Draw | None = None, *, seed: int | None = None, setup: Setup = NO_SETUP) -> State:
        """Return the first state; a seed, or `draw(n)` that gives fair numbers below n, decides what is drawn at set-up.

        Where nothing is drawn, `start()` is enough. `setup` are the items that the table chooses, such as Tabaijana's colours.
        """
        if draw is not None and seed is not None:
            raise TableeError("both a draw and a seed are given: expected one of them")
        if draw is not None and not callable(draw):
            raise TableeError(f"{shown(repr(draw))} is no draw: expected a function, or seed={draw!r}")
        fair = draw or (self.undrawn if seed is None else seeded(whole_number(seed, "seed")))
        check_chosen(self, setup)
        return self.start_from(self.kind.setup(self, fair, setup))

    def undrawn(self, n: int) -> int:
        """Refuse to draw: neither a seed nor a draw was given."""
        raise TableeError(f"{self.slug} draws its set-up: expected start(seed=…) or start(draw)")

    def start_from(self, setup: Setup) -> State:
        """Return the first state of a set-up drawn before."""
        drawn = self.drawn_names
        for name in setup:
            if not drawn:
                raise UnknownName(f"unknown set-up {shown(name)}: {self.slug} draws none")
            if name not in drawn:
                raise unknown(f"set-up of {self.slug}", name, drawn)
        return State(self, self.kind.start(self, setup), dict(setup))

    @cached_property
    def drawn_names(self) -> tuple[str, ...]:
        """The names of what a set-up holds."""
        return tuple(self.kind.setup(self, lambda n: 0, NO_SETUP))

    def notate(self, action: int) -> str:
        """Return the token of an action."""
        if not 0 <= action < self.action_count:
            raise TableeError(f"{shown(str(action))} is no action: expected a number from 0 to {self.action_count - 1}")
        return self.kind.notate(self, action)

    def parse(self, token: str, seat: int = 0) -> int:
        """Return the action of a token; the seat matters only where several seats act at once."""
        self.check_seat(seat)
        if len(token) > 40:
            raise NotationError(token, "a short token")
        return self.kind.parse(self, token, seat)

    def check_seat(self, seat: int) -> None:
        """Raise the error for a seat that does not exist."""
        if not 0 <= whole_number(seat, "seat") < self.seats:
            raise TableeError(f"seat {shown(str(seat))} is not at this table: expected a number from 0 to {self.seats - 1}")

    def dump(self, state: State) -> str:
        """Return the position on one line."""
        return self.kind.dump(self, state.position)

    def load(self, line: str) -> State:
        """Return the state of a position line, with a new history."""
        if len(line) > 2000 or "\n" in line:
            raise PositionError(line, "expected one line of at most 2000 characters")
        return State(self, self.kind.load(self, line), None)

    def __eq__(self, other: object) -> bool:
        """Return whether kind, seats, options and version of the rules are the same."""
        if not isinstance(other, Game):
            return NotImplemented
        mine, theirs = (self.seats, self.chosen, self.rules), (other.seats, other.chosen, other.rules)
        return mine == theirs and (self.kind is other.kind or self.kind == other.kind)

    def __hash__(self) -> int:
        """Return a number that is equal for equal games."""
        return hash((self.kind.slug, self.seats, self.chosen, self.rules))

    def __reduce__(self) -> tuple[object, ...]:
        """Return how pickle makes the game again: from the package that gives its kind."""
        if kind_of(self.kind.package, self.slug) != self.kind:
            raise PicklingError(f"{self!r} cannot be pickled: {self.kind.package!r} holds no such kind")
        return restored, (self.kind.package, self.slug, self.seats, self.chosen, self.rules)

    def __repr__(self) -> str:
        """Return Python code that makes an equal value."""
        rules = "" if self.rules == self.kind.version else f", rules={self.rules}"
        options = "".join(f", {name}={value!r}" for name, value in self.written_options.items())
        return f"tablee.game({self.slug!r}, seats={self.seats}{rules}{options})"


def choose(kind: Kind, seats: int | None = None, options: Mapping[str, object] = NO_OPTIONS, rules: int | str | None = None) -> Game:
    """Return a kind of game with this number of seats (by default the fewest) and these options, all checked; `rules` asks for an older version."""
    wanted = check_seats(kind, seats)
    version = kind.version if rules is None else check_rules(kind, str(rules))
    fixed = kind.older.get(version, {})
    known = {option.name: option for option in kind.options}
    for name in options:
        if not known:
            raise UnknownName(f"unknown option {shown(name)}: {kind.slug} has none")
        if name not in known:
            raise unknown(f"option of {kind.slug}", name, known)
    given = {name: known[name].check(str(value)) for name, value in options.items()}
    for name, value in fixed.items():
        if given.get(name, value) != value:
            raise TableeError(f"option {name} is not {given[name]} here: by version {version} of the rules of {kind.slug} it is {value}")
    values = {name: option.default for name, option in known.items()} | dict(kind.preset(given)) | given | dict(fixed)
    game = Game(kind, wanted, tuple(values.items()), version)
    kind.check(game)
    return game


def check_seats(kind: Kind, seats: int | None) -> int:
    """Return how many seats are wanted (by default the fewest), or raise the error that says how many there can be."""
    wanted = kind.seats[0] if seats is None else seats
    if wanted not in kind.seats:
        expected = f"{kind.seats[0]} to {kind.seats[-1]}" if len(kind.seats) > 1 else str(kind.seats[0])
        raise TableeError(f"{shown(str(wanted))} seats are not possible: {kind.slug} is for {expected}")
    return wanted


def check_rules(kind: Kind, text: str) -> int:
    """Return a version of the rules, or raise the error that lists the known ones."""
    for version in kind.versions:
        if text == str(version):
            return version
    raise TableeError(f"rules version {shown(text)} is not known: expected {' or '.join(map(str, kind.versions))}")


def kind_of(package: str, slug: str) -> Kind | None:
    """Return the kind of that name that a package holds, or None."""
    held = vars(import_module(package)).values()
    return next((value for value in held if isinstance(value, Kind) and value.slug == slug), None)


def restored(package: str, slug: str, seats: int, chosen: tuple[tuple[str, str], ...], rules: int) -> Game:
    """Return a game that was pickled."""
    kind = kind_of(package, slug)
    if kind is None:
        raise TableeError(f"the game {slug!r} cannot be restored: {package!r} holds no such kind")
    return Game(kind, seats, chosen, rules)
