# compiled
"""Training data from self-play, and the tables fitted to it by logistic regression.

The tables are fitted in two steps. First a few dozen traits that every line has, seen or not: the content of its cells, the
pushes and captures of either side. They give every line a starting value. Then each line, each count of reds taken and of
marbles left moves from there, the further the more often it was seen.
"""

from math import exp, log, sqrt
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tablee.core.bits import count
from tablee.games.traboulet.judgement import DEPTHS, MARBLES, PATTERNS, SIZE, TAKEN, canonical, flipped
from tablee.games.traboulet.position import TrabouletPosition

PLACES: Final[i64] = 30
DEEDS: Final[i64] = 12
TRAITS: Final[i64] = PLACES + DEPTHS * DEEDS
GENERAL: Final[i64] = 5
EMPTY: Final[i64] = 0
OWN: Final[i64] = 1
ENEMY: Final[i64] = 2
RED: Final[i64] = 3
DOUBT: Final[float] = 8.0


def traits() -> vec[i64]:
    """Return the traits of every line of every distance from the edge: TRAITS numbers each."""
    table = vec[i64]([0] * (DEPTHS * PATTERNS * TRAITS))
    cells = vec[i64]([0] * 7)
    depth: i64 = 0
    while depth < DEPTHS:
        pattern: i64 = 0
        while pattern < PATTERNS:
            if canonical(pattern) == pattern:
                at = (depth * PATTERNS + pattern) * TRAITS
                cell: i64 = 0
                while cell < 7:
                    what = ((pattern >> cell) & 1) | (((pattern >> (7 + cell)) & 1) << 1)
                    cells[cell] = what
                    if what:
                        table[at + (what - 1) * 10 + place(depth, min(cell, 6 - cell))] += 1
                    cell += 1
                side_traits(cells, OWN, table, at + PLACES + depth * DEEDS)
                side_traits(cells, ENEMY, table, at + PLACES + depth * DEEDS + 6)
            pattern += 1
        depth += 1
    return table


def place(depth: i64, cell: i64) -> i64:
    """Return which of the ten kinds of cell this is, the board turned and mirrored in every way."""
    far, near = max(depth, cell), min(depth, cell)
    return far * (far + 1) // 2 + near


def side_traits(cells: vec[i64], own: i64, table: vec[i64], at: i64) -> None:
    """Count what one side can do on a line: pushes, captures of a red or a marble, and what a push brings to the edge."""
    way: i64 = 1
    while way >= -1:
        last: i64 = 6 if way == 1 else 0
        start: i64 = 0
        while start < 7:
            behind = start - way
            free = behind < 0 or behind > 6 or cells[behind] == EMPTY
            if cells[start] == own and free and start != last:
                front = start
                while front != last and cells[front + way] != EMPTY:
                    front += way
                if front != last:
                    table[at] += 1
                    if front + way == last:
                        table[at + 3 + (0 if cells[front] == RED else 1 if cells[front] == own else 2)] += 1
                elif cells[front] != own:
                    table[at] += 1
                    table[at + (1 if cells[front] == RED else 2)] += 1
            start += 1
        way -= 2


