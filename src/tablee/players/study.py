# compiled
"""Self-play that collects exact lessons, for games that all seats win together, with a network that is trained already.

A lesson is exact because it contains no luck. Its target is the mean, over all throws, of the value of the best action, corrected by the
errors that were found later in the same game. Where several actions look about equally good, all of them are searched one throw further:
the best is played, and the others become lessons too, because such choices decide games. One random action that looks clearly worse
is searched too: otherwise a network that undervalues something would never meet it.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tablee.core.judgement import Judgement, share
from tablee.core.network import Network
from tablee.core.position import CHANCE, OVER, Position
from tablee.players.expectimax import Expectimax
from tablee.players.learning import LONGEST, Learner
from tablee.players.lessons import Lessons

KEPT: Final[i64] = 60000
SLOTS: Final[i64] = 32768
# Actions that look worse than the best by more than this are not searched further, nor more than so many.
CLOSE: Final = 0.01
MOST_CLOSE: Final = 4
# One more is a lesson, drawn by lot, that looks worse by no more than this.
FAR: Final = 0.1
# What was best after a throw, where that does not count: nothing could be done, or any action was played.
PASSED: Final = -1.0
EXPLORED: Final = -2.0


class Student(Learner):
    """Plays by a network, searches one throw further where it is close, and keeps lessons."""

    def __init__(self, judgement: Judgement, network: Network, like: Position, size: i64, seed: i64) -> None:
        """Prepare to play positions like a given one; `size` is the action count of the game."""
        super().__init__(judgement, network, like, size, seed)
        self.lessons = Lessons(KEPT)
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

    def play_game(self, start: Position, trace: float, explore: float) -> float:
        """Play one game from a position and keep its lessons; return the first seat's part of the win."""
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
                position.play(self.decide(position, actor, explore))
            length += 1
        result = share(position, 0) if position.actor() == OVER else 0.0
        self.review(result, trace)
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

    def decide(self, position: Position, seat: i64, explore: float) -> i64:
        """Return the action that is best one throw further, now and then any action; keep what the close ones turn out to be worth."""
        buffer = self.buffers[0]
        n = position.actions(seat, buffer)
        search = self.search
        search.look(position, seat)
        best = search.root_values[0][1]
        if explore > 0.0 and float(self.draw.below(1000000)) < explore * 1000000.0:
            # What comes of it says nothing of what was good before.
            self.bests[self.rests - 1] = EXPLORED
            return buffer[self.draw.below(n)]
        self.bests[self.rests - 1] = best
        chosen: i64 = search.root_values[0][0]
        if n == 1 or best >= 1.0:
            return chosen
        close, far = 0, 0
        for _, value in search.root_values:
            close += value >= best - CLOSE and close < MOST_CLOSE
            far += value >= best - FAR
        other = int(self.draw.below(far))
        if close > 1:
            self.known = -1.0
            for action, value in search.root_values[:close]:
                mean = self.look_further(position, action, value)
                if mean > self.known:
                    self.known = mean
                    chosen = action
        if other >= close:
            action, value = search.root_values[other]
            self.look_further(position, action, value)
        return chosen

    def look_further(self, position: Position, action: i64, value: float) -> float:
        """Return what an action that looks worth so much is worth one throw further, and keep that as a lesson."""
        child = self.children[0]
        child.copy_from(position)
        child.play(action)
        if child.actor() != CHANCE:
            return value
        mean = self.search.ahead(child)
        self.lessons.keep(self.seen, self.judgement.features(child, child.turn(), self.seen), mean)
        return mean

    def review(self, result: float, trace: float) -> None:
        """Keep what every rest should have looked worth: what was misjudged at it and, less and less, later; backwards from the result."""
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
            self.lessons.keep(self.seen, self.recall(at), min(1.0, max(0.0, value + gain)))
            later = value
            at -= 1
