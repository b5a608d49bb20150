"""One game between players, with throws that depend on the round alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import floor
from random import Random
from time import perf_counter
from typing import Protocol

from tablee.arena.plan import Plan, Sitting
from tablee.core.game import Game
from tablee.core.judgement import share
from tablee.core.state import Chance, Decision, Over, State
from tablee.players.player import Player

LONGEST = 20000


class Chooser(Protocol):
    """Whatever chooses actions: one of our players, or somebody else's."""

    def choose(self, state: State, seat: int | None = None, *, seconds: float | None = None, nodes: int | None = None) -> int:
        """Return the action of a seat within a budget."""


@dataclass
class Result:
    """How a game went, by seat: parts of the win, scores, moves, seconds; and the state it ended in."""

    shares: list[float]
    scores: list[int]
    won: bool
    moves: list[int]
    seconds: list[float]
    slowest: list[float]
    actions: int = 0
    last: State | None = field(default=None, compare=False)


class Throws:
    """The throws of a round: the n-th of a seat is the same in each of its games, however many others have thrown before."""

    def __init__(self, seed: str) -> None:
        """Prepare the dice of every seat."""
        self.seed = seed
        self.dice: dict[int, Random] = {}

    def case(self, seat: int, cases: int) -> int:
        """Return the next case out of so many for a seat."""
        if seat not in self.dice:
            self.dice[seat] = Random(f"{self.seed} throws {seat}")
        return floor(self.dice[seat].random() * cases)


def play_game(game: Game, players: Sequence[Chooser], seed: str, opening: int = 0, seconds: float | None = None, nodes: int | None = None) -> Result:
    """Play one game; `players` are by seat, `seed` settles the set-up, the random opening and the throws."""
    throws = Throws(seed)
    state = begin(game, seed, opening, throws)
    moves, spent, slowest = [0] * game.seats, [0.0] * game.seats, [0.0] * game.seats
    actions = 0
    while actions < LONGEST:
        match state.node:
            case Over():
                break
            case Chance():
                state = thrown(state, throws)
            case Decision(seats, _):
                seat = seats[0]
                before = perf_counter()
                action = players[seat].choose(state, seat, seconds=seconds, nodes=nodes)
                taken = perf_counter() - before
                moves[seat] += 1
                spent[seat] += taken
                slowest[seat] = max(slowest[seat], taken)
                state = state.play(action)
        actions += 1
    over = isinstance(state.node, Over)
    shares = [float(share(state.position, seat)) if over else 1 / game.seats for seat in range(game.seats)]
    scores = [int(state.position.score(seat)) for seat in range(game.seats)]
    return Result(shares, scores, over and sum(shares) > 0, moves, spent, slowest, actions, state)


def begin(game: Game, seed: str, opening: int, throws: Throws) -> State:
    """Return the state after the set-up and so many random actions; an opening that ends the game is left out."""
    start = state = game.start(Random(f"{seed} setup").randrange)
    random = Random(f"{seed} opening")
    played = 0
    while played < opening:
        match state.node:
            case Over():
                return start
            case Chance():
                state = thrown(state, throws)
            case Decision(seats, _):
                state = state.play(random.choice(state.legal(seats[0])))
                played += 1
    return start if isinstance(state.node, Over) else state


def thrown(state: State, throws: Throws) -> State:
    """Return the state after the next throw."""
    position = state.position
    return state.play(int(position.throw(throws.case(state.turn, int(position.chances())))))


def play_sitting(plan: Plan, sitting: Sitting) -> dict[str, object]:
    """Play one game of a plan and return it as it stands in the file of games."""
    game = plan.game()
    seed = f"{plan.seed} {sitting.round}"
    players = {
        index: Player(game, plan.everyone[index], Random(f"{seed} player {index} {sitting.seats}").randrange(1 << 40)) for index in sitting.meeting
    }
    found = play_game(game, [players[index] for index in sitting.seats], seed, plan.opening, plan.seconds, plan.nodes)
    return told(sitting, found)


def told(sitting: Sitting, found: Result) -> dict[str, object]:
    """Return a finished game as one flat record."""
    seated: Mapping[str, object] = {"number": sitting.number, "meeting": list(sitting.meeting), "round": sitting.round, "seats": list(sitting.seats)}
    return dict(seated) | {
        "shares": found.shares,
        "scores": found.scores,
        "won": found.won,
        "actions": found.actions,
        "moves": found.moves,
        "seconds": [round(one, 6) for one in found.seconds],
        "slowest": [round(one, 6) for one in found.slowest],
    }
