# compiled
"""Monte Carlo tree search for any game: chance nodes, two to many seats, teams and cooperation alike.

The tree is a set of parallel tables that only ever grow, so that thinking again allocates nothing: the children of a node
stand side by side. Each node keeps, for every seat, the sum of what playouts through it brought that seat; who acts
chooses by his own sum. A node here is a playout.
"""

from math import log, sqrt
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tablee.core.bits import count
from tablee.core.judgement import share
from tablee.core.position import CHANCE, OVER, Position
from tablee.players.playout import Draw, playout
from tablee.players.search import Search
from tablee.players.stop import Stop

LONGEST: Final[i64] = 10000
DEEPEST: Final[i64] = 4096
ROOM: Final[i64] = 120_000_000
EXPLORATION: Final = 0.7


class MonteCarlo(Search):
    """Upper confidence bounds above random playouts; the most tried action is the best."""

    def __init__(self, like: Position, size: i64, seed: i64, exploration: float = EXPLORATION) -> None:
        """Prepare for positions like a given one; `size` is the action count of the game."""
        self.root = like.copy()
        self.position = like.copy()
        self.seats: i64 = like.seats
        self.exploration: float = exploration
        self.capacity: i64 = ROOM // (32 + 8 * self.seats)
        self.draw = Draw(seed)
        self.seat: i64 = 0
        self.buffer: vec[i64] = vec[i64]([0] * size)
        self.path: vec[i64] = vec[i64]([0] * DEEPEST)
        self.share: vec[float] = vec[float]([0.0] * self.seats)
        self.action: vec[i64] = vec[i64]()
        self.first: vec[i64] = vec[i64]()
        self.number: vec[i64] = vec[i64]()
        self.visits: vec[i64] = vec[i64]()
        self.sums: vec[float] = vec[float]()
        self.held: i64 = 0
        self.used: i64 = 0

    def think(self, position: Position, seat: i64, stop: Stop) -> None:
        """Add playouts until stopped; every action is tried before any is tried twice."""
        self.plant(position, seat)
        while True:
            self.once()
            if stop.hit(1):
                break

    def plant(self, position: Position, seat: i64) -> None:
        """Begin a new tree above a position in which a seat acts, or a throw is due (CHANCE)."""
        self.root.copy_from(position)
        self.position.copy_from(position)
        self.seat = seat
        self.used = 0
        self.sprout(1)
        self.grow(0, seat)

    def run(self, playouts: i64) -> None:
        """Add so many playouts to the tree."""
        k: i64 = 0
        while k < playouts:
            self.once()
            k += 1

    def once(self) -> None:
        """Walk down to a leaf, let it grow, play to the end at random, and remember who won all the way up."""
        position = self.position
        position.copy_from(self.root)
        node: i64 = 0
        depth: i64 = 0
        self.path[0] = 0
        actor = self.seat
        while depth < DEEPEST - 1:
            if self.number[node] == 0 and (self.visits[node] == 0 or not self.grow(node, actor)):
                break
            if actor == CHANCE:
                node = self.outcome(node, position.throw(self.draw.below(position.chances())))
            else:
                node = self.choose(node, actor)
            position.play(self.action[node])
            depth += 1
            self.path[depth] = node
            actor = position.actor()
            if actor == OVER:
                break
        playout(position, self.draw, self.buffer, LONGEST)
        self.reward(position)
        self.remember(depth)

    def grow(self, node: i64, actor: i64) -> bool:
        """Give a node its children: the actions of the seat that acts, or each distinct throw; False if there is no room."""
        position = self.position
        buffer = self.buffer
        n: i64 = 0
        k: i64 = 0
        if actor == CHANCE:
            case: i64 = 0
            cases = position.chances()
            while case < cases:
                action = position.throw(case)
                k = 0
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
        self.sprout(n)
        self.first[node] = at
        self.number[node] = n
        k = 0
        while k < n:
            self.action[at + k] = buffer[k]
            k += 1
        return True

    def sprout(self, n: i64) -> None:
        """Make room for n more nodes that know nothing."""
        seats = self.seats
        while self.held < self.used + n:
            self.action = append(self.action, i64(0))
            self.first = append(self.first, i64(0))
            self.number = append(self.number, i64(0))
            self.visits = append(self.visits, i64(0))
            seat: i64 = 0
            while seat < seats:
                self.sums = append(self.sums, 0.0)
                seat += 1
            self.held += 1
        k = self.used
        self.used += n
        while k < self.used:
            self.number[k] = 0
            self.visits[k] = 0
            k += 1
        k = (self.used - n) * seats
        while k < self.used * seats:
            self.sums[k] = 0.0
            k += 1

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
        seats = self.seats
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
            tried = float(visits)
            bound = self.sums[child * seats + actor] / tried + weight / sqrt(tried)
            if bound > highest:
                highest = bound
                best = child
            k += 1
        return best

    def reward(self, position: Position) -> None:
        """Share out the win; a game that does not end within thousands of actions counts as shared by all."""
        over = position.actor() == OVER
        seat: i64 = 0
        while seat < self.seats:
            self.share[seat] = share(position, seat) if over else float(count(position.friends(seat))) / float(self.seats)
            seat += 1

    def remember(self, depth: i64) -> None:
        """Add the shares to every node of the path."""
        seats = self.seats
        while depth >= 0:
            node = self.path[depth]
            self.visits[node] += 1
            seat: i64 = 0
            while seat < seats:
                self.sums[node * seats + seat] += self.share[seat]
                seat += 1
            depth -= 1

    def ranking(self) -> list[tuple[int, float]]:
        """Return the actions tried at least a quarter as often as the best, most tried first; one tried less is never said to be better."""
        found: list[tuple[int, float, int]] = []
        k = self.first[0]
        end = k + self.number[0]
        while k < end:
            found.append((self.visits[k], self.mean(k, self.seat), self.action[k]))
            k += 1
        found.sort(key=most_tried)
        least = found[0][0]
        known: list[tuple[int, float]] = []
        value = 1.0
        for visits, mean, action in found:
            if visits * 4 >= least:
                value = min(value, mean)
                known.append((action, value))
        return known

    def mean(self, node: i64, seat: i64) -> float:
        """Return what a seat has had of playouts through a node, on the average."""
        visits = self.visits[node]
        return self.sums[node * self.seats + seat] / float(visits) if visits else 0.0

    def expectation(self, seat: i64) -> float:
        """Return what a seat may expect if the best action is played, or over all throws."""
        if self.seat == CHANCE:
            return self.mean(0, seat)
        return self.mean(self.best(0, self.seat), seat)

    def best(self, node: i64, actor: i64) -> i64:
        """Return the child tried most often, or of several the one with the highest mean for who acts."""
        found = self.first[node]
        k = found + 1
        end = found + self.number[node]
        while k < end:
            more = self.visits[k] - self.visits[found]
            if more > 0 or (more == 0 and self.mean(k, actor) > self.mean(found, actor)):
                found = k
            k += 1
        return found

    def line(self) -> list[int]:
        """Return the actions tried most, one after the other, up to the next throw or where little is known."""
        found: list[int] = []
        self.position.copy_from(self.root)
        node: i64 = 0
        actor = self.seat
        while actor >= 0 and self.number[node] and (self.visits[node] >= 16 or node == 0):
            node = self.best(node, actor)
            found.append(self.action[node])
            self.position.play(self.action[node])
            actor = self.position.actor()
        return found


def most_tried(found: tuple[int, float, int]) -> tuple[int, float, int]:
    """Return what the ranking is sorted by: most visits, then the higher mean, then the smaller action."""
    return -found[0], -found[1], found[2]
