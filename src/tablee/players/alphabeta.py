# compiled
"""Alpha-beta search for two sides without chance: iterative deepening with a transposition table.

Values are thousandths of log odds, as `Judgement.weigh` gives them, from the side of the seat that acts; a side that acts again (a
bonus, a turn of several parts) keeps its sign. A win is worth WIN less one for every action until then.
"""

from math import exp, log
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import mix
from tablee.core.game import Game
from tablee.core.judgement import Judgement, share
from tablee.core.position import OVER, Position
from tablee.core.search import Budget, Search
from tablee.players import memory
from tablee.players.memory import EXACT, FARTHEST, LEAST, MOST, Memory

WIN: Final[i64] = 100000
WON: Final[i64] = 90000
INFINITE: Final[i64] = FARTHEST
LAYERS: Final[i64] = 96
DEEPEST: Final[i64] = 60
SLOTS: Final[i64] = 2097152
# The speed of a fast machine: with the budget of seconds it decides the size of the transposition table.
NODES_A_SECOND: Final = 5000000.0

FIRST: Final[i64] = 0x40000000
URGENT: Final[i64] = 0x20000000
KILLER: Final[i64] = 0x10000000
MIDDLE: Final[i64] = 0x8000

# Futility pruning: at most NEAR plies before the horizon, a value SAFE a ply above the window fails high, and one HOPE a ply below it fails low.
NEAR: Final[i64] = 2
SAFE: Final[i64] = 800
HOPE: Final[i64] = 500

# Depth 1 may take this many nodes whatever the budget, so that no level gives a piece away; it is nearly always enough.
AT_ONCE: Final[i64] = 5000
# After this many urgent actions in a row, only the most urgent action is tried.
NARROWEST: Final[i64] = 4

# Up to this depth every root action is searched with an open window, so that all values are exact.
OPEN_DEPTH: Final[i64] = 3
# A level with less depth compares actions by their values, so those within this margin of the best are searched with an open window;
# it needs only a small table.
LEVEL_DEPTH: Final[i64] = 12
LEVEL_MARGIN: Final[i64] = 900
LEVEL_SLOTS: Final[i64] = 32768


def make_search(game: Game, judgement: Judgement, like: Position, depth: int, seed: int) -> Search:
    """Return the search for positions like a given one; it is deterministic, so the seed is not used."""
    if depth < LEVEL_DEPTH:
        return AlphaBeta(judgement, like, game.action_count, depth, LEVEL_MARGIN, LEVEL_SLOTS)
    return AlphaBeta(judgement, like, game.action_count, depth, 0, SLOTS)


