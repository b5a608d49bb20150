"""A table is the fold of its log: the seats, the game, what is asked, the clock, the result.

table = Table.from_events(events, secret)
outcome = handle(table, Play(0, ("b7c7",), move_id="…"), Actor(tokens), now)  # see door.py: `table` itself has not changed
await log.append(table.id, outcome.events)                                    # written and committed
table = outcome.table                                                         # now it has happened
table.answer_of("…")                                                          # confirm; then tell everybody their `view`
"""

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import replace

from tablee.core.errors import TableeError
from tablee.core.game import Game
from tablee.core.record import result as written_result
from tablee.core.state import Decision, Over, State
from tablee.tables.clock import Clock
from tablee.tables.dice import Contribution, Dice, unhex
from tablee.tables.events import ChainError, Event, check_link
from tablee.tables.payload import at_seat, listed, named, read_invitation, read_match, readable, whole
from tablee.tables.terms import Terms, read_opened
from tablee.tables.tokens import Actor, shows
from tablee.tables.values import OVER, PEOPLE, PLAYING, PROGRAM, WAITING, Answered, Ask, Match, Result, Seat, Step

# How many times of speaking, and how many things said, a table remembers.
MOST_SAID, MOST_TALK = 8, 30


class Table:
    """One game between its seats, as the log tells it."""

    def __init__(self, first: Event, secret: bytes | None) -> None:
        """Lay the table as its first event says; `secret` is what the dice were sealed with, unknown to those who only verify."""
        self.id = first.table
        self.secret = secret
        self.terms: Terms = read_opened(first.payload)
        self.game: Game = self.terms.agreed()
        self.commitment = str(first.payload.get("commitment", ""))
        self.opener = str(first.payload.get("opener", ""))
        self.watch = str(first.payload.get("watch", ""))
        self.match: Match = read_match(first.payload.get("match"), self.id)
        self.invitations: dict[str, int | None] = dict(read_invitation(one) for one in listed(first.payload.get("invitations")))
        self.seats: list[Seat] = [Seat() for _ in range(self.game.seats)]
        self.phase = WAITING
        self.steps: list[Step] = []
        self.hints: list[tuple[int, int, str]] = []
        self.contributions: list[Contribution] = []
        self.asks: dict[str, Ask] = {}
        self.declined: dict[tuple[str, int | None], int] = {}
        self.clock: Clock | None = Clock(self.terms.clock, self.game.seats) if self.terms.clock else None
        self.awake = False
        self.spoken: dict[int, tuple[float, ...]] = {}
        self.talk: tuple[Event, ...] = ()
        self.answers: dict[str, Answered] = {}
        self.rewritten = -1
        self.result: Result | None = None
        self.next = ""
        self.events: list[Event] = [first]

    @classmethod
    def from_events(cls, events: Iterable[Event], secret: bytes | None = None) -> "Table":
        """Return the table that a whole log tells of; every link of the chain is checked."""
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
        return self.answers.get(move_id)

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return self.events[-1].seq

    @property
    def hash(self) -> str:
        """The hash of the last event: equal for all who have seen the same."""
        return self.events[-1].hash

    @property
    def state(self) -> State | None:
        """The game as it stands, once it has started."""
        return self.steps[-1].state if self.steps else None

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that may act now."""
        state = self.state
        if self.phase != PLAYING or state is None or not isinstance(state.node, Decision):
            return ()
        return state.node.seats

    def holds(self, actor: Actor, seat: int) -> bool:
        """Return whether an actor shows the token of a seat."""
        return shows(actor, self.match.id, self.seats[seat].token_hash)

    def held_by(self, actor: Actor) -> tuple[int, ...]:
        """Return the seats whose token an actor shows."""
        return tuple(seat for seat in range(self.game.seats) if self.holds(actor, seat))

    def opened_by(self, actor: Actor) -> bool:
        """Return whether an actor opened the table."""
        return shows(actor, self.match.id, self.opener)

    def may_watch(self, actor: Actor) -> bool:
        """Return whether an actor may look at the table."""
        if actor.host or self.terms.watching == "all":
            return True
        invited = any(shows(actor, self.match.id, kept) for kept in self.invitations)
        return shows(actor, self.match.id, self.watch) or self.opened_by(actor) or invited or bool(self.held_by(actor))

    def others(self, seat: int | None) -> tuple[int, ...]:
        """Return the seats of other people than the one in this seat."""
        mine = self.seats[seat].token_hash if seat is not None else ""
        return tuple(at for at, one in enumerate(self.seats) if one.player in PEOPLE and one.token_hash != mine)

    def deadline(self) -> float | None:
        """Return when the house should `Tick`, if a clock is running."""
        return self.clock.deadline() if self.clock and self.awake and self.phase == PLAYING else None

    def dice(self, seq: int) -> Dice:
        """Return the dice of the event with that number."""
        if self.secret is None:
            raise TableeError(f"the dice of table {self.id!r} are sealed: its secret is not known here")
        return Dice(self.secret, self.id, seq, self.contributions)

    def fork(self) -> "Table":
        """Return an equal table that can change without changing this one."""
        twin = copy(self)
        twin.seats, twin.steps, twin.events = list(self.seats), list(self.steps), list(self.events)
        twin.invitations, twin.asks, twin.declined = dict(self.invitations), dict(self.asks), dict(self.declined)
        twin.contributions, twin.hints = list(self.contributions), list(self.hints)
        twin.spoken, twin.answers = dict(self.spoken), dict(self.answers)
        twin.clock = self.clock.copy() if self.clock else None
        return twin

    def fold(self, event: Event) -> None:
        """Take in the next event of a log, after checking that it follows the last one."""
        if event.table != self.id or event.seq != self.seq + 1:
            raise ChainError(event.seq, f"expected number {self.seq + 1} of table {self.id!r}")
        check_link(event, self.hash)
        self.add(event)

    def add(self, event: Event) -> None:
        """Take in an event that is known to follow the last one: it was checked, or chained to it just now."""
        with readable(event):
            FOLDS[event.kind](self, event)
        if event.move_id is not None:
            self.answers[event.move_id] = Answered(event.seq, event.hash, str(event.payload.get("digest", "")))
        self.events.append(event)

    # What each kind of event does.

    def fold_seated(self, event: Event) -> None:
        """Somebody sits down, or a program does."""
        payload, seat = event.payload, at_seat(event)
        player = str(payload["player"])
        before = self.seats[seat]
        held = player != PROGRAM
        self.seats[seat] = Seat(
            player,
            event.aside.get("text", ""),
            str(payload.get("level", "")),
            str(payload["token_hash"]) if held else "",
            contributed=not held,
            writes=held and self.terms.chat == "text",
            before="" if held or payload.get("because") == "time" else before.token_hash or before.before,
        )
        self.invitations.pop(str(payload.get("invitation", "")), None)
        if before.token_hash != self.seats[seat].token_hash:
            self.asks = {}
        if self.clock and not held:
            self.clock.stop(seat)
        self.time(event.at)

    def fold_left(self, event: Event) -> None:
        """Somebody gets up."""
        self.seats[at_seat(event)] = Seat(left=True, before=self.seats[at_seat(event)].token_hash)
        self.asks = {}

    def fold_invited(self, event: Event) -> None:
        """Somebody may come."""
        name, seat = read_invitation(event.payload)
        self.invitations[name] = seat

    def fold_contributed(self, event: Event) -> None:
        """A seat adds to the dice."""
        seat = at_seat(event)
        self.contributions.append((seat, unhex(event.seq, event.payload["bytes"])))
        self.seats[seat] = replace(self.seats[seat], contributed=True)

    def fold_started(self, event: Event) -> None:
        """The game begins: everybody goes to the seat the lot gave, and the set-up stands."""
        order = [whole(one) for one in listed(event.payload["order"])]
        if sorted(order) != list(range(self.game.seats)):
            raise ChainError(event.seq, f"{order} is no order of the seats")
        self.seats = [self.seats[order.index(seat)] for seat in range(self.game.seats)]
        setup = {name: str(value) for name, value in named(event.payload["setup"]).items()}
        state = self.game.load(self.terms.position) if self.terms.position else self.game.start_from(setup)
        self.phase = PLAYING
        self.asks = {}
        self.step(event, state)

    def fold_played(self, event: Event) -> None:
        """A seat acts, or the dice fall."""
        state, token = self.state, event.payload["token"]
        if state is None or self.phase != PLAYING or not isinstance(token, str):
            raise ChainError(event.seq, "nothing can be played now")
        seat = at_seat(event)
        if self.clock and event.kind == "acted":
            self.clock.charge(seat, whole(event.payload["spent"]), event.at)
        self.step(event, state.play(self.game.parse(token, seat)))
        self.asks = {}

    def step(self, event: Event, state: State) -> None:
        """Keep the state that an event led to."""
        self.steps.append(Step(event.seq, event.kind, event.seat, state, str(event.payload.get("token", ""))))
        self.time(event.at)

    def time(self, at: float) -> None:
        """Let the clock run for those who are asked now; while a throw is due nobody loses time."""
        state = self.state
        if self.clock and state is not None and isinstance(state.node, Decision | Over):
            self.clock.ask([seat for seat in self.asked if self.seats[seat].player != PROGRAM], at)

    def fold_asked(self, event: Event) -> None:
        """A seat asks something of the others."""
        what = str(event.payload["what"])
        self.asks[what] = Ask(what, event.seat, event.seq, whole(event.payload.get("to_seq", 0)))

    def fold_answered(self, event: Event) -> None:
        """A seat answers: a no settles it; when all have said yes, what follows is an event of its own."""
        what, yes = str(event.payload["what"]), bool(event.payload["yes"])
        ask, seat = self.asks[what], at_seat(event)
        if not yes:
            del self.asks[what]
            self.declined[what, ask.seat] = len(self.steps)
            return
        mine = self.seats[seat].token_hash
        same_holder = [at for at, one in enumerate(self.seats) if at == seat or (mine and one.token_hash == mine)]
        self.asks[what] = replace(ask, yes=ask.yes | frozenset(same_holder))
        if what == "text" and self.asks[what].yes >= set(self.others(ask.seat)):
            self.seats = [replace(one, writes=one.player in PEOPLE) for one in self.seats]
            del self.asks[what]

    def fold_took_back(self, event: Event) -> None:
        """The game goes back to the state before an action; a throw that lies between cannot be undone."""
        to_seq = whole(event.payload["to_seq"])
        gone = [step for step in self.steps if step.seq >= to_seq]
        if not gone or gone[0].seq != to_seq or any(step.kind != "acted" for step in gone):
            raise ChainError(event.seq, f"nothing can be taken back to event {to_seq}: no action, or a throw lies between")
        self.steps = self.steps[: -len(gone)]
        self.rewritten = event.seq
        self.asks = {}
        self.time(event.at)

    def fold_hinted(self, event: Event) -> None:
        """A seat was shown a hint."""
        self.hints.append((event.seq, at_seat(event), " ".join(str(one) for one in listed(event.payload["tokens"]))))

    def fold_said(self, event: Event) -> None:
        """A seat says something."""
        seat = at_seat(event)
        self.talk = (*self.talk[-(MOST_TALK - 1) :], event)
        self.spoken[seat] = (*self.spoken.get(seat, ())[-(MOST_SAID - 1) :], event.at)

    def fold_resumed(self, event: Event) -> None:
        """The house is back: the clock goes on where it could still be answered."""
        if self.clock:
            self.clock.resume({int(seat): whole(spent) for seat, spent in named(event.payload["spent"]).items()}, event.at)
        self.awake = True

    def fold_ended(self, event: Event) -> None:
        """The game is over."""
        scores = tuple(whole(one) for one in listed(event.payload["scores"]))
        winners = tuple(whole(one) for one in listed(event.payload["winners"]))
        self.result = Result(scores, winners, str(event.payload["reason"]))
        self.phase = OVER
        self.asks = {}
        if self.clock:
            self.clock.since = {}

    def fold_revealed(self, event: Event) -> None:
        """The secret of the dice is opened."""
        self.secret = unhex(event.seq, event.payload["secret"])

    def fold_rematch(self, event: Event) -> None:
        """Everybody wants another game; it is at another table."""
        self.next = str(event.payload["table"])
        self.asks = {}

    def __repr__(self) -> str:
        """Return what one wants to see in a log: no secrets."""
        return f"<table {self.id} {self.game.slug} {self.phase} at {self.seq}: {written_result(self.state) if self.state else '-'}>"


FOLDS: Mapping[str, Callable[[Table, Event], None]] = {
    "seated": Table.fold_seated,
    "left": Table.fold_left,
    "invited": Table.fold_invited,
    "contributed": Table.fold_contributed,
    "started": Table.fold_started,
    "acted": Table.fold_played,
    "threw": Table.fold_played,
    "asked": Table.fold_asked,
    "answered": Table.fold_answered,
    "took_back": Table.fold_took_back,
    "hinted": Table.fold_hinted,
    "said": Table.fold_said,
    "resigned": lambda table, event: None,
    "resumed": Table.fold_resumed,
    "ended": Table.fold_ended,
    "revealed": Table.fold_revealed,
    "rematch": Table.fold_rematch,
}
