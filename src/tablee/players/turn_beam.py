# compiled
"""Beam search for games whose turns have several parts: the best turns are built part by part, then answered.

A turn is a sequence of actions of one seat. After each part only the best unfinished turns are kept, by their static value,
so that a few dozen of tens of thousands of turns are left; the answers are searched in the same way, with iterative deepening.
Two sides use alpha-beta; with three or more seats each maximises its own value.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.game import Game
from tablee.core.judgement import Judgement, share
from tablee.core.position import OVER, Position
from tablee.core.search import Budget, Search

STEPS: Final[i64] = 40
LAYERS: Final[i64] = 14
WIDEST: Final[i64] = 256
ROOT: Final[i64] = 96
SEATS: Final[i64] = 8
# In shallow searches, root turns this far below the best get exact values, for a choice by temperature.
MARGIN: Final = 0.15
# Where every line ends soon, the beam is widened up to this factor.
BROADEST: Final[i64] = 8
# A value above this is a won game.
SURE: Final = 0.999999999


class Turns:
    """The best turns of one seat, finished or not, in order; only a limited number is kept."""

    def __init__(self, like: Position, most: i64) -> None:
        """Make room for `most` turns."""
        self.n: i64 = 0
        self.limit: i64 = most
        self.ends: list[Position] = [like.copy() for _ in range(most)]
        self.values: vec[float] = vec[float]([0.0] * most)
        self.order: vec[i64] = vec[i64]([0] * most)
        self.steps: vec[i64] = vec[i64]([0] * (most * STEPS))
        self.lengths: vec[i64] = vec[i64]([0] * most)

    def clear(self, limit: i64) -> None:
        """Remove all turns and set a new limit."""
        self.n = 0
        self.limit = limit

    def takes(self, value: float) -> bool:
        """Return whether a turn of that value would be kept."""
        return self.n < self.limit or value > self.values[self.order[self.n - 1]]

    def offer(self, value: float, end: Position, source: "Turns", at: i64, action: i64) -> None:
        """Keep turn `at` of `source` with one more action (-1: none), if it is good enough."""
        if not self.takes(value):
            return
        n = self.n
        place = n
        if n < self.limit:
            self.n = n + 1
        else:
            place = self.order[n - 1]
            n -= 1
        while n > 0 and self.values[self.order[n - 1]] < value:
            self.order[n] = self.order[n - 1]
            n -= 1
        self.order[n] = place
        self.values[place] = value
        self.ends[place].copy_from(end)
        length = source.lengths[at]
        to = place * STEPS
        first = at * STEPS
        k: i64 = 0
        while k < length:
            self.steps[to + k] = source.steps[first + k]
            k += 1
        if action >= 0:
            self.steps[to + length] = action
            length += 1
        self.lengths[place] = length

    def root(self, position: Position) -> None:
        """Hold one turn without actions."""
        self.n = 1
        self.order[0] = 0
        self.lengths[0] = 0
        self.ends[0].copy_from(position)


class TurnBeam(Search):
    """The best turns, and the best answers to them, until it must stop."""

    def __init__(self, judgement: Judgement, like: Position, size: i64, deepest: i64) -> None:
        """Prepare for positions like a given one; `size` is the action count, `deepest` the most turns to look ahead."""
        self.judgement = judgement
        self.deepest: i64 = deepest if deepest < LAYERS else LAYERS - 1
        self.buffer: vec[i64] = vec[i64]([0] * size)
        self.child = like.copy()
        self.now = Turns(like, WIDEST)
        self.then = Turns(like, WIDEST)
        self.few = Turns(like, 16)
        self.layers: list[Turns] = [Turns(like, ROOT if k == 0 else 64) for k in range(LAYERS)]
        self.more = Turns(like, 32)
        self.vector: vec[float] = vec[float]([0.0] * (LAYERS * SEATS))
        self.results: vec[float] = vec[float]([0.0] * ROOT)
        self.stop: Budget = Budget(1)
        self.seat: i64 = 0
        self.friends: i64 = 0
        self.two_sides: bool = True
        self.reached: i64 = 0
        self.breadth: i64 = 1
        self.cut: bool = False
        self.ranked: list[tuple[int, float]] = []
        # For each first action of the ranking: the best turn that begins with it.
        self.lines: dict[int, list[int]] = {}
        self.expected: list[float] = []

    def think(self, position: Position, seat: i64, stop: Budget) -> None:
        """Find one turn greedily, then more turns, then search the answers with iterative deepening."""
        self.seat = seat
        self.friends = position.friends(seat)
        self.two_sides = sides(position) <= 2
        self.reached = 0
        turns = self.layers[0]
        # The greedy turn ignores the budget, so that there is always an answer.
        self.stop = Budget(0)
        if self.deepest == 0:
            self.collect_actions(position, seat, turns)
        else:
            self.collect(position, seat, turns, 1, 1, 1, False)
        self.keep_static(position)
        if stop.hit(self.stop.nodes) or self.deepest == 0:
            return
        self.stop = stop
        self.collect(position, seat, turns, 24, 64, 4, True)
        if turns.n and (not stop.ended or turns.values[turns.order[0]] > self.ranked[0][1]):
            self.keep_static(position)
        breadth: i64 = 1
        while breadth <= BROADEST and not stop.ended and not self.won():
            self.breadth = breadth
            if breadth > 1:
                self.collect(position, seat, turns, 24 * breadth, ROOT, 4, True)
                if turns.n and self.won():
                    self.keep_static(position)
            if not stop.ended:
                self.deepen_all(position)
            breadth = 2 * self.breadth

    def deepen_all(self, position: Position) -> None:
        """Search with iterative deepening until the budget ends, the best turn wins at once, or every line has ended."""
        turns = self.layers[0]
        depth: i64 = 2
        while depth <= self.deepest and not self.stop.ended and not self.won():
            if depth == 4 or (depth == 2 and self.breadth > 1):
                self.widen(position, depth == 4 or self.breadth > 2)
            self.cut = False
            if turns.n > 1:
                self.deepen(position, depth)
            if not self.cut:
                return
            depth += 1
        # Lines that have not ended are not widened: the search would never finish.
        self.breadth = BROADEST

    def won(self) -> bool:
        """Return whether the best turn ends the game with a win of the thinking side alone."""
        turns = self.layers[0]
        best = turns.order[0]
        return turns.ends[best].actor() == OVER and turns.values[best] >= SURE

    def widen(self, position: Position, every: bool) -> None:
        """Try nearly every root turn (or every turn of the judgement's candidates), in case one wins at once."""
        turns = self.layers[0]
        more = self.more
        self.collect(position, self.seat, more, WIDEST, 32, 4, every)
        if not more.n:
            return
        best = more.order[0]
        if more.ends[best].actor() == OVER and more.values[best] >= SURE:
            turns.clear(turns.limit)
            turns.offer(1.0, more.ends[best], more, best, -1)
            self.keep_static(position)

    def glance(self, position: Position, seat: i64, choice: i64) -> None:
        """Play a full turn of a seat in a position: the best by static value, or one of the next best."""
        turns = self.layers[0]
        self.stop = Budget(0)
        self.collect(position, seat, turns, 6, 8, 2, False)
        position.copy_from(turns.ends[turns.order[choice if choice < turns.n else 0]])

    def deepen(self, position: Position, depth: i64) -> None:
        """Search the root turns to a depth and keep the result, also of an interrupted depth that has searched the best turn so far."""
        turns = self.layers[0]
        n = root_width(depth) * self.breadth
        if turns.n < n:
            n = turns.n
        margin = MARGIN if depth <= 3 else 0.0
        best = -1.0
        best_at: i64 = -1
        done: i64 = 0
        expected = self.expected
        while done < n:
            at = turns.order[done]
            end = turns.ends[at]
            value = 0.0
            if self.two_sides:
                value = self.two(end, 1, depth - 1, best - margin if best >= 0.0 else 0.0, 1.0)
            else:
                self.many(end, 1, depth - 1)
                value = self.vector[SEATS + self.seat]
            if self.stop.ended:
                break
            self.results[at] = value
            done += 1
            if value > best:
                best = value
                best_at = at
                expected = self.expectations(end, value)
        # A widened search counts only when it is finished: before that the narrow one knows more.
        if best_at < 0 or (done < n and self.breadth > 1):
            return
        self.expected = expected
        self.settle(done, best_at)
        if done == n:
            self.reached = depth

    def settle(self, done: i64, best_at: i64) -> None:
        """Order the searched turns by value, before those not searched, and rank their first actions."""
        turns = self.layers[0]
        k: i64 = 0
        while k < done:
            turns.values[turns.order[k]] = self.results[turns.order[k]]
            k += 1
        k = 1
        while k < done:
            at = turns.order[k]
            j = k
            while j > 0 and turns.values[turns.order[j - 1]] < turns.values[at]:
                turns.order[j] = turns.order[j - 1]
                j -= 1
            turns.order[j] = at
            k += 1
        # The value of a turn that failed low is only a bound: a turn that ties with the best comes after it.
        k = 0
        while turns.order[k] != best_at:
            k += 1
        while k > 0:
            turns.order[k] = turns.order[k - 1]
            k -= 1
        turns.order[0] = best_at
        self.rank(done)

    def keep_static(self, position: Position) -> None:
        """Rank the turns by static value."""
        turns = self.layers[0]
        self.rank(turns.n)
        self.expected = self.expectations(turns.ends[turns.order[0]], turns.values[turns.order[0]])

    def rank(self, n: i64) -> None:
        """Rank the first actions of the best n turns, each by the best turn it begins."""
        turns = self.layers[0]
        ranked: list[tuple[int, float]] = []
        lines: dict[int, list[int]] = {}
        k: i64 = 0
        while k < n:
            at = turns.order[k]
            action = turns.steps[at * STEPS]
            if action not in lines:
                lines[action] = [turns.steps[at * STEPS + j] for j in range(turns.lengths[at])]
                ranked.append((action, turns.values[at]))
            k += 1
        self.ranked = ranked
        self.lines = lines

    def expectations(self, end: Position, value: float) -> list[float]:
        """Return the expected share of each seat after a turn of the thinking seat."""
        if self.two_sides:
            return [value if (self.friends >> seat) & 1 else 1.0 - value for seat in range(end.seats)]
        if self.reached == 0 and end.actor() != OVER:
            return [self.judgement.value(end, seat) for seat in range(end.seats)]
        if end.actor() == OVER:
            return [share(end, seat) for seat in range(end.seats)]
        return [self.vector[SEATS + seat] for seat in range(end.seats)]

    def collect(self, position: Position, seat: i64, into: Turns, width: i64, most: i64, each: i64, every: bool) -> None:
        """Collect the best finished turns of a seat by beam search: `width` unfinished turns are kept, each with at most `each` endings."""
        judgement = self.judgement
        child = self.child
        buffer = self.buffer
        now, then, few = self.now, self.then, self.few
        into.clear(most)
        now.root(position)
        part: i64 = 0
        while now.n:
            then.clear(WIDEST if part == 0 and width > 1 else width)
            k: i64 = 0
            while k < now.n:
                at = now.order[k]
                start = now.ends[at]
                n = start.actions(seat, buffer) if every else judgement.candidates(start, seat, buffer)
                few.clear(each)
                j: i64 = 0
                while j < n:
                    child.copy_from(start)
                    child.play(buffer[j])
                    actor = child.actor()
                    if actor == seat:
                        if now.lengths[at] < STEPS - 2:
                            then.offer(judgement.value(child, seat), child, now, at, buffer[j])
                    elif actor == OVER:
                        few.offer(share(child, seat), child, now, at, buffer[j])
                    else:
                        few.offer(judgement.value(child, seat), child, now, at, buffer[j])
                    j += 1
                j = 0
                while j < few.n:
                    finished = few.order[j]
                    into.offer(few.values[finished], few.ends[finished], few, finished, -1)
                    j += 1
                if self.stop.hit(n):
                    self.now, self.then = now, then
                    return
                k += 1
            now, then = then, now
            part += 1
        self.now, self.then = now, then

    def collect_actions(self, position: Position, seat: i64, into: Turns) -> None:
        """Collect single next actions by their static value: the shortest look ahead."""
        child = self.child
        into.clear(ROOT)
        self.now.root(position)
        n = self.judgement.candidates(position, seat, self.buffer)
        k: i64 = 0
        while k < n:
            child.copy_from(position)
            child.play(self.buffer[k])
            value = share(child, seat) if child.actor() == OVER else self.judgement.value(child, seat)
            into.offer(value, child, self.now, 0, self.buffer[k])
            k += 1
        self.stop.hit(n)

    def two(self, position: Position, layer: i64, depth: i64, alpha: float, beta: float) -> float:
        """Return the expected share of the thinking side by alpha-beta, with two sides."""
        actor = position.actor()
        if actor == OVER:
            return share(position, self.seat)
        if depth == 0 or actor < 0:
            self.cut = True
            return self.judgement.value(position, self.seat)
        turns = self.layers[layer]
        friend = (self.friends >> actor) & 1
        self.collect(position, actor, turns, inner_width(depth) * self.breadth, inner_most(depth) * self.breadth, 1 + self.breadth, False)
        if self.stop.ended or depth == 1:
            value = turns.values[turns.order[0]]
            if turns.ends[turns.order[0]].actor() != OVER:
                self.cut = True
            return value if friend else 1.0 - value
        best = -1.0 if friend else 2.0
        k: i64 = 0
        while k < turns.n:
            value = self.two(turns.ends[turns.order[k]], layer + 1, depth - 1, alpha, beta)
            if self.stop.ended:
                return value
            if friend:
                if value > best:
                    best = value
                    if value > alpha:
                        alpha = value
            elif value < best:
                best = value
                if value < beta:
                    beta = value
            if alpha >= beta:
                break
            k += 1
        return best

    def many(self, position: Position, layer: i64, depth: i64) -> None:
        """Write the expected share of every seat, each seat maximising its own (max-n)."""
        vector = self.vector
        at = layer * SEATS
        actor = position.actor()
        if actor < 0 or depth == 0:
            self.judge(position, at)
            return
        turns = self.layers[layer]
        self.collect(position, actor, turns, inner_width(depth) * self.breadth, inner_most(depth) * self.breadth, 1 + self.breadth, False)
        if self.stop.ended or depth == 1:
            self.judge(turns.ends[turns.order[0]], at)
            return
        best = -1.0
        k: i64 = 0
        while k < turns.n:
            self.many(turns.ends[turns.order[k]], layer + 1, depth - 1)
            if self.stop.ended:
                return
            if vector[at + SEATS + actor] > best:
                best = vector[at + SEATS + actor]
                seat: i64 = 0
                while seat < position.seats:
                    vector[at + seat] = vector[at + SEATS + seat]
                    seat += 1
            k += 1

    def judge(self, position: Position, at: i64) -> None:
        """Write the static expected share of every seat."""
        over = position.actor() == OVER
        if not over:
            self.cut = True
        seat: i64 = 0
        while seat < position.seats:
            self.vector[at + seat] = share(position, seat) if over else self.judgement.value(position, seat)
            seat += 1

    def ranking(self) -> list[tuple[int, float]]:
        """Return the first actions of the searched turns."""
        return self.ranked

    def expectation(self, seat: i64) -> float:
        """Return the expected share of a seat after the best turn."""
        return self.expected[seat]

    def line(self) -> list[int]:
        """Return the best turn to its end."""
        return self.lines[self.ranked[0][0]]

    def line_from(self, action: int) -> list[int]:
        """Return the best turn that an action begins, to its end."""
        return self.lines[action]


def root_width(depth: i64) -> i64:
    """Return how many root turns are searched to a depth."""
    if depth <= 2:
        return 64
    if depth == 3:
        return 32
    return 20 if depth == 4 else 12


def inner_width(depth: i64) -> i64:
    """Return the beam width of unfinished turns at a remaining depth."""
    return 6 if depth == 1 else 8


def inner_most(depth: i64) -> i64:
    """Return how many answers are searched at a remaining depth."""
    if depth == 1:
        return 1
    return 6 if depth == 2 else 8


def sides(position: Position) -> i64:
    """Return how many sides there are, a side being seats that win together."""
    count: i64 = 0
    seen: i64 = 0
    seat: i64 = 0
    while seat < position.seats:
        if not (seen >> seat) & 1:
            count += 1
            seen |= position.friends(seat)
        seat += 1
    return count


def make_search(game: Game, judgement: Judgement, like: Position, depth: int, seed: int) -> Search:
    """Return a search for positions like a given one that looks `depth` turns ahead; it is deterministic, so the seed is not used."""
    return TurnBeam(judgement, like, game.action_count, depth)
