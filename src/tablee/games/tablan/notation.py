"""Moves, throws and positions as text, both ways: `A>C`, `.`, `3-5`, `s1`, and the line of five fields."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tablee.core.bits import members
from tablee.core.errors import NotationError, PositionError
from tablee.core.game import Game
from tablee.games.tablan.position import BOTH, BOTH_WAIT, EACH_MAN, FIRST_THROW, HALF, NONE, STAY, WORTH, TablanPosition, dice

# The squares in the order in which Black runs over them (1.3); White's order is the same read backwards.
LINE = "ABCDEFGHIJKLMNOPQRSTUVWXmnopqrstuvwxabcdefghijkl"
# The rows as drawn, White's home on top (1.1).
ROWS = ("lkjihgfedcba", "mnopqrstuvwx", "XWVUTSRQPONM", "ABCDEFGHIJKL")
PLACE = {square: place for place, square in enumerate(LINE)}
EACH = 12
LAST = 47
OUTSIDE = 36

MEN = ("b", "w")
THROWS = (*(f"{low}-{high}" for low, high in dice()), *(f"s{plain}" for plain in range(5)))
START = "wwwwwwwwwwww/............/............/bbbbbbbbbbbb"
# The values of the option `first_move`, and the opening in a line: the set of sides that wait for a 2 (2.4).
FIRST_MOVES = ("table", "each_player", "each_man")
OPENINGS = {"wait": int(BOTH_WAIT), "1": 2, "2": 1, "open": 0}

READABLE_MOVE = re.compile(r"([A-Za-z])>([A-Za-z])")
READABLE_THROW = re.compile(r"[0-9]-[0-9]|s[0-9]")

Men = dict[int, str]


@dataclass(frozen=True)
class Move:
    """One move: the side whose way it is, and the squares it leaves and reaches by their place on the line."""

    side: int
    start: int
    end: int

    @property
    def length(self) -> int:
        """How many squares it covers."""
        return abs(self.end - self.start)

    @property
    def cells(self) -> tuple[str, str]:
        """The names of both squares."""
        return LINE[self.start], LINE[self.end]

    def __str__(self) -> str:
        """Return the token."""
        return f"{LINE[self.start]}>{LINE[self.end]}"


MOVES = (
    *(Move(0, start, start + length) for length in range(1, 13) for start in range(36)),
    *(Move(1, start, start - length) for length in range(1, 13) for start in range(12, 48)),
)
NUMBERS = {
    **{str(move): number for number, move in enumerate(MOVES)},
    **{throw: int(FIRST_THROW) + number for number, throw in enumerate(THROWS)},
    ".": int(STAY),
}


@dataclass(frozen=True)
class Sight:
    """The fields of a position line, not yet checked."""

    men: Men
    side: int
    thrown: int
    mover: int
    waiting: int
    first: int
    over: bool


def empty(game: Game) -> TablanPosition:
    """Return the first position under the options of a game."""
    return TablanPosition(
        game.option("throw") == "sticks",
        FIRST_MOVES.index(game.option("first_move")),
        game.option("filling") == "any_square",
        game.option("throw_again") == "yes",
        game.option("end") == "both",
        game.option("ties") == "first_finisher",
        game.option("last_man") == "may_stay",
    )


def on_path(side: int, place: int) -> int:
    """Return the place on the line as that side counts: 0 to 11 at home, 12 to 35 in the centre, 36 to 47 in the enemy's home (1.3)."""
    return LAST - place if side else place


def men(position: TablanPosition) -> Men:
    """Return the men by their place on the line: `b` or `w`, in upper case where he has yet to make his first move (2.4)."""
    black, white, fresh = int(position.black), int(position.white), int(position.fresh)
    colours = {place: "b" if black >> place & 1 else "w" for place in members(black | white)}
    return {place: colour.upper() if fresh >> place & 1 else colour for place, colour in colours.items()} if fresh else colours


def notate(game: Game, action: int) -> str:
    """Return the token of a move or of a throw, or `.` for the last man who stays."""
    if action == STAY:
        return "."
    return THROWS[action - FIRST_THROW] if action >= FIRST_THROW else str(MOVES[action])


def parse(game: Game, token: str, seat: int) -> int:
    """Return the action of a token."""
    if token in NUMBERS:
        return NUMBERS[token]
    if READABLE_THROW.fullmatch(token):
        raise NotationError(token, "two dice from 1 to 6, the smaller first, such as '3-5', or 0 to 4 sticks plain side up, such as 's1'", "2.1")
    move = READABLE_MOVE.fullmatch(token)
    if not move:
        raise NotationError(token, "the square left and the square reached, such as 'A>C', '.', or a throw such as '3-5' or 's1'")
    if move[1] not in PLACE or move[2] not in PLACE:
        raise NotationError(token, "squares from A to X and from a to x", "1.1")
    if 1 <= abs(PLACE[move[1]] - PLACE[move[2]]) <= 12:
        if on_path(seat, PLACE[move[1]]) < 12:
            raise NotationError(token, "a move along the side's own way, from its home row through the centre", "1.3")
        raise NotationError(token, "a man that has not yet reached the opponent's home row: there it stays", "3.2")
    raise NotationError(token, "a move of 1 to 12 squares along the path", "2.2")


