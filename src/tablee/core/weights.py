"""Learned weights as text: a file of sections, each a line that names it and lines of signs, two signs a weight.

A section begins with `[name features hidden scale scale]`. The signs are those of base 64, so two of them encode an integer
from -2048 to 2047. The first scale is the quantisation step of the last weight, the biases and the outer weights, the second
that of the inner weights. This takes a third of the space of decimals. A line that begins with # is a comment.
"""

from base64 import b64decode
from collections.abc import Mapping

from tablee.core.errors import TableeError, shown, unknown
from tablee.core.network import Network

SIGNS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
MIDDLE = 2048
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
    """Return the quantisation step; the largest weight just fits."""
    return float(f"{max(1e-6, max(map(abs, weights)) / (MIDDLE - 1)):.4g}") * 1.001


def pair(steps: float) -> str:
    """Return the two signs of a number of steps, rounded to an integer."""
    number = max(-MIDDLE, min(MIDDLE - 1, round(steps))) + MIDDLE
    return SIGNS[number // 64] + SIGNS[number % 64]


def sections(text: str) -> dict[str, str]:
    """Return the sections of a file by their names, each up to the next with the comments in between."""
    parts = f"\n{text}".split("\n[")[1:]
    return {part.partition("\n")[0].partition(" ")[0]: f"[{part}" for part in parts}


def unpack(known: Mapping[str, str], name: str, features: int) -> Network:
    """Return the network of a section, which must be there and be for that many features."""
    network = read_network(known, name)
    if network.size != features:
        head = known[name].partition("\n")[0]
        raise TableeError(f"{shown(head)} is for {network.size} features: expected {features}; train anew")
    return network


def read_network(known: Mapping[str, str], name: str) -> Network:
    """Return the network of a section, which must be there."""
    if name not in known:
        raise unknown("section of weights", name, known)
    head, *lines = (line for line in known[name].splitlines() if not line.startswith("#"))
    try:
        _, size, hidden, fine, coarse = head.strip("[]").split(" ")
        network = Network(int(size), int(hidden))
        network.take_steps(signs("".join(lines)), float(fine), float(coarse))
    except ValueError as error:
        raise TableeError(f"{shown(head)} is no section of weights: {error}") from error
    return network


def signs(text: str) -> bytes:
    """Return the decoded base 64 signs, two weights in three bytes."""
    return b64decode(text + SIGNS[0] * (-len(text) % 4), validate=True)
