"""Adagrad: each weight has a learning rate that falls with its own past gradients."""

from math import sqrt


def adagrad_step(gradient: list[float], weights: list[float], squares: list[float], rate: float) -> None:
    """Move the weights along a gradient and add its squares to the sums in `squares`."""
    for k, slope in enumerate(gradient):
        if slope:
            squares[k] += slope * slope
            weights[k] += rate * slope / sqrt(squares[k])
