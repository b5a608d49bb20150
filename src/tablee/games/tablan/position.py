# compiled
"""Tablan, fast: the board is one line of 48 squares that Black runs up and White runs down, a man is one bit of it.

Square 0 is A, 11 L, 12 M, 23 X, 24 m, 35 x, 36 a, 47 l: White's path is Black's read backwards. The squares from which the
throw in hand may be used are found once, when it is thrown: one set for the whole throw, one for a half of it.
"""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import DE_BRUIJN, INDEX, bit, count, mix
from tablee.core.position import CHANCE, OVER, Position

NONE: Final[i64] = -1
BOTH: Final[i64] = 2

BLACK_HOME: Final[i64] = 0xFFF
WHITE_HOME: Final[i64] = 0xFFF000000000
BLACK_OUTSIDE: Final[i64] = 0xFFFFFFFFF
WHITE_OUTSIDE: Final[i64] = 0xFFFFFFFFF000
SQUARE_A: Final[i64] = 0x1000000000
ABOVE_L: Final[i64] = 0x1000

# Whom a first 2 sets free (2.4).
TABLE: Final[i64] = 0
EACH_PLAYER: Final[i64] = 1
EACH_MAN: Final[i64] = 2
BOTH_WAIT: Final[i64] = 3

# A move is numbered by side, distance and square of departure: 36 squares that a man may leave, 12 distances.
WHITE_MOVES: Final[i64] = 432
FIRST_THROW: Final[i64] = 864
FIRST_STICKS: Final[i64] = 21
STAY: Final[i64] = 890
ACTION_COUNT: Final = 891


def dice() -> list[tuple[int, int]]:
    """Return the 21 throws of two dice, the smaller first, in the order of their numbers."""
    return [(low, high) for low in range(1, 7) for high in range(low, 7)]


def stick_cases() -> list[i64]:
    """Return the throw of four sticks, by its number, in each of the 16 cases."""
    return [FIRST_THROW + FIRST_STICKS + count(i64(case)) for case in range(16)]


def dice_cases() -> list[i64]:
    """Return the throw of two dice, by its number, in each of the 36 cases."""
    throws = dice()
    return [FIRST_THROW + throws.index((min(a, b), max(a, b))) for a in range(1, 7) for b in range(1, 7)]


def departures() -> list[i64]:
    """Return the square that each move leaves, as a set."""
    black = [bit(i64(square)) for _ in range(12) for square in range(36)]
    white = [bit(i64(square)) for _ in range(12) for square in range(12, 48)]
    return black + white


def arrivals() -> list[i64]:
    """Return the square that each move reaches, as a set."""
    black = [bit(i64(square + distance)) for distance in range(1, 13) for square in range(36)]
    white = [bit(i64(square - distance)) for distance in range(1, 13) for square in range(12, 48)]
    return black + white


DICE_CASES: Final = vec[i64](dice_cases())
STICK_CASES: Final = vec[i64](stick_cases())
DEPARTURE: Final = vec[i64](departures())
ARRIVAL: Final = vec[i64](arrivals())
# What a throw is worth (2.2, the table of presets), and its half where it has one.
WORTH: Final = vec[i64]([i64(low + high) for low, high in dice()] + [12, 2, 0, 0, 8])
HALF: Final = vec[i64]([0, 0, 1, 0, 0, 0, 0, 0, 4, 0, 0, 0, 6])


