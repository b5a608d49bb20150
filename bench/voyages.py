"""How often `max` saves all crates at Tabaijana, with every number of seats, in both games.

    python -m bench.voyages --games 500 --seconds 0.5

prints Markdown: the games won, their 95 % interval, the time an action took, and whether the target is reached.
`--keep FOLDER` writes each finished game down, and the same command goes on from there. `--player max:depth=2` looks no further
than two throws, which takes some milliseconds instead of the half second: hours become minutes, and it asks more of it.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from bench import strict
from tablee import catalog
from tablee.arena.plan import make_plan
from tablee.arena.report import make_report, percent
from tablee.arena.run import carry_out

WANTED = {"famille": 0.96, "enfants": 0.97}


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=500, help="how many games for each row")
    parser.add_argument("--seconds", type=float, default=0.5, help="the most time for an action")
    parser.add_argument("--game", choices=WANTED, action="append", help="only this game; may be given several times")
    parser.add_argument(
        "--seats", type=int, choices=catalog.kind("tabaijana").seats, action="append", help="only so many; may be given several times"
    )
    parser.add_argument("--player", default="max", help="who plays every seat")
    parser.add_argument("--seed", type=int, default=2, help="another than the one that the weights were tried with")
    parser.add_argument("--cores", type=int, default=0, help="how many processes (0: as many as there are cores)")
    parser.add_argument("--keep", type=Path, help="a folder that keeps every finished game, to go on from")
    print("| game | seats | player | won | games | ms an action | slowest, ms | wanted |")
    print("|---|--:|---|--:|--:|--:|--:|---|")
    for row in rows(parser.parse_args()):
        print(row, flush=True)


def rows(asked: argparse.Namespace) -> Iterator[str]:
    """Play every game with every number of seats, and give the lines of the table."""
    for name in asked.game or WANTED:
        wanted = WANTED[name]
        for seats in asked.seats or catalog.kind("tabaijana").seats:
            plan = make_plan(
                catalog.game("tabaijana", seats, game=name), (f"{asked.player}:seconds={asked.seconds:g}",), asked.games, seed=asked.seed
            )
            file = asked.keep and asked.keep / f"{name}-{seats}.jsonl"
            (standing,) = make_report(plan, carry_out(plan, file, cores=asked.cores)).standings
            verdict = f"{100 * wanted:.0f} %: {strict.verdict(standing.rate.value >= wanted)}"
            times = f"{1000 * standing.seconds:.1f} | {1000 * standing.slowest:.0f}"
            yield f"| {name} | {seats} | `{asked.player}` | {percent(standing.rate)} | {standing.rate.number} | {times} | {verdict} |"


if __name__ == "__main__":
    strict.run(main)
