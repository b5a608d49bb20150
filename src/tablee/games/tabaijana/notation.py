"""Actions and positions as text, both ways: `3:1>6`, `2:B>17`, `B>13`, `4`, `4/6`, and the line of named fields."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from tablee.core.errors import NotationError, PositionError, TableeError
from tablee.core.game import Game
from tablee.core.position import OVER
from tablee.games.tabaijana.deal import CHILD, EACH, GAME, NAMES, checked_colours, checked_order, empty
from tablee.games.tabaijana.position import (
    ACTION_COUNT,
    CRATES,
    FARTHEST,
    HARBOUR,
    LAST_CELL,
    LETTERS,
    PAIRS,
    ROOM,
    ROUTES,
    THROWS,
    TabaijanaPosition,
)

NUMBER = r"(0|[1-9][0-9]?)"
THROW_TOKEN = re.compile(rf"{NUMBER}(?:/{NUMBER})?")
CRATES_TOKEN = re.compile(rf"{NUMBER}:(B|{NUMBER})>{NUMBER}")
BOAT_TOKEN = re.compile(rf"B>{NUMBER}")
CELL_FIELD = re.compile(r"([1-9][0-9]?)=([rwgby]{1,20})")
DICE_FIELD = re.compile(r"-|[1-6](/[1-6])?")


@dataclass(frozen=True)
class Move:
    """Crates or the boat on their way: `start` 0 is the boat, `count` 0 moves the boat itself with all it carries."""

    count: int
    start: int
    end: int

    def __str__(self) -> str:
        """Return the token."""
        return f"{self.count}:{self.start or 'B'}>{self.end}" if self.count else f"B>{self.end}"


THROW_TOKENS = [*map(str, range(1, 7)), *(f"{small}/{large}" for small, large in PAIRS)]
MOVES = [
    *(Move(count, start, end) for start, end in ROUTES for count in range(1, CRATES + 1)),
    *(Move(count, 0, end) for end in range(HARBOUR + 1, LAST_CELL + 1) for count in range(1, CRATES + 1)),
    *(Move(0, 0, end) for end in range(HARBOUR + 1, FARTHEST + 1)),
]
TOKENS = [*THROW_TOKENS, *map(str, MOVES)]
NUMBERS = {token: number for number, token in enumerate(TOKENS)}
assert len(TOKENS) == ACTION_COUNT


def notate(game: Game, action: int) -> str:
    """Return the token of a throw or a move."""
    return TOKENS[action]


def parse(game: Game, token: str, seat: int) -> int:
    """Return the action of a token."""
    if token in NUMBERS:
        return NUMBERS[token]
    if throw := THROW_TOKEN.fullmatch(token):
        raise wrong_throw(token, *throw.groups())
    if boat := BOAT_TOKEN.fullmatch(token):
        if int(boat[1]) <= HARBOUR:
            raise NotationError(token, "a cell ahead of the boat, which starts on 10 and never goes back", "1.3")
        raise NotationError(token, "a cell that the boat can reach before the game is over, 29 at most", "5.2")
    if crates := CRATES_TOKEN.fullmatch(token):
        raise wrong_crates(token, int(crates[1]), crates[2], int(crates[4]))
    raise NotationError(token, "crates such as '3:1>6' or '2:B>17', the boat such as 'B>13', or a throw such as '4' or '4/6'")


def wrong_throw(token: str, first: str, second: str | None) -> NotationError:
    """Return the error for a throw that no dice show."""
    if second and 1 <= int(second) < int(first) <= 6:
        return NotationError(token, f"the smaller die first, '{second}/{first}'")
    return NotationError(token, "dice from 1 to 6", "2.1")


def wrong_crates(token: str, count: int, start: str, end: int) -> NotationError:
    """Return the error for crates that could not go that way in any position."""
    if not 1 <= count <= CRATES:
        return NotationError(token, "1 to 20 crates", "1.1")
    if start != "B" and not 1 <= int(start) <= LAST_CELL:
        return NotationError(token, "a cell from 1 to 24, or 'B' for the boat's load", "1.1")
    if end > LAST_CELL:
        return NotationError(token, "a cell up to 24, where crates must stop", "2.6")
    if start == "B":
        return NotationError(token, "a cell ahead of the boat, which starts on 10 and never goes back", "1.3")
    return NotationError(token, "a cell 1 to 6 steps ahead", "2.1")


def dump(game: Game, position: TabaijanaPosition) -> str:
    """Return the position on one line: whose turn, dice, colours by seat, privileges, boat, load, and the stacks bottom to top."""
    colours = seat_colours(position)
    fields = {"turn": str(position.side + 1), "dice": dice(position) or "-", "colours": colours}
    if position.goal:
        fields["order"] = ordered(position)
    fields["three"] = "".join(letter for letter in colours if has(position.three, letter)) or "-"
    fields["four"] = "".join(letter for letter in colours if has(position.four, letter)) or "-"
    fields["boat"] = str(position.boat)
    fields["load"] = position.stack(position.boat) or "-"
    for cell in range(1, LAST_CELL + 1):
        if cell != position.boat and position.stack(cell):
            fields[str(cell)] = position.stack(cell)
    return " ".join(f"{name}={value}" for name, value in fields.items())


def seat_colours(position: TabaijanaPosition) -> str:
    """Return the letters of the seats' colours, seat by seat."""
    return "".join(LETTERS[position.colours[seat] - 1] for seat in range(position.seats))


