# compiled
"""Evaluates positions of Traboulet: the sum of the values of its fourteen lines and of the captured marbles.

Every push acts along a rank or a file, so the value of each line is looked up by the content of its seven cells, seen from the
player to move, in a table learned from self-play; lines equally far from the edge share a table, and a line has the same
value from either end. Reds taken and marbles left have a table each.
"""

from math import exp
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import count, slot
from tablee.core.errors import TableeError, shown
from tablee.core.game import Game
from tablee.core.judgement import SURE, Judgement
from tablee.games.traboulet.position import (
    BACKWARD,
    EDGE,
    FILE_A,
    FILE_G,
    FORWARD,
    LEFT,
    MARBLE,
    PUSH,
    RANK_1,
    RANK_7,
    RIGHT,
    STOP,
    UP,
    TrabouletPosition,
    reach,
)

PATTERNS: Final[i64] = 16384
DEPTHS: Final[i64] = 4
TAKEN: Final[i64] = 49
MARBLES: Final[i64] = 81
SIZE: Final[i64] = DEPTHS * PATTERNS + TAKEN + MARBLES + 1
# The weights file counts in hundredths of log odds.
UNIT: Final[i64] = 10


def turned(pattern: i64) -> i64:
    """Return a line as it is read from its other end."""
    reverse: i64 = 0
    cell: i64 = 0
    while cell < 7:
        reverse |= ((pattern >> cell) & 1) << (6 - cell)
        reverse |= ((pattern >> (7 + cell)) & 1) << (13 - cell)
        cell += 1
    return reverse


def flipped(cells: i64) -> i64:
    """Return a set of cells with ranks and files exchanged."""
    swap = (cells ^ (cells >> 7)) & 0x00AA00AA00AA00AA
    cells ^= swap ^ (swap << 7)
    swap = (cells ^ (cells >> 14)) & 0x0000CCCC0000CCCC
    cells ^= swap ^ (swap << 14)
    swap = (cells ^ (cells >> 28)) & 0x00000000F0F0F0F0
    return cells ^ swap ^ (swap << 28)


class TrabouletJudgement(Judgement[TrabouletPosition]):
    """Evaluates a position from tables, in thousandths of log odds."""

    def __init__(self, lines: vec[i64], taken: vec[i64], marbles: vec[i64], bonus: i64) -> None:
        """Take the tables: by distance from the edge and line; by reds taken; by marbles left; and the value of a bonus push."""
        self.lines = lines
        self.taken = taken
        self.marbles = marbles
        self.bonus: i64 = bonus

    def value(self, position: TrabouletPosition, seat: i64) -> float:
        """Return the chance to win."""
        return 1.0 / (1.0 + exp(-0.001 * float(self.weigh(position, seat))))

    def weigh(self, position: TrabouletPosition, seat: i64) -> i64:
        """Return the log odds of a seat, in thousandths."""
        side = position.side
        red = position.red
        if side:
            own, enemy = position.black, position.white
            total = self.taken[position.black_taken * 7 + position.white_taken]
        else:
            own, enemy = position.white, position.black
            total = self.taken[position.white_taken * 7 + position.black_taken]
        total += self.marbles[count(own) * 9 + count(enemy)]
        if position.bonus:
            total += self.bonus
        first, second = own | red, enemy | red
        total += self.ranks(first, second) + self.ranks(flipped(first), flipped(second))
        total = max(-SURE, min(SURE, total))
        return total if seat == side else -total

    def ranks(self, first: i64, second: i64) -> i64:
        """Return the value of the seven ranks, from the cells of the mover with the reds and those of the enemy with the reds."""
        lines = self.lines
        second <<= 7
        return (
            lines[(first & 0x7F) | (second & 0x3F80)]
            + lines[((first >> 48) & 0x7F) | ((second >> 48) & 0x3F80)]
            + lines[0x4000 + (((first >> 8) & 0x7F) | ((second >> 8) & 0x3F80))]
            + lines[0x4000 + (((first >> 40) & 0x7F) | ((second >> 40) & 0x3F80))]
            + lines[0x8000 + (((first >> 16) & 0x7F) | ((second >> 16) & 0x3F80))]
            + lines[0x8000 + (((first >> 32) & 0x7F) | ((second >> 32) & 0x3F80))]
            + lines[0xC000 + (((first >> 24) & 0x7F) | ((second >> 24) & 0x3F80))]
        )

    def urgency(self, position: TrabouletPosition, action: i64) -> i64:
        """Return 2 for a red over the edge, 1 for an enemy marble, 0 for any other push."""
        if action == STOP:
            return 0
        line = reach(MARBLE[action], position.white | position.black | position.red, FORWARD[action], BACKWARD[action])
        falling = line & EDGE[action]
        if not falling:
            return 0
        return 2 if falling & position.red else 1

    def urgent(self, position: TrabouletPosition, seat: i64, into: vec[i64]) -> i64:
        """Write the pushes that capture: those on a line that fills all the cells up to the edge."""
        occupied = position.white | position.black | position.red
        legal = position.legal
        n: i64 = 0
        way: i64 = 0
        while way < 4:
            cells = legal[way]
            if cells:
                if way == RIGHT:
                    cells &= reach(occupied & FILE_G, occupied, 0, 1)
                elif way == UP:
                    cells &= reach(occupied & RANK_7, occupied, 0, 8)
                elif way == LEFT:
                    cells &= reach(occupied & FILE_A, occupied, 1, 0)
                else:
                    cells &= reach(occupied & RANK_1, occupied, 8, 0)
                while cells:
                    low = cells & -cells
                    into[n] = PUSH[64 * way + slot(low)]
                    n += 1
                    cells ^= low
            way += 1
        return n

    def features(self, position: TrabouletPosition, seat: i64, into: vec[i64]) -> i64:
        """Write what `weigh` looks up: fourteen lines, then the reds taken, the marbles left and, if there is one, the bonus push."""
        side, red = position.side, position.red
        own, enemy = (position.black, position.white) if side else (position.white, position.black)
        mine, theirs = (position.black_taken, position.white_taken) if side else (position.white_taken, position.black_taken)
        first, second = own | red, enemy | red
        across, along = flipped(first), flipped(second)
        row: i64 = 0
        while row < 7:
            table = (row if row < 4 else 6 - row) * PATTERNS
            into[row] = table + canonical(((first >> (8 * row)) & 0x7F) | (((second >> (8 * row)) & 0x7F) << 7))
            into[7 + row] = table + canonical(((across >> (8 * row)) & 0x7F) | (((along >> (8 * row)) & 0x7F) << 7))
            row += 1
        into[14] = DEPTHS * PATTERNS + mine * 7 + theirs
        into[15] = DEPTHS * PATTERNS + TAKEN + count(own) * 9 + count(enemy)
        into[16] = DEPTHS * PATTERNS + TAKEN + MARBLES
        return 17 if position.bonus else 16


