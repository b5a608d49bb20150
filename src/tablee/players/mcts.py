# compiled
"""Monte Carlo tree search for any game: chance nodes, two to many seats, teams and cooperation alike.

A node is a position at a number of actions from the root; an edge is an action or a throw that leads to it. Both stand in parallel
tables that only ever grow, so that thinking again allocates nothing; the edges of a node stand side by side. Each node keeps, for
every seat, the sum of the shares of the win over its playouts; the seat that acts chooses by its own sum. One playout
counts as one node of the budget. Where a position contains all that the rules look at, transpositions share one node.

Each node also has bounds of what every seat gets if all play their best (score-bounded search): both are the result where the game
is over, and follow from the bounds of the children above that. A node is proven once its bounds meet. An action that cannot
be better than another is no longer tried, and its playouts no longer count.
"""

from math import log, sqrt
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tablee.core.bits import count, mix
from tablee.core.judgement import share
from tablee.core.position import CHANCE, OVER, Position
from tablee.core.search import Budget, Search
from tablee.players.node_table import NodeTable
from tablee.players.playout import Draw, playout

LONGEST: Final[i64] = 10000
DEEPEST: Final[i64] = 4096
ROOM: Final[i64] = 120_000_000
EDGE_BYTES: Final[i64] = 32
NODE_BYTES: Final[i64] = 72
EXPLORATION: Final = 0.7
# If a playout ends within this many steps, the end of the game is near.
SOON: Final[i64] = 16
# Bounds this close count as equal, because sums over throws are rounded.
NEAR: Final = 0.000000001


