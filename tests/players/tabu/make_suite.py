"""Makes suite.txt anew: positions of Tabu whose best stake was found by trying every stake there is.

    PYTHONPATH=src:. python -m tests.players.tabu.make_suite > tests/players/tabu/suite.txt

`last`: one seat stakes, all others are ready, and the throw ends the game;
`two`: two seats, and after this turn of the bank there is one more, in which the other seat stakes as well as can be.
What a stake is worth is an exact fraction. A position is kept where few stakes are the best, and the next best are clearly worse.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random

from tablee import catalog
from tablee.core.game import Game, choose
from tablee.core.state import State
from tablee.games.tabu.position import BOXES, CASES, EACH, READY, SIGNS, THROWS, TabuPosition

WANTED = {"last": 20, "two": 8}
OPTIONS: tuple[dict[str, str], ...] = ({}, {}, {}, {"may_pass": "yes"}, {"doubling": "all"}, {"doubling": "none"}, {"odds": "stake_included"})
MARGIN = Fraction(1, 100)
ODDS = {throw: sum(1 for case in range(216) if CASES[case] == throw) for throw in sorted({int(CASES[case]) for case in range(216)})}

Stake = tuple[int, ...]


@dataclass(frozen=True)
class Exercise:
    """A position, the seat that stakes, what its best stakes are worth, and one of them."""

    sort: str
    game: Game
    line: str
    seat: int
    worth: Fraction
    stake: Stake


def read_exercises(text: str) -> list[Exercise]:
    """Return the exercises of a suite."""
    found = []
    for row in text.splitlines():
        if row and not row.startswith("#"):
            sort, seats, options, line, seat, worth, stake = row.split(" ; ")
            game = choose(catalog.kind("tabu"), int(seats), dict(option.split("=") for option in options.split(",")))
            found.append(Exercise(sort, game, line, int(seat) - 1, Fraction(worth), tuple(int(amount) for amount in stake.split(" "))))
    return found


def stakes(position: TabuPosition, seat: int, alone: bool = False) -> Iterator[Stake]:
    """Give everything a seat may have on the boxes; of who stakes alone, one of those that differ only in which sign or symbol has what."""
    yield from amounts(position, int(position.room[seat]), (), alone)


def amounts(position: TabuPosition, room: int, laid: Stake, alone: bool) -> Iterator[Stake]:
    """Give every way to go on from some amounts on the first boxes."""
    box = len(laid)
    if box == BOXES:
        if any(laid) or position.may_pass:
            yield laid
        return
    cost = 1 << int(position.sign_shift if box < SIGNS else position.symbol_shift)
    least = laid[-1] if alone and box not in (0, SIGNS) else 0
    for amount in range(least, room // cost + 1):
        yield from amounts(position, room - amount * cost, (*laid, amount), alone)


def staked(position: TabuPosition, seat: int, stake: Stake) -> TabuPosition:
    """Return the position after a seat has laid a stake and is ready."""
    after = position.copy()
    assert isinstance(after, TabuPosition)
    for box, amount in enumerate(stake):
        if amount:
            after.lay(seat, box, amount)
    after.play(seat * EACH + READY)
    return after


def worth(position: TabuPosition, seat: int) -> Fraction:
    """Return the exact chance of a seat to finish first when the dice are thrown now."""
    total = Fraction(0)
    after = position.copy()
    assert isinstance(after, TabuPosition)
    ended: dict[int, int] = {}
    for throw, cases in ODDS.items():
        after.copy_from(position)
        after.settle(throw - THROWS)
        if after.ended_by:
            winners = int(after.winners())
            ended[winners] = ended.get(winners, 0) + cases
        else:
            total += cases * (1 - best_reply(after))
    for winners, cases in ended.items():
        total += cases * part(winners, seat)
    return total / 216


def part(winners: int, seat: int) -> Fraction:
    """Return a seat's part of a win."""
    return Fraction(1, winners.bit_count()) if winners >> seat & 1 else Fraction(0)


REPLIES: dict[tuple[int, int, int, int, bool, bool], Fraction] = {}