@final
class TablanPosition(Position):
    """The men of both sides, who throws or moves, the throw in hand and where it may be used.

    `waiting` is the set of sides that have yet to see the 2 that frees them (2.4); `stay` says that `.` is on offer (4.2).
    """

    def __init__(self, sticks: bool, first_move: i64, any_square: bool, throw_again: bool, end_both: bool, first_wins: bool, may_stay: bool) -> None:
        """Set up the first position under these options: Black throws."""
        super().__init__(2)
        self.sticks: bool = sticks
        self.first_move: i64 = first_move
        self.any_square: bool = any_square
        self.throw_again: bool = throw_again
        self.end_both: bool = end_both
        self.first_wins: bool = first_wins
        self.may_stay: bool = may_stay
        self.black: i64 = BLACK_HOME
        self.white: i64 = WHITE_HOME
        self.fresh: i64 = BLACK_HOME | WHITE_HOME if first_move == EACH_MAN else 0
        self.side: i64 = 0
        self.thrown: i64 = NONE
        self.worth: i64 = 0
        self.mover: i64 = 0
        self.full: i64 = 0
        self.half: i64 = 0
        self.stay: bool = False
        self.waiting: i64 = 0 if first_move == EACH_MAN else BOTH_WAIT
        self.first: i64 = NONE
        self.ended: i64 = 0

    def arrange(self, black: i64, white: i64, fresh: i64, side: i64, thrown: i64, mover: i64, waiting: i64, first: i64) -> None:
        """Take up a position; it may turn out to be over, or the other side's to throw (5.1, 5.2)."""
        self.black, self.white, self.fresh, self.side = black, white, fresh, side
        self.thrown, self.mover, self.worth = thrown, mover, 0
        self.full, self.half, self.stay = 0, 0, False
        self.waiting, self.first, self.ended = waiting, first, 0
        if self.finished():
            self.finish(1)
        elif thrown < 0:
            self.begin(side)
        else:
            self.worth = WORTH[thrown]
            if mover:
                self.half = self.second_half()
            else:
                self.find()

    def actor(self) -> i64:
        """Return the side that must use its throw, or that a throw is due."""
        if self.thrown >= 0:
            return self.side
        if self.ended:
            return OVER
        return CHANCE

    def turn(self) -> i64:
        """Return the side that throws and moves."""
        return self.side

    def actions(self, seat: i64, into: vec[i64]) -> i64:
        """Write the moves by the whole throw, those by a half, then `.` where the last man may stay."""
        n: i64 = 0
        worth = self.worth
        number = worth * 36 - 36
        if self.side:
            number += WHITE_MOVES - 12
        squares = self.full
        while squares:
            low = squares & -squares
            into[n] = number + INDEX[(low * DE_BRUIJN >> 58) & 63]
            n += 1
            squares ^= low
        squares = self.half
        if squares:
            number -= (worth >> 1) * 36
            while squares:
                low = squares & -squares
                into[n] = number + INDEX[(low * DE_BRUIJN >> 58) & 63]
                n += 1
                squares ^= low
        if self.stay:
            into[n] = STAY
            n += 1
        return n

    def pick(self, seat: i64, word: i64, into: vec[i64]) -> i64:
        """Return the move that a random number of 32 bits falls on, in the order of `actions`, without listing them."""
        squares = self.full
        part = self.half
        worth = self.worth
        number = worth * 36 - 36
        wholes = count(squares)
        moves = wholes + count(part)
        if self.stay:
            moves += 1
        at = moves * word >> 32
        if at >= wholes:
            if self.stay and at == moves - 1:
                return STAY
            at -= wholes
            squares = part
            number -= (worth >> 1) * 36
        while at:
            squares &= squares - 1
            at -= 1
        if self.side:
            number += WHITE_MOVES - 12
        return number + INDEX[((squares & -squares) * DE_BRUIJN >> 58) & 63]

    def play(self, action: i64) -> None:
        """Throw, leave the last man where he is, or move a man and capture whom he meets."""
        if action == STAY:
            self.pass_on()
            return
        if action >= FIRST_THROW:
            self.take_throw(action - FIRST_THROW)
            return
        departure = DEPARTURE[action]
        arrival = ARRIVAL[action]
        self.fresh &= ~(departure | arrival)
        if self.side == 0:
            self.black ^= departure | arrival
            self.white &= ~arrival
        else:
            self.white ^= departure | arrival
            self.black &= ~arrival
        if (not self.black & BLACK_OUTSIDE or not self.white & WHITE_OUTSIDE) and self.finished():
            self.finish(1)
            return
        if self.half & departure and not self.mover and HALF[self.worth] == self.length(action):
            # 2.3: the other half, if any man can take it; if none can, this half was played alone.
            self.mover = arrival
            self.full = 0
            self.half = self.second_half()
            if self.half:
                return
        self.pass_on()

    def length(self, action: i64) -> i64:
        """Return how many squares a move covers."""
        if action >= WHITE_MOVES:
            action -= WHITE_MOVES
        return action // 36 + 1

    def take_throw(self, thrown: i64) -> None:
        """Take a throw in hand and find where it may be used; lose it if it cannot be used (2.3, 2.4)."""
        worth = WORTH[thrown]
        self.worth = worth
        if self.waiting and self.waits(self.side):
            if worth != 2:
                self.pass_on()
                return
            self.waiting = self.waiting & ~(self.side + 1) if self.first_move == EACH_PLAYER else 0
        if worth:
            self.find()
            if self.full | self.half:
                self.thrown = thrown
                return
        self.pass_on()

    def waits(self, side: i64) -> bool:
        """Return whether a side needs a 2 before any of its men may move (2.4)."""
        return (self.waiting >> side) & 1 != 0

    def find(self) -> None:
        """Find the squares from which the throw may be used, in full if it can be (2.3)."""
        worth = self.worth
        part = HALF[worth]
        half: i64 = 0
        if self.side == 0:
            men = self.black & BLACK_OUTSIDE
            alone = men & (men - 1) == 0
            if worth != 2:
                men &= ~self.fresh
            landing = self.black_landing()
            full = (landing >> worth) & men
            if part:
                half = (landing >> part) & men
                # Two men who can take a half are enough; one alone needs a man who comes after him: onto the square
                # he leaves, or onto the square of the enemy's home row that follows his own.
                if full and not half & (half - 1) and not (half >> part) & men:
                    entered = (half << part) & WHITE_HOME
                    if self.any_square or not entered or not ((half << 1) & men and (entered << 1) & WHITE_HOME):
                        half = 0
        else:
            men = self.white & WHITE_OUTSIDE
            alone = men & (men - 1) == 0
            if worth != 2:
                men &= ~self.fresh
            landing = self.white_landing()
            full = (landing << worth) & men
            if part:
                half = (landing << part) & men
                if full and not half & (half - 1) and not (half << part) & men:
                    entered = (half >> part) & BLACK_HOME
                    if self.any_square or not entered or not ((half >> 1) & men and entered >> 1):
                        half = 0
        self.full = full
        self.half = half
        if alone and self.may_stay and full | half:
            self.stay = self.near()

    def near(self) -> bool:
        """Return whether the last man is near enough to the enemy's home row for some throw, but not for this one, to bring him in (4.2).

        No throw passes 12, so whoever is near enough stands on the last centre row.
        """
        worth = self.worth
        part = HALF[worth]
        if self.side == 0:
            man = self.black & BLACK_OUTSIDE
            entry = self.black_landing() & WHITE_HOME
            made = man << worth | (man << part if part else 0)
            reach = man << 1 | man << 2 | man << 4 | man << 6 | man << 8 | man << 12
            if not self.sticks:
                reach = (man << 13) - (man << 1)
        else:
            man = self.white & WHITE_OUTSIDE
            entry = self.white_landing() & BLACK_HOME
            made = man >> worth | (man >> part if part else 0)
            reach = man >> 1 | man >> 2 | man >> 4 | man >> 6 | man >> 8 | man >> 12
            if not self.sticks:
                reach = man - (man >> 12)
        return entry & reach != 0 and entry & made == 0

    def second_half(self) -> i64:
        """Return the squares from which another man than the first may take the other half."""
        part = HALF[self.worth]
        if self.side == 0:
            men = self.black & BLACK_OUTSIDE & ~self.mover
            if part != 1:
                men &= ~self.fresh
            return (self.black_landing() >> part) & men
        men = self.white & WHITE_OUTSIDE & ~self.mover
        if part != 1:
            men &= ~self.fresh
        return (self.white_landing() << part) & men

    def black_landing(self) -> i64:
        """Return the squares where a black man may land: none of his own, none closed (3.2), home squares in order (4.1)."""
        black = self.black
        entry: i64 = WHITE_HOME
        if not self.any_square:
            entry &= (black & WHITE_HOME) + SQUARE_A
        return (BLACK_OUTSIDE | entry) & ~(black | (self.white & BLACK_HOME))

    def white_landing(self) -> i64:
        """Return the squares where a white man may land."""
        white = self.white
        entry: i64 = BLACK_HOME
        if not self.any_square:
            entry = (ABOVE_L - (white & BLACK_HOME)) >> 1
        return (WHITE_OUTSIDE | entry) & ~(white | (self.black & WHITE_HOME))

    def pass_on(self) -> None:
        """End the turn; a 2, 8 or 12 may earn another throw."""
        again = self.throw_again and HALF[self.worth] != 0
        self.thrown = NONE
        self.worth, self.mover, self.full, self.half = 0, 0, 0, 0
        self.stay = False
        self.begin(self.side if again else 1 - self.side)

    def begin(self, side: i64) -> None:
        """Give the throw to a side, to the other if that one could use no throw, or end the game (5.2)."""
        if self.able(side):
            self.side = side
        elif self.able(1 - side):
            self.side = 1 - side
        else:
            self.finish(2)

    def able(self, side: i64) -> bool:
        """Return whether some throw would let the side move (5.2).

        A side that waits for its own 2 is never skipped, as 2.4 demands: none of its men is outside home, so a 12 would move each.
        """
        if side == 0:
            men = self.black & BLACK_OUTSIDE
            landing = self.black_landing()
            if (landing >> 2 | landing >> 1) & men:
                return True
            men &= ~self.fresh
            reach = landing >> 4 | landing >> 6 | landing >> 8 | landing >> 12
            if not self.sticks:
                reach |= landing >> 3 | landing >> 5 | landing >> 7 | landing >> 9 | landing >> 10 | landing >> 11
            return (reach & men) != 0
        men = self.white & WHITE_OUTSIDE
        landing = self.white_landing()
        if (landing << 2 | landing << 1) & men:
            return True
        men &= ~self.fresh
        reach = landing << 4 | landing << 6 | landing << 8 | landing << 12
        if not self.sticks:
            reach |= landing << 3 | landing << 5 | landing << 7 | landing << 9 | landing << 10 | landing << 11
        return (reach & men) != 0

    def finished(self) -> bool:
        """Note who has no man left outside first, and return whether that ends the game (5.1)."""
        black = (self.black & BLACK_OUTSIDE) == 0
        white = (self.white & WHITE_OUTSIDE) == 0
        if self.first == NONE:
            if black:
                self.first = BOTH if white else 0
            elif white:
                self.first = 1
        return black and white if self.end_both else black or white

    def finish(self, paragraph: i64) -> None:
        """End the game by 5.1 or 5.2."""
        self.ended = paragraph
        self.thrown = NONE
        self.worth, self.mover, self.full, self.half = 0, 0, 0, 0
        self.stay = False

    def chances(self) -> i64:
        """Return 36 cases for two dice, 16 for four sticks."""
        return 16 if self.sticks else 36

    def throw(self, case: i64) -> i64:
        """Return the throw in that case."""
        if self.sticks:
            return STICK_CASES[case]
        return DICE_CASES[case]

    def copy(self) -> "TablanPosition":
        """Return a new equal position."""
        other = TablanPosition(self.sticks, self.first_move, self.any_square, self.throw_again, self.end_both, self.first_wins, self.may_stay)
        other.copy_from(self)
        return other

    def copy_from(self, other: Position) -> None:
        """Become equal to another position."""
        assert isinstance(other, TablanPosition)
        self.sticks, self.first_move, self.any_square, self.may_stay = other.sticks, other.first_move, other.any_square, other.may_stay
        self.throw_again, self.end_both, self.first_wins = other.throw_again, other.end_both, other.first_wins
        self.black, self.white, self.fresh, self.side = other.black, other.white, other.fresh, other.side
        self.thrown, self.worth, self.mover = other.thrown, other.worth, other.mover
        self.full, self.half, self.stay = other.full, other.half, other.stay
        self.waiting, self.first, self.ended = other.waiting, other.first, other.ended

    def score(self, seat: i64) -> i64:
        """Return how many squares of the enemy's home row the seat holds (5.3)."""
        if seat == 0:
            return count(self.black & WHITE_HOME)
        return count(self.white & BLACK_HOME)

    def winners(self) -> i64:
        """Return who holds more squares; both if equal, or the first finisher where the option says so (5.3)."""
        black = self.score(0)
        white = self.score(1)
        if black != white:
            return 1 if black > white else 2
        if self.first_wins and (self.first == 0 or self.first == 1):
            return self.first + 1
        return 3

    def reason(self) -> str:
        """Return 5.1 (no man left outside) or 5.2 (no throw is of use)."""
        return f"5.{self.ended}"

    def standing(self, seat: i64) -> i64:
        """Return squares held, men still under way and the ground they have covered, against the enemy's."""
        if self.ended:
            winners = self.winners()
            if winners == 3:
                return 0
            return 10000 if winners == seat + 1 else -10000
        black = self.black & BLACK_OUTSIDE
        white = self.white & WHITE_OUTSIDE
        lead = 100 * (self.score(0) - self.score(1)) + 40 * (count(black) - count(white))
        lead += total(black) - (47 * count(white) - total(white))
        return -lead if seat else lead

    def hash(self) -> i64:
        """Return a number made of the men, the throw in hand and the moment."""
        rest = self.side | ((self.thrown + 1) << 1) | ((self.first + 1) << 6) | (self.ended << 8) | (self.waiting << 10)
        return mix(mix(mix(mix(self.black, self.white), self.fresh), self.mover), rest)


def total(word: i64) -> i64:
    """Return the sum of the numbers in a set of squares."""
    low_bits = count(word & 0xAAAAAAAAAAAA) + 2 * count(word & 0xCCCCCCCCCCCC) + 4 * count(word & 0xF0F0F0F0F0F0)
    return low_bits + 8 * count(word & 0xFF00FF00FF00) + 16 * count(word & 0x0000FFFF0000) + 32 * count(word & 0xFFFF00000000)
