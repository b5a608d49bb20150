"""A company does anything in any order, with resends, stale plays and restarts; a model of forty lines knows what must have happened."""

import asyncio
from pathlib import Path
from tempfile import mkdtemp

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tablee.store.log import Stale
from tablee.store.sqlite import SqliteLog
from tablee.tables.commands import Abandon, Answer, Command, Contribute, Draw, Leave, Play, Replace, Resign, Say, ShowHint, Sit, Stop, TakeBack
from tablee.tables.door import handle
from tablee.tables.events import Event, verify
from tablee.tables.opening import open_table
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.terms import Terms
from tablee.tables.tokens import HOST, Actor, new_token
from tablee.tables.values import Ask
from tests.tables.company import NOON, same_table
from tests.tables.company import plain_view as view

PEOPLE = {name: new_token() for name in ("Ana", "Ben", "Mallory")}
names = st.sampled_from(sorted(PEOPLE))
seats = st.integers(0, 1)
numbers = st.integers(0, 10_000)


class Model:
    """What a table must be, said as simply as can be: who holds which seat, the tokens played, what is asked, whether it goes on."""

    def __init__(self) -> None:
        """Begin empty."""
        self.holders: list[str] = ["", ""]
        self.before: list[str] = ["", ""]
        self.given = [False, False]
        self.phase = "waiting"
        self.line: list[tuple[int, str, bool]] = []
        self.asked: dict[str, tuple[int, int]] = {}

    def people(self, seat: int) -> set[str]:
        """Return the other people."""
        return {name for name in self.holders if name not in ("", "program", self.holders[seat])}

    def sit(self, name: str, seat: int) -> bool:
        """Return whether somebody sits down."""
        alone = name in self.holders and not (set(self.holders) - {"", "program", name})
        comes = alone or name in ("Ana", self.before[seat])
        fine = self.phase != "over" and (self.holders[seat] == "" or (self.holders[seat] == "program" and comes))
        if fine:
            self.asked = self.asked if self.holders[seat] == name else {}
            self.holders[seat], self.given[seat], self.before[seat] = name, False, ""
        return fine

    def play(self, seat: int, token: str, threw: list[tuple[int, str]]) -> None:
        """Note what was played and thrown."""
        self.line += [(seat, token, False), *((thrower, throw, True) for thrower, throw in threw)]
        self.asked = {}

    def back(self, seat: int) -> int | None:
        """Return how long the line is without the seat's last action, if no throw came after it."""
        for at in range(len(self.line) - 1, -1, -1):
            if self.line[at][2]:
                return None
            if self.line[at][0] == seat:
                return at
        return None


