"""Run by the release on the wheel for the browser: the engine is compiled, and counts traboulet's sequences as the golden file has them."""

from pathlib import Path

from tablee.catalog import game
from tablee.core import position
from tablee.core.perft import perft

GOLDEN = Path(__file__).parents[1] / "golden" / "traboulet" / "perft.txt"

if not str(position.__file__).endswith(".so"):
    raise SystemExit(f"the engine of this wheel is not compiled: {position.__file__}")
traboulet = game("traboulet")
wanted = [int(count) for count in GOLDEN.read_text(encoding="ascii").splitlines()[0].split(":")[1].split()]
found = [perft(traboulet.start(seed=1).position, depth, traboulet.action_count) for depth in range(1, len(wanted) + 1)]
if found != wanted:
    raise SystemExit(f"this wheel counts {found}, and the golden file has {wanted}")
