"""A table is the fold of its log: the seats, the game, what is asked, the clock, the result.

table = Table.from_events(events, secret)
outcome = handle(table, Play(0, ("b7c7",), move_id="…"), Actor(tokens), now)  # see door.py: `table` itself has not changed
await log.append(table.id, outcome.events)                                    # written and committed
table = outcome.table                                                         # now it has happened
table.answer_of("…")                                                          # confirm; then tell everybody their `view`
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from functools import lru_cache
from typing import Any

from tablee.core.errors import TableeError
from tablee.core.game import Game
from tablee.core.record import result as written_result
from tablee.core.state import Decision, Over, State
from tablee.tables import payloads as p
from tablee.tables.clock import Clock
from tablee.tables.dice import SECRET_BYTES, VERSIONS, Contribution, Dice, bound_dice, check_program, unhex
from tablee.tables.events import ChainError, Event, EventKind, check_link
from tablee.tables.kept_events import Events
from tablee.tables.terms import Terms, read_opened
from tablee.tables.tokens import Actor, shows, watch_token
from tablee.tables.values import PEOPLE, Answered, Ask, PendingAsk, Phase, Reason, Result, Seat, Sitter, Step

# How many times of speaking, and how many utterances, a table remembers.
MOST_SAID, MOST_TALK = 8, 30
# The events of the game itself. `Table.beside` is the last one of another kind: what plays do not change is as it was until then.
PLAYED = (EventKind.ACTED, EventKind.THREW)


@contextmanager
def readable(event: Event) -> Iterator[None]:
    """Turn the errors of a malformed event into one sentence."""
    try:
        yield
    except TableeError:
        raise
    except (LookupError, TypeError, ValueError) as error:
        raise ChainError(event.seq, f"{event.kind!r} cannot be read: {type(error).__name__} {error}") from error


def at_seat(event: Event) -> int:
    """Return the seat of an event that must have one."""
    if event.seat is None or event.seat < 0:
        raise TypeError("the seat is missing")
    return event.seat


@lru_cache(4096)  # a view asks this some ten times
def held_seats(actor: Actor, match: str, token_hashes: tuple[str, ...]) -> tuple[int, ...]:
    """Return the seats whose token an actor shows."""
    return tuple(seat for seat, kept in enumerate(token_hashes) if shows(actor, match, kept))


class Table:
    """The state of one table, folded from its log."""

    def __init__(self, first: Event, secret: bytes | None) -> None:
        """Set the table up as its first event says; `secret` is the secret of the dice (of each seal, oldest first), None for a verifier."""
        self.id = first.table
        self.secret = secret
        opened = p.payload_as(first, p.Opened)
        self.terms: Terms = read_opened(opened)
        self.game: Game = self.terms.agreed()
        self.dice_version = opened.dice or 1
        if self.dice_version not in VERSIONS:
            raise ChainError(0, f"dice of version {self.dice_version} are not known here: expected {' or '.join(map(str, VERSIONS))}")
        self.seals: list[tuple[int, str]] = [(0, opened.commitment)]
        self.opener = opened.opener
        self.watch = opened.watch
        self.match = opened.match or p.Match(self.id)
        self.invitations: dict[str, int | None] = {kept.hash: kept.seat for kept in opened.invitations}
        self.seats: list[Seat] = [Seat() for _ in range(self.game.seats)]
        self.lot: tuple[int, ...] = tuple(range(self.game.seats))
        self.phase: Phase = Phase.WAITING
        self.steps: list[Step] = []
        self.hints: list[tuple[int, int, str]] = []
        self.contributions: list[Contribution] = []
        self.program_contributions = 0
        self.throws = 0
        self.asks: dict[str, PendingAsk] = {}
        self.declined: dict[tuple[str, int | None], int] = {}
        self.clock: Clock | None = Clock(self.terms.clock, self.game.seats) if self.terms.clock else None
        self.awake = False
        self.spoken: dict[int, tuple[float, ...]] = {}
        self.talk: tuple[Event, ...] = ()
        self.rewritten = -1
        self.beside = 0
        self.result: Result | None = None
        self.next = ""
        self.events = Events(first)

    @classmethod
    def from_events(cls, events: Iterable[Event], secret: bytes | None = None) -> "Table":
        """Return the table of a complete log; every link of the chain is checked."""
        log = list(events)
        if not log:
            raise ChainError(0, "the log is empty")
        table = cls.laid(log[0], secret)
        for event in log[1:]:
            table.fold(event)
        return table

    @classmethod
    def laid(cls, first: Event, secret: bytes | None = None) -> "Table":
        """Return the table as its first event lays it."""
        check_link(first, "")
        with readable(first):
            return cls(first, secret)

    def answer_of(self, move_id: str) -> Answered | None:
        """Return the answer to the request of that `move_id`, if it was done."""
        event = self.events.answer(move_id)
        return Answered(event.seq, event.hash, str(event.payload.get("digest", ""))) if event else None

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return self.events.last.seq

    @property
    def hash(self) -> str:
        """The hash of the last event: equal for equal logs."""
        return self.events.last.hash

    @property
    def state(self) -> State | None:
        """The game as it stands, once it has started."""
        return self.steps[-1].state if self.steps else None

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that may act now."""
        state = self.state
        if self.phase != Phase.PLAYING or state is None or not isinstance(state.node, Decision):
            return ()
        return state.node.seats

    def holds(self, actor: Actor, seat: int) -> bool:
        """Return whether an actor shows the token of a seat."""
        return shows(actor, self.match.id, self.seats[seat].token_hash)

    def held_by(self, actor: Actor) -> tuple[int, ...]:
        """Return the seats whose token an actor shows."""
        return held_seats(actor, self.match.id, tuple(place.token_hash for place in self.seats))

    def opened_by(self, actor: Actor) -> bool:
        """Return whether an actor opened the table."""
        return shows(actor, self.match.id, self.opener)

    def may_watch(self, actor: Actor) -> bool:
        """Return whether an actor may look at the table."""
        if actor.host or self.terms.watching == "all":
            return True
        invited = any(shows(actor, self.match.id, kept) for kept in self.invitations)
        return bool(self.watch_token(actor)) or invited or bool(self.held_by(actor)) or self.opened_by(actor)

    def watch_token(self, actor: Actor) -> str:
        """Return the token of the link to watch, if an actor shows it or opened the table; otherwise ""."""
        shown = (actor.watch, *actor.tokens, *(watch_token(token, self.match.id) for token in actor.tokens))
        return next((token for token in shown if shows(Actor((token,)), self.match.id, self.watch)), "")

    def others(self, seat: int | None) -> tuple[int, ...]:
        """Return the seats of other people than the one in this seat."""
        mine = self.seats[seat].token_hash if seat is not None else ""
        return tuple(at for at, place in enumerate(self.seats) if place.player in PEOPLE and place.token_hash != mine)

    def deadline(self) -> float | None:
        """Return when the house should `Tick`, if a clock is running."""
        return self.clock.deadline() if self.clock and self.awake and self.phase == Phase.PLAYING else None

    @property
    def commitment(self) -> str:
        """The seal of the dice of the next throw."""
        return self.seals[-1][1]

    def secrets(self) -> tuple[bytes, ...]:
        """Return the secret of each seal, oldest first."""
        if self.secret is None or len(self.secret) != SECRET_BYTES * len(self.seals):
            raise TableeError(f"the dice of table {self.id!r} are sealed: its secret is not known here")
        return tuple(self.secret[at : at + SECRET_BYTES] for at in range(0, len(self.secret), SECRET_BYTES))

    def dice(self) -> Dice:
        """Return the dice of the next event: of the start, or of the next throw."""
        throw = self.throws if self.steps else None
        return bound_dice(self.dice_version, self.secrets()[-1], self.id, self.seq + 1, throw, self.contributions)

    def fork(self) -> "Table":
        """Return an equal table that can change without changing this one."""
        twin = copy(self)
        twin.seats, twin.steps, twin.events = list(self.seats), list(self.steps), self.events.copy()
        twin.invitations, twin.asks, twin.declined = dict(self.invitations), dict(self.asks), dict(self.declined)
        twin.contributions, twin.hints, twin.seals = list(self.contributions), list(self.hints), list(self.seals)
        twin.spoken = dict(self.spoken)
        twin.clock = self.clock.copy() if self.clock else None
        return twin

    def fold(self, event: Event) -> None:
        """Take in the next event of a log, after checking that it follows the last one."""
        if event.table != self.id or event.seq != self.seq + 1:
            raise ChainError(event.seq, f"expected number {self.seq + 1} of table {self.id!r}")
        check_link(event, self.hash)
        self.add(event)

    def add(self, event: Event, payload: p.Payload | None = None) -> None:
        """Take in an event that is known to follow the last one: it was checked, or chained to it just now."""
        payload = payload or p.payload_of(event)
        with readable(event):
            FOLDS[event.kind](self, event, payload)
        if event.kind not in PLAYED:
            self.beside = event.seq
        self.events.append(event)

    # What each kind of event does.

    def fold_seated(self, event: Event, payload: p.Seated) -> None:
        """Somebody sits down, or a program does."""
        seat = at_seat(event)
        before = self.seats[seat]
        held = payload.player != Sitter.PROGRAM
        if held and not payload.token_hash:
            raise ChainError(event.seq, "somebody sits down without a token")
        self.seats[seat] = Seat(
            payload.player,
            event.aside.get("text", ""),
            payload.level or "",
            (payload.token_hash or "") if held else "",
            contributed=not held,
            free_text=held and self.terms.chat == "text",
            before="" if held or payload.because == Reason.TIME else before.token_hash or before.before,
        )
        self.invitations.pop(payload.invitation or "", None)
        if before.token_hash != self.seats[seat].token_hash:
            self.asks = {}
        if self.clock and not held:
            self.clock.stop(seat)
        self.time(event.at)

    def fold_left(self, event: Event, payload: p.Left) -> None:
        """Somebody gets up."""
        self.seats[at_seat(event)] = Seat(left=True, before=self.seats[at_seat(event)].token_hash)
        self.asks = {}

    def fold_invited(self, event: Event, payload: p.Invited) -> None:
        """Somebody may come."""
        self.invitations[payload.hash] = payload.seat

    def fold_contributed(self, event: Event, payload: p.Contributed) -> None:
        """A seat adds to the dice."""
        seat, data = at_seat(event), unhex(event.seq, payload.bytes)
        if self.seats[seat].player == Sitter.PROGRAM:
            check_program(event.seq, data, self.people_contributions)
            self.program_contributions += 1
        self.contributions.append((seat, data))
        self.seats[seat] = replace(self.seats[seat], contributed=True)

    @property
    def people_contributions(self) -> list[Contribution]:
        """What people contributed to the dice; what programs did follows after it."""
        return self.contributions[: len(self.contributions) - self.program_contributions]

    def fold_started(self, event: Event, payload: p.Started) -> None:
        """The game begins: everybody goes to the seat the lot gave, and the set-up stands."""
        order = payload.order
        if sorted(order) != list(range(self.game.seats)):
            raise ChainError(event.seq, f"{list(order)} is no order of the seats")
        self.lot = order
        self.seats = [self.seats[order.index(seat)] for seat in range(self.game.seats)]
        state = self.game.load(self.terms.position) if self.terms.position else self.game.start_from(payload.setup)
        self.phase = Phase.PLAYING
        self.asks = {}
        self.step(event, state)

    def fold_played(self, event: Event, payload: p.Acted | p.Threw) -> None:
        """A seat acts, or the dice fall."""
        state = self.state
        if state is None or self.phase != Phase.PLAYING:
            raise ChainError(event.seq, "nothing can be played now")
        seat = at_seat(event)
        if self.clock and isinstance(payload, p.Acted):
            self.clock.charge(seat, payload.spent, event.at)
        self.throws += isinstance(payload, p.Threw)
        self.step(event, state.play(self.game.parse(payload.token, seat)), payload.token)
        self.asks = {}

    def step(self, event: Event, state: State, token: str = "") -> None:
        """Keep the state that an event led to."""
        if len(self.steps) > 1:  # what the last action did is told from the position before it
            self.steps[-2].state.let_go()
        self.steps.append(Step(event.seq, EventKind(event.kind), event.seat, state, token))
        self.time(event.at)

    def time(self, at: float) -> None:
        """Run the clock for the seats that must act; while a throw is due no clock runs."""
        state = self.state
        if self.clock and state is not None and isinstance(state.node, Decision | Over):
            self.clock.ask([seat for seat in self.asked if self.seats[seat].player != Sitter.PROGRAM], at)

    def fold_asked(self, event: Event, payload: p.Asked) -> None:
        """A seat asks something of the others."""
        self.asks[payload.what] = PendingAsk(payload.what, event.seat, event.seq, payload.to_seq or 0)

    def fold_answered(self, event: Event, payload: p.Answered) -> None:
        """A seat answers: a no ends the request; when all have said yes, the result is an event of its own."""
        what = payload.what
        ask, seat = self.asks[what], at_seat(event)
        if not payload.yes:
            del self.asks[what]
            self.declined[what, ask.seat] = len(self.steps)
            return
        mine = self.seats[seat].token_hash
        same_holder = [at for at, place in enumerate(self.seats) if at == seat or (mine and place.token_hash == mine)]
        self.asks[what] = replace(ask, yes=ask.yes | frozenset(same_holder))
        if what == Ask.TEXT and self.asks[what].yes >= set(self.others(ask.seat)):
            self.seats = [replace(place, free_text=place.player in PEOPLE) for place in self.seats]
            del self.asks[what]

    def fold_took_back(self, event: Event, payload: p.TookBack) -> None:
        """The game goes back to the state before an action; a throw that lies between cannot be undone."""
        to_seq = payload.to_seq
        gone = [step for step in self.steps if step.seq >= to_seq]
        if not gone or gone[0].seq != to_seq or any(step.kind != EventKind.ACTED for step in gone):
            raise ChainError(event.seq, f"nothing can be taken back to event {to_seq}: no action, or a throw lies between")
        self.steps = self.steps[: -len(gone)]
        self.rewritten = event.seq
        self.asks = {}
        self.time(event.at)

    def fold_hinted(self, event: Event, payload: p.Hinted) -> None:
        """A seat was shown a hint."""
        self.hints.append((event.seq, at_seat(event), " ".join(payload.tokens)))

    def fold_said(self, event: Event, payload: p.Said) -> None:
        """A seat says something."""
        seat = at_seat(event)
        self.talk = (*self.talk[-(MOST_TALK - 1) :], event)
        self.spoken[seat] = (*self.spoken.get(seat, ())[-(MOST_SAID - 1) :], event.at)

    def fold_resigned(self, event: Event, payload: p.Resigned) -> None:
        """A seat gives up; the end is an event of its own."""

    def fold_resumed(self, event: Event, payload: p.Resumed) -> None:
        """The house is back: the clock goes on where it could still be answered."""
        if self.clock:
            self.clock.resume({int(seat): spent for seat, spent in payload.spent.items()}, event.at)

    def fold_ended(self, event: Event, payload: p.Ended) -> None:
        """The game is over."""
        self.result = Result(payload.scores, payload.winners, payload.reason)
        self.phase = Phase.OVER
        self.asks = {}
        if self.clock:
            self.clock.since = {}

    def fold_revealed(self, event: Event, payload: p.Revealed) -> None:
        """The secrets of the dice are opened."""
        self.secret = b"".join(unhex(event.seq, secret) for secret in (payload.secret, *(payload.resealed or ())))

    def fold_resealed(self, event: Event, payload: p.Resealed) -> None:
        """Another secret is sealed; before the start everybody contributes anew, having seen it."""
        self.seals.append((event.seq, payload.commitment))
        if self.phase == Phase.WAITING:
            self.contributions = []
            self.seats = [replace(seat, contributed=seat.player == Sitter.PROGRAM) for seat in self.seats]

    def fold_rematch(self, event: Event, payload: p.RematchMade) -> None:
        """Everybody wants another game; it is at another table."""
        self.next = payload.table
        self.asks = {}

    def __repr__(self) -> str:
        """Return a short description for logs, without secrets."""
        return f"<table {self.id} {self.game.slug} {self.phase} at {self.seq}: {written_result(self.state) if self.state else '-'}>"


FOLDS: Mapping[str, Callable[[Table, Event, Any], None]] = {
    EventKind.SEATED: Table.fold_seated,
    EventKind.LEFT: Table.fold_left,
    EventKind.INVITED: Table.fold_invited,
    EventKind.CONTRIBUTED: Table.fold_contributed,
    EventKind.STARTED: Table.fold_started,
    EventKind.ACTED: Table.fold_played,
    EventKind.THREW: Table.fold_played,
    EventKind.ASKED: Table.fold_asked,
    EventKind.ANSWERED: Table.fold_answered,
    EventKind.TOOK_BACK: Table.fold_took_back,
    EventKind.HINTED: Table.fold_hinted,
    EventKind.SAID: Table.fold_said,
    EventKind.RESIGNED: Table.fold_resigned,
    EventKind.RESUMED: Table.fold_resumed,
    EventKind.ENDED: Table.fold_ended,
    EventKind.RESEALED: Table.fold_resealed,
    EventKind.REVEALED: Table.fold_revealed,
    EventKind.REMATCH: Table.fold_rematch,
}
