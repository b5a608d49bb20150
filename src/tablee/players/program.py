"""A player in a process of its own that speaks the protocol of docs/engine-protocol.md; a crash or a hang there harms nothing here."""

import os
import queue
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections import deque
from contextlib import suppress
from time import monotonic
from typing import IO, Self

from tablee.core.errors import TableeError, shown
from tablee.core.game import Game
from tablee.core.record import pairs, unpaired
from tablee.core.state import State
from tablee.players.bot import Fault, names_bot

VERSION = "1"
COMMAND = "cmd:"
SETTINGS = re.compile(r"(?P<who>.*?)\s*(?:\[(?P<settings>[^\]]*)\])?")
PATIENCE = 60.0
STARTING = 60.0
# The exit status of our own engine if its player cannot be made.
REFUSED = 2
GRACE = 5.0
LEAVE = 1.0
LONGEST_LINE = 1 << 20
LINES_WAITING = 1000
MOST_OPTIONS = 1000


class NoAnswer(Fault):
    """A program that does not answer in time."""


def names_program(name: str) -> bool:
    """Return whether a name is that of a player in a process of its own: `cmd:./mine` or `mymodule:Mine`."""
    who = split_settings(name)[0]
    return who.startswith(COMMAND) or names_bot(who)


def split_settings(name: str) -> tuple[str, dict[str, str]]:
    """Return a name without its settings, and the settings: `cmd:./mine [style=wild]`."""
    match = SETTINGS.fullmatch(name.strip())
    assert match is not None  # the pattern takes every line
    return match["who"], unpaired((match["settings"] or "").replace(",", " "))


def command_of(who: str) -> list[str]:
    """Return the command line that starts a program."""
    if not who.startswith(COMMAND):
        return [sys.executable, "-m", "tablee.terminal.engine", who]
    try:
        words = shlex.split(who.removeprefix(COMMAND))
    except ValueError as error:
        raise TableeError(f"{shown(who)} is no command: {error}") from error
    if not words:
        raise TableeError(f"{shown(who)} is no command: expected cmd: and a program")
    return words


