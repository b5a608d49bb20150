"""Where a command reads its record or position from: a file, standard input, or the command line itself."""

import sys
from pathlib import Path

from tablee import catalog
from tablee.core.errors import TableeError, shown
from tablee.core.game import Game, choose
from tablee.core.record import seat_number, unpaired
from tablee.core.state import State

LONGEST_FILE = 5_000_000


def pairs(given: list[str] | None) -> dict[str, str]:
    """Return `name=value` pairs from the command line."""
    return unpaired(" ".join(pair.replace(" ", "_") for pair in given or []))


def agreed(slug: str, seats: str | None, option: list[str] | None) -> Game:
    """Return the game that the command line describes."""
    return choose(catalog.kind(slug), None if seats is None else seat_number(seats), pairs(option))


def read_state(source: str, slug: str, seats: str | None, option: list[str] | None) -> State:
    """Return the state of a record in a file or on standard input, or of a position line given in its place."""
    text = text_of(source)
    if text is None or slug:
        return read_position((source if text is None else text).strip(), slug, seats, option)
    state = catalog.read(text)
    played = state.game
    wanted = choose(played.kind, played.seats if seats is None else seat_number(seats), played.options | pairs(option), played.rules)
    if wanted != played:
        raise TableeError(f"the record was played as {played!r}, not as {wanted!r}")
    return state


def text_of(source: str) -> str | None:
    """Return the text of standard input or of a file, or None for what is rather a position line than a file name."""
    name = "standard input" if source == "-" else shown(source)
    try:
        if source == "-":
            data = sys.stdin.buffer.read(LONGEST_FILE + 1)
        else:
            with Path(source).open("rb") as file:
                data = file.read(LONGEST_FILE + 1)
    except (OSError, ValueError) as error:
        if source != "-" and not looks_like_a_file(source):
            return None
        wrong = error.strerror if isinstance(error, OSError) else str(error)
        raise TableeError(f"{name} cannot be read: {wrong}") from error
    if len(data) > LONGEST_FILE:
        raise TableeError(f"{name} is too long: expected at most {LONGEST_FILE} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TableeError(f"{name} is no text: expected UTF-8 ({error.reason} at byte {error.start})") from error


def looks_like_a_file(source: str) -> bool:
    """Return whether an argument is rather a mistyped file name than a position line: it has no space."""
    return " " not in source


def read_position(line: str, slug: str, seats: str | None, option: list[str] | None) -> State:
    """Return the state of a position line of the named game, or of the one game that can read it."""
    if slug:
        return agreed(slug, seats, option).load(line)
    states: list[State] = []
    for known in catalog.kinds():
        try:
            states.append(agreed(known, seats, option).load(line))
        except TableeError:
            continue
    if len(states) == 1:
        return states[0]
    which = "several games read it" if states else "no game reads it"
    advice = "name the game with --game, and its --seats and --option if they are not the usual ones"
    raise TableeError(f"{shown(line)} is no file, and as a position {which}: {advice}")
