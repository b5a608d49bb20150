# compiled
"""Self-play learning with temporal differences between one position at rest and the next.

A game rests where a throw is due, or where a turn begins. There the network evaluates the position for the seat whose turn it is;
after the game each value is moved towards later values (TD lambda, computed backwards from the end).
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64

from tablee.core.judgement import Judgement, share
from tablee.core.network import Network
from tablee.core.position import CHANCE, OVER, Position
from tablee.players.playout import Draw

PARTS: Final[i64] = 8
LONGEST: Final[i64] = 100000
LOWEST: Final = -1e18
# This many positions at rest are kept as later starts, and only those whose result is open.
LATELY: Final[i64] = 24
SURE: Final = 0.02


class Learner:
    """Plays games against itself with a judgement built on a network, and teaches the network from each."""

    def __init__(self, judgement: Judgement, network: Network, like: Position, size: i64, seed: i64) -> None:
        """Prepare to teach a network with positions like a given one; `size` is the action count of the game."""
        self.judgement = judgement
        self.network = network
        self.draw = Draw(seed)
        self.position = like.copy()
        # A turn of several parts is searched to its end: one position and one list of actions for each part.
        self.children: list[Position] = [like.copy() for _ in range(PARTS)]
        self.buffers: list[vec[i64]] = []
        k: i64 = 0
        while k < PARTS:
            self.buffers.append(vec[i64]([0] * size))
            k += 1
        self.lately: list[Position] = [like.copy() for _ in range(LATELY)]
        self.kept: i64 = 0
        self.seen: vec[i64] = vec[i64]([0] * 4096)
        self.credit: float = 0.0
        self.simple: bool = False
        self.rests: i64 = 0
        self.starts: vec[i64] = vec[i64]([0])
        self.whose: vec[i64] = vec[i64]([0])
        self.features: vec[i64] = vec[i64]([0])

    def game(self, start: Position, rate: float, trace: float, explore: float, credit: float = 0.0, simple: bool = False) -> float:
        """Play one game from a position and learn from it; return the first seat's share of the win.

        If nobody has won, the result is `credit` times the merit of the end. A `simple` game is played greedily by `standing`, not
        by the network: an untrained network learns more from such games than from random moves.
        """
        self.credit = credit
        self.simple = simple
        self.begin(start)
        position = self.position
        turn: i64 = -1
        length: i64 = 0
        while length < LONGEST:
            actor = position.actor()
            if actor == OVER:
                break
            if actor == CHANCE or position.turn() != turn:
                turn = position.turn()
                self.rest(position, turn)
            if actor == CHANCE:
                position.play(position.throw(self.draw.below(position.chances())))
            else:
                position.play(self.choose(position, actor, explore))
            length += 1
        self.teach(position, rate, trace)
        return share(position, 0)

    def begin(self, start: Position) -> None:
        """Begin a game from a position, with an empty history."""
        self.position.copy_from(start)
        self.rests = 0
        self.starts = vec[i64]([0])
        self.whose = vec[i64]()
        self.features = vec[i64]()

    def late(self) -> Position | None:
        """Return a random one of the last open positions, or None if there are none."""
        if not self.kept:
            return None
        return self.lately[self.draw.below(min(self.kept, LATELY))]

    def rest(self, position: Position, seat: i64) -> None:
        """Remember the features of a position at rest and, if it is open, the position."""
        if SURE < self.judgement.value(position, seat) < 1.0 - SURE:
            self.lately[self.kept % LATELY].copy_from(position)
            self.kept += 1
        n = self.judgement.features(position, seat, self.seen)
        k: i64 = 0
        features = self.features
        while k < n:
            features = append(features, self.seen[k])
            k += 1
        self.features = features
        self.whose = append(self.whose, seat)
        self.starts = append(self.starts, len(features))
        self.rests += 1

    def choose(self, position: Position, seat: i64, explore: float) -> i64:
        """Return the action with the highest expected value for the seat, or with probability `explore` a random action."""
        buffer = self.buffers[0]
        n = position.actions(seat, buffer)
        if n == 1:
            return buffer[0]
        if explore > 0.0 and float(self.draw.below(1000000)) < explore * 1000000.0:
            return buffer[self.draw.below(n)]
        child = self.children[0]
        best = buffer[0]
        highest = LOWEST
        k: i64 = 0
        while k < n:
            action = buffer[k]
            child.copy_from(position)
            child.play(action)
            value = self.value(0, seat)
            if value > highest:
                highest = value
                best = action
            k += 1
        return best

    def value(self, part: i64, seat: i64) -> float:
        """Return the expected value of a seat after some parts of its turn, with the best play of the other parts."""
        position = self.children[part]
        actor = position.actor()
        if self.simple:
            return float(position.standing(seat))
        if actor == OVER:
            return self.end(position, seat)
        if actor != seat or part == PARTS - 1:
            return self.judgement.value(position, seat)
        buffer = self.buffers[part + 1]
        child = self.children[part + 1]
        n = position.actions(seat, buffer)
        highest = -1.0
        k: i64 = 0
        while k < n:
            child.copy_from(position)
            child.play(buffer[k])
            value = self.value(part + 1, seat)
            if value > highest:
                highest = value
            k += 1
        return highest

    def end(self, position: Position, seat: i64) -> float:
        """Return a seat's share of the win in a finished game or, if nobody has won, its credit."""
        if self.credit > 0.0 and not position.winners():
            return self.credit * self.judgement.merit(position)
        return share(position, seat)

    def teach(self, end: Position, rate: float, trace: float) -> None:
        """Move every recorded value towards its TD(lambda) target."""
        at = self.rests - 1
        later = 0.0
        later_seat: i64 = -1
        while at >= 0:
            seat = self.whose[at]
            if later_seat < 0:
                target = self.end(end, seat)
            elif (end.friends(seat) >> later_seat) & 1:
                target = later
            else:
                target = 1.0 - later
            value = self.network.learn(self.seen, self.recall(at), target, rate)
            later = trace * target + (1.0 - trace) * value
            later_seat = seat
            at -= 1

    def recall(self, at: i64) -> i64:
        """Write into `seen` the features of a rest; return how many there are."""
        begin = self.starts[at]
        n = self.starts[at + 1] - begin
        k: i64 = 0
        while k < n:
            self.seen[k] = self.features[begin + k]
            k += 1
        return n
