# compiled
"""Evaluates positions of Tabale: material, possible captures, mobility of the fools, distance to the end.

Every seat gets a strength, a weighted sum of features seen from its side; its expected share of the win is the softmax of the
strengths, so that one set of weights serves two seats, more seats, and teams. In the middle of a turn the pawn
about to be laid counts as laid, with the best jumps it can make.
"""

from math import exp
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import DE_BRUIJN, INDEX, count
from tablee.core.decimals import read_decimals
from tablee.core.game import Game
from tablee.core.judgement import Judgement, bounded
from tablee.games.tabale.board import PAWNS
from tablee.games.tabale.position import (
    DONE,
    END,
    ENDING,
    JUMP,
    LAYING,
    RUNNING,
    SETTING,
    TURNING,
    WOOD_RIGHT,
    WOOD_UP_LEFT,
    WOOD_UP_RIGHT,
    TabalePosition,
)
from tablee.games.tabale.sets import (
    DOWN_LEFT,
    DOWN_RIGHT,
    LEFT,
    RIGHT,
    TURN_BY,
    UP_LEFT,
    UP_RIGHT,
    WORTH_3,
    WORTH_6,
    WORTH_10,
    WORTH_15,
    points,
    ray,
    rotate,
)

# The features of a seat, each once plain and once multiplied by the progress of the game; then those of the end.
SIDED: Final[i64] = 15
SEEN: Final[i64] = 42
WATCHED: Final[i64] = 3
LONGEST: Final[i64] = 6


