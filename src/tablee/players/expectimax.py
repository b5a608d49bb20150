# compiled
"""Expectimax search: the mean over the throws, the best over the actions.

For two sides, or for seats that play together: the seats that win with the thinking one choose what is best for it, all others
what is worst. Depth counts throws: at depth 0 a position before a throw is evaluated, not searched. The search goes from stage to
stage, each deeper or wider than the one before; many actions are first ordered by static evaluation, and only the most promising
are searched. A chance node is cut off as soon as the remaining throws cannot change the choice (Star1).
"""

from math import sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import mix
from tablee.core.game import Game
from tablee.core.judgement import Judgement, doubt, share
from tablee.core.position import OVER, Position
from tablee.core.search import Budget, Search

LAYERS: Final[i64] = 64
SLOTS: Final[i64] = 32768
UNUSED: Final[i64] = -1
# Inside the tree, actions whose static value is below the best by more than this are pruned.
MARGIN: Final = 0.08
# At the root: actions within ROOT_MARGIN of the best are searched more deeply, those within WINDOW get exact values.
ROOT_MARGIN: Final = 0.12
WINDOW: Final = 0.02
WIDEST: Final[i64] = 4
# The same for cooperative games: actions differ little, games are long, and no opponent refutes the best action. Following only
# that action inside the tree chooses as well as following two, and searches deeper in the same time. A deeper search changes the
# difference of two actions in proportion to the variance v (1 - v), and less with the depth: the root margin follows both.
TOGETHER_SLOTS: Final[i64] = 262144
TOGETHER_ROOT_MARGIN: Final = 0.2
# A search that only chooses stops when the margin is this small: the choice among the actions within it hardly matters.
LITTLE: Final = 0.0005
TOGETHER_WIDEST: Final[i64] = 1


def make_search(game: Game, judgement: Judgement, like: Position, depth: int, seed: int) -> Search:
    """Return the search for positions like a given one, through `depth` throws; it is deterministic, so the seed is not used."""
    search = Expectimax(judgement, like, game.action_count, depth)
    if game.kind.together:
        search.narrow()
    return search


def narrowed(margin: float, value: float, throws: float) -> float:
    """Return the root margin after searching that many throws ahead, given the value of the best action."""
    return margin * doubt(value) / (throws * sqrt(throws))