def dump(game: Game, position: TablanPosition) -> str:
    """Return the position on one line: the men row by row, the seat, what is due, the opening, who finished first."""
    on_line = men(position)
    rows = "/".join("".join(on_line.get(PLACE[square], ".") for square in row) for row in ROWS)
    due = "throw"
    if position.ended:
        due = "over"
    elif position.thrown >= 0:
        due = THROWS[position.thrown]
        if position.mover:
            due += f":{LINE[int(position.mover).bit_length() - 1]}"
    opening = "-" if position.first_move == EACH_MAN else next(name for name, waiting in OPENINGS.items() if waiting == position.waiting)
    first = {int(NONE): "-", 0: "1", 1: "2", int(BOTH): "12"}[int(position.first)]
    return f"{rows} {position.side + 1} {due} {opening} {first}"


def load(game: Game, line: str) -> TablanPosition:
    """Return the position of a line; raise `PositionError` with the paragraph it contradicts."""
    sight = read_fields(game, line)
    for wrong, paragraph in contradictions(game, sight):
        raise PositionError(line, wrong, paragraph)
    position = empty(game)
    black, white = (sum(1 << place for place, man in sight.men.items() if man.lower() == colour) for colour in MEN)
    fresh = sum(1 << place for place, man in sight.men.items() if man.isupper())
    mover = 1 << sight.mover if sight.mover >= 0 else 0
    position.arrange(black, white, fresh, sight.side, sight.thrown, mover, sight.waiting, sight.first)
    if sight.over and not position.ended:
        raise PositionError(line, "the game is not over: a side that has men outside can still use a throw", "5.1")
    if position.ended and not sight.over:
        wrong, paragraph = ("a side has no man left outside", "5.1") if position.ended == 1 else ("neither side could use any throw", "5.2")
        raise PositionError(line, f"the game is over: {wrong}", paragraph)
    if sight.thrown >= 0 and not position.full | position.half:
        raise PositionError(line, f"no man can use the throw {THROWS[sight.thrown]}, so it would have been lost", "2.3")
    if position.side != sight.side:
        raise PositionError(line, f"seat {sight.side + 1} could use no throw, so it would have been skipped", "5.2")
    return position


def read_fields(game: Game, line: str) -> Sight:
    """Return the fields of a line, each well formed."""
    fields = line.split(" ")
    if len(fields) != 5:
        raise PositionError(line, "expected the rows, the seat, what is due, the opening, who finished first")
    rows, seat, due, opening, first = fields
    if seat not in ("1", "2"):
        raise PositionError(line, f"the seat is 1 or 2, not {seat[:9]!r}", "1.3")
    if opening not in (*OPENINGS, "-"):
        raise PositionError(line, f"the opening is wait, 1, 2, open or -, not {opening[:9]!r}")
    expected = {"table": ("wait", "open"), "each_player": tuple(OPENINGS), "each_man": ("-",)}[game.option("first_move")]
    if opening not in expected:
        raise PositionError(line, f"the opening is {' or '.join(expected)} with first_move={game.option('first_move')}", "2.4")
    finishers = {"-": int(NONE), "1": 0, "2": 1, "12": int(BOTH)}
    if first not in finishers:
        raise PositionError(line, f"who finished first is -, 1, 2 or 12, not {first[:9]!r}")
    thrown, mover = read_due(line, due)
    return Sight(read_rows(line, rows), int(seat) - 1, thrown, mover, OPENINGS.get(opening, 0), finishers[first], due == "over")


def read_rows(line: str, rows: str) -> Men:
    """Return the men of the first field, White's home row first."""
    drawn = rows.split("/")
    if len(drawn) != len(ROWS):
        raise PositionError(line, f"expected 4 rows, found {len(drawn)}", "1.1")
    men: Men = {}
    for names, row in zip(ROWS, drawn, strict=True):
        if not re.fullmatch(r"[bwBW.]*", row):
            raise PositionError(line, f"the row {names[0]} to {names[-1]} is written with b, w and a point for each empty square")
        if len(row) != len(names):
            raise PositionError(line, f"the row {names[0]} to {names[-1]} has {len(row)} squares instead of 12", "1.1")
        men |= {PLACE[square]: man for square, man in zip(names, row, strict=True) if man != "."}
    return men


def read_due(line: str, due: str) -> tuple[int, int]:
    """Return the throw in hand and the place of the man who has taken a half of it; -1 where there is none."""
    if due in ("throw", "over"):
        return -1, -1
    throw, colon, square = due.partition(":")
    if throw not in THROWS or (colon and square not in PLACE) or len(square) > 1:
        raise PositionError(line, f"what is due is throw, over, a throw such as 3-5 or s1, or 4-4:E after the first half, not {due[:9]!r}")
    return THROWS.index(throw), PLACE[square] if colon else -1


