# compiled
"""Tabu, fast: the money in hand and the chips on the table as whole numbers, a throw settled in one pass.

A seat's `room` is what 2.3 still lets it stake: its money in hand less what 3.3 could ask on top of its stakes. A chip on
a box that doubles takes twice its value from the room, so that laying a chip is three additions and listing the chips
needs nothing but the room.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import bit, index, mix
from tablee.core.position import CHANCE, OVER, Position

SEATS: Final = 8
BOXES: Final = 6
SIGNS: Final[i64] = 4
CHIPS: Final = (1, 5, 20, 100)
READY: Final[i64] = 24
EACH: Final[i64] = 25
THROWS: Final[i64] = 200
DIFFERENT: Final[i64] = 56
ACTION_COUNT: Final = 256
NONE: Final[i64] = -1

DOUBLING_NONE: Final[i64] = 0
DOUBLING_SYMBOLS: Final[i64] = 1
DOUBLING_ALL: Final[i64] = 2

LAST_ONE_IN: Final[i64] = 1
ROUNDS_PLAYED: Final[i64] = 2

# 4.2: `rounds` of a free game, which ends after so many turns of the bank all the same.
FREE: Final[i64] = 0
MOST_TURNS: Final[i64] = 200


def throws() -> list[tuple[int, int, int]]:
    """Return the 56 throws as three boxes in their order, in the order of their numbers."""
    return [(x, y, z) for x in range(BOXES) for y in range(x, BOXES) for z in range(y, BOXES)]


def cases() -> vec[i64]:
    """Return the throw, as an action, of each of the 216 ways the dice can fall."""
    numbers = {throw: number for number, throw in enumerate(throws())}
    table = vec[i64]([0] * 216)
    for case in range(216):
        x, y, z = sorted((case // 36, case // 6 % 6, case % 6))
        table[case] = THROWS + numbers[x, y, z]
    return table


def odds() -> vec[i64]:
    """Return in how many of the 216 cases each throw falls."""
    counts = vec[i64]([0] * DIFFERENT)
    case: i64 = 0
    while case < 216:
        counts[CASES[case] - THROWS] += 1
        case += 1
    return counts


CASES: Final = cases()
ODDS: Final = odds()
# How many dice of a throw show a box: SHOWN[6 * throw + box].
SHOWN: Final = vec[i64]([i64(throw.count(box)) for throw in throws() for box in range(BOXES)])
VALUE: Final = vec[i64]([i64(CHIPS[k % 4]) for k in range(24)])


class TabuPosition(Position):
    """Who is banker, who still stakes, everybody's money in hand and stakes, and the last throw."""

    def __init__(self, seats: i64, rounds: i64, may_pass: bool, doubling: i64, stake_included: bool) -> None:
        """Make an empty table under these options, `rounds` being FREE where no number is agreed; `arrange` fills it."""
        super().__init__(seats)
        self.rounds: i64 = rounds
        self.may_pass: bool = may_pass
        self.doubling: i64 = doubling
        self.stake_included: bool = stake_included
        self.sign_shift: i64 = 1 if doubling == DOUBLING_ALL else 0
        self.symbol_shift: i64 = 0 if doubling == DOUBLING_NONE else 1
        self.banker: i64 = 0
        self.inside: i64 = 0
        self.waiting: i64 = 0
        self.staked: i64 = 0
        self.last: i64 = NONE
        # The turns of the bank so far, those of seats now out included; counted in a free game only.
        self.turns: i64 = 0
        self.ended_by: i64 = 0
        self.hand: vec[i64] = vec[i64]([0] * SEATS)
        self.held: vec[i64] = vec[i64]([0] * SEATS)
        self.room: vec[i64] = vec[i64]([0] * SEATS)
        self.due: vec[i64] = vec[i64]([0] * SEATS)
        self.stakes: vec[i64] = vec[i64]([0] * (SEATS * BOXES))

    def arrange(self, banker: i64, money: list[i64], held: list[i64], last: i64, turns: i64 = 0) -> None:
        """Take up the start of a turn of the bank, before any stake; a seat without money is out."""
        self.banker, self.last, self.inside, self.turns = banker, last, 0, turns
        seat: i64 = 0
        while seat < self.seats:
            self.hand[seat] = money[seat]
            self.held[seat] = held[seat]
            if money[seat]:
                self.inside |= bit(seat)
            seat += 1
        seat = 0
        while seat < SEATS * BOXES:
            self.stakes[seat] = 0
            seat += 1
        if self.judge():
            self.waiting, self.staked = 0, 0
        else:
            self.open_stakes()

    def actor(self) -> i64:
        """Return the lowest seat that still stakes; the throw comes when all are ready."""
        if self.waiting:
            return index(self.waiting & -self.waiting)
        if self.ended_by:
            return OVER
        return CHANCE

    def actors(self) -> i64:
        """Return every seat that still stakes."""
        return self.waiting

    def turn(self) -> i64:
        """Return the banker, who throws."""
        return self.banker

    def actions(self, seat: i64, into: vec[i64]) -> i64:
        """Write the chips the seat can afford, box by box, small chips first; then `!`."""
        room = self.room[seat]
        first = seat * EACH
        n: i64 = 0
        chips = affordable(room >> self.sign_shift)
        if chips:
            end = first + 16
            while first < end:
                last = first + chips
                action = first
                while action < last:
                    into[n] = action
                    n += 1
                    action += 1
                first += 4
        chips = affordable(room >> self.symbol_shift)
        if chips:
            first = seat * EACH + 16
            into[n] = first
            into[n + chips] = first + 4
            k: i64 = 1
            while k < chips:
                into[n + k] = first + k
                into[n + chips + k] = first + 4 + k
                k += 1
            n += chips + chips
        if self.may_pass or (self.staked >> seat) & 1:
            into[n] = seat * EACH + READY
            n += 1
        return n

    def pick(self, seat: i64, word: i64, into: vec[i64]) -> i64:
        """Return the action that a random number of 32 bits falls on, from the lengths of the list alone."""
        room = self.room[seat]
        chips = affordable(room >> self.sign_shift)
        symbol_chips = affordable(room >> self.symbol_shift)
        signs = chips << 2
        ready = signs + (symbol_chips << 1)
        n = ready
        if self.may_pass or (self.staked >> seat) & 1:
            n += 1
        at = n * word >> 32
        if at == ready:
            return seat * EACH + READY
        action = seat * EACH
        if at >= signs:
            at -= signs
            action += 16
            chips = symbol_chips
        while at >= chips:
            at -= chips
            action += 4
        return action + at

    def play(self, action: i64) -> None:
        """Lay a chip, say that one is ready, or settle a throw."""
        if action >= THROWS:
            self.settle(action - THROWS)
            return
        seat = action // EACH
        what = action - seat * EACH
        if what == READY:
            self.waiting &= ~bit(seat)
            return
        self.lay(seat, what >> 2, VALUE[what])

    def lay(self, seat: i64, box: i64, value: i64) -> None:
        """Put money from a hand on a box, and take it and its doubling from the room."""
        self.staked |= bit(seat)
        self.stakes[seat * 6 + box] += value
        self.hand[seat] -= value
        if box < SIGNS:
            self.room[seat] -= value << self.sign_shift
        else:
            self.room[seat] -= value << self.symbol_shift

    def chances(self) -> i64:
        """Return the 216 ways three dice can fall."""
        return 216

    def throw(self, case: i64) -> i64:
        """Return the throw of one of them."""
        return CASES[case]

    def settle(self, throw: i64) -> None:
        """Settle every box (3.1 to 3.4), then judge who is out, whether the game is over, and who is banker next."""
        self.last = throw
        hands, stakes = self.hand, self.stakes
        bank = hands[self.banker]
        shown = throw * 6
        owed: i64 = 0
        bonus: i64 = -1 if self.stake_included else 0
        seats = self.staked
        while seats:
            low = seats & -seats
            seats ^= low
            seat = index(low)
            hand = hands[seat]
            due: i64 = 0
            at = seat * 6
            box: i64 = 0
            while box < 6:
                stake = stakes[at + box]
                if stake:
                    stakes[at + box] = 0
                    dice = SHOWN[shown + box]
                    symbol: i64 = 1 if box >= SIGNS else 0
                    if dice:
                        hand += stake
                        due += stake * (dice + symbol + bonus)
                    else:
                        bank += stake
                        if self.doubling + symbol >= 2:
                            # 2.3: a seat that had only 1 left pays nothing more.
                            more = stake if stake <= hand else hand
                            hand -= more
                            bank += more
                box += 1
            hands[seat] = hand
            self.due[seat] = due
            owed += due
        if owed:
            bank = self.pay(bank, owed)
        hands[self.banker] = bank
        self.close_turn()

    def pay(self, bank: i64, owed: i64) -> i64:
        """Pay what is due, or share out all there is if it is not enough (3.4); return what the banker keeps."""
        keeps = bank - owed
        left = bank
        seats = self.staked
        while seats:
            low = seats & -seats
            seats ^= low
            seat = index(low)
            share = self.due[seat]
            if keeps < 0:
                share = share * bank // owed
            self.hand[seat] += share
            left -= share
        if keeps >= 0:
            return keeps
        seat = self.banker
        while left:
            seat = seat + 1 if seat + 1 < self.seats else 0
            if (self.staked >> seat) & 1 and self.due[seat]:
                self.hand[seat] += 1
                left -= 1
        return 0

    def close_turn(self) -> None:
        """Count the turn of the bank, remove seats without money, and pass the bank on unless the game is over."""
        self.held[self.banker] += 1
        if self.rounds == FREE:
            self.turns += 1
        self.staked = 0
        seats = self.inside
        while seats:
            low = seats & -seats
            seats ^= low
            seat = index(low)
            if not self.hand[seat]:
                self.inside ^= low
                self.held[seat] = 0
        if self.judge():
            return
        seat = self.banker
        while True:
            seat = seat + 1 if seat + 1 < self.seats else 0
            if (self.inside >> seat) & 1:
                break
        self.banker = seat
        self.open_stakes()

    def judge(self) -> bool:
        """Find whether one seat alone is in (4.1), or the bank was held often enough by all that are in, or in all (4.2)."""
        self.ended_by = 0
        seats = self.inside
        if not seats & (seats - 1):
            self.ended_by = LAST_ONE_IN
            return True
        if self.rounds == FREE and self.turns < MOST_TURNS:
            return False
        while seats:
            low = seats & -seats
            seats ^= low
            if self.held[index(low)] < self.rounds:
                return False
        self.ended_by = ROUNDS_PLAYED
        return True

    def open_stakes(self) -> None:
        """Let all but the banker stake."""
        self.staked = 0
        self.waiting = self.inside & ~bit(self.banker)
        seat: i64 = 0
        while seat < self.seats:
            room = self.hand[seat]
            if room == 1 and self.doubling == DOUBLING_ALL:
                # 2.3: the last 1 may be staked although nothing is left to double it.
                room = 2
            self.room[seat] = room
            seat += 1

    def copy(self) -> "TabuPosition":
        """Return a new equal position."""
        other = TabuPosition(self.seats, self.rounds, self.may_pass, self.doubling, self.stake_included)
        other.copy_from(self)
        return other

    def copy_from(self, other: Position) -> None:
        """Become equal to another position of the same game."""
        assert isinstance(other, TabuPosition)
        self.seats, self.rounds, self.may_pass = other.seats, other.rounds, other.may_pass
        self.doubling, self.stake_included = other.doubling, other.stake_included
        self.sign_shift, self.symbol_shift = other.sign_shift, other.symbol_shift
        self.banker, self.last, self.turns, self.ended_by = other.banker, other.last, other.turns, other.ended_by
        self.inside, self.waiting, self.staked = other.inside, other.waiting, other.staked
        seat: i64 = 0
        while seat < SEATS:
            self.hand[seat] = other.hand[seat]
            self.held[seat] = other.held[seat]
            self.room[seat] = other.room[seat]
            seat += 1
        at: i64 = 0
        while at < SEATS * BOXES:
            self.stakes[at] = other.stakes[at]
            at += 1

    def money(self, seat: i64) -> i64:
        """Return all the seat has, its stakes on the table included."""
        total = self.hand[seat]
        if (self.staked >> seat) & 1:
            at = seat * 6
            end = at + 6
            while at < end:
                total += self.stakes[at]
                at += 1
        return total

    def score(self, seat: i64) -> i64:
        """Return the seat's money."""
        return self.money(seat)

    def winners(self) -> i64:
        """Return the seat or seats with the most money (4.3); whoever is alone in the game has all of it (4.1)."""
        best: i64 = 0
        seats: i64 = 0
        seat: i64 = 0
        while seat < self.seats:
            money = self.money(seat)
            if money > best:
                best = money
                seats = 0
            if money == best:
                seats |= bit(seat)
            seat += 1
        return seats

    def reason(self) -> str:
        """Return 4.1 (one seat alone is in) or 4.2 (the bank was held often enough)."""
        return f"4.{self.ended_by}"

    def standing(self, seat: i64) -> i64:
        """Return the money the seat can expect after the throw, in 216ths; the banker's side of the stakes included."""
        total = self.hand[seat] * 216
        other: i64 = 0
        while other < self.seats:
            if (self.staked >> other) & 1:
                box: i64 = 0
                while box < 6:
                    stake = self.stakes[other * 6 + box]
                    if other == seat:
                        total += stake * (216 + self.edge(box))
                    elif seat == self.banker:
                        total -= stake * self.edge(box)
                    box += 1
            other += 1
        return total

    def edge(self, box: i64) -> i64:
        """Return what a stake of 1 on a box gains on average, in 216ths: 125, 75, 15 and 1 cases show it 0 to 3 times."""
        symbol: i64 = 1 if box >= SIGNS else 0
        loss: i64 = 250 if self.doubling + symbol >= 2 else 125
        gain: i64 = symbol - 1 if self.stake_included else symbol
        return 75 * (1 + gain) + 15 * (2 + gain) + 3 + gain - loss

    def facts(self) -> tuple[object, ...]:
        """Return the options, the bank, the last throw, and what each seat has and stakes."""
        rules = (self.rounds, self.may_pass, self.doubling, self.stake_included)
        moment = (self.banker, self.inside, self.waiting, self.staked, self.last, self.turns, self.ended_by)
        seats = [
            (self.hand[seat], self.held[seat], [self.stakes[at] for at in range(seat * 6, seat * 6 + 6)] if (self.staked >> seat) & 1 else [])
            for seat in range(self.seats)
        ]
        return rules, moment, seats

    def hash(self) -> i64:
        """Return a hash of everything that matters later: all but the last throw."""
        number = mix(self.banker | (self.inside << 4) | (self.waiting << 12) | (self.staked << 20), self.ended_by | (self.turns << 2))
        seat: i64 = 0
        while seat < self.seats:
            number = mix(number, self.hand[seat] | (self.held[seat] << 20))
            if (self.staked >> seat) & 1:
                at = seat * 6
                number = mix(number, self.stakes[at] | (self.stakes[at + 1] << 20) | (self.stakes[at + 2] << 40))
                number = mix(number, self.stakes[at + 3] | (self.stakes[at + 4] << 20) | (self.stakes[at + 5] << 40))
            seat += 1
        return number


def affordable(room: i64) -> i64:
    """Return how many of the four chips a room holds, small chips first."""
    if room >= 20:
        return 4 if room >= 100 else 3
    if room >= 5:
        return 2
    return 1 if room >= 1 else 0