class TabaleJudgement(Judgement[TabalePosition]):
    """Evaluates a position; after `compare`, `strength` holds the strength of every seat and `seen` its features."""

    def __init__(self, weights: list[float]) -> None:
        """Keep the weights, one for each feature."""
        self.weights: vec[float] = vec[float](weights)
        self.seen: vec[float] = vec[float]([0.0] * (4 * SEEN))
        self.strength: vec[float] = vec[float]([0.0] * 4)
        self.reach: vec[i64] = vec[i64]([0] * 4)
        self.exits: vec[i64] = vec[i64]([0] * 4)
        self.along: i64 = 0
        self.rising: i64 = 0
        self.falling: i64 = 0

    def value(self, position: TabalePosition, seat: i64) -> float:
        """Return the expected share of a seat: the softmax of all strengths, partners' strengths added."""
        self.compare(position)
        strength = self.strength
        if position.teams:
            lead = strength[seat] + strength[seat ^ 2] - strength[(seat + 1) & 3] - strength[(seat + 3) & 3]
            return 1.0 / (1.0 + exp(-bounded(lead)))
        total = 0.0
        k: i64 = 0
        while k < position.seats:
            total += exp(bounded(strength[k] - strength[seat]))
            k += 1
        return 1.0 / total

    def compare(self, position: TabalePosition) -> None:
        """Compute the strength of every seat."""
        self.look(position)
        seen = self.seen
        weights = self.weights
        at: i64 = 0
        seat: i64 = 0
        while seat < position.seats:
            total = 0.0
            k: i64 = 0
            while k < SEEN:
                total += weights[k] * seen[at]
                at += 1
                k += 1
            self.strength[seat] = total
            seat += 1

    def look(self, position: TabalePosition) -> None:
        """Write the features of every seat."""
        part = position.part
        seats = position.seats
        mover = position.seat
        following = mover
        free = position.free
        promised: i64 = 0
        jumping: i64 = 0
        if part > RUNNING and part < DONE:
            following = mover + 1 if mover + 1 < seats else 0
            if part == TURNING:
                promised = position.fools[mover]
            else:
                jumping = position.laid
                if part == LAYING:
                    promised = jumping
                    free &= ~jumping
        self.open_axes(position, free)
        self.reaches(position, free)
        least = position.hand[0]
        tight: i64 = 99
        narrow: i64 = 99
        k: i64 = 1
        while k < seats:
            if position.hand[k] < least:
                least = position.hand[k]
            k += 1
        k = 0
        while k < seats:
            if k != following:
                turning = count(self.reach[k])
                if turning < tight:
                    tight = turning
                if self.exits[k] < narrow:
                    narrow = self.exits[k]
            k += 1
        done = 1.0 - float(least) / float(PAWNS_LEFT[seats])
        filled = 1.0 - float(count(free)) / 61.0
        near = count(self.reach[following])
        door = self.exits[following]
        if part == SETTING:
            near = tight = door = narrow = 9
        k = 0
        while k < seats:
            self.look_from(position, k, following, promised if k == mover else 0)
            if k == mover and jumping:
                self.seen[k * SEEN] += 0.1 * float(self.gain(position, mover, jumping, free))
            self.sharpen(k * SEEN, done, filled, near, tight, door, narrow)
            k += 1

    def open_axes(self, position: TabalePosition, free: i64) -> None:
        """Find, for each axis, the cells with both neighbours free and no wood between: what stands there can be jumped."""
        self.along = position.pass_right & rotate(free, LEFT) & position.pass_left & rotate(free, RIGHT)
        self.rising = position.pass_up_right & rotate(free, DOWN_LEFT) & position.pass_down_left & rotate(free, UP_RIGHT)
        self.falling = position.pass_up_left & rotate(free, DOWN_RIGHT) & position.pass_down_right & rotate(free, UP_LEFT)

    def reaches(self, position: TabalePosition, free: i64) -> None:
        """Find the cells where each fool could turn, and in how many directions it could leave."""
        right, up_right, up_left = position.pass_right, position.pass_up_right, position.pass_up_left
        left, down_left, down_right = position.pass_left, position.pass_down_left, position.pass_down_right
        leave_along = (right & rotate(free, LEFT)) | (left & rotate(free, RIGHT))
        leave_rising = (up_right & rotate(free, DOWN_LEFT)) | (down_left & rotate(free, UP_RIGHT))
        leave_falling = (up_left & rotate(free, DOWN_RIGHT)) | (down_right & rotate(free, UP_LEFT))
        if position.reversal:
            leave_along = leave_rising = leave_falling = free
        seat: i64 = 0
        while seat < position.seats:
            fool = position.fools[seat]
            along = ray(fool, right, free, RIGHT) | ray(fool, left, free, LEFT)
            rising = ray(fool, up_right, free, UP_RIGHT) | ray(fool, down_left, free, DOWN_LEFT)
            falling = ray(fool, up_left, free, UP_LEFT) | ray(fool, down_right, free, DOWN_RIGHT)
            turning = (along & (leave_rising | leave_falling)) | (rising & (leave_along | leave_falling))
            self.reach[seat] = turning | (falling & (leave_along | leave_rising))
            around = rotate(fool, RIGHT) | rotate(fool, LEFT) | rotate(fool, UP_RIGHT)
            around |= rotate(fool, DOWN_LEFT) | rotate(fool, UP_LEFT) | rotate(fool, DOWN_RIGHT)
            self.exits[seat] = count((along | rising | falling) & around)
            seat += 1

    def takes(self, seat: i64) -> i64:
        """Return the cells across which a seat could jump if it turned beside them."""
        reach = self.reach[seat]
        crossed = self.along & (rotate(reach, RIGHT) | rotate(reach, LEFT))
        crossed |= self.rising & (rotate(reach, UP_RIGHT) | rotate(reach, DOWN_LEFT))
        return crossed | (self.falling & (rotate(reach, UP_LEFT) | rotate(reach, DOWN_RIGHT)))

    def look_from(self, position: TabalePosition, seat: i64, following: i64, promised: i64) -> None:
        """Write the features of one seat, at the start of its part of `seen`."""
        seen = self.seen
        at = seat * SEEN
        pawns = position.pawns[seat] | promised
        doubled = pawns & position.doubled
        next_takes: i64 = 0
        other_takes: i64 = 0
        friends = position.friends(seat)
        k: i64 = 0
        while k < position.seats:
            if not (friends >> k) & 1:
                if k == following:
                    next_takes = self.takes(k)
                else:
                    other_takes |= self.takes(k)
            k += 1
        next_takes &= pawns
        other_takes &= pawns
        most = highest(next_takes, doubled)
        two = (self.along & self.rising) | (self.along & self.falling) | (self.rising & self.falling)
        shaky = pawns & (self.along | self.rising | self.falling)
        reach = self.reach[seat]
        turning = count(reach)
        best = highest(reach, 0)
        seen[at] = 0.1 * float(points(pawns) + points(doubled) + position.captured(seat))
        seen[at + 1] = 0.1 * float(most)
        seen[at + 2] = 0.1 * float(points(next_takes) + points(next_takes & doubled) - most)
        seen[at + 3] = 0.1 * float(highest(other_takes, doubled))
        seen[at + 4] = 0.1 * float(points(shaky) + points(shaky & doubled))
        seen[at + 5] = 0.1 * float(points(shaky & two) + points(shaky & two & doubled))
        seen[at + 6] = 0.1 * float(turning if turning < 20 else 20)
        seen[at + 7] = 0.1 * float(best)
        seen[at + 8] = 0.1 * float(count(reach & WORTH_6))
        seen[at + 9] = 0.1 * float(position.hand[seat])
        seen[at + 10] = 0.2 * float(position.doubles[seat])
        seen[at + 11] = 0.2 * float(position.woods[seat])
        seen[at + 12] = 1.0 if seat == following else 0.0
        seen[at + 13] = 0.1 * float(best) if seat == following else 0.0
        seen[at + 14] = 1.0 if turning <= 2 else 0.0

    def gain(self, position: TabalePosition, seat: i64, laid: i64, free: i64) -> i64:
        """Return the most that the pawn on a cell wins by jumping on: what it takes, and where it lands instead."""
        enemy = position.pawned & ~position.pawns[seat]
        if position.teams:
            enemy &= ~position.pawns[seat ^ 2]
        high: i64 = 2 if position.doubled & laid else 1
        return self.best_chain(position, laid, enemy, free, high, LONGEST) - high * points(laid)

    def best_chain(self, position: TabalePosition, laid: i64, enemy: i64, free: i64, high: i64, jumps: i64) -> i64:
        """Return the most that a pawn, or a double (`high` 2), makes from a cell: where it stops and what it takes on the way."""
        best = high * points(laid)
        if not jumps:
            return best
        way: i64 = 0
        while way < 6:
            passing = position.pass_right
            if way == 1:
                passing = position.pass_up_right
            elif way == 2:
                passing = position.pass_up_left
            elif way == 3:
                passing = position.pass_left
            elif way == 4:
                passing = position.pass_down_left
            elif way == 5:
                passing = position.pass_down_right
            by = TURN_BY[way]
            over = rotate(laid & passing, by) & enemy & passing
            if over:
                landing = rotate(over, by) & free
                if landing:
                    gain = 1 + points(over)
                    if over & position.doubled:
                        gain += 2 + points(over)
                    gain += self.best_chain(position, landing, enemy ^ over, (free | laid | over) ^ landing, high, jumps - 1)
                    if gain > best:
                        best = gain
            way += 1
        return best

    def sharpen(self, at: i64, done: float, filled: float, near: i64, tight: i64, door: i64, narrow: i64) -> None:
        """Write the features multiplied by the progress of the game, and the score multiplied by each sign of the end."""
        seen = self.seen
        k: i64 = 0
        while k < SIDED:
            seen[at + SIDED + k] = done * seen[at + k]
            k += 1
        score = seen[at]
        at += SIDED + SIDED
        seen[at] = score * done * done
        seen[at + 1] = score * filled
        seen[at + 2] = score * filled * filled
        seen[at + 3] = score if near <= 1 else 0.0
        seen[at + 4] = score if near <= 3 else 0.0
        seen[at + 5] = score if near <= 7 else 0.0
        seen[at + 6] = score if tight <= 1 else 0.0
        seen[at + 7] = score if tight <= 4 else 0.0
        seen[at + 8] = score if door <= 1 else 0.0
        seen[at + 9] = score if door <= 2 else 0.0
        seen[at + 10] = score if narrow <= 1 else 0.0
        seen[at + 11] = score if narrow <= 2 else 0.0

    def candidates(self, position: TabalePosition, seat: i64, into: vec[i64]) -> i64:
        """Write every step except woods that affect nobody."""
        if position.part != ENDING or not position.woods[seat]:
            return position.actions(seat, into)
        n: i64 = 0
        cells = position.targets
        while cells:
            low = cells & -cells
            into[n] = JUMP + INDEX[(low * DE_BRUIJN >> 58) & 63]
            n += 1
            cells ^= low
        self.open_axes(position, position.free)
        self.reaches(position, position.free)
        around: i64 = 0
        taken: i64 = 0
        friends = position.friends(seat)
        k: i64 = 0
        while k < position.seats:
            if not (friends >> k) & 1:
                taken |= self.takes(k)
                around |= position.fools[k]
            elif count(self.reach[k]) <= WATCHED:
                around |= position.fools[k]
            k += 1
        taken &= position.pawns[seat] & WORTH_3
        along = around | (taken & self.along)
        rising = around | (taken & self.rising)
        falling = around | (taken & self.falling)
        n = write(WOOD_RIGHT, position.marked_right & position.pass_right & (along | rotate(along, LEFT)), into, n)
        n = write(WOOD_UP_RIGHT, position.marked_up_right & position.pass_up_right & (rising | rotate(rising, DOWN_LEFT)), into, n)
        n = write(WOOD_UP_LEFT, position.marked_up_left & position.pass_up_left & (falling | rotate(falling, DOWN_RIGHT)), into, n)
        into[n] = END
        return n + 1


