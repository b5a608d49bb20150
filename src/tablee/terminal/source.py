"""Where a command reads its record or position from: a file, standard input, or the command line itself."""

import sys
from pathlib import Path

from tablee import catalog
from tablee.core.errors import TableeError, shown
from tablee.core.game import choose
from tablee.core.record import unpaired
from tablee.core.state import State

LONGEST_FILE = 5_000_000


def pairs(given: list[str] | None) -> dict[str, str]:
    """Return `name=value` pairs from the command line."""
    return unpaired(" ".join(one.replace(" ", "_") for one in given or []))


def read(source: str, slug: str, seats: int | None, option: list[str] | None) -> State:
    """Return the state of a record in a file or on standard input, or of a position line given in its place."""
    text = text_of(source)
    if text is None or slug:
        return read_position((text or source).strip(), slug, seats, pairs(option))
    state = catalog.read(text)
    wanted = choose(state.game.kind, seats, state.game.options | pairs(option)) if seats or option else state.game
    if wanted != (same := choose(state.game.kind, state.game.seats, state.game.options)):
        raise TableeError(f"the record was played as {same!r}, not as {wanted!r}")
    return state


def text_of(source: str) -> str | None:
    """Return the text of standard input or of a file, or None if there is no such file."""
    try:
        if source == "-":
            data = sys.stdin.buffer.read(LONGEST_FILE + 1)
        elif len(source) < 1000 and Path(source).is_file():
            with Path(source).open("rb") as file:
                data = file.read(LONGEST_FILE + 1)
        elif looks_like_a_file(source):
            raise TableeError(f"there is no file {shown(source)}")
        else:
            return None
    except (OSError, ValueError) as error:
        raise TableeError(f"{shown(source)} cannot be read: {error}") from error
    if len(data) > LONGEST_FILE:
        raise TableeError(f"{shown(source)} is too long: expected at most {LONGEST_FILE} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise TableeError(f"{shown(source)} is no text: expected UTF-8 ({error.reason} at byte {error.start})") from error


def looks_like_a_file(source: str) -> bool:
    """Return whether an argument is rather a mistyped file name than a position line: it has no space."""
    return " " not in source


def read_position(line: str, slug: str, seats: int | None, options: dict[str, str]) -> State:
    """Return the state of a position line of the named game, or of the one game that can read it."""
    if slug:
        return choose(catalog.kind(slug), seats, options).load(line)
    found: list[State] = []
    for kind in catalog.kinds().values():
        try:
            found.append(choose(kind, seats, options).load(line))
        except TableeError:
            continue
    if len(found) == 1:
        return found[0]
    which = "several games read it" if found else "no game reads it"
    raise TableeError(f"{shown(line)} is no file, and as a position {which}: name the game with --game")
