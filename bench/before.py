"""Whether a click is confirmed no slower than by an earlier version: `python -m bench.before CHECKOUT`.

`CHECKOUT` is a folder with the earlier sources and their environment: `git worktree add CHECKOUT COMMIT`, then
`make -C CHECKOUT build .venv/tests`. Each version measures itself with its own page, house and hand, in turns within one run, so that a
busy machine slows both. ca7d69b stands before the table was made over; a few commits after it cannot be imported.
"""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from bench import strict
from bench.house import row

ROUNDS, CLICKS = 3, 40
NO_SLOWER = 1.1
HERE = Path(__file__).parents[1]
MEASURE = f"""
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from bench import house
house.CLICKS = {CLICKS}
with TemporaryDirectory() as data, house.running(Path(data)) as base:
    print(json.dumps(house.clicks(base)))
"""


def clicks(checkout: Path) -> tuple[list[float], list[float]]:
    """Return how long each click of a version took since its page heard it, and since the finger went up, in seconds."""
    places = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    own = checkout / ".venv" / "bin" / "python"  # what an earlier version needs may be gone from ours
    done = subprocess.run(
        [str(own if own.is_file() else sys.executable), "-c", MEASURE], cwd=checkout, env=places, check=True, capture_output=True, text=True
    )
    heard, made = json.loads(done.stdout.splitlines()[-1])
    return heard, made


def main() -> None:
    """Measure both in turns, and print."""
    if len(sys.argv) != 2 or not Path(sys.argv[1], "bench", "house.py").is_file():
        sys.exit("expected the folder of an earlier version: python -m bench.before CHECKOUT")
    versions = {"before": Path(sys.argv[1]).resolve(), "now": HERE}
    times: dict[tuple[str, str], list[float]] = {(since, name): [] for since in ("heard", "made") for name in versions}
    for _ in range(ROUNDS):
        for name, checkout in versions.items():
            heard, made = clicks(checkout)
            times["heard", name] += heard
            times["made", name] += made
    print("| a click in Chromium, confirmed | clicks | median | 99 of 100 within |")
    print("|---|--:|--:|--:|")
    said = {"heard": "from the page's hearing of it", "made": "from the finger's going up"}
    for (since, name), one in times.items():
        print(row(f"{said[since]}, {name}", one))
    ratio = statistics.median(times["made", "now"]) / statistics.median(times["made", "before"])
    print()
    print(f"- now against before: {ratio:.2f}, wanted at most {NO_SLOWER}: {strict.verdict(ratio <= NO_SLOWER)}")


if __name__ == "__main__":
    strict.run(main)