def contradictions(game: Game, sight: Sight) -> Iterator[tuple[str, str]]:
    """Give what no game could have led to, each with the paragraph it contradicts."""
    yield from wrong_men(game, sight)
    yield from wrong_opening(game, sight)
    yield from wrong_throw(game, sight)
    yield from wrong_finisher(sight)


def wrong_men(game: Game, sight: Sight) -> Iterator[tuple[str, str]]:
    """Give what is wrong with the men (1.2, 2.4, 4.1)."""
    each_man = game.option("first_move") == "each_man"
    for side, own in enumerate(MEN):
        places = {on_path(side, place): man for place, man in sight.men.items() if man.lower() == own}
        if len(places) > EACH:
            yield f"{len(places)} men of seat {side + 1} instead of at most 12", "1.2"
        for place, man in places.items():
            if man.isupper() and not each_man:
                yield f"{man} marks a man who needs a 2 for his first move, but here nobody does", "2.4"
            if man.isupper() and place >= EACH:
                yield f"a man of seat {side + 1} who has not moved stands outside his home row", "2.4"
        if each_man and places.get(0) == own:
            yield f"the man of seat {side + 1} on his first square cannot have moved", "2.4"
        arrived = sorted(place for place in places if place >= OUTSIDE)
        if game.option("filling") == "in_order" and arrived != list(range(OUTSIDE, OUTSIDE + len(arrived))):
            yield f"seat {side + 1} has left a gap in the opponent's home row", "4.1"


def wrong_opening(game: Game, sight: Sight) -> Iterator[tuple[str, str]]:
    """Give what is wrong with the wait for the first 2 (2.4)."""
    untouched = sight.men == dict.fromkeys(range(EACH), "b") | dict.fromkeys(range(OUTSIDE, LAST + 1), "w")
    if sight.waiting == BOTH_WAIT and not (untouched and sight.thrown < 0 and not sight.over):
        yield "nobody has thrown a 2 yet, so no man can have moved and no throw can be used", "2.4"
    opened = sight.thrown >= 0 and WORTH[sight.thrown] == 2 and (game.option("first_move") != "each_player" or sight.waiting != 0)
    if untouched and sight.waiting != BOTH_WAIT and not opened:
        yield "the first 2 has been thrown, so a man must have moved by it", "2.4"
    for side in range(len(MEN)):
        if sight.waiting >> side & 1 and not all_at_home(sight.men, side):
            yield f"seat {side + 1} has not thrown a 2 yet, so none of its men can have moved", "2.4"
    if sight.thrown >= 0 and sight.waiting >> sight.side & 1:
        yield f"seat {sight.side + 1} has not thrown a 2 yet, so no throw can be used", "2.4"


def all_at_home(men: Men, side: int) -> bool:
    """Return whether no man of a side has moved: each of his squares still has its man, or the enemy who has captured him there."""
    home = {on_path(side, along) for along in range(EACH)}
    return home <= men.keys() and all(place in home for place, man in men.items() if man.lower() == MEN[side])


def wrong_throw(game: Game, sight: Sight) -> Iterator[tuple[str, str]]:
    """Give what is wrong with the throw in hand and with the man who has taken half of it (2.1 to 2.3, 4.1)."""
    if sight.thrown < 0:
        return
    throw = THROWS[sight.thrown]
    if throw.startswith("s") != (game.option("throw") == "sticks"):
        yield f"{throw} is not thrown here: this game is played with {game.option('throw')}", "2.1"
    if not WORTH[sight.thrown]:
        yield f"{throw} is worth nothing and is lost at once", "2.1"
    if sight.mover < 0:
        return
    half = int(HALF[WORTH[sight.thrown]])
    own = MEN[sight.side]
    left = sight.mover + (half if sight.side else -half)
    if not half:
        yield f"{throw} has no halves", "2.2"
    elif sight.men.get(sight.mover) != own or left in sight.men or not 0 <= on_path(sight.side, left) < OUTSIDE:
        yield f"no man can have come to {LINE[sight.mover]} by half of {throw}", "2.3"
    here = on_path(sight.side, sight.mover)
    beyond = on_path(sight.side, here + 1) if OUTSIDE <= here < LAST else -1
    if game.option("filling") == "in_order" and sight.men.get(beyond) == own:
        yield f"{LINE[sight.mover]} was filled before the square after it", "4.1"


def wrong_finisher(sight: Sight) -> Iterator[tuple[str, str]]:
    """Give what is wrong with who has finished first (5.3)."""
    outside = {man.lower() for place, man in sight.men.items() if on_path(MEN.index(man.lower()), place) < OUTSIDE}
    possible = {("b", "w"): (NONE,), ("w",): (0,), ("b",): (1,), (): (0, 1, BOTH)}[tuple(sorted(outside))]
    if sight.first not in possible:
        yield "who finished first does not agree with the men still outside", "5.3"