class Expectimax(Search):
    """Expectimax with a learned judgement, deeper and wider until it must stop."""

    def __init__(self, judgement: Judgement, like: Position, size: i64, deepest: i64) -> None:
        """Prepare for positions like a given one; `size` is the action count, `deepest` the most throws to look through."""
        self.judgement = judgement
        self.deepest: i64 = deepest
        self.margin: float = MARGIN
        self.root_margin: float = ROOT_MARGIN
        self.root_narrows: bool = False
        self.positions: list[Position] = [like.copy() for _ in range(LAYERS)]
        self.buffers: list[vec[i64]] = []
        self.glances: list[vec[float]] = []
        k: i64 = 0
        while k < LAYERS:
            self.buffers.append(vec[i64]([0] * size))
            self.glances.append(vec[float]([0.0] * size))
            k += 1
        # Tables of searched and of evaluated positions: the same positions follow many throws and action orders.
        self.slots: i64 = 0
        self.known: vec[i64] = vec[i64]()
        self.worth: vec[float] = vec[float]()
        self.judged: vec[i64] = vec[i64]()
        self.verdicts: vec[float] = vec[float]()
        self.remember(SLOTS)
        self.thoughts: i64 = 0
        self.seat: i64 = 0
        self.friends: i64 = 0
        # The beam width inside the tree: at each depth first the narrow, then the wide one.
        self.few: i64 = WIDEST // 2
        self.more: i64 = WIDEST
        self.width: i64 = WIDEST
        self.stop: Budget = Budget(1)
        self.root_values: list[tuple[int, float]] = []

    def remember(self, slots: i64) -> None:
        """Make a new table with that many slots, a power of two; its old content is lost."""
        self.slots = slots
        self.known = vec[i64]([UNUSED] * slots)
        self.worth = vec[float]([0.0] * slots)
        self.judged = vec[i64]([UNUSED] * slots)
        self.verdicts = vec[float]([0.0] * slots)

    def narrow(self) -> None:
        """Search deeper instead of wider, which is better in cooperative games."""
        self.remember(TOGETHER_SLOTS)
        self.root_margin = TOGETHER_ROOT_MARGIN
        self.root_narrows = True
        self.few = self.more = TOGETHER_WIDEST

    def think(self, position: Position, seat: i64, stop: Budget) -> None:
        """Search stage by stage; the first is always finished. A search that only chooses stops early when the choice is clear."""
        self.look(position, seat)
        # The static evaluation of the actions ignores the budget, so that there is always an answer.
        stop.hit(self.stop.nodes)
        self.stop = stop
        depth: i64 = 1
        self.width = self.few
        while depth <= self.deepest and len(self.root_values) > 1 and not stop.ended and not settled(self.root_values):
            if stop.choosing and depth > 1 and self.clear(depth):
                break
            self.stage(position, depth)
            if depth < 2 or self.width == self.more:
                depth += 1
                self.width = self.few
            else:
                self.width = self.more

    def side_with(self, position: Position, seat: i64) -> None:
        """Search for a seat and its friends, without a budget."""
        self.seat = seat
        self.friends = position.friends(seat)
        self.stop = Budget(0)
        self.width = self.more

    def look(self, position: Position, seat: i64) -> None:
        """Rank a seat's actions by their static value."""
        self.side_with(position, seat)
        n = position.actions(seat, self.buffers[0])
        self.root_values = [(self.buffers[0][k], 0.0) for k in range(n)]
        self.stage(position, 0)

    def ahead(self, position: Position) -> float:
        """Return the value of a position before a throw: the mean over its throws, each followed by the best action by static value."""
        self.thoughts += 1
        self.positions[1].copy_from(position)
        return self.value(1, 1, 0.0, 1.0)

    def room(self, depth: i64) -> float:
        """Return the margin below the best value within which an action is still searched to a depth."""
        if not self.root_narrows:
            return self.root_margin
        return narrowed(self.root_margin, self.root_values[0][1], float(depth - 1) if depth > 1 else 1.0)

    def clear(self, depth: i64) -> bool:
        """Return whether a search to a depth would hardly change the choice: one candidate is left, or all candidates are equal."""
        room = self.room(depth)
        return room < LITTLE or self.root_values[1][1] < self.root_values[0][1] - room

    def stage(self, position: Position, depth: i64) -> None:
        """Search the promising actions to a depth and rank them anew.

        The actions are searched best first, so the result of an interrupted stage counts: actions that were not searched keep
        their place behind.
        """
        self.thoughts += 1
        best = 0.0
        worst = 1.0
        ranked: list[tuple[int, float]] = []
        rest: list[tuple[int, float]] = []
        reach = self.root_values[0][1] - self.room(depth)
        child = self.positions[1]
        for action, before in self.root_values:
            if self.stop.ended or (depth > 1 and before < reach):
                rest.append((action, min(before, worst)))
                continue
            child.copy_from(position)
            child.play(action)
            value = self.value(1, depth, best - WINDOW if depth > 1 else 0.0, 1.0)
            if self.stop.ended:
                rest.append((action, min(before, worst)))
                continue
            ranked.append((action, value))
            best = max(best, value)
            worst = min(worst, value)
        ranked.sort(key=best_first)
        self.root_values = ranked + rest

    def value(self, layer: i64, depth: i64, low: float, high: float) -> float:
        """Return the expected share of the thinking seat in the position of a layer: exact between the bounds, else a bound."""
        position = self.positions[layer]
        if self.stop.hit(1):
            return 0.5
        actor = position.actor()
        if actor >= 0:
            if layer >= LAYERS - 1:
                return self.judge(position)
            return self.best(layer, depth, actor, low, high)
        if actor == OVER:
            return share(position, self.seat)
        if depth == 0 or layer >= LAYERS - 1:
            return self.judge(position)
        # The slot does not depend on earlier searches, so that the same question is answered by the same steps.
        key = mix(position.hash(), depth)
        slot = key & (self.slots - 1)
        key = mix(key, self.thoughts)
        if self.known[slot] == key:
            return self.worth[slot]
        value = self.mean(layer, depth - 1, low, high)
        if low < value < high and not self.stop.ended:
            self.known[slot] = key
            self.worth[slot] = value
        return value

    def judge(self, position: Position) -> float:
        """Return the static value of a position for the thinking seat."""
        key = mix(position.hash(), self.seat)
        slot = key & (self.slots - 1)
        if self.judged[slot] != key:
            self.verdicts[slot] = self.judgement.value(position, self.seat)
            self.judged[slot] = key
        return self.verdicts[slot]

    def mean(self, layer: i64, depth: i64, low: float, high: float) -> float:
        """Return the mean over the throws, each distinct throw searched once."""
        position = self.positions[layer]
        child = self.positions[layer + 1]
        buffer = self.buffers[layer]
        if (self.friends >> position.turn()) & 1:
            dice = self.judgement.doublets(position, buffer)
            if dice:
                return self.better_die(layer, depth, dice)
        cases = position.chances()
        k: i64 = 0
        while k < cases:
            buffer[k] = self.judgement.alike(position, position.throw(k))
            k += 1
        all_cases = float(cases)
        least = low * all_cases
        most = high * all_cases
        total = 0.0
        left = all_cases
        k = 0
        while k < cases:
            action = buffer[k]
            if action >= 0:
                weight = 0.0
                other = k
                while other < cases:
                    if buffer[other] == action:
                        weight += 1.0
                        buffer[other] = -1
                    other += 1
                child.copy_from(position)
                child.play(action)
                left -= weight
                total += weight * self.value(layer + 1, depth, (least - total - left) / weight, (most - total) / weight)
                if total + left <= least:
                    return (total + left) / all_cases
                if total >= most or self.stop.ended:
                    return total / all_cases
            k += 1
        return total / all_cases

    def better_die(self, layer: i64, depth: i64, dice: i64) -> float:
        """Return the mean over two dice of which a friend uses one: each number is searched once, the better of two counts.

        A number that allows nothing is never the one used, unless neither allows anything.
        """
        position = self.positions[layer]
        child = self.positions[layer + 1]
        buffer = self.buffers[layer]
        worth = self.glances[layer]
        passed = 0.0
        playable: i64 = 0
        k: i64 = 0
        while k < dice:
            child.copy_from(position)
            child.play(buffer[k])
            idle = child.actor() < 0
            value = self.value(layer + 1, depth, 0.0, 1.0)
            if self.stop.ended:
                return value
            if idle:
                passed = value
            else:
                at = playable
                while at > 0 and worth[at - 1] > value:
                    worth[at] = worth[at - 1]
                    at -= 1
                worth[at] = value
                playable += 1
            k += 1
        idle_dice = dice - playable
        total = float(idle_dice * idle_dice) * passed
        k = 0
        while k < playable:
            total += float(2 * (k + idle_dice) + 1) * worth[k]
            k += 1
        return total / float(dice * dice)

    def best(self, layer: i64, depth: i64, actor: i64, low: float, high: float) -> float:
        """Return the best for the thinking seat if a friend acts, else the worst."""
        position = self.positions[layer]
        child = self.positions[layer + 1]
        buffer = self.buffers[layer]
        n = position.actions(actor, buffer)
        friend = (self.friends >> actor) & 1
        if depth > 0 and n > 1:
            n = self.promising(layer, n, friend)
        best = 2.0
        if friend:
            best = -1.0
        k: i64 = 0
        while k < n:
            child.copy_from(position)
            child.play(buffer[k])
            value = self.value(layer + 1, depth, low, high)
            if friend:
                if value > best:
                    best = value
                    if best >= high:
                        break
                    if best > low:
                        low = best
            elif value < best:
                best = value
                if best <= low:
                    break
                if best < high:
                    high = best
            k += 1
        return best

    def promising(self, layer: i64, n: i64, friend: i64) -> i64:
        """Order the n actions of a layer by static value and move the most promising to the front; return how many."""
        position = self.positions[layer]
        child = self.positions[layer + 1]
        buffer = self.buffers[layer]
        glances = self.glances[layer]
        k: i64 = 0
        while k < n:
            child.copy_from(position)
            child.play(buffer[k])
            value = self.value(layer + 1, 0, 0.0, 1.0)
            glances[k] = value if friend else 1.0 - value
            k += 1
        kept: i64 = 0
        while kept < self.width and kept < n:
            top = kept
            k = kept + 1
            while k < n:
                if glances[k] > glances[top]:
                    top = k
                k += 1
            if glances[top] < glances[0] - self.margin and kept:
                break
            action, value = buffer[top], glances[top]
            # The actions between move up by one, so that equal ones keep their order.
            while top > kept:
                buffer[top], glances[top] = buffer[top - 1], glances[top - 1]
                top -= 1
            buffer[kept], glances[kept] = action, value
            kept += 1
        return kept

    def ranking(self) -> list[tuple[int, float]]:
        """Return the actions by the last stage; far behind the best, a value is only a bound from above."""
        return self.root_values

    def expectation(self, seat: i64) -> float:
        """Return the expectation of the thinking seat and its friends, or what is left for the other side."""
        value = self.root_values[0][1]
        return value if (self.friends >> seat) & 1 else 1.0 - value


def settled(ranked: list[tuple[int, float]]) -> bool:
    """Return whether the search is finished: the win is certain."""
    return ranked[0][1] >= 1.0


def best_first(entry: tuple[int, float]) -> tuple[float, int]:
    """Return the sort key of the ranking."""
    return -entry[1], entry[0]
