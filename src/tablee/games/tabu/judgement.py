# compiled
"""Evaluates positions of Tabu: the chance to finish first, exact over the next throw, computed or learned for later turns.

Between two throws every seat has a strength, a weighted sum of its money beside the others' and of its turns at the bank,
each weighed by how many turns are left; its chance is the softmax of the strengths. While stakes lie on the
table the value is the mean over the 56 throws, as if nobody laid another chip. Where two seats are left the last turns are
computed exactly (`duel.py`). Nothing was learned about free games (4.2): long before their end a seat's chance is its share of the
money, because nobody gains on average and the last player has all of it.
"""

from math import exp, log, sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import bit, count, index
from tablee.core.decimals import read_decimals
from tablee.core.game import Game
from tablee.core.judgement import Judgement, bounded, share
from tablee.games.tabu.duel import FARTHEST as LAST_TURNS
from tablee.games.tabu.duel import Duel, turns_left
from tablee.games.tabu.position import DIFFERENT, FREE, MOST_TURNS, ODDS, TabuPosition

SEEN: Final[i64] = 21
SIDED: Final[i64] = 7
FARTHEST: Final = 2.0
# The games that were learned from had so many rounds at most.
HORIZON: Final[i64] = 5


class TabuJudgement(Judgement[TabuPosition]):
    """Evaluates money and turns; after `compare`, `seen` holds the features of every seat."""

    def __init__(self, weights: list[float], like: TabuPosition) -> None:
        """Judge positions like a given one with these weights, one for each feature."""
        self.weights: vec[float] = vec[float](weights)
        self.seen: vec[float] = vec[float]([0.0] * (8 * SEEN))
        self.strength: vec[float] = vec[float]([0.0] * 8)
        self.after = like.copy()
        self.duel = Duel(like, 2)
        self.backwards: bool = True

    def value(self, position: TabuPosition, seat: i64) -> float:
        """Return the chance of a seat to finish first: between throws as learned, else the mean over the throws."""
        if not position.staked and position.waiting:
            return self.between(position, seat)
        return self.mean(position, seat, 0.0)

    def mean(self, position: TabuPosition, seat: i64, thrift: float) -> float:
        """Return the mean over the throws with the stakes as they are; each coin in hand after the throw adds `thrift`."""
        after = self.after
        total = 0.0
        throw: i64 = 0
        while throw < DIFFERENT:
            after.copy_from(position)
            after.settle(throw)
            value = share(after, seat) if after.ended_by else self.between(after, seat)
            if thrift > 0.0:
                value += thrift * float(after.hand[seat])
            total += float(ODDS[throw]) * value
            throw += 1
        return total / 216.0

    def between(self, position: TabuPosition, seat: i64) -> float:
        """Return the chance of a seat before anybody has staked.

        It is exact for two seats near the end, the share of the money far from the end of a free game, else learned.
        """
        inside = position.inside
        if not (inside >> seat) & 1:
            return 0.0
        if position.rounds == FREE and MOST_TURNS - position.turns > HORIZON * count(inside):
            return share_of_money(position, seat)
        others = inside & ~bit(seat)
        if others & (others - 1) or not self.backwards:
            return self.learned(position, seat)
        other = index(others)
        money = position.hand[seat] + position.hand[other]
        turns = turns_left(position, seat, other)
        if turns > LAST_TURNS:
            return self.learned(position, seat)
        if money != self.duel.total:
            self.duel = Duel(position, money)
        if seat == position.banker:
            return 1.0 - self.duel.chance(turns, position.hand[other])
        return self.duel.chance(turns, position.hand[seat])

    def learned(self, position: TabuPosition, seat: i64) -> float:
        """Return the learned chance of a seat that is in, before anybody has staked."""
        self.compare(position)
        strength = self.strength
        total = 0.0
        k: i64 = 0
        while k < position.seats:
            if (position.inside >> k) & 1:
                total += exp(bounded(strength[k] - strength[seat]))
            k += 1
        return 1.0 / total

    def compare(self, position: TabuPosition) -> None:
        """Compute the strength of every seat that is in."""
        hands = position.hand
        inside = position.inside
        money: i64 = 0
        players: i64 = 0
        turns: i64 = 0
        most: i64 = 0
        second: i64 = 0
        seat: i64 = 0
        while seat < position.seats:
            if (inside >> seat) & 1:
                players += 1
                turns += left(position, seat)
                hand = hands[seat]
                money += hand
                if hand > most:
                    second = most
                    most = hand
                elif hand > second:
                    second = hand
            seat += 1
        mean = float(money) / float(players)
        turns = turns if turns > 0 else 1
        seat = 0
        while seat < position.seats:
            if (inside >> seat) & 1:
                hand = hands[seat]
                other = second if hand == most else most
                self.look_from(position, seat, float(hand) / mean, float(hand - other) / mean, turns)
            seat += 1

    def look_from(self, position: TabuPosition, seat: i64, money: float, lead: float, turns: i64) -> None:
        """Write the features of one seat and compute its strength."""
        seen = self.seen
        at = seat * SEEN
        banks = float(left(position, seat)) / float(turns)
        if lead > FARTHEST:
            lead = FARTHEST
        elif lead < -FARTHEST:
            lead = -FARTHEST
        seen[at] = money
        seen[at + 1] = log(money)
        seen[at + 2] = lead
        seen[at + 3] = 1.0 if lead > 0.0 else 0.0
        seen[at + 4] = banks
        seen[at + 5] = banks * money
        seen[at + 6] = 1.0 if seat == position.banker else 0.0
        root = 1.0 / sqrt(float(turns))
        total = 0.0
        k: i64 = 0
        while k < SIDED:
            thing = seen[at + k]
            seen[at + SIDED + k] = thing * root
            seen[at + SIDED + SIDED + k] = thing * root * root
            total += thing * (self.weights[k] + root * (self.weights[SIDED + k] + root * self.weights[SIDED + SIDED + k]))
            k += 1
        self.strength[seat] = total


def left(position: TabuPosition, seat: i64) -> i64:
    """Return how often a seat will still hold the bank."""
    if position.rounds == FREE:
        return left_if_free(position, seat)
    turns = position.rounds - position.held[seat]
    return turns if turns > 0 else 0


def left_if_free(position: TabuPosition, seat: i64) -> i64:
    """Return how often a seat will still hold the bank in a free game, if nobody drops out."""
    before: i64 = 0
    other: i64 = 0
    while other < position.seats:
        # The seats from the banker to this one hold the bank before it.
        nearer = (other - position.banker) % position.seats < (seat - position.banker) % position.seats
        if nearer and (position.inside >> other) & 1:
            before += 1
        other += 1
    players = count(position.inside)
    return (MOST_TURNS - position.turns - before + players - 1) // players


def share_of_money(position: TabuPosition, seat: i64) -> float:
    """Return the part of all money that a seat has in hand."""
    total: i64 = 0
    other: i64 = 0
    while other < position.seats:
        total += position.hand[other]
        other += 1
    return float(position.hand[seat]) / float(total)


def judge(game: Game, text: str) -> TabuJudgement:
    """Return the judgement of a game with the weights of a text: a line for each configuration, then its numbers."""
    like: TabuPosition = game.kind.start(game, {"banker": "1"})
    return TabuJudgement(read_decimals(text, section(game), SEEN), like)


def section(game: Game) -> str:
    """Return the line that heads the weights of a configuration: five seats and more share theirs."""
    return f"seats {min(game.seats, 5)} doubling={game.option('doubling')} odds={game.option('odds')}"
