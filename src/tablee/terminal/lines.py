"""Lines at a terminal: editing, history and completion of what is typed; sentences wrapped to the width."""

import os
import shutil
import sys
import textwrap
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tablee.core.text import write
from tablee.terminal.colours import coloured, wanted
from tablee.terminal.plain import Console

HISTORY = 500
WIDEST, NARROWEST = 100, 20


def make_console(language: str, boards: bool) -> Console:
    """Return how this terminal talks: with colours, wrapped words and line editing where there are people at it, plainly elsewhere."""
    ask, completes = edited(language) if sys.stdin.isatty() and sys.stdout.isatty() else (input, lambda words: None)
    width = min(WIDEST, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 0
    return Console(ask, lambda sentence: print(wrapped(sentence, width), flush=True), language, boards, coloured if wanted() else write, completes)


def wrapped(text: str, width: int) -> str:
    """Return sentences with whole words on each line.

    A record stays as it is, so that it can be copied; so does a line that begins with a space or holds columns: it is part of a drawing.
    """
    if width < NARROWEST or text.startswith("game: "):
        return text
    return "\n".join(
        textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False) if is_prose(line) else line for line in text.split("\n")
    )


def is_prose(line: str) -> bool:
    """Return whether a line is a sentence, and no line of a board or of a record."""
    return not line.startswith((" ", "#", "\x1b")) and "   " not in line and "\x1b" not in line


def edited(language: str) -> tuple[Callable[[str], str], Callable[[list[str]], None]]:
    """Return `ask` with line editing and a history that outlives the game, and the function that says what Tab completes."""
    try:
        import readline
    except ImportError:  # Windows has its own line editing
        return input, lambda words: None
    known: list[str] = []
    with suppress(OSError):
        readline.read_history_file(history_file())
    readline.set_history_length(HISTORY)
    readline.set_completer_delims(" \t")
    readline.set_completer(lambda text, number: next(iter([word for word in known if word.startswith(text)][number:]), None))
    readline.parse_and_bind("tab: complete")

    def ask(prompt: str) -> str:
        """Read a line, and keep it in the history."""
        line = input(prompt)
        with suppress(OSError):
            history_file().parent.mkdir(parents=True, exist_ok=True)
            readline.write_history_file(history_file())
        return line

    def completes(words: list[str]) -> None:
        """Complete these words from now on."""
        known[:] = words

    return ask, completes


def history_file() -> Path:
    """Return where typed lines are kept."""
    return state_folder() / "history"


def state_folder() -> Path:
    """Return the folder of what the terminal keeps for its user."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "tablee"
