"""A game in lines of text: one sentence an event, typed notation, refusals in words with their paragraph."""

import hashlib
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random, SystemRandom

from tablee.core.errors import TableeError, unknown
from tablee.core.game import NO_SETUP, Game
from tablee.core.kind import Kind, Setup
from tablee.core.record import split
from tablee.core.scene import Scene
from tablee.core.state import Decision, State
from tablee.core.text import write
from tablee.locale import words as door_words
from tablee.locale.errors import in_language
from tablee.players.analysis import analyse
from tablee.players.bot import Fault
from tablee.players.name import NAMES as PROGRAMS
from tablee.players.outside import make_player
from tablee.players.player import Player
from tablee.players.program import Program, names_program
from tablee.tables.commands import Command, Play, Replace, ShowHint, Sit, Start, Stop, TakeBack
from tablee.tables.door import handle
from tablee.tables.events import Event, packed
from tablee.tables.levels import middle, player_name
from tablee.tables.opening import open_table
from tablee.tables.payloads import Acted, Threw, TookBack
from tablee.tables.refused import Refused
from tablee.tables.table import Table
from tablee.tables.telling import event_sentences, result_sentences
from tablee.tables.terms import Terms
from tablee.tables.tokens import HOST, Actor, new_table_id, new_token
from tablee.tables.values import Phase, Sitter
from tablee.terminal.asides import COMMANDS, read_command, record, rule, save

HUMAN = "human"
PATIENCE = 3.0
HINT = 1.0


@dataclass(frozen=True)
class Console:
    """How a terminal talks: `ask` reads a line and raises EOFError at the end, `say` writes one.

    `boards` says whether to draw boards, with `draw`; `completes` receives the words that Tab can complete.
    """

    ask: Callable[[str], str]
    say: Callable[[str], None]
    language: str
    boards: bool = False
    draw: Callable[[Scene], str] = write
    completes: Callable[[list[str]], None] = lambda words: None


@dataclass(frozen=True)
class Keeping:
    """The position line from which a game continues, and the file for its record."""

    position: str = ""
    file: Path | None = None