PAWNS_LEFT: Final = vec[i64]([0, 0, PAWNS[2], PAWNS[3], PAWNS[4]])


def write(table: vec[i64], cells: i64, into: vec[i64], n: i64) -> i64:
    """Write the number that a table has for each of some cells; return how many are in the buffer then."""
    while cells:
        low = cells & -cells
        into[n] = table[(low * DE_BRUIJN >> 58) & 63]
        n += 1
        cells ^= low
    return n


def highest(cells: i64, doubled: i64) -> i64:
    """Return the value of the best of some cells, doubles counted twice."""
    if not cells:
        return 0
    best = best_cell(cells)
    if cells & doubled:
        double = 2 * best_cell(cells & doubled)
        if double > best:
            return double
    return best


def best_cell(cells: i64) -> i64:
    """Return the value of the best of some cells."""
    if cells & WORTH_15:
        return 15
    if cells & WORTH_10:
        return 10
    if cells & WORTH_6:
        return 6
    return 3 if cells & WORTH_3 else 1


def judge(game: Game, text: str) -> TabaleJudgement:
    """Return the judgement of a game with the weights of a text: a line `seats N [teams]`, then the numbers, for each configuration."""
    return TabaleJudgement(read_decimals(text, section(game), SEEN))


def section(game: Game) -> str:
    """Return the line that heads the weights of a configuration."""
    return f"seats {game.seats}" + (" teams" if game.option("teams") == "on" else "")
