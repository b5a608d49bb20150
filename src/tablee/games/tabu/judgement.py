# compiled
"""What a position of Tabu is worth: the chance to finish first, exact over the next throw, reckoned or learned for what comes after it.

Between two throws every seat has a strength, a weighted sum of its money beside the others' and of its turns at the bank,
each weighed by how many turns are left; its chance is its part of the sum of the exponentials. While stakes lie on the
table the value is the mean over the 56 throws, as if nobody laid another chip. Where two seats are left the last turns are
not learned but reckoned backwards (`duel.py`).
"""

from math import exp, log, sqrt
from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from tablee.core.bits import bit, index
from tablee.core.game import Game
from tablee.core.judgement import Judgement, share
from tablee.core.position import Position
from tablee.games.tabu.duel import FARTHEST as LAST_TURNS
from tablee.games.tabu.duel import Duel, turns_left
from tablee.games.tabu.position import DIFFERENT, ODDS, TabuPosition

SEEN: Final[i64] = 21
SIDED: Final[i64] = 7
FARTHEST: Final = 2.0


class TabuJudgement(Judgement):
    """Weighs money and turns; `seen` holds what every seat's strength was made of, after `compare`."""

    def __init__(self, weights: list[float], like: TabuPosition) -> None:
        """Judge positions like a given one with these weights, one for each thing seen."""
        self.weights: vec[float] = vec[float](weights)
        self.seen: vec[float] = vec[float]([0.0] * (8 * SEEN))
        self.strength: vec[float] = vec[float]([0.0] * 8)
        self.after = like.copy()
        self.duel = Duel(like, 2)
        self.backwards: bool = True

    def value(self, position: Position, seat: i64) -> float:
        """Return the chance of a seat to finish first: between throws as learned, else the mean over the throws."""
        assert isinstance(position, TabuPosition)
        if not position.staked and position.waiting:
            return self.between(position, seat)
        return self.mean(position, seat, 0.0)

    def mean(self, position: TabuPosition, seat: i64, thrift: float) -> float:
        """Return the mean over the throws, nobody laying another chip; money itself counts for `thrift` of all there is."""
        after = self.after
        assert isinstance(after, TabuPosition)
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
        """Return the chance of a seat before anybody has staked: of two near the end as reckoned, else as learned."""
        inside = position.inside
        if not (inside >> seat) & 1:
            return 0.0
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
        """Find the strength of every seat that is in."""
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
        """Write what one seat sees of itself and add up its strength."""
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
    turns = position.rounds - position.held[seat]
    return turns if turns > 0 else 0


def bounded(number: float) -> float:
    """Return a number that can be exponentiated."""
    if number > 30.0:
        return 30.0
    return number if number > -30.0 else -30.0


# For each level: nodes (throws looked at), how far it sees (1: the next throw; 2: the last turns of two seats too), temperature.
# Luck leaves room for four; `max` is only more thorough than the last.
LEVELS: Final = (
    (600, 1, 0.05),
    (2500, 2, 0.0),
    (10000, 2, 0.0),
    (0, 2, 0.0),
)


def judgement(game: Game) -> Judgement:
    """Return the judgement of a game with the weights that ship."""
    return judge(game, game.kind.text("weights.txt"))


def judge(game: Game, text: str) -> Judgement:
    """Return the judgement of a game with the weights of a text: a line for each configuration, then its numbers."""
    wanted = section(game)
    found: list[float] = []
    here = ""
    for line in text.splitlines():
        if line.startswith("seats"):
            here = line
        elif here == wanted and not line.startswith("#"):
            found.extend([float(number) for number in line.split()])
    if len(found) != SEEN:
        raise ValueError(f"{len(found)} weights under {wanted!r}: expected {SEEN}")
    like = game.kind.start(game, {"banker": "1"})
    assert isinstance(like, TabuPosition)
    return TabuJudgement(found, like)


def section(game: Game) -> str:
    """Return the line that heads the weights of a configuration: five seats and more share theirs."""
    return f"seats {min(game.seats, 5)} doubling={game.option('doubling')} odds={game.option('odds')}"
