"""`--strict`: a measurement that misses a target says so and ends with status 1."""

import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO

REACHED, MISSED = "reached", "NOT REACHED"
OPTION = "--strict"


def verdict(reached: bool) -> str:
    """Return the word for a target."""
    return REACHED if reached else MISSED


class Listener(StringIO):
    """Passes everything on at once, and keeps it."""

    def __init__(self, out: Callable[[str], object]) -> None:
        """Pass on to a function."""
        super().__init__()
        self.out = out

    def write(self, text: str) -> int:
        """Pass on, and keep."""
        self.out(text)
        return super().write(text)


def run(main: Callable[[], object]) -> None:
    """Measure; with `--strict` among the words of the command, leave with status 1 if a target is missed."""
    strict = OPTION in sys.argv
    sys.argv = [word for word in sys.argv if word != OPTION]
    out = sys.stdout
    with redirect_stdout(Listener(out.write)) as heard:
        main()
    out.flush()
    missed = [line for line in heard.getvalue().splitlines() if MISSED in line]
    if strict and missed:
        print(f"{len(missed)} of the targets are missed", file=sys.stderr)
        raise SystemExit(1)
