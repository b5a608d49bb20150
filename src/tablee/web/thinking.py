"""The room where a computer player thinks: a process of its own that knows a record and nothing else.

It is niced, has no database, no secret and no connection; it reads one question a line from standard input and writes one
answer a line. When the house is gone its standard input ends, and so does it.
"""

import json
import os
import signal
import sys
from random import Random
from time import monotonic

from librt.vecs import vec
from mypy_extensions import i64

from tablee import catalog
from tablee.core.bits import members
from tablee.core.position import OVER, Position
from tablee.core.record import read_record
from tablee.core.state import State
from tablee.players.playout import Draw, playout

NICENESS = 15
MEMORY = 2 * 1024**3
LEVELS = ("1", "2", "3", "4", "5", "6", "7", "8", "max")
MIDDLE = "4"
LONGEST = 3000


def main() -> None:
    """Answer questions until there are none."""
    confine()
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)


def confine() -> None:
    """Give way to everybody else, and take no more memory than a player needs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the house, which then closes this room
    if sys.platform != "win32":
        import resource

        os.nice(NICENESS)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def answer(question: dict[str, object]) -> dict[str, object]:
    """Return the token that a player of a level plays at the end of a record."""
    state = read_record(str(question["record"]), catalog.kind)
    seat, seed, seconds = int(str(question["seat"])), int(str(question["seed"])), float(str(question["seconds"]))
    return {"token": state.game.notate(think(state, seat, str(question["level"]), seconds, seed))}


def think(state: State, seat: int, level: str, seconds: float, seed: int) -> int:
    """Return an action of a seat: by chance at level 1, at a glance at level 2, by trying games out above."""
    random = Random(seed)
    legal = state.legal(seat)
    rank = LEVELS.index(level if level in LEVELS else MIDDLE)
    if rank == 0 or len(legal) == 1:
        return random.choice(legal)
    if rank == 1:
        return random.choice(state.best_at_once(seat))
    return try_out(state, seat, random, rounds=4**rank, until=monotonic() + seconds)


def try_out(state: State, seat: int, random: Random, rounds: int, until: float) -> int:
    """Return the action after which the seat wins most of so many games played out at random, each tried as often as the others."""
    legal = state.legal(seat)
    best_first = dict.fromkeys([*state.best_at_once(seat), *legal])
    gains = dict.fromkeys(best_first, 0.0)
    position, draw = state.position.copy(), Draw(random.randrange(2**32))
    buffer = vec[i64]([0] * state.game.action_count)
    tried = 0
    while tried < rounds and monotonic() < until:
        for action in gains:
            position.copy_from(state.position)
            position.play(action)
            playout(position, draw, buffer, LONGEST)
            gains[action] += share(position, seat)
        tried += 1
    return max(gains, key=lambda action: gains[action])


def share(position: Position, seat: int) -> float:
    """Return a seat's part of the win; a trace of its score settles what chance leaves even."""
    trace = 1e-6 * float(position.standing(seat))
    if position.actor() != OVER:
        return trace
    winners = members(position.winners())
    return (1.0 / len(winners) if seat in winners else 0.0) + trace


if __name__ == "__main__":
    main()
