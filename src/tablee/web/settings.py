"""How a house is run: where its data is, which names it answers to, how much it allows."""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path


def data_folder() -> Path:
    """Return where a person's machine keeps such things."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "tablee"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "tablee"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "tablee"


def spare_cores() -> int:
    """Return how many cores may think while one stays free for people."""
    return max(1, (os.cpu_count() or 2) - 1)


@dataclass(frozen=True)
class Settings:
    """Everything that is settled when a house opens.

    `names` are the host names it answers to beside addresses and localhost; `allowance` multiplies every limit; `address` is
    what others reach it by, for links; `thinkers` is how many computer players may think at once, `think_seconds` how long; a table
    whose seats are all taken begins after `grace_seconds`, whether or not everybody has contributed to its dice.
    """

    data: Path = field(default_factory=data_folder)
    names: tuple[str, ...] = ()
    allowance: int = 1
    thinkers: int = field(default_factory=spare_cores)
    think_seconds: float = 1.0
    grace_seconds: float = 2.0
    address: str = ""
