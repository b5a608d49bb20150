"""A game in lines of text: one sentence an event, typed notation, refusals in words with their paragraph."""

from collections.abc import Callable, Sequence
from random import Random, SystemRandom

from tablee.core.errors import NotationError, TableeError, unknown
from tablee.core.game import Game
from tablee.core.record import split, write_record
from tablee.core.rulebook import read_rulebook
from tablee.core.state import Chance, Decision, Over, State
from tablee.core.text import write
from tablee.locale import words as door_words
from tablee.players.analysis import analyse
from tablee.players.name import NAMES as PROGRAMS
from tablee.players.player import Player
from tablee.terminal.telling import ending, told

HUMAN = "human"
PATIENCE = 3.0
HINT = 1.0


class PlainTable:
    """One game at one terminal, for people and computer players mixed as one likes."""

    def __init__(
        self,
        game: Game,
        players: Sequence[str],
        language: str,
        ask: Callable[[str], str],
        say: Callable[[str], None],
        *,
        boards: bool = False,
        seed: int | None = None,
    ) -> None:
        """Seat the players, `human` or the name of a program; `ask` reads a line and raises EOFError at the end."""
        self.game = game
        self.players = seated(players, game.seats)
        self.words = game.kind.words(language)
        self.doors = door_words(language)
        self.ask = ask
        self.say = say
        self.boards = boards
        self.random: Random = SystemRandom() if seed is None else Random(seed)
        self.programs = {name: seat_program(game, name, self.random.randrange(1 << 40)) for name in dict.fromkeys(self.players) if name != HUMAN}
        self.state = game.start(self.random.randrange)

    def run(self) -> State:
        """Play to the end, or until somebody quits; return the last state."""
        self.say(self.doors("welcome", game=self.words("title")))
        self.show()
        while not isinstance(self.state.node, Over):
            try:
                self.step()
            except (EOFError, KeyboardInterrupt):
                self.say(self.doors("stopped"))
                self.say(write_record(self.state))
                return self.state
        for sentence in ending(self.state, self.words):
            self.say(sentence)
        return self.state

    def step(self) -> None:
        """Throw, let a program play, or ask a person."""
        match self.state.node:
            case Chance():
                position = self.state.position
                self.play(int(position.throw(self.random.randrange(int(position.chances())))))
            case Decision(seats, _):
                programs = [seat for seat in seats if self.players[seat] != HUMAN]
                if programs:
                    self.play(self.programs[self.players[programs[0]]].choose(self.state, programs[0], seconds=PATIENCE))
                else:
                    self.listen(seats[0])
            case Over():
                return

    def play(self, action: int) -> None:
        """Play an action and tell what happened."""
        turn = self.state.turn
        self.state = self.state.play(action)
        for sentence in told(self.state, self.words):
            self.say(sentence)
        if self.state.turn != turn or isinstance(self.state.node, Over):
            self.show()

    def show(self) -> None:
        """Draw the board, where boards are wanted."""
        if self.boards:
            self.say(write(self.state.scene(self.words.language)))

    def listen(self, seat: int) -> None:
        """Ask a person for actions or a command, and do it."""
        node = self.state.node
        if isinstance(node, Decision):
            self.say(self.words.say(node.ask))
        line = self.ask(self.doors("prompt", seat=self.words(f"seat {seat + 1}"))).strip()
        command, _, rest = line.partition(" ")
        match command:
            case "":
                return
            case "?":
                self.say(" ".join(self.game.notate(action) for action in self.state.legal(seat)))
            case "hint":
                self.say(self.hint(seat))
            case "undo":
                self.undo()
            case "board":
                self.say(write(self.state.scene(self.words.language)))
            case "rule":
                self.say(self.rule(rest.strip()))
            case "quit":
                raise EOFError
            case _:
                self.type(line, seat)

    def type(self, line: str, seat: int) -> None:
        """Play typed tokens one after the other; stop at the first that is refused."""
        tokens = split(self.game, line)
        for at, token in enumerate(tokens):
            node = self.state.node
            if not isinstance(node, Decision) or seat not in node.seats:
                self.say(self.doors("left over", tokens=" ".join(tokens[at:])))
                return
            try:
                action = self.game.parse(token, seat)
            except NotationError as error:
                self.say(self.doors("unreadable", token=token) + (f" ({self.game.kind.title} {error.paragraph})" if error.paragraph else ""))
                return
            refusal = self.state.refusal(seat, action)
            if refusal:
                for ruling in refusal.rulings:
                    sentence = self.words.say(ruling.message)
                    self.say(self.doors("refused", game=self.game.kind.title, paragraph=ruling.paragraph, sentence=sentence))
                return
            self.play(action)

    def hint(self, seat: int) -> str:
        """Return what a strong player would do here, and what it expects."""
        found = analyse(self.state, HINT, seat, self.random.randrange(1 << 40))
        line = " ".join(map(self.game.notate, found.line[1:6]))
        said = self.doors("hint", action=self.game.notate(found.best), chance=round(100 * found.expectation[seat]))
        return f"{said} {self.doors('hint line', line=line)}" if line else said

    def undo(self) -> None:
        """Go back to the last decision of a person, but never over a throw."""
        state = self.state.previous
        while state is not None:
            if isinstance(state.node, Chance):
                self.say(self.doors("undo throw"))
                return
            if isinstance(state.node, Decision) and any(self.players[seat] == HUMAN for seat in state.node.seats):
                self.state = state
                self.say(self.doors("undone"))
                self.show()
                return
            state = state.previous
        self.say(self.doors("undo nothing"))

    def rule(self, number: str) -> str:
        """Return a paragraph of the rules with its source."""
        paragraphs = read_rulebook(self.game.kind.text(f"rules.{self.words.language}.md")).paragraphs
        if number not in paragraphs:
            return self.doors("no paragraph", number=number, known=", ".join(paragraphs))
        return f"{number} {paragraphs[number].text}\n{paragraphs[number].apparatus}"


def seat_program(game: Game, name: str, seed: int) -> Player:
    """Return a computer player, or raise the error that lists them all."""
    if name.partition(":")[0] not in PROGRAMS:
        raise unknown("player", name, (HUMAN, *PROGRAMS))
    return Player(game, name, seed)


def seated(players: Sequence[str], seats: int) -> list[str]:
    """Return a player for each seat: those given, and for the rest the last one given (one person against programs: random)."""
    if not players:
        return [HUMAN] + ["random"] * (seats - 1)
    if len(players) > seats:
        raise TableeError(f"{len(players)} players are too many: this table has {seats} seats")
    return [*players, *[players[-1]] * (seats - len(players))]