class PlainTable:
    """One table at one terminal, for people and computer players in any mix."""

    def __init__(
        self, game: Game, players: Sequence[str], console: Console, seed: int | None = None, setup: Setup = NO_SETUP, kept: Keeping | None = None
    ) -> None:
        """Seat the players, `human` or the name of a program, and begin; a seed repeats the dice and the programs.

        `setup` is what the table chooses of the set-up; `kept` is where to go on from, and where the record is kept.
        """
        self.game = game
        self.kept = kept or Keeping()
        self.console = console
        self.say = console.say
        self.words = game.kind.words(console.language)
        self.doors = door_words(console.language)
        self.person = Actor((new_token(),))
        self.random: Random = SystemRandom() if seed is None else Random(seed)
        names = seated(players, game.seats, game.kind)
        self.programs = {seat: seat_program(game, name, self.random.randrange(1 << 40)) for seat, name in enumerate(names) if name != HUMAN}
        self.table = lay(game, self.person, seed, setup, self.kept.position)
        for seat, name in enumerate(names):
            self.seat(seat, name)
        if self.table.phase == Phase.WAITING:
            self.do(Start(), self.person)

    def seat(self, seat: int, name: str) -> None:
        """Seat a person, a program of ours, or one of your own."""
        if names_program(name):
            self.do(Sit(seat, name[:40], player="bot"), self.person)
        else:
            self.do(Sit(seat) if name == HUMAN else Replace(seat, name.removeprefix("level")), HOST if seat in self.programs else self.person)

    def close(self) -> None:
        """End the programs that run in processes of their own."""
        for program in self.programs.values():
            if isinstance(program, Program):
                program.close()

    def do(self, command: Command, actor: Actor) -> list[Event]:
        """Let a command happen at the table, and return its events."""
        outcome = handle(self.table, command, actor, time.time())
        self.table = outcome.table
        return outcome.events

    @property
    def state(self) -> State:
        """The game as it stands."""
        state = self.table.state
        assert state is not None  # it was started when it was laid
        return state

    def run(self) -> State:
        """Play to the end, or until somebody quits; return the last state."""
        self.say(self.doors("welcome", game=self.words("title")))
        if self.game.kind.counted_by:
            self.say(self.doors("welcome stop"))
        for event in self.table.events:
            self.tell(event)
        self.show()
        while self.table.result is None:
            try:
                self.step(self.table.asked)
            except (EOFError, KeyboardInterrupt):
                self.say(self.doors("stopped"))
                self.leave()
                return self.state
        for sentence in result_sentences(self.state, self.table.result, self.console.language):
            self.say(sentence)
        self.leave()
        return self.state

    def leave(self) -> None:
        """Show the record, and keep it where that was asked for."""
        self.say(record(self.table))
        if self.kept.file:
            self.say(save(self.table, str(self.kept.file), self.console.language))

    def step(self, asked: tuple[int, ...]) -> None:
        """Let a program play, or ask a person."""
        seat = self.program_due(asked)
        if seat is None:
            self.listen(asked[0])
            return
        try:
            self.answer(seat, self.choice(seat, self.state))
        except Fault as fault:
            self.take_over(seat, fault)

    def program_due(self, asked: Sequence[int]) -> int | None:
        """Return the first of the seats asked that a program plays."""
        return next((seat for seat in asked if seat in self.programs), None)

    def choice(self, seat: int, state: State) -> int:
        """Return what the program of a seat plays."""
        return self.programs[seat].choose(state, seat, seconds=PATIENCE)

    def answer(self, seat: int, action: int) -> None:
        """Play what the program of a seat has chosen."""
        self.play(seat, self.game.notate(action), HOST if self.table.seats[seat].player == Sitter.PROGRAM else self.person)

    def take_over(self, seat: int, fault: Fault) -> None:
        """Report the fault of a program, and let one of ours continue for it."""
        self.say(in_language(str(fault), self.console.language))
        failed, level = self.programs[seat], player_name(self.game.kind, middle(self.game.kind))
        if isinstance(failed, Program):
            failed.close()
        self.programs[seat] = Player(self.game, level, self.random.randrange(1 << 40))
        self.do(Replace(seat, level.removeprefix("level")), self.person)
        self.say(self.doors("taken over", seat=self.state.seat_name(seat, self.console.language), level=level))

    def play(self, seat: int, token: str, actor: Actor) -> None:
        """Play an action, and tell what happened."""
        turn = self.state.turn
        for event in self.do(Play(seat, (token,)), actor):
            self.tell(event)
        if self.state.turn != turn or self.table.result:
            self.show()

    def tell(self, event: Event) -> None:
        """Say what was played or thrown."""
        if event.kind in (Acted.kind, Threw.kind):
            for sentence in event_sentences(self.table, event, self.console.language):
                self.say(sentence)

    def show(self) -> None:
        """Draw the board, where boards are wanted."""
        if self.console.boards:
            self.say(self.console.draw(self.state.scene(self.console.language)))

    def listen(self, seat: int) -> None:
        """Ask a person for actions or a command, and do it."""
        self.obey(self.ask(seat), seat)

    def ask(self, seat: int) -> str:
        """Return what a person types when asked to act."""
        node = self.state.node
        if isinstance(node, Decision):
            self.say(self.words.say(node.ask))
        legal = [self.game.notate(action) for action in self.state.legal(seat)]
        self.console.completes([*legal, *(word for words in COMMANDS.values() for word in words)])
        return self.console.ask(self.doors("prompt", seat=self.state.seat_name(seat, self.console.language))).strip()

    def obey(self, line: str, seat: int) -> None:
        """Do what a person has typed: a command, or actions."""
        command, rest = read_command(line)
        match command:
            case "":
                return
            case "legal":
                self.say(" ".join(self.game.notate(action) for action in self.state.legal(seat)))
            case "help":
                self.say(self.doors("help"))
            case "hint":
                self.say(self.hint(seat))
            case "undo":
                self.undo()
            case "stop":
                self.stop(seat)
            case "board":
                self.say(self.console.draw(self.state.scene(self.console.language)))
            case "rule":
                self.say(rule(self.game.kind, rest, self.console.language))
            case "record":
                self.say(record(self.table))
            case "save":
                self.say(save(self.table, rest, self.console.language))
            case "quit":
                raise EOFError
            case _:
                self.type(line, seat)

    def type(self, line: str, seat: int) -> None:
        """Play typed tokens one after the other; stop at the first that is refused."""
        tokens = split(self.game, line)
        for at, token in enumerate(tokens):
            if seat not in self.table.asked:
                self.say(self.doors("left over", tokens=" ".join(tokens[at:])))
                return
            try:
                self.play(seat, token, self.person)
            except Refused as error:
                self.refuse(error, token)
                return

    def refuse(self, error: Refused, token: str) -> None:
        """Say why something is not done: one reason, the plainest."""
        if error.code == "unreadable" and not error.reasons(self.console.language):
            paragraph = f" ({self.game.kind.title} {error.paragraphs[0]})" if error.paragraphs else ""
            self.say(self.doors("unreadable", token=token) + paragraph)
            return
        self.say(error.sentences(self.console.language)[0])

    def hint(self, seat: int) -> str:
        """Return what a strong player would do here, and what it expects; the table notes that it was asked."""
        analysis = analyse(self.state, HINT, seat, self.random.randrange(1 << 40))
        self.do(ShowHint(seat, (self.game.notate(analysis.best),)), self.person)
        line = " ".join(map(self.game.notate, analysis.line[1:6]))
        said = self.doors("hint", action=self.game.notate(analysis.best), chance=round(100 * analysis.expectation[seat]))
        return f"{said} {self.doors('hint line', line=line)}" if line else said

    def undo(self) -> None:
        """Take back the last action of a person, but never over a throw."""
        people = [seat for seat in self.table.held_by(self.person) if seat not in self.programs]
        seat = next((step.seat for step in reversed(self.table.steps) if step.seat in people), people[0] if people else 0)
        try:
            events = self.do(TakeBack(seat), self.person)
        except Refused as error:
            self.refuse(error, "")
            return
        if any(event.kind == TookBack.kind for event in events):
            self.say(self.doors("undone"))
            self.show()

    def stop(self, seat: int) -> None:
        """Stop the game and count the scores, where the rules let the players agree on it."""
        try:
            self.do(Stop(seat), self.person)
        except Refused as error:
            self.refuse(error, "")


