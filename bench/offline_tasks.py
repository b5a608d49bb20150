"""What bench/offline.mjs runs in the Python of the browser; `processor` is the processor time of node, in seconds."""

from collections.abc import Callable
from random import Random
from typing import Any

from tablee.catalog import OURS, game
from tablee.core.record import write_record
from tablee.core.state import Decision, State
from tablee.players.playout import playouts
from tablee.web.engine_worker import KeptPlayers, Request

processor: Callable[[], float] = globals()["processor"]
LEVEL = "4"


def engine(seconds: float) -> dict[str, Any]:
    """Return the rate of random games of each game: its name, games, moves, seconds."""
    rates = []
    for slug in OURS:
        chosen = game(slug)
        start = chosen.start(Random(1).randrange).position
        games, moves, spent, lot = 0, 0, 0.0, 1
        while spent < seconds:
            before = processor()
            moves += playouts(start, lot, games, chosen.action_count)[0]
            spent += processor() - before
            games += lot
            lot += lot
        rates.append([slug, games, moves, spent])
    return {"rates": rates}


def answer(count: float) -> dict[str, Any]:
    """Return how long the answers of level 4 take in each game, from the second on: the first reads the weights."""
    return {"seconds": {slug: answers(slug, int(count)) for slug in OURS}}


def answers(slug: str, count: int) -> list[float]:
    """Return the times of the answers of one game; seat 0 plays at random, and the game begins anew at its end."""
    players, random = KeptPlayers(), Random(1)
    times: list[float] = []
    state = game(slug).start(random.randrange)
    while len(times) <= count:
        if state.over:
            state = game(slug).start(random.randrange)
            continue
        node = state.node
        if not isinstance(node, Decision):
            state = state.throw(random.randrange)
        elif 0 in node.seats:
            state = state.play(random.choice(state.legal(0)), 0)
        else:
            state = answered(players, state, node.seats[0], times)
    return times[1:]


def answered(players: KeptPlayers, state: State, seat: int, times: list[float]) -> State:
    """Return the state after an answer of level 4, whose time is added."""
    before = processor()
    tokens = players.answer(Request(seed=1, seat=seat, level=LEVEL, seconds=10.0, record=write_record(state)))
    times.append(processor() - before)
    for token in tokens.split():
        state = state.play(state.number(token, seat), seat)
    return state
