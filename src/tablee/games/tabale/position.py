# compiled
"""Tabale, fast: the board is one word of 61 bits in which every direction is a rotation.

A wood clears one bit in two of the six `pass` sets (the cells one may leave in a direction), so that a ray, a turning cell
or a jump is a few rotations and intersections. The cells that may be named next are computed once, when a step begins, as the set `targets`.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import DE_BRUIJN, INDEX, bit, by_slot, count, index, mix, slot
from tablee.core.position import OVER, Position
from tablee.games.tabale.board import DOUBLES, PAWNS, SIDES, WOODS
from tablee.games.tabale.sets import (
    BOARD,
    DOWN_LEFT,
    DOWN_RIGHT,
    FROM_DOWN_LEFT,
    FROM_DOWN_RIGHT,
    FROM_LEFT,
    FROM_RIGHT,
    FROM_UP_LEFT,
    FROM_UP_RIGHT,
    HEADING,
    LEFT,
    MARKED,
    OPENING,
    RIGHT,
    SIDE_CELL,
    SIDE_WAY,
    TURN_BY,
    UP_LEFT,
    UP_RIGHT,
    hop,
    nth,
    points,
    ray,
    rotate,
)

# The numbers of the actions: where each kind begins.
RUN: Final[i64] = 0
REST: Final[i64] = 61
SINGLE: Final[i64] = 122
DOUBLE: Final[i64] = 123
JUMP: Final[i64] = 124
WOOD: Final[i64] = 185
END: Final[i64] = 341
SET: Final[i64] = 342
ACTION_COUNT: Final = 403
TOP_OF_32: Final[i64] = 0x80000000

# The parts of a turn.
SETTING: Final[i64] = 0
RUNNING: Final[i64] = 1
TURNING: Final[i64] = 2
LAYING: Final[i64] = 3
ENDING: Final[i64] = 4
DONE: Final[i64] = 5


def wood_numbers(direction: int) -> vec[i64]:
    """Return the table from a cell's slot to the number of the wood on its side in that direction."""
    values: list[i64] = [0] * 63
    for side, (cell, way) in enumerate(SIDES):
        if way == direction:
            values[cell] = WOOD + side
    return by_slot(values)


WOOD_RIGHT: Final = wood_numbers(0)
WOOD_UP_RIGHT: Final = wood_numbers(1)
WOOD_UP_LEFT: Final = wood_numbers(2)


