"""A plan of games: players, meetings and seats; equal plans give equal games."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import combinations, pairwise, product

from tablee import catalog
from tablee.core.errors import TableeError
from tablee.core.game import Game, choose
from tablee.core.state import Chance, Over
from tablee.players.outside import check_player
from tablee.players.program import PATIENCE

STILL = 4


@dataclass(frozen=True)
class Sitting:
    """One game to be played: which player (by its place in the plan) sits in each seat.

    The sittings of a round have the same set-up, opening and throws; only the seats change.
    """

    number: int
    meeting: tuple[int, ...]
    round: int
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """A game with seats and options, the players, and how many games each meeting of two has.

    `opening` is how many random actions begin each game: without chance, strong players would otherwise repeat one game.
    `ladder` lets only neighbours meet; those `against` whom everybody is measured
    meet all players, and not each other. Where all win together, each player has every seat, and a meeting has one player.
    A player in a process of its own has `patience` seconds to answer.
    """

    slug: str
    seats: int
    options: tuple[tuple[str, str], ...]
    players: tuple[str, ...]
    games: int
    seed: int = 1
    opening: int = 0
    ladder: bool = False
    seconds: float | None = None
    nodes: int | None = None
    against: tuple[str, ...] = ()
    patience: float = PATIENCE

    @property
    def everyone(self) -> tuple[str, ...]:
        """The players, then those they are measured against."""
        return self.players + self.against

    def game(self) -> Game:
        """Return the game that is played."""
        return choose(catalog.kind(self.slug), self.seats, dict(self.options))

    def meetings(self) -> Iterator[tuple[int, ...]]:
        """Give the players of each meeting."""
        measured = range(len(self.players))
        if catalog.kind(self.slug).together:
            yield from ((player,) for player in range(len(self.everyone)))
            return
        yield from pairwise(measured) if self.ladder else combinations(measured, 2)
        yield from product(measured, range(len(self.players), len(self.everyone)))

    def sittings(self) -> list[Sitting]:
        """Return every game of the plan, round after round, so that an interrupted run is fair to all."""
        sittings: list[Sitting] = []
        meetings = list(self.meetings())
        arrangements = {meeting: arranged(meeting, self.seats) for meeting in meetings}
        for turn in range(-(-self.games // len(arrangements[meetings[0]]))):
            for meeting in meetings:
                sittings += [Sitting(number, meeting, turn, seats) for number, seats in enumerate(arrangements[meeting], len(sittings))]
        return sittings

    def head(self) -> dict[str, object]:
        """Return the plan as it stands in files."""
        fields = {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()} | {"options": dict(self.options)}
        if self.patience == PATIENCE:  # files of games from before there were such players stay valid
            del fields["patience"]
        return fields


def arranged(meeting: tuple[int, ...], seats: int) -> list[tuple[int, ...]]:
    """Return the ways in which a round seats two players by turns, or one everywhere."""
    turns = [tuple(meeting[(seat + shift) % len(meeting)] for seat in range(seats)) for shift in range(len(meeting))]
    return list(dict.fromkeys(turns))


def make_plan(
    game: Game,
    players: tuple[str, ...],
    games: int,
    *,
    seed: int = 1,
    opening: int | None = None,
    ladder: bool = False,
    against: tuple[str, ...] = (),
    patience: float = PATIENCE,
) -> Plan:
    """Return a checked plan without limits of seconds or nodes; by default the opening is as long as the game needs it."""
    everyone = players + against
    if not players or len(everyone) < (1 if game.kind.together else 2):
        raise TableeError(f"too few players ({len(everyone)}): expected at least {1 if game.kind.together else 2}")
    if games < 1:
        raise TableeError(f"too few games ({games}): expected at least 1")
    for player in everyone:
        check_player(game, player, patience)
    chosen = needed_opening(game) if opening is None else opening
    return Plan(game.slug, game.seats, game.chosen, players, games, seed, chosen, ladder, against=against, patience=patience)


def needed_opening(game: Game) -> int:
    """Return how many random actions make games differ: none where something is drawn at set-up or thrown early on."""
    if game.kind.setup(game, lambda n: 0, {}):
        return 0
    state = game.start(lambda n: 0)
    for _ in range(STILL * game.seats):
        match state.node:
            case Chance():
                return 0
            case Over():
                break
        state = state.play(state.legal()[0])
    return STILL