def lay(game: Game, person: Actor, seed: int | None, setup: Setup, position: str = "") -> Table:
    """Return a new table; its dice are sealed, or derived from a seed. A house never takes a seed, which reveals every throw."""
    name, secret = new_table_id(), None
    if seed is not None:
        secret = hashlib.sha256(packed(b"tablee terminal v1", str(seed).encode())).digest()
        name = urlsafe_b64encode(hashlib.sha256(secret).digest()).decode()[:16]
    terms = Terms(game.slug, game.seats, game.options, setup=setup, position=position, rules=game.rules)
    opening = open_table(terms, person.tokens[0], time.time(), table=name, secret=secret)
    return Table.from_events(opening.events, opening.secret)


def seat_program(game: Game, name: str, seed: int) -> Player | Program:
    """Return a computer player, ours or one of your own, or raise the error that lists them all."""
    if name.partition(":")[0] not in PROGRAMS and not names_program(name):
        raise unknown("player", name, (HUMAN, *PROGRAMS, "module:Class", "cmd:PROGRAM"))
    return make_player(game, name, seed)


def seated(players: Sequence[str], seats: int, kind: Kind) -> list[str]:
    """Return a player for each seat: those given, the last one also for the remaining seats; without any, one person against the middle level."""
    if not players:
        return [HUMAN] + [player_name(kind, middle(kind))] * (seats - 1)
    if len(players) > seats:
        raise TableeError(f"{len(players)} players are too many: this table has {seats} seats")
    return [*players, *[players[-1]] * (seats - len(players))]
