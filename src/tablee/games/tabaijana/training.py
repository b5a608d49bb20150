"""How Tabaijana's players learn: all seats play for the common win, one network for either game, with two to four seats.

What two seats learn serves four, so that each profits by the games of all. Five, who have no crates of nobody to move, win least
and have a network of their own, and so has the load in a set order, another game in truth.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

from tablee.core.game import Game, choose
from tablee.core.kind import Draw, Kind, Setup
from tablee.core.network import Network
from tablee.core.position import Position
from tablee.core.weights import pack, sections
from tablee.games.tabaijana.deal import CHILD, EACH, FAMILY, FAMILY_ONLY, GAME
from tablee.games.tabaijana.judgement import FEATURES, FIVE, TabaijanaJudgement, judge, section, size
from tablee.games.tabaijana.position import CRATES, HARBOUR, LETTERS, ROOM, TabaijanaPosition
from tablee.players.learning import Learner
from tablee.players.playout import Draw as Lots
from tablee.players.practice import beginners, learned, practise
from tablee.players.study import Student

__all__ = ["configurations", "go_on", "judge", "train"]

HIDDEN, HIDDEN_IF_CLOSER = 32, 64
EXPLORE = 0.01
# The part of the time after which a network that began with nothing knows enough to learn with the luck taken out.
BEGINNING = 0.25
# One game in so many is played under options other than the usual ones; a prime, so that no number of seats has them all.
ODD = 7
# Who goes on begins one children's game in so many with a boat laden anyhow; another prime. The rest lies in so many stacks at most, so far behind.
LADEN = 5
LEFT_BEHIND, FARTHEST_BEHIND = 3, 9


@dataclass(frozen=True)
class Course:
    """A way to learn: who plays and teaches, the first and the last rate, how far back a result is felt.

    For the part `simple` of the time it watches greedy games: before anybody wins, there is nothing to learn from. For the part `eased` the
    stack to begin with is sorted from below, less and less: the end of a game is learned first. Where `laden`, some games of children begin
    with a boat laden anyhow.
    """

    way: type[Learner]
    rates: tuple[float, float]
    trace: float
    simple: float = 0.0
    eased: float = 0.0
    laden: bool = False


FROM_NOTHING = Course(Learner, (0.015, 0.0007), 0.8, simple=0.02, eased=0.15)
# Who goes on takes smaller steps, and looks less far: what comes next is by then a better witness than how one game ended.
GOING_ON = Course(Student, (0.0002, 0.000005), 0.7, laden=True)


def configurations(kind: Kind) -> list[Game]:
    """Return the games that have weights of their own: both, with up to four seats and with five, and the load in order."""
    both = [choose(kind, seats, {GAME: name}) for seats in (FIVE - 1, FIVE) for name in (FAMILY, CHILD)]
    return [*both, choose(kind, FIVE - 1, {"order": "on"})]


def hidden(game: Game) -> int:
    """Return how many hidden units the network of a game has: one that sees every crate by itself has room for it."""
    return HIDDEN_IF_CLOSER if size(game) == FEATURES else HIDDEN


def variants(game: Game) -> list[Game]:
    """Return the games that share the weights of one: all other options every way."""
    barred = FAMILY_ONLY if game.option(GAME) == CHILD else {}
    free = [option for option in game.kind.options if option.name != GAME and option.name not in barred]
    ways = list(product(*([(option.name, value) for value in option.values] for option in free)))
    found = [choose(game.kind, seats, {GAME: game.option(GAME)} | dict(way)) for seats in game.kind.seats for way in ways]
    return [other for other in found if section(other) == section(game)]


def eased(game: Game, setup: Setup, mixed: int) -> Position:
    """Return the first position of a set-up; in the family game only so many crates on top are left mixed, those below lie in blocks."""
    position = game.kind.start(game, setup)
    assert isinstance(position, TabaijanaPosition)
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

    Who takes such a load for lost never steers for it, and never learns that it can be put in order, all seats being free to move everything.
    """
    position = game.kind.start(game, setup)
    assert isinstance(position, TabaijanaPosition)
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
    """Learn one game with every number of seats by turns, from stacks drawn anew, and go on from there; return its section of the weights."""
    beginner = play(game, FROM_NOTHING, beginners(size(game), hidden(game), seed), BEGINNING * seconds, seed, report)
    return go_on(game, beginner, (1.0 - BEGINNING) * seconds, seed + 1, report)


def go_on(game: Game, text: str, seconds: float, seed: int, report: Callable[[str], None]) -> str:
    """Go on learning from the weights of a text, with the luck taken out and from whole stacks only; five may go on from those of four."""
    name = section(game)
    if name not in sections(text):
        name = section(choose(game.kind, FIVE - 1, dict(game.chosen)))
    return play(game, GOING_ON, learned(text, name, size(game), hidden(game)), seconds, seed, report)


def play(game: Game, course: Course, pupils: tuple[Network, Network], seconds: float, seed: int, report: Callable[[str], None]) -> str:
    """Let two networks, one that learns and the steady one, play for so long; return the section of the steady one."""
    network, steady = pupils
    deal = Lots(seed + 1)
    every = [choose(game.kind, seats, dict(game.chosen)) for seats in game.kind.seats]
    usual = [one for one in every if section(one) == section(game)]
    others = variants(game)

    def draw(n: int) -> int:
        """Lend a number below n, which may be larger than a word."""
        number = 0
        for _ in range(3):
            number = (number << 32) | deal.word()
        return number * n >> 96

    def start(number: int, part: float) -> Position:
        """Return the first position of a game: at first eased, later now and then under other options, by turns."""
        chosen = usual[number % len(usual)] if number % ODD else others[number // ODD % len(others)]
        if part < course.eased:
            return eased(chosen, chosen.kind.setup(chosen, draw), max(0, round(int(CRATES) * part / course.eased) - draw(6)))
        if course.laden and chosen.option(GAME) == CHILD and number % LADEN == 0:
            return laden(chosen, chosen.kind.setup(chosen, draw), draw)
        return chosen.kind.start(chosen, chosen.kind.setup(chosen, draw))

    learner = course.way(TabaijanaJudgement(steady), network, start(1, 1.0), game.action_count, seed)
    games = practise(learner, steady, start, seconds, course.rates, course.trace, EXPLORE, course.simple, report)
    report(f"{section(game)}: {games} games in {seconds:g} s")
    return pack(section(game), steady)
