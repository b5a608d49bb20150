"""How a house is run: where its data is, which names it answers to, how much it allows."""

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path


def data_folder() -> Path:
    """Return the user's default data folder."""
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
    """The settings of a house.

    `names` are the host names it answers to beside addresses and localhost; `allowance` multiplies every limit; `address` is
    the public address, for links; `engines` is how many computer players may think at once (0: others do, on the same
    database), `think_seconds` how long; a table whose seats are all taken begins after `grace_seconds`, whether or not everybody
    has contributed to its dice. `database` is the address of a PostgreSQL database that several processes may share, `redis` that
    of a server for hints between them, `workers` how many there are.
    A house that is `alone` runs in a browser tab: it has no API, no limits and no other visitors; its
    engine may be `plain` Python, and `elsewhere` is a house with a server that it points to.
    """

    data: Path = field(default_factory=data_folder)
    names: tuple[str, ...] = ()
    allowance: int = 1
    engines: int = field(default_factory=spare_cores)
    think_seconds: float = 1.0
    grace_seconds: float = 2.0
    address: str = ""
    database: str = ""
    redis: str = ""
    workers: int = 1
    alone: bool = False
    plain: bool = False
    elsewhere: str = ""
