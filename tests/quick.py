"""Run tests that may take so much processor time and no more: those of every few minutes (`make quick`), those of the site (`make site-test`).

    python -m tests.quick [--most SECONDS] <what pytest is given>

Processor time, the browsers and workers included, does not depend on what else the machine does.
"""

import resource
import subprocess
import sys

MOST_SECONDS = 60.0


def verdict(status: int, seconds: float, most: float = MOST_SECONDS) -> int:
    """Return the status of a run: that of its tests, or 1 where they pass and take too long."""
    return status or int(seconds > most)


def main(words: list[str]) -> int:
    """Run pytest with these words and say what processor time it took, its workers included."""
    most = MOST_SECONDS
    if words[:1] == ["--most"]:
        most, words = float(words[1]), words[2:]
    status = subprocess.run([sys.executable, "-m", "pytest", *words], check=False).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    print(f"{seconds:.0f} s of processor time: expected at most {most:.0f}; `--durations=20` names what is slow")
    return verdict(status, seconds, most)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
