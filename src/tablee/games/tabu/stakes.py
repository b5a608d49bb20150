# compiled
"""A search for the best stake: first the total on each box, then the chips that make it up, one by one.

All stake at the same time; the stakes of the others are assumed not to change. A stake is evaluated by the mean over all
throws. First come equal amounts on any set of boxes, then every amount, then each box is changed a little as long as it helps.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import bit, mix
from tablee.core.game import Game
from tablee.core.search import Budget, Search
from tablee.games.tabu.judgement import TabuJudgement
from tablee.games.tabu.position import BOXES, EACH, READY, SIGNS, TabuPosition
from tablee.players.playout import Draw

KEPT: Final[i64] = 48
THROWN: Final[i64] = 56
# Of two stakes with the same chance the one that keeps more money is taken.
THRIFT: Final = 0.000001
LADDER: Final = (1, 2, 3, 5, 8, 12, 18, 27, 40, 60, 90, 135, 200, 300, 450, 700, 1000, 1500, 2200, 3300, 5000, 7500, 11000, 17000, 25000, 50000)
CHIPS: Final = vec[i64]([1, 5, 20, 100])
RESTARTS: Final[i64] = 40


class Stakes(Search[TabuPosition]):
    """The best stake found for one seat, kept until the others' chips change."""

    def __init__(self, judgement: TabuJudgement, like: TabuPosition, seed: i64) -> None:
        """Prepare for positions like a given one."""
        self.judgement = judgement
        self.seed: i64 = seed
        self.draw = Draw(seed)
        self.stop: Budget = Budget(1)
        self.base = like.copy()
        self.trial = like.copy()
        self.seat: i64 = 0
        self.key: i64 = -1
        self.money: float = 1.0
        self.stake: vec[i64] = vec[i64]([0] * BOXES)
        self.kept: vec[i64] = vec[i64]([0] * (KEPT * BOXES))
        self.values: vec[float] = vec[float]([0.0] * KEPT)
        self.n: i64 = 0
        self.ranked: list[tuple[int, float]] = []

    def think(self, position: TabuPosition, seat: i64, stop: Budget) -> None:
        """Find the best stake of a seat, or continue with the last one if nobody else has moved."""
        self.stop = stop
        self.seat = seat
        self.prepare(position)
        key = self.others(position)
        if key != self.key or not self.rank(position):
            self.key = key
            self.n = 0
            self.draw = Draw(self.seed)
            self.search()
            self.rank(position)

    def settled(self, position: TabuPosition, seat: i64) -> bool:
        """Return whether the stake that was found is still the answer: nobody else has moved."""
        return seat == self.seat and self.n > 0 and self.others(position) == self.key

    def others(self, position: TabuPosition) -> int:
        """Return a number for everything but the chips of the thinking seat."""
        word = mix(self.seat, position.banker)
        at: i64 = 0
        while at < position.seats * BOXES:
            if at // BOXES != self.seat:
                word = mix(word, position.stakes[at])
            at += 1
        at = 0
        while at < position.seats:
            word = mix(word, mix(position.money(at), position.held[at]))
            at += 1
        return word

    def prepare(self, position: TabuPosition) -> None:
        """Take up the position as if all others were ready, with the chips that already lie as the least to stake."""
        self.base.copy_from(position)
        self.base.waiting = 0
        box: i64 = 0
        while box < BOXES:
            self.stake[box] = position.stakes[self.seat * BOXES + box]
            box += 1
        total: i64 = 1
        seat: i64 = 0
        while seat < position.seats:
            total += position.money(seat)
            seat += 1
        self.money = float(total)

    def search(self) -> None:
        """Try stakes until the budget ends or nothing improves; the first few are tried whatever the budget."""
        wanted = vec[i64]([0] * BOXES)
        box: i64 = 0
        while box < BOXES:
            self.add(wanted, bit(box), 1)
            box += 1
        if self.base.may_pass or (self.base.staked >> self.seat) & 1:
            self.add(wanted, 0, 0)
        for amount in LADDER:
            if self.stop.ended or not self.sweep(wanted, amount):
                break
        self.climb(0)
        least = self.cost(0) if self.cost(0) < self.cost(SIGNS) else self.cost(SIGNS)
        most = self.base.room[self.seat] // least
        if most <= 400:
            amount = most
            while amount > 0 and not self.stop.ended:
                self.sweep(wanted, amount)
                amount -= 1
        k: i64 = 0
        while k < 6 and k < self.n and not self.stop.ended:
            self.climb(k)
            k += 1
        self.scatter(wanted)

    def sweep(self, wanted: vec[i64], amount: i64) -> bool:
        """Try an amount on every set of boxes that differ; return whether any set was affordable."""
        some = False
        boxes: i64 = 1
        while boxes < 64 and not self.stop.ended:
            if self.plainest(boxes) and self.add(wanted, boxes, amount):
                some = True
            boxes += 1
        return some

    def plainest(self, boxes: i64) -> bool:
        """Return whether this set is the first of those that differ only by equal boxes."""
        box: i64 = 1
        while box < BOXES:
            if (boxes >> box) & 1 and box != SIGNS:
                earlier = box - 1
                if not (boxes >> earlier) & 1 and self.alike(box, earlier):
                    return False
            box += 1
        return True

    def alike(self, box: i64, other_box: i64) -> bool:
        """Return whether everybody has the same on two boxes of a kind."""
        seat: i64 = 0
        while seat < self.base.seats:
            if self.base.stakes[seat * BOXES + box] != self.base.stakes[seat * BOXES + other_box]:
                return False
            seat += 1
        return True

    def add(self, wanted: vec[i64], boxes: i64, amount: i64) -> bool:
        """Try an amount more on each of some boxes; return whether it was affordable."""
        box: i64 = 0
        while box < BOXES:
            wanted[box] = self.stake[box] + (amount if (boxes >> box) & 1 else 0)
            box += 1
        if not self.affordable(wanted):
            return False
        self.attempt(wanted)
        return True

    def cost(self, box: i64) -> i64:
        """Return how much room a stake of 1 on a box takes."""
        if box < SIGNS:
            return 2 if self.base.sign_shift else 1
        return 2 if self.base.symbol_shift else 1

    def affordable(self, wanted: vec[i64]) -> bool:
        """Return whether the seat may come to have that on the boxes (2.3), with something staked where it must be (2.2)."""
        total: i64 = 0
        staked: i64 = 0
        box: i64 = 0
        while box < BOXES:
            more = wanted[box] - self.stake[box]
            if more < 0:
                return False
            total += more * self.cost(box)
            staked += wanted[box]
            box += 1
        return total <= self.base.room[self.seat] and (staked > 0 or self.base.may_pass)

    def attempt(self, wanted: vec[i64]) -> float:
        """Return the value of a stake, and keep it if it is among the best; a kept stake is not evaluated again."""
        self.lay_all(wanted)
        value = self.judgement.mean(self.trial, self.seat, THRIFT / self.money)
        self.stop.hit(THROWN)
        self.keep(wanted, value)
        return value

    def lay_all(self, wanted: vec[i64]) -> None:
        """Lay what is lacking to a stake, on trial."""
        trial = self.trial
        trial.copy_from(self.base)
        box: i64 = 0
        while box < BOXES:
            more = wanted[box] - self.stake[box]
            if more > 0:
                trial.lay(self.seat, box, more)
            box += 1

    def keep(self, wanted: vec[i64], value: float) -> None:
        """Keep a stake in its place if it is good enough and not there already."""
        if self.n == KEPT and value <= self.values[KEPT - 1]:
            return
        at = self.n
        k: i64 = 0
        while k < self.n:
            if self.values[k] == value and self.same(k, wanted):
                return
            k += 1
        if at == KEPT:
            at = KEPT - 1
        else:
            self.n += 1
        while at > 0 and self.values[at - 1] < value:
            self.values[at] = self.values[at - 1]
            box: i64 = 0
            while box < BOXES:
                self.kept[at * BOXES + box] = self.kept[(at - 1) * BOXES + box]
                box += 1
            at -= 1
        self.values[at] = value
        box = 0
        while box < BOXES:
            self.kept[at * BOXES + box] = wanted[box]
            box += 1

    def same(self, at: i64, wanted: vec[i64]) -> bool:
        """Return whether a kept stake is this one."""
        box: i64 = 0
        while box < BOXES:
            if self.kept[at * BOXES + box] != wanted[box]:
                return False
            box += 1
        return True

    def recall(self, at: i64, wanted: vec[i64]) -> None:
        """Write down a kept stake as the wanted one."""
        box: i64 = 0
        while box < BOXES:
            wanted[box] = self.kept[at * BOXES + box]
            box += 1

    def climb(self, at: i64) -> None:
        """Change a kept stake box by box, and from box to box, as long as it gets better; large steps first."""
        wanted = vec[i64]([0] * BOXES)
        self.recall(at, wanted)
        best = self.values[at]
        step = self.base.room[self.seat] // 2
        if step < 1:
            step = 1
        while step > 0 and not self.stop.ended:
            better = self.step(wanted, best, step)
            if better > best:
                best = better
            else:
                step //= 2

    def step(self, wanted: vec[i64], best: float, step: i64) -> float:
        """Make every change by one step that improves the stake; return its value."""
        give: i64 = -1
        while give < BOXES:
            take: i64 = -1
            while take < BOXES:
                if give != take:
                    value = self.shifted(wanted, give, take, step)
                    if self.stop.ended:
                        return best
                    if value > best:
                        best = value
                    else:
                        if give >= 0:
                            wanted[give] += step
                        if take >= 0:
                            wanted[take] -= step
                take += 1
            give += 1
        return best

    def shifted(self, wanted: vec[i64], give: i64, take: i64, step: i64) -> float:
        """Move a step from a box (-1: the hand) to another, and return the new value; -1 if that is not possible."""
        if give >= 0:
            wanted[give] -= step
        if take >= 0:
            wanted[take] += step
        if not self.affordable(wanted):
            return -1.0
        return self.attempt(wanted)

    def scatter(self, wanted: vec[i64]) -> None:
        """Restart from random stakes, until several in a row have improved nothing."""
        idle: i64 = 0
        while idle < RESTARTS and not self.stop.ended:
            best = self.values[0]
            room = self.base.room[self.seat]
            box: i64 = 0
            while box < BOXES:
                wanted[box] = self.stake[box]
                box += 1
            boxes = 1 + self.draw.below(4)
            while boxes > 0:
                box = self.draw.below(BOXES)
                most = room // self.cost(box)
                if most > 0:
                    amount = 1 + self.draw.below(most)
                    wanted[box] += amount
                    room -= amount * self.cost(box)
                boxes -= 1
            if self.affordable(wanted):
                value = self.attempt(wanted)
                at: i64 = 0
                while at < self.n and not (self.values[at] == value and self.same(at, wanted)):
                    at += 1
                if at < self.n:
                    self.climb(at)
            idle = idle + 1 if self.values[0] <= best else 0

    def rank(self, position: TabuPosition) -> bool:
        """Rank the next chips towards the kept stakes that are still possible; return False if there is none."""
        ranked: list[tuple[int, float]] = []
        seen: set[int] = set()
        wanted = vec[i64]([0] * BOXES)
        k: i64 = 0
        while k < self.n:
            self.recall(k, wanted)
            if self.affordable(wanted):
                action = self.chip(wanted)
                if action not in seen:
                    seen.add(action)
                    ranked.append((action, self.values[k]))
            k += 1
        if not ranked:
            return False
        self.ranked = ranked
        return True

    def chip(self, wanted: vec[i64]) -> i64:
        """Return the next chip towards a stake: the largest that is still lacking anywhere; else that the seat is ready."""
        size: i64 = 3
        while size >= 0:
            box: i64 = 0
            while box < BOXES:
                if wanted[box] - self.stake[box] >= CHIPS[size]:
                    return self.seat * EACH + box * 4 + size
                box += 1
            size -= 1
        return self.seat * EACH + READY

    def ranking(self) -> list[tuple[int, float]]:
        """Return the next chips by the best stake that each leads to."""
        return self.ranked

    def expectation(self, seat: i64) -> float:
        """Return the expected share of a seat with the best stake that is still possible."""
        wanted = vec[i64]([0] * BOXES)
        k: i64 = 0
        while k < self.n:
            self.recall(k, wanted)
            if self.affordable(wanted):
                break
            k += 1
        self.lay_all(wanted)
        return self.judgement.mean(self.trial, seat, 0.0)


def make_search(game: Game, judgement: TabuJudgement, like: TabuPosition, depth: int, seed: int) -> Stakes:
    """Return a search for positions like a given one: depth 1 looks one throw ahead, more to the end where two seats are left."""
    judgement.backwards = depth > 1
    return Stakes(judgement, like, seed)
