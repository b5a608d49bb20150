# compiled
"""Learning by playing against oneself: temporal differences between one rest of the game and the next.

A game rests where a throw is due, or where a turn begins. There the network says what the seat whose turn it is may expect;
after the game each such value is moved towards what came later (TD lambda, worked out backwards from the end).
"""

from librt.vecs import append, vec
from mypy_extensions import i64

from tablee.core.judgement import Judgement, share
from tablee.core.position import CHANCE, OVER, Position
from tablee.players.network import Network
from tablee.players.playout import Draw


class Learner:
    """Plays games against itself with a judgement built on a network, and teaches the network from each."""

    def __init__(self, judgement: Judgement, network: Network, size: i64, seed: i64) -> None:
        """Prepare to teach a network; `size` is the action count of the game."""
        self.judgement = judgement
        self.network = network
        self.draw = Draw(seed)
        self.buffer: vec[i64] = vec[i64]([0] * size)
        self.seen: vec[i64] = vec[i64]([0] * 4096)
        self.rests: i64 = 0
        self.starts: vec[i64] = vec[i64]([0])
        self.whose: vec[i64] = vec[i64]([0])
        self.features: vec[i64] = vec[i64]([0])

    def game(self, start: Position, rate: float, trace: float, explore: float) -> float:
        """Play one game from a position and learn from it; return the first seat's part of the win."""
        position = start.copy()
        child = start.copy()
        self.rests = 0
        self.starts = vec[i64]([0])
        self.whose = vec[i64]()
        self.features = vec[i64]()
        turn: i64 = -1
        while True:
            actor = position.actor()
            if actor == OVER:
                break
            if actor == CHANCE or position.turn() != turn:
                turn = position.turn()
                self.rest(position, turn)
            if actor == CHANCE:
                position.play(position.throw(self.draw.below(position.chances())))
            else:
                position.play(self.choose(position, child, actor, explore))
        self.teach(position, rate, trace)
        return share(position, 0)

    def rest(self, position: Position, seat: i64) -> None:
        """Remember the features of a position at rest."""
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

    def choose(self, position: Position, child: Position, seat: i64, explore: float) -> i64:
        """Return the action after which the seat may expect most; now and then any."""
        n = position.actions(seat, self.buffer)
        if n == 1:
            return self.buffer[0]
        if explore > 0.0 and float(self.draw.below(1000000)) < explore * 1000000.0:
            return self.buffer[self.draw.below(n)]
        best = self.buffer[0]
        highest = -1.0
        k: i64 = 0
        while k < n:
            action = self.buffer[k]
            child.copy_from(position)
            child.play(action)
            value = share(child, seat) if child.actor() == OVER else self.judgement.value(child, seat)
            if value > highest:
                highest = value
                best = action
            k += 1
        return best

    def teach(self, end: Position, rate: float, trace: float) -> None:
        """Move every remembered value towards the mix of what came next and how it ended."""
        at = self.rests - 1
        later = 0.0
        later_seat: i64 = -1
        while at >= 0:
            seat = self.whose[at]
            if later_seat < 0:
                target = share(end, seat)
            elif (end.friends(seat) >> later_seat) & 1:
                target = later
            else:
                target = 1.0 - later
            begin = self.starts[at]
            n = self.starts[at + 1] - begin
            k: i64 = 0
            while k < n:
                self.seen[k] = self.features[begin + k]
                k += 1
            value = self.network.learn(self.seen, n, target, rate)
            later = trace * target + (1.0 - trace) * value
            later_seat = seat
            at -= 1
