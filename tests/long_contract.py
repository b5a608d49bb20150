"""The contract over many actions, split over the cores: `python -m tests.long_contract --actions 1000000`."""

import argparse
from concurrent.futures import ProcessPoolExecutor
from os import cpu_count

from tablee.catalog import OURS, kind
from tablee.testing import Report, check_game

SHARE = 5000


def part(slug: str, seed: int) -> Report:
    """Check one share of a game's actions."""
    return check_game(kind(slug), actions=SHARE, seed=seed, often=8)


def main() -> None:
    """Check every game and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--actions", type=int, default=1_000_000, help="how many actions over all games")
    parser.add_argument("--game", choices=OURS, action="append", help="only this game; may be given several times")
    chosen = parser.parse_args()
    slugs = chosen.game or OURS
    shares = -(-chosen.actions // (SHARE * len(slugs)))
    total = 0
    with ProcessPoolExecutor(cpu_count()) as pool:
        for slug in slugs:
            seen = Report()
            for report in pool.map(part, [slug] * shares, range(100, 100 + shares)):
                seen.actions += report.actions
                seen.games += report.games
                seen.refused += report.refused
                seen.ended += report.ended
            total += seen.actions
            print(f"{slug}: {seen.actions} actions, {seen.games} games", flush=True)
            print("  refused by", ", ".join(f"{paragraph} ({n})" for paragraph, n in sorted(seen.refused.items())))
            print("  ended by", ", ".join(f"{paragraph} ({n})" for paragraph, n in sorted(seen.ended.items())))
    print(f"fast and slow rules agree at every position of {total} actions")


if __name__ == "__main__":
    main()
