# compiled unchecked
"""Many games of one kind side by side, played one action each at a time; NumPy reads the buffers without a copy.

Each lane has its own random numbers, which depend on the seed and the number of the lane alone, so that lanes shared out
among processes play the same games.
"""

from collections.abc import Callable
from typing import Final

from librt.strings import read_i64_le
from librt.vecs import vec
from mypy_extensions import i32, i64, u8

from tablee.core.bits import MASK_63, mix
from tablee.core.observer import Observer
from tablee.core.position import CHANCE, OVER, Position
from tablee.gym.opponents import Opponent
from tablee.gym.utility import utility
from tablee.players.playout import INCREMENT, MULTIPLIER

EVERYBODY: Final[i64] = -1
Starts = Callable[[int, int], Position]


class Lanes:
    """The positions of a batch, and for each lane: who acts, what he may do and sees, and the result if a game has just ended."""

    def __init__(self, start: Starts, n: i64, size: i64, first: i64, longest: i64) -> None:
        """Make n lanes, numbered from `first`; `start(lane, number)` gives the first position of each game of a lane.

        `size` is the action count; a game is cut off after `longest` actions of the lane.
        """
        self.start = start
        self.n: i64 = n
        self.size: i64 = size
        self.first: i64 = first
        self.longest: i64 = longest
        self.positions: list[Position] = [start(first + k, 0).copy() for k in range(n)]
        self.seats: i64 = self.positions[0].seats
        self.fixed: Position | None = None
        self.observer: Observer | None = None
        self.opponent: Opponent | None = None
        self.learner: vec[i64] = vec[i64]([EVERYBODY] * n)
        self.words: vec[i64] = vec[i64]([0] * n)
        self.steps: vec[i64] = vec[i64]([0] * n)
        self.games: vec[i64] = vec[i64]([0] * n)
        self.buffer: vec[i64] = vec[i64]([0] * size)
        self.choices: vec[i64] = vec[i64]([0] * n)
        self.acting: vec[i64] = vec[i64]([0] * n)
        self.masks: vec[u8] = vec[u8]([0] * (n * size))
        self.ended: vec[u8] = vec[u8]([0] * n)
        self.cut: vec[u8] = vec[u8]([0] * n)
        self.rewards: vec[float] = vec[float]([0.0] * (n * self.seats))
        self.rows: vec[i32] = vec[i32]([0])
        self.last_rows: vec[i32] = vec[i32]([0])

    def observe(self, observer: Observer) -> None:
        """Write observations too, from the next reset on."""
        self.observer = observer
        self.rows = vec[i32]([0] * (self.n * observer.width))
        self.last_rows = vec[i32]([0] * (self.n * observer.width))

    def seat_learner(self, lane: i64, seat: i64) -> None:
        """Let the opponent play all seats of a lane but one, from the next reset on."""
        self.learner[lane] = seat

    def reset(self, seed: i64) -> None:
        """Begin a new game in every lane, with random numbers from a seed."""
        lane: i64 = 0
        while lane < self.n:
            self.words[lane] = mix(mix(seed, self.first + lane), 1)
            self.games[lane] = 0
            self.clear_result(lane)
            self.restart(lane)
            self.look(lane)
            lane += 1

    def step(self, actions: bytes) -> i64:
        """Play one action in each lane, given as whole numbers of 64 bits; return -1.

        If an action is not legal, return the first such lane; then nothing has been played.
        """
        n, size = self.n, self.size
        if len(actions) != 8 * n:
            raise ValueError(f"{len(actions)} bytes are no actions of {n} lanes: expected {8 * n}")
        masks = self.masks
        lane: i64 = 0
        while lane < n:
            action = read_i64_le(actions, 8 * lane)
            if action < 0 or action >= size or not masks[lane * size + action]:
                return lane
            lane += 1
        lane = 0
        while lane < n:
            if self.ended[lane]:
                self.clear_result(lane)
            position = self.positions[lane]
            position.play(read_i64_le(actions, 8 * lane))
            self.steps[lane] += 1
            actor = position.actor()
            if actor < 0 or self.opponent is not None:
                actor = self.advance(position, lane)
            if actor == OVER or self.steps[lane] >= self.longest:
                self.finish(position, lane, actor)
            else:
                self.acting[lane] = actor
            self.look(lane)
            lane += 1
        return -1

    def sample(self) -> None:
        """Choose a legal action in every lane, each as likely as another."""
        lane: i64 = 0
        while lane < self.n:
            self.choices[lane] = self.positions[lane].pick(self.acting[lane], self.word(lane), self.buffer)
            lane += 1

    def word(self, lane: i64) -> i64:
        """Return the next random number of 32 bits of a lane."""
        state = (self.words[lane] * MULTIPLIER + INCREMENT) & MASK_63
        self.words[lane] = state
        return state >> 31

    def advance(self, position: Position, lane: i64) -> i64:
        """Throw, and let the opponent play, until a seat of the learner acts or the game is over; return who acts."""
        learner = self.learner[lane]
        opponent = self.opponent
        while True:
            actor = position.actor()
            if actor == CHANCE:
                position.play(position.throw(self.word(lane) * position.chances() >> 32))
            elif opponent is None or actor < 0:
                return actor
            elif (position.actors() >> learner) & 1:
                return learner
            else:
                position.play(opponent.choose(position, actor, self.first + lane, self.word(lane)))

    def finish(self, position: Position, lane: i64, actor: i64) -> None:
        """Note the result of a game that is over or cut off, and begin the next one."""
        self.ended[lane] = 1
        if actor == OVER:
            seat: i64 = 0
            while seat < self.seats:
                self.rewards[lane * self.seats + seat] = utility(position, seat)
                seat += 1
        else:
            self.cut[lane] = 1
        observer = self.observer
        if observer is not None:
            viewer = self.learner[lane]
            if viewer < 0:
                viewer = self.acting[lane]
            observer.write(position, viewer, self.last_rows, lane * observer.width)
        self.restart(lane)

    def restart(self, lane: i64) -> None:
        """Begin games until the learner has something to decide; a game that ends before has no place in the results."""
        position = self.positions[lane]
        while True:
            fixed = self.fixed
            if fixed is not None:
                position.copy_from(fixed)
            else:
                position.copy_from(self.start(self.first + lane, self.games[lane]))
            self.games[lane] += 1
            self.steps[lane] = 0
            actor = self.advance(position, lane)
            if actor != OVER:
                self.acting[lane] = actor
                return

    def clear_result(self, lane: i64) -> None:
        """Forget the result of the last game."""
        self.ended[lane] = 0
        self.cut[lane] = 0
        seat: i64 = 0
        while seat < self.seats:
            self.rewards[lane * self.seats + seat] = 0.0
            seat += 1

    def look(self, lane: i64) -> None:
        """Write what the acting seat of a lane may do and sees."""
        position = self.positions[lane]
        seat = self.acting[lane]
        masks, buffer = self.masks, self.buffer
        at = lane * self.size
        end = at + self.size
        k = at
        while k < end:
            masks[k] = 0
            k += 1
        k = position.actions(seat, buffer)
        while k:
            k -= 1
            masks[at + buffer[k]] = 1
        observer = self.observer
        if observer is not None:
            observer.write(position, seat, self.rows, lane * observer.width)