class AlphaBeta(Search):
    """Principal variation search with late-move reductions; the same position and budget of nodes give the same answer."""

    def __init__(self, judgement: Judgement, like: Position, size: i64, deepest: i64, margin: i64, slots: i64) -> None:
        """Prepare for positions like a given one.

        `size` is the action count, `deepest` the most actions to look ahead, `margin` how far below the best the values at
        the root are still exact, `slots` how many positions are remembered, a power of two.
        """
        self.judgement = judgement
        self.size: i64 = size
        self.deepest: i64 = min(deepest, DEEPEST)
        self.margin: i64 = margin
        self.stop: Budget = Budget(1)
        self.friends: i64 = 1
        self.positions: list[Position] = [like.copy() for _ in range(LAYERS)]
        self.buffer: vec[i64] = vec[i64]([0] * size)
        self.urgent: vec[i64] = vec[i64]([0] * (size + 1))
        self.moves: vec[i64] = vec[i64]([0] * (size * LAYERS))
        self.orders: vec[i64] = vec[i64]([0] * (size * LAYERS))
        self.path: vec[i64] = vec[i64]([0] * LAYERS)
        self.killers: vec[i64] = vec[i64]([0] * (2 * LAYERS))
        self.history: vec[i64] = vec[i64]([0] * (2 * size))
        self.reductions: vec[i64] = reductions()
        self.widths: vec[i64] = vec[i64]([size, 8, 4, 2, 1])
        self.memory = Memory(slots)
        self.thoughts: i64 = 0
        self.salt: i64 = 0
        self.count: i64 = 0
        self.actions: vec[i64] = vec[i64]([0] * size)
        self.values: vec[i64] = vec[i64]([0] * size)
        self.opens: vec[i64] = vec[i64]([0] * size)
        self.reached: i64 = 0

    def think(self, position: Position, seat: i64, stop: Budget) -> None:
        """Order the root actions, then search to depth 1, 2, 3…; an unfinished depth counts too."""
        self.prepare(position, seat)
        self.glance()
        self.stop = stop
        most = stop.most
        if most:
            stop.most = max(most, AT_ONCE)
        self.memory.make_room(self.likely(stop))
        self.deepen(1)
        if not stop.ended:
            self.reached = 1
        stop.most = most
        stop.next_look = 0
        depth: i64 = 2
        while depth <= self.deepest and self.count > 1 and not stop.ended:
            if self.values[0] >= WIN - depth or self.values[0] <= depth - WIN:
                break
            self.deepen(depth)
            if not stop.ended:
                self.reached = depth
            depth += 1

    def likely(self, stop: Budget) -> i64:
        """Return how many nodes the budget will probably allow, at most as many as the memory can hold."""
        most = self.memory.most
        if stop.most:
            most = min(most, stop.most)
        seconds = stop.allowed_seconds()
        if seconds > 0.0:
            most = i64(min(float(most), NODES_A_SECOND * seconds))
        return most

    def prepare(self, position: Position, seat: i64) -> None:
        """Forget what was thought before, and list the actions of the seat."""
        self.friends = position.friends(seat)
        self.thoughts += 1
        self.salt = mix(self.thoughts, 0x5DEECE66D)
        k: i64 = 0
        while k < 2 * self.size:
            self.history[k] = 0
            k += 1
        k = 0
        while k < 2 * LAYERS:
            self.killers[k] = -1
            k += 1
        self.positions[0].copy_from(position)
        self.path[0] = mix(position.hash(), self.salt)
        self.count = position.actions(seat, self.actions)
        k = 0
        while k < self.count:
            self.values[k] = -INFINITE
            k += 1
        self.reached = 0

    def glance(self) -> None:
        """Sort the root actions by the static value after each: an answer for the shortest budgets."""
        root = self.positions[0]
        child = self.positions[1]
        actor = root.actor()
        k: i64 = 0
        while k < self.count:
            action = self.actions[k]
            child.copy_from(root)
            child.play(action)
            value = self.ended(child, actor, 1) if child.actor() == OVER else self.judgement.weigh(child, actor)
            self.place(k, action, value, True)
            k += 1

    def deepen(self, depth: i64) -> None:
        """Search every root action to a depth and sort them; if the budget ends first, the finished actions come first."""
        root = self.positions[0]
        child = self.positions[1]
        actor = root.actor()
        best = -INFINITE
        k: i64 = 0
        while k < self.count:
            action = self.actions[k]
            child.copy_from(root)
            child.play(action)
            if k == 0 or depth <= OPEN_DEPTH:
                value = self.after(0, actor, depth - 1, -INFINITE, INFINITE)
            else:
                floor = max(best - self.margin, -INFINITE)
                reduced = depth - 1
                if depth >= 3 and k >= 3 and not self.margin:
                    reduced = max(0, reduced - (self.reductions[depth * 64 + min(k, 63)] >> 1))
                value = self.after(0, actor, reduced, floor, floor + 1)
                if value > floor and reduced < depth - 1:
                    value = self.after(0, actor, depth - 1, floor, floor + 1)
                if value > floor:
                    value = self.after(0, actor, depth - 1, floor, INFINITE)
            if self.stop.ended:
                break
            best = max(best, value)
            self.place(k, action, value, depth <= OPEN_DEPTH)
            k += 1
        if k:
            while k < self.count:
                self.values[k] = min(self.values[k], self.values[0] - 1)
                k += 1

    def place(self, at: i64, action: i64, value: i64, is_open: bool) -> None:
        """Move the root action just searched to its rank among those searched before it."""
        opened = value if is_open else self.opens[at]
        while at > 0 and self.values[at - 1] < value:
            self.actions[at] = self.actions[at - 1]
            self.values[at] = self.values[at - 1]
            self.opens[at] = self.opens[at - 1]
            at -= 1
        self.actions[at] = action
        self.values[at] = value
        self.opens[at] = opened

    def after(self, ply: i64, actor: i64, depth: i64, alpha: i64, beta: i64) -> i64:
        """Return, from the side of the seat that has just acted, the value of the position one layer further."""
        child = self.positions[ply + 1]
        following = child.actor()
        if following == OVER:
            return self.ended(child, actor, ply + 1)
        if (self.friends >> following) & 1 == (self.friends >> actor) & 1:
            if depth > 0:
                return self.search(ply + 1, depth, alpha, beta)
            return self.settle(ply + 1, -depth, alpha, beta)
        if depth > 0:
            return -self.search(ply + 1, depth, -beta, -alpha)
        return -self.settle(ply + 1, -depth, -beta, -alpha)

    def ended(self, position: Position, seat: i64, ply: i64) -> i64:
        """Return the value of a finished game for a seat; a win sooner and a loss later are better."""
        part = share(position, seat)
        if part >= 0.75:
            return WIN - ply
        if part <= 0.25:
            return ply - WIN
        return 0

    def search(self, ply: i64, depth: i64, alpha: i64, beta: i64) -> i64:
        """Return the value of the position at a layer for the seat that acts: exact inside the window, else a bound."""
        if ply >= LAYERS - 2:
            return self.settle(ply, 0, alpha, beta)
        if self.stop.hit(1):
            return 0
        position = self.positions[ply]
        actor = position.actor()
        place = position.hash()
        key = mix(place, self.salt)
        self.path[ply] = key
        # A repetition within the line counts as a draw.
        before = ply - 1
        while before >= 0:
            if self.path[before] == key:
                return 0
            before -= 1
        alpha = max(alpha, ply - WIN)
        beta = min(beta, WIN - ply - 1)
        if alpha >= beta:
            return alpha
        known: i64 = -1
        fact = self.memory.find(place, key)
        if fact:
            known = memory.action(fact)
            if memory.depth(fact) >= depth:
                value = memory.value(fact)
                if value > WON:
                    value -= ply
                elif value < -WON:
                    value += ply
                bound = memory.bound(fact)
                if bound == EXACT or (bound == LEAST and value >= beta) or (bound == MOST and value <= alpha):
                    return value
        return self.try_all(ply, depth, alpha, beta, place, known, actor)

    def try_all(self, ply: i64, depth: i64, alpha: i64, beta: i64, place: i64, known: i64, actor: i64) -> i64:
        """Try the actions of a position, the most promising first, and store the result."""
        position = self.positions[ply]
        child = self.positions[ply + 1]
        base = ply * self.size
        side = (self.friends >> actor) & 1
        narrow = beta - alpha == 1
        if known < 0 and depth >= 4:
            depth -= 1
        hopeless = False
        if narrow and depth <= NEAR and alpha > -WON and beta < WON:
            worth = self.judgement.weigh(position, actor)
            if worth - depth * SAFE >= beta:
                return worth
            hopeless = worth + depth * HOPE + 200 <= alpha
        n = self.list_actions(position, actor, ply, known, side)
        moves, orders = self.moves, self.orders
        bottom = alpha
        best = -INFINITE
        chosen: i64 = -1
        k: i64 = 0
        while k < n:
            pick = base + k
            order = orders[pick]
            other = pick + 1
            while other < base + n:
                if orders[other] > order:
                    order = orders[other]
                    pick = other
                other += 1
            action = moves[pick]
            moves[pick] = moves[base + k]
            orders[pick] = orders[base + k]
            moves[base + k] = action
            quiet = not order & URGENT
            if hopeless and quiet and k > 0:
                best = max(best, alpha)
                break
            child.copy_from(position)
            child.play(action)
            left = depth - 1
            if k == 0:
                value = self.after(ply, actor, left, alpha, beta)
            else:
                less = left
                if depth >= 2 and k >= 2 and quiet:
                    less -= self.reductions[depth * 64 + min(k, 63)]
                    less += 1 if order & KILLER else (order - MIDDLE) >> 13
                    less = max(0, min(less, left))
                value = self.after(ply, actor, less, alpha, alpha + 1)
                if value > alpha and less < left:
                    value = self.after(ply, actor, left, alpha, alpha + 1)
                if value > alpha and not narrow and value < beta:
                    value = self.after(ply, actor, left, alpha, beta)
            if self.stop.ended:
                return 0
            if value > best:
                best = value
                if value > alpha:
                    chosen = action
                    alpha = value
                    if value >= beta:
                        if quiet:
                            self.credit(ply, side, depth, k)
                        break
            k += 1
        bound = EXACT
        if best >= beta:
            bound = LEAST
        elif best <= bottom:
            bound = MOST
            chosen = known
        self.keep(place, ply, depth, best, bound, chosen)
        return best

    def list_actions(self, position: Position, actor: i64, ply: i64, known: i64, side: i64) -> i64:
        """List the actions of a layer with their order: the remembered action, urgent actions, killers, then by history."""
        base = ply * self.size
        past = side * self.size
        buffer, urgent, moves, orders, history = self.buffer, self.urgent, self.moves, self.orders, self.history
        first, second = self.killers[2 * ply], self.killers[2 * ply + 1]
        # Urgent actions have the same order as all actions, so one pass separates them.
        urgent[self.judgement.urgent(position, actor, urgent)] = -1
        seen: i64 = 0
        n = position.actions(actor, buffer)
        k: i64 = 0
        while k < n:
            action = buffer[k]
            order = MIDDLE + history[past + action]
            if action == urgent[seen]:
                order = URGENT + self.judgement.urgency(position, action)
                seen += 1
            elif action == first:
                order = KILLER + 1
            elif action == second:
                order = KILLER
            if action == known:
                order |= FIRST
            moves[base + k] = action
            orders[base + k] = order
            k += 1
        return n

    def credit(self, ply: i64, side: i64, depth: i64, last: i64) -> None:
        """Reward the quiet action that caused the cutoff in the killer and history tables; penalise those tried before it."""
        base = ply * self.size
        past = side * self.size
        moves, orders, history = self.moves, self.orders, self.history
        action = moves[base + last]
        if self.killers[2 * ply] != action:
            self.killers[2 * ply + 1] = self.killers[2 * ply]
            self.killers[2 * ply] = action
        gain = min(depth * depth * 4, 1024)
        was = history[past + action]
        history[past + action] = was + gain - (was * gain >> 14)
        k: i64 = 0
        while k < last:
            if not orders[base + k] & URGENT:
                was = history[past + moves[base + k]]
                history[past + moves[base + k]] = was - gain - (was * gain >> 14)
            k += 1

    def keep(self, place: i64, ply: i64, depth: i64, value: i64, bound: i64, action: i64) -> None:
        """Store a position; the distance to a win or a loss counts from this position, not from the root."""
        if value > WON:
            value += ply
        elif value < -WON:
            value -= ply
        self.memory.keep(place, self.path[ply], memory.make_fact(self.thoughts, value, action, depth, bound))

    def settle(self, ply: i64, below: i64, alpha: i64, beta: i64) -> i64:
        """Return the value of a position after a quiescence search of urgent actions; the side to act may also stand pat.

        `below` counts the urgent actions on the way here: the more there were, the fewer are tried, because the number of
        capture sequences would explode.
        """
        if self.stop.hit(1):
            return 0
        position = self.positions[ply]
        actor = position.actor()
        best = self.judgement.weigh(position, actor)
        if best >= beta or ply >= LAYERS - 2:
            return best
        buffer = self.buffer
        n = self.judgement.urgent(position, actor, buffer)
        if n == 0:
            return best
        alpha = max(alpha, best)
        child = self.positions[ply + 1]
        base = ply * self.size
        moves, orders = self.moves, self.orders
        k: i64 = 0
        while k < n:
            moves[base + k] = buffer[k]
            orders[base + k] = self.judgement.urgency(position, buffer[k])
            k += 1
        tried = min(n, self.widths[min(below, NARROWEST)])
        k = 0
        while k < tried:
            pick = base + k
            other = pick + 1
            while other < base + n:
                if orders[other] > orders[pick]:
                    pick = other
                other += 1
            action = moves[pick]
            moves[pick] = moves[base + k]
            orders[pick] = orders[base + k]
            child.copy_from(position)
            child.play(action)
            value = self.after(ply, actor, -below - 1, alpha, beta)
            if self.stop.ended:
                return 0
            if value > best:
                best = value
                alpha = max(alpha, value)
                if value >= beta:
                    break
            k += 1
        return best

    def ranking(self) -> list[tuple[int, float]]:
        """Return the root actions, the best first; the value of a refuted action is only a bound."""
        best = self.values[0]
        ranked: list[tuple[int, float]] = []
        k: i64 = 0
        while k < self.count:
            value = self.values[k]
            if k and value <= best - self.margin:
                value = min(value, self.opens[k])
            ranked.append((self.actions[k], chance(value)))
            k += 1
        return ranked[:1] + sorted(ranked[1:], key=best_first)

    def expectation(self, seat: i64) -> float:
        """Return the expectation of the thinking seat and its friends, or what is left for the other side."""
        value = chance(self.values[0])
        return value if (self.friends >> seat) & 1 else 1.0 - value

    def line(self) -> list[int]:
        """Return the principal variation: the best action, then the remembered actions of the positions after it."""
        position = self.positions[1]
        position.copy_from(self.positions[0])
        actions: list[int] = []
        action = self.actions[0]
        while action >= 0:
            actions.append(action)
            position.play(action)
            action = self.remembered(position) if len(actions) < self.reached else -1
        return actions

    def remembered(self, position: Position) -> i64:
        """Return the action that is remembered for a position, if it is legal there, or -1."""
        actor = position.actor()
        if actor == OVER:
            return -1
        place = position.hash()
        action = memory.action(self.memory.find(place, mix(place, self.salt)))
        n = position.actions(actor, self.buffer)
        k: i64 = 0
        while k < n:
            if self.buffer[k] == action:
                return action
            k += 1
        return -1


def best_first(entry: tuple[int, float]) -> tuple[float, int]:
    """Return the sort key of the ranking."""
    return -entry[1], entry[0]


def chance(value: i64) -> float:
    """Return thousandths of log odds as a chance to win; a win seen to the end is certain."""
    if value > WON:
        return 1.0
    if value < -WON:
        return 0.0
    return 1.0 / (1.0 + exp(-0.001 * float(value)))


def reductions() -> vec[i64]:
    """Return the late move reductions by depth and by the number of actions tried before."""
    table = vec[i64]([0] * (64 * 64))
    for depth in range(2, 64):
        for tried in range(2, 64):
            table[depth * 64 + tried] = i64(0.7 + log(depth) * log(tried) / 1.3)
    return table
