# compiled
"""Looking ahead over throws: the mean over what may be thrown, the best over what may be done.

For two sides, or for seats that play together: the seats that win with the thinking one choose what is best for it, all others
what is worst. Depth counts throws: at depth 0 the value of a position before a throw is judged, not searched.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.judgement import Judgement, share
from tablee.core.position import CHANCE, OVER, Position
from tablee.players.search import Search
from tablee.players.stop import Stop

LAYERS: Final[i64] = 64


class Expectimax(Search):
    """Expectimax with a learned judgement, deeper and deeper until it must stop."""

    def __init__(self, judgement: Judgement, like: Position, size: i64, deepest: i64) -> None:
        """Prepare for positions like a given one; `size` is the action count, `deepest` the most throws to look through."""
        self.judgement = judgement
        self.deepest: i64 = deepest
        self.size: i64 = size
        self.positions: list[Position] = [like.copy() for _ in range(LAYERS)]
        self.buffers: list[vec[i64]] = []
        k: i64 = 0
        while k < LAYERS:
            self.buffers.append(vec[i64]([0] * size))
            k += 1
        self.seat: i64 = 0
        self.friends: i64 = 0
        self.stop = Stop(1)
        self.found: list[tuple[int, float]] = []

    def think(self, position: Position, seat: i64, stop: Stop) -> None:
        """Search to depth 0, 1, 2… throws; the last depth that was finished counts."""
        self.seat = seat
        self.friends = position.friends(seat)
        self.stop = Stop(0)
        n = position.actions(seat, self.buffers[0])
        order: list[int] = [self.buffers[0][k] for k in range(n)]
        depth: i64 = 0
        while depth <= self.deepest:
            values: list[tuple[int, float]] = []
            for action in order:
                child = self.positions[1]
                child.copy_from(position)
                child.play(action)
                values.append((action, self.value(1, depth)))
                if stop.ended:
                    break
            if not stop.ended:
                values.sort(key=best_first)
                self.found = values
                order = [action for action, _ in values]
            if stop.ended or n == 1:
                break
            self.stop = stop
            depth += 1

    def value(self, layer: i64, depth: i64) -> float:
        """Return what the thinking seat may expect of the position at a layer."""
        position = self.positions[layer]
        if self.stop.hit(1):
            return 0.5
        actor = position.actor()
        if actor == OVER:
            return share(position, self.seat)
        if layer >= LAYERS - 1:
            return self.judgement.value(position, self.seat)
        if actor == CHANCE:
            if depth == 0:
                return self.judgement.value(position, self.seat)
            return self.mean(layer, depth - 1)
        return self.best(layer, depth, actor)

    def mean(self, layer: i64, depth: i64) -> float:
        """Return the mean over what may be thrown, each distinct throw searched once."""
        position = self.positions[layer]
        child = self.positions[layer + 1]
        buffer = self.buffers[layer]
        cases = position.chances()
        total = 0.0
        k: i64 = 0
        while k < cases:
            buffer[k] = position.throw(k)
            k += 1
        k = 0
        while k < cases:
            action = buffer[k]
            if action >= 0:
                weight: i64 = 0
                other = k
                while other < cases:
                    if buffer[other] == action:
                        weight += 1
                        buffer[other] = -1
                    other += 1
                child.copy_from(position)
                child.play(action)
                total += float(weight) * self.value(layer + 1, depth)
            k += 1
        return total / float(cases)

    def best(self, layer: i64, depth: i64, actor: i64) -> float:
        """Return the best for the thinking seat if a friend acts, else the worst."""
        position = self.positions[layer]
        child = self.positions[layer + 1]
        buffer = self.buffers[layer]
        n = position.actions(actor, buffer)
        kind = (self.friends >> actor) & 1
        found = 2.0
        if kind:
            found = -1.0
        k: i64 = 0
        while k < n:
            child.copy_from(position)
            child.play(buffer[k])
            value = self.value(layer + 1, depth)
            if (kind and value > found) or (not kind and value < found):
                found = value
            k += 1
        return found

    def ranking(self) -> list[tuple[int, float]]:
        """Return the actions by the last finished depth."""
        return self.found

    def expectation(self, seat: i64) -> float:
        """Return the expectation of the thinking seat and its friends, or what is left for the other side."""
        value = self.found[0][1]
        return value if (self.friends >> seat) & 1 else 1.0 - value


def best_first(found: tuple[int, float]) -> tuple[float, int]:
    """Return what the ranking is sorted by."""
    return -found[1], found[0]
