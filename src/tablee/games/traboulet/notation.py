"""Pushes and positions as text, both ways: `b7c7`, `.`, and the line of six fields."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from tablee.core.errors import NotationError, PositionError
from tablee.core.game import Game
from tablee.games.traboulet.position import GOAL, NONE, STOP, TrabouletPosition, steps

SIDE = 7
EACH = 8
REDS = 13
FILES = "abcdefg"
RANKS = "1234567"
START = "ww3bb/ww1r1bb/2rrr2/1rrrrr1/2rrr2/bb1r1ww/bb3ww w 0 0 - -"
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))

BONUS = ("none", "red", "any")
KO = ("reverse", "position", "row")
REPETITION = ("draw", "forbid", "play_on")

READABLE = re.compile(r"([a-z])([0-9]{1,2})([a-z])([0-9]{1,2})")

Spot = tuple[int, int]
Board = dict[Spot, str]


@dataclass(frozen=True)
class Push:
    """One push: the cell of the marble, file and rank from 0, and the step it takes."""

    start: Spot
    step: Spot

    @property
    def target(self) -> Spot:
        """The cell the marble goes to."""
        return beyond(self.start, self.step)

    @property
    def behind(self) -> Spot:
        """The cell the finger needs; it may be off the board."""
        return self.start[0] - self.step[0], self.start[1] - self.step[1]

    def __str__(self) -> str:
        """Return the token."""
        return name(self.start) + name(self.target)


def name(spot: Spot) -> str:
    """Return the name of a cell: `a1` is the lower left corner."""
    return FILES[spot[0]] + RANKS[spot[1]]


def inside(spot: Spot) -> bool:
    """Return whether a cell is on the board."""
    return 0 <= spot[0] < SIDE and 0 <= spot[1] < SIDE


def beyond(spot: Spot, step: Spot) -> Spot:
    """Return the next cell that way, on the board or not."""
    return spot[0] + step[0], spot[1] + step[1]


SPOTS: tuple[Spot, ...] = tuple((x, y) for y in range(SIDE) for x in range(SIDE))
SPOT_OF: dict[int, Spot] = {1 << 8 * y + x: (x, y) for x, y in SPOTS}
PUSHES: tuple[Push, ...] = tuple(Push((cell % 8, cell // 8), STEPS[direction]) for direction, cell in steps())
TOKENS: tuple[str, ...] = tuple(map(str, PUSHES))
NUMBERS: dict[str, int] = {token: number for number, token in enumerate(TOKENS)}


def empty(game: Game) -> TrabouletPosition:
    """Return a bare board under the options of a game."""
    return TrabouletPosition(BONUS.index(game.option("bonus")), KO.index(game.option("ko")), REPETITION.index(game.option("repetition")))


def board(position: TrabouletPosition) -> Board:
    """Return the colour (`w`, `b`, `r`) of every marble by its cell."""
    marbles: Board = {}
    for colour, cells in (("w", int(position.white)), ("b", int(position.black)), ("r", int(position.red))):
        while cells:
            marbles[SPOT_OF[cells & -cells]] = colour
            cells &= cells - 1
    return marbles


def colour_at(position: TrabouletPosition, spot: Spot) -> str:
    """Return `w`, `b`, `r`, or nothing for an empty cell of the board."""
    at = 8 * spot[1] + spot[0]
    if position.white >> at & 1:
        return "w"
    if position.black >> at & 1:
        return "b"
    return "r" if position.red >> at & 1 else ""


def gathered(marbles: Board) -> tuple[int, int, int]:
    """Return a board as the sets of its white, black and red cells."""
    white, black, red = (sum(1 << 8 * y + x for (x, y), colour in marbles.items() if colour == wanted) for wanted in "wbr")
    return white, black, red


def notate(game: Game, action: int) -> str:
    """Return the token of a push, or `.` for the end of the turn."""
    return "." if action == STOP else TOKENS[action]


def parse(game: Game, token: str, seat: int) -> int:
    """Return the action of a token."""
    if token == ".":
        return int(STOP)
    if token in NUMBERS:
        return NUMBERS[token]
    if not READABLE.fullmatch(token):
        raise NotationError(token, "the marble's cell and the next cell, such as 'b7c7', or '.'")
    raise NotationError(token, "a push by one cell along a rank or file of the board a1 to g7", "2.1")


def dump(game: Game, position: TrabouletPosition) -> str:
    """Return the position on one line: ranks, side to move, reds taken by White and by Black, banned push, bonus."""
    sets = [int(cells).to_bytes(8, "little") for cells in (position.white, position.black, position.red)]
    ranks = "/".join(map(dump_rank, *(cells[SIDE - 1 :: -1] for cells in sets)))
    ban = dump_ban(int(position.ban))
    if position.bonus and game.option("ko") == "row":
        ban += f"/{dump_ban(int(position.next_ban))}"
    return f"{ranks} {'wb'[position.side]} {position.white_taken} {position.black_taken} {ban} {'+' if position.bonus else '-'}"


def dump_ban(ban: int) -> str:
    """Return a ban as the push it names, or `-`."""
    return "-" if ban == NONE else str(PUSHES[ban])


@cache
def dump_rank(white: int, black: int, red: int) -> str:
    """Return a rank, given as the sets of its files that each colour holds."""
    return squeeze("".join("w" if white >> x & 1 else "b" if black >> x & 1 else "r" if red >> x & 1 else "." for x in range(SIDE)))


def squeeze(rank: str) -> str:
    """Return a rank with every run of empty cells as its length."""
    return re.sub(r"\.+", lambda run: str(len(run[0])), rank)


def load(game: Game, line: str) -> TrabouletPosition:
    """Return the position of a line, with a new history; raise `PositionError` with the paragraph it contradicts."""
    fields = line.split(" ")
    if len(fields) != 6:
        raise PositionError(line, "expected ranks, side to move, reds taken by White, by Black, banned push, bonus")
    ranks, side, white_taken, black_taken, ban, bonus = fields
    marbles = read_ranks(line, ranks)
    if side not in ("w", "b"):
        raise PositionError(line, f"the side to move is w or b, not {side[:9]!r}")
    for taken in (white_taken, black_taken):
        if len(taken) != 1 or taken not in "01234567":
            raise PositionError(line, f"reds taken are 0 to 7, not {taken[:9]!r}", "5.1" if taken in ("8", "9", "10", "11", "12", "13") else "")
    if bonus not in ("+", "-"):
        raise PositionError(line, f"the bonus push is + or -, not {bonus[:9]!r}")
    bans = read_bans(game, line, ban, bonus == "+")
    for wrong, paragraph in contradictions(game, marbles, side, (int(white_taken), int(black_taken)), bans, bonus == "+"):
        raise PositionError(line, wrong, paragraph)
    position = empty(game)
    position.place(*gathered(marbles), int(white_taken), int(black_taken))
    position.resume("wb".index(side), *bans, bonus == "+")
    if bonus == "+" and not position.bonus:
        raise PositionError(line, "a bonus push is on, but no push is left, so the turn would have ended", "4.2")
    return position


def read_ranks(line: str, ranks: str) -> Board:
    """Return the marbles of the first field, rank 7 first."""
    rows = ranks.split("/")
    if len(rows) != SIDE:
        raise PositionError(line, f"expected 7 ranks, found {len(rows)}", "1.1")
    marbles: Board = {}
    for y, row in zip(reversed(range(SIDE)), rows, strict=True):
        if not re.fullmatch(r"[wbr1-7]{1,7}", row) or re.search(r"[1-7]{2}", row):
            raise PositionError(line, f"rank {y + 1} is written with w, b, r and one figure for each gap")
        cells = re.sub(r"[1-7]", lambda gap: "." * int(gap[0]), row)
        if len(cells) != SIDE:
            raise PositionError(line, f"rank {y + 1} has {len(cells)} cells instead of 7", "1.1")
        marbles |= {(x, y): colour for x, colour in enumerate(cells) if colour != "."}
    return marbles


def read_bans(game: Game, line: str, field: str, bonus: bool) -> tuple[int, int]:
    """Return the banned push and, on a bonus push with `ko=row`, the ban that the end of the turn would set."""
    ban, slash, next_ban = field.partition("/")
    for name in (ban, next_ban) if slash else (ban,):
        if name != "-" and name not in NUMBERS:
            raise PositionError(line, f"the banned push is a push such as b7c7, or -, not {name[:9]!r}")
    if bool(slash) != (bonus and game.option("ko") == "row"):
        raise PositionError(line, "the ban to come, such as in -/g4f4, stands there on a bonus push with ko=row, and only then", "3.1")
    return NUMBERS.get(ban, int(NONE)), NUMBERS.get(next_ban, int(NONE))


def contradictions(game: Game, marbles: Board, side: str, taken: tuple[int, int], bans: tuple[int, int], bonus: bool) -> Iterator[tuple[str, str]]:
    """Give what no game could have led to, each with the paragraph it contradicts."""
    colours = list(marbles.values())
    for colour, word in (("w", "white"), ("b", "black")):
        if colours.count(colour) > EACH:
            yield f"{colours.count(colour)} {word} marbles instead of at most 8", "1.1"
    if colours.count("r") + sum(taken) > REDS:
        yield f"{colours.count('r') + sum(taken)} red marbles on the board and taken instead of at most 13", "1.1"
    mine, enemy = "wb".index(side), "wb".replace(side, "")
    if taken[1 - mine] >= GOAL:
        yield "the seventh red ends the game at once, before the turn passes", "5.1"
    if side not in colours:
        yield "the last marble ends the game at once, before the turn passes", "5.2"
    if taken[mine] >= GOAL and enemy not in colours:
        yield "the game ended twice", "5.2"
    ended = taken[mine] >= GOAL or enemy not in colours
    if bonus and ended:
        yield "the game is over, so no bonus push is on", "5.1" if taken[mine] >= GOAL else "5.2"
    rule = game.option("bonus")
    earned = rule != "none" and (taken[mine] > 0 or (rule == "any" and colours.count(enemy) < EACH))
    if bonus and not earned:
        yield "a bonus push is on, but nothing was captured that gives one", "4.1"
    banned, next_ban = bans
    if next_ban != NONE and not just_captured(marbles, enemy, PUSHES[next_ban]):
        yield f"no capture could set the ban on {PUSHES[next_ban]}", "3.1"
    if banned == NONE:
        return
    if bonus and game.option("ko") == "position":
        yield "a push is banned, but not on a bonus push", "3.1"
    if not (could_be_banned(PUSHES[banned]) if bonus or ended else was_pushed(marbles, side, PUSHES[banned])):
        yield f"no push could have set the ban on {PUSHES[banned]}", "3.1"


def could_be_banned(ban: Push) -> bool:
    """Return whether the line to be pushed back, two marbles or more, had room to come from."""
    return inside(beyond(ban.target, ban.step))


def was_pushed(marbles: Board, side: str, ban: Push) -> bool:
    """Return whether the enemy can just have pushed the line that begins at the banned push and ends in his own marble."""
    spot, last = ban.start, ""
    if marbles.get(spot) != side:
        return False
    while spot in marbles:
        last = marbles[spot]
        spot = beyond(spot, ban.step)
    return last != side and last != "r" and inside(spot) and beyond(spot, ban.step) not in marbles


def just_captured(marbles: Board, enemy: str, ban: Push) -> bool:
    """Return whether a push that captured can just have left a marble of the enemy's on the edge, at the far end of its line."""
    return not inside(ban.behind) and was_pushed(marbles, enemy, ban)
