"""What a player costs in a process of its own: its memory. How soon it answers is measured by `bench.promptness`."""

import subprocess
import sys
from pathlib import Path

import pytest

from tablee.catalog import OURS

ROOT = Path(__file__).parents[2]
MOST_MEGABYTES = 300
NODES = 200_000
ALONE = """
import sys
from pathlib import Path
from tablee import Player, catalog
from tests.players.states import deciding
game = catalog.game(sys.argv[1], catalog.kind(sys.argv[1]).seats[-1])
Player(game, "max").choose(deciding(game), nodes=int(sys.argv[2]))
peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
print(int(peak.split()[1]) / 1024)
"""


@pytest.mark.parametrize("slug", OURS)
def test_a_player_fits_in_300_megabytes(slug: str) -> None:
    """The memory is what Linux says of that process alone."""
    run = subprocess.run([sys.executable, "-c", ALONE, slug, str(NODES)], cwd=ROOT, capture_output=True, text=True, check=True)
    assert float(run.stdout) <= MOST_MEGABYTES
