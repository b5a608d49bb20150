"""A game written down as text that a person could write: a header, then throws and actions turn by turn, then the result.

game: traboulet
seats: 2
options: bonus=red

1: b7c7
2: a1b1    # a comment
result: *
"""

from collections.abc import Callable, Mapping
from itertools import groupby

from tablee.core.errors import NotationError, PositionError, RecordError, TableeError, shown
from tablee.core.game import Game, check_rules, check_seats, choose
from tablee.core.kind import Kind
from tablee.core.ruling import IllegalAction
from tablee.core.state import AGREED, Chance, Decision, Over, State

HEADER = ("game", "rules", "seats", "options", "setup", "position")
UNFINISHED = "*"
MOST = 4_000_000


def write_record(state: State) -> str:
    """Return the record of the game up to a state."""
    states = list(state.path())
    game, first = state.game, states[0]
    lines = [f"game: {game.slug}", f"rules: {game.rules}", f"seats: {game.seats}"]
    if game.chosen:
        lines.append("options: " + pairs(game.written_options))
    if first.setup:
        lines.append("setup: " + pairs(first.setup))
    elif first.setup is None:
        lines.append("position: " + game.dump(first))
    lines.append("")
    for seat, turn in groupby(states[1:], key=lambda played: played.mover):
        lines.append(f"{seat + 1}: {join(game, [game.notate(played.action) for played in turn])}")
    lines.append(f"result: {result(state)}")
    return "\n".join(lines) + "\n"


def read_record(text: str, find: Callable[[str], Kind]) -> State:
    """Return the state at the end of a record; `find` gives the kind of a game by its slug."""
    if len(text) > MOST:
        raise RecordError(0, "", f"the record is longer than {MOST} characters")
    header: dict[str, tuple[int, str]] = {}
    state: State | None = None
    finished = False
    number = 0
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].strip()
        if not line:
            continue
        name, colon, value = line.partition(":")
        name, value = name.strip(), value.strip()
        if not colon:
            raise RecordError(number, line.split()[0], "expected `name: value` in the header, or a seat, a colon and tokens")
        if finished:
            raise RecordError(number, name, "nothing may follow the result")
        if name == "result":
            state = state or begin(header, find)
            state = check_result(number, value, state)
            finished = True
        elif name.isascii() and name.isdigit():
            state = state or begin(header, find)
            state = play_line(state, number, name, value)
        elif state is not None:
            raise RecordError(number, name, "expected a seat, a colon and tokens, or `result:`")
        elif name not in HEADER:
            raise RecordError(number, name, f"expected one of {', '.join(HEADER)}, or a seat number")
        elif name in header:
            raise RecordError(number, name, "stands twice in the header")
        else:
            header[name] = (number, value)
    return state or begin(header, find)


def begin(header: dict[str, tuple[int, str]], find: Callable[[str], Kind]) -> State:
    """Return the first state that a header describes."""
    if "game" not in header:
        raise RecordError(0, "", "the header lacks `game:`" if header else "the record is empty: expected a header that begins with `game:`")
    name = "game"
    try:
        kind = find(header[name][1])
        rules = check_rules(kind, header[name := "rules"][1]) if "rules" in header else kind.version
        seats = check_seats(kind, seat_number(header[name := "seats"][1]) if "seats" in header else None)
        game = choose(kind, seats, unpaired(header[name := "options"][1]) if "options" in header else {}, rules)
        if "position" in header:
            if "setup" in header:
                name = "setup"
                raise TableeError("expected either a set-up or a position")
            return game.load(header[name := "position"][1])
        name = "setup" if "setup" in header else "game"
        return game.start_from(unpaired(header[name][1]) if "setup" in header else {})
    except TableeError as error:
        line, value = header[name]
        paragraph = error.paragraph if isinstance(error, PositionError) else ""
        raise RecordError(line, value, str(error), (paragraph,) if paragraph else ()) from error


def play_line(state: State, number: int, name: str, value: str) -> State:
    """Return the state after the tokens of one line."""
    game = state.game
    seat = seat_number(name) - 1 if len(name) < 3 else -1
    if not 0 <= seat < game.seats:
        raise RecordError(number, name, f"expected a seat from 1 to {game.seats}")
    for token in split(game, value):
        expect(state, number, seat, token)
        try:
            state = state.play(game.parse(token, seat))
        except IllegalAction as error:
            raise RecordError(number, token, str(error), error.refusal.paragraphs) from error
        except NotationError as error:
            raise RecordError(number, token, str(error), (error.paragraph,) if error.paragraph else ()) from error
    return state


def expect(state: State, number: int, seat: int, token: str) -> None:
    """Raise if a token cannot stand here because the game is over or another seat acts."""
    match state.node:
        case Over(_, reason, _):
            raise RecordError(number, token, f"the game is over ({state.game.kind.title} {reason})", (reason,))
        case Chance() if seat != state.turn:
            raise RecordError(number, token, f"expected a throw of seat {state.turn + 1}, not seat {seat + 1}")
        case Decision(seats, _) if seat not in seats:
            due = " or ".join(str(waiting + 1) for waiting in seats)
            raise RecordError(number, token, f"expected an action of seat {due}, not seat {seat + 1}")


def check_result(number: int, value: str, state: State) -> State:
    """Return the last state, stopped if the players agreed on it; raise if the written result is not the result of the actions."""
    if value.endswith(f" {AGREED})") and state.may_stop:
        stopped = state.stop()
        if value != result(stopped):
            wrong = f"the scores counted after these actions are {result(stopped)!r}"
            raise RecordError(number, value, wrong, (state.game.kind.counted_by,))
        return stopped
    if value != result(state):
        raise RecordError(number, value, f"expected the result {result(state)!r} after these actions")
    return state


def result(state: State) -> str:
    """Return the scores by seat and the paragraph that ended the game (with `agreed` where the players stopped), or `*` while it goes on."""
    match state.node:
        case Over(scores, reason, _):
            return f"{' '.join(map(str, scores))} ({reason})"
        case _:
            return UNFINISHED


def join(game: Game, tokens: list[str]) -> str:
    """Return tokens on one line, glued where the notation of the game glues them."""
    glue = game.kind.glue
    return "".join(token if not at or (glue and token.startswith(glue)) else " " + token for at, token in enumerate(tokens))


def split(game: Game, line: str) -> list[str]:
    """Return the tokens of a line, glued ones taken apart."""
    glue = game.kind.glue
    return (line.replace(glue, " " + glue) if glue else line).split()


def pairs(values: Mapping[str, str]) -> str:
    """Return `name=value` pairs on one line."""
    return " ".join(f"{name}={value}" for name, value in values.items())


def unpaired(line: str) -> dict[str, str]:
    """Return the `name=value` pairs of a line."""
    values: dict[str, str] = {}
    for pair in line.split():
        name, equals, value = pair.partition("=")
        if not (name and equals and value):
            raise TableeError(f"{shown(pair)} is no option: expected name=value")
        if name in values:
            raise TableeError(f"{shown(name)} is given twice")
        values[name] = value
    return values


def seat_number(text: str) -> int:
    """Return the number of a seat, or of seats, without checking it against the game."""
    return read_number(text, "number of seats")


def read_number(text: str, what: str) -> int:
    """Return a whole number that is written with at most 18 digits, or raise the error that says what it should have been."""
    if not (text.isascii() and text.isdigit() and len(text) <= 18):
        raise TableeError(f"{shown(text)} is no {what}: expected a whole number")
    return int(text)
