"""A table as the local log has it in memory: its lines, and what the house asks about it without reading them."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from tablee.store.log import Stale, StoreError
from tablee.tables.events import Event, EventKind, read_line
from tablee.tables.payloads import Opened, Seated, payload_as


@dataclass
class Facts:
    """The row of a table beside its events: its place among the tables, the secret of its dice, the holders of its seats, its deadline."""

    number: int
    secret: str
    finished: bool = False
    started: bool = False
    clock: bool = False
    open: bool = False
    owners: list[str] = field(default_factory=list)
    due: float | None = None

    def text(self) -> str:
        """Return the row."""
        return json.dumps(asdict(self), separators=(",", ":"))

    def after(self, events: Sequence[Event]) -> "Facts":
        """Return the facts after more events."""
        made = Facts(**{**asdict(self), "owners": list(self.owners)})
        for event in events:
            if event.kind == EventKind.OPENED:
                opened = payload_as(event, Opened)
                made.clock, made.open = opened.clock is not None, opened.sitting == "open"
            elif event.kind == EventKind.SEATED and (holder := payload_as(event, Seated).token_hash):
                made.owners.append(holder)
            made.started = made.started or event.kind == EventKind.STARTED
            made.finished = made.finished or event.kind == EventKind.ENDED
        return made


@dataclass
class Shelved:
    """A table: its facts, the line of each event, and the numbers of the messages that were answered."""

    facts: Facts
    lines: list[str]
    answered: set[str] | None = None

    def events(self, since: int = 0) -> list[Event]:
        """Return the events from a number on."""
        return [read_line(number, line) for number, line in enumerate(self.lines[since:], since)]

    @property
    def last(self) -> Event:
        """The last event."""
        return read_line(len(self.lines) - 1, self.lines[-1])

    @property
    def move_ids(self) -> set[str]:
        """The numbers of the messages that were answered."""
        if self.answered is None:
            self.answered = {event.move_id for event in self.events() if event.move_id}
        return self.answered

    def waits_for_house(self, before: float) -> bool:
        """Return whether the house looks after the table by itself, as `Log.pending` says."""
        facts = self.facts
        if facts.finished:
            return False
        return (facts.clock and facts.due is None) or not facts.owners or (facts.open and not facts.started) or self.last.at < before


def check_next(table_id: str, shelved: Shelved | None, events: Sequence[Event]) -> None:
    """Raise `Stale` unless events are the next of a table, each once."""
    number, digest = (len(shelved.lines), shelved.last.hash) if shelved else (0, "")
    answered = set(shelved.move_ids) if shelved else set()
    for event in events:
        if event.table != table_id:
            raise StoreError(f"event {event.seq} belongs to table {event.table!r}, not to {table_id!r}")
        if event.seq != number or (number and event.previous != digest) or (event.move_id is not None and event.move_id in answered):
            raise Stale(f"event {event.seq} of table {table_id!r} is already written, or not the next")
        number, digest = number + 1, event.hash
        if event.move_id is not None:
            answered.add(event.move_id)