def dice(position: TabaijanaPosition) -> str:
    """Return the throw that is to be played, or nothing."""
    if not position.small:
        return ""
    return f"{position.small}/{position.large}" if position.large else str(position.small)


def ordered(position: TabaijanaPosition) -> str:
    """Return the colour order of 5.1, bottom to top."""
    return "".join(LETTERS[(position.goal >> shift & 7) - 1] for shift in range(48, -1, -12))


def has(colours: int, letter: str) -> bool:
    """Return whether a set of colours holds a letter's."""
    return bool(colours >> (LETTERS.index(letter) + 1) & 1)


def marks(letters: str) -> int:
    """Return the set of some letters' colours."""
    return sum(2 << LETTERS.index(letter) for letter in letters)


def load(game: Game, line: str) -> TabaijanaPosition:
    """Return the position of a line; raise `PositionError` with the paragraph it contradicts."""
    ordered = game.option("order") == "on"
    names = ["turn", "dice", "colours", *["order"] * ordered, "three", "four", "boat", "load"]
    given = [field.partition("=") for field in line.split(" ")]
    if [name for name, _, _ in given[: len(names)]] != names:
        raise PositionError(line, f"expected the fields {'=, '.join(names)}=, then stacks such as 1=rwgb")
    fields = {name: value for name, _, value in given[: len(names)]}
    try:
        checked_colours(fields["colours"], game.seats)
        if ordered:
            checked_order(fields["order"])
    except TableeError as error:
        raise PositionError(line, str(error)) from error
    if len(fields["turn"]) != 1 or fields["turn"] not in "12345"[: game.seats]:
        raise PositionError(line, f"the turn is a seat from 1 to {game.seats}, not {fields['turn'][:9]!r}")
    if not DICE_FIELD.fullmatch(fields["dice"]):
        raise PositionError(line, f"the dice are a throw such as 4 or 4/6, or -, not {fields['dice'][:9]!r}")
    boat = fields["boat"]
    if not re.fullmatch(r"[12][0-9]", boat):
        raise PositionError(line, f"the boat is on a cell from 10 to 29, not {boat[:9]!r}", "1.3")
    board = read_stacks(game, line, int(boat), line.split(" ")[len(names) :])
    board[int(boat)] = read_load(line, fields["load"])
    count_crates(line, board)
    check_privileges(game, line, fields, board)
    position = empty(game)
    three, four = marks(fields["three"].strip("-")), marks(fields["four"].strip("-"))
    position.arrange(fields["colours"], fields.get("order", ""), board, int(boat), int(fields["turn"]) - 1, three, four)
    throw(line, position, fields)
    return position


