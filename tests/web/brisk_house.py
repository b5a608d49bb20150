"""A house that drops idle tables from memory at once; with `hoard`, a planted fault, it never does."""

import sys

from tablee.cli import main
from tablee.web import house

if __name__ == "__main__":
    house.IDLE_SECONDS, house.SWEEP_SECONDS = 1.0, 0.5
    if sys.argv[1] == "hoard":
        del sys.argv[1]
        house.House.drop_idle = lambda self, seconds: None  # type: ignore[method-assign]
    main()