def best_reply(position: TabuPosition) -> Fraction:
    """Return the chance of the one punter of the last turn, with two seats, if it stakes as well as can be."""
    seat = int(position.actor())
    key = (
        *(int(position.hand[seat]), int(position.hand[position.banker]), int(position.sign_shift), int(position.symbol_shift)),
        *(bool(position.may_pass), bool(position.stake_included)),
    )
    if key not in REPLIES:
        REPLIES[key] = Fraction(0)
        for stake in stakes(position, seat, alone=True):
            REPLIES[key] = max(REPLIES[key], worth(staked(position, seat, stake), seat))
            if REPLIES[key] == 1:
                break
    return REPLIES[key]


def make(game: Game, sort: str, position: TabuPosition, seat: int) -> Exercise | None:
    """Return the exercise in a position, if few stakes are the best."""
    found = {stake: worth(staked(position, seat, stake), seat) for stake in stakes(position, seat, alone=game.seats == 2)}
    best = max(found.values())
    solutions = [stake for stake, value in found.items() if value == best]
    others = [value for value in found.values() if value < best]
    if len(found) < 20 or not others or best - max(others) < MARGIN / (5 if sort == "two" else 1) or len(solutions) > len(found) // 20:
        return None
    return Exercise(sort, game, game.dump(State(game, position, None)), seat, best, solutions[0])


def last_turn(game: Game, random: Random) -> tuple[TabuPosition, int]:
    """Return a last turn of the bank in which all but one seat are ready."""
    position = blank(game)
    rounds = int(position.rounds)
    banker, seat = random.sample(range(game.seats), 2)
    money = shared(game, seat, random.randint(5, 12), random)
    position.arrange(banker, money, [rounds - (one == banker) for one in range(game.seats)], 0)
    for other in range(game.seats):
        if other not in (banker, seat):
            position.lay(other, random.randrange(4), random.randint(1, max(1, int(position.room[other]) // 3)))
            position.play(other * EACH + READY)
    return position, seat


def shared(game: Game, seat: int, hand: int, random: Random) -> list[int]:
    """Return all the money there is, so much of it in one hand and the rest shared out."""
    money = [1] * game.seats
    money[seat] = hand
    for _ in range(int(game.option("money")) * game.seats - sum(money)):
        money[random.choice([other for other in range(game.seats) if other != seat])] += 1
    return money


def two_turns(game: Game, random: Random) -> tuple[TabuPosition, int]:
    """Return a turn of two seats after which there is one more."""
    position = blank(game)
    rounds = int(position.rounds)
    banker = random.randrange(2)
    money = shared(game, 1 - banker, random.randint(7, 30), random)
    position.arrange(banker, money, [rounds - 1, rounds - 1], 0)
    return position, 1 - banker


@cache
def blank(game: Game) -> TabuPosition:
    """Return any position of a game, to be arranged."""
    position = game.kind.start(game, {"banker": "1"})
    assert isinstance(position, TabuPosition)
    return position


def main() -> None:
    """Print a new suite."""
    print("# sort ; seats ; options ; position ; seat ; worth ; one best stake on c d h p a s (made by make_suite.py)")
    random = Random(5)
    for sort, wanted in WANTED.items():
        found = 0
        while found < wanted:
            seats = 2 if sort == "two" else (2, 3, 4)[found % 3]
            game = choose(catalog.kind("tabu"), seats, {"money": "20", **OPTIONS[found % len(OPTIONS)]})
            position, seat = (two_turns if sort == "two" else last_turn)(game, random)
            # What the line does not tell is not part of the exercise.
            told = game.load(game.dump(State(game, position, None))).position
            assert isinstance(told, TabuPosition)
            one = make(game, sort, told, seat)
            if one:
                options = ",".join(f"{name}={value}" for name, value in game.chosen)
                print(" ; ".join((sort, str(seats), options, one.line, str(seat + 1), str(one.worth), " ".join(map(str, one.stake)))), flush=True)
                found += 1


if __name__ == "__main__":
    main()
