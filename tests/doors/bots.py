"""Bots for the tests, good ones and bad ones; each runs in a process of its own, or at a table of a house."""

import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import ClassVar

import tablee


class Greedy(tablee.Bot):
    """Takes what looks best at once; it counts its games and prints, which must not disturb the protocol."""

    options: ClassVar = {"taste": "sweet"}

    def begin(self, game: tablee.Game, seed: int) -> None:
        """Repeat the same game for the same seed."""
        print("a new game of", game.slug)
        self.random = Random(seed)

    def choose(self, state: tablee.State, seat: int, *, seconds: float | None = None, nodes: int | None = None) -> int | str:
        """Return a token or a number, by turns."""
        action = self.random.choice(state.best_at_once(seat))
        return state.game.notate(action) if action % 2 else action


class Crashing(tablee.Bot):
    """Divides by zero."""

    def choose(self, state: tablee.State, seat: int, *, seconds: float | None = None, nodes: int | None = None) -> int | str:
        """Fail."""
        return 1 // 0


class Hanging(tablee.Bot):
    """Never answers."""

    def choose(self, state: tablee.State, seat: int, *, seconds: float | None = None, nodes: int | None = None) -> int | str:
        """Sleep for a very long time."""
        time.sleep(100_000)
        return 0


class Cheating(tablee.Bot):
    """Plays what is not legal, after it has tried to change the board."""

    def choose(self, state: tablee.State, seat: int, *, seconds: float | None = None, nodes: int | None = None) -> int | str:
        """Return an action that is not legal."""
        state.position.play(state.legal(seat)[0])
        legal = set(state.legal())
        return next(action for action in range(state.game.action_count) if action not in legal)


class Leaving(tablee.Bot):
    """Ends its process."""

    def choose(self, state: tablee.State, seat: int, *, seconds: float | None = None, nodes: int | None = None) -> int | str:
        """Leave at once."""
        os._exit(7)


class Raising(tablee.Bot):
    """Ends by what is no error."""

    def choose(self, state: tablee.State, seat: int, *, seconds: float | None = None, nodes: int | None = None) -> int | str:
        """Leave politely."""
        raise SystemExit


class Demanding(tablee.Bot):
    """Cannot be made."""

    def __init__(self) -> None:
        """Fail."""
        raise RuntimeError("no library")


class NoBot:
    """Does not extend the base."""


if __name__ == "__main__":  # a program that breaks the protocol
    how = sys.argv[1]
    if "/" in how:  # it leaves a process behind, out of reach, and says its number there
        Path(how).write_text(str(subprocess.Popen(["sleep", "100000"], start_new_session=True).pid))
    for line in sys.stdin:
        if line.startswith("tablee"):
            print("tableeok", flush=True)
        elif line.startswith("isready"):
            print("readyok", flush=True)
            if how == "deaf":
                time.sleep(100_000)
        elif line.startswith("go"):
            print("I think a while" if how == "prose" else f"play {'x' * int(how) if how.isdigit() else how}", flush=True)
