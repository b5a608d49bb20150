"""`tablee engine`: our players, and bots of your own, speak the protocol of docs/engine-protocol.md over standard input and output."""

import os
import sys
import threading
from collections.abc import Callable, Iterable
from io import TextIOWrapper
from time import monotonic

from tablee import catalog
from tablee.core.errors import TableeError, shown, unknown
from tablee.core.game import Game, choose
from tablee.core.record import read_number, seat_number, unpaired
from tablee.core.state import Decision, State
from tablee.players.bot import Bot, load_bot, names_bot
from tablee.players.name import read_name
from tablee.players.player import Player
from tablee.players.program import VERSION

WORDS = ("tablee", "setoption", "isready", "newgame", "start", "moves", "board", "legal", "go", "stop", "quit")


class Engine:
    """One conversation: `say` sends a line, `take` understands one."""

    def __init__(self, player: str, say: Callable[[str], None]) -> None:
        """Play as a player of ours or as a bot; a wrong name is an error at once."""
        self.say = say
        self.bot: Bot | None = load_bot(player) if names_bot(player) else None
        self.options: dict[str, str] = {"seed": "0", **(dict(self.bot.options) if self.bot else {"player": player})}
        if not self.bot:
            read_name(player)
        self.author = "you" if self.bot else "the Tablée library"
        self.name = player
        self.game: Game | None = None
        self.player: Player | Bot | None = None
        self.first: State | None = None
        self.state: State | None = None
        self.moves: list[str] = []
        self.stopped = threading.Event()
        self.thinking: threading.Thread | None = None

    def run(self, lines: Iterable[str]) -> None:
        """Take line after line until `quit` or the end; a line that is wrong is answered by `error` and changes nothing."""
        for line in lines:
            word, _, rest = line.strip().partition(" ")
            if word == "quit":
                break
            if word == "stop":
                self.stopped.set()
            elif word:
                self.rest()
                try:
                    self.take(word, rest.strip())
                except TableeError as error:
                    self.say(f"error {error}")
        self.stopped.set()
        self.rest()

    def rest(self) -> None:
        """Wait for the answer to the last `go`."""
        if self.thinking is not None:
            self.thinking.join()
            self.thinking = None

    def take(self, word: str, rest: str) -> None:
        """Do what a line asks."""
        match word:
            case "tablee":
                self.greet(rest)
            case "setoption":
                name, _, value = rest.partition(" ")
                if name not in self.options:
                    raise unknown("option", name, self.options)
                if name == "player":
                    read_name(value)
                if name == "seed":
                    read_number(value, "seed")
                self.options[name] = value
            case "isready":
                self.say("readyok")
            case "newgame":
                self.begin(rest)
            case "start":
                self.lay(rest)
            case "moves":
                self.play(rest.split())
            case "board" | "legal":
                pass  # for programs without rules of their own
            case "go":
                self.go(rest.split())
            case _:
                raise unknown("command", word, WORDS)

    def greet(self, version: str) -> None:
        """Say who we are and which options we have."""
        if version != VERSION:
            raise TableeError(f"version {shown(version)} of the protocol is not known: expected tablee {VERSION}")
        self.say(f"id name {self.name}")
        self.say(f"id author {self.author}")
        for name, usual in self.options.items():
            self.say(f"option {name} default {usual}")
        self.say("tableeok")

    def begin(self, rest: str) -> None:
        """Prepare for a new game: `SLUG rules N seats N options name=value …`."""
        words, _, options = rest.partition(" options")
        slug, *fields = words.split() or [""]
        named = dict(zip(fields[::2], fields[1::2], strict=False))
        if len(fields) % 2 or named.keys() - {"rules", "seats"}:
            raise TableeError(f"{shown(rest)} is no game: expected GAME rules NUMBER seats NUMBER options NAME=VALUE")
        seats = seat_number(named["seats"]) if "seats" in named else None
        game = choose(catalog.kind(slug), seats, unpaired(options), named.get("rules"))
        seed = int(self.options["seed"])
        if self.bot:
            self.bot.settings = self.options
            try:
                self.bot.begin(game, seed)
            except Exception as error:
                raise TableeError(f"begin raised {type(error).__name__}: {error}") from error
        self.player = self.bot or Player(game, self.options["player"], seed)
        self.game, self.first, self.state, self.moves = game, None, None, []

    def lay(self, rest: str) -> None:
        """Take the first position: `setup name=value …` or `line POSITION`."""
        if self.game is None:
            raise TableeError("expected newgame before start")
        how, _, what = rest.partition(" ")
        if how not in ("setup", "line"):
            raise unknown("start", how, ("setup", "line"))
        self.first = self.state = self.game.load(what) if how == "line" else self.game.start_from(unpaired(what))
        self.moves = []

    def play(self, words: list[str]) -> None:
        """Take every action since the start as `SEAT TOKEN` pairs; only what is new is played."""
        if self.first is None or self.state is None:
            raise TableeError("expected start before moves")
        known = self.moves == words[: len(self.moves)]
        state, left = (self.state, words[len(self.moves) :]) if known else (self.first, words)
        if len(left) % 2:
            raise TableeError(f"{len(words)} words are no moves: expected SEAT TOKEN pairs")
        for seat, token in zip(left[::2], left[1::2], strict=True):
            state = state.play(token, seat_number(seat) - 1 if isinstance(state.node, Decision) else None)
        self.state, self.moves = state, words

    def go(self, words: list[str]) -> None:
        """Think in a thread, so that `stop` is heard, and say what is played."""
        fields = dict(zip(words[::2], words[1::2], strict=False))
        wrong = fields.keys() - {"seat", "nodes", "time"}
        if len(words) % 2 or wrong or "seat" not in fields:
            raise TableeError(f"{shown(' '.join(words))} is no order: expected go seat NUMBER [nodes NUMBER] [time MILLISECONDS]")
        numbers = {name: read_number(value, f"number for {name}") for name, value in fields.items()}
        state, player = self.state, self.player
        if state is None or player is None:
            raise TableeError("expected newgame and start before go")
        seat = numbers["seat"] - 1
        if not isinstance(state.node, Decision) or seat not in state.node.seats:
            raise TableeError(f"seat {seat + 1} may not act now")
        seconds = numbers.get("time", 0) / 1000 or None
        nodes = numbers.get("nodes") or None
        self.stopped.clear()
        if isinstance(player, Player):
            player.cancelled = self.stopped.is_set
        self.thinking = threading.Thread(target=self.think, args=(state, player, seat, seconds, nodes))
        self.thinking.start()

    def think(self, state: State, player: Player | Bot, seat: int, seconds: float | None, nodes: int | None) -> None:
        """Say what the player knows, and what it plays; a player that fails ends the conversation."""
        begun = monotonic()
        try:
            if isinstance(player, Player):
                choice = player.decide(state, seat, seconds=seconds, nodes=nodes)
                action: int | str = choice.action
                self.say(f"info nodes {choice.nodes} time {round(choice.seconds * 1000)}" + (searched(player, state, seat) if choice.nodes else ""))
            else:
                action = chosen(player, state, seat, seconds, nodes)
                self.say(f"info time {round((monotonic() - begun) * 1000)}")
            self.say(f"play {state.game.notate(state.number(action, seat))}")
        except Exception as error:
            print(error if isinstance(error, TableeError) else f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
            os._exit(1)  # the other program must not wait for an answer that never comes


def searched(player: Player, state: State, seat: int) -> str:
    """Return what the last search of a player found, as fields of an info line."""
    if player.search is None:
        return ""
    line = " ".join(state.game.notate(int(action)) for action in player.search.line()[:12])
    return f" value {float(player.search.expectation(seat)):.4f} line {line}"


def chosen(bot: Bot, state: State, seat: int, seconds: float | None, nodes: int | None) -> int | str:
    """Return what a bot chooses; whatever it raises becomes one sentence."""
    try:
        return bot.choose(state, seat, seconds=seconds, nodes=nodes)
    except Exception as error:
        raise TableeError(f"choose raised {type(error).__name__}: {error}") from error


def serve_engine(player: str) -> None:
    """Speak the protocol over standard input and output; what a bot prints goes to standard error."""
    out = sys.stdout
    sys.stdout = sys.stderr
    lock = threading.Lock()

    def say(line: str) -> None:
        """Send a line at once."""
        with lock:
            print(" ".join(line.splitlines()), file=out, flush=True)

    try:
        Engine(player, say).run(sys.stdin)
    finally:
        sys.stdout = out


def run_engine(player: str) -> None:
    """Run the engine for a player; its lines are UTF-8, whatever the locale says."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="replace")
    serve_engine(player)


def main() -> None:
    """Run the engine for the player that is named on the command line."""
    try:
        run_engine(next(iter(sys.argv[1:]), "max"))
    except TableeError as error:
        print(error, file=sys.stderr)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
