"""A company at a table, for tests: tokens by name, a clock that stands still, and every event both applied and kept."""

from collections.abc import Mapping
from random import Random
from typing import Any

import msgspec

from tablee.tables.clock import ClockTerms
from tablee.tables.commands import Command, Contribute, Invite, Play, Replace, Sit
from tablee.tables.door import handle
from tablee.tables.events import Event
from tablee.tables.invitations import next_invitation
from tablee.tables.opening import Opening, open_rematch, open_table
from tablee.tables.table import Table
from tablee.tables.terms import Terms
from tablee.tables.tokens import HOST, Actor, new_token
from tablee.tables.view import view

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
        setup: Mapping[str, str] | None = None,
        **terms: Any,
    ) -> None:
        """Open the table: Olga does."""
        self.tokens = tokens or {name: new_token() for name in ("Olga", "Ana", "Ben", "Cleo", "Mallory", "watcher")}
        hints = terms.pop("hints", "yes") == "yes"
        agreed = Terms(game, seats, options or {}, clock, hints=hints, setup=setup or {}, **{"sitting": "open", **terms})
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
        """Seat people, or programs for `1` (their level), and contribute; the game begins."""
        for seat, name in enumerate(names):
            if name == "1":
                self.do("Olga", Replace(seat, "1"))
            else:
                self.do(name, Sit(seat, name))
        for seat, name in enumerate(names):
            if name != "1":
                self.do(name, Contribute(seat, f"{seat + 1:02x}" * 16))
        return self

    def invitation(self, name: str, seat: int | None = None) -> str:
        """Let somebody make an invitation, and return its token."""
        token = next_invitation(self.table, self.tokens[name])
        self.do(name, Invite(seat))
        return token

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
            name = next((person for person in self.tokens if self.table.holds(self.who(person), seat)), "house")
            self.play(name, seat, token)
        return self


def plain_view(table: Table, viewer: Actor, language: str = "fr", now: float | None = None, at: int | None = None) -> dict[str, Any]:
    """Return a view as its reader sees it, as JSON."""
    return msgspec.json.decode(msgspec.json.encode(view(table, viewer, language, now, at)), type=dict[str, Any])


def same_table(first: Table, second: Table) -> bool:
    """Return whether two tables are the same in all that a fold keeps."""
    line = [None if table.state is None else table.game.dump(table.state) for table in (first, second)]
    return (first.hash, first.seats, first.phase, first.result, first.asks, line[0]) == (
        second.hash,
        second.seats,
        second.phase,
        second.result,
        second.asks,
        line[1],
    )
