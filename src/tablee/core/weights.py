"""Learned weights as text: a file of sections, each a line that names it and lines of signs, two signs a weight.

A section begins with `[name features hidden scale scale]`. The signs are those of base 64, so two of them tell a whole
number from -2048 to 2047; times the first scale it is the last weight, a bias or an outer weight, times the second an inner
one. That is finer than learning is, and a third of the room that decimals take.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise, product

from tablee.core.errors import TableeError, shown, unknown
from tablee.core.network import Network

SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
MIDDLE = 2048
STEPS = {high + low: number - MIDDLE for number, (high, low) in enumerate(product(SIGNS, SIGNS))}
WIDTH = 128


def pack(name: str, network: Network) -> str:
    """Return the section of a network."""
    weights = network.weights()
    few = 1 + 2 * int(network.hidden)
    scales = [scale(weights[:few]), scale(weights[few:])]
    words = [pair(weight / scales[at >= few]) for at, weight in enumerate(weights)]
    text = "".join(words)
    lines = [text[at : at + WIDTH] for at in range(0, len(text), WIDTH)]
    return "\n".join([f"[{name} {network.size} {network.hidden} {scales[0]!r} {scales[1]!r}]", *lines, ""])


def scale(weights: list[float]) -> float:
    """Return the step by which weights are told: the largest just fits."""
    return float(f"{max(1e-6, max(map(abs, weights)) / (MIDDLE - 1)):.4g}") * 1.001


def pair(steps: float) -> str:
    """Return the two signs of a number of steps, rounded."""
    number = max(-MIDDLE, min(MIDDLE - 1, round(steps))) + MIDDLE
    return SIGNS[number // 64] + SIGNS[number % 64]


def sections(text: str) -> dict[str, str]:
    """Return the sections of a file by their names; comments begin with #."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    heads = [at for at, line in enumerate(lines) if line.startswith("[")]
    return {lines[at][1:].split(" ")[0]: "\n".join(lines[at:after]) for at, after in pairwise([*heads, len(lines)])}


def unpack(known: Mapping[str, str], name: str, features: int) -> Network:
    """Return the network of a section, which must be there and be for that many features."""
    network = read(known, name)
    if network.size != features:
        head = known[name].partition("\n")[0]
        raise TableeError(f"{shown(head)} is for {network.size} features: expected {features}; train anew")
    return network


def read(known: Mapping[str, str], name: str) -> Network:
    """Return the network of a section, which must be there."""
    if name not in known:
        raise unknown("section of weights", name, known)
    head = known[name].partition("\n")[0]
    try:
        size, hidden, grain, weights = numbers(known[name])
        network = Network(size, hidden)
        network.take(weights)
        network.settle(grain)
    except (ValueError, KeyError) as error:
        raise TableeError(f"{shown(head)} is no section of weights: {error}") from error
    return network


@lru_cache(maxsize=8)
def numbers(section: str) -> tuple[int, int, float, list[float]]:
    """Return how many features and hidden units a section is for, the step of its inner weights, and its weights.

    They are remembered, as each player at each table asks.
    """
    head, *lines = section.splitlines()
    _, size, hidden, small, large = head.strip("[]").split(" ")
    signs = "".join(lines)
    few = 1 + 2 * int(hidden)
    steps = [STEPS[signs[at : at + 2]] for at in range(0, len(signs), 2)]
    fine, coarse = float(small), float(large)
    return int(size), int(hidden), coarse, [step * fine for step in steps[:few]] + [step * coarse for step in steps[few:]]
