"""Compiled and plain in turns: a benchmark runs again in another process, which finds a copy without compiled modules first.

A benchmark is a module that, run with a number of seconds, prints a line for each game: its name, games, moves, seconds.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import tablee
from bench.rate import Rate
from tablee.core import position

COMPILED = not str(position.__file__).endswith(".py")
HERE = Path(__file__).parent.parent

Measure = Callable[[float], Iterable[Rate]]


def in_turns(module: str, measures: Iterable[Measure], rounds: int, seconds: float) -> list[list[Rate]]:
    """Return the rates of each measure, and last those that a benchmark prints without compiled modules; they take turns, so many rounds."""
    must_be_compiled()
    with TemporaryDirectory() as directory:
        copy = copy_plain(Path(directory))
        everything: list[Measure] = [*measures, lambda seconds: rates_from(module, copy, seconds)]
        rates_of_each: list[list[Rate]] = [[] for _ in everything]
        for _ in range(rounds):
            for rates, measure in zip(rates_of_each, everything, strict=True):
                rates += measure(seconds)
    return rates_of_each


def must_be_compiled() -> None:
    """Leave with a word of advice where there is nothing compiled to measure."""
    if not COMPILED:
        sys.exit("the compiled modules are missing: run `make build` first")


def copy_plain(to: Path) -> Path:
    """Copy the package without its compiled modules; return the directory to import it from."""
    shutil.copytree(Path(tablee.__file__).parent, to / "tablee", ignore=shutil.ignore_patterns("*.so", "*.pyd", "__pycache__"))
    return to


def rates_from(module: str, folder: Path, seconds: float) -> Iterator[Rate]:
    """Give what a benchmark prints in another process that imports tablee from a given folder."""
    paths = os.pathsep.join((str(folder), str(HERE)))
    command = [sys.executable, "-m", module, str(seconds)]
    printed = subprocess.run(command, env=os.environ | {"PYTHONPATH": paths}, cwd=folder, check=True, capture_output=True, text=True).stdout
    for line in printed.splitlines():
        name, games, moves, taken = line.split()
        yield Rate(name, float(games), float(moves), float(taken))


def print_rates(rates: Iterable[Rate]) -> None:
    """Print rates as `rates_from` reads them."""
    for rate in rates:
        print(rate.name, rate.games, rate.moves, rate.seconds)