class Tables(RuleBasedStateMachine):
    """The real table and store beside the model."""

    def __init__(self) -> None:
        """Open a table in a new file."""
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.path = Path(mkdtemp()) / "tables.db"
        self.log = SqliteLog(self.path)
        self.model = Model()
        self.sent: list[tuple[str, Command, int]] = []
        self.count = 0
        opening = open_table(Terms(self.game, sitting="open"), PEOPLE["Ana"], NOON, table="machine", secret=bytes(32))  # the same dice in every run
        self.secret = opening.secret
        self.table = Table.from_events(opening.events, opening.secret)
        self.loop.run_until_complete(self.log.create(opening.table, opening.events, opening.secret))

    game = "tablan"

    def teardown(self) -> None:
        """Close the file."""
        self.log.shut()
        self.loop.close()

    def actor(self, name: str) -> Actor:
        """Return somebody."""
        return HOST if name == "program" else Actor((PEOPLE[name],))

    def do(self, name: str, command: Command) -> list[Event] | None:
        """Do as a host does: judge, write, take over the table after it; None if refused."""
        try:
            outcome = handle(self.table, command, self.actor(name), NOON + self.table.seq)
        except Refused:
            return None
        self.loop.run_until_complete(self.log.append(self.table.id, outcome.events))
        self.table = outcome.table
        if command.move_id and outcome.events:
            self.sent.append((name, command, self.table.seq))
        return outcome.events

    def move_id(self) -> str:
        """Return a new number."""
        self.count += 1
        return f"m{self.count}"

    def began(self, events: list[Event]) -> None:
        """Note a start, throws or an end that followed by themselves."""
        for event in events:
            if event.kind == "started":
                self.model.phase, self.model.asked = "playing", {}
            elif event.kind == "threw" and event.seat is not None:
                self.model.line.append((event.seat, str(event.payload["token"]), True))
            elif event.kind == "ended":
                self.model.phase, self.model.asked = "over", {}

    @initialize(company=st.sampled_from([(), ("Ana", "Ben"), ("Ana", "Ben"), ("Ben", "program"), ("Ana", "Ana")]))
    def gather(self, company: tuple[str, ...]) -> None:
        """Mostly begin with a company that sits and plays, since chance alone seldom gets there."""
        for seat, name in enumerate(company):
            if name == "program":
                self.replace("Ana", seat)
            else:
                self.sit(name, seat)
                self.contribute(name, seat)

    @rule(name=names, seat=seats)
    def sit(self, name: str, seat: int) -> None:
        """Sit down, or not."""
        done = self.do(name, Sit(seat, name, move_id=self.move_id()))
        assert (done is not None) == self.model.sit(name, seat)
        self.began(done or [])

    @rule(name=names, seat=seats)
    def contribute(self, name: str, seat: int) -> None:
        """Add to the dice, once and before the start."""
        fine = self.model.phase == "waiting" and self.model.holders[seat] == name and not self.model.given[seat]
        done = self.do(name, Contribute(seat, "ab" * 16))
        assert (done is not None) == fine
        if done:
            self.model.given[seat] = True
            self.began(done)

    @rule(name=names, seat=seats)
    def replace(self, name: str, seat: int) -> None:
        """Seat a program, or not."""
        held = self.model.holders[seat]
        fine = self.model.phase != "over" and (name == "Ana" or name in self.model.holders) and held in ("", "program", name)
        done = self.do(name, Replace(seat, "1"))
        assert (done is not None) == fine
        if done:
            self.model.asked = self.model.asked if held in ("", "program") else {}
            self.model.before[seat] = held if held in PEOPLE else self.model.before[seat]
            self.model.holders[seat] = "program"
            self.began(done)

    @rule(name=names, seat=seats)
    def leave(self, name: str, seat: int) -> None:
        """Get up, or not."""
        fine = self.model.phase != "over" and self.model.holders[seat] == name
        if self.count % 4:
            return
        done = self.do(name, Leave(seat))
        assert (done is not None) == fine
        if done:
            self.model.holders[seat], self.model.before[seat], self.model.asked = "", name, {}
            self.began(done)

    @rule(picks=st.lists(numbers, min_size=1, max_size=6))
    @precondition(lambda self: self.table.asked)
    def go_on(self, picks: list[int]) -> None:
        """Play some rightful actions and take some back, since chance alone seldom finds one."""
        for pick in picks:
            if pick % 3 == 1 and self.model.line:
                self.regret(pick % 4 > 0)
            elif self.table.asked:
                self.play(self.table.asked[0], pick, None, False)

    def regret(self, yes: bool) -> None:
        """Ask for a take-back as whoever played last, and answer it."""
        seat = self.model.line[-1][0]
        if self.model.holders[seat] in PEOPLE:
            self.ask(self.model.holders[seat], seat, TakeBack)
            self.answer(None, 1 - seat, "take_back", yes)

    @rule(seat=seats, pick=numbers, name=st.none() | names, old=st.booleans())
    def play(self, seat: int, pick: int, name: str | None, old: bool) -> None:
        """Play a legal action, as its holder or as somebody else, perhaps without having seen the last event of the game."""
        state = self.table.state
        holder = self.model.holders[seat]
        legal = state.legal(seat) if state and self.model.phase == "playing" else []
        token = self.table.game.notate(legal[pick % len(legal)] if legal else 0)
        who = name or holder or "Mallory"
        seen = self.table.steps[-1].seq - 1 if old and self.table.steps else self.table.seq
        done = self.do(who, Play(seat, (token,), seq=seen, move_id=self.move_id()))
        assert (done is not None) == (bool(legal) and who == holder and not old)
        if done:
            self.model.play(seat, token, [])
            self.began(done[1:])

    @rule(pick=numbers)
    @precondition(lambda self: self.sent)
    def resend(self, pick: int) -> None:
        """Send an old request again: the same answer, nothing new."""
        name, command, _ = self.sent[pick % len(self.sent)]
        assert command.move_id is not None
        answer, seq = self.table.answer_of(command.move_id), self.table.seq
        assert answer is not None
        assert self.do(name, command) == []
        assert (self.table.answer_of(command.move_id), self.table.seq) == (answer, seq)

    @rule()
    def write_twice(self) -> None:
        """A second writer comes too late."""
        before = self.loop.run_until_complete(self.log.events(self.table.id))
        try:
            self.loop.run_until_complete(self.log.append(self.table.id, self.table.events[-1:]))
        except Stale:
            assert self.loop.run_until_complete(self.log.events(self.table.id)) == before
        else:
            raise AssertionError("an event was written twice")

    @rule(name=names, seat=seats, what=st.sampled_from([TakeBack, Draw, Abandon, Stop]))
    def ask(self, name: str, seat: int, what: type[TakeBack] | type[Draw] | type[Abandon] | type[Stop]) -> None:
        """Ask for something; where nobody is to be asked it happens."""
        key = {TakeBack: "take_back", Draw: "draw", Abandon: "abandon", Stop: "stop"}[what]
        back = self.model.back(seat)
        phases = ("waiting", "playing") if key == "abandon" else ("playing",)
        declined = self.table.declined.get((key, seat)) == len(self.table.steps)
        fine = self.model.holders[seat] == name and self.model.phase in phases and key not in self.model.asked and not declined
        fine = fine and (key != "take_back" or back is not None) and (key != "stop" or self.game == "tabu")
        done = self.do(name, what(seat))
        assert (done is not None) == fine
        if done is None:
            return
        alone = not self.model.people(seat) and not (key == "draw" and "program" in self.model.holders)
        assert (len(done) > 1) == alone
        self.model.asked[key] = (seat, len(self.model.line) if back is None else back)
        if alone:
            self.agreed(key, done)

    @rule(name=st.none() | names, seat=seats, key=st.sampled_from(["take_back", "draw", "abandon", "stop"]), yes=st.booleans())
    def answer(self, name: str | None, seat: int, key: str, yes: bool) -> None:
        """Answer, if it is asked of that seat."""
        who = name or self.model.holders[seat] or "Mallory"
        asked = self.model.asked.get(key)
        others = self.model.people(asked[0]) if asked else set()
        wanted = asked and seat != asked[0] and (self.model.holders[seat] in others or (key == "draw" and self.model.holders[seat] == "program"))
        done = self.do(who, Answer(seat, Ask(key), yes))
        assert (done is not None) == bool(wanted and who == self.model.holders[seat])
        if done and yes:
            self.agreed(key, done)
        elif done:
            del self.model.asked[key]

    def agreed(self, key: str, done: list[Event]) -> None:
        """Note what everybody agreed to."""
        if key == "take_back":
            self.model.line = self.model.line[: self.model.asked[key][1]]
            self.model.asked = {}
        elif key == "stop" and self.table.state and self.table.result:
            money = [int(self.table.state.position.score(seat)) for seat in range(2)]
            assert list(self.table.result.scores) == money
            assert list(self.table.result.winners) == [seat for seat in range(2) if money[seat] == max(money)]
        self.began(done)

    @rule(name=names, seat=seats)
    def resign(self, name: str, seat: int) -> None:
        """Give up, or not."""
        fine = self.model.phase == "playing" and self.model.holders[seat] == name
        if self.count % 8:
            return
        done = self.do(name, Resign(seat))
        assert (done is not None) == fine
        self.began(done or [])

    @rule(name=names, seat=seats, hint=st.booleans())
    def talk(self, name: str, seat: int, hint: bool) -> None:
        """Say something or take a hint: the game does not change."""
        self.do(name, Say(seat, "hello"))
        state = self.table.state
        if hint and state and state.legal(seat):
            self.do(name, ShowHint(seat, (self.table.game.notate(state.legal(seat)[0]),)))

    @rule()
    def crash(self) -> None:
        """Everything in memory is gone; the log is not."""
        before = self.table
        self.log.shut()
        self.log = SqliteLog(self.path)
        events = self.loop.run_until_complete(self.log.events(before.id))
        self.table = Table.from_events(events, self.loop.run_until_complete(self.log.secret(before.id)))
        assert same_table(before, self.table)

    @invariant()
    def as_the_model_says(self) -> None:
        """The table is what the model says, its log hangs together, and everybody can see it."""
        table = self.table
        assert table.phase == self.model.phase
        assert [step.token for step in table.steps[1:]] == [token for _, token, _ in self.model.line]
        assert {key: ask.seat for key, ask in table.asks.items()} == {key: seat for key, (seat, _) in self.model.asked.items()}
        for seat in range(2):
            held = {name for name in PEOPLE if table.holds(self.actor(name), seat)}
            assert held == {self.model.holders[seat]} - {"", "program"}
        assert verify(table.events) == table.hash
        assert view(table, self.actor("Ben"))["hash"] == table.hash


class Pushes(Tables):
    """The same with a game without dice, where take-backs go far."""

    game = "traboulet"


class Stakes(Tables):
    """The same with a game whose players may agree to stop and count."""

    game = "tabu"


quick = settings(max_examples=15, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck))
Tables.TestCase.settings = quick
Pushes.TestCase.settings = quick
Stakes.TestCase.settings = quick
TestTables = Tables.TestCase
TestPushes = Pushes.TestCase
TestStakes = Stakes.TestCase
