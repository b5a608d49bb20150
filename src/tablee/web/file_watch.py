"""Watches the file of the house: it must stay the same file, and be whole."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import apsw

from tablee.store.log import StoreError

# At the start nobody is kept waiting for longer; the check of a large file then goes on while the house runs.
MOST_SECONDS = 2.0
STEPS = 10_000
# A check in the background works for the first, then rests for the second.
WORK_SECONDS, REST_SECONDS = 0.02, 0.06


class FileWatch:
    """Looks at one SQLite file, from outside of the store that writes it."""

    def __init__(self, path: Path, met: Callable[[], str] = str) -> None:
        """Remember which file it is; `StoreError` if it is damaged. `met` returns the damage that the store itself has met."""
        self.path, self.met = path, met
        self.file = identity(path)
        self.closed = False
        until = time.monotonic() + MOST_SECONDS
        self.damage = damaged(path, lambda: time.monotonic() > until)
        if trouble := self.trouble():
            raise StoreError(f"{str(path)!r}: {trouble}")

    def trouble(self) -> str:
        """Return what is wrong with the file as far as it is known, or ""; this takes no time."""
        if self.file is None or identity(self.path) != self.file:
            return "the file of the house was moved or deleted"
        return self.met() or self.damage

    def check(self) -> None:
        """Read every page, however many there are; called in a thread, it takes a part of its time."""
        begun = time.thread_time()

        def rest() -> bool:
            nonlocal begun
            if time.thread_time() - begun > WORK_SECONDS:
                time.sleep(REST_SECONDS)
                begun = time.thread_time()
            return self.closed

        self.damage = damaged(self.path, rest)

    def close(self) -> None:
        """Let a check that goes on come to its end."""
        self.closed = True


def identity(path: Path) -> tuple[int, int] | None:
    """Return which file a path names now, or None."""
    try:
        facts = os.stat(path)
    except OSError:
        return None
    return facts.st_dev, facts.st_ino


def damaged(path: Path, stop: Callable[[], bool]) -> str:
    """Return what SQLite finds wrong with the pages of a file, or "" if there is nothing up to where it is stopped."""
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    except apsw.Error as error:
        return f"the file of the house cannot be read: {error}"
    try:
        connection.set_progress_handler(stop, STEPS)
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone() or ("ok",)
        return "" if verdict == "ok" else f"the file of the house is damaged: {verdict}"
    except apsw.InterruptError:
        return ""
    except apsw.Error as error:
        return f"the file of the house is damaged: {error}"
    finally:
        connection.close()
