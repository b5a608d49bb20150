# compiled
"""The last turns of two seats, reckoned backwards: the chance to finish first before each turn of the bank, for every division of the money.

With two seats in, one stakes and the other holds the bank, by turns, and no money comes or goes. A table for each number of
turns left is made from the one before it, when it is first asked for; it holds the best that a punter can make of some
amount on one to four signs, another on one or both symbols, or both. Much money is reckoned as if it were less.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.games.tabu.position import CASES, SHOWN, SIGNS, THROWS, TabuPosition

# More money than this in all is reckoned by parts of it; with more turns left than this the learned chance has to do.
FINEST: Final[i64] = 400
FARTHEST: Final[i64] = 12
WAYS: Final[i64] = 15
AMOUNTS: Final = (1, 2, 3, 4, 6, 8, 11, 15, 20, 27, 36, 48, 64, 85, 113, 150, 200, 267, 356)
FEWER: Final = (1, 3, 8, 20, 48, 113, 267)


class Duel:
    """The tables for one sum of money under the options of a position like a given one."""

    def __init__(self, like: TabuPosition, money: i64) -> None:
        """Take up the options; no table is made yet."""
        self.total: i64 = money
        money = money if money < FINEST else FINEST
        self.money: i64 = money
        self.may_pass: bool = like.may_pass
        self.sign_cost: i64 = 2 if like.sign_shift else 1
        self.symbol_cost: i64 = 2 if like.symbol_shift else 1
        self.own: i64 = 1 if like.stake_included else 0
        self.first: vec[i64] = vec[i64]([0] * (WAYS + 1))
        self.by_sign: vec[i64] = vec[i64]([0] * (WAYS * 56))
        self.by_symbol: vec[i64] = vec[i64]([0] * (WAYS * 56))
        self.cases: vec[float] = vec[float]([0.0] * (WAYS * 56))
        way: i64 = 0
        while way < WAYS:
            self.first[way + 1] = self.reckon_way(way)
            way += 1
        self.made: i64 = 0
        self.chances: vec[float] = vec[float]([0.0] * ((FARTHEST + 1) * (money + 1)))
        self.finish()

    def chance(self, turns: i64, punter: i64) -> float:
        """Return the chance to finish first of who stakes next, with so much money, when so many turns are left."""
        while self.made < turns:
            self.made += 1
            self.reckon(self.made)
        row = turns * (self.money + 1)
        if self.total == self.money:
            return self.chances[row + punter]
        part = punter * self.money // self.total
        beyond = float(punter * self.money - part * self.total) / float(self.total)
        return self.chances[row + part] * (1.0 - beyond) + self.chances[row + part + 1] * beyond

    def finish(self) -> None:
        """Write the table for no turn left, from the side of who would stake next."""
        hand: i64 = 0
        while hand <= self.money:
            self.chances[hand] = 1.0 if 2 * hand > self.money else (0.5 if 2 * hand == self.money else 0.0)
            hand += 1

    def reckon_way(self, way: i64) -> i64:
        """List what one of the sets of boxes can bring: by how many amounts on signs and on symbols the money changes, in how many cases."""
        signs = way // 3
        symbols = way % 3
        begin = self.first[way]
        n = begin
        case: i64 = 0
        while case < 216:
            by_sign: i64 = 0
            by_symbol: i64 = 0
            box: i64 = 0
            while box < SIGNS + symbols:
                dice = SHOWN[(CASES[case] - THROWS) * 6 + box]
                if box >= SIGNS:
                    by_symbol += dice + 1 - self.own if dice else -self.symbol_cost
                elif box < signs:
                    by_sign += dice - self.own if dice else -self.sign_cost
                box += 1
            at = begin
            while at < n and not (self.by_sign[at] == by_sign and self.by_symbol[at] == by_symbol):
                at += 1
            if at == n:
                self.by_sign[at], self.by_symbol[at], self.cases[at] = by_sign, by_symbol, 0.0
                n += 1
            self.cases[at] += 1.0
            case += 1
        return n

    def reckon(self, turns: i64) -> None:
        """Make the table for a number of turns left."""
        money = self.money
        row = turns * (money + 1)
        self.chances[row + money] = 1.0
        hand: i64 = 1
        while hand < money:
            best = self.mean(turns, hand, 0, 0, 0) if self.may_pass else 0.0
            way: i64 = 1
            while way < WAYS:
                value = self.best_amounts(turns, hand, way)
                if value > best:
                    best = value
                way += 1
            self.chances[row + hand] = best
            hand += 1

    def best_amounts(self, turns: i64, hand: i64, way: i64) -> float:
        """Return the best that amounts on one set of boxes make; in the last turn every amount is tried where it is one alone."""
        signs = way // 3
        symbols = way % 3
        room = 2 if hand == 1 and self.sign_cost == 2 else hand
        best = 0.0
        if signs and symbols:
            for amount in FEWER:
                left = room - signs * self.sign_cost * amount
                if left < symbols * self.symbol_cost:
                    break
                for other in FEWER:
                    if other * symbols * self.symbol_cost > left:
                        break
                    best = max(best, self.mean(turns, hand, way, amount, other))
            return best
        most = room // (signs * self.sign_cost if signs else symbols * self.symbol_cost)
        last = most
        if turns > 1:
            for amount in AMOUNTS:
                if amount > most:
                    break
                best = max(best, self.mean(turns, hand, way, amount, amount))
            return max(best, self.mean(turns, hand, way, most, most)) if most else best
        while last > 0:
            best = max(best, self.mean(turns, hand, way, last, last))
            last -= 1
        return best

    def mean(self, turns: i64, hand: i64, way: i64, sign: i64, symbol: i64) -> float:
        """Return what a stake is worth: one amount on each sign of a set, another on each symbol."""
        money = self.money
        row = (turns - 1) * (money + 1)
        total = 0.0
        at = self.first[way]
        end = self.first[way + 1]
        while at < end:
            # 3.4: the banker pays no more than he has; 2.3: a last 1 is lost but once.
            after = hand + sign * self.by_sign[at] + symbol * self.by_symbol[at]
            if after >= money:
                total += self.cases[at]
            elif after > 0:
                total += self.cases[at] * (1.0 - self.chances[row + money - after])
            at += 1
        return total / 216.0


def turns_left(position: TabuPosition, one: i64, other: i64) -> i64:
    """Return how many turns two seats alone will still play, the banker of the position first."""
    rounds = position.rounds
    first = rounds - position.held[position.banker]
    second = rounds - position.held[other if one == position.banker else one]
    return 2 * first - 1 if first > second else 2 * second