class TabalePosition(Position):
    """Fools, pawns, woods and stocks, the part of the turn, and the cells that may be named next."""

    def __init__(self, seats: i64, edges: i64, reversal: bool, captures_break_ties: bool, teams: bool) -> None:
        """Set up an empty board under these options: seat 0 is to set its fool."""
        super().__init__(seats)
        self.edges: i64 = edges
        self.reversal: bool = reversal
        self.captures_break_ties: bool = captures_break_ties
        self.teams: bool = teams
        right, up_right, up_left = MARKED[int(edges)]
        self.marked_right: i64 = right
        self.marked_up_right: i64 = up_right
        self.marked_up_left: i64 = up_left
        self.pass_right: i64 = FROM_RIGHT
        self.pass_up_right: i64 = FROM_UP_RIGHT
        self.pass_up_left: i64 = FROM_UP_LEFT
        self.pass_left: i64 = FROM_LEFT
        self.pass_down_left: i64 = FROM_DOWN_LEFT
        self.pass_down_right: i64 = FROM_DOWN_RIGHT
        self.free: i64 = BOARD
        self.pawned: i64 = 0
        self.doubled: i64 = 0
        self.fools: vec[i64] = vec[i64]([0] * 4)
        self.pawns: vec[i64] = vec[i64]([0] * 4)
        self.hand: vec[i64] = vec[i64]([PAWNS[int(seats)]] * 4)
        self.woods: vec[i64] = vec[i64]([WOODS[int(seats)]] * 4)
        self.doubles: vec[i64] = vec[i64]([DOUBLES[int(seats)]] * 4)
        self.singles_taken: vec[i64] = vec[i64]([0] * 4)
        self.doubles_taken: vec[i64] = vec[i64]([0] * 4)
        self.part: i64 = SETTING
        self.seat: i64 = 0
        self.start: i64 = 0
        self.laid: i64 = 0
        self.targets: i64 = OPENING
        self.ended_by: i64 = 0

    def actor(self) -> i64:
        """Return the seat whose turn it is, or OVER."""
        if self.part == DONE:
            return OVER
        return self.seat

    def turn(self) -> i64:
        """Return the seat whose turn it is; after the end, the one whose turn it would be."""
        return self.seat

    def actions(self, seat: i64, into: vec[i64]) -> i64:
        """Write what may be named next, cell by cell; after the pawn: the jumps, the woods, the end of the turn."""
        part = self.part
        cells = self.targets
        kind = RUN
        if part == TURNING:
            kind = REST
        elif part == LAYING:
            into[0] = SINGLE
            if self.doubles[seat] and self.hand[seat] > 1:
                into[1] = DOUBLE
                return 2
            return 1
        elif part == ENDING:
            kind = JUMP
        elif part == SETTING:
            kind = SET
        n: i64 = 0
        table = INDEX
        while cells:
            low = cells & -cells
            into[n] = kind + table[(low * DE_BRUIJN >> 58) & 63]
            n += 1
            cells ^= low
        if part != ENDING:
            return n
        if self.woods[seat]:
            table = WOOD_RIGHT
            cells = self.marked_right & self.pass_right
            while cells:
                low = cells & -cells
                into[n] = table[(low * DE_BRUIJN >> 58) & 63]
                n += 1
                cells ^= low
            table = WOOD_UP_RIGHT
            cells = self.marked_up_right & self.pass_up_right
            while cells:
                low = cells & -cells
                into[n] = table[(low * DE_BRUIJN >> 58) & 63]
                n += 1
                cells ^= low
            table = WOOD_UP_LEFT
            cells = self.marked_up_left & self.pass_up_left
            while cells:
                low = cells & -cells
                into[n] = table[(low * DE_BRUIJN >> 58) & 63]
                n += 1
                cells ^= low
        into[n] = END
        return n + 1

    def pick(self, seat: i64, word: i64, into: vec[i64]) -> i64:
        """Return the action a random number falls on, without a list: count each kind, then take the k-th cell of one."""
        part = self.part
        if part == LAYING:
            return DOUBLE if self.doubles[seat] and self.hand[seat] > 1 and word & TOP_OF_32 else SINGLE
        targets = self.targets
        n = count(targets)
        if part != ENDING:
            cell = index(nth(targets, word * n >> 32))
            if part == RUNNING:
                return RUN + cell
            return cell + (REST if part == TURNING else SET)
        if not self.woods[seat]:
            k = word * (n + 1) >> 32
            return JUMP + index(nth(targets, k)) if k < n else END
        right = self.marked_right & self.pass_right
        up_right = self.marked_up_right & self.pass_up_right
        up_left = self.marked_up_left & self.pass_up_left
        first = n + count(right)
        second = first + count(up_right)
        third = second + count(up_left)
        k = word * (third + 1) >> 32
        if k < n:
            return JUMP + index(nth(targets, k))
        if k < first:
            return WOOD_RIGHT[slot(nth(right, k - n))]
        if k < second:
            return WOOD_UP_RIGHT[slot(nth(up_right, k - first))]
        if k < third:
            return WOOD_UP_LEFT[slot(nth(up_left, k - second))]
        return END

    def play(self, action: i64) -> None:
        """Play one step of a turn."""
        seat = self.seat
        if action < REST:
            self.run(action)
        elif action < SINGLE:
            cell = bit(action - REST)
            # 2.2: the turning cell is free again until the pawn is laid.
            self.free = (self.free | self.fools[seat]) & ~cell
            self.laid = self.fools[seat]
            self.fools[seat] = cell
            self.part = LAYING
        elif action < JUMP:
            cell = self.laid
            self.free &= ~cell
            self.pawned |= cell
            self.pawns[seat] |= cell
            if action == DOUBLE:
                self.doubled |= cell
                self.doubles[seat] -= 1
                self.hand[seat] -= 2
            else:
                self.hand[seat] -= 1
            self.part = ENDING
            self.find_jumps()
        elif action < WOOD:
            self.jump(bit(action - JUMP))
        elif action < END:
            self.put_wood(action - WOOD)
            self.woods[seat] -= 1
            self.end_turn()
        elif action == END:
            self.end_turn()
        else:
            self.set_fool(bit(action - SET))

    def set_fool(self, cell: i64) -> None:
        """Set a fool on the rim (1.5); after the last one the first turn begins."""
        self.fools[self.seat] = cell
        self.free &= ~cell
        self.targets &= ~cell
        self.seat += 1
        if self.seat == self.seats:
            self.begin_turn(0)

    def begin_turn(self, seat: i64) -> None:
        """Hand the turn over and find the turning cells; end the game if there are none (5.2)."""
        self.seat = seat
        self.part = RUNNING
        self.start = 0
        self.laid = 0
        self.find_turning_cells(self.fools[seat])
        if not self.targets:
            self.part = DONE
            self.ended_by = 2

    def end_turn(self) -> None:
        """End the turn, and the game if the last pawn was laid in it (5.1)."""
        seat = self.seat
        after = seat + 1
        if after == self.seats:
            after = 0
        if self.hand[seat]:
            self.begin_turn(after)
        else:
            self.finish_by_last_pawn(after)

    def finish_by_last_pawn(self, after: i64) -> None:
        """End the game by 5.1; the turn would be that seat's."""
        self.seat = after
        self.part = DONE
        self.ended_by = 1
        self.start = 0
        self.laid = 0
        self.targets = 0

    def find_turning_cells(self, fool: i64) -> None:
        """Find the cells where the fool may turn: reached straight, with a second leg from there (2.1 to 2.3)."""
        free = self.free
        right, up_right, up_left = self.pass_right, self.pass_up_right, self.pass_up_left
        left, down_left, down_right = self.pass_left, self.pass_down_left, self.pass_down_right
        along = ray(fool, right, free, RIGHT) | ray(fool, left, free, LEFT)
        rising = ray(fool, up_right, free, UP_RIGHT) | ray(fool, down_left, free, DOWN_LEFT)
        falling = ray(fool, up_left, free, UP_LEFT) | ray(fool, down_right, free, DOWN_RIGHT)
        if self.reversal:
            self.targets = along | rising | falling  # The way back is always there.
            return
        leave_along = (right & rotate(free, LEFT)) | (left & rotate(free, RIGHT))
        leave_rising = (up_right & rotate(free, DOWN_LEFT)) | (down_left & rotate(free, UP_RIGHT))
        leave_falling = (up_left & rotate(free, DOWN_RIGHT)) | (down_right & rotate(free, UP_LEFT))
        self.targets = (along & (leave_rising | leave_falling)) | (rising & (leave_along | leave_falling)) | (falling & (leave_along | leave_rising))

    def run(self, action: i64) -> None:
        """Run the fool to the cell where it turns."""
        start = self.fools[self.seat]
        cell = bit(action)
        self.start = start
        self.fools[self.seat] = cell
        self.free = (self.free | start) & ~cell
        self.part = TURNING
        self.find_rests(cell, HEADING[index(start) * 61 + action])

    def find_rests(self, cell: i64, heading: i64) -> None:
        """Find the cells where the fool may come to rest after it came to a cell with that heading (2.3)."""
        free = self.free
        targets: i64 = 0
        axis = heading if heading < 3 else heading - 3
        if axis != 0:
            targets = ray(cell, self.pass_right, free, RIGHT) | ray(cell, self.pass_left, free, LEFT)
        if axis != 1:
            targets |= ray(cell, self.pass_up_right, free, UP_RIGHT) | ray(cell, self.pass_down_left, free, DOWN_LEFT)
        if axis != 2:
            targets |= ray(cell, self.pass_up_left, free, UP_LEFT) | ray(cell, self.pass_down_right, free, DOWN_RIGHT)
        if self.reversal:
            if heading == 0:
                targets |= ray(cell, self.pass_left, free, LEFT)
            elif heading == 1:
                targets |= ray(cell, self.pass_down_left, free, DOWN_LEFT)
            elif heading == 2:
                targets |= ray(cell, self.pass_down_right, free, DOWN_RIGHT)
            elif heading == 3:
                targets |= ray(cell, self.pass_right, free, RIGHT)
            elif heading == 4:
                targets |= ray(cell, self.pass_up_right, free, UP_RIGHT)
            else:
                targets |= ray(cell, self.pass_up_left, free, UP_LEFT)
        self.targets = targets

    def find_jumps(self) -> None:
        """Find where the pawn just laid may jump (3.3, 3.4)."""
        cell = self.laid
        seat = self.seat
        enemy = self.pawned & ~self.pawns[seat]
        if self.teams:
            enemy &= ~self.pawns[seat ^ 2]
        free = self.free
        targets = hop(cell, self.pass_right, enemy, free, RIGHT) | hop(cell, self.pass_left, enemy, free, LEFT)
        targets |= hop(cell, self.pass_up_right, enemy, free, UP_RIGHT) | hop(cell, self.pass_down_left, enemy, free, DOWN_LEFT)
        targets |= hop(cell, self.pass_up_left, enemy, free, UP_LEFT) | hop(cell, self.pass_down_right, enemy, free, DOWN_RIGHT)
        self.targets = targets

    def jump(self, cell: i64) -> None:
        """Jump with the pawn just laid to a cell and capture what stands between (3.3)."""
        seat = self.seat
        laid = self.laid
        over = rotate(laid, TURN_BY[HEADING[index(laid) * 61 + index(cell)]])
        if self.doubled & over:
            self.doubled ^= over
            self.doubles_taken[seat] += 1
        else:
            self.singles_taken[seat] += 1
        if self.doubled & laid:
            self.doubled ^= laid | cell
        k: i64 = 0
        while k < self.seats:
            self.pawns[k] &= ~over
            k += 1
        self.pawns[seat] ^= laid | cell
        self.pawned ^= laid | over | cell
        self.free ^= laid | over | cell
        self.laid = cell
        self.find_jumps()

    def put_wood(self, side: i64) -> None:
        """Put a wood on a side: nothing crosses it any more, either way (4.1)."""
        cell = SIDE_CELL[side]
        way = SIDE_WAY[side]
        if way == 0:
            self.pass_right &= ~cell
            self.pass_left &= ~rotate(cell, RIGHT)
        elif way == 1:
            self.pass_up_right &= ~cell
            self.pass_down_left &= ~rotate(cell, UP_RIGHT)
        else:
            self.pass_up_left &= ~cell
            self.pass_down_right &= ~rotate(cell, UP_LEFT)

    def has_wood(self, side: i64) -> bool:
        """Return whether a wood lies on a side."""
        cell = SIDE_CELL[side]
        way = SIDE_WAY[side]
        if way == 0:
            return not self.pass_right & cell
        if way == 1:
            return not self.pass_up_right & cell
        return not self.pass_up_left & cell

    def arrange_seat(self, seat: i64, fool: i64, pawns: i64, doubled: i64, stock: list[int]) -> None:
        """Give a seat its fool, pawns (those of them that are double), and stock.

        The stock: pawns, woods and doubles left, singles and doubles taken.
        """
        self.fools[seat] = fool
        self.pawns[seat] = pawns
        self.pawned |= pawns
        self.doubled |= doubled
        self.free &= ~(fool | pawns)
        self.hand[seat], self.woods[seat], self.doubles[seat] = stock[0], stock[1], stock[2]
        self.singles_taken[seat], self.doubles_taken[seat] = stock[3], stock[4]

    def arrange_turn(self, seat: i64, part: i64, start: i64, laid: i64) -> None:
        """Take up a turn at a part of it, after the seats and woods, and judge at once whether the game is over."""
        if part == RUNNING:
            k: i64 = 0
            while k < self.seats:
                if not self.hand[k]:
                    self.finish_by_last_pawn(seat)
                    return
                k += 1
            self.begin_turn(seat)
            return
        self.seat, self.part, self.start, self.laid = seat, part, start, laid
        self.targets = OPENING & self.free
        if part == TURNING:
            fool = self.fools[seat]
            self.find_rests(fool, HEADING[index(start) * 61 + index(fool)])
        elif part == ENDING:
            self.find_jumps()

    def copy(self) -> "TabalePosition":
        """Return a new equal position."""
        other = TabalePosition(self.seats, self.edges, self.reversal, self.captures_break_ties, self.teams)
        other.copy_from(self)
        return other

    def copy_from(self, other: Position) -> None:
        """Become equal to another position."""
        assert isinstance(other, TabalePosition)
        self.seats, self.edges, self.reversal = other.seats, other.edges, other.reversal
        self.captures_break_ties, self.teams = other.captures_break_ties, other.teams
        self.marked_right, self.marked_up_right, self.marked_up_left = other.marked_right, other.marked_up_right, other.marked_up_left
        self.pass_right, self.pass_up_right, self.pass_up_left = other.pass_right, other.pass_up_right, other.pass_up_left
        self.pass_left, self.pass_down_left, self.pass_down_right = other.pass_left, other.pass_down_left, other.pass_down_right
        self.free, self.pawned, self.doubled = other.free, other.pawned, other.doubled
        self.part, self.seat, self.start, self.laid = other.part, other.seat, other.start, other.laid
        self.targets, self.ended_by = other.targets, other.ended_by
        k: i64 = 0
        while k < other.seats:
            self.fools[k] = other.fools[k]
            self.pawns[k] = other.pawns[k]
            self.hand[k] = other.hand[k]
            self.woods[k] = other.woods[k]
            self.doubles[k] = other.doubles[k]
            self.singles_taken[k] = other.singles_taken[k]
            self.doubles_taken[k] = other.doubles_taken[k]
            k += 1

    def own_score(self, seat: i64) -> i64:
        """Return the values under the seat's pawns and its captured points (5.3), a partner apart."""
        pawns = self.pawns[seat]
        return points(pawns) + points(pawns & self.doubled) + self.captured(seat)

    def captured(self, seat: i64) -> i64:
        """Return the captured points of a seat: 1 for a single, 3 for a double (5.3)."""
        return self.singles_taken[seat] + 3 * self.doubles_taken[seat]

    def score(self, seat: i64) -> i64:
        """Return the score (5.3); partners have theirs added."""
        if self.teams:
            return self.own_score(seat) + self.own_score(seat ^ 2)
        return self.own_score(seat)

    def winners(self) -> i64:
        """Return the seats with the highest score (5.4); under `ties: captures`, those of them who captured most."""
        best: i64 = -1
        won: i64 = 0
        seat: i64 = 0
        while seat < self.seats:
            result = self.score(seat) * 1024
            if self.captures_break_ties:
                result += self.captured(seat)
                if self.teams:
                    result += self.captured(seat ^ 2)
            if result > best:
                best = result
                won = 0
            if result == best:
                won |= bit(seat)
            seat += 1
        return won

    def friends(self, seat: i64) -> i64:
        """Return the seat, and its partner where partners play together."""
        if self.teams:
            return bit(seat) | bit(seat ^ 2)
        return bit(seat)

    def reason(self) -> str:
        """Return 5.1 (a last pawn laid) or 5.2 (a fool that cannot move)."""
        return f"5.{self.ended_by}"

    def standing(self, seat: i64) -> i64:
        """Return the lead over the others, with the pawn about to be laid; then pawns out of danger, then woods kept."""
        partner = seat ^ 2 if self.teams else seat
        lead: i64 = 0
        k: i64 = 0
        while k < self.seats:
            worth_now = 8 * self.promised(k) - 3 * count(self.exposed(k))
            if k in (seat, partner):
                lead += worth_now * (2 if self.teams else self.seats - 1)
            else:
                lead -= worth_now * (2 if self.teams else 1)
            k += 1
        lead += self.woods[seat]
        if self.part == DONE:
            lead += 100000 if self.winners() & bit(seat) else -100000
        return lead

    def promised(self, seat: i64) -> i64:
        """Return the seat's own score, with the value of the cell where its pawn is about to be laid."""
        score = self.own_score(seat)
        if seat == self.seat:
            if self.part == TURNING:
                score += points(self.fools[seat])
            elif self.part == LAYING:
                score += points(self.laid)
        return score

    def exposed(self, seat: i64) -> i64:
        """Return the seat's pawns with two free cells on opposite sides, across which they can be jumped."""
        free = self.free
        along = self.pass_right & rotate(free, LEFT) & self.pass_left & rotate(free, RIGHT)
        rising = self.pass_up_right & rotate(free, DOWN_LEFT) & self.pass_down_left & rotate(free, UP_RIGHT)
        falling = self.pass_up_left & rotate(free, DOWN_RIGHT) & self.pass_down_right & rotate(free, UP_LEFT)
        return self.pawns[seat] & (along | rising | falling)

    def facts(self) -> tuple[object, ...]:
        """Return the options, the woods, the moment, and what each seat has."""
        rules = (self.edges, self.reversal, self.captures_break_ties, self.teams)
        woods = (self.pass_right, self.pass_up_right, self.pass_up_left, self.doubled)
        moment = (self.part, self.seat, self.start, self.laid, self.ended_by)
        seats = [
            (self.fools[k], self.pawns[k], self.hand[k], self.woods[k], self.doubles[k], self.singles_taken[k], self.doubles_taken[k])
            for k in range(self.seats)
        ]
        return rules, woods, moment, seats

    def hash(self) -> i64:
        """Return a number made of the board, the stocks and the part of the turn."""
        word = mix(mix(mix(self.pass_right, self.pass_up_right), self.pass_up_left), self.doubled)
        word = mix(mix(word, self.start), self.laid)
        k: i64 = 0
        while k < self.seats:
            stock = self.hand[k] | (self.woods[k] << 6) | (self.doubles[k] << 12) | (self.singles_taken[k] << 18) | (self.doubles_taken[k] << 26)
            word = mix(mix(mix(word, self.fools[k]), self.pawns[k]), stock)
            k += 1
        return mix(word, self.part * 4 + self.seat)
