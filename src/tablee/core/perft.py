# compiled
"""Count sequences of actions (perft): the quickest comparison of two engines of the same game."""

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.position import CHANCE, OVER, Position


def perft(position: Position, depth: i64, size: i64) -> i64:
    """Return how many sequences of exactly that many actions there are; throws count by distinct outcome.

    `size` is how many actions a buffer must hold; a game that ends earlier is not extended.
    """
    if depth == 0:
        return 1
    actions = successors(position, size)
    if depth == 1:
        return len(actions)
    total: i64 = 0
    child = position.copy()
    for action in actions:
        child.copy_from(position)
        child.play(action)
        total += perft(child, depth - 1, size)
    return total


def successors(position: Position, size: i64) -> list[i64]:
    """Return every action that may come next: of each seat that may act, or each distinct throw."""
    actions: list[i64] = []
    actor = position.actor()
    if actor == OVER:
        return actions
    if actor == CHANCE:
        case: i64 = 0
        cases = position.chances()
        while case < cases:
            action = position.throw(case)
            if action not in actions:
                actions.append(action)
            case += 1
        return actions
    buffer = vec[i64]([0] * size)
    seats = position.actors()
    seat: i64 = 0
    while seat < position.seats:
        if (seats >> seat) & 1:
            n = position.actions(seat, buffer)
            k: i64 = 0
            while k < n:
                actions.append(buffer[k])
                k += 1
        seat += 1
    return actions
