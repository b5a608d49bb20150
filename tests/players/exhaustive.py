"""Exact values of positions that lead to few others: every throw and every action followed to the end, slow and plain.

Nothing here is shared with the players' search. Values are reckoned backwards from the ends. A throw that nobody can use leads back to
where the game was, so the few rests that lead to each other are reckoned together, again and again, until they no longer change.
"""

from dataclasses import dataclass, field
from fractions import Fraction

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.position import CHANCE, OVER, Position

# A way on from a rest: the odds of a throw, and what may be made of it: whether the seat that chooses is a friend, and where each choice leads.
Choice = tuple[bool, list["Choice | int"]]


@dataclass
class Ways:
    """Every rest (a position before a throw) that can be reached, by number, and the ways on from each."""

    seat: int
    buffer: vec[i64]
    most: int
    numbers: dict[int, int] = field(default_factory=dict)
    rests: list[Position] = field(default_factory=list)
    ways: list[list[tuple[float, "Choice | int"]]] = field(default_factory=list)
    ends: dict[int, float] = field(default_factory=dict)

    def number(self, position: Position) -> int:
        """Return the number of a rest or an end, a new one if it has not been met."""
        key = int(position.hash())
        if key not in self.numbers:
            self.numbers[key] = len(self.rests)
            if position.actor() == OVER:
                self.ends[len(self.rests)] = part(position, self.seat)
            self.rests.append(position.copy())
        return self.numbers[key]

    def after(self, position: Position) -> "Choice | int":
        """Return what may be made of a position: itself at rest or at the end, else the choice there."""
        actor = int(position.actor())
        if actor < 0:
            return self.number(position)
        n = int(position.actions(actor, self.buffer))
        choices = []
        for action in [self.buffer[k] for k in range(n)]:
            child = position.copy()
            child.play(action)
            choices.append(self.after(child))
        return bool(position.friends(self.seat) >> actor & 1), choices

    def explore(self) -> bool:
        """Find every rest that can be reached; return False if there are too many."""
        while len(self.ways) < len(self.rests):
            here = len(self.ways)
            position = self.rests[here]
            self.ways.append([])
            if here in self.ends:
                continue
            if len(self.rests) > self.most:
                return False
            assert position.actor() == CHANCE
            cases = int(position.chances())
            throws: dict[int, int] = {}
            for case in range(cases):
                throw = int(position.throw(case))
                throws[throw] = throws.get(throw, 0) + 1
            for throw, weight in throws.items():
                child = position.copy()
                child.play(throw)
                self.ways[here].append((float(Fraction(weight, cases)), self.after(child)))
        return True

    def solve(self) -> list[float]:
        """Return the exact value of every rest, to twelve places."""
        values = [self.ends.get(number, 0.0) for number in range(len(self.rests))]
        for knot in knots([{rest for _, way in ways for rest in leads(way)} for ways in self.ways]):
            change = 1.0
            while change > 1e-14:
                change = 0.0
                for number in knot:
                    if number not in self.ends:
                        value = sum(odds * worth(way, values) for odds, way in self.ways[number])
                        change = max(change, abs(value - values[number]))
                        values[number] = value
        return values


def leads(way: Choice | int) -> set[int]:
    """Return the rests that a way may lead to."""
    return {way} if isinstance(way, int) else {rest for choice in way[1] for rest in leads(choice)}


def knots(after: list[set[int]]) -> list[list[int]]:
    """Return the rests in groups that lead to each other, each group after all it leads to (Tarjan)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    path: list[int] = []
    done: set[int] = set()
    groups: list[list[int]] = []
    for root in range(len(after)):
        work = [(root, iter(after[root]))] if root not in index else []
        while work:
            here, ways = work[-1]
            if here not in index:
                index[here] = low[here] = len(index)
                path.append(here)
            for rest in ways:
                if rest not in index:
                    work.append((rest, iter(after[rest])))
                    break
                if rest not in done:
                    low[here] = min(low[here], index[rest])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[here])
                if low[here] == index[here]:
                    knot = path[path.index(here) :]
                    del path[-len(knot) :]
                    done.update(knot)
                    groups.append(knot)
    return groups


def worth(way: Choice | int, values: list[float]) -> float:
    """Return the best that can be made of a way, or the worst where the choice is the other side's."""
    if isinstance(way, int):
        return values[way]
    friend, choices = way
    values_after = [worth(choice, values) for choice in choices]
    return max(values_after) if friend else min(values_after)


def part(position: Position, seat: int) -> float:
    """Return a seat's part of the win at the end."""
    winners = int(position.winners())
    return int(position.friends(seat)).bit_count() / winners.bit_count() if winners >> seat & 1 else 0.0


def exact(position: Position, seat: int, size: int, most: int) -> dict[int, float] | None:
    """Return the exact value of each action of a seat, or None if the position leads to more than so many rests."""
    buffer = vec[i64]([0] * size)
    ways = Ways(seat, buffer, most)
    n = int(position.actions(seat, buffer))
    by_action: dict[int, Choice | int] = {}
    for action in [int(buffer[k]) for k in range(n)]:
        child = position.copy()
        child.play(action)
        by_action[action] = ways.after(child)
    if not ways.explore():
        return None
    values = ways.solve()
    return {action: worth(way, values) for action, way in by_action.items()}