class Lessons:
    """Positions with their targets, from the side of the player to move."""

    def __init__(self) -> None:
        """Begin with none."""
        self.first: vec[i64] = vec[i64]()
        self.second: vec[i64] = vec[i64]()
        self.rest: vec[i64] = vec[i64]()
        self.targets: vec[float] = vec[float]()
        self.number: i64 = 0
        self.seen: vec[i64] = vec[i64]([0] * 17)

    def add(self, position: TrabouletPosition, target: float) -> None:
        """Add a position with the target of the player to move, from 0 to 1."""
        side, red = position.side, position.red
        own, enemy = (position.black, position.white) if side else (position.white, position.black)
        mine, theirs = (position.black_taken, position.white_taken) if side else (position.white_taken, position.black_taken)
        self.first = append(self.first, own | red)
        self.second = append(self.second, enemy | red)
        self.rest = append(self.rest, mine | (theirs << 3) | (i64(position.bonus) << 6))
        self.targets = append(self.targets, target)
        self.number += 1

    def look(self, at: i64) -> i64:
        """Write the table entries of one position; return how many."""
        first, second, rest = self.first[at], self.second[at], self.rest[at]
        across, along = flipped(first), flipped(second)
        seen = self.seen
        row: i64 = 0
        while row < 7:
            table = (row if row < 4 else 6 - row) * PATTERNS
            seen[row] = table + canonical(((first >> (8 * row)) & 0x7F) | (((second >> (8 * row)) & 0x7F) << 7))
            seen[7 + row] = table + canonical(((across >> (8 * row)) & 0x7F) | (((along >> (8 * row)) & 0x7F) << 7))
            row += 1
        red = first & second
        seen[14] = DEPTHS * PATTERNS + (rest & 7) * 7 + ((rest >> 3) & 7)
        seen[15] = DEPTHS * PATTERNS + TAKEN + count(first ^ red) * 9 + count(second ^ red)
        seen[16] = SIZE - 1
        return 16 + ((rest >> 6) & 1)

    def outline(self, known: vec[i64], end: i64, rounds: i64, rate: float) -> vec[float]:
        """Return the tables fitted by traits alone to the lessons before `end`: the starting value of every line."""
        n = TRAITS + GENERAL
        weights = vec[float]([0.0] * n)
        squares = vec[float]([1.0] * n)
        sums = vec[float]([0.0] * n)
        turn: i64 = 0
        while turn < rounds:
            at: i64 = 0
            while at < end:
                self.look(at)
                k: i64 = 0
                while k < n:
                    sums[k] = 0.0
                    k += 1
                line: i64 = 0
                while line < 14:
                    start = self.seen[line] * TRAITS
                    k = 0
                    while k < TRAITS:
                        trait = known[start + k]
                        if trait:
                            sums[k] += float(trait)
                        k += 1
                    line += 1
                taken = self.seen[14] - DEPTHS * PATTERNS
                marbles = self.seen[15] - DEPTHS * PATTERNS - TAKEN
                sums[TRAITS] = float(taken // 7)
                sums[TRAITS + 1] = float(taken % 7)
                sums[TRAITS + 2] = float(marbles // 9)
                sums[TRAITS + 3] = float(marbles % 9)
                sums[TRAITS + 4] = float((self.rest[at] >> 6) & 1)
                total = 0.0
                k = 0
                while k < n:
                    total += weights[k] * sums[k]
                    k += 1
                error = self.targets[at] - 1.0 / (1.0 + exp(-total))
                k = 0
                while k < n:
                    if sums[k] != 0.0:
                        slope = error * sums[k]
                        squares[k] += slope * slope
                        weights[k] += rate * slope / sqrt(squares[k])
                    k += 1
                at += 1
            turn += 1
        return spread(weights, known)

    def refine(self, weights: vec[float], end: i64, rounds: i64, rate: float) -> None:
        """Fit the tables to the lessons before `end`."""
        squares = vec[float]([DOUBT] * SIZE)
        turn: i64 = 0
        while turn < rounds:
            at: i64 = 0
            while at < end:
                n = self.look(at)
                error = self.targets[at] - self.predict(weights, n)
                k: i64 = 0
                while k < n:
                    entry = self.seen[k]
                    squares[entry] += error * error
                    weights[entry] += rate * error / sqrt(squares[entry])
                    k += 1
                at += 1
            turn += 1

    def predict(self, weights: vec[float], n: i64) -> float:
        """Return the predicted chance to win of the position looked at last."""
        total = 0.0
        k: i64 = 0
        while k < n:
            total += weights[self.seen[k]]
            k += 1
        return 1.0 / (1.0 + exp(-total))

    def cross_entropy(self, weights: vec[float], begin: i64, end: i64) -> float:
        """Return the mean cross entropy of the lessons from `begin` to `end`: lower is better."""
        total = 0.0
        at = begin
        while at < end:
            n = self.look(at)
            chance = self.predict(weights, n)
            target = self.targets[at]
            total -= target * log(chance + 0.000000001) + (1.0 - target) * log(1.000000001 - chance)
            at += 1
        return total / float(max(1, end - begin))


def spread(weights: vec[float], known: vec[i64]) -> vec[float]:
    """Return the tables that give the same values as the traits."""
    tables = vec[float]([0.0] * SIZE)
    entry: i64 = 0
    while entry < DEPTHS * PATTERNS:
        k: i64 = 0
        total = 0.0
        while k < TRAITS:
            total += float(known[entry * TRAITS + k]) * weights[k]
            k += 1
        tables[entry] = total
        entry += 1
    n: i64 = 0
    while n < TAKEN:
        tables[DEPTHS * PATTERNS + n] = weights[TRAITS] * float(n // 7) + weights[TRAITS + 1] * float(n % 7)
        n += 1
    n = 0
    while n < MARBLES:
        tables[DEPTHS * PATTERNS + TAKEN + n] = weights[TRAITS + 2] * float(n // 9) + weights[TRAITS + 3] * float(n % 9)
        n += 1
    tables[SIZE - 1] = weights[TRAITS + 4]
    return tables
