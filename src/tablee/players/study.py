# compiled
"""Learning with the luck of the throws taken out, for seats that win together and whose network knows much already.

Before each throw the mean over all throws is reckoned, so how much better the real one is than that mean is known, and is not taught: a
lesson tells what was misjudged, not what was thrown. Where actions look about equally good all of them are looked at one throw further: the best
is played, and the others are taught too, since that is where games are decided. So is one by lot of those that look a good deal worse: what is
thought too little of is else never met, and so never thought better of. Every lesson is kept for a while and given again.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tablee.core.judgement import Judgement, share
from tablee.core.network import Network
from tablee.core.position import CHANCE, OVER, Position
from tablee.players.expectimax import Expectimax
from tablee.players.learning import LONGEST, Learner
from tablee.players.steps import Steps

# So many lessons are kept, and one that was played is followed by so many of them, one that was only looked at by one.
KEPT: Final[i64] = 60000
AGAIN: Final[i64] = 12
# Before there are so many, none is given.
ENOUGH: Final[i64] = 200
# Four features to a word.
SHARED: Final[i64] = 4
FEATURE_BITS: Final[i64] = 15
FEATURE: Final[i64] = 0x7FFF
ROOM: Final[i64] = 80
SLOTS: Final[i64] = 32768
# Actions that look worse than the best by more than this are not looked at further, nor more than so many.
CLOSE: Final = 0.01
MOST_CLOSE: Final = 4
# One more is taught, by lot, that looks worse by no more than this.
FAR: Final = 0.1
# What was best after a throw, where that does not count: nothing could be done, or anything was.
PASSED: Final = -1.0
EXPLORED: Final = -2.0


class Lessons:
    """The last lessons: the features of a position and what it should be worth."""

    def __init__(self) -> None:
        """Make room."""
        self.words: vec[i64] = vec[i64]([0] * (KEPT * ROOM))
        self.lengths: vec[i64] = vec[i64]([0] * KEPT)
        self.targets: vec[float] = vec[float]([0.0] * KEPT)
        self.count: i64 = 0

    def keep(self, features: vec[i64], n: i64, target: float) -> None:
        """Keep a lesson in the place of the oldest."""
        if n > SHARED * ROOM:
            raise ValueError(f"a lesson of {n} features: expected {SHARED * ROOM} at most")
        place = self.count % KEPT
        self.count += 1
        self.lengths[place] = n
        self.targets[place] = target
        first = place * ROOM
        k: i64 = 0
        while k < n:
            word: i64 = 0
            shift: i64 = 0
            while shift < SHARED * FEATURE_BITS and k < n:
                word |= features[k] << shift
                shift += FEATURE_BITS
                k += 1
            self.words[first] = word
            first += 1

    def read(self, place: i64, into: vec[i64]) -> i64:
        """Write the features of a lesson; return how many there are."""
        n = self.lengths[place]
        first = place * ROOM
        k: i64 = 0
        while k < n:
            into[k] = (self.words[first + k // SHARED] >> (FEATURE_BITS * (k % SHARED))) & FEATURE
            k += 1
        return n


class Student(Learner):
    """Plays as a learner does, but looks one throw further where it is close, and learns with the luck taken out."""

    def __init__(self, judgement: Judgement, network: Network, like: Position, size: i64, seed: i64) -> None:
        """Prepare to teach a network with positions like a given one; `size` is the action count of the game."""
        super().__init__(judgement, network, like, size, seed)
        self.steps = Steps(network)
        self.lessons = Lessons()
        self.search = Expectimax(judgement, like, size, 1)
        self.search.narrow()
        self.search.remember(SLOTS)
        # By rest: what it looked worth, the mean over all throws, and what looked best after the one thrown.
        self.values: vec[float] = vec[float]()
        self.means: vec[float] = vec[float]()
        self.bests: vec[float] = vec[float]()
        # What is known already of the next rest: its mean, or less than nothing.
        self.known: float = -1.0

    def begin(self, start: Position) -> None:
        """Begin a game from a position; nothing is remembered yet."""
        super().begin(start)
        self.values, self.means, self.bests = vec[float](), vec[float](), vec[float]()
        self.known = -1.0

    def forget(self) -> None:
        """Forget what positions looked worth: the network has changed."""
        self.search.remember(SLOTS)

    def game(self, start: Position, rate: float, trace: float, explore: float, credit: float = 0.0, simple: bool = False) -> float:
        """Play one game from a position and learn from it; return the first seat's part of the win."""
        self.begin(start)
        position = self.position
        length: i64 = 0
        while length < LONGEST:
            actor = position.actor()
            if actor == OVER:
                break
            if actor == CHANCE:
                if self.note(position) <= 0.0:
                    break
                position.play(position.throw(self.draw.below(position.chances())))
            else:
                position.play(self.decide(position, actor, rate, explore))
            length += 1
        result = share(position, 0) if position.actor() == OVER else 0.0
        self.review(result, rate, trace)
        return result

    def note(self, position: Position) -> float:
        """Remember a position at rest and the mean over its throws; return what it looks worth."""
        seat = position.turn()
        self.rest(position, seat)
        self.search.side_with(position, seat)
        value = self.search.judge(position)
        mean = self.known if self.known >= 0.0 else self.search.ahead(position)
        self.known = -1.0
        self.values = append(self.values, value)
        self.means = append(self.means, mean)
        self.bests = append(self.bests, PASSED)
        return value

    def decide(self, position: Position, seat: i64, rate: float, explore: float) -> i64:
        """Return the action that is best one throw further; now and then any. Teach what the close ones turn out to be worth."""
        buffer = self.buffers[0]
        n = position.actions(seat, buffer)
        search = self.search
        search.look(position, seat)
        best = search.found[0][1]
        if explore > 0.0 and float(self.draw.below(1000000)) < explore * 1000000.0:
            # What comes of it says nothing of what was good before.
            self.bests[self.rests - 1] = EXPLORED
            return buffer[self.draw.below(n)]
        self.bests[self.rests - 1] = best
        chosen: i64 = search.found[0][0]
        if n == 1 or best >= 1.0:
            return chosen
        close, far = 0, 0
        for _, value in search.found:
            close += value >= best - CLOSE and close < MOST_CLOSE
            far += value >= best - FAR
        other = int(self.draw.below(far))
        if close > 1:
            self.known = -1.0
            for action, value in search.found[:close]:
                mean = self.look_further(position, action, value, rate)
                if mean > self.known:
                    self.known = mean
                    chosen = action
        if other >= close:
            action, value = search.found[other]
            self.look_further(position, action, value, rate)
        return chosen

    def look_further(self, position: Position, action: i64, value: float, rate: float) -> float:
        """Return what an action that looks worth so much is worth one throw further, and teach it."""
        child = self.children[0]
        child.copy_from(position)
        child.play(action)
        if child.actor() != CHANCE:
            return value
        mean = self.search.ahead(child)
        self.teach_one(self.judgement.features(child, child.turn(), self.seen), mean, rate, 1)
        return mean

    def review(self, result: float, rate: float, trace: float) -> None:
        """Teach what every rest should have looked worth: what was misjudged at it and, less and less, later; backwards from the result."""
        later = result
        gain = 0.0
        at = self.rests - 1
        while at >= 0:
            value, best = self.values[at], self.bests[at]
            if best == EXPLORED:
                gain = 0.0
            elif best >= 0.0:
                gain = later - best + trace * gain
            else:
                gain = trace * gain
            gain += self.means[at] - value
            self.teach_one(self.recall(at), min(1.0, max(0.0, value + gain)), rate, AGAIN)
            later = value
            at -= 1

    def teach_one(self, n: i64, target: float, rate: float, again: i64) -> None:
        """Keep a lesson of the n features seen last, and give some of those that are kept, by lot."""
        lessons = self.lessons
        lessons.keep(self.seen, n, target)
        if lessons.count < ENOUGH:
            return
        known = lessons.count if lessons.count < KEPT else KEPT
        while again > 0:
            place = self.draw.below(known)
            n = lessons.read(place, self.seen)
            self.steps.learn(self.seen, n, lessons.targets[place], rate)
            again -= 1