def read_stacks(game: Game, line: str, boat: int, parts: list[str]) -> list[str]:
    """Return the stacks by cell, the boat's load still missing."""
    board = [""] * int(ROOM)
    far_end, last = int(game.option("far_end")), 0
    for part in parts:
        match = CELL_FIELD.fullmatch(part)
        if not match:
            raise PositionError(line, f"a stack is written 1=rwgb, bottom to top, not {part[:30]!r}")
        cell = int(match[1])
        if cell > far_end:
            raise PositionError(line, f"crates stand on cell {cell}, but may only reach {far_end}", "2.6" if cell == LAST_CELL else "1.1")
        if cell == boat:
            raise PositionError(line, f"crates on cell {cell} are on the boat: expected them in load=", "1.4")
        if cell <= last:
            raise PositionError(line, "expected each cell once, in the order of the track", "1.4")
        board[cell], last = match[2], cell
    return board


def read_load(line: str, text: str) -> str:
    """Return the boat's load."""
    if not re.fullmatch(r"-|[rwgby]{1,20}", text):
        raise PositionError(line, f"the load is written rwgb, bottom to top, or -, not {text[:30]!r}")
    return text.strip("-")


def count_crates(line: str, board: list[str]) -> None:
    """Refuse a board without just four crates of each colour (1.1)."""
    crates = Counter("".join(board))
    for letter in LETTERS:
        if crates[letter] != EACH:
            raise PositionError(line, f"{crates[letter]} {NAMES[letter]} crates instead of 4", "1.1")


def check_privileges(game: Game, line: str, fields: Mapping[str, str], board: list[str]) -> None:
    """Refuse privileges that contradict themselves or the board (4.1 to 4.3)."""
    colours, lasting = fields["colours"], game.option("privileges") == "while_it_lasts"
    for name, n in (("three", 3), ("four", 4)):
        given = fields[name]
        if given != ("".join(letter for letter in colours if letter in given) or "-"):
            raise PositionError(line, f"{name}= holds colours of seats in their order, or -, not {fields[name][:9]!r}")
        for letter in colours:
            if letter not in given and together(game, board, board[int(fields["boat"])], letter, n):
                raise PositionError(line, f"{NAMES[letter]} has {n} crates together: expected it in {name}=", f"4.{n - 2}")
            if lasting and letter in given and not together(game, board, board[int(fields["boat"])], letter, n):
                raise PositionError(line, f"{NAMES[letter]} does not have {n} crates together: expected it not to be in {name}=", "4.3")
    if not set(fields["four"]) <= set(fields["three"]) | {"-"}:
        raise PositionError(line, "who had four crates together had three: expected every colour of four= in three=", "4.2")


def together(game: Game, board: list[str], load: str, letter: str, n: int) -> bool:
    """Return whether a colour has n crates together as 4.1 and 4.2 want: on top of each other, or aboard in the children's game."""
    if game.option(GAME) == CHILD:
        return load.count(letter) >= n
    return any(letter * n in stack for stack in board)


def throw(line: str, position: TabaijanaPosition, fields: Mapping[str, str]) -> None:
    """Throw the dice of a line; refuse dice that would not lie there."""
    text = fields["dice"]
    if text == "-":
        return
    if position.actor() == OVER:
        raise PositionError(line, "the game is over, so no throw is to be played", position.reason())
    if ("/" in text) != (fields["colours"][position.side] in fields["three"]):
        raise PositionError(line, "one die is thrown, or two by who has had three crates together", "2.1" if "/" in text else "4.1")
    if text not in THROW_TOKENS:
        raise PositionError(line, f"of two dice the smaller is written first, not {text!r}")
    side = position.side
    position.play(NUMBERS[text])
    if position.actor() != side:
        raise PositionError(line, "the throw allows nothing, so the turn would have passed", "2.2")


def is_throw(action: int) -> bool:
    """Return whether an action is a throw."""
    return action < THROWS
