# compiled
"""The last turns of two seats by dynamic programming: the chance to finish first before each turn, for every division of the money.

With two seats in, one stakes and the other holds the bank, by turns, and no money comes or goes. A table for each number of
turns left is made from the one before it, when it is first asked for; it holds the best that a punter can make of any
amount on one to four signs, or on one or both symbols, or of some amount on these and another on those. In the last turn
amounts may differ from box to box. Large sums are scaled down.
"""

from itertools import combinations_with_replacement
from math import gcd
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.games.tabu.position import BOXES, CASES, DIFFERENT, FREE, MOST_TURNS, ODDS, SHOWN, SIGNS, THROWS, TabuPosition

# Larger sums of money are scaled down to this; with more turns left than this the learned chance is used.
FINEST: Final[i64] = 200
FARTHEST: Final[i64] = 12
WAYS: Final[i64] = 15
# In the last turn a box has up to three parts of what is staked; of boxes of a kind the first has most.
PARTS: Final = (3, 2, 1, 0)
DIVISIONS: Final = [
    signs + symbols
    for signs in combinations_with_replacement(PARTS, 4)
    for symbols in combinations_with_replacement(PARTS, 2)
    if gcd(*signs, *symbols) == 1
]
AMOUNTS: Final = (1, 3, 8, 20, 48, 113)


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
        self.by_sign: vec[i64] = vec[i64]([0] * (WAYS * DIFFERENT))
        self.by_symbol: vec[i64] = vec[i64]([0] * (WAYS * DIFFERENT))
        self.cases: vec[float] = vec[float]([0.0] * (WAYS * DIFFERENT))
        way: i64 = 0
        while way < WAYS:
            self.first[way + 1] = self.list_results(way)
            way += 1
        self.gains: vec[i64] = vec[i64]([0] * DIFFERENT)
        self.gain_odds: vec[float] = vec[float]([0.0] * DIFFERENT)
        self.made: i64 = 0
        self.chances: vec[float] = vec[float]([0.0] * ((FARTHEST + 1) * (money + 1)))
        self.finish()

    def chance(self, turns: i64, punter: i64) -> float:
        """Return the chance to finish first of the seat that stakes next, by its money and the turns left."""
        while self.made < turns:
            self.made += 1
            if self.made == 1:
                self.fill_last()
            else:
                self.fill_table(self.made)
        row = turns * (self.money + 1)
        if self.total == self.money:
            return self.chances[row + punter]
        part = punter * self.money // self.total
        beyond = float(punter * self.money - part * self.total) / float(self.total)
        return self.chances[row + part] * (1.0 - beyond) + self.chances[row + part + 1] * beyond

    def finish(self) -> None:
        """Write the table for no turn left, from the side of the seat that would stake next."""
        hand: i64 = 0
        while hand <= self.money:
            self.chances[hand] = 1.0 if 2 * hand > self.money else (0.5 if 2 * hand == self.money else 0.0)
            hand += 1

    def list_results(self, way: i64) -> i64:
        """List the results of a set of boxes: the gain in amounts on signs and on symbols, with the number of cases."""
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
                dice = SHOWN[(CASES[case] - THROWS) * BOXES + box]
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

    def fill_last(self) -> None:
        """Make the table for the last turn, from every way to divide a stake into parts."""
        row = self.money + 1
        hand: i64 = 1
        while hand < row:
            self.chances[row + hand] = self.mean(1, hand, 0, 0, 0) if self.may_pass or hand == self.money else 0.0
            hand += 1
        for parts in DIVISIONS:
            self.try_parts(vec[i64]([i64(part) for part in parts]))

    def try_parts(self, parts: vec[i64]) -> None:
        """Improve the table for the last turn by a stake in these parts: a leading seat stakes each part once, the other as often as possible."""
        cost: i64 = 0
        box: i64 = 0
        while box < BOXES:
            cost += parts[box] * (self.sign_cost if box < SIGNS else self.symbol_cost)
            box += 1
        n = self.sum_up(parts)
        money = self.money
        row = money + 1
        hand: i64 = 1
        while hand < money:
            times = (2 if hand == 1 and self.sign_cost == 2 else hand) // cost
            if times:
                if 2 * hand > money:
                    times = 1
                chance = self.last_chance(hand, times, n)
                if chance > self.chances[row + hand]:
                    self.chances[row + hand] = chance
            hand += 1

    def sum_up(self, parts: vec[i64]) -> i64:
        """Write the possible gains of a stake in these parts, each once with its odds; return how many there are."""
        n: i64 = 0
        throw: i64 = 0
        while throw < DIFFERENT:
            gain = self.gain(parts, throw)
            at: i64 = 0
            while at < n and self.gains[at] != gain:
                at += 1
            if at == n:
                self.gains[n], self.gain_odds[n] = gain, 0.0
                n += 1
            self.gain_odds[at] += float(ODDS[throw])
            throw += 1
        return n

    def gain(self, parts: vec[i64], throw: i64) -> i64:
        """Return the gain of a stake in these parts with a throw."""
        gain: i64 = 0
        box: i64 = 0
        while box < BOXES:
            dice = SHOWN[throw * BOXES + box]
            if dice:
                gain += parts[box] * (dice - self.own + (1 if box >= SIGNS else 0))
            else:
                gain -= parts[box] * (self.symbol_cost if box >= SIGNS else self.sign_cost)
            box += 1
        return gain

    def last_chance(self, hand: i64, times: i64, n: i64) -> float:
        """Return the chance to finish first after the last throw, if each of the n gains counts `times` times."""
        total = 0.0
        at: i64 = 0
        while at < n:
            after = hand + times * self.gains[at]
            if 2 * after > self.money:
                total += self.gain_odds[at]
            elif 2 * after == self.money:
                total += 0.5 * self.gain_odds[at]
            at += 1
        return total / 216.0

    def fill_table(self, turns: i64) -> None:
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
        """Return the best value of a stake on one set of boxes: every amount on a single kind, else a few amounts of each."""
        signs = way // 3
        symbols = way % 3
        room = 2 if hand == 1 and self.sign_cost == 2 else hand
        best = 0.0
        if signs and symbols:
            for amount in AMOUNTS:
                left = room - signs * self.sign_cost * amount
                if left < symbols * self.symbol_cost:
                    break
                for other in AMOUNTS:
                    if other * symbols * self.symbol_cost > left:
                        break
                    best = max(best, self.mean(turns, hand, way, amount, other))
            return best
        amount = room // (signs * self.sign_cost if signs else symbols * self.symbol_cost)
        while amount > 0:
            best = max(best, self.mean(turns, hand, way, amount, amount))
            amount -= 1
        return best

    def mean(self, turns: i64, hand: i64, way: i64, sign: i64, symbol: i64) -> float:
        """Return the value of a stake: one amount on each sign of a set, another on each symbol."""
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


def turns_left(position: TabuPosition, seat: i64, other: i64) -> i64:
    """Return how many turns two seats alone will still play, the banker of the position first."""
    if position.rounds == FREE:
        return MOST_TURNS - position.turns
    rounds = position.rounds
    first = rounds - position.held[position.banker]
    second = rounds - position.held[other if seat == position.banker else seat]
    return 2 * first - 1 if first > second else 2 * second
