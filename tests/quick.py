"""Run tests that may take so much processor time and no more: those of every few minutes (`make quick`), those of the site (`make site-test`).

    python -m tests.quick [--most SECONDS] <what pytest is given>

Processor time depends little on what else the machine does. Browsers and servers that outlive their parent count too:
on Linux this process adopts them.
"""

import ctypes
import os
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
    adopt_orphans()
    status = subprocess.run([sys.executable, "-m", "pytest", *words], check=False).returncode
    wait_for_orphans()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = used.ru_utime + used.ru_stime
    print(f"{seconds:.0f} s of processor time: expected at most {most:.0f}; `--durations=20` names what is slow")
    return verdict(status, seconds, most)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends (`PR_SET_CHILD_SUBREAPER`)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)


def wait_for_orphans() -> None:
    """Take the processor time of those that have ended."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass  # there are no more


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
