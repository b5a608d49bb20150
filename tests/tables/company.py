"""A company at a table, for tests: tokens by name, a clock that stands still, and every event both applied and kept."""

from collections.abc import Mapping
from random import Random

from tablee.tables.clock import ClockTerms
from tablee.tables.commands import Command, Contribute, Play, Replace, Sit
from tablee.tables.door import handle
from tablee.tables.events import Event
from tablee.tables.opening import Opening, open_rematch, open_table
from tablee.tables.table import Table
from tablee.tables.terms import Terms
from tablee.tables.tokens import HOST, Actor, new_token

NOON = 1_000_000.0
MINUTE = 60_000


class Company:
    """A table with people who have names; `do` handles, applies, and returns the new events."""

    def __init__(
        self,
        game: str = "traboulet",
        seats: int | None = None,
        options: Mapping[str, str] | None = None,
        clock: ClockTerms | None = None,
        opening: Opening | None = None,
        tokens: dict[str, str] | None = None,
        **terms: str,
    ) -> None:
        """Open the table: Olga does."""
        self.tokens = tokens or {name: new_token() for name in ("Olga", "Ana", "Ben", "Cleo", "Mallory", "watcher")}
        hints = terms.pop("hints", "yes") == "yes"
        agreed = Terms(game, seats, options or {}, clock, hints=hints, **{"sitting": "open", **terms})
        self.opening = opening or open_table(agreed, self.tokens["Olga"], NOON, watch=self.tokens["watcher"])
        self.table = Table.from_events(self.opening.events, self.opening.secret)
        self.now = NOON

    def who(self, name: str) -> Actor:
        """Return somebody with their token; `house` is the house."""
        return HOST if name == "house" else Actor((self.tokens[name],))

    def do(self, name: str, command: Command) -> list[Event]:
        """Let somebody do something."""
        outcome = handle(self.table, command, self.who(name), self.now)
        self.table = outcome.table
        return outcome.events

    def seated(self, *names: str) -> "Company":
        """Seat people, or programs for `easy`, and contribute; the game begins."""
        for seat, name in enumerate(names):
            if name == "easy":
                self.do("Olga", Replace(seat, "easy"))
            else:
                self.do(name, Sit(seat, name))
        for seat, name in enumerate(names):
            if name != "easy":
                self.do(name, Contribute(seat, f"{seat + 1:02x}" * 16))
        return self

    def play(self, name: str, seat: int, *tokens: str) -> list[Event]:
        """Let somebody play."""
        return self.do(name, Play(seat, tokens))

    def reload(self) -> None:
        """Crash and restart: only the log is left."""
        self.table = Table.from_events(self.table.events, self.opening.secret)

    def rematch(self) -> "Company":
        """Return the company at the table of the rematch."""
        return Company(opening=open_rematch(self.table, self.now), tokens=self.tokens)

    def wander(self, seed: int, most: int = 2000) -> "Company":
        """Play at random to the end, whoever holds the seats."""
        random = Random(seed)
        for _ in range(most):
            if not self.table.asked or self.table.state is None:
                break
            seat = random.choice(self.table.asked)
            token = self.table.game.notate(random.choice(self.table.state.legal(seat)))
            name = next((one for one in self.tokens if self.table.holds(self.who(one), seat)), "house")
            self.play(name, seat, token)
        return self


def same_table(one: Table, other: Table) -> bool:
    """Return whether two tables are the same in all that a fold keeps."""
    line = [None if table.state is None else table.game.dump(table.state) for table in (one, other)]
    return (one.hash, one.seats, one.phase, one.result, one.asks, line[0]) == (
        other.hash,
        other.seats,
        other.phase,
        other.result,
        other.asks,
        line[1],
    )
