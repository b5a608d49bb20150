"""Run the tests of every few minutes (`make quick`), and fail if they take more processor time than a developer will wait for."""

import resource
import subprocess
import sys

MOST_SECONDS = 60.0


def verdict(status: int, seconds: float) -> int:
    """Return the status of a run: that of its tests, or 1 where they pass and take too long."""
    return status or int(seconds > MOST_SECONDS)


def main(words: list[str]) -> int:
    """Run pytest with these words and say what processor time it took, its workers included."""
    status = subprocess.run([sys.executable, "-m", "pytest", *words], check=False).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    print(f"{seconds:.0f} s of processor time: expected at most {MOST_SECONDS:.0f}; `--durations=20` names what is slow")
    return verdict(status, seconds)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
