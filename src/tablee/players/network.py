# compiled
"""A small learned value: sparse features, one hidden layer, one chance to win; it can learn as it plays."""

from math import exp

from librt.vecs import vec
from mypy_extensions import i64

from tablee.players.playout import Draw


class Network:
    """Weights from features to hidden units, and from these to one number between 0 and 1."""

    def __init__(self, features: i64, hidden: i64) -> None:
        """Make a network of that size that knows nothing."""
        self.size: i64 = features
        self.hidden: i64 = hidden
        self.inner: vec[float] = vec[float]([0.0] * (features * hidden))
        self.bias: vec[float] = vec[float]([0.0] * hidden)
        self.outer: vec[float] = vec[float]([0.0] * hidden)
        self.last: float = 0.0
        self.unit: vec[float] = vec[float]([0.0] * hidden)

    def scatter(self, seed: i64) -> None:
        """Give the weights small random values to begin with."""
        draw = Draw(seed)
        k: i64 = 0
        while k < self.size * self.hidden:
            self.inner[k] = (float(draw.below(2001)) - 1000.0) / 10000.0
            k += 1
        k = 0
        while k < self.hidden:
            self.outer[k] = (float(draw.below(2001)) - 1000.0) / 2000.0
            k += 1

    def value(self, features: vec[i64], n: i64) -> float:
        """Return the chance that it sees in n features."""
        hidden = self.hidden
        unit = self.unit
        inner = self.inner
        h: i64 = 0
        while h < hidden:
            unit[h] = self.bias[h]
            h += 1
        k: i64 = 0
        while k < n:
            at = features[k] * hidden
            h = 0
            while h < hidden:
                unit[h] += inner[at + h]
                h += 1
            k += 1
        total = self.last
        outer = self.outer
        h = 0
        while h < hidden:
            activity = unit[h]
            if activity > 0.0:
                total += outer[h] * activity
            else:
                unit[h] = 0.0
            h += 1
        return squash(total)

    def learn(self, features: vec[i64], n: i64, target: float, rate: float) -> float:
        """Move the value of n features towards a target; return what it was before."""
        value = self.value(features, n)
        step = rate * (target - value)
        hidden = self.hidden
        unit = self.unit
        outer = self.outer
        inner = self.inner
        h: i64 = 0
        while h < hidden:
            if unit[h] > 0.0:
                pull = step * outer[h]
                outer[h] += step * unit[h]
                self.bias[h] += pull
                unit[h] = pull
            h += 1
        self.last += step
        k: i64 = 0
        while k < n:
            at = features[k] * hidden
            h = 0
            while h < hidden:
                inner[at + h] += unit[h]
                h += 1
            k += 1
        return value

    def weights(self) -> list[float]:
        """Return every weight in a fixed order."""
        found: list[float] = [self.last]
        for table in (self.bias, self.outer, self.inner):
            found.extend(list(table))
        return found

    def take(self, weights: list[float]) -> None:
        """Take over weights given in the order of `weights`."""
        self.last = weights[0]
        at = 1
        for table in (self.bias, self.outer, self.inner):
            k: i64 = 0
            while k < len(table):
                table[k] = weights[at]
                at += 1
                k += 1


def squash(total: float) -> float:
    """Return the logistic function of a number."""
    if total < -30.0:
        return 0.0
    return 1.0 / (1.0 + exp(-total))
