# compiled
"""Small steps for a network that knows much already: as long for what is seldom seen, or seldom active, as for the rest.

Every weight is moved by its part of the error, divided by how large that part usually is. How large it is for a weight between a
feature and a unit is not kept for each: it is about the product of what is usual for the feature and for the unit, and two short
tables cost a tenth of the time of a long one.
"""

from math import sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.network import Network, squash

# By which part what is usual follows each lesson, where it begins, and what keeps a step short where next to nothing is usual.
FOLLOW: Final = 0.002
BEGIN: Final = 0.0001
LEAST: Final = 0.0001
# How much longer than others the steps of one feature may be.
BOLDEST: Final = 5.0


class Steps:
    """Teaches one network, and remembers how large its errors usually are."""

    def __init__(self, network: Network) -> None:
        """Prepare to teach a network."""
        self.network = network
        self.by_feature: vec[float] = vec[float]([BEGIN] * network.size)
        self.by_bias: vec[float] = vec[float]([BEGIN] * network.hidden)
        self.by_outer: vec[float] = vec[float]([BEGIN] * network.hidden)
        self.by_last: float = BEGIN
        # The units that the last lesson pulled at, and how many.
        self.pulled: vec[i64] = vec[i64]([0] * network.hidden)
        self.count: i64 = 0
        self.everywhere: float = BEGIN

    def learn(self, features: vec[i64], n: i64, target: float, rate: float) -> float:
        """Move the value of n features towards a target; return what it was before."""
        network = self.network
        network.unsettle()
        value = squash(network.total(features, n))
        error = target - value
        mean = self.units(error, rate)
        self.by_last += FOLLOW * (error * error - self.by_last)
        network.last += rate * error / (sqrt(self.by_last) + LEAST)
        self.everywhere += FOLLOW * (mean - self.everywhere)
        inner, unit, hidden, by_feature = network.inner, network.unit, network.hidden, self.by_feature
        pulled, count = self.pulled, self.count
        k: i64 = 0
        while k < n:
            feature = features[k]
            usual = by_feature[feature]
            usual += FOLLOW * (mean - usual)
            by_feature[feature] = usual
            boost = sqrt(self.everywhere / (usual + 1e-9))
            if boost > BOLDEST:
                boost = BOLDEST
            at = feature * hidden
            j: i64 = 0
            while j < count:
                h = pulled[j]
                inner[at + h] += boost * unit[h]
                j += 1
            k += 1
        return value

    def units(self, error: float, rate: float) -> float:
        """Move biases and outer weights, and leave in `unit` the step of each unit's inner weights; return the mean square of what pulls at them."""
        network = self.network
        unit, outer, bias, hidden = network.unit, network.outer, network.bias, network.hidden
        by_outer, by_bias = self.by_outer, self.by_bias
        total = 0.0
        self.count = 0
        h: i64 = 0
        while h < hidden:
            activity = unit[h]
            pull = 0.0
            if activity > 0.0:
                pull = error * outer[h]
                self.pulled[self.count] = h
                self.count += 1
            else:
                activity = 0.0
            push = error * activity
            usual = by_outer[h]
            usual += FOLLOW * (push * push - usual)
            by_outer[h] = usual
            outer[h] += rate * push / (sqrt(usual) + LEAST)
            usual = by_bias[h]
            usual += FOLLOW * (pull * pull - usual)
            by_bias[h] = usual
            step = rate * pull / (sqrt(usual) + LEAST)
            bias[h] += step
            unit[h] = step
            total += pull * pull
            h += 1
        return total / float(hidden)
