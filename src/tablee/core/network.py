# compiled unchecked
"""A small neural network: sparse binary features, one hidden layer, one chance to win; it can learn online.

It stands in `core` because the judgement of a game is built on it. The additions have the same order compiled and not, so
the results are equal bit for bit. A network read from a file has quantised inner weights, whole multiples of a quantisation
step: three hidden units then share a machine word, and one integer addition serves all three.

This module is compiled without bounds checks (see setup.py). `check_features` looks at what a caller gives; every other index
follows from the sizes that `__init__` sets.
"""

from math import exp, floor, sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import mix

BLOCK: Final[i64] = 8
# The largest log odds that a value may have.
MOST: Final = 14.0
# A feature that is seldom seen learns in larger steps, up to this factor.
BOLDEST: Final = 6.0
# Three sums to a word of 63 bits, six words at a time. A quantised weight, less the least one, has 12 bits: 512 of them fit a sum.
SHARED: Final[i64] = 3
WORDS: Final[i64] = 6
SUM_BITS: Final[i64] = 21
SUM: Final[i64] = 0x1FFFFF
LEAST_STEPS: Final[i64] = -2048
MOST_STEPS: Final[i64] = 2047
MOST_SUMMED: Final[i64] = 512
# A bias is rounded to 1/1024 of a step of the inner weights, an outer weight to 1/32767 of the largest.
BIAS_BITS: Final[i64] = 10
FINER: Final = 1024.0
MOST_OUTER: Final = 32767.0
TINY: Final = 1e-30
# A larger bias than this is cut: the totals then fit a word of 63 bits, whatever the weights.
MOST_BIAS: Final = 34359738368.0


