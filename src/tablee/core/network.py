# compiled
"""A small learned value: sparse features, one hidden layer, one chance to win; it can learn as it plays.

It stands in `core` because the judgement of a game is built on it. Eight hidden units are worked out at a time, so that
their sums stay in registers; the order of the additions is the same compiled and not, and so are the results. A network
that is read from a file has weights that are whole numbers of a grain: then three units share a word, and one addition serves them.
"""

from math import exp, sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import mix

BLOCK: Final[i64] = 8
MOST: Final = 14.0
# What is seldom seen is learned in larger steps, up to so many times.
BOLDEST: Final = 6.0
# Three sums to a word of 63 bits, six words at a time; a weight in grains, less the least there is, has 12 bits, so that 512 of them fit a sum.
SHARED: Final[i64] = 3
WORDS: Final[i64] = 6
SUM_BITS: Final[i64] = 21
SUM: Final[i64] = 0x1FFFFF
LEAST_GRAINS: Final[i64] = -2048
MOST_GRAINS: Final[i64] = 2047
MOST_SUMMED: Final[i64] = 512


class Network:
    """Weights from features to hidden units, and from these to one number between 0 and 1."""

    def __init__(self, features: i64, hidden: i64) -> None:
        """Make a network of that size that knows nothing; the hidden units come in eights."""
        if features < 1 or hidden < 1 or hidden % BLOCK:
            raise ValueError(f"no network of {features} features and {hidden} hidden units: expected some features and 8, 16, 24… units")
        self.size: i64 = features
        self.hidden: i64 = hidden
        self.inner: vec[float] = vec[float]([0.0] * (features * hidden))
        self.bias: vec[float] = vec[float]([0.0] * hidden)
        self.outer: vec[float] = vec[float]([0.0] * hidden)
        self.last: float = 0.0
        self.unit: vec[float] = vec[float]([0.0] * hidden)
        self.sums: vec[i64] = vec[i64]([0] * WORDS)
        # Once settled: the inner weights in grains, and how large a grain is.
        self.packed: vec[i64] = vec[i64]()
        self.words: i64 = (hidden + SHARED * WORDS - 1) // (SHARED * WORDS) * WORDS
        self.grain: float = 0.0
        # While learning: how often each feature was seen, and how many lessons there were.
        self.visits: vec[float] = vec[float]([0.0] * features)
        self.lessons: float = 0.0

    def scatter(self, seed: i64) -> None:
        """Give the weights small random values to begin with."""
        self.unsettle()
        k: i64 = 0
        while k < self.size * self.hidden:
            self.inner[k] = (float(mix(seed, k) & 2047) - 1023.5) / 10240.0
            k += 1
        k = 0
        while k < self.hidden:
            self.outer[k] = (float(mix(seed + 1, k) & 2047) - 1023.5) / 2048.0
            k += 1

    def value(self, features: vec[i64], n: i64) -> float:
        """Return the chance that it sees in n features."""
        return squash(self.total(features, n))

    def total(self, features: vec[i64], n: i64) -> float:
        """Return what it sees in n features before that is made a chance, and leave in `unit` how active each unit is."""
        if len(self.packed) and n <= MOST_SUMMED:
            self.sum_packed(features, n)
            return self.outcome()
        hidden = self.hidden
        unit = self.unit
        inner = self.inner
        bias = self.bias
        h: i64 = 0
        while h < hidden:
            a, b, c, d = bias[h], bias[h + 1], bias[h + 2], bias[h + 3]
            e, f, g, i = bias[h + 4], bias[h + 5], bias[h + 6], bias[h + 7]
            k: i64 = 0
            while k < n:
                at = features[k] * hidden + h
                a += inner[at]
                b += inner[at + 1]
                c += inner[at + 2]
                d += inner[at + 3]
                e += inner[at + 4]
                f += inner[at + 5]
                g += inner[at + 6]
                i += inner[at + 7]
                k += 1
            unit[h] = a
            unit[h + 1] = b
            unit[h + 2] = c
            unit[h + 3] = d
            unit[h + 4] = e
            unit[h + 5] = f
            unit[h + 6] = g
            unit[h + 7] = i
            h += BLOCK
        return self.outcome()

    def outcome(self) -> float:
        """Return what the active units say together."""
        unit, outer = self.unit, self.outer
        total = self.last
        h: i64 = 0
        while h < self.hidden:
            activity = unit[h]
            if activity > 0.0:
                total += outer[h] * activity
            h += 1
        return total

    def sum_packed(self, features: vec[i64], n: i64) -> None:
        """Leave in `unit` how active each unit is: the same sums, three to a word."""
        packed, unit, bias = self.packed, self.unit, self.bias
        words, hidden, grain = self.words, self.hidden, self.grain
        none = -LEAST_GRAINS * n
        first: i64 = 0
        while first < words:
            a: i64 = 0
            b: i64 = 0
            c: i64 = 0
            d: i64 = 0
            e: i64 = 0
            f: i64 = 0
            k: i64 = 0
            while k < n:
                at = features[k] * words + first
                a += packed[at]
                b += packed[at + 1]
                c += packed[at + 2]
                d += packed[at + 3]
                e += packed[at + 4]
                f += packed[at + 5]
                k += 1
            sums = self.sums
            sums[0] = a
            sums[1] = b
            sums[2] = c
            sums[3] = d
            sums[4] = e
            sums[5] = f
            h = first * SHARED
            k = 0
            while k < WORDS and h < hidden:
                word = sums[k]
                last = h + SHARED if h + SHARED < hidden else hidden
                while h < last:
                    unit[h] = bias[h] + grain * float((word & SUM) - none)
                    word >>= SUM_BITS
                    h += 1
                k += 1
            first += WORDS

    def take_steps(self, steps: bytes, fine: float, coarse: float) -> None:
        """Take over weights in steps, two in three bytes, in the order of `weights`: fine steps, for inner ones coarse.

        From then on it reads faster: every inner weight is a whole number of grains, from -2048 to 2047. Learning unsettles it.
        """
        hidden = self.hidden
        few = 1 + 2 * hidden
        expected = few + self.size * hidden
        if len(steps) != (expected + 1) // 2 * 3:
            raise ValueError(f"{2 * len(steps) // 3} weights do not fit the network: expected {expected}")
        if not coarse > 0.0:
            raise ValueError(f"a grain of {coarse}: expected more than 0")
        self.packed = vec[i64]([0] * (self.size * self.words))
        self.grain = coarse
        k: i64 = 0
        while k < expected:
            at = k // 2 * 3
            middle: i64 = steps[at + 1]
            number: i64 = steps[at]
            if k & 1:
                number = steps[at + 2]
                number |= (middle & 15) << 8
            else:
                number = number << 4 | middle >> 4
            grains = number + LEAST_GRAINS
            if k == 0:
                self.last = fine * float(grains)
            elif k <= hidden:
                self.bias[k - 1] = fine * float(grains)
            elif k < few:
                self.outer[k - 1 - hidden] = fine * float(grains)
            else:
                self.inner[k - few] = coarse * float(grains)
                self.put(k - few, number)
            k += 1

    def settle(self) -> None:
        """Read faster until the weights change, by inner weights that are rounded to grains: the largest of them has 2047."""
        largest = 0.0
        count = self.size * self.hidden
        k: i64 = 0
        while k < count:
            largest = max(largest, abs(self.inner[k]))
            k += 1
        if largest == 0.0:
            return
        self.packed = vec[i64]([0] * (self.size * self.words))
        self.grain = largest / float(MOST_GRAINS)
        k = 0
        while k < count:
            self.put(k, i64(self.inner[k] / self.grain - float(LEAST_GRAINS) + 0.5))
            k += 1

    def put(self, k: i64, number: i64) -> None:
        """Give an inner weight its part of a word; the number is its grains, less the least there are."""
        unit = k % self.hidden
        self.packed[k // self.hidden * self.words + unit // SHARED] |= number << (SUM_BITS * (unit % SHARED))

    def unsettle(self) -> None:
        """Read slowly again, as the weights are about to change."""
        if len(self.packed):
            self.packed = vec[i64]()

    def learn(self, features: vec[i64], n: i64, target: float, rate: float) -> float:
        """Move the value of n features towards a target; return what it was before."""
        self.unsettle()
        value = self.value(features, n)
        step = rate * (target - value)
        hidden = self.hidden
        unit = self.unit
        outer = self.outer
        inner = self.inner
        bias = self.bias
        h: i64 = 0
        while h < hidden:
            activity = unit[h]
            pull = 0.0
            if activity > 0.0:
                pull = step * outer[h]
                outer[h] += step * activity
                bias[h] += pull
            unit[h] = pull
            h += 1
        self.last += step
        self.lessons += 1.0
        visits = self.visits
        k: i64 = 0
        while k < n:
            seen = visits[features[k]] + 1.0
            visits[features[k]] = seen
            boost = sqrt(self.lessons / seen)
            if boost > BOLDEST:
                boost = BOLDEST
            at = features[k] * hidden
            h = 0
            while h < hidden:
                inner[at + h] += boost * unit[h]
                h += 1
            k += 1
        return value

    def follow(self, other: "Network", part: float) -> None:
        """Move every weight a part of the way to that of another network of the same size."""
        self.unsettle()
        self.last += part * (other.last - self.last)
        approach(self.bias, other.bias, part)
        approach(self.outer, other.outer, part)
        approach(self.inner, other.inner, part)

    def weights(self) -> list[float]:
        """Return every weight in a fixed order."""
        found: list[float] = [self.last]
        for table in (self.bias, self.outer, self.inner):
            k: i64 = 0
            while k < len(table):
                found.append(table[k])
                k += 1
        return found

    def take(self, weights: list[float]) -> None:
        """Take over weights given in the order of `weights`."""
        expected = 1 + 2 * self.hidden + self.size * self.hidden
        if len(weights) != expected:
            raise ValueError(f"{len(weights)} weights do not fit the network: expected {expected}")
        self.unsettle()
        self.last = weights[0]
        at = 1
        for table in (self.bias, self.outer, self.inner):
            k: i64 = 0
            while k < len(table):
                table[k] = weights[at]
                at += 1
                k += 1


def approach(table: vec[float], goal: vec[float], part: float) -> None:
    """Move every number of a table a part of the way to that of another."""
    n = len(table)
    k: i64 = 0
    while k < n:
        here = table[k]
        table[k] = here + part * (goal[k] - here)
        k += 1


def squash(total: float) -> float:
    """Return the logistic function of a number, short of certainty: only the end of a game is certain."""
    if total < -MOST:
        total = -MOST
    elif total > MOST:
        total = MOST
    return 1.0 / (1.0 + exp(-total))
