"""The rows of `make prove` that hold figures of a house under a crowd: reached or missed, on this machine.

A figure that is missed breaks no promise: it depends on the machine and on what else runs there. `make crowd` measures more.
"""

import asyncio
import re
import statistics
import subprocess
from collections.abc import Callable
from functools import cache

from bench.crowd import back, boardgame_row, closed, idle_socket, paced, raise_limit, start_over
from bench.house import percentile
from tests.prove_row import Found, Proof

CROWD = "fast under a crowd"
SECONDS, SMALL_SECONDS = 10.0, 1.0
TABLES, SMALL_TABLES = 50, 4


def measured(asked: str, measure: Callable[[bool], tuple[str, bool]], *, in_small: bool = False) -> Proof:
    """Return a proof that tells a figure as reached or missed; the others belong to the large form alone."""

    def trial(small: bool, seconds: float) -> Found:
        raise_limit()
        try:
            said, enough = measure(small)
        except (OSError, TimeoutError, subprocess.SubprocessError, AssertionError) as error:
            return Found(f"{type(error).__name__}: {str(error)[:200]}", verdict="not measured")
        return Found(said, verdict="measured" if small else "reached" if enough else "missed")

    return Proof(CROWD, asked, trial, in_small, alone=True)


@cache
def loop(count: int, seconds: float) -> tuple[float, float, float]:
    """Return durable moves a second, processor milliseconds of the server for a move, and the kB of memory that a move takes."""
    moves, spent, took, memory = asyncio.run(closed(count, seconds))
    return moves / took, spent / moves * 1000, memory


def usual(small: bool) -> tuple[float, float, float]:
    """Return what is measured at the usual number of tables."""
    return loop(SMALL_TABLES, SMALL_SECONDS) if small else loop(TABLES, SECONDS)


def cost(small: bool) -> tuple[str, bool]:
    """Measure the processor time of a move."""
    _, milliseconds, _ = usual(small)
    return f"{milliseconds:.2f} ms", milliseconds <= 0.5


def memory(small: bool) -> tuple[str, bool]:
    """Measure the memory of a move."""
    *_, kilobytes = usual(small)
    return f"{kilobytes:.2f} kB", kilobytes <= 0.5


def rate(small: bool) -> tuple[str, bool]:
    """Compare the rate with that of boardgame.io, which keeps its matches in memory, in the same run."""
    ours, said = usual(small)[0], boardgame_row(TABLES, SECONDS)
    theirs = re.search(r": (\d+) moves a second", said)
    if theirs is None:
        raise OSError(said)
    return f"{ours:.0f} moves/s, boardgame.io {theirs[1]}", ours >= int(theirs[1])


def growth(small: bool) -> tuple[str, bool]:
    """Compare the cost of a move at many tables with that at few."""
    few, many = loop(10, SECONDS)[1], loop(1000, SECONDS)[1]
    return f"{few:.2f} ms at 10 tables, {many:.2f} ms at 1,000: {many / few:.2f} times", many <= 1.5 * few


def waits(small: bool) -> tuple[str, bool]:
    """Measure how long movers wait at a thousand tables with a move a second each."""
    found = asyncio.run(paced(1000, 2 * SECONDS))
    slow = percentile(found, 99)
    return f"{slow * 1000:.0f} ms (median {statistics.median(found) * 1000:.0f} ms) of {len(found)} moves", slow <= 0.1


def socket_size(small: bool) -> tuple[str, bool]:
    """Measure the memory of a socket that only listens."""
    kilobytes = asyncio.run(idle_socket(1000)) / 1024
    return f"{kilobytes:.1f} kB", kilobytes <= 25


def return_time(small: bool) -> tuple[str, bool]:
    """Measure the return of a table that had left memory."""
    milliseconds = asyncio.run(back())
    return f"{milliseconds:.1f} ms of processor time", milliseconds <= 10


def start(small: bool) -> tuple[str, bool]:
    """Measure the start over many live tables."""
    seconds, spent = start_over(10_000)
    return f"{seconds:.1f} s, {spent:.1f} s of processor time", seconds <= 5


FIGURES: tuple[Proof, ...] = (
    measured("durable moves/s at 50 tables, both seats listening: at least boardgame.io's in memory", rate),
    measured("processor time a move: at most 0.5 ms", cost, in_small=True),
    measured("a move's memory: at most 0.5 kB", memory, in_small=True),
    measured("cost of a move: the same at 1,000 tables as at 10", growth),
    measured("1,000 tables at a move a second: 99 of 100 within 100 ms", waits),
    measured("an idle socket: at most 25 kB", socket_size),
    measured("an idle table leaves memory and is back within 10 ms", return_time, in_small=True),
    measured("ready over 10,000 live tables within 5 s", start),
)
