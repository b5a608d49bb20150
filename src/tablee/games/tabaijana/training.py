"""How Tabaijana's players learn: self-play for the common win, with one network for each of five configurations.

Two to four seats share a network for `famille` and one for `enfants`: what two seats learn helps four. Five seats have networks of their own,
because they have no neutral crates to move and win least often. So has the load in a set order (`order`), which needs another strategy.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

from tablee.core.game import Game, choose
from tablee.core.kind import Draw, Kind, Setup
from tablee.core.position import Position
from tablee.core.weights import pack, sections
from tablee.games.tabaijana.deal import CHILD, EACH, FAMILY, FAMILY_ONLY, GAME
from tablee.games.tabaijana.judgement import FEATURES, FIVE, TabaijanaJudgement, judge, section, size
from tablee.games.tabaijana.position import CRATES, HARBOUR, LETTERS, ROOM, TabaijanaPosition
from tablee.players.batch_training import Collected, Schedule, Spread, collect, learn_in_batches, unpack_weights
from tablee.players.learning import Learner
from tablee.players.playout import Draw as Lots
from tablee.players.practice import Course, beginners, learned, practise
from tablee.players.study import Student

__all__ = ["configurations", "go_on", "judge", "train", "train_on_cores"]

HIDDEN, HIDDEN_IF_CLOSER = 32, 64
EXPLORE = 0.01
# From nothing, this part of the time goes to temporal differences, before exact lessons are of use.
BEGINNING = 0.25
# Five seats, whose network has more features, learn for this part of the time with four.
WITH_FOUR = 0.35
# Temporal differences: the first and the last learning rate, lambda, and two parts of their time. In the first part greedy games are watched
# (before anybody wins there is nothing to learn from); in the second, games begin with a stack sorted from below (the end is learned first).
FIRST_RATES = (0.015, 0.0007)
FIRST_TRACE = 0.8
SIMPLE = 0.02
EASED = 0.15
# Exact lessons: the first and the last learning rate of Adam, and lambda: how much of an error an earlier position is charged with.
RATES = (0.001, 0.00003)
TRACE = 0.95
# One game in seven is played under options other than the usual ones; a prime, so that no number of seats has them all.
ODD = 7
# One children's game in five begins with a boat laden in any order; another prime. The other crates lie in at most LEFT_BEHIND stacks,
# at most FARTHEST_BEHIND cells behind.
LADEN = 5
LEFT_BEHIND, FARTHEST_BEHIND = 3, 9


def configurations(kind: Kind) -> list[Game]:
    """Return the games that have weights of their own: both, with up to four seats and with five, and the load in order."""
    both = [choose(kind, seats, {GAME: name}) for seats in (FIVE - 1, FIVE) for name in (FAMILY, CHILD)]
    return [*both, choose(kind, FIVE - 1, {"order": "on"})]


def hidden(game: Game) -> int:
    """Return how many hidden units the network of a game has: more where its features name single crates."""
    return HIDDEN_IF_CLOSER if size(game) == FEATURES else HIDDEN


def variants(game: Game) -> list[Game]:
    """Return the games that share the weights of one: every combination of the other options."""
    barred = FAMILY_ONLY if game.option(GAME) == CHILD else {}
    free = [option for option in game.kind.options if option.name != GAME and option.name not in barred]
    ways = list(product(*([(option.name, value) for value in option.values] for option in free)))
    games = [choose(game.kind, seats, {GAME: game.option(GAME)} | dict(way)) for seats in game.kind.seats for way in ways]
    return [other for other in games if section(other) == section(game)]


def eased(game: Game, setup: Setup, mixed: int) -> Position:
    """Return the first position of a set-up; in the family game only the top `mixed` crates are left mixed, those below lie in blocks."""
    position: TabaijanaPosition = game.kind.start(game, setup)
    if not position.children:
        stack = setup["stack"]
        order = setup.get("order", "")
        cut = len(stack) - mixed
        board = [""] * int(ROOM)
        board[1] = "".join(sorted(stack[:cut], key=(order or stack).index)) + stack[cut:]
        position.arrange(setup["colours"], order, board, HARBOUR, 0, 0, 0)
    return position


def laden(game: Game, setup: Setup, draw: Draw) -> Position:
    """Return a position of the children's game with crates aboard in any order, often all of them, and the rest behind.

    A network that undervalues such a load never plays towards it, so self-play alone never corrects the error.
    """
    position: TabaijanaPosition = game.kind.start(game, setup)
    left = list(LETTERS * EACH)
    pile = "".join(left.pop(draw(len(left))) for _ in range(int(CRATES)))
    boat = int(HARBOUR) + min(draw(FARTHEST_BEHIND), draw(FARTHEST_BEHIND))
    aboard = int(CRATES) - max(0, draw(int(CRATES)) - draw(int(CRATES)))
    board = [""] * int(ROOM)
    board[boat] = pile[:aboard]
    cells = [boat - 1 - draw(FARTHEST_BEHIND) for _ in range(LEFT_BEHIND)]
    for crate in pile[aboard:]:
        board[cells[draw(LEFT_BEHIND)]] += crate
    position.arrange(setup["colours"], "", board, boat, draw(game.seats), 0, 0)
    return position


def train(game: Game, seconds: float, seed: int, report: Callable[[str], None]) -> str:
    """Learn one game on one core; return its section of the weights."""
    return train_on_cores(game, None, seconds, seed, 1, run_here, report)


def go_on(game: Game, text: str, seconds: float, seed: int, report: Callable[[str], None]) -> str:
    """Go on learning on one core from the weights of a text."""
    return train_on_cores(game, text, seconds, seed, 1, run_here, report)


def run_here(work: Callable[..., Collected], jobs: Sequence[tuple[object, ...]]) -> list[Collected]:
    """Run jobs in this process, one after the other."""
    return [work(*job) for job in jobs]


def train_on_cores(game: Game, text: str | None, seconds: float, seed: int, cores: int, spread: Spread, report: Callable[[str], None]) -> str:
    """Learn one game on several cores, from the weights of a text or from nothing; return its section of the weights.

    From nothing, a part of the time goes to temporal differences; then exact lessons are learned in batches. Five seats may
    go on from the weights of four.
    """
    if text is None:
        beginning = (WITH_FOUR if size(game) == FEATURES else BEGINNING) * seconds
        text = learn_from_nothing(game, beginning, seed, cores, spread, report)
        seconds -= beginning
    name = section(game)
    if name not in sections(text):
        name = section(choose(game.kind, FIVE - 1, dict(game.chosen)))
    pupils = learned(text, name, size(game), hidden(game))
    collect_lessons = partial(collect_for, game.seats, game.chosen)
    lessons = learn_in_batches(pupils, collect_lessons, Schedule(seconds, cores, seed, RATES), spread, report)
    report(f"{section(game)}: {lessons} lessons in {seconds:g} s of {cores} cores")
    return pack(section(game), pupils[1])


def learn_from_nothing(game: Game, seconds: float, seed: int, cores: int, spread: Spread, report: Callable[[str], None]) -> str:
    """Return the section of a network that knows enough for exact lessons: by temporal differences; for five seats, the network of four."""
    if size(game) == FEATURES:
        four = choose(game.kind, FIVE - 1, dict(game.chosen))
        return train_on_cores(four, None, seconds, seed, cores, spread, report)
    network, steady = beginners(size(game), hidden(game), seed)
    starts = Starts(game, seed)
    learner = Learner(TabaijanaJudgement(steady), network, starts.full(1), game.action_count, seed)
    games = practise(learner, steady, starts.eased_by, Course(seconds, FIRST_RATES, FIRST_TRACE, EXPLORE, SIMPLE), report)
    report(f"{section(game)}: {games} games in {seconds:g} s")
    return pack(section(game), steady)


def collect_for(seats: int, chosen: tuple[tuple[str, str], ...], weights: bytes, seconds: float, seed: int, part: float) -> Collected:
    """Collect lessons of a game with given weights for so long, in a process of its own."""
    from tablee.games.tabaijana import KIND

    game = choose(KIND, seats, dict(chosen))
    starts = Starts(game, seed)
    network = unpack_weights(weights, size(game), hidden(game))
    student = Student(TabaijanaJudgement(network), network, starts.full(1), game.action_count, seed)
    return collect(student, starts.full_or_laden, seconds, TRACE, EXPLORE * (1.0 - part))


class Starts:
    """First positions of the games that share the weights of one, under usual and other options by turns."""

    def __init__(self, game: Game, seed: int) -> None:
        """List the games, and prepare to draw their set-ups."""
        every = [choose(game.kind, seats, dict(game.chosen)) for seats in game.kind.seats]
        self.usual = [other for other in every if section(other) == section(game)]
        self.others = variants(game)
        self.lots = Lots(seed + 1)

    def draw(self, n: int) -> int:
        """Return a number below n, which may be larger than a word."""
        number = 0
        for _ in range(3):
            number = (number << 32) | self.lots.word()
        return number * n >> 96

    def chosen(self, number: int) -> Game:
        """Return the game of a number: now and then one under other options."""
        return self.usual[number % len(self.usual)] if number % ODD else self.others[number // ODD % len(self.others)]

    def full(self, number: int) -> Position:
        """Return the usual first position."""
        game = self.chosen(number)
        first: TabaijanaPosition = game.kind.start(game, game.kind.setup(game, self.draw, {}))
        return first

    def eased_by(self, number: int, part: float) -> Position:
        """Return a first position whose stack is sorted from below in the first part of the time, less and less."""
        if part >= EASED:
            return self.full(number)
        game = self.chosen(number)
        return eased(game, game.kind.setup(game, self.draw, {}), max(0, round(int(CRATES) * part / EASED) - self.draw(6)))

    def full_or_laden(self, number: int) -> Position:
        """Return the usual first position or, for some children's games, one with crates aboard in any order."""
        game = self.chosen(number)
        if game.option(GAME) == CHILD and number % LADEN == 0:
            return laden(game, game.kind.setup(game, self.draw, {}), self.draw)
        return self.full(number)
