"""Training in rounds: all cores collect lessons by self-play with the network of the last round, then Adam trains it on batches of them.

The network that plays and ships is the mean of the learning network over the last batches, which is steadier. Time is
that of the processor, so that a busy machine learns as much as an idle one.
"""

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import process_time
from typing import NamedTuple

from tablee.core.network import Network
from tablee.core.position import Position
from tablee.players.adam import Adam
from tablee.players.lessons import Lessons, give_batch, read_lessons, write_lessons
from tablee.players.playout import Draw
from tablee.players.study import KEPT, Student

# How many stored lessons, chosen at random, are trained on for each new one. In a round each core collects KEPT of them.
PASSES = 4
BATCH = 96
STORED = 240000
# After this number of batches the steady network moves towards the learning one: by the first fraction at the beginning, by the second at the end.
FOLLOW_EVERY = 25
FOLLOW = (0.1, 0.01)
# Of this number of games all but the first begin from a late position of an earlier one: that is where games are decided.
LATE_GAMES = 3


class Collected(NamedTuple):
    """Lessons as bytes, for another process, and the seconds that they took."""

    words: bytes
    lengths: bytes
    targets: bytes
    seconds: float


Spread = Callable[[Callable[..., Collected], Sequence[tuple[object, ...]]], list[Collected]]


@dataclass(frozen=True)
class Schedule:
    """How long to learn, on how many cores, and the first and the last rate."""

    seconds: float
    cores: int
    seed: int
    rates: tuple[float, float]


def collect(student: Student, start: Callable[[int], Position], seconds: float, trace: float, explore: float) -> Collected:
    """Play until there are enough lessons or the time is over, and return them."""
    begun = process_time()
    games = 0
    whole_games = 0
    while process_time() - begun < seconds and student.lessons.count < KEPT:
        late = student.late() if games % LATE_GAMES else None
        if late is None:
            whole_games += 1
        student.play_game(late or start(whole_games), trace, explore)
        games += 1
    words, lengths, targets = write_lessons(student.lessons)
    return Collected(array("q", words).tobytes(), array("q", lengths).tobytes(), array("d", targets).tobytes(), process_time() - begun)


def keep(lessons: Lessons, collected: Collected) -> int:
    """Keep the lessons of another process; return how many there are."""
    words, lengths, targets = array("q", collected.words), array("q", collected.lengths), array("d", collected.targets)
    read_lessons(lessons, words.tolist(), lengths.tolist(), targets.tolist())
    return len(targets)


def pack_weights(network: Network) -> bytes:
    """Return the weights of a network as bytes, for another process."""
    return array("d", network.weights()).tobytes()


def unpack_weights(weights: bytes, features: int, hidden: int) -> Network:
    """Return the network of such weights, quantised to play fast."""
    network = Network(features, hidden)
    network.take(array("d", weights).tolist())
    network.quantise()
    return network


def learn_in_batches(
    pupils: tuple[Network, Network],
    collect_lessons: Callable[[bytes, float, int, float], Collected],
    schedule: Schedule,
    spread: Spread,
    report: Callable[[str], None],
) -> int:
    """Train the first of two networks; the second one follows it and plays. Return how many lessons were collected.

    `collect_lessons(weights, seconds, seed, part)` collects in a process of its own, where `part` of the time is over, and `spread`
    runs such jobs on the cores.
    """
    network, steady = pupils
    adam, lessons, draw = Adam(network), Lessons(STORED), Draw(schedule.seed)
    spent, total, rounds = 0.0, 0, 0
    while spent < schedule.seconds:
        part = spent / schedule.seconds
        first_seed = schedule.seed + 1000 * (rounds + 1)
        jobs = [(pack_weights(steady), schedule.seconds - spent, first_seed + core, part) for core in range(schedule.cores)]
        collected = spread(collect_lessons, jobs)
        begun = process_time()
        new = sum(keep(lessons, batch) for batch in collected)
        rate = schedule.rates[0] * (schedule.rates[1] / schedule.rates[0]) ** part
        follow = FOLLOW[0] * (FOLLOW[1] / FOLLOW[0]) ** part
        error = teach(adam, lessons, draw, steady, PASSES * new // BATCH, rate, follow)
        spent += max(batch.seconds for batch in collected) + process_time() - begun
        total += new
        rounds += 1
        report(f"round {rounds}: {new} lessons, rate {rate:.6f}, mean error {error:.4f}, {spent:.0f} s")
    return total


def teach(adam: Adam, lessons: Lessons, draw: Draw, steady: Network, batches: int, rate: float, follow: float) -> float:
    """Train on this number of batches of random lessons, let the steady network follow, and return the mean absolute error."""
    error = 0.0
    for number in range(1, batches + 1):
        error += give_batch(adam, lessons, draw, BATCH)
        adam.step(rate)
        if number % FOLLOW_EVERY == 0:
            steady.follow(adam.network, follow)
    return error / max(1, batches)