class Network:
    """Weights from features to hidden units, and from these to one number between 0 and 1."""

    def __init__(self, features: i64, hidden: i64) -> None:
        """Make a network of that size with all weights 0; the number of hidden units is a multiple of eight."""
        if features < 1 or hidden < 1 or hidden % BLOCK:
            raise ValueError(f"no network of {features} features and {hidden} hidden units: expected some features and 8, 16, 24… units")
        self.size: i64 = features
        self.hidden: i64 = hidden
        # A row of packed weights has whole groups of words; the units beyond `hidden` that they have room for weigh nothing.
        self.words: i64 = (hidden + SHARED * WORDS - 1) // (SHARED * WORDS) * WORDS
        room = SHARED * self.words
        self.inner: vec[float] = vec[float]([0.0] * (features * hidden))
        self.bias: vec[float] = vec[float]([0.0] * hidden)
        self.outer: vec[float] = vec[float]([0.0] * hidden)
        self.last: float = 0.0
        self.unit: vec[float] = vec[float]([0.0] * hidden)
        self.sums: vec[i64] = vec[i64]([0] * WORDS)
        # Once quantised: all weights in steps, biases in finer ones, and what a step of the total is worth.
        self.packed: vec[i64] = vec[i64]()
        self.whole_bias: vec[i64] = vec[i64]([0] * room)
        self.whole_outer: vec[i64] = vec[i64]([0] * room)
        self.scale: float = 0.0
        # While learning: how often each feature was seen, and how many lessons there were.
        self.visits: vec[float] = vec[float]([0.0] * features)
        self.lessons: float = 0.0

    def scatter(self, seed: i64) -> None:
        """Give the weights small random values to begin with."""
        self.dequantise()
        k: i64 = 0
        while k < self.size * self.hidden:
            self.inner[k] = (float(mix(seed, k) & 2047) - 1023.5) / 10240.0
            k += 1
        k = 0
        while k < self.hidden:
            self.outer[k] = (float(mix(seed + 1, k) & 2047) - 1023.5) / 2048.0
            k += 1

    def value(self, features: vec[i64], n: i64) -> float:
        """Return the chance to win by the first n features."""
        return squash(self.total(features, n))

    def total(self, features: vec[i64], n: i64) -> float:
        """Return the log odds by the first n features; unless quantised, leave in `unit` the sum of each hidden unit."""
        self.check_features(features, n)
        if len(self.packed) and n <= MOST_SUMMED:
            return self.quantised_total(features, n)
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

    def check_features(self, features: vec[i64], n: i64) -> None:
        """Raise IndexError if one of the first n features is not one of the network's."""
        if n < 0 or n > len(features):
            raise IndexError(f"{n} features of {len(features)}")
        last = self.size - 1
        outside: i64 = 0
        k: i64 = 0
        while k < n:
            # The sign bit of either term is set where the feature is negative or too large: one test at the end serves all.
            outside |= features[k] | (last - features[k])
            k += 1
        if outside < 0:
            raise IndexError(f"a feature that the network does not have: expected 0 to {last}")

    def outcome(self) -> float:
        """Return the log odds of the activities in `unit`."""
        unit, outer = self.unit, self.outer
        total = self.last
        h: i64 = 0
        while h < self.hidden:
            activity = unit[h]
            if activity > 0.0:
                total += outer[h] * activity
            h += 1
        return total

    def quantised_total(self, features: vec[i64], n: i64) -> float:
        """Return the same log odds in integers: three inner sums to a word, then outer weights times rectified sums."""
        packed, sums, bias, outer = self.packed, self.sums, self.whole_bias, self.whole_outer
        words = self.words
        none = (-LEAST_STEPS * n) << BIAS_BITS
        total: i64 = 0
        h: i64 = 0
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
            sums[0] = a
            sums[1] = b
            sums[2] = c
            sums[3] = d
            sums[4] = e
            sums[5] = f
            k = 0
            while k < WORDS:
                word = sums[k]
                # Where x is negative, x >> 63 is all ones: a rectifier without a branch.
                x = ((word & SUM) << BIAS_BITS) + bias[h] - none
                y = ((word >> SUM_BITS & SUM) << BIAS_BITS) + bias[h + 1] - none
                z = ((word >> 2 * SUM_BITS & SUM) << BIAS_BITS) + bias[h + 2] - none
                total += outer[h] * (x & ~(x >> 63)) + outer[h + 1] * (y & ~(y >> 63)) + outer[h + 2] * (z & ~(z >> 63))
                h += SHARED
                k += 1
            first += WORDS
        return self.last + self.scale * float(total)

    def take_steps(self, steps: bytes, fine: float, coarse: float) -> None:
        """Take over weights in steps, two in three bytes, in the order of `weights`: fine steps, for inner ones coarse.

        The inner weights are quantised then, from -2048 to 2047 steps, so that it evaluates faster. Learning ends that.
        """
        hidden = self.hidden
        few = 1 + 2 * hidden
        expected = few + self.size * hidden
        if len(steps) != (expected + 1) // 2 * 3:
            raise ValueError(f"{2 * len(steps) // 3} weights do not fit the network: expected {expected}")
        if not coarse > 0.0:
            raise ValueError(f"a quantisation step of {coarse}: expected more than 0")
        self.packed = vec[i64]([0] * (self.size * self.words))
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
            whole_steps = number + LEAST_STEPS
            if k == 0:
                self.last = fine * float(whole_steps)
            elif k <= hidden:
                self.bias[k - 1] = fine * float(whole_steps)
            elif k < few:
                self.outer[k - 1 - hidden] = fine * float(whole_steps)
            else:
                self.inner[k - few] = coarse * float(whole_steps)
                self.put(k - few, number)
            k += 1
        self.round_few(coarse, fine)

    def quantise(self) -> None:
        """Evaluate faster until the weights change, by inner weights rounded to quantisation steps: the largest has 2047 of them."""
        largest = 0.0
        count = self.size * self.hidden
        k: i64 = 0
        while k < count:
            largest = max(largest, abs(self.inner[k]))
            k += 1
        if largest == 0.0:
            return
        self.packed = vec[i64]([0] * (self.size * self.words))
        step = largest / float(MOST_STEPS)
        k = 0
        while k < count:
            self.put(k, i64(self.inner[k] / step - float(LEAST_STEPS) + 0.5))
            k += 1
        largest = 0.0
        k = 0
        while k < self.hidden:
            largest = max(largest, abs(self.outer[k]))
            k += 1
        self.round_few(step, max(largest, TINY) / MOST_OUTER)

    def round_few(self, inner_step: float, outer_step: float) -> None:
        """Quantise biases and outer weights, given the steps of the inner and the outer weights."""
        fine = inner_step / FINER
        self.scale = fine * outer_step
        h: i64 = 0
        while h < self.hidden:
            self.whole_bias[h] = i64(floor(max(-MOST_BIAS, min(MOST_BIAS, self.bias[h] / fine)) + 0.5))
            self.whole_outer[h] = i64(floor(self.outer[h] / outer_step + 0.5))
            h += 1

    def put(self, k: i64, number: i64) -> None:
        """Give an inner weight its part of a word; the number is its steps, less the least there can be."""
        unit = k % self.hidden
        self.packed[k // self.hidden * self.words + unit // SHARED] |= number << (SUM_BITS * (unit % SHARED))

    def dequantise(self) -> None:
        """Evaluate by the exact weights again, since they are about to change."""
        if len(self.packed):
            self.packed = vec[i64]()

    def learn(self, features: vec[i64], n: i64, target: float, rate: float) -> float:
        """Move the value of n features towards a target; return what it was before."""
        self.dequantise()
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
        if self.size != other.size or self.hidden != other.hidden:
            raise ValueError(f"a network of {self.size} x {self.hidden} cannot follow one of {other.size} x {other.hidden}")
        self.dequantise()
        self.last += part * (other.last - self.last)
        approach(self.bias, other.bias, part)
        approach(self.outer, other.outer, part)
        approach(self.inner, other.inner, part)

    def weights(self) -> list[float]:
        """Return every weight in a fixed order: the last one, biases, outer weights, inner weights feature by feature."""
        every: list[float] = [self.last]
        for table in (self.bias, self.outer, self.inner):
            k: i64 = 0
            while k < len(table):
                every.append(table[k])
                k += 1
        return every

    def take(self, weights: list[float]) -> None:
        """Take over weights given in the order of `weights`."""
        expected = 1 + 2 * self.hidden + self.size * self.hidden
        if len(weights) != expected:
            raise ValueError(f"{len(weights)} weights do not fit the network: expected {expected}")
        self.dequantise()
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
