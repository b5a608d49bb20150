# compiled
"""Monte Carlo tree search for any game: chance nodes, two to many seats, teams and cooperation alike.

The tree is a set of parallel tables, so that growing it allocates nothing: the children of a node stand side by side. Each
node keeps, for every seat, the sum of what playouts through it brought that seat; who acts chooses by his own sum.
"""

from math import log, sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.position import CHANCE, OVER, Position
from tablee.players.playout import Draw, playout

LONGEST: Final[i64] = 100000
DEEPEST: Final[i64] = 4096


class Tree:
    """A search tree above one position; `run` adds playouts, any number of times."""

    def __init__(self, root: Position, size: i64, seed: i64, capacity: i64, exploration: float) -> None:
        """Plant the tree; `size` is the action count of the game, `capacity` how many nodes it may hold."""
        self.root = root.copy()
        self.position = root.copy()
        self.seats: i64 = root.seats
        self.exploration: float = exploration
        self.capacity: i64 = capacity
        self.draw = Draw(seed)
        self.buffer: vec[i64] = vec[i64]([0] * size)
        self.path: vec[i64] = vec[i64]([0] * DEEPEST)
        self.share: vec[float] = vec[float]([0.0] * self.seats)
        self.action: vec[i64] = vec[i64]([0] * capacity)
        self.first: vec[i64] = vec[i64]([0] * capacity)
        self.number: vec[i64] = vec[i64]([0] * capacity)
        self.visits: vec[i64] = vec[i64]([0] * capacity)
        self.sums: vec[float] = vec[float]([0.0] * (capacity * self.seats))
        self.used: i64 = 1
        self.playouts: i64 = 0

    def run(self, playouts: i64) -> None:
        """Add so many playouts."""
        k: i64 = 0
        while k < playouts:
            self.once()
            k += 1
        self.playouts += playouts

    def once(self) -> None:
        """Walk down to a leaf, let it grow, play to the end at random, and remember who won all the way up."""
        position = self.position
        position.copy_from(self.root)
        node: i64 = 0
        depth: i64 = 0
        self.path[0] = 0
        while depth < DEEPEST - 1:
            actor = position.actor()
            if actor == OVER:
                break
            if self.number[node] == 0:
                if (self.visits[node] == 0 and depth > 0) or not self.grow(node, actor):
                    break
            if actor == CHANCE:
                node = self.outcome(node, position.throw(self.draw.below(position.chances())))
            else:
                node = self.choose(node, actor)
            position.play(self.action[node])
            depth += 1
            self.path[depth] = node
        playout(position, self.draw, self.buffer, LONGEST)
        self.reward(position)
        self.remember(depth)

    def grow(self, node: i64, actor: i64) -> bool:
        """Give a node its children: the actions of the seat that acts, or each distinct throw; False if there is no room."""
        position = self.position
        buffer = self.buffer
        n: i64 = 0
        if actor == CHANCE:
            case: i64 = 0
            cases = position.chances()
            while case < cases:
                action = position.throw(case)
                k: i64 = 0
                while k < n and buffer[k] != action:
                    k += 1
                if k == n:
                    buffer[n] = action
                    n += 1
                case += 1
        else:
            n = position.actions(actor, buffer)
        if self.used + n > self.capacity:
            return False
        at = self.used
        self.first[node] = at
        self.number[node] = n
        k = 0
        while k < n:
            self.action[at + k] = buffer[k]
            k += 1
        self.used = at + n
        return True

    def outcome(self, node: i64, action: i64) -> i64:
        """Return the child of a chance node for a throw."""
        child = self.first[node]
        while self.action[child] != action:
            child += 1
        return child

    def choose(self, node: i64, actor: i64) -> i64:
        """Return the child with the best upper bound for the seat that acts; one never visited comes first."""
        first = self.first[node]
        n = self.number[node]
        start = self.draw.below(n)
        weight = self.exploration * sqrt(log(float(self.visits[node] + 1)))
        best = first
        highest = -1.0
        k: i64 = 0
        while k < n:
            at = start + k
            if at >= n:
                at -= n
            child = first + at
            visits = self.visits[child]
            if visits == 0:
                return child
            bound = self.sums[child * self.seats + actor] / float(visits) + weight / sqrt(float(visits))
            if bound > highest:
                highest = bound
                best = child
            k += 1
        return best

    def reward(self, position: Position) -> None:
        """Share out the win: in equal parts to seats that share it, a whole one to each where all win together."""
        winners = position.winners()
        count: i64 = 0
        seat: i64 = 0
        while seat < self.seats:
            count += (winners >> seat) & 1
            seat += 1
        part = 0.0
        if position.actor() == OVER and count:
            part = 1.0 / float(count)
        seat = 0
        while seat < self.seats:
            self.share[seat] = part if (winners >> seat) & 1 else 0.0
            seat += 1

    def remember(self, depth: i64) -> None:
        """Add the shares to every node of the path."""
        while depth >= 0:
            node = self.path[depth]
            self.visits[node] += 1
            seat: i64 = 0
            while seat < self.seats:
                self.sums[node * self.seats + seat] += self.share[seat]
                seat += 1
            depth -= 1

    def results(self) -> list[tuple[int, int, list[float]]]:
        """Return the actions at the root with their visits and each seat's mean, the most visited first."""
        found: list[tuple[int, int, list[float]]] = []
        first = self.first[0]
        k: i64 = 0
        while k < self.number[0]:
            child = first + k
            visits = self.visits[child]
            means = [self.sums[child * self.seats + seat] / float(visits) if visits else 0.0 for seat in range(self.seats)]
            found.append((self.action[child], visits, means))
            k += 1
        return sorted(found, key=order)


def order(result: tuple[int, int, list[float]]) -> tuple[int, int]:
    """Return what results are sorted by: most visits first, then the smaller action."""
    return -result[1], result[0]
