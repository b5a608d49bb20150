"""Practice: self-play for a given time, with temporal differences at a rate that falls.

The weights change with every game; their mean over the last games is steadier. So a second network follows the learning one:
it plays the games, and it is the one to keep. Time is that of the processor, so that a busy machine learns as much as an
idle one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import process_time

from tablee.core.errors import TableeError, shown
from tablee.core.network import Network
from tablee.core.position import Position
from tablee.core.weights import read_network, sections
from tablee.players.learning import Learner

CREDIT = 0.6
MEMORY = 500.0
# After the fraction LATE of the time, AGAIN games for each full one begin at a late undecided position: games are decided there.
LATE, AGAIN = 0.3, 5
# How often the steady network follows, and over which part of the games so far it takes the mean (and over how many at least).
EVERY = 40
BACK = 0.05
LEAST = 200.0


def beginners(features: int, hidden: int, seed: int) -> tuple[Network, Network]:
    """Return two equal networks with small random weights: the one to learn, and the steady one that follows it."""
    network, steady = Network(features, hidden), Network(features, hidden)
    network.scatter(seed)
    steady.scatter(seed)
    return network, steady


def learned(text: str, section: str, features: int, hidden: int) -> tuple[Network, Network]:
    """Return two networks with the weights of a section of a text; features and hidden units that it does not have count for nothing at first."""
    old = read_network(sections(text), section)
    if old.size > features or old.hidden > hidden:
        size = f"{old.size} features and {old.hidden} hidden units"
        raise TableeError(f"the section {shown(section)} is for {size}: expected {features} and {hidden} at most; train anew")
    network, steady = Network(features, hidden), Network(features, hidden)
    network.scatter(1)
    weights = widened(old, network)
    network.take(weights)
    steady.take(weights)
    return network, steady


def widened(old: Network, scattered: Network) -> list[float]:
    """Return the weights of a network of another's size, with the old ones where there are any."""
    before, fresh = old.weights(), scattered.weights()
    few, many = int(old.hidden), int(scattered.hidden)
    more = many - few
    last, bias, outer = before[:1], before[1 : 1 + few] + [0.0] * more, before[1 + few : 1 + 2 * few] + [0.0] * more
    weights = last + bias + outer
    for feature in range(int(scattered.size)):
        at = 1 + 2 * few + feature * few
        weights += before[at : at + few] if feature < old.size else [0.0] * few
        end = 1 + 2 * many + (feature + 1) * many
        weights += fresh[end - more : end]
    return weights


@dataclass(frozen=True)
class Course:
    """How long to practise, the first and the last learning rate, lambda (how far back a result counts), and how often a random action is played.

    For the fraction `simple` of the time the learner watches greedy games: random play wins too rarely to learn from.
    """

    seconds: float
    rates: tuple[float, float]
    trace: float
    explore: float = 0.0
    simple: float = 0.0


def practise(learner: Learner, steady: Network, start: Callable[[int, float], Position], course: Course, report: Callable[[str], None]) -> int:
    """Play and learn; return how many games.

    `steady` is the network that the learner's judgement is built on; it follows the one that learns. The n-th whole game begins
    from `start(n, part)`, where `part` is the fraction of the time that is over. As long as wins are rare, a game that nobody has won counts by its
    merit.
    """
    steady.quantise()
    begun = process_time()
    played = 0
    next_report = 1
    won = 0.0
    usual = 0.0
    since = 0
    full_games = 0
    while True:
        part = (process_time() - begun) / course.seconds
        if part >= 1.0:
            break
        # The learning rate falls exponentially: large steps early, fine steps late.
        rate = course.rates[0] * (course.rates[1] / course.rates[0]) ** part
        watch = part < course.simple
        late = learner.late() if part >= LATE and played % (1 + AGAIN) else None
        share_won = learner.game(
            late or start(full_games, part), rate, course.trace, course.explore * (1.0 - part), CREDIT * (1.0 - usual) ** 3, watch
        )
        played += 1
        if late is None:
            full_games += 1
            if not watch:
                usual += (share_won - usual) / MEMORY
            won += share_won
            since += 1
        if played % EVERY == 0:
            steady.follow(learner.network, EVERY / (LEAST + BACK * played))
            steady.quantise()
        if part * 10.0 >= next_report and since:
            report(f"{played} games, rate {rate:.4f}, seat 1 has won {won / since:.3f} of the last {since}")
            next_report += 1
            won, since = 0.0, 0
    return played
