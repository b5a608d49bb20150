"""Measure how long `import tablee` takes, in processor time of a new interpreter, less that of an interpreter that imports nothing.

python -m bench.starting
"""

import os
import subprocess
import sys

from bench import strict
from bench.plain import must_be_compiled

TIMES = 15
WANTED = 0.15
NOTHING, OURS = "pass", "import tablee"


def seconds(code: str) -> float:
    """Return the processor time of a new interpreter that runs some code."""
    before = os.times()
    subprocess.run([sys.executable, "-c", code], check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    """Measure in turns, and print the least of each."""
    must_be_compiled()
    runs = [(seconds(NOTHING), seconds(OURS)) for _ in range(TIMES)]
    nothing, ours = (min(times) for times in zip(*runs, strict=True))
    took = ours - nothing
    print(f"- `import tablee`: {took:.3f} s of processor time, wanted {WANTED} s: {strict.verdict(took <= WANTED)}")


if __name__ == "__main__":
    strict.run(main)
