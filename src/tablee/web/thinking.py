"""The room where a computer player thinks: a process of its own that knows a record and nothing else.

It is niced, has no database, no secret and no connection; it reads one question a line from standard input and writes one
answer a line. When the house is gone its standard input ends, and so does it.
"""

import json
import os
import signal
import sys

from tablee import catalog
from tablee.core.record import read_record
from tablee.core.state import State
from tablee.players.player import Player
from tablee.web.levels import player_name

NICENESS = 15
MEMORY = 2 * 1024**3


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
    """Return the action that a seat plays at a level, found within so many seconds."""
    return Player(state.game, player_name(state.game.kind, level), seed).choose(state, seat, seconds=seconds)


if __name__ == "__main__":
    main()
