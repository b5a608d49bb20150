"""Steps and positions as text, both ways: `e4`, `-h7`, `++`, `xe6`, `|e8f8`, `.`, `@b1`, and the line of a position.

The line: the seat whose turn it is, the part of the turn, each seat, the woods.

    1 run b1:e4+f5++:27p,11w,5d:1x,0xx h9:d4+:28p,12w,6d:0x,0xx |e8f8

The part is `set`, `run`, `turn:START`, `lay:START:CELL` (where the pawn is due) or `end:START:CELL` (where the pawn just
laid stands); START is where the fool began its turn. A seat is its fool, its pawns (`+` single, `++` double), the pawns,
woods and doubles it has left, the singles and doubles it has taken. A line need not come from a real game, but what it
says must fit together: nothing is lost, nothing stands twice.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tablee.core.errors import NotationError, PositionError, shown
from tablee.core.game import Game
from tablee.games.tabale.board import CELL, CORNERS, DOUBLES, NAME, PAWNS, RIM, SIDE, SIDE_NAME, WOODS, in_line, marked
from tablee.games.tabale.position import (
    ENDING,
    LAYING,
    RUNNING,
    SETTING,
    TURNING,
    TabalePosition,
)
from tablee.games.tabale.view import NOWHERE, View, way_to

PARTS = {"set": SETTING, "run": RUNNING, "turn": TURNING, "lay": LAYING, "end": ENDING}
TOKENS = (
    *(NAME[cell] for cell in range(61)),
    *(f"-{NAME[cell]}" for cell in range(61)),
    "+",
    "++",
    *(f"x{NAME[cell]}" for cell in range(61)),
    *(f"|{name}" for name in SIDE_NAME),
    ".",
    *(f"@{NAME[cell]}" for cell in range(61)),
)
NUMBERS = {token: number for number, token in enumerate(TOKENS)}
READABLE = re.compile(r"(|-|x|@)([a-z])([0-9])|\|([a-z][0-9])([a-z][0-9])")
COUNT = "(0|[1-9][0-9]?)"
SEAT = re.compile(rf"(-|[a-z][0-9]):(-|(?:[a-z][0-9]\+\+?)+):{COUNT}p,{COUNT}w,{COUNT}d:{COUNT}x,{COUNT}xx")


def notate(game: Game, action: int) -> str:
    """Return the token of an action."""
    return TOKENS[action]


def parse(game: Game, token: str, seat: int) -> int:
    """Return the action of a token."""
    if token in NUMBERS:
        return NUMBERS[token]
    match = READABLE.fullmatch(token)
    if not match:
        raise NotationError(token, "a step such as 'e4', '-h7', '+', '++', 'xe6', '|e8f8', '.' or '@b1'")
    if match[4] is None:
        raise NotationError(token, "a cell of the board: a1-a5, b1-b6, c1-c7, d1-d8, e1-e9, f2-f9, g3-g9, h4-h9, i5-i9", "1.2")
    if match[4] in CELL and match[5] in CELL:
        raise NotationError(token, "an edge between two neighbours, the smaller name first", "4.1")
    raise NotationError(token, "an edge between two cells of the board", "1.2")


def blank(game: Game) -> TabalePosition:
    """Return an empty board under the options of a game."""
    yes = {name: game.option(name) == value for name, value in (("reversal", "yes"), ("ties", "captures"), ("teams", "on"))}
    return TabalePosition(game.seats, int(game.option("edges")), yes["reversal"], yes["ties"], yes["teams"])


def dump(game: Game, position: TabalePosition) -> str:
    """Return the position on one line."""
    view = View(position)
    seats = [dump_seat(view, seat) for seat in range(view.seats)]
    woods = "".join(sorted(f"|{SIDE_NAME[side]}" for side in view.woods())) or "-"
    return " ".join((str(view.seat + 1), dump_part(view), *seats, woods))


def dump_part(view: View) -> str:
    """Return the part of the turn, with the cells it remembers."""
    name = next((name for name, part in PARTS.items() if part == view.part), "run")
    return ":".join((name, *(NAME[cell] for cell in (view.start, view.laid) if cell != NOWHERE)))


def dump_seat(view: View, seat: int) -> str:
    """Return one seat: fool, pawns, stock, captures."""
    fool = view.fool_of(seat)
    pawns = "".join(NAME[cell] + "+" * height for cell, height in view.pawns(seat).items())
    hand, woods, doubles, singles_taken, doubles_taken = view.stock(seat)
    return f"{NAME.get(fool, '-')}:{pawns or '-'}:{hand}p,{woods}w,{doubles}d:{singles_taken}x,{doubles_taken}xx"


@dataclass
class SeatLine:
    """What a line says of one seat."""

    fool: int
    pawns: dict[int, int]
    hand: int
    woods: int
    doubles: int
    singles_taken: int
    doubles_taken: int


@dataclass
class Line:
    """What a line says: the seat to move, the part of its turn with the cells it remembers, the seats, the woods."""

    seat: int
    part: int
    start: int
    laid: int
    seats: list[SeatLine]
    woods: list[int]


def load(game: Game, line: str) -> TabalePosition:
    """Return the position of a line; raise `PositionError` with the paragraph it contradicts."""
    said = read_line(game, line)
    for wrong, paragraph in (*material(game, said), *board(game, said), *stage(said)):
        raise PositionError(line, wrong, paragraph)
    position = blank(game)
    for number, seat in enumerate(said.seats):
        cells = [sum(1 << cell for cell, height in seat.pawns.items() if height >= least) for least in (1, 2)]
        stock = [seat.hand, seat.woods, seat.doubles, seat.singles_taken, seat.doubles_taken]
        position.arrange_seat(number, as_set(seat.fool), cells[0], cells[1], stock)
    for side in said.woods:
        position.put_wood(side)
    for wrong, paragraph in turn_so_far(game, View(position), said):
        raise PositionError(line, wrong, paragraph)
    position.arrange_turn(said.seat, said.part, as_set(said.start), as_set(said.laid))
    if said.part == TURNING and not position.targets:
        raise PositionError(line, f"the fool cannot go on from {NAME[said.seats[said.seat].fool]}", "2.1")
    return position


def as_set(cell: int) -> int:
    """Return a cell as a set, NOWHERE as none."""
    return 0 if cell == NOWHERE else 1 << cell


def read_line(game: Game, line: str) -> Line:
    """Return what a line says, if it can be read at all."""
    fields = line.split(" ")
    if len(fields) != game.seats + 3:
        raise PositionError(line, f"expected the seat to move, the part of its turn, {game.seats} seats and the barriers")
    if len(fields[0]) != 1 or fields[0] not in "1234"[: game.seats]:
        raise PositionError(line, f"the seat to move is 1 to {game.seats}, not {shown(fields[0])}")
    name, *cells = fields[1].split(":")
    if name not in PARTS or len(cells) != {"turn": 1, "lay": 2, "end": 2}.get(name, 0):
        raise PositionError(line, "the part of the turn is set, run, turn:b1, lay:b1:e4 or end:b1:e4")
    start, laid = [read_cell(line, cell) for cell in (*cells, "-", "-")][:2]
    seats = [read_seat(line, field) for field in fields[2:-1]]
    return Line(int(fields[0]) - 1, int(PARTS[name]), start, laid, seats, read_woods(line, fields[-1]))


def read_cell(line: str, name: str) -> int:
    """Return the cell of a name, or NOWHERE for `-`."""
    if name != "-" and name not in CELL:
        raise PositionError(line, f"there is no cell {shown(name)}", "1.2")
    return CELL.get(name, NOWHERE)


def read_seat(line: str, field: str) -> SeatLine:
    """Return what one field says of a seat."""
    match = SEAT.fullmatch(field)
    if not match:
        raise PositionError(line, f"a seat is written like b1:e4+f5++:27p,12w,5d:0x,0xx, not {shown(field)}")
    pawns: dict[int, int] = {}
    for name, pluses in re.findall(r"([a-z][0-9])(\+\+?)", match[2]):
        cell = read_cell(line, name)
        if cell in pawns:
            raise PositionError(line, f"{name} stands twice", "3.2")
        pawns[cell] = len(pluses)
    return SeatLine(read_cell(line, match[1]), pawns, *(int(match[group]) for group in range(3, 8)))


def read_woods(line: str, field: str) -> list[int]:
    """Return the sides with a wood."""
    if field == "-":
        return []
    if not re.fullmatch(r"(\|[a-z][0-9][a-z][0-9])+", field):
        raise PositionError(line, f"the barriers are written like |e8f8|a1a2, or -, not {shown(field)}")
    woods = []
    for name in field[1:].split("|"):
        if name not in SIDE:
            raise PositionError(line, f"there is no edge {name}", "1.3")
        if SIDE[name] in woods:
            raise PositionError(line, f"two barriers on the edge {name}", "4.1")
        woods.append(SIDE[name])
    return woods


def material(game: Game, said: Line) -> Iterator[tuple[str, str]]:
    """Give what does not fit the material of 1.4, the quota of 3.2 and the captures of 3.3, each with its paragraph."""
    seats = said.seats
    pawns, woods, doubles = PAWNS[game.seats], WOODS[game.seats], DOUBLES[game.seats]
    lost_singles, lost_doubles = [], []
    for number, seat in enumerate(seats, 1):
        pairs = list(seat.pawns.values()).count(2)
        lost_doubles.append(doubles - seat.doubles - pairs)
        lost_singles.append(pawns - seat.hand - len(seat.pawns) - pairs - 2 * lost_doubles[-1])
        if seat.doubles > doubles or lost_doubles[-1] < 0:
            yield f"seat {number} has {seat.doubles} doubles left and {pairs} laid instead of at most {doubles} in all", "3.2"
        if lost_singles[-1] < 0:
            yield f"seat {number} has more than {pawns} pawns: in hand, on the board and in doubles it lost", "1.4"
        if seat.woods > woods:
            yield f"seat {number} has {seat.woods} barriers left instead of at most {woods}", "1.4"
    if len(said.woods) + sum(seat.woods for seat in seats) != woods * game.seats:
        yield f"{len(said.woods)} barriers on the board and {sum(seat.woods for seat in seats)} left do not make {woods * game.seats}", "1.4"
    for kind, lost, taken in (
        ("pawns", lost_singles, [seat.singles_taken for seat in seats]),
        ("doubles", lost_doubles, [seat.doubles_taken for seat in seats]),
    ):
        if sum(lost) != sum(taken):
            yield f"{sum(lost)} {kind} are missing and {sum(taken)} are taken", "3.3"
        for side in sides(game):
            if sum(lost[partner] + taken[partner] for partner in side) > sum(lost):
                yield f"seat {side[0] + 1} has taken {kind} that only its own side can have lost", "3.4"


def sides(game: Game) -> list[tuple[int, ...]]:
    """Return the seats that never capture from each other: partners, or each seat by itself."""
    return [(0, 2), (1, 3)] if game.option("teams") == "on" else [(seat,) for seat in range(game.seats)]


def board(game: Game, said: Line) -> Iterator[tuple[str, str]]:
    """Give what cannot stand or lie where it does: two things on a cell, a wood on a side without mark."""
    seen: set[int] = set()
    for seat in said.seats:
        for cell in (seat.fool, *seat.pawns):
            if cell != NOWHERE and cell in seen:
                yield f"two things stand on {NAME[cell]}", "2.2"
            seen.add(cell)
    allowed = marked(game.option("edges"))
    for side in said.woods:
        if side not in allowed:
            yield f"the side {SIDE_NAME[side]} is not marked", "4.1"


def stage(said: Line) -> Iterator[tuple[str, str]]:
    """Give what does not fit the part of the game: fools not yet set, a last pawn that would have ended it."""
    setting = said.part == SETTING
    for number, seat in enumerate(said.seats):
        is_set = not setting or number < said.seat
        if (seat.fool != NOWHERE) != is_set:
            yield f"the fool of seat {number + 1} is {'not set' if is_set else 'set too early'}", "1.5"
        if setting and seat.fool != NOWHERE and (seat.fool not in RIM or seat.fool in CORNERS):
            yield f"no fool can be set on {NAME[seat.fool]}", "1.5"
        if setting and (seat.pawns or said.woods or seat.singles_taken or seat.doubles_taken):
            yield "pawns are laid, but not all fools are set", "1.5"
        # 5.1: the game ends with the turn in which a last pawn was laid.
        laying = said.part == ENDING and number == said.seat
        just_ended = said.part == RUNNING and number == (said.seat - 1) % len(said.seats)
        if not seat.hand and not laying and not just_ended:
            yield f"seat {number + 1} has no pawn left, so the game would have ended before", "5.1"


def turn_so_far(game: Game, view: View, said: Line) -> Iterator[tuple[str, str]]:
    """Give what the fool cannot have done this turn: a way that is not straight or not clear, a pawn that is not there."""
    fool, start, laid = said.seats[said.seat].fool, said.start, said.laid
    if said.part == TURNING:
        if start == fool or not clear(view, start, fool, fool) or not view.is_free(start):
            yield f"the fool cannot have run from {NAME[start]} to {NAME[fool]}", "2.1"
    elif said.part == LAYING:
        came, went = in_line(start, laid), in_line(laid, fool)
        if not view.is_free(laid) or not (view.is_free(start) or start == fool):
            yield f"the cells {NAME[start]} and {NAME[laid]} must be free", "2.2"
        if not clear(view, start, laid, fool) or not clear(view, laid, fool, fool):
            yield f"the fool cannot have run from {NAME[start]} to {NAME[laid]} and on to {NAME[fool]}", "2.1"
        if came == went or (game.option("reversal") == "no" and came == (went + 3) % 6):
            yield f"the fool has not turned on {NAME[laid]} by 60° or 120°", "2.3"
    elif said.part == ENDING:
        if laid not in said.seats[said.seat].pawns:
            yield f"seat {said.seat + 1} has no pawn on {NAME[laid]}", "3.1"
        if not view.is_free(start) and start != laid and not (start == fool and game.option("reversal") == "yes"):
            yield f"the fool cannot have started from {NAME[start]}, where something stands", "2.2"


def clear(view: View, start: int, end: int, fool: int) -> bool:
    """Return whether a fool can have run straight from one cell to another; where it stands now was free then."""
    way = in_line(start, end)
    if way < 0:
        return False
    cells = way_to(start, way, end)
    crossed = zip([start, *cells], cells, strict=False)
    return all(cell == fool or view.is_free(cell) for cell in cells) and not any(view.wood_between(before, after) for before, after in crossed)