class MonteCarlo(Search):
    """UCT with random playouts; the most tried action is the best, unless a better action is proven.

    `merge` shares nodes between transpositions: only for a game whose `hash` distinguishes all positions that the rules distinguish.
    """

    def __init__(self, like: Position, size: i64, seed: i64, exploration: float = EXPLORATION, merge: bool = False) -> None:
        """Prepare for positions like a given one; `size` is the action count of the game."""
        self.root = like.copy()
        self.position = like.copy()
        self.leaf = like.copy()
        self.trial = like.copy()
        self.seats: i64 = like.seats
        self.exploration: float = exploration
        self.merge: bool = merge
        self.room: i64 = ROOM
        self.draw = Draw(seed)
        self.table = NodeTable()
        self.seat: i64 = 0
        self.buffer: vec[i64] = vec[i64]([0] * size)
        self.path: vec[i64] = vec[i64]([0] * DEEPEST)
        self.actors: vec[i64] = vec[i64]([0] * DEEPEST)
        self.share: vec[float] = vec[float]([0.0] * self.seats)
        # For each edge: its action, the node it leads to (-1: none yet), how often it was tried, how many cases of a throw give it.
        self.action: vec[i64] = vec[i64]()
        self.child: vec[i64] = vec[i64]()
        self.tries: vec[i64] = vec[i64]()
        self.cases: vec[i64] = vec[i64]()
        self.edges: i64 = 0
        # For each node: its first edge, how many it has (0: none yet), visits, whether it has bounds, whether they meet.
        self.first: vec[i64] = vec[i64]()
        self.number: vec[i64] = vec[i64]()
        self.visits: vec[i64] = vec[i64]()
        self.bounded: vec[i64] = vec[i64]()
        self.proven: vec[i64] = vec[i64]()
        self.nodes: i64 = 0
        # For each node and seat: the sum of what playouts brought, the least and the most that best play brings.
        self.sums: vec[float] = vec[float]()
        self.low: vec[float] = vec[float]()
        self.high: vec[float] = vec[float]()

    def think(self, position: Position, seat: i64, stop: Budget) -> None:
        """Add playouts until stopped or until the result is proven; every action is tried before any is tried twice."""
        self.plant(position, seat)
        while not self.proven[0]:
            self.once()
            if stop.hit(1):
                break

    def plant(self, position: Position, seat: i64) -> None:
        """Begin a new tree above a position in which a seat acts, or a throw is due (CHANCE)."""
        self.root.copy_from(position)
        self.seat = seat
        self.edges = 0
        self.nodes = 0
        self.table.clear()
        self.new_node()
        self.grow(0, seat, position)

    def run(self, playouts: i64) -> None:
        """Add that many playouts to the tree."""
        k: i64 = 0
        while k < playouts:
            self.once()
            k += 1

    def once(self) -> None:
        """Do one playout: select down to a new or proven node, play at random to the end, back up the result."""
        position = self.position
        position.copy_from(self.root)
        node: i64 = 0
        depth: i64 = 0
        actor = self.seat
        self.path[0] = 0
        self.actors[0] = actor
        while depth < DEEPEST - 1 and not self.proven[node]:
            if self.number[node] == 0 and (self.visits[node] == 0 or not self.grow(node, actor, position)):
                break
            edge = self.outcome(node, position.throw(self.draw.below(position.chances()))) if actor == CHANCE else self.choose(node, actor)
            self.tries[edge] += 1
            position.play(self.action[edge])
            actor = position.actor()
            if not self.reach(edge, position, depth + 1):
                break
            node = self.child[edge]
            depth += 1
            self.path[depth] = node
            self.actors[depth] = actor
            if actor == OVER and not self.proven[node]:
                self.end(node, position)
        if not self.proven[node]:
            self.leaf.copy_from(position)
            steps = playout(position, self.draw, self.buffer, LONGEST)
            self.reward(position)
            if steps <= SOON and actor >= 0 and self.number[node] == 0 and self.grow(node, actor, self.leaf):
                self.look_for_ends(node, actor, depth)
        if self.proven[node]:
            self.recall(node)
        self.remember(depth)

    def grow(self, node: i64, actor: i64, position: Position) -> bool:
        """Give a node its edges in its position: the actions of the seat that acts, or each distinct throw; False if there is no room."""
        n = self.throws(position) if actor == CHANCE else position.actions(actor, self.buffer)
        if self.nodes * (NODE_BYTES + 24 * self.seats) + (self.edges + n) * EDGE_BYTES > self.room:
            return False
        first = self.edges
        self.new_edges(n)
        self.first[node] = first
        self.number[node] = n
        k: i64 = 0
        while k < n:
            self.action[first + k] = self.buffer[k]
            k += 1
        if actor == CHANCE:
            self.count_cases(first, position)
        return True

    def look_for_ends(self, node: i64, actor: i64, depth: i64) -> None:
        """Mark the actions of a new node that end the game; this is worth its time only where a playout ended soon."""
        ends = False
        edge = self.first[node]
        end = edge + self.number[node]
        while edge < end:
            self.trial.copy_from(self.leaf)
            self.trial.play(self.action[edge])
            if self.trial.actor() == OVER and self.reach(edge, self.trial, depth + 1):
                self.end(self.child[edge], self.trial)
                ends = True
            edge += 1
        if ends:
            self.tighten(node, actor)

    def throws(self, position: Position) -> i64:
        """Write each distinct throw into the buffer; return how many."""
        buffer = self.buffer
        n: i64 = 0
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
        return n

    def count_cases(self, first: i64, position: Position) -> None:
        """Count how many cases of a throw give each edge."""
        cases = position.chances()
        case: i64 = 0
        while case < cases:
            action = position.throw(case)
            edge = first
            while self.action[edge] != action:
                edge += 1
            self.cases[edge] += 1
            case += 1

    def new_edges(self, n: i64) -> None:
        """Make n more edges that lead nowhere yet."""
        k: i64 = 0
        while k < n:
            if self.edges == len(self.action):
                self.action = append(self.action, i64(0))
                self.child = append(self.child, i64(0))
                self.tries = append(self.tries, i64(0))
                self.cases = append(self.cases, i64(0))
            self.child[self.edges] = -1
            self.tries[self.edges] = 0
            self.cases[self.edges] = 0
            self.edges += 1
            k += 1

    def new_node(self) -> i64:
        """Make a new node without data, and return it."""
        node = self.nodes
        if node == len(self.visits):
            self.first = append(self.first, i64(0))
            self.number = append(self.number, i64(0))
            self.visits = append(self.visits, i64(0))
            self.bounded = append(self.bounded, i64(0))
            self.proven = append(self.proven, i64(0))
            seat: i64 = 0
            while seat < self.seats:
                self.sums = append(self.sums, 0.0)
                self.low = append(self.low, 0.0)
                self.high = append(self.high, 1.0)
                seat += 1
        self.number[node] = 0
        self.visits[node] = 0
        self.bounded[node] = 0
        self.proven[node] = 0
        k = node * self.seats
        while k < (node + 1) * self.seats:
            self.sums[k] = 0.0
            self.low[k] = 0.0
            self.high[k] = 1.0
            k += 1
        self.nodes += 1
        return node

    def reach(self, edge: i64, position: Position, depth: i64) -> bool:
        """Connect an edge to the node of its position, new or shared with a transposition; return False if there is no room."""
        if self.child[edge] >= 0:
            return True
        key = mix(position.hash(), depth) if self.merge else 0
        node = self.table.find(key) if self.merge else -1
        if node < 0:
            if (self.nodes + 1) * (NODE_BYTES + 24 * self.seats) + self.edges * EDGE_BYTES > self.room:
                return False
            node = self.new_node()
            if self.merge:
                self.table.put(key, node)
        self.child[edge] = node
        return True

    def outcome(self, node: i64, action: i64) -> i64:
        """Return the edge of a throw."""
        edge = self.first[node]
        while self.action[edge] != action:
            edge += 1
        return edge

    def choose(self, node: i64, actor: i64) -> i64:
        """Return the edge to try: an untried one, else the one with the highest upper confidence bound for the seat that acts.

        Only edges that could still beat the proven minimum of the seat are tried; proven edges are skipped.
        """
        first = self.first[node]
        n = self.number[node]
        seats = self.seats
        sure = self.low[node * seats + actor]
        start = self.draw.below(n)
        weight = self.exploration * sqrt(log(float(self.visits[node] + 1)))
        best = first + start
        highest = -1.0
        k: i64 = 0
        while k < n:
            edge = first + (start + k if start + k < n else start + k - n)
            child = self.child[edge]
            k += 1
            if child >= 0 and (self.proven[child] or self.high[child * seats + actor] <= sure):
                continue
            tried = float(self.tries[edge])
            if child < 0 or tried == 0.0:
                return edge
            bound = self.value(child, actor) + weight / sqrt(tried)
            if bound > highest:
                highest = bound
                best = edge
        return best

    def reward(self, position: Position) -> None:
        """Set the shares of the win; a playout that does not end within its limit counts as shared by all."""
        over = position.actor() == OVER
        seat: i64 = 0
        while seat < self.seats:
            self.share[seat] = share(position, seat) if over else float(count(position.friends(seat))) / float(self.seats)
            seat += 1

    def recall(self, node: i64) -> None:
        """Set the shares of the win to the result of a proven node."""
        seat: i64 = 0
        while seat < self.seats:
            self.share[seat] = self.low[node * self.seats + seat]
            seat += 1

    def remember(self, depth: i64) -> None:
        """Add the shares to every node of the path, from its end up, and tighten the bounds above a node that has bounds."""
        seats = self.seats
        below_bounded = False
        while depth >= 0:
            node = self.path[depth]
            self.visits[node] += 1
            seat: i64 = 0
            while seat < seats:
                self.sums[node * seats + seat] += self.share[seat]
                seat += 1
            if below_bounded and not self.proven[node]:
                self.tighten(node, self.actors[depth])
            below_bounded = self.bounded[node] != 0
            depth -= 1

    def end(self, node: i64, position: Position) -> None:
        """Mark the node of a finished game as proven, with its result."""
        seat: i64 = 0
        while seat < self.seats:
            at = node * self.seats + seat
            self.low[at] = share(position, seat)
            self.high[at] = self.low[at]
            seat += 1
        self.bounded[node] = 1
        self.proven[node] = 1

    def tighten(self, node: i64, actor: i64) -> None:
        """Tighten the bounds of a node from those of its children; its mean then leaves out edges that are no longer tried."""
        best = -1 if actor == CHANCE else self.surest(node, actor)
        changed = False
        proven = True
        seat: i64 = 0
        while seat < self.seats:
            at = node * self.seats + seat
            low = self.mean_bound(node, seat, self.low, 0.0) if actor == CHANCE else self.least(node, actor, best, seat)
            high = self.mean_bound(node, seat, self.high, 1.0) if actor == CHANCE else self.most(node, actor, best, seat)
            if low > self.low[at]:
                self.low[at] = low
                changed = True
            if high < self.high[at]:
                self.high[at] = high
                changed = True
            if self.high[at] - self.low[at] > NEAR:
                proven = False
            seat += 1
        if changed:
            self.bounded[node] = 1
            self.proven[node] = 1 if proven else 0
            self.average(node, actor)

    def surest(self, node: i64, actor: i64) -> i64:
        """Return the edge with the highest lower bound for the seat that acts; among equals a proven one."""
        best = self.first[node]
        most = -1.0
        edge = best
        end = edge + self.number[node]
        while edge < end:
            child = self.child[edge]
            if child >= 0:
                low = self.low[child * self.seats + actor]
                if low > most or (low == most and self.proven[child] and not self.proven[self.child[best]]):
                    best = edge
                    most = low
            edge += 1
        return best

    def rival(self, edge: i64, actor: i64, best: i64) -> bool:
        """Return whether the upper bound of an edge exceeds the lower bound of the best edge, for the seat that acts."""
        if edge == best:
            return True
        sure = self.low[self.child[best] * self.seats + actor] if self.child[best] >= 0 else 0.0
        return (self.high[self.child[edge] * self.seats + actor] if self.child[edge] >= 0 else 1.0) > sure + NEAR

    def least(self, node: i64, actor: i64, best: i64, seat: i64) -> float:
        """Return the lower bound of a seat if the seat that acts plays its best."""
        seats = self.seats
        if self.child[best] < 0:
            return 0.0
        if (self.root.friends(actor) >> seat) & 1:
            return self.low[self.child[best] * seats + actor]
        lowest = self.low[self.child[best] * seats + seat]
        edge = self.first[node]
        end = edge + self.number[node]
        while edge < end:
            if self.rival(edge, actor, best):
                child = self.child[edge]
                low = self.low[child * seats + seat] if child >= 0 else 0.0
                if low < lowest:
                    lowest = low
            edge += 1
        return lowest

    def most(self, node: i64, actor: i64, best: i64, seat: i64) -> float:
        """Return the upper bound of a seat if the seat that acts plays its best: an opponent never gets the share that seat is sure of."""
        seats = self.seats
        highest = 0.0
        edge = self.first[node]
        end = edge + self.number[node]
        while edge < end:
            if self.rival(edge, actor, best):
                child = self.child[edge]
                high = self.high[child * seats + seat] if child >= 0 else 1.0
                if high > highest:
                    highest = high
            edge += 1
        if (self.root.friends(actor) >> seat) & 1 == 0:
            left = 1.0 - self.least(node, actor, best, actor)
            if left < highest:
                highest = left
        return highest

    def mean_bound(self, node: i64, seat: i64, bounds: vec[float], unknown: float) -> float:
        """Return the mean of a bound over all throws; a throw without a node has the given bound."""
        total = 0.0
        cases: i64 = 0
        edge = self.first[node]
        end = edge + self.number[node]
        while edge < end:
            child = self.child[edge]
            total += float(self.cases[edge]) * (bounds[child * self.seats + seat] if child >= 0 else unknown)
            cases += self.cases[edge]
            edge += 1
        return total / float(cases)

    def average(self, node: i64, actor: i64) -> None:
        """Recompute the mean of a node from the edges that could still be the best, weighted by their tries."""
        seats = self.seats
        best = -1 if actor == CHANCE else self.surest(node, actor)
        seat: i64 = 0
        while seat < seats:
            total = 0.0
            tries = 0.0
            edge = self.first[node]
            end = edge + self.number[node]
            while edge < end:
                if self.tries[edge] and self.child[edge] >= 0 and (actor == CHANCE or self.rival(edge, actor, best)):
                    tried = float(self.tries[edge])
                    total += tried * self.value(self.child[edge], seat)
                    tries += tried
                edge += 1
            if tries > 0.0:
                self.sums[node * seats + seat] = total / tries * float(self.visits[node])
            seat += 1

    def value(self, node: i64, seat: i64) -> float:
        """Return the mean share of the win of a seat over the playouts of a node, clamped to the bounds of the node."""
        at = node * self.seats + seat
        low = self.low[at]
        high = self.high[at]
        if self.visits[node] == 0:
            return 0.5 * (low + high)
        mean = self.sums[at] / float(self.visits[node])
        return low if mean < low else high if mean > high else mean

    def ranking(self) -> list[tuple[int, float]]:
        """Return the actions that are proven or tried at least a quarter as often as the most tried one, the best first.

        Unproven actions are ordered by tries, and one with fewer tries never has a higher value.
        """
        return [(self.action[edge], value) for edge, value in self.ranked(0, self.seat)]

    def ranked(self, node: i64, actor: i64) -> list[tuple[int, float]]:
        """Return the edges of a node in the order of `ranking`."""
        open_edges: list[tuple[int, float, int]] = []
        order: list[tuple[float, int, int, int]] = []
        most: i64 = 0
        edge = self.first[node]
        end = edge + self.number[node]
        while edge < end:
            child = self.child[edge]
            if child >= 0:
                value = self.value(child, actor)
                if self.proven[child]:
                    order.append((-value, 0, 0, edge))
                elif self.tries[edge] > 0:
                    open_edges.append((-self.tries[edge], -value, edge))
                if self.tries[edge] > most:
                    most = self.tries[edge]
            edge += 1
        open_edges.sort()
        least = 1.0
        for place, (tries_below_zero, value_below_zero, number) in enumerate(open_edges):
            if tries_below_zero * -4 >= most:
                least = min(least, -value_below_zero)
                order.append((-least, 1, place, number))
        order.sort()
        return [(number, -value_below_zero) for value_below_zero, _, _, number in order]

    def expectation(self, seat: i64) -> float:
        """Return the expected share of a seat after the best action, or over all throws."""
        if self.seat == CHANCE or self.proven[0]:
            return self.value(0, seat)
        return self.value(self.child[self.ranked(0, self.seat)[0][0]], seat)

    def line(self) -> list[int]:
        """Return the principal variation up to the next throw, or to a node with few visits."""
        actions: list[int] = []
        self.position.copy_from(self.root)
        node: i64 = 0
        actor = self.seat
        while actor >= 0 and self.number[node] and (self.visits[node] >= 16 or self.proven[node] or node == 0):
            ranked = self.ranked(node, actor)
            if not ranked:
                break
            edge: i64 = ranked[0][0]
            actions.append(self.action[edge])
            self.position.play(self.action[edge])
            node = self.child[edge]
            actor = self.position.actor()
        return actions