def canonical(pattern: i64) -> i64:
    """Return the smaller of a line's two readings."""
    return min(pattern, turned(pattern))


def plain() -> TrabouletJudgement:
    """Return the judgement by material only: reds taken and marbles left."""
    return tables(material())


def material() -> vec[i64]:
    """Return the weights of material alone, set by hand."""
    weights = vec[i64]([0] * SIZE)
    n: i64 = 0
    while n < TAKEN:
        weights[DEPTHS * PATTERNS + n] = 700 * (n // 7 - n % 7)
        n += 1
    n = 0
    while n < MARBLES:
        weights[DEPTHS * PATTERNS + TAKEN + n] = 500 * (n // 9 - n % 9)
        n += 1
    return weights


def tables(weights: vec[i64]) -> TrabouletJudgement:
    """Return the judgement of weights in the order of `features`, thousandths each; a line has the weight of its smaller reading."""
    lines = vec[i64]([0] * (DEPTHS * PATTERNS))
    pattern: i64 = 0
    while pattern < PATTERNS:
        other = turned(pattern)
        if pattern <= other:
            at: i64 = 0
            while at < DEPTHS * PATTERNS:
                lines[at + pattern] = weights[at + pattern]
                lines[at + other] = weights[at + pattern]
                at += PATTERNS
        pattern += 1
    after = DEPTHS * PATTERNS
    taken = vec[i64]([weights[after + n] for n in range(TAKEN)])
    marbles = vec[i64]([weights[after + TAKEN + n] for n in range(MARBLES)])
    return TrabouletJudgement(lines, taken, marbles, weights[SIZE - 1])


def entries() -> list[int]:
    """Return which weights the file holds, in its order: each line in its smaller reading, then all the others."""
    patterns: list[int] = [pattern for pattern in range(PATTERNS) if pattern <= turned(pattern)]
    lines = [table * PATTERNS + pattern for table in range(DEPTHS) for pattern in patterns]
    return lines + list(range(DEPTHS * PATTERNS, SIZE))


def judge(game: Game, text: str) -> TrabouletJudgement:
    """Return the judgement of a weights file: the section for the game's bonus rule, or the first one."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    sections = "\n".join(["", *lines]).split("\nbonus ")[1:]
    wanted = [section for section in sections if section.split("\n", 1)[0] == game.option("bonus")]
    if not sections:
        raise TableeError("the weights of traboulet have no section: expected a line such as 'bonus any'")
    numbers = (wanted or sections)[0].split()[1:]
    places = entries()
    if len(numbers) != len(places):
        raise TableeError(f"a section of the weights of traboulet has {len(numbers)} numbers: expected {len(places)}")
    weights = vec[i64]([0] * SIZE)
    for place, number in zip(places, numbers, strict=True):
        if not number.removeprefix("-").isdecimal() or len(number) > 6:
            raise TableeError(f"the weights of traboulet hold {shown(number)}: expected a whole number of at most six signs")
        weights[place] = UNIT * i64(int(number))
    return tables(weights)