class Program:
    """A program that plays: started when it is made, and ended by `close`."""

    def __init__(self, game: Game, name: str, seed: int = 0, patience: float = PATIENCE) -> None:
        """Start the program, greet it, set its options and tell it the game; raise `Fault` if it does not answer as it should."""
        self.game, self.name, self.patience = game, name, patience
        who, settings = split_settings(name)
        words = command_of(who)
        try:
            self.process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, bufsize=0
            )
        except (OSError, ValueError) as error:
            raise Fault(f"the player {shown(name)} cannot be started: {getattr(error, 'strerror', None) or error}") from error
        self.lines: queue.Queue[str | None] = queue.Queue(LINES_WAITING)
        self.orders: queue.Queue[str | None] = queue.Queue(LINES_WAITING)
        self.complaints: deque[str] = deque(maxlen=20)
        self.greeted = self.gone = False
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self.listen, self.read_complaints, self.send)]
        for thread in self.threads:
            thread.start()
        self.options: dict[str, str] = {}
        self.info = ""
        self.told_start = ""
        try:
            self.greet(settings, seed)
            self.greeted = True
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        """Return the program."""
        return self

    def __exit__(self, *gone: object) -> None:
        """End the program."""
        self.close()

    def greet(self, settings: dict[str, str], seed: int) -> None:
        """Greet the program, set its options and send the game; all of it may take longer than an answer, because a program may start slowly."""
        until = monotonic() + max(self.patience, STARTING)
        self.tell(f"tablee {VERSION}")
        for line in iter(lambda: self.hear(until, "tableeok"), "tableeok"):
            if monotonic() > until:  # it writes without end
                raise NoAnswer(str(self.fault("it does not answer: expected tableeok")))
            word, _, rest = line.partition(" ")
            name, _, usual = rest.partition(" ")
            if word == "option":
                self.options[name] = usual.removeprefix("default ")
                if len(self.options) > MOST_OPTIONS:
                    raise self.fault(f"it has more than {MOST_OPTIONS} options")
            elif word not in ("id", "info"):
                raise self.fault(f"it said {shown(line)}: expected id, option, info or tableeok")
        for name, value in settings.items():
            if name not in self.options:
                known = ", ".join(self.options) or "none"
                raise self.fault(f"it has no option {shown(name)}: its options are {known}")
            self.tell(f"setoption {name} {value}")
        if "seed" in self.options and "seed" not in settings:
            self.tell(f"setoption seed {seed}")
        options = pairs(self.game.written_options)
        self.tell(f"newgame {self.game.slug} rules {self.game.rules} seats {self.game.seats} options {options}".strip())
        self.tell("isready")
        line = self.hear(until, "readyok")
        if line != "readyok":
            raise self.fault(f"it said {shown(line)}: expected readyok")

    def choose(self, state: State, seat: int, *, seconds: float | None = None, nodes: int | None = None) -> int:
        """Return what the program plays; raise `Fault` if it hangs, crashes, breaks the protocol or plays what is not legal."""
        for line in told_lines(state, seat):
            if not line.startswith("start ") or line != self.told_start:
                self.tell(line)
            if line.startswith("start "):
                self.told_start = line
        budget = (f" nodes {nodes}" if nodes else "") + (f" time {max(1, round(seconds * 1000))}" if seconds else "")
        self.tell(f"go seat {seat + 1}{budget}")
        answer = self.answer(self.patience if seconds is None else max(self.patience, seconds + GRACE))
        try:
            action = state.number(answer, seat)
            state.play(action, seat)
        except TableeError as error:
            raise self.fault(f"it played {shown(answer)} for seat {seat + 1}: {error}") from error
        return action

    def answer(self, seconds: float) -> str:
        """Return the token that the program plays, and keep its `info` lines; a late program is sent `stop` before it is given up."""
        until, stopped = monotonic() + seconds, False
        while True:
            try:
                line = self.hear(until, "play")
            except NoAnswer:
                if stopped:
                    raise
                self.tell("stop")
                until, stopped = monotonic() + min(GRACE, seconds), True
                continue
            word, _, rest = line.partition(" ")
            if word == "play" and rest.strip():
                return rest.strip()
            if word != "info":
                raise self.fault(f"it said {shown(line)}: expected info or play TOKEN")
            self.info = rest
            if monotonic() > until:  # it writes without end
                raise self.fault("it does not answer: expected play TOKEN")

    def tell(self, line: str) -> None:
        """Queue a line without waiting for the program to read it; if it has ended, the next `hear` notices."""
        try:
            self.orders.put_nowait(line)
        except queue.Full:
            raise self.fault("it does not read what it is told") from None

    def hear(self, until: float, expected: str) -> str:
        """Return the next line that is not empty; raise `NoAnswer` if none comes before a moment of the monotonic clock."""
        while True:
            try:
                line = self.lines.get(timeout=max(0.001, until - monotonic()))
            except queue.Empty:
                raise NoAnswer(str(self.fault(f"it does not answer: expected {expected}"))) from None
            if line is None:
                self.lines.put(None)
                raise self.fault(f"it has ended: expected {expected}")
            if len(line) >= LONGEST_LINE:
                raise self.fault(f"it said a line of more than {LONGEST_LINE} bytes")
            if line:
                return line
            if monotonic() > until:  # empty lines without end
                raise NoAnswer(str(self.fault(f"it does not answer: expected {expected}")))

    def fault(self, wrong: str) -> Fault:
        """Return the error of this program, with its exit status and its last lines on standard error."""
        with suppress(subprocess.TimeoutExpired):
            if self.lines.qsize() and self.lines.queue[0] is None:
                self.process.wait(LEAVE)
                self.threads[1].join(LEAVE)
        code = self.process.poll()
        if code == REFUSED and self.complaints and not self.greeted and not self.name.startswith(COMMAND):
            return Fault(self.complaints[-1])
        ended = "" if code is None else f" (status {code}{': ' + self.complaints[-1][:200] if self.complaints else ''})"
        return Fault(f"the player {shown(self.name)} failed: {wrong}{ended}")

    def listen(self) -> None:
        """Read the lines of the program; stop while too many lines wait."""
        for line in lines_of(self.process.stdout):
            if self.gone:
                return
            self.lines.put(line)
        self.lines.put(None)

    def read_complaints(self) -> None:
        """Keep the last lines that the program wrote to standard error."""
        for line in lines_of(self.process.stderr):
            if line:
                self.complaints.append(line)

    def send(self) -> None:
        """Write the queued lines to the program, then close its input; a program that does not read blocks this thread only."""
        stream = self.process.stdin
        assert stream is not None
        with suppress(OSError, ValueError):
            for line in iter(self.orders.get, None):
                data = line.encode() + b"\n"
                while data:
                    data = data[stream.write(data) :]
        with suppress(OSError):
            stream.close()

    def close(self) -> None:
        """Ask the program to leave, and end it with everything it started if it does not."""
        for order in ("quit", None):
            with suppress(queue.Full):  # it has not read what it was told before
                self.orders.put_nowait(order)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(LEAVE)
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:  # pragma: no cover
                self.process.kill()
        self.process.wait()
        self.rest()

    def rest(self) -> None:
        """Wait for the threads to end; a thread whose pipe is still held by a descendant of the program is left behind."""
        self.gone, until = True, monotonic() + LEAVE
        while any(thread.is_alive() for thread in self.threads) and monotonic() < until:  # a full queue holds the listener up
            for waiting in (self.lines, self.orders):
                with suppress(queue.Empty):
                    waiting.get_nowait()
            with suppress(queue.Full):
                self.orders.put_nowait(None)
            for thread in self.threads:
                thread.join(0.01)
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()


def lines_of(stream: IO[bytes] | None) -> "Lines":
    """Return the lines of a pipe, as text without their ends."""
    assert stream is not None
    return Lines(stream)


class Lines:
    """The lines of a pipe; one that is too long is cut, so that memory stays small."""

    def __init__(self, stream: IO[bytes]) -> None:
        """Read from a pipe."""
        self.stream, self.rest = stream, b""

    def __iter__(self) -> Self:
        """Return the lines themselves."""
        return self

    def __next__(self) -> str:
        """Return the next line."""
        while b"\n" not in self.rest and len(self.rest) < LONGEST_LINE:
            try:
                data = self.stream.read(65536)
            except (OSError, ValueError):
                data = b""
            if not data:
                break
            self.rest += data
        if not self.rest:
            raise StopIteration
        line, _, self.rest = self.rest.partition(b"\n") if b"\n" in self.rest[:LONGEST_LINE] else (self.rest, b"", b"")
        return line.decode(errors="replace").strip()


def told_lines(state: State, seat: int) -> list[str]:
    """Return the lines that tell a program a state: how it began, every action since, the board, and what is legal."""
    game = state.game
    first, *played = state.path()
    start = f"start line {game.dump(first)}" if first.setup is None else f"start setup {pairs(first.setup)}".rstrip()
    moves = " ".join(f"{moment.mover + 1} {game.notate(moment.action)}" for moment in played)
    legal = " ".join(game.notate(action) for action in state.legal(seat))
    return [start, f"moves {moves}".rstrip(), f"board {game.dump(state)}", f"legal {legal}"]
