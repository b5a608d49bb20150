# compiled
"""Traboulet, fast: the marbles as three sets of cells, a push as one shift of a filled line.

A cell is bit 8 * rank + file: the eighth column stays empty and stops every line at the edge. The legal pushes of the
side to move are found once, when its move begins, as four sets of cells, one for each direction.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tablee.core.bits import bit, count, mix, slot
from tablee.core.position import OVER, Position

RIGHT: Final[i64] = 0
UP: Final[i64] = 1
LEFT: Final[i64] = 2
DOWN: Final[i64] = 3

BOARD: Final[i64] = 0x7F7F7F7F7F7F7F
FILE_A: Final[i64] = 0x01010101010101
FILE_G: Final[i64] = 0x40404040404040
RANK_1: Final[i64] = 0x7F
RANK_7: Final[i64] = 0x7F000000000000

STOP: Final[i64] = 168
ACTION_COUNT: Final = 169
NONE: Final[i64] = -1

BONUS_NONE: Final[i64] = 0
BONUS_RED: Final[i64] = 1
BONUS_ANY: Final[i64] = 2
KO_REVERSE: Final[i64] = 0
KO_POSITION: Final[i64] = 1
KO_ROW: Final[i64] = 2
REPETITION_DRAW: Final[i64] = 0
REPETITION_FORBID: Final[i64] = 1
REPETITION_PLAY_ON: Final[i64] = 2

GOAL: Final[i64] = 7


def steps() -> list[tuple[int, int]]:
    """Return (direction, bit number of the pushed marble) of every push, in the order of their numbers."""
    pushes = []
    for direction, (x, y) in enumerate(((1, 0), (0, 1), (-1, 0), (0, -1))):
        for rank in range(7):
            for file in range(7):
                if 0 <= file + x < 7 and 0 <= rank + y < 7:
                    pushes.append((direction, 8 * rank + file))
    return pushes


def numbers() -> vec[i64]:
    """Return the table from 64 * direction + a cell's slot to the number of the push."""
    table = vec[i64]([NONE] * 256)
    for number, (way, cell) in enumerate(steps()):
        table[64 * way + slot(bit(cell))] = number
    return table


PUSH: Final = numbers()
DIRECTION: Final = vec[i64]([i64(way) for way, _ in steps()])
MARBLE: Final = vec[i64]([bit(cell) for _, cell in steps()])
FORWARD: Final = vec[i64]([i64((1, 8, 0, 0)[way]) for way, _ in steps()])
BACKWARD: Final = vec[i64]([i64((0, 0, 1, 8)[way]) for way, _ in steps()])
EDGE: Final = vec[i64]([(FILE_G, RANK_7, FILE_A, RANK_1)[way] for way, _ in steps()])


def reach(cells: i64, occupied: i64, forward: i64, backward: i64) -> i64:
    """Return the cells with the unbroken lines of marbles that begin there, in the direction of the shifts."""
    cells |= occupied & (cells << forward >> backward)
    occupied &= occupied << forward >> backward
    forward += forward
    backward += backward
    cells |= occupied & (cells << forward >> backward)
    occupied &= occupied << forward >> backward
    forward += forward
    backward += backward
    return cells | (occupied & (cells << forward >> backward))


def marked(first: i64, second: i64) -> i64:
    """Return the one mark, of 63, that the start of a turn leaves."""
    return bit((mix(first, second) >> 40) * 63 >> 23)


