"""Makes suite.txt anew: positions of Tabale whose best turn was found by trying every turn.

    PYTHONPATH=src:. python -m tests.players.tabale.make_suite > tests/players/tabale/suite.txt

Games of hasty players give the positions. Three sorts are kept where few turns win:
`end`: the game goes on, but a turn ends it at once with a win (a fool closed in);
`last`: the mover lays its last pawn, so that this turn decides;
`answer`: the next seat lays its last pawn, and only after few turns does no answer of it save the game.
So that the last pawns come soon enough, pawns in hand count as lost to another seat.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from librt.vecs import vec
from mypy_extensions import i64

from tablee import catalog
from tablee.core.game import Game, choose
from tablee.core.judgement import share
from tablee.core.position import OVER
from tablee.games.tabale.board import SIDES, marked
from tablee.games.tabale.position import TabalePosition
from tablee.players.playout import Draw
from tablee.players.turn_beam import TurnBeam

SORTS = {"end": 10, "last": 12, "answer": 8}
MOST = {"end": 0.01, "last": 0.02, "answer": 0.06}


@dataclass(frozen=True)
class Exercise:
    """A position, the sort of win to be found in it, in how many turns of how many, and one of them."""

    sort: str
    seats: int
    winning: int
    turns: int
    line: str
    solution: str


def read_exercises(text: str) -> list[Exercise]:
    """Return the exercises of a suite."""
    found = []
    for row in text.splitlines():
        if row and not row.startswith("#"):
            sort, seats, winning, turns, line, solution = row.split(" ; ")
            found.append(Exercise(sort, int(seats), int(winning), int(turns), line, solution))
    return found


def whole_turns(game: Game, position: TabalePosition) -> Iterator[tuple[tuple[int, ...], TabalePosition]]:
    """Give every complete turn of the seat to move, with where it leads."""
    buffer = vec[i64]([0] * game.action_count)
    waiting: list[tuple[tuple[int, ...], TabalePosition]] = [((), position)]
    while waiting:
        steps, here = waiting.pop()
        n = here.actions(here.seat, buffer)
        for action in [int(buffer[k]) for k in range(n)]:
            there = here.copy()
            assert isinstance(there, TabalePosition)
            there.play(action)
            if there.actor() == here.seat:
                waiting.append(((*steps, action), there))
            else:
                yield (*steps, action), there


def wins(game: Game, sort: str, seat: int, end: TabalePosition) -> bool:
    """Return whether a turn of a seat that led here has won alone, whatever the answer where one is due."""
    if end.actor() == OVER:
        return share(end, seat) == 1.0
    return sort == "answer" and all(answer.actor() == OVER and share(answer, seat) == 1.0 for _, answer in whole_turns(game, end))


def make(game: Game, sort: str, position: TabalePosition) -> Exercise | None:
    """Return the exercise in a position, if a win of that sort is there and hard to hit."""
    if position.actor() == OVER:
        return None
    seat = int(position.seat)
    turns = winning = 0
    solution: tuple[int, ...] = ()
    for steps, end in whole_turns(game, position):
        turns += 1
        if wins(game, sort, seat, end):
            winning += 1
            solution = solution or steps
    if not winning or winning > MOST[sort] * turns or turns < 50:
        return None
    return Exercise(sort, game.seats, winning, turns, game.kind.dump(game, position), " ".join(game.notate(step) for step in solution))


def bent(sort: str, position: TabalePosition, draw: Draw) -> TabalePosition:
    """Return the position with the pawns in hand that the sort needs; where answers count, with all woods on the board."""
    other = position.copy()
    assert isinstance(other, TabalePosition)
    seat = other.seat
    following = (seat + 1) % other.seats
    if sort == "last":
        lose(other, seat, following, 1)
    elif sort == "answer":
        lose(other, following, seat, 1)
        for one in (seat, following):
            while other.woods[one]:
                side = draw.below(len(SIDES))
                if side in marked("114") and not other.has_wood(side):
                    other.put_wood(side)
                    other.woods[one] -= 1
        other.begin_turn(seat)
    return other


def lose(position: TabalePosition, seat: int, to: int, keep: int) -> None:
    """Let a seat have lost its pawns in hand but some."""
    position.singles_taken[to] += position.hand[seat] - keep
    position.hand[seat] = keep


def positions(game: Game, draw: Draw) -> Iterator[TabalePosition]:
    """Give the positions at the starts of turns of a game of hasty players."""
    position = game.kind.start(game, {})
    assert isinstance(position, TabalePosition)
    search = TurnBeam(game.kind.mind.judgement(game), position, game.action_count, 1)
    buffer = vec[i64]([0] * game.action_count)
    for seat in range(game.seats):
        position.play(position.pick(seat, draw.word(), buffer))
    while position.actor() != OVER:
        yield position
        search.glance(position, position.seat, draw.below(6))


def main() -> None:
    """Print a new suite."""
    print("# sort ; seats ; winning turns ; all turns ; position ; one winning turn (made by make_suite.py)")
    kind = catalog.kind("tabale")
    draw = Draw(7)
    for sort, wanted in SORTS.items():
        found = 0
        while found < wanted:
            game = choose(kind, 2 if sort == "answer" else (2, 3, 4)[found % 3])
            for number, position in enumerate(positions(game, draw)):
                # One exercise of a game, and none from its first turns.
                if number < 4 * game.seats or draw.below(3):
                    continue
                one = make(game, sort, bent(sort, position, draw))
                if one:
                    print(" ; ".join(map(str, (one.sort, one.seats, one.winning, one.turns, one.line, one.solution))), flush=True)
                    found += 1
                    break


if __name__ == "__main__":
    main()
