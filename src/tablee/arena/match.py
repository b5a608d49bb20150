"""One game between players, with throws that depend on the round alone."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import floor
from random import Random
from time import perf_counter

from tablee.arena.plan import Plan, Sitting
from tablee.core.game import Game
from tablee.core.judgement import share
from tablee.core.state import Chance, Decision, Over, State
from tablee.core.words import LANGUAGES
from tablee.locale.errors import error_text
from tablee.players.bot import Chooser, Fault
from tablee.players.outside import lent_player

__all__ = ["Chooser", "Result", "Throws", "begin", "play_game", "play_sitting"]

LONGEST = 20000


@dataclass
class Result:
    """How a game went, by seat: shares of the win, scores, moves, seconds; and the state it ended in.

    `faulty` is the seat of a player that failed, and `fault` how; the game then counts as lost for it.
    """

    shares: list[float]
    scores: list[int]
    won: bool
    moves: list[int]
    seconds: list[float]
    slowest: list[float]
    actions: int = 0
    faulty: int | None = None
    fault: Fault | None = None
    last: State | None = field(default=None, compare=False)


class Throws:
    """The throws of a round: the n-th throw of a seat is the same in each game of the round, whatever the others have thrown."""

    def __init__(self, seed: str) -> None:
        """Prepare the dice of every seat."""
        self.seed = seed
        self.dice: dict[int, Random] = {}

    def case(self, seat: int, cases: int) -> int:
        """Return the next case below `cases` for a seat."""
        if seat not in self.dice:
            self.dice[seat] = Random(f"{self.seed} throws {seat}")
        return floor(self.dice[seat].random() * cases)


def play_game(game: Game, players: Sequence[Chooser], seed: str, opening: int = 0, seconds: float | None = None, nodes: int | None = None) -> Result:
    """Play one game; `players` are by seat, `seed` settles the set-up, the random opening and the throws.

    A player that fails (`Fault`) loses the game in all its seats.
    """
    throws = Throws(seed)
    state = begin(game, seed, opening, throws)
    moves, spent, slowest = [0] * game.seats, [0.0] * game.seats, [0.0] * game.seats
    actions = 0
    faulty: int | None = None
    fault: Fault | None = None
    while actions < LONGEST:
        match state.node:
            case Over():
                break
            case Chance():
                state = thrown(state, throws)
            case Decision(seats, _):
                seat = seats[0]
                before = perf_counter()
                try:
                    action = players[seat].choose(state, seat, seconds=seconds, nodes=nodes)
                except Fault as error:
                    faulty, fault = seat, error
                    break
                taken = perf_counter() - before
                moves[seat] += 1
                spent[seat] += taken
                slowest[seat] = max(slowest[seat], taken)
                state = state.play(action, seat)
        actions += 1
    over = isinstance(state.node, Over)
    shares = [float(share(state.position, seat)) if over else 1 / game.seats for seat in range(game.seats)]
    scores = [int(state.position.score(seat)) for seat in range(game.seats)]
    if faulty is not None:
        shares = shared_by(player is not players[faulty] for player in players)
    return Result(shares, scores, over and sum(shares) > 0, moves, spent, slowest, actions, faulty, fault, state)


def forfeited(sitting: Sitting, player: int, fault: Fault, seats: int) -> Result:
    """Return a game whose player could not be started: it loses in all its seats."""
    shares = shared_by(index != player for index in sitting.seats)
    return Result(shares, [0] * seats, False, [0] * seats, [0.0] * seats, [0.0] * seats, 0, sitting.seats.index(player), fault)


def shared_by(others: Iterable[bool]) -> list[float]:
    """Return the share of each seat in the win of those that did not fail: equal for all of them."""
    stayed = list(others)
    return [stay / max(1, sum(stayed)) for stay in stayed]


def begin(game: Game, seed: str, opening: int, throws: Throws) -> State:
    """Return the state after the set-up and `opening` random actions; an opening that would end the game is skipped."""
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
    return state.throw(lambda cases: throws.case(state.turn, cases))


def play_sitting(plan: Plan, sitting: Sitting) -> dict[str, object]:
    """Play one game of a plan and return it as it stands in the file of games."""
    game = plan.game()
    seed = f"{plan.seed} {sitting.round}"
    players = {}
    with ExitStack() as lent:
        for index in sitting.meeting:
            own_seed = Random(f"{seed} player {index} {sitting.seats}").randrange(1 << 40)
            try:
                players[index] = lent.enter_context(lent_player(game, plan.everyone[index], own_seed, plan.patience))
            except Fault as error:
                return flat_record(sitting, forfeited(sitting, index, error, game.seats))
        result = play_game(game, [players[index] for index in sitting.seats], seed, plan.opening, plan.seconds, plan.nodes)
    return flat_record(sitting, result)


def flat_record(sitting: Sitting, result: Result) -> dict[str, object]:
    """Return a finished game as one flat record."""
    seated: Mapping[str, object] = {"number": sitting.number, "meeting": list(sitting.meeting), "round": sitting.round, "seats": list(sitting.seats)}
    fault: dict[str, object] = {}
    if result.faulty is not None and result.fault is not None:
        said = {language: error_text(result.fault, language) for language in LANGUAGES}
        fault = {"fault": str(result.fault), "said": said, "faulty": sitting.seats[result.faulty]}
    return (
        dict(seated)
        | fault
        | {
            "shares": result.shares,
            "scores": result.scores,
            "won": result.won,
            "actions": result.actions,
            "moves": result.moves,
            "seconds": [round(spent, 6) for spent in result.seconds],
            "slowest": [round(spent, 6) for spent in result.slowest],
        }
    )
