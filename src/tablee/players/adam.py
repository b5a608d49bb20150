# compiled unchecked
"""Adam for a network with sparse features: the gradient is summed over a batch of lessons, then every weight that had one is moved.

The moments of a row of inner weights are updated only when its feature occurs in a batch (lazy Adam), so that a batch costs
what it contains and not what the network holds. This module is compiled without bounds checks: `Network.total` has checked
every feature of a lesson before it is used as an index.
"""

from math import sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.network import Network, squash

# How fast the means of the gradient and of its square follow, and what keeps a step finite where the gradient is nearly always 0.
MEAN_DECAY: Final = 0.9
SQUARE_DECAY: Final = 0.999
TINY: Final = 1e-9


class Moments:
    """The gradient of a table of weights in this batch, its mean over batches, and the mean of its square."""

    def __init__(self, size: i64) -> None:
        """Make room for so many weights."""
        self.gradient: vec[float] = vec[float]([0.0] * size)
        self.mean: vec[float] = vec[float]([0.0] * size)
        self.square: vec[float] = vec[float]([0.0] * size)

    def move(self, weights: vec[float], first: i64, count: i64, rate: float, part: float) -> None:
        """Move some weights by one step and clear their gradient; `part` is what one lesson counts for in the batch."""
        gradients, means, squares = self.gradient, self.mean, self.square
        k = first
        end = first + count
        while k < end:
            gradient = gradients[k] * part
            gradients[k] = 0.0
            mean = MEAN_DECAY * means[k] + (1.0 - MEAN_DECAY) * gradient
            square = SQUARE_DECAY * squares[k] + (1.0 - SQUARE_DECAY) * gradient * gradient
            means[k] = mean
            squares[k] = square
            weights[k] += rate * mean / (sqrt(square) + TINY)
            k += 1


class Adam:
    """Teaches one network by batches of lessons."""

    def __init__(self, network: Network) -> None:
        """Prepare to teach a network."""
        self.network = network
        self.inner = Moments(network.size * network.hidden)
        self.bias = Moments(network.hidden)
        self.outer = Moments(network.hidden)
        self.last = Moments(1)
        self.last_weight: vec[float] = vec[float]([0.0])
        # The features that occur in this batch, each once.
        self.occurs: vec[i64] = vec[i64]([0] * network.size)
        self.occurring: vec[i64] = vec[i64]([0] * network.size)
        self.count: i64 = 0
        self.lessons: i64 = 0
        # What the two means still lack, as they begin at 0.
        self.mean_lacks: float = 1.0
        self.square_lacks: float = 1.0

    def add(self, features: vec[i64], n: i64, target: float) -> float:
        """Add the gradient of one lesson, n features and what they should be worth; return what they look worth."""
        network = self.network
        network.dequantise()
        value = squash(network.total(features, n))
        error = target - value
        unit, outer, hidden = network.unit, network.outer, network.hidden
        by_bias, by_outer = self.bias.gradient, self.outer.gradient
        h: i64 = 0
        while h < hidden:
            activity = unit[h]
            pull = 0.0
            if activity > 0.0:
                pull = error * outer[h]
                by_outer[h] += error * activity
            by_bias[h] += pull
            unit[h] = pull
            h += 1
        by_last = self.last.gradient
        by_last[0] += error
        self.add_rows(features, n)
        self.lessons += 1
        return value

    def add_rows(self, features: vec[i64], n: i64) -> None:
        """Add the gradient in `unit` to the row of each feature."""
        unit, hidden = self.network.unit, self.network.hidden
        gradient, occurs, occurring = self.inner.gradient, self.occurs, self.occurring
        count = self.count
        k: i64 = 0
        while k < n:
            feature = features[k]
            if not occurs[feature]:
                occurs[feature] = 1
                occurring[count] = feature
                count += 1
            at = feature * hidden
            h: i64 = 0
            while h < hidden:
                gradient[at + h] += unit[h]
                h += 1
            k += 1
        self.count = count

    def step(self, rate: float) -> None:
        """Move the weights by the lessons added since the last step."""
        if not self.lessons:
            return
        network = self.network
        self.mean_lacks *= MEAN_DECAY
        self.square_lacks *= SQUARE_DECAY
        rate *= sqrt(1.0 - self.square_lacks) / (1.0 - self.mean_lacks)
        part = 1.0 / float(self.lessons)
        hidden = network.hidden
        k: i64 = 0
        while k < self.count:
            feature = self.occurring[k]
            self.inner.move(network.inner, feature * hidden, hidden, rate, part)
            self.occurs[feature] = 0
            k += 1
        self.bias.move(network.bias, 0, hidden, rate, part)
        self.outer.move(network.outer, 0, hidden, rate, part)
        self.last_weight[0] = network.last
        self.last.move(self.last_weight, 0, 1, rate, part)
        network.last = self.last_weight[0]
        self.count = 0
        self.lessons = 0
