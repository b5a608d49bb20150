"""Watches the file of the house: it must stay the same file, and be whole."""

import os
import time
from pathlib import Path

import apsw

from tablee.store.log import StoreError

CHECK_SECONDS = 300.0
MOST_SECONDS = 2.0
STEPS = 10_000


class FileWatch:
    """Looks at one SQLite file, from outside of the store that writes it; called in a thread."""

    def __init__(self, path: Path) -> None:
        """Remember which file it is; `StoreError` if it is damaged."""
        self.path = path
        self.file = identity(path)
        self.next_check = 0.0
        if trouble := self.trouble():
            raise StoreError(f"{str(path)!r}: {trouble}")

    def trouble(self) -> str:
        """Return what is wrong with the file, or "". Its pages are read now and then, for at most a few seconds."""
        if self.file is None or identity(self.path) != self.file:
            return "the file of the house was moved or deleted"
        if time.monotonic() < self.next_check:
            return ""
        damage = damaged(self.path)
        self.next_check = 0.0 if damage else time.monotonic() + CHECK_SECONDS
        return damage


def identity(path: Path) -> tuple[int, int] | None:
    """Return which file a path names now, or None."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def damaged(path: Path) -> str:
    """Return what SQLite finds wrong with the pages of a file; a file too large for the time is looked at as far as that goes."""
    until = time.thread_time() + MOST_SECONDS
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    except apsw.Error as error:
        return f"the file of the house cannot be read: {error}"
    try:
        connection.set_progress_handler(lambda: time.thread_time() > until, STEPS)
        (found,) = connection.execute("PRAGMA quick_check(1)").fetchone() or ("ok",)
        return "" if found == "ok" else f"the file of the house is damaged: {found}"
    except apsw.InterruptError:
        return ""
    except apsw.Error as error:
        return f"the file of the house is damaged: {error}"
    finally:
        connection.close()