class TrabouletPosition(Position):
    """A board, who pushes, what he may push, and the starts of turns since the last capture."""

    def __init__(self, bonus_rule: i64, ko_rule: i64, repetition_rule: i64) -> None:
        """Make an empty board under these options; `arrange` fills it."""
        super().__init__(2)
        self.bonus_rule: i64 = bonus_rule
        self.ko_rule: i64 = ko_rule
        self.repetition_rule: i64 = repetition_rule
        self.white: i64 = 0
        self.black: i64 = 0
        self.red: i64 = 0
        self.side: i64 = 0
        self.white_taken: i64 = 0
        self.black_taken: i64 = 0
        self.ban: i64 = NONE
        self.next_ban: i64 = NONE
        self.bonus: bool = False
        self.legal: vec[i64] = vec[i64]([0] * 4)
        self.banned: i64 = NONE
        self.over: bool = False
        self.winner: i64 = NONE
        self.ended_by: i64 = 0
        self.history: vec[i64] = vec[i64]([0] * 64)
        self.remembered: i64 = 0
        self.shared: bool = False
        self.written: vec[i64] = vec[i64]([0])
        self.once: i64 = 0
        self.twice: i64 = 0

    def place(self, white: i64, black: i64, red: i64, white_taken: i64, black_taken: i64) -> None:
        """Put the marbles on the board; `resume` says whose turn it is."""
        self.white, self.black, self.red = white, black, red
        self.white_taken, self.black_taken = white_taken, black_taken

    def resume(self, side: i64, ban: i64, next_ban: i64, bonus: bool) -> None:
        """Go on from the marbles placed, with a new history, and judge at once whether the game is over.

        `next_ban` is the ban that the turn would set if it ended now; only a bonus push knows one (3.1, `row`).
        """
        white, black, white_taken, black_taken = self.white, self.black, self.white_taken, self.black_taken
        self.side, self.ban, self.next_ban, self.bonus = side, ban, next_ban, bonus
        self.over, self.winner, self.ended_by = False, NONE, 0
        self.forget()
        if white_taken >= GOAL:
            self.finish(0, 1)
        elif black_taken >= GOAL:
            self.finish(1, 1)
        elif not white:
            self.finish(1, 2)
        elif not black:
            self.finish(0, 2)
        elif not bonus:
            self.begin_turn(side, ban)
        elif not self.find():
            self.begin_turn(1 - side, next_ban)

    def actor(self) -> i64:
        """Return the side to push."""
        if self.over:
            return OVER
        return self.side

    def turn(self) -> i64:
        """Return the side to push."""
        return self.side

    def actions(self, seat: i64, into: vec[i64]) -> i64:
        """Write the legal pushes: to the right, up, to the left, down; then the end of the turn."""
        n: i64 = 0
        way: i64 = 0
        while way < 4:
            cells = self.legal[way]
            while cells:
                low = cells & -cells
                into[n] = PUSH[64 * way + slot(low)]
                n += 1
                cells ^= low
            way += 1
        if self.bonus:
            into[n] = STOP
            n += 1
        return n

    def pick(self, seat: i64, word: i64, into: vec[i64]) -> i64:
        """Return the push a random number falls on, without a list: count each direction, then take the k-th marble of one."""
        legal = self.legal
        rights, ups, lefts, downs = count(legal[RIGHT]), count(legal[UP]), count(legal[LEFT]), count(legal[DOWN])
        n = rights + ups + lefts + downs
        k = word * (n + i64(self.bonus)) >> 32
        if k == n:
            return STOP
        # Sums of truth values instead of branches: a random direction is the worst case for branch prediction.
        up, left, down = i64(k >= rights), i64(k >= rights + ups), i64(k >= rights + ups + lefts)
        k -= up * rights + left * ups + down * lefts
        way = up + left + down
        cells = legal[way]
        while k:
            cells &= cells - 1
            k -= 1
        return PUSH[64 * way + slot(cells & -cells)]

    def play(self, action: i64) -> None:
        """Push a line, capture what falls, and hand over the turn or give the bonus push."""
        if action == STOP:
            self.begin_turn(1 - self.side, self.next_ban)
            return
        white, black, red = self.white, self.black, self.red
        occupied = white | black | red
        forward, backward = FORWARD[action], BACKWARD[action]
        line = reach(MARBLE[action], occupied, forward, backward)
        falling = line & EDGE[action]
        moving = line ^ falling
        self.white = (white & ~line) | ((white & moving) << forward >> backward)
        self.black = (black & ~line) | ((black & moving) << forward >> backward)
        self.red = (red & ~line) | ((red & moving) << forward >> backward)
        # 3.1: the far end of the line; after a capture it is the cell that the fallen marble has left.
        front = falling if falling else (moving << forward >> backward) & ~occupied
        ban: i64 = NONE
        if front & (self.white if self.side else self.black) and (not falling or self.ko_rule == KO_ROW):
            ban = PUSH[64 * (DIRECTION[action] ^ 2) + slot(front)]
        if falling:
            self.capture(red & falling, ban)
        else:
            self.begin_turn(1 - self.side, ban)

    def capture(self, fallen_red: i64, ban: i64) -> None:
        """Count the marble that fell (5.1, 5.2), then give the bonus push or end the turn with a ban (4.1, 4.2)."""
        self.forget()
        side = self.side
        if fallen_red:
            if side == 0:
                self.white_taken += 1
                if self.white_taken >= GOAL:
                    self.finish(0, 1)
                    return
            else:
                self.black_taken += 1
                if self.black_taken >= GOAL:
                    self.finish(1, 1)
                    return
        elif (side == 0 and not self.black) or (side == 1 and not self.white):
            self.finish(side, 2)
            return
        if self.bonus_rule == BONUS_ANY or (fallen_red and self.bonus_rule == BONUS_RED):
            self.bonus, self.next_ban = True, ban
            if self.ko_rule == KO_POSITION:
                self.ban = NONE
            if self.find():
                return
        self.begin_turn(1 - side, ban)

    def begin_turn(self, side: i64, ban: i64) -> None:
        """Hand the turn over; end the game if the new side cannot push (5.2) or has been here twice (5.3)."""
        self.side = side
        self.ban, self.next_ban = ban, NONE
        self.bonus = False
        if not self.find():
            self.finish(1 - side, 2)
            return
        if self.repetition_rule == REPETITION_PLAY_ON:
            return
        first = (self.white | self.red) | (side << 56)
        second = self.black | self.red
        if self.repetition_rule == REPETITION_DRAW:
            second |= (self.banned + 1) << 55
        mark = marked(first, second)
        if self.twice & mark and self.repetition_rule == REPETITION_DRAW and self.times(first, second, self.remembered - 4) >= 2:
            self.finish(NONE, 3)
        else:
            self.remember(first, second, mark)

    def remember(self, first: i64, second: i64, mark: i64) -> None:
        """Add the start of a turn to the history; the marks rule out most repetitions without a search."""
        self.twice |= self.once & mark
        self.once |= mark
        n = self.remembered
        if self.shared:
            self.claim(n)
        self.remembered = n + 2
        if n + 2 <= len(self.history):
            self.history[n] = first
            self.history[n + 1] = second
        else:
            self.history = append(append(self.history, first), second)

    def claim(self, n: i64) -> None:
        """Extend the history that copies share, if no other copy has extended it from here; else make an own copy.

        So the states of a long game share one history.
        """
        if self.written[0] == n and n + 2 <= len(self.history):
            self.written[0] = n + 2
            return
        mine = vec[i64]([0] * (2 * n + 64))
        at: i64 = 0
        while at < n:
            mine[at] = self.history[at]
            at += 1
        self.history = mine
        self.shared = False

    def times(self, first: i64, second: i64, at: i64) -> i64:
        """Return how many turns of one side began like this since the last capture, from that place in the history on."""
        count: i64 = 0
        history = self.history
        while at >= 0:
            if history[at] == first and history[at + 1] == second:
                count += 1
            at -= 4
        return count

    def forget(self) -> None:
        """Begin a new history: no position before a capture can recur."""
        self.remembered, self.once, self.twice = 0, 0, 0

    def find(self) -> bool:
        """Find the legal pushes of the side to move; return whether there is one."""
        own = self.black if self.side else self.white
        occupied = self.white | self.black | self.red
        legal = self.legal
        # 2.2: room for the finger; 2.4: not one's own marble over the edge, at the end of however long a line.
        legal[RIGHT] = own & ~(occupied << 1) & ~reach(own & FILE_G, occupied, 0, 1)
        legal[UP] = own & ~(occupied << 8) & ~reach(own & RANK_7, occupied, 0, 8)
        legal[LEFT] = own & ~(occupied >> 1) & ~reach(own & FILE_A, occupied, 1, 0)
        legal[DOWN] = own & ~(occupied >> 8) & ~reach(own & RANK_1, occupied, 8, 0)
        # 3.1: not straight back.
        ban = self.ban
        self.banned = NONE
        if ban >= 0:
            way = DIRECTION[ban]
            back = MARBLE[ban]
            if self.ko_rule == KO_ROW:
                back = reach(back & occupied, occupied, BACKWARD[ban], FORWARD[ban])
            # At most one marble of the line has room for the finger behind it.
            back &= legal[way]
            if back:
                legal[way] ^= back
                self.banned = PUSH[64 * way + slot(back)]
        if self.repetition_rule == REPETITION_FORBID and self.remembered:
            self.forbid()
        return (legal[RIGHT] | legal[UP] | legal[LEFT] | legal[DOWN]) != 0

    def forbid(self) -> None:
        """Take away the pushes that lead back to an earlier start of a turn (option `repetition: forbid`)."""
        first, second = self.white | self.red, self.black | self.red
        side = (1 - self.side) << 56
        way: i64 = 0
        while way < 4:
            cells = self.legal[way]
            while cells:
                low = cells & -cells
                cells ^= low
                action = PUSH[64 * way + slot(low)]
                forward, backward = FORWARD[action], BACKWARD[action]
                line = reach(low, first | second, forward, backward)
                if not line & EDGE[action]:
                    after_first = (first & ~line) | ((first & line) << forward >> backward) | side
                    after_second = (second & ~line) | ((second & line) << forward >> backward)
                    if self.once & marked(after_first, after_second) and self.times(after_first, after_second, self.remembered - 2):
                        self.legal[way] &= ~low
            way += 1

    def starts(self) -> list[tuple[int, int, int, int]]:
        """Return the remembered starts of turns, the first one first: white, black and red cells, side to move."""
        starts: list[tuple[int, int, int, int]] = []
        at: i64 = 0
        while at < self.remembered:
            first, second = self.history[at], self.history[at + 1]
            red = first & second & BOARD
            starts.append((first & BOARD & ~red, second & BOARD & ~red, red, first >> 56))
            at += 2
        return starts

    def finish(self, winner: i64, paragraph: i64) -> None:
        """End the game by 5.1, 5.2 or 5.3; NONE wins a draw."""
        way: i64 = 0
        while way < 4:
            self.legal[way] = 0
            way += 1
        self.over = True
        self.winner = winner
        self.ended_by = paragraph
        self.bonus = False
        self.next_ban = NONE

    def copy(self) -> "TrabouletPosition":
        """Return a new equal position that shares its history."""
        other = TrabouletPosition(self.bonus_rule, self.ko_rule, self.repetition_rule)
        other.copy_board(self)
        if not self.shared:
            self.shared = True
            self.written = vec[i64]([self.remembered])
        other.history, other.written, other.shared = self.history, self.written, True
        return other

    def copy_from(self, other: Position) -> None:
        """Become equal to another position, its history included."""
        assert isinstance(other, TrabouletPosition)
        self.copy_board(other)
        n = other.remembered
        if self.shared:
            self.history = vec[i64]([0] * 64)
            self.shared = False
        mine, theirs = self.history, other.history
        while len(mine) < n:
            mine = append(mine, 0)
        at: i64 = 0
        while at < n:
            mine[at] = theirs[at]
            at += 1
        self.history = mine

    def copy_board(self, other: "TrabouletPosition") -> None:
        """Take over everything but the history itself."""
        self.bonus_rule, self.ko_rule, self.repetition_rule = other.bonus_rule, other.ko_rule, other.repetition_rule
        self.white, self.black, self.red = other.white, other.black, other.red
        self.side, self.ban, self.next_ban, self.bonus = other.side, other.ban, other.next_ban, other.bonus
        self.white_taken, self.black_taken = other.white_taken, other.black_taken
        self.banned = other.banned
        way: i64 = 0
        while way < 4:
            self.legal[way] = other.legal[way]
            way += 1
        self.over, self.winner, self.ended_by = other.over, other.winner, other.ended_by
        self.remembered, self.once, self.twice = other.remembered, other.once, other.twice

    def score(self, seat: i64) -> i64:
        """Return 1 for a win, -1 for a loss, 0 for a draw or a game that goes on."""
        if self.winner == NONE:
            return 0
        return 1 if self.winner == seat else -1

    def winners(self) -> i64:
        """Return the winner, or both after a draw."""
        return 3 if self.winner == NONE else self.winner + 1

    def reason(self) -> str:
        """Return 5.1 (seven reds), 5.2 (no push or no marble) or 5.3 (third time)."""
        return f"5.{self.ended_by}"

    def standing(self, seat: i64) -> i64:
        """Return reds taken and enemy marbles missing, the reds above all."""
        if self.over:
            return self.score(seat) * 1000
        if seat == 0:
            return self.white_taken * 10 + 8 - count(self.black)
        return self.black_taken * 10 + 8 - count(self.white)

    def facts(self) -> tuple[object, ...]:
        """Return the options, the board, the moment and, in no order, the starts of turns that 5.3 looks at."""
        rules = (self.bonus_rule, self.ko_rule, self.repetition_rule)
        board = (self.white, self.black, self.red, self.side, self.white_taken, self.black_taken, self.ban, self.next_ban, self.bonus)
        starts = [(self.history[at], self.history[at + 1]) for at in range(0, self.remembered, 2)]
        return rules, board, self.ended_by, self.winner, sorted(starts)

    def hash(self) -> i64:
        """Return a number made of everything but the history."""
        rest = self.side | ((self.ban + 1) << 1) | (self.white_taken << 10) | (self.black_taken << 14) | ((self.next_ban + 1) << 21)
        if self.bonus:
            rest |= 0x100000
        return mix(mix(mix(self.white, self.black), self.red), rest)
